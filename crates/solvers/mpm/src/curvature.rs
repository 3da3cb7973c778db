//! What the potential of a step does with the particles of one block: gradients of a velocity, the slope of the energy,
//! products with the second derivative and the blocks on its diagonal.

use std::marker::PhantomData;

use thixo_grid::transfer::{
    Form, Room, gather, gather_slopes, scatter, scatter_forms, scatter_slopes,
};
use thixo_grid::{Kernel, Node, Place};
use thixo_math::{Lane, Matrix, Pack, Real, Simd, Task, Vector, prefetch};

use crate::implicit::tangent_count;
use crate::lines::{
    AHEAD, At, Chunks, Line, Square, Vectors, load, load_matrix, load_vector, registers,
    store_matrix,
};
use crate::scatter::starts;

/// Σ v_i g_iᵀ at the particles of one register, for g of the given scale.
#[inline(always)]
fn rate<T: Real, K: Kernel, S: Simd, const D: usize>(
    s: S,
    room: &mut Room<T>,
    (tile, starts): (&[Node<T>], &[usize]),
    f: &Vector<Pack<T, S>, D>,
    (moments, scale): (bool, Pack<T, S>),
) -> Matrix<Pack<T, S>, D> {
    if moments {
        gather::<T, K, S, D>(s, room, tile, starts, f).1 * scale
    } else {
        gather_slopes::<T, K, S, D>(s, room, tile, starts, f) * scale
    }
}

/// Adds A g_i to the nodes of the particles of one register, for g of the given scale.
#[inline(always)]
fn push<T: Real, K: Kernel, S: Simd, const D: usize>(
    s: S,
    room: &mut Room<T>,
    (tile, starts): (&mut [Node<T>], &[usize]),
    f: &Vector<Pack<T, S>, D>,
    a: &Matrix<Pack<T, S>, D>,
    moments: bool,
) {
    let none = [f[0].fill(0.0); 4];
    if moments {
        scatter::<T, K, S, D>(s, room, tile, starts, f, &none, a);
    } else {
        scatter_slopes::<T, K, S, D>(s, room, tile, starts, f, &none, a);
    }
}

/// ∇v of the particles of one block.
pub(crate) struct Rates<'a, T, K, const D: usize> {
    pub tile: &'a [Node<T>],
    pub place: &'a [Place],
    pub f: &'a [Vectors<T, D>],
    pub to: &'a mut [Square<T, D>],
    pub moments: bool,
    pub scale: f64,
    pub kernel: PhantomData<K>,
}

impl<T: Real, K: Kernel, const D: usize> Task for Rates<'_, T, K, D> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let scale = (self.moments, Pack::<T, S>::splat(s, T::of(self.scale)));
        let mut room = Room::new();
        for at in registers::<T, S>(self.place.len()) {
            let starts = starts::<K, D>(&self.place[at.range()]);
            let f = load_vector(s, &self.f[at.chunk], at);
            let from = (self.tile, &starts[..at.count]);
            let L = rate::<T, K, S, D>(s, &mut room, from, &f, scale);
            store_matrix(&L, &mut self.to[at.chunk], at);
        }
    }
}

/// The slope of the energy of the particles of one block, to its tile.
pub(crate) struct Push<'a, T, K, const D: usize> {
    pub place: &'a [Place],
    pub f: &'a [Vectors<T, D>],
    pub stress: &'a [Square<T, D>],
    pub tile: &'a mut [Node<T>],
    pub moments: bool,
    pub scale: f64,
    pub kernel: PhantomData<K>,
}

impl<T: Real, K: Kernel, const D: usize> Task for Push<'_, T, K, D> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let scale = Pack::<T, S>::splat(s, T::of(self.scale));
        let mut room = Room::new();
        for at in registers::<T, S>(self.place.len()) {
            let starts = starts::<K, D>(&self.place[at.range()]);
            let f = load_vector(s, &self.f[at.chunk], at);
            let a = load_matrix(s, &self.stress[at.chunk], at) * scale;
            let to = (&mut *self.tile, &starts[..at.count]);
            push::<T, K, S, D>(s, &mut room, to, &f, &a, self.moments);
        }
    }
}

/// The damping of the particles of one block: its energy k/(2 dt) H:A:H, and its stress.
pub(crate) struct Damp<'a, T, const D: usize> {
    pub count: usize,
    pub gradient: &'a [Square<T, D>],
    pub lagged: Chunks<'a, T>,
    pub stress: &'a mut [Square<T, D>],
    pub share: T,
    pub dt: T,
}

