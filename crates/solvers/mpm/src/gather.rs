//! Grid to particles. [Course16] (175)–(178); [Jiang15] (5.7)–(5.11)

use thixo_grid::transfer::{Room, Scheme, gather, gather_slopes};
use thixo_grid::{Kernel, Node, Place};
use thixo_math::{Pack, Real, Simd, Task, prefetch};

use crate::lines::{
    AHEAD, Motion, Square, Vectors, load_matrix, load_vector, registers, store_matrix, store_vector,
};
use crate::scatter::starts;

/// Velocity, affine velocity, velocity gradient and trial position of some particles of one block, from the
/// grid's velocity after the solve.
pub(crate) struct Take<'a, T, K, const D: usize> {
    pub tile: &'a [Node<T>],
    pub place: &'a [Place],
    pub f: &'a [Vectors<T, D>],
    pub next_f: &'a mut [Vectors<T, D>],
    pub next: &'a mut [Motion<T, D>],
    /// Empty if ∇v is C, or comes from [`Slope`].
    pub next_L: &'a mut [Square<T, D>],
    pub dx: f64,
    pub dt: f64,
    pub kernel: std::marker::PhantomData<K>,
}

impl<T: Real, K: Kernel, const D: usize> Task for Take<'_, T, K, D> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        // Moments are in cells: C = Σ w v (x_i − x_p)ᵀ D⁻¹ = (dx² D⁻¹/dx) Σ v uᵀ.
        let splat = |x: f64| Pack::<T, S>::splat(s, T::of(x));
        let to_affine = splat(K::D_INV.map_or(1.0, |d| d / self.dx));
        let way = splat(self.dt / self.dx);
        let mut room = Room::new();
        for at in registers::<T, S>(self.place.len()) {
            let starts = starts::<K, D>(&self.place[at.range()]);
            let f = load_vector(s, &self.f[at.chunk], at);
            if at.lane == 0 {
                prefetch(self.f, at.chunk + AHEAD);
                prefetch(self.next_f, at.chunk + AHEAD);
                prefetch(self.next, at.chunk + AHEAD);
            }
            let (v, M) = gather::<T, K, S, D>(s, &mut room, self.tile, &starts[..at.count], &f);
            let C = M * to_affine;
            let next = &mut self.next[at.chunk];
            store_vector(&v, &mut next.v, at);
            store_matrix(&C, &mut next.C, at);
            // Every scheme moves its particles with the grid's velocity, FLIP too.
            store_vector(&(f + v * way), &mut self.next_f[at.chunk], at);
            if let Some(L) = self.next_L.get_mut(at.chunk) {
                store_matrix(&C, L, at);
            }
        }
    }
}

/// ∇v of some particles of one block, from the slopes of the kernel.
pub(crate) struct Slope<'a, T, K, const D: usize> {
    pub tile: &'a [Node<T>],
    pub place: &'a [Place],
    pub f: &'a [Vectors<T, D>],
    pub next_L: &'a mut [Square<T, D>],
    pub dx: f64,
    pub kernel: std::marker::PhantomData<K>,
}

impl<T: Real, K: Kernel, const D: usize> Task for Slope<'_, T, K, D> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let to_gradient = Pack::<T, S>::splat(s, T::of(1.0 / self.dx));
        let mut room = Room::new();
        for at in registers::<T, S>(self.place.len()) {
            let starts = starts::<K, D>(&self.place[at.range()]);
            let f = load_vector(s, &self.f[at.chunk], at);
            let L = gather_slopes::<T, K, S, D>(s, &mut room, self.tile, &starts[..at.count], &f);
            store_matrix(&(L * to_gradient), &mut self.next_L[at.chunk], at);
        }
    }
}

/// What a particle keeps of its own velocity, from the grid's velocity before the solve.
pub(crate) struct Keep<'a, T, K, const D: usize> {
    pub tile: &'a [Node<T>],
    pub place: &'a [Place],
    pub f: &'a [Vectors<T, D>],
    pub now: &'a [Motion<T, D>],
    pub next: &'a mut [Motion<T, D>],
    pub scheme: &'a Scheme,
    pub dx: f64,
    pub kernel: std::marker::PhantomData<K>,
}

impl<T: Real, K: Kernel, const D: usize> Task for Keep<'_, T, K, D> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let splat = |x: f64| Pack::<T, S>::splat(s, T::of(x));
        let to_affine = splat(K::D_INV.map_or(1.0, |d| d / self.dx));
        let flip = splat(self.scheme.flip);
        let mut room = Room::new();
        for at in registers::<T, S>(self.place.len()) {
            let starts = starts::<K, D>(&self.place[at.range()]);
            let (now, next) = (&self.now[at.chunk], &mut self.next[at.chunk]);
            let f = load_vector(s, &self.f[at.chunk], at);
            let (old, M) = gather::<T, K, S, D>(s, &mut room, self.tile, &starts[..at.count], &f);
            let rest = load_vector(s, &now.v, at) - old;
            let v = load_vector(s, &next.v, at) + rest * flip;
            store_vector(&v, &mut next.v, at);
            if self.scheme.keeps_affine() {
                let rest = load_matrix(s, &now.C, at) - M * to_affine;
                let C = load_matrix(s, &next.C, at) + rest * flip;
                store_matrix(&C, &mut next.C, at);
            }
        }
    }
}
