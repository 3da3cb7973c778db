//! The columns that depend on the law: deformation and what else its state is. The only part of
//! the solver that is compiled once per law; the rest sees it through [`Matter`].

use rayon::prelude::*;
use thixo_core::{Result, Snapshot};
use thixo_grid::{Layout, fold_blocks};
use thixo_material::{Build, Kin, Law};
use thixo_math::{Lane, Matrix, Real};

/// What the largest stable step follows from.
#[derive(Clone, Copy, Debug)]
pub struct Stiffness<T> {
    /// Largest e/ρ⁰, e the largest eigenvalue of δτ/δH \[m²/s²\].
    pub elastic: T,
    /// Largest η J/ρ⁰ \[m²/s\].
    pub viscous: T,
    /// First particle whose stress or state is not finite, if any.
    pub bad: Option<usize>,
}

/// The first particle with a state that must not spread, and why.
pub type Bad = Option<(usize, &'static str)>;

/// Deformation and state of particles of one law.
pub trait Matter<T: Real, const D: usize>: Send + Sync {
    /// Appends a particle with this deformation gradient.
    fn push(&mut self, F: &Matrix<f64, D>);
    /// Puts the columns into a new order, which may leave particles out.
    fn permute(&mut self, order: &[u32]);
    /// Writes V⁰ τ of every particle. `gradient` is ∇v, `m` mass, `V0` rest volume.
    fn stress(
        &self,
        layout: &Layout<D>,
        gradient: &[Matrix<T, D>],
        m: &[T],
        V0: &[T],
        tau: &mut [Matrix<T, D>],
    ) -> Stiffness<T>;
    /// Deforms by dt ∇v and flows, into the next state.
    fn deform(&mut self, layout: &Layout<D>, gradient: &[Matrix<T, D>], dt: T) -> Bad;
    /// The next state becomes the present one.
    fn commit(&mut self);
    /// ψ and J of particle `i`.
    fn energy_and_ratio(&self, i: usize) -> (f64, f64);
    /// Of particle `i`, without viscosity: mean pressure −tr(σ)/D, and equivalent stress √(3/2 s:s), s
    /// the deviator of σ = τ/J \[Pa\].
    fn pressure_and_shear(&self, i: usize) -> [f64; 2];
    /// Names of the numbers in the state.
    fn state_names(&self) -> &'static [&'static str];
    /// Number `n` of the state of particle `i`.
    fn state_value(&self, i: usize, n: usize) -> T;
    /// Writes the present state.
    fn snapshot(&self, to: &mut Snapshot);
    /// Reads it; the number of particles is returned.
    fn restore(&mut self, from: &Snapshot) -> Result<usize>;
    /// Whether a snapshot is of this law.
    fn is_of_law(&self, from: &Snapshot) -> Result<bool>;
    /// Becomes `n` untouched particles.
    fn start(&mut self, n: usize);
}

/// Whether every number of a state, which is a plain array of `T`, is finite.
#[inline(always)]
fn sound<T: Real, S: bytemuck::Pod>(state: &S) -> bool {
    size_of::<S>() == 0
        || bytemuck::cast_slice::<S, T>(std::slice::from_ref(state))
            .iter()
            .all(|x| x.finite())
}

struct Body<T: Real, const D: usize, L: Law<T, D>> {
    law: L,
    F: Vec<Matrix<T, D>>,
    a: Vec<L::State>,
    next_F: Vec<Matrix<T, D>>,
    next_a: Vec<L::State>,
}

/// Empty matter of a law.
pub fn matter<T: Real, const D: usize, L: Law<T, D>>(law: L) -> Box<dyn Matter<T, D>> {
    let (F, a, next_F, next_a) = Default::default();
    Box::new(Body {
        law,
        F,
        a,
        next_F,
        next_a,
    })
}

/// Makes [`Matter`] of a law that is known by name.
pub struct MakeMatter;

impl<T: Real, const D: usize> Build<T, D> for MakeMatter {
    type Out = Box<dyn Matter<T, D>>;
    fn build<L: Law<T, D>>(self, law: L) -> Self::Out {
        matter(law)
    }
}

