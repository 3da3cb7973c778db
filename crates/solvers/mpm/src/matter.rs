//! What depends on the law: deformation, flow and stress. The only part of the solver that is compiled
//! once per law; the rest sees it through [`Matter`].

use thixo_grid::Split;
use thixo_material::{Build, Kin, Law, Motion, Numbers};
use thixo_math::{Lane, Level, Mask, Matrix, Pack, Real, Simd, Task, prefetch};

use crate::lines::{
    AHEAD, Chunks, ChunksMut, Gradient, Line, Square, entry, load, load_matrix, registers, square,
    square_mut, store, store_matrix, symmetric,
};
use crate::tried::{Lag, Respond, Tangents, Tried};

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
    /// How many there are.
    pub count: usize,
    /// Deformation gradient, of a shapeless law its first entry alone, and the numbers of the state.
    pub shape: Chunks<'a, T>,
    /// ∇v \[1/s\].
    pub gradient: Gradient<'a, T, D>,
    /// Mass and rest volume.
    pub body: &'a [[Line<T>; 2]],
}

/// What becomes of them.
pub struct Deformed<'a, T> {
    /// Deformation gradient and state, as in [`Block::shape`].
    pub shape: ChunksMut<'a, T>,
    /// V⁰ τ: diagonal, then upper triangle.
    pub tau: ChunksMut<'a, T>,
}

impl<T> Split for Deformed<'_, T> {
    fn split_off(&mut self, n: usize) -> Self {
        Self {
            shape: self.shape.split_off(n),
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
    fn deform(&self, block: Block<'_, T, D>, dt: Option<T>, to: Deformed<'_, T>) -> Stiffness<T>;
    /// Whether steps that are tried keep something of the last iterate.
    fn lags(&self) -> bool;
    /// What that is, of a step of length dt that is tried from here with the block's ∇v.
    fn lag(&self, block: Block<'_, T, D>, dt: T, to: ChunksMut<'_, T>);
    /// The energy Σ V⁰ ψ \[J\] of such a step, and V⁰ ∂ψ/∂H. Without a lag the flow waits for the end of the step.
    fn respond(
        &self,
        block: Block<'_, T, D>,
        lag: Option<Chunks<'_, T>>,
        dt: T,
        to: &mut [Square<T, D>],
    ) -> f64;
    /// V⁰ ∂²ψ/∂H² of the same: the upper triangle row by row, H_ij number i D + j. Semi-definite, if it is to be.
    fn tangent(
        &self,
        block: Block<'_, T, D>,
        lag: Option<Chunks<'_, T>>,
        dt: T,
        definite: bool,
        to: ChunksMut<'_, T>,
    );
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
    fn deform(&self, block: Block<'_, T, D>, dt: Option<T>, to: Deformed<'_, T>) -> Stiffness<T> {
        let law = self;
        Level::in_use().dispatch(Deform { law, block, dt, to })
    }
    fn lags(&self) -> bool {
        L::LAGS
    }
    fn lag(&self, block: Block<'_, T, D>, dt: T, to: ChunksMut<'_, T>) {
        if L::LAGS {
            let tried = Tried::new(block, None, dt);
            Level::in_use().dispatch_narrow(Lag {
                law: self,
                tried,
                to,
            });
        }
    }
    fn respond(
        &self,
        block: Block<'_, T, D>,
        lag: Option<Chunks<'_, T>>,
        dt: T,
        to: &mut [Square<T, D>],
    ) -> f64 {
        let tried = Tried::new(block, lag.filter(|_| L::LAGS), dt);
        Level::in_use().dispatch_narrow(Respond {
            law: self,
            tried,
            to,
        })
    }
    fn tangent(
        &self,
        block: Block<'_, T, D>,
        lag: Option<Chunks<'_, T>>,
        dt: T,
        definite: bool,
        to: ChunksMut<'_, T>,
    ) {
        let tried = Tried::new(block, lag.filter(|_| L::LAGS), dt);
        Level::in_use().dispatch_narrow(Tangents {
            law: self,
            tried,
            definite,
            to,
        });
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
    to: Deformed<'a, T>,
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
        // Lines of F, before those of the state.
        let entries = if L::SHAPELESS { 1 } else { D * D };
        for at in registers::<T, S>(block.count) {
            if at.lane == 0 {
                block.shape.prefetch(at.chunk + AHEAD);
                prefetch(block.body, at.chunk + AHEAD);
                to.shape.prefetch(at.chunk + AHEAD);
                to.tau.prefetch(at.chunk + AHEAD);
            }
            let shape = block.shape.at(at.chunk);
            let gradient = load_matrix(s, block.gradient.at(at.chunk), at);
            let mut F = match square(shape) {
                Some(F) if !L::SHAPELESS => load_matrix(s, F, at),
                _ => Matrix::scalar(load(s, &shape[0], at)),
            };
            let numbers = &shape[entries..];
            let mut a = <L::In<Pack<T, S>> as Motion<Pack<T, S>, D>>::State::from_fn(
                #[inline(always)]
                |k| load(s, &numbers[k], at),
            );
            if let Some(dt) = dt {
                // F ← (I + dt ∇v) F, [Course16] (181); then the return mapping.
                let dt = like.spread(dt);
                let H = gradient * dt;
                let HF = H * F;
                let trial = Kin { F: F + HF, H, dt };
                F = law.flow(&trial, &mut a);
                let shape = to.shape.at(at.chunk);
                match square_mut(shape) {
                    Some(to) if !L::SHAPELESS => store_matrix(&F, to, at),
                    _ => store(F[(0, 0)], &mut shape[0], at),
                }
                let numbers = &mut shape[entries..];
                for (k, x) in a.all().iter().enumerate() {
                    store(*x, &mut numbers[k], at);
                }
            }
            // Viscous stress is 2 J η sym(H)/dt: with dt = 1, H is ∇v itself.
            let k = Kin {
                F,
                H: gradient,
                dt: one,
            };
            let (tau, e) = law.kirchhoff(&k, &a);
            let [m, V0] = &block.body[at.chunk];
            let (m, V0) = (load(s, m, at), load(s, V0, at));
            let stress = &mut to.tau.at(at.chunk)[..symmetric(D)];
            // What is not finite leaves no finite sum.
            let mut size = e.abs();
            for k in 0..symmetric(D) {
                let (row, column) = entry::<D>(k);
                let t = tau[(row, column)] * V0;
                size += t.abs();
                store(t, &mut stress[k], at);
            }
            for x in a.all() {
                size += x.abs();
            }
            let sound = law.allows(&F) & size.finite();
            if !sound.all() && bad.is_none() {
                let lane = (0..at.count).find(|l| !sound.at(*l));
                bad = lane.map(|l| at.first() + l);
            }
            let r = V0 / m;
            elastic = elastic.max(e * r);
            if L::VISCOUS {
                viscous = viscous.max(law.viscosity(&k, &a) * r);
            }
        }
        Stiffness {
            elastic: elastic.highest(),
            viscous: viscous.highest(),
            bad,
        }
    }
}
