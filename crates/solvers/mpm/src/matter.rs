//! What depends on the law: deformation, flow and stress. The only part of the solver that is compiled
//! once per law; the rest sees it through [`Matter`].

use thixo_grid::Split;
use thixo_material::{Build, Kin, Law, Motion, Numbers};
use thixo_math::{Lane, Level, Mask, Matrix, Pack, Real, Simd, Task};

use crate::columns::{entry, lanes, matrix_lanes, put_matrix, some_matrices, symmetric};

/// Most numbers that the state of a law may have.
pub(crate) const NUMBERS: usize = 8;

/// What the largest stable step follows from, and what must not spread.
#[derive(Clone, Copy, Debug)]
pub struct Stiffness<T> {
    /// Largest e/ρ⁰, e the largest eigenvalue of δτ/δH \[m²/s²\].
    pub elastic: T,
    /// Largest η J/ρ⁰ \[m²/s\].
    pub viscous: T,
    /// First particle, from the first of the block, whose deformation, state or stress must not be.
    pub bad: Option<usize>,
}

impl<T: Real> Stiffness<T> {
    /// Of nothing.
    pub(crate) fn none() -> Self {
        Self {
            elastic: T::zero(),
            viscous: T::zero(),
            bad: None,
        }
    }
    /// Of both.
    pub(crate) fn and(self, o: Self) -> Self {
        Self {
            elastic: Lane::max(self.elastic, o.elastic),
            viscous: Lane::max(self.viscous, o.viscous),
            bad: self.bad.or(o.bad),
        }
    }
}