impl<T: Real, const D: usize> Task for Damp<'_, T, D> {
    type Out = f64;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> f64 {
        let [dt, share] = [self.dt, self.share].map(|x| Pack::<T, S>::splat(s, x));
        let mut sum = 0.0;
        for at in registers::<T, S>(self.count) {
            let H = load_matrix(s, &self.gradient[at.chunk], at) * dt;
            let a = apply::<T, S, D>(s, self.lagged.at(at.chunk), at, &H) * share;
            let to = &mut self.stress[at.chunk];
            store_matrix(&(load_matrix(s, to, at) + a), to, at);
            let energy = H.dot(&a);
            for l in 0..at.count {
                sum += 0.5 * energy.at(l).wide();
            }
        }
        sum
    }
}

/// A product with the second derivative, of the particles of one block.
pub(crate) struct Product<'a, T, K, const D: usize> {
    pub from: &'a [Node<T>],
    pub place: &'a [Place],
    pub f: &'a [Vectors<T, D>],
    pub tangent: Chunks<'a, T>,
    pub to: &'a mut [Node<T>],
    pub moments: bool,
    pub scale: f64,
    pub kernel: PhantomData<K>,
}

impl<T: Real, K: Kernel, const D: usize> Task for Product<'_, T, K, D> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        // Both gradients are scaled at once.
        let square = Pack::<T, S>::splat(s, T::of(self.scale * self.scale));
        let mut room = Room::new();
        for at in registers::<T, S>(self.place.len()) {
            let starts = starts::<K, D>(&self.place[at.range()]);
            if at.lane == 0 {
                prefetch(self.f, at.chunk + AHEAD);
                self.tangent.prefetch(at.chunk + AHEAD);
            }
            let f = load_vector(s, &self.f[at.chunk], at);
            let from = (self.from, &starts[..at.count]);
            let L = rate::<T, K, S, D>(s, &mut room, from, &f, (self.moments, square));
            let a = apply::<T, S, D>(s, self.tangent.at(at.chunk), at, &L);
            let to = (&mut *self.to, &starts[..at.count]);
            push::<T, K, S, D>(s, &mut room, to, &f, &a, self.moments);
        }
    }
}

/// ∂²ψ/∂H² : L
#[inline(always)]
fn apply<T: Real, S: Simd, const D: usize>(
    s: S,
    lines: &[Line<T>],
    at: At,
    L: &Matrix<Pack<T, S>, D>,
) -> Matrix<Pack<T, S>, D> {
    let mut a = Matrix::scalar(L[(0, 0)].fill(0.0));
    let lines = &lines[..tangent_count(D)];
    let mut n = 0;
    for p in 0..D * D {
        let (i, j) = (p / D, p % D);
        for q in p..D * D {
            let (k, l) = (q / D, q % D);
            let x = load(s, &lines[n], at);
            n += 1;
            a[(i, j)] = x.mul_add(L[(k, l)], a[(i, j)]);
            if p != q {
                a[(k, l)] = x.mul_add(L[(i, j)], a[(k, l)]);
            }
        }
    }
    a
}

/// Number of ∂²ψ/∂H_ij∂H_kl in the upper triangle.
#[inline(always)]
const fn entry<const D: usize>(i: usize, j: usize, k: usize, l: usize) -> usize {
    let (p, q) = (i * D + j, k * D + l);
    let (p, q) = if p <= q { (p, q) } else { (q, p) };
    p * D * D - p * (p + 1) / 2 + q
}

/// Three entries of the blocks on the diagonal of the second derivative, of the particles of one block.
pub(crate) struct Diagonal<'a, T, K, const D: usize> {
    pub place: &'a [Place],
    pub f: &'a [Vectors<T, D>],
    pub tangent: Chunks<'a, T>,
    pub tile: &'a mut [Node<T>],
    pub three: [(usize, usize); 3],
    pub moments: bool,
    pub scale: f64,
    pub kernel: PhantomData<K>,
}

impl<T: Real, K: Kernel, const D: usize> Task for Diagonal<'_, T, K, D> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let scale = Pack::<T, S>::splat(s, T::of(self.scale));
        for at in registers::<T, S>(self.place.len()) {
            let starts = starts::<K, D>(&self.place[at.range()]);
            let f = load_vector(s, &self.f[at.chunk], at);
            let lines = &self.tangent.at(at.chunk)[..tangent_count(D)];
            let mut forms: [Form<Pack<T, S>>; 3] = [[scale.fill(0.0); 6]; 3];
            for (form, (a, c)) in forms.iter_mut().zip(self.three) {
                // B_ac = Σ_bd A_abcd g_b g_d
                for b in 0..D {
                    form[b] = load(s, &lines[entry::<D>(a, b, c, b)], at) * scale;
                }
                let mut n = D;
                for b in 0..D {
                    for d in b + 1..D {
                        let bd = load(s, &lines[entry::<D>(a, b, c, d)], at);
                        let db = load(s, &lines[entry::<D>(a, d, c, b)], at);
                        form[n] = (bd + db) * scale;
                        n += 1;
                    }
                }
            }
            let starts = &starts[..at.count];
            scatter_forms::<T, K, S, D>(self.tile, starts, &f, &forms, self.moments);
        }
    }
}
