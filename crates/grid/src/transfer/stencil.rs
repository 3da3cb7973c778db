//! The two kernels: a register full of particles to their nodes, and back.
//!
//! Weights, products of weights and what a particle gives are found for all lanes at once. Then each
//! particle works on its rows: four nodes along the last axis, four numbers each, are sixteen lanes.

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
        -1 => b.minus(x),
        0 => b,
        1 => b.plus(x),
        _ => b.plus(x).plus(x),
    }
}

/// Room for what the lanes of one register give and take.
pub struct Room<T> {
    /// Products of weights, one for each row of the stencil.
    products: [[Column<T>; 16]; 3],
    /// Weights and slopes along the last axis, by lane.
    along: [[Node<T>; LANES]; 2],
    /// Value and its partners along each axis, by lane.
    quads: [[Node<T>; LANES]; 4],
}

impl<T: Real> Room<T> {
    /// Room to work in; made once for many particles.
    #[inline(always)]
    pub fn new() -> Self {
        let zero = T::zero();
        Self {
            products: [[[zero; LANES]; 16]; 3],
            along: [[[zero; 4]; LANES]; 2],
            quads: [[[zero; 4]; LANES]; 4],
        }
    }
}

impl<T: Real> Default for Room<T> {
    fn default() -> Self {
        Self::new()
    }
}

/// Four lanes' worth of numbers as one quad per lane.
#[inline(always)]
fn quads<T: Real, S: Simd>(s: S, columns: &[Pack<T, S>; 4], to: &mut [Node<T>; LANES]) {
    let mut rows = [[T::zero(); LANES]; 4];
    for c in 0..4 {
        columns[c].store(&mut rows[c]);
    }
    let [a, b, c, d] = &rows;
    for l in (0..Pack::<T, S>::COUNT).step_by(4) {
        let four = T::Row::transpose(s, [&a[l..], &b[l..], &c[l..], &d[l..]]);
        to[l..l + 4].copy_from_slice(&four);
    }
}

