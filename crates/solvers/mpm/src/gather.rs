//! Grid to particles. [Course16] (175)–(178); [Jiang15] (5.7)–(5.11)

use thixo_grid::transfer::{Room, Scheme, gather, gather_slopes};
use thixo_grid::{Kernel, Node, Place};
use thixo_math::{Pack, Real, Simd, Task};

use crate::columns::{
    lanes, matrix_lanes, put_matrix, put_vector, some_matrices, some_vectors, vector_lanes,
};
use crate::scatter::starts;

/// Velocity, affine velocity, velocity gradient and trial position of the particles of one block, from the
/// grid's velocity after the solve.
pub(crate) struct Take<'a, 'b, T, K, const D: usize> {
    pub tile: &'a [Node<T>],
    pub place: &'a [Place],
    pub f: [&'a [T]; D],
    pub next_f: &'a mut [&'b mut [T]; D],
    pub next_v: &'a mut [&'b mut [T]; D],
    pub next_C: &'a mut [[&'b mut [T]; D]; D],
    /// Empty if ∇v is C, or comes from [`Slope`].
    pub next_L: &'a mut [[&'b mut [T]; D]; D],
    pub dx: f64,
    pub dt: f64,
    pub kernel: std::marker::PhantomData<K>,
}

impl<T: Real, K: Kernel, const D: usize> Task for Take<'_, '_, T, K, D> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        // Moments are in cells: C = Σ w v (x_i − x_p)ᵀ D⁻¹ = (dx² D⁻¹/dx) Σ v uᵀ.
        let splat = |x: f64| Pack::<T, S>::splat(s, T::of(x));
        let to_affine = splat(K::D_INV.map_or(1.0, |d| d / self.dx));
        let way = splat(self.dt / self.dx);
        let n = self.place.len();
        let mut room = Room::new();
        let mut i = 0;
        while i < n {
            let count = (n - i).min(lanes::<T, S>());
            let starts = starts::<K, D>(&self.place[i..i + count]);
            let f = vector_lanes(s, &self.f, i);
            let (v, M) = gather::<T, K, S, D>(s, &mut room, self.tile, &starts[..count], &f);
            put_vector(&v, self.next_v, i);
            put_matrix(&(M * to_affine), self.next_C, i);
            // Every scheme moves its particles with the grid's velocity, FLIP too.
            put_vector(&(f + v * way), self.next_f, i);
            if !self.next_L[0][0].is_empty() {
                put_matrix(&(M * to_affine), self.next_L, i);
            }
            i += lanes::<T, S>();
        }
    }
}

/// ∇v of the particles of one block, from the slopes of the kernel.
pub(crate) struct Slope<'a, 'b, T, K, const D: usize> {
    pub tile: &'a [Node<T>],
    pub place: &'a [Place],
    pub f: [&'a [T]; D],
    pub next_L: &'a mut [[&'b mut [T]; D]; D],
    pub dx: f64,
    pub kernel: std::marker::PhantomData<K>,
}

impl<T: Real, K: Kernel, const D: usize> Task for Slope<'_, '_, T, K, D> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let to_gradient = Pack::<T, S>::splat(s, T::of(1.0 / self.dx));
        let mut room = Room::new();
        for i in (0..self.place.len()).step_by(lanes::<T, S>()) {
            let count = (self.place.len() - i).min(lanes::<T, S>());
            let starts = starts::<K, D>(&self.place[i..i + count]);
            let f = vector_lanes(s, &self.f, i);
            let L = gather_slopes::<T, K, S, D>(s, &mut room, self.tile, &starts[..count], &f);
            put_matrix(&(L * to_gradient), self.next_L, i);
        }
    }
}

/// What a particle keeps of its own velocity, from the grid's velocity before the solve.
pub(crate) struct Keep<'a, 'b, T, K, const D: usize> {
    pub tile: &'a [Node<T>],
    pub place: &'a [Place],
    pub f: [&'a [T]; D],
    pub v: [&'a [T]; D],
    pub C: [[&'a [T]; D]; D],
    pub next_v: &'a mut [&'b mut [T]; D],
    pub next_C: &'a mut [[&'b mut [T]; D]; D],
    pub scheme: &'a Scheme,
    pub dx: f64,
    pub kernel: std::marker::PhantomData<K>,
}

impl<T: Real, K: Kernel, const D: usize> Task for Keep<'_, '_, T, K, D> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let splat = |x: f64| Pack::<T, S>::splat(s, T::of(x));
        let to_affine = splat(K::D_INV.map_or(1.0, |d| d / self.dx));
        let flip = splat(self.scheme.flip);
        let n = self.place.len();
        let mut room = Room::new();
        let mut i = 0;
        while i < n {
            let count = (n - i).min(lanes::<T, S>());
            let starts = starts::<K, D>(&self.place[i..i + count]);
            let f = vector_lanes(s, &self.f, i);
            let (old, M) = gather::<T, K, S, D>(s, &mut room, self.tile, &starts[..count], &f);
            let rest = vector_lanes(s, &self.v, i) - old;
            let v = some_vectors(s, self.next_v, i) + rest * flip;
            put_vector(&v, self.next_v, i);
            if self.scheme.keeps_affine() {
                let rest = matrix_lanes(s, &self.C, i) - M * to_affine;
                let C = some_matrices(s, self.next_C, i) + rest * flip;
                put_matrix(&C, self.next_C, i);
            }
            i += lanes::<T, S>();
        }
    }
}
