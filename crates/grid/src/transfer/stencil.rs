//! The two kernels: a register full of particles to their nodes, and back.
//!
//! Weights, products of weights and what a particle gives are found for all lanes at once. Then each
//! particle works on its rows: four nodes along the last axis, four numbers each, are sixteen lanes.

use std::ops::{Add, Sub};

use thixo_math::{Lane, Matrix, Pack, Real, Row, Simd, Vector};

use crate::{Kernel, Node};

/// Lanes of the widest register.
pub const LANES: usize = 16;

/// One number of every lane.
type Column<T> = [T; LANES];

/// What goes with the weights along each axis: their slopes, or their first moments.
type Partner<L, const D: usize> = [[L; 4]; D];

/// The sixteen numbers of a row, each node's offset from the anchor four times.
#[inline(always)]
fn offsets<T: Real, K: Kernel, S: Simd>(s: S) -> T::Row<S> {
    let o: [T; 4] = [0, 1, 2, 3].map(|k| T::of(f64::from(K::LOW + k)));
    T::Row::each(s, &o)
}

/// `b + o x` for a small whole number.
#[inline(always)]
fn shifted<T: Real, S: Simd>(b: T::Row<S>, o: i32, x: T::Row<S>) -> T::Row<S> {
    match o {
        -1 => b - x,
        0 => b,
        1 => b + x,
        _ => b + x + x,
    }
}

/// Room for what the lanes of one register give and take.
pub struct Room<T> {
    /// Products of weights, one for each row of the stencil.
    products: [[Column<T>; 16]; 3],
    /// Weights and slopes along the last axis.
    along: [[Column<T>; 4]; 2],
    /// What each lane gives: a value and its partners along each axis.
    quads: [[Node<T>; LANES]; 4],
    /// What each lane takes along the last axis: a sum over rows, and its partners along the others.
    taken: [[[Node<T>; LANES]; 4]; 3],
}

impl<T: Real> Room<T> {
    /// Room to work in; made once for many particles.
    #[inline(always)]
    pub fn new() -> Self {
        let zero = T::zero();
        Self {
            products: [[[zero; LANES]; 16]; 3],
            along: [[[zero; LANES]; 4]; 2],
            quads: [[[zero; 4]; LANES]; 4],
            taken: [[[[zero; 4]; LANES]; 4]; 3],
        }
    }
}

impl<T: Real> Default for Room<T> {
    fn default() -> Self {
        Self::new()
    }
}

#[inline(always)]
pub(super) fn weights<L: Lane, K: Kernel, const D: usize>(f: &Vector<L, D>) -> Partner<L, D> {
    let mut w = [K::weights(f[0]); D];
    for a in 1..D {
        w[a] = K::weights(f[a]);
    }
    w
}

#[inline(always)]
pub(super) fn slopes<L: Lane, K: Kernel, const D: usize>(f: &Vector<L, D>) -> Partner<L, D> {
    let mut u = [K::slopes(f[0]); D];
    for a in 1..D {
        u[a] = K::slopes(f[a]);
    }
    u
}

/// Products of the weights `x` along the first axis and, in space, `y` along the second: one for each row
/// of the stencil.
#[inline(always)]
fn products<T: Real, K: Kernel, S: Simd, const D: usize>(
    x: &[Pack<T, S>; 4],
    y: &[Pack<T, S>; 4],
    to: &mut [Column<T>; 16],
) {
    for i in 0..K::WIDTH {
        if D == 2 {
            x[i].store(&mut to[i]);
        } else {
            for j in 0..K::WIDTH {
                (x[i] * y[j]).store(&mut to[i * K::WIDTH + j]);
            }
        }
    }
}

/// The weights along an axis.
#[inline(always)]
fn store_all<T: Real, K: Kernel, S: Simd>(w: &[Pack<T, S>; 4], to: &mut [Column<T>; 4]) {
    for k in 0..K::WIDTH {
        w[k].store(&mut to[k]);
    }
}

/// Where row `n` of the stencil starts, from its first node.
#[inline(always)]
fn row_start<K: Kernel, const D: usize>(n: usize) -> usize {
    if D == 2 {
        n * K::TILE
    } else {
        (n / K::WIDTH * K::TILE + n % K::WIDTH) * K::TILE
    }
}

/// Rows of the stencil.
#[inline(always)]
const fn rows<K: Kernel, const D: usize>() -> usize {
    K::WIDTH.pow(D as u32 - 1)
}

/// Nodes from the first of the stencil to the last of its last row.
#[inline(always)]
fn span<K: Kernel, const D: usize>() -> usize {
    row_start::<K, D>(rows::<K, D>() - 1) + 4
}

