//! Steps that are tried, as the law of their particles sees them: what implicit solves ask for.

use thixo_material::{Law, Motion, Numbers, Trial};
use thixo_math::{Lane, Matrix, Pack, Real, Simd, Task};

use crate::lines::{
    At, Chunks, ChunksMut, Square, load, load_matrix, registers, square, store, store_matrix,
};
use crate::matter::Block;

/// Numbers that a particle keeps of the last iterate.
pub(crate) const LAGS: usize = 2;

/// The particles of one block in a step that is tried.
pub(crate) struct Tried<'a, T, const D: usize> {
    block: Block<'a, T, D>,
    /// What is kept of the last iterate, if anything.
    lag: Option<Chunks<'a, T>>,
    dt: T,
}

/// A step that is tried by the particles of one register, and their states.
type OfRegister<T, S, L, const D: usize> = (
    Trial<Pack<T, S>, D>,
    <<L as Law<T, D>>::In<Pack<T, S>> as Motion<Pack<T, S>, D>>::State,
);

impl<'a, T: Real, const D: usize> Tried<'a, T, D> {
    pub fn new(block: Block<'a, T, D>, lag: Option<Chunks<'a, T>>, dt: T) -> Self {
        Self { block, lag, dt }
    }
    /// The particles of one register with their ∇v.
    #[inline(always)]
    fn at<L: Law<T, D>, S: Simd>(&self, s: S, at: At) -> OfRegister<T, S, L, D> {
        let shape = self.block.shape.at(at.chunk);
        let F = match square(shape) {
            Some(F) if !L::SHAPELESS => load_matrix(s, F, at),
            _ => Matrix::scalar(load(s, &shape[0], at)),
        };
        let numbers = &shape[if L::SHAPELESS { 1 } else { D * D }..];
        let a = <L::In<Pack<T, S>> as Motion<Pack<T, S>, D>>::State::from_fn(
            #[inline(always)]
            |k| load(s, &numbers[k], at),
        );
        let dt = Pack::splat(s, self.dt);
        let H = load_matrix(s, self.block.gradient.at(at.chunk), at) * dt;
        let mut trial = Trial::elastic(F, H, dt);
        if let Some(lag) = &self.lag {
            let lines = lag.at(at.chunk);
            trial.lag = [load(s, &lines[0], at), load(s, &lines[1], at)];
        }
        (trial, a)
    }
    #[inline(always)]
    fn volume<S: Simd>(&self, s: S, at: At) -> Pack<T, S> {
        load(s, &self.block.body[at.chunk][1], at)
    }
}

/// [`Matter::lag`](crate::matter::Matter::lag) at one level.
pub(crate) struct Lag<'a, T, L, const D: usize> {
    pub law: &'a L,
    pub tried: Tried<'a, T, D>,
    pub to: ChunksMut<'a, T>,
}

impl<T: Real, L: Law<T, D>, const D: usize> Task for Lag<'_, T, L, D> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) {
        let law = self.law.lanes(Pack::<T, S>::splat(s, T::zero()));
        for at in registers::<T, S>(self.tried.block.count) {
            let (k, a) = self.tried.at::<L, S>(s, at);
            let lag = law.lag(&k, &a);
            for (x, line) in lag.iter().zip(self.to.at(at.chunk)) {
                store(*x, line, at);
            }
        }
    }
}

/// [`Matter::respond`](crate::matter::Matter::respond) at one level.
pub(crate) struct Respond<'a, T, L, const D: usize> {
    pub law: &'a L,
    pub tried: Tried<'a, T, D>,
    pub to: &'a mut [Square<T, D>],
}

impl<T: Real, L: Law<T, D>, const D: usize> Task for Respond<'_, T, L, D> {
    type Out = f64;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> f64 {
        let law = self.law.lanes(Pack::<T, S>::splat(s, T::zero()));
        let mut sum = 0.0;
        for at in registers::<T, S>(self.tried.block.count) {
            let (k, a) = self.tried.at::<L, S>(s, at);
            let (psi, stress) = law.respond(&k, &a);
            let V0 = self.tried.volume(s, at);
            store_matrix(&(stress * V0), &mut self.to[at.chunk], at);
            let energy = psi * V0;
            for l in 0..at.count {
                sum += energy.at(l).wide();
            }
        }
        sum
    }
}

/// [`Matter::tangent`](crate::matter::Matter::tangent) at one level.
pub(crate) struct Tangents<'a, T, L, const D: usize> {
    pub law: &'a L,
    pub tried: Tried<'a, T, D>,
    pub definite: bool,
    pub to: ChunksMut<'a, T>,
}

impl<T: Real, L: Law<T, D>, const D: usize> Task for Tangents<'_, T, L, D> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(mut self, s: S) {
        let law = self.law.lanes(Pack::<T, S>::splat(s, T::zero()));
        for at in registers::<T, S>(self.tried.block.count) {
            let (k, a) = self.tried.at::<L, S>(s, at);
            let tangent = law.tangent(&k, &a, self.definite);
            let V0 = self.tried.volume(s, at);
            for (x, line) in tangent.0.iter().zip(self.to.at(at.chunk)) {
                store(*x * V0, line, at);
            }
        }
    }
}