/// Each number of a quad in lanes.
#[inline(always)]
fn lanes<T: Real, S: Simd>(s: S, quads: &[Node<T>; LANES]) -> [Pack<T, S>; 4] {
    let mut columns = [[T::zero(); LANES]; 4];
    for l in (0..Pack::<T, S>::COUNT).step_by(4) {
        let [a, b, c, d] = [0, 1, 2, 3].map(|k| quads[l + k].as_slice());
        let four = T::Row::transpose(s, [a, b, c, d]);
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

#[inline(always)]
fn weights<L: Lane, K: Kernel, const D: usize>(f: &Vector<L, D>) -> Partner<L, D> {
    let mut w = [K::weights(f[0]); D];
    for a in 1..D {
        w[a] = K::weights(f[a]);
    }
    w
}

#[inline(always)]
fn slopes<L: Lane, K: Kernel, const D: usize>(f: &Vector<L, D>) -> Partner<L, D> {
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

/// Adds a share of a value to row `n` of the stencil that starts with the tile.
#[inline(always)]
fn add<T: Real, K: Kernel, S: Simd, const D: usize>(
    s: S,
    tile: &mut [Node<T>],
    n: usize,
    share: T,
    value: T::Row<S>,
) {
    let nodes = &mut tile[row_start::<K, D>(n)..][..4];
    let share = T::Row::splat(s, share);
    value.mul_add(share, T::Row::load(s, nodes)).store(nodes);
}

/// A share of row `n` of the stencil that starts with the tile.
#[inline(always)]
fn part<T: Real, K: Kernel, S: Simd, const D: usize>(
    s: S,
    tile: &[Node<T>],
    n: usize,
    share: T,
) -> T::Row<S> {
    let nodes = T::Row::load(s, &tile[row_start::<K, D>(n)..]);
    nodes.times(T::Row::splat(s, share))
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
    give(s, room, &q, a);
    quads(s, &w[D - 1], &mut room.along[0]);
    products::<T, K, S, D>(&w[0], &w[1], &mut room.products[0]);
    let Room {
        products: [product, ..],
        along: [row, _],
        quads: [q, x, y, z],
    } = room;
    let off = offsets::<T, K, S>(s);
    for (l, &start) in starts.iter().enumerate() {
        let tile = &mut tile[start..start + span::<K, D>()];
        let w = T::Row::each(s, &row[l]);
        let z = T::Row::same(s, &z[l]);
        let base = off.mul_add(z, T::Row::same(s, &q[l])).times(w);
        let (x, y) = (
            T::Row::same(s, &x[l]).times(w),
            T::Row::same(s, &y[l]).times(w),
        );
        for i in 0..K::WIDTH {
            let base = shifted::<T, S>(base, K::LOW + i as i32, x);
            if D == 2 {
                add::<T, K, S, D>(s, tile, i, product[i][l], base);
            } else {
                for j in 0..K::WIDTH {
                    let (n, value) = (
                        i * K::WIDTH + j,
                        shifted::<T, S>(base, K::LOW + j as i32, y),
                    );
                    add::<T, K, S, D>(s, tile, n, product[n][l], value);
                }
            }
        }
    }
}

/// (Σ w v_i, Σ w v_i ⊗ (x_i − x_p)/dx) of each particle: the value and the first moment.
#[inline(always)]
pub fn gather<T: Real, K: Kernel, S: Simd, const D: usize>(
    s: S,
    room: &mut Room<T>,
    tile: &[Node<T>],
    starts: &[usize],
    f: &Vector<Pack<T, S>, D>,
) -> (Vector<Pack<T, S>, D>, Matrix<Pack<T, S>, D>) {
    let w = weights::<_, K, D>(f);
    quads(s, &w[D - 1], &mut room.along[0]);
    products::<T, K, S, D>(&w[0], &w[1], &mut room.products[0]);
    let Room {
        products: [product, ..],
        along: [row, _],
        quads: [v, m @ ..],
    } = room;
    let off = offsets::<T, K, S>(s);
    for (l, &start) in starts.iter().enumerate() {
        let tile = &tile[start..start + span::<K, D>()];
        let zero = T::Row::splat(s, T::zero());
        // Sums over the rows, as they are and times each of the whole offsets of a row.
        let (mut sum, mut x, mut y) = (zero, zero, zero);
        for i in 0..K::WIDTH {
            let mut along = zero;
            if D == 2 {
                along = part::<T, K, S, D>(s, tile, i, product[i][l]);
            } else {
                for j in 0..K::WIDTH {
                    let n = i * K::WIDTH + j;
                    let p = part::<T, K, S, D>(s, tile, n, product[n][l]);
                    along = if j == 0 { p } else { along.plus(p) };
                    y = shifted::<T, S>(y, K::LOW + j as i32, p);
                }
            }
            sum = if i == 0 { along } else { sum.plus(along) };
            x = shifted::<T, S>(x, K::LOW + i as i32, along);
        }
        let w = T::Row::each(s, &row[l]);
        let sum = sum.times(w);
        v[l] = sum.fold(K::WIDTH);
        m[0][l] = x.times(w).fold(K::WIDTH);
        if D == 3 {
            m[1][l] = y.times(w).fold(K::WIDTH);
        }
        m[D - 1][l] = sum.times(off).fold(K::WIDTH);
    }
    let v = lanes(s, v);
    let v = Vector::from_fn(|c| v[c]);
    // About the particle: Σ w v o − v f.
    let m = moments::<T, S, D>(s, m);
    let m = Matrix::from_fn(|c, d| (-v[c]).mul_add(f[d], m[(c, d)]));
    (v, m)
}

/// A matrix from its columns, by lane.
#[inline(always)]
fn moments<T: Real, S: Simd, const D: usize>(
    s: S,
    m: &[[Node<T>; LANES]; 3],
) -> Matrix<Pack<T, S>, D> {
    let mut columns = [lanes(s, &m[0]); D];
    for d in 1..D {
        columns[d] = lanes(s, &m[d]);
    }
    Matrix::from_fn(|c, d| columns[d][c])
}

/// What the particles give: a value and a partner along each axis. In the plane that of the second axis
/// stands for the third, too.
#[inline(always)]
fn give<T: Real, S: Simd, const D: usize>(
    s: S,
    room: &mut Room<T>,
    q: &[Pack<T, S>; 4],
    a: &Matrix<Pack<T, S>, D>,
) {
    let [to, x, y, z] = &mut room.quads;
    quads(s, q, to);
    quads(s, &column(a, 0), x);
    if D == 3 {
        quads(s, &column(a, 1), y);
    }
    quads(s, &column(a, D - 1), z);
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
    give(s, room, q, a);
    sloped::<T, K, S, D>(s, room, &w, &u);
    let Room {
        products: [ww, uw, wu],
        along: [row, slope],
        quads: [q, x, y, z],
    } = room;
    for (l, &start) in starts.iter().enumerate() {
        let tile = &mut tile[start..start + span::<K, D>()];
        let (w, u) = (T::Row::each(s, &row[l]), T::Row::each(s, &slope[l]));
        let base = T::Row::same(s, &q[l]).times(w);
        let base = T::Row::same(s, &z[l]).mul_add(u, base);
        let (x, y) = (
            T::Row::same(s, &x[l]).times(w),
            T::Row::same(s, &y[l]).times(w),
        );
        for n in 0..rows::<K, D>() {
            let nodes = &mut tile[row_start::<K, D>(n)..][..4];
            let mut sum = T::Row::load(s, nodes);
            sum = base.mul_add(T::Row::splat(s, ww[n][l]), sum);
            sum = x.mul_add(T::Row::splat(s, uw[n][l]), sum);
            if D == 3 {
                sum = y.mul_add(T::Row::splat(s, wu[n][l]), sum);
            }
            sum.store(nodes);
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
    sloped::<T, K, S, D>(s, room, &w, &u);
    let Room {
        products: [ww, uw, wu],
        along: [row, slope],
        quads: [_, m @ ..],
    } = room;
    for (l, &start) in starts.iter().enumerate() {
        let tile = &tile[start..start + span::<K, D>()];
        let zero = T::Row::splat(s, T::zero());
        let (mut sum, mut x, mut y) = (zero, zero, zero);
        for n in 0..rows::<K, D>() {
            let nodes = T::Row::load(s, &tile[row_start::<K, D>(n)..]);
            sum = nodes.mul_add(T::Row::splat(s, ww[n][l]), sum);
            x = nodes.mul_add(T::Row::splat(s, uw[n][l]), x);
            if D == 3 {
                y = nodes.mul_add(T::Row::splat(s, wu[n][l]), y);
            }
        }
        let (w, u) = (T::Row::each(s, &row[l]), T::Row::each(s, &slope[l]));
        m[0][l] = x.times(w).fold(K::WIDTH);
        if D == 3 {
            m[1][l] = y.times(w).fold(K::WIDTH);
        }
        m[D - 1][l] = sum.times(u).fold(K::WIDTH);
    }
    moments(s, m)
}

/// Weights, slopes and their products.
#[inline(always)]
fn sloped<T: Real, K: Kernel, S: Simd, const D: usize>(
    s: S,
    room: &mut Room<T>,
    w: &Partner<Pack<T, S>, D>,
    u: &Partner<Pack<T, S>, D>,
) {
    quads(s, &w[D - 1], &mut room.along[0]);
    quads(s, &u[D - 1], &mut room.along[1]);
    products::<T, K, S, D>(&w[0], &w[1], &mut room.products[0]);
    products::<T, K, S, D>(&u[0], &w[1], &mut room.products[1]);
    if D == 3 {
        products::<T, K, S, D>(&w[0], &u[1], &mut room.products[2]);
    }
}