/// The weights along the last axis, each for the four numbers of its node.
#[inline(always)]
fn along<T: Real, S: Simd>(s: S, along: &[Column<T>; 4], l: usize) -> T::Row<S> {
    // Those beyond the width have stayed zero.
    T::Row::each(s, &[along[0][l], along[1][l], along[2][l], along[3][l]])
}

/// Sum of the values at the nodes along an axis.
#[inline(always)]
fn sum<K: Kernel, X: Copy + Add<Output = X>>(p: &[X; 4]) -> X {
    match K::WIDTH {
        2 => p[0] + p[1],
        3 => (p[0] + p[2]) + p[1],
        _ => (p[0] + p[1]) + (p[2] + p[3]),
    }
}

/// Their first moment about the anchor: each times its whole offset.
#[inline(always)]
fn first<K: Kernel, X: Copy + Add<Output = X> + Sub<Output = X>>(p: &[X; 4]) -> X {
    match K::WIDTH {
        2 => p[1],
        3 => p[2] - p[0],
        _ => (p[2] - p[0]) + (p[3] + p[3]),
    }
}

/// Column `d` of a matrix, filled up to a quad.
#[inline(always)]
fn column<T: Real, S: Simd, const D: usize>(
    a: &Matrix<Pack<T, S>, D>,
    d: usize,
) -> [Pack<T, S>; 4] {
    let mut quad = [a[(0, 0)].fill(0.0); 4];
    for c in 0..D {
        quad[c] = a[(c, d)];
    }
    quad
}

/// A share of row `n` of the stencil that starts with the tile.
#[inline(always)]
fn part<T: Real, K: Kernel, S: Simd, const D: usize>(
    s: S,
    tile: &[Node<T>],
    n: usize,
    share: T,
) -> T::Row<S> {
    let nodes = T::Row::load(s, &tile[row_start::<K, D>(n)..], K::WIDTH);
    nodes * T::Row::splat(s, share)
}

/// Adds `w (q + Σ_d a_d (x_i − x_p)_d/dx)` to the nodes of each particle, where `q` is (vector, mass) and
/// `a_d` is column d of `a`. One particle for each of `starts`, the first node of its stencil in the tile.
///
/// The affine part is taken about the anchor, where offsets are whole numbers: w (q − a f + Σ_d a_d o_d).
#[inline(always)]
pub fn scatter<T: Real, K: Kernel, S: Simd, const D: usize>(
    s: S,
    room: &mut Room<T>,
    tile: &mut [Node<T>],
    starts: &[usize],
    f: &Vector<Pack<T, S>, D>,
    q: &[Pack<T, S>; 4],
    a: &Matrix<Pack<T, S>, D>,
) {
    let w = weights::<_, K, D>(f);
    let mut q = *q;
    for c in 0..D {
        for d in 0..D {
            q[c] = (-a[(c, d)]).mul_add(f[d], q[c]);
        }
    }
    give(room, &q, a);
    store_all::<T, K, S>(&w[D - 1], &mut room.along[0]);
    products::<T, K, S, D>(&w[0], &w[1], &mut room.products[0]);
    let ([q, x, y, z], product) = (&room.quads, &room.products[0]);
    let off = offsets::<T, K, S>(s);
    for (l, &start) in starts.iter().enumerate() {
        let tile = &mut tile[start..start + span::<K, D>()];
        let w = along::<T, S>(s, &room.along[0], l);
        let b = off.mul_add(T::Row::same(s, &z[l]), T::Row::same(s, &q[l])) * w;
        let (bx, by) = (T::Row::same(s, &x[l]) * w, T::Row::same(s, &y[l]) * w);
        for i in 0..K::WIDTH {
            for j in 0..if D == 2 { 1 } else { K::WIDTH } {
                let n = if D == 2 { i } else { i * K::WIDTH + j };
                let nodes = &mut tile[row_start::<K, D>(n)..][..4];
                let mut value = shifted::<T, S>(b, K::LOW + i as i32, bx);
                if D == 3 {
                    value = shifted::<T, S>(value, K::LOW + j as i32, by);
                }
                let share = T::Row::splat(s, product[n][l]);
                let sum = value.mul_add(share, T::Row::load(s, nodes, K::WIDTH));
                sum.store(nodes, K::WIDTH);
            }
        }
    }
}