/// The particles of one block as their law sees them.
pub struct Block<'a, T, const D: usize> {
    /// How many there are. Columns of the present state have a register more.
    pub count: usize,
    /// Deformation gradient; of a shapeless law only the first column is there.
    pub F: [[&'a [T]; D]; D],
    /// Numbers of the state; those that a law does not have are empty.
    pub a: [&'a [T]; NUMBERS],
    /// ∇v \[1/s\]; it may end with the block.
    pub gradient: [[&'a [T]; D]; D],
    /// Mass.
    pub m: &'a [T],
    /// Rest volume.
    pub V0: &'a [T],
}

/// What becomes of them.
pub struct Deformed<'a, T, const D: usize> {
    /// Deformation gradient.
    pub F: [[&'a mut [T]; D]; D],
    /// Numbers of the state.
    pub a: [&'a mut [T]; NUMBERS],
    /// V⁰ τ: diagonal, then upper triangle.
    pub tau: [&'a mut [T]; 6],
}

impl<T, const D: usize> Split for Deformed<'_, T, D> {
    fn split_off(&mut self, n: usize) -> Self {
        Self {
            F: self.F.split_off(n),
            a: self.a.split_off(n),
            tau: self.tau.split_off(n),
        }
    }
}

/// A law, compiled for every level of vector instructions.
pub trait Matter<T: Real, const D: usize>: Send + Sync {
    /// Its name.
    fn law(&self) -> &'static str;
    /// Names of the numbers in its state.
    fn names(&self) -> &'static [&'static str];
    /// The state of untouched matter.
    fn start(&self) -> Vec<T>;
    /// Whether F is always a multiple of I, so that its first entry is kept alone.
    fn shapeless(&self) -> bool;
    /// Deforms by dt ∇v, flows, and writes deformation, state and V⁰ τ. Without dt only the stress of the
    /// present state is written.
    fn deform(&self, block: Block<'_, T, D>, dt: Option<T>, to: Deformed<'_, T, D>)
    -> Stiffness<T>;
    /// What forbids this, or `None`.
    fn fault(&self, F: &Matrix<T, D>, a: &[T]) -> Option<&'static str>;
    /// ψ and J.
    fn energy_and_ratio(&self, F: &Matrix<T, D>, a: &[T]) -> (f64, f64);
    /// Without viscosity: mean pressure −tr(σ)/D, and equivalent stress √(3/2 s:s), s the deviator of
    /// σ = τ/J \[Pa\].
    fn pressure_and_shear(&self, F: &Matrix<T, D>, a: &[T]) -> [f64; 2];
}

/// Matter of a law.
pub fn matter<T: Real, const D: usize, L: Law<T, D>>(law: L) -> Box<dyn Matter<T, D>> {
    const {
        assert!(
            <L::State as Numbers<T>>::COUNT <= NUMBERS,
            "a state of too many numbers"
        )
    };
    Box::new(law)
}

/// Makes [`Matter`] of a law that is known by name.
pub struct MakeMatter;

impl<T: Real, const D: usize> Build<T, D> for MakeMatter {
    type Out = Box<dyn Matter<T, D>>;
    fn build<L: Law<T, D>>(self, law: L) -> Self::Out {
        matter(law)
    }
}

/// The numbers of a state as the law has them.
fn state<T: Real, const D: usize, L: Law<T, D>>(a: &[T]) -> L::State {
    L::State::from_fn(|n| a[n])
}

impl<T: Real, const D: usize, L: Law<T, D>> Matter<T, D> for L {
    fn law(&self) -> &'static str {
        L::INFO.name
    }
    fn names(&self) -> &'static [&'static str] {
        L::state_names()
    }
    fn start(&self) -> Vec<T> {
        Law::start(self).all().to_vec()
    }
    fn shapeless(&self) -> bool {
        L::SHAPELESS
    }
    fn deform(
        &self,
        block: Block<'_, T, D>,
        dt: Option<T>,
        to: Deformed<'_, T, D>,
    ) -> Stiffness<T> {
        let law = self;
        Level::in_use().dispatch(Deform { law, block, dt, to })
    }
    fn fault(&self, F: &Matrix<T, D>, a: &[T]) -> Option<&'static str> {
        let a = state::<T, D, L>(a);
        let sound = a.all().iter().all(|x| x.finite());
        let why = Law::fault(self, &Kin::at(*F), &a);
        why.or((!sound).then_some("state is not finite"))
    }
    fn energy_and_ratio(&self, F: &Matrix<T, D>, a: &[T]) -> (f64, f64) {
        let (k, a) = (Kin::at(*F), state::<T, D, L>(a));
        (self.psi(&k, &a).wide(), self.volume_ratio(&k, &a).wide())
    }
    fn pressure_and_shear(&self, F: &Matrix<T, D>, a: &[T]) -> [f64; 2] {
        let (k, a) = (Kin::at(*F), state::<T, D, L>(a));
        let (tau, _) = self.kirchhoff(&k, &a);
        let J = self.volume_ratio(&k, &a).wide();
        let sigma = tau.wide() / J;
        let p = -sigma.trace() / D as f64;
        let s = sigma + Matrix::identity() * p;
        [p, (1.5 * s.norm2()).sqrt()]
    }
}

/// [`Matter::deform`] at one level.
struct Deform<'a, T, L, const D: usize> {
    law: &'a L,
    block: Block<'a, T, D>,
    dt: Option<T>,
    to: Deformed<'a, T, D>,
}

impl<T: Real, L: Law<T, D>, const D: usize> Task for Deform<'_, T, L, D> {
    type Out = Stiffness<T>;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Stiffness<T> {
        let Self {
            law,
            block,
            dt,
            mut to,
        } = self;
        let like = Pack::<T, S>::splat(s, T::zero());
        let law = law.lanes(like);
        let one = like.fill(1.0);
        let (mut elastic, mut viscous) = (like, like);
        let mut bad = None;
        let n = block.count;
        let mut i = 0;
        while i < n {
            let load = |column: &[T]| Pack::<T, S>::load(s, &column[i..]);
            let gradient = some_matrices(s, &block.gradient, i);
            let mut F = if L::SHAPELESS {
                Matrix::scalar(load(block.F[0][0]))
            } else {
                matrix_lanes(s, &block.F, i)
            };
            let mut a = <L::In<Pack<T, S>> as Motion<Pack<T, S>, D>>::State::from_fn(
                #[inline(always)]
                |k| load(block.a[k]),
            );
            if let Some(dt) = dt {
                // F ← (I + dt ∇v) F, [Course16] (181); then the return mapping.
                let dt = like.spread(dt);
                let H = gradient * dt;
                let HF = H * F;
                let trial = Kin { F: F + HF, H, dt };
                F = law.flow(&trial, &mut a);
                if L::SHAPELESS {
                    F[(0, 0)].store_some(&mut to.F[0][0][i..]);
                } else {
                    put_matrix(&F, &mut to.F, i);
                }
                for (k, x) in a.all().iter().enumerate() {
                    x.store_some(&mut to.a[k][i..]);
                }
            }
            // Viscous stress is 2 J η sym(H)/dt: with dt = 1, H is ∇v itself.
            let k = Kin {
                F,
                H: gradient,
                dt: one,
            };
            let (tau, e) = law.kirchhoff(&k, &a);
            let (m, V0) = (load(block.m), load(block.V0));
            // What is not finite leaves no finite sum.
            let mut size = e.abs();
            for k in 0..symmetric(D) {
                let (row, column) = entry::<D>(k);
                let t = tau[(row, column)] * V0;
                size += t.abs();
                t.store_some(&mut to.tau[k][i..]);
            }
            for x in a.all() {
                size += x.abs();
            }
            let sound = law.allows(&F) & size.finite();
            if !sound.all() && bad.is_none() {
                let here = (n - i).min(lanes::<T, S>());
                bad = (0..here).find(|l| !sound.at(*l)).map(|l| i + l);
            }
            // Lanes beyond the block hold what is of no account.
            let r = V0 / m;
            elastic = elastic.max((e * r).first(n - i));
            if L::VISCOUS {
                viscous = viscous.max((law.viscosity(&k, &a) * r).first(n - i));
            }
            i += lanes::<T, S>();
        }
        Stiffness {
            elastic: elastic.highest(),
            viscous: viscous.highest(),
            bad,
        }
    }
}