impl<T: Real, const D: usize, L: Law<T, D>> Matter<T, D> for Body<T, D, L> {
    fn push(&mut self, F: &Matrix<f64, D>) {
        self.F.push(Matrix::of(F));
        self.a.push(self.law.start());
    }
    fn permute(&mut self, order: &[u32]) {
        let mut F = Vec::new();
        Layout::<D>::permute(order, &self.F, &mut F);
        self.F = F;
        let mut a = Vec::new();
        Layout::<D>::permute(order, &self.a, &mut a);
        self.a = a;
    }
    fn stress(
        &self,
        layout: &Layout<D>,
        gradient: &[Matrix<T, D>],
        m: &[T],
        V0: &[T],
        tau: &mut [Matrix<T, D>],
    ) -> Stiffness<T> {
        let none = Stiffness {
            elastic: T::zero(),
            viscous: T::zero(),
            bad: None,
        };
        let more = |a: Stiffness<T>, b: Stiffness<T>| Stiffness {
            elastic: Lane::max(a.elastic, b.elastic),
            viscous: Lane::max(a.viscous, b.viscous),
            bad: a.bad.or(b.bad),
        };
        let all = fold_blocks(
            &layout.ranges,
            (&mut [] as &mut [()], 0),
            tau,
            &|_, r, _, tau| {
                let mut found = none;
                for (i, tau) in (r.start..r.end).zip(tau) {
                    // Viscous stress is 2 J η sym(H)/dt: with dt = 1, H is ∇v itself.
                    let k = Kin {
                        F: self.F[i],
                        H: gradient[i],
                        dt: T::one(),
                    };
                    let (t, e) = self.law.kirchhoff(&k, &self.a[i]);
                    *tau = t * V0[i];
                    let r = V0[i] / m[i];
                    let here = Stiffness {
                        elastic: e * r,
                        viscous: self.law.viscosity(&k, &self.a[i]) * r,
                        bad: (!(tau.finite() && e.finite() && sound::<T, _>(&self.a[i])))
                            .then_some(i),
                    };
                    found = more(found, here);
                }
                found
            },
            &more,
        );
        all.unwrap_or(none)
    }
    fn deform(&mut self, layout: &Layout<D>, gradient: &[Matrix<T, D>], dt: T) -> Bad {
        let Self {
            law,
            F,
            a,
            next_F,
            next_a,
        } = self;
        next_F.resize(F.len(), Matrix::zero());
        next_a.resize(a.len(), law.start());
        let bad = fold_blocks(
            &layout.ranges,
            (&mut [] as &mut [()], 0),
            (next_F.as_mut_slice(), next_a.as_mut_slice()),
            &|_, r, _, (next_F, next_a)| {
                let mut bad: Bad = None;
                for (j, i) in (r.start..r.end).enumerate() {
                    // F ← (I + dt ∇v) F, [Course16] (181); then the return mapping.
                    let H = gradient[i] * dt;
                    let trial = Kin {
                        F: F[i] + H * F[i],
                        H,
                        dt,
                    };
                    let mut state = a[i];
                    let out = law.flow(&trial, &mut state);
                    let why = law.fault(&Kin { F: out, ..trial }, &state);
                    let why = why.or((!sound::<T, _>(&state)).then_some("state is not finite"));
                    bad = bad.or(why.map(|why| (i, why)));
                    next_F[j] = out;
                    next_a[j] = state;
                }
                bad
            },
            &|a, b| a.or(b),
        );
        bad.flatten()
    }
    fn commit(&mut self) {
        std::mem::swap(&mut self.F, &mut self.next_F);
        std::mem::swap(&mut self.a, &mut self.next_a);
    }
    fn energy_and_ratio(&self, i: usize) -> (f64, f64) {
        let k = Kin::at(self.F[i]);
        let (law, a) = (&self.law, &self.a[i]);
        (law.psi(&k, a).wide(), law.volume_ratio(&k, a).wide())
    }
    fn pressure_and_shear(&self, i: usize) -> [f64; 2] {
        let k = Kin::at(self.F[i]);
        let (tau, _) = self.law.kirchhoff(&k, &self.a[i]);
        let J = self.law.volume_ratio(&k, &self.a[i]).wide();
        let sigma = tau.wide() / J;
        let p = -sigma.trace() / D as f64;
        let s = sigma + Matrix::identity() * p;
        [p, (1.5 * s.norm2()).sqrt()]
    }
    fn state_names(&self) -> &'static [&'static str] {
        L::state_names()
    }
    fn state_value(&self, i: usize, n: usize) -> T {
        bytemuck::cast_slice::<L::State, T>(&self.a[i..=i])[n]
    }
    fn snapshot(&self, to: &mut Snapshot) {
        to.put("law", L::INFO.name.as_bytes());
        to.put("F", &self.F);
        to.put("state", &self.a);
    }
    fn is_of_law(&self, from: &Snapshot) -> Result<bool> {
        Ok(from.get::<u8>("law")? == L::INFO.name.as_bytes())
    }
    fn start(&mut self, n: usize) {
        self.F = vec![Matrix::identity(); n];
        self.a = vec![self.law.start(); n];
    }
    fn restore(&mut self, from: &Snapshot) -> Result<usize> {
        if !self.is_of_law(from)? {
            let what = format!("it is not matter of the law `{}`", L::INFO.name);
            return Err(thixo_core::Error::Snapshot(what));
        }
        self.F = from.get("F")?;
        self.a = from.get("state")?;
        if size_of::<L::State>() == 0 {
            let start = self.law.start();
            self.a = self.F.par_iter().map(|_| start).collect();
        }
        if self.a.len() != self.F.len() {
            let what = "columns `F` and `state` differ in length";
            return Err(thixo_core::Error::Snapshot(what.into()));
        }
        Ok(self.F.len())
    }
}