/// (Σ w v_i, Σ w v_i ⊗ (x_i − x_p)/dx) of each particle: the value and the first moment.
/// Lanes beyond `starts` take what the last particle takes; `f` must be a copy of it there.
#[inline(always)]
pub fn gather<T: Real, K: Kernel, S: Simd, const D: usize>(
    s: S,
    room: &mut Room<T>,
    tile: &[Node<T>],
    starts: &[usize],
    f: &Vector<Pack<T, S>, D>,
) -> (Vector<Pack<T, S>, D>, Matrix<Pack<T, S>, D>) {
    let w = weights::<_, K, D>(f);
    products::<T, K, S, D>(&w[0], &w[1], &mut room.products[0]);
    let (product, taken) = (&room.products[0], &mut room.taken);
    for (l, &start) in starts.iter().enumerate() {
        let tile = &tile[start..start + span::<K, D>()];
        let zero = T::Row::splat(s, T::zero());
        let [mut all, mut second] = [[zero; 4]; 2];
        for i in 0..K::WIDTH {
            if D == 2 {
                all[i] = part::<T, K, S, D>(s, tile, i, product[i][l]);
            } else {
                let mut p = [zero; 4];
                for j in (0..K::WIDTH).filter(|j| K::WIDTH != 3 || *j != 1) {
                    let n = i * K::WIDTH + j;
                    p[j] = part::<T, K, S, D>(s, tile, n, product[n][l]);
                }
                second[i] = first::<K, _>(&p);
                all[i] = match K::WIDTH {
                    // The middle row joins the sum of the others at once.
                    3 => {
                        let (n, outer) = (i * K::WIDTH + 1, p[0] + p[2]);
                        let row = T::Row::load(s, &tile[row_start::<K, D>(n)..], K::WIDTH);
                        row.mul_add(T::Row::splat(s, product[n][l]), outer)
                    }
                    _ => sum::<K, _>(&p),
                };
            }
        }
        put::<T, K, S>(sum::<K, _>(&all), &mut taken[0], l);
        put::<T, K, S>(first::<K, _>(&all), &mut taken[1], l);
        if D == 3 {
            put::<T, K, S>(sum::<K, _>(&second), &mut taken[2], l);
        }
    }
    repeat_last::<T, S>(starts.len(), taken);
    // The last axis, in lanes; about the particle: Σ w v o − v f.
    let along = weighted::<T, K, S, D>(s, &taken[0], &w[D - 1]);
    let v = sum::<K, _>(&along);
    let mut m = [first::<K, _>(&along); D];
    for d in 0..D - 1 {
        m[d] = sum::<K, _>(&weighted::<T, K, S, D>(s, &taken[1 + d], &w[D - 1]));
    }
    let m = Matrix::from_fn(|c, d| (-v[c]).mul_add(f[d], m[d][c]));
    (v, m)
}

/// Puts the nodes of a row into lane `l`.
#[inline(always)]
fn put<T: Real, K: Kernel, S: Simd>(row: T::Row<S>, to: &mut [[Node<T>; LANES]; 4], l: usize) {
    let quads = row.quads();
    for k in 0..K::WIDTH {
        to[k][l] = T::Row::numbers(quads[k]);
    }
}

/// Each number of a quad in lanes. Quads are loaded one by one, as they were stored: a wider load would have to
/// wait for both.
#[inline(always)]
fn lanes<T: Real, S: Simd>(s: S, quads: &[Node<T>; LANES]) -> [Pack<T, S>; 4] {
    let mut columns = [[T::zero(); LANES]; 4];
    for l in (0..Pack::<T, S>::COUNT).step_by(4) {
        let four = T::Row::transpose(s, &quads[l..l + 4]);
        for c in 0..4 {
            columns[c][l..l + 4].copy_from_slice(&four[c]);
        }
    }
    let [a, b, c, d] = &columns;
    [
        Pack::load(s, a),
        Pack::load(s, b),
        Pack::load(s, c),
        Pack::load(s, d),
    ]
}

/// What was taken along the last axis, times the weights along it.
#[inline(always)]
fn weighted<T: Real, K: Kernel, S: Simd, const D: usize>(
    s: S,
    taken: &[[Node<T>; LANES]; 4],
    w: &[Pack<T, S>; 4],
) -> [Vector<Pack<T, S>, D>; 4] {
    let mut all = [Vector::splat(w[0]); 4];
    for k in 0..K::WIDTH {
        let quads = lanes(s, &taken[k]);
        all[k] = Vector::from_fn(|c| quads[c] * w[k]);
    }
    all
}

/// What the last particle has taken, the lanes without a particle have, too.
#[inline(always)]
fn repeat_last<T: Real, S: Simd>(n: usize, taken: &mut [[[Node<T>; LANES]; 4]; 3]) {
    if (1..Pack::<T, S>::COUNT).contains(&n) {
        for quads in taken.as_flattened_mut() {
            let last = quads[n - 1];
            quads[n..].fill(last);
        }
    }
}

/// What the particles give: a value and a partner along each axis. In the plane that of the second axis
/// stands for the third, too.
#[inline(always)]
fn give<T: Real, S: Simd, const D: usize>(
    room: &mut Room<T>,
    q: &[Pack<T, S>; 4],
    a: &Matrix<Pack<T, S>, D>,
) {
    let [to, x, y, z] = &mut room.quads;
    Pack::to_quads(q, to);
    Pack::to_quads(&column(a, 0), x);
    if D == 3 {
        Pack::to_quads(&column(a, 1), y);
    }
    Pack::to_quads(&column(a, D - 1), z);
}

/// Adds `w q + Σ_d a_d dx ∂w/∂x_d` to the nodes of each particle: the classical form of the force.
#[inline(always)]
pub fn scatter_slopes<T: Real, K: Kernel, S: Simd, const D: usize>(
    s: S,
    room: &mut Room<T>,
    tile: &mut [Node<T>],
    starts: &[usize],
    f: &Vector<Pack<T, S>, D>,
    q: &[Pack<T, S>; 4],
    a: &Matrix<Pack<T, S>, D>,
) {
    let (w, u) = (weights::<_, K, D>(f), slopes::<_, K, D>(f));
    give(room, q, a);
    sloped::<T, K, S, D>(room, &w, &u);
    let Room {
        products: [ww, uw, wu],
        along: [row, slope],
        quads: [q, x, y, z],
        ..
    } = room;
    for (l, &start) in starts.iter().enumerate() {
        let tile = &mut tile[start..start + span::<K, D>()];
        let w = along::<T, S>(s, row, l);
        let u = along::<T, S>(s, slope, l);
        let base = T::Row::same(s, &q[l]) * w;
        let base = T::Row::same(s, &z[l]).mul_add(u, base);
        let (x, y) = (T::Row::same(s, &x[l]) * w, T::Row::same(s, &y[l]) * w);
        for n in 0..rows::<K, D>() {
            let nodes = &mut tile[row_start::<K, D>(n)..][..4];
            let mut sum = T::Row::load(s, nodes, K::WIDTH);
            sum = base.mul_add(T::Row::splat(s, ww[n][l]), sum);
            sum = x.mul_add(T::Row::splat(s, uw[n][l]), sum);
            if D == 3 {
                sum = y.mul_add(T::Row::splat(s, wu[n][l]), sum);
            }
            sum.store(nodes, K::WIDTH);
        }
    }
}

/// Σ v_i ⊗ dx ∇w of each particle: dx times the gradient.
#[inline(always)]
pub fn gather_slopes<T: Real, K: Kernel, S: Simd, const D: usize>(
    s: S,
    room: &mut Room<T>,
    tile: &[Node<T>],
    starts: &[usize],
    f: &Vector<Pack<T, S>, D>,
) -> Matrix<Pack<T, S>, D> {
    let (w, u) = (weights::<_, K, D>(f), slopes::<_, K, D>(f));
    sloped::<T, K, S, D>(room, &w, &u);
    let ([ww, uw, wu], taken) = (&room.products, &mut room.taken);
    for (l, &start) in starts.iter().enumerate() {
        let tile = &tile[start..start + span::<K, D>()];
        let zero = T::Row::splat(s, T::zero());
        let (mut sum, mut x, mut y) = (zero, zero, zero);
        for n in 0..rows::<K, D>() {
            let nodes = T::Row::load(s, &tile[row_start::<K, D>(n)..], K::WIDTH);
            sum = nodes.mul_add(T::Row::splat(s, ww[n][l]), sum);
            x = nodes.mul_add(T::Row::splat(s, uw[n][l]), x);
            if D == 3 {
                y = nodes.mul_add(T::Row::splat(s, wu[n][l]), y);
            }
        }
        put::<T, K, S>(sum, &mut taken[0], l);
        put::<T, K, S>(x, &mut taken[1], l);
        if D == 3 {
            put::<T, K, S>(y, &mut taken[2], l);
        }
    }
    repeat_last::<T, S>(starts.len(), taken);
    let last = weighted::<T, K, S, D>(s, &taken[0], &u[D - 1]);
    let mut m = [sum::<K, _>(&last); D];
    for d in 0..D - 1 {
        m[d] = sum::<K, _>(&weighted::<T, K, S, D>(s, &taken[1 + d], &w[D - 1]));
    }
    Matrix::from_fn(|c, d| m[d][c])
}

/// Weights, slopes and their products.
#[inline(always)]
fn sloped<T: Real, K: Kernel, S: Simd, const D: usize>(
    room: &mut Room<T>,
    w: &Partner<Pack<T, S>, D>,
    u: &Partner<Pack<T, S>, D>,
) {
    store_all::<T, K, S>(&w[D - 1], &mut room.along[0]);
    store_all::<T, K, S>(&u[D - 1], &mut room.along[1]);
    products::<T, K, S, D>(&w[0], &w[1], &mut room.products[0]);
    products::<T, K, S, D>(&u[0], &w[1], &mut room.products[1]);
    if D == 3 {
        products::<T, K, S, D>(&w[0], &u[1], &mut room.products[2]);
    }
}
