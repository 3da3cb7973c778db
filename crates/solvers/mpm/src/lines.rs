//! Sixteen particles side by side.
//!
//! One number of each of sixteen particles is a *line*; all their numbers together are a *chunk*. A pass
//! over chunks is one stream through memory, where a pass over columns would be dozens, and neighbours in
//! memory are neighbours in a register. A chunk belongs to one block, see [`thixo_grid::Layout`]; where a
//! block has no particle left for a slot, the slot is a copy of its last particle and stays one, so that
//! all lanes of a register can be worked on and none says what no particle says.

use rayon::prelude::*;
use thixo_grid::{ALIGN, Split};
use thixo_math::{Matrix, Pack, Real, Simd, Vector, prefetch};

/// One number of each particle of a chunk.
pub type Line<T> = [T; ALIGN];
/// A line for each entry of a matrix.
pub type Square<T, const D: usize> = [[Line<T>; D]; D];

/// A line for each component of a vector.
pub type Vectors<T, const D: usize> = [Line<T>; D];

/// How sixteen particles move.
#[derive(Clone, Copy, Debug)]
pub struct Motion<T, const D: usize> {
    /// Velocity \[m/s\].
    pub v: Vectors<T, D>,
    /// C = B D⁻¹ \[1/s\]; for the multilinear kernel B/dx \[m/s\].
    pub C: Square<T, D>,
}

impl<T: Real, const D: usize> Motion<T, D> {
    pub(crate) fn none() -> Self {
        let zero = [T::zero(); ALIGN];
        Self {
            v: [zero; D],
            C: [[zero; D]; D],
        }
    }
}

/// Chunks with a number of lines that is known at run time.
#[derive(Clone, Debug)]
pub(crate) struct Lines<T> {
    all: Vec<Line<T>>,
    count: usize,
}

impl<T: Real> Lines<T> {
    /// No chunks of `count` lines.
    pub fn new(count: usize) -> Self {
        let all = Vec::new();
        Self { all, count }
    }
    /// Makes room for at least `n` particles.
    pub fn resize(&mut self, n: usize) {
        self.reserve(n.div_ceil(ALIGN) * self.count);
    }
    fn reserve(&mut self, lines: usize) {
        let lines = lines.max(self.all.len());
        self.all.resize(lines, [T::zero(); ALIGN]);
    }
    /// Number `k` of particle `i`.
    #[inline(always)]
    pub fn get(&self, k: usize, i: usize) -> T {
        self.all[i / ALIGN * self.count + k][i % ALIGN]
    }
    /// Number `k` of particle `i` becomes `x`.
    #[inline(always)]
    pub fn set(&mut self, k: usize, i: usize, x: T) {
        self.all[i / ALIGN * self.count + k][i % ALIGN] = x;
    }
    /// Puts what is in the slots that `order` names into the slots of `to`, as chunks of as many lines.
    pub fn permute(&self, order: &[u32], to: &mut Self) {
        to.reserve(order.len().div_ceil(ALIGN) * self.count);
        let chunks = to.all.par_chunks_mut(self.count.max(1));
        chunks.zip(order.par_chunks(ALIGN)).for_each(|(to, order)| {
            for (lane, &i) in order.iter().enumerate() {
                for (k, line) in to.iter_mut().enumerate() {
                    line[lane] = self.get(k, i as usize);
                }
            }
        });
    }
    /// Takes into each slot what is in the slot that `order` names, by way of `room`.
    pub fn rearrange(&mut self, order: &[u32], room: &mut Self) {
        self.permute(order, room);
        self.resize(order.len());
        let parts = self.all.par_chunks_mut(1 << 12);
        let from = room.all.par_chunks(1 << 12);
        parts.zip(from).for_each(|(to, from)| {
            let n = to.len().min(from.len());
            to[..n].copy_from_slice(&from[..n]);
        });
    }
    /// Adds `share` times what others are.
    pub fn add_scaled(&mut self, share: T, others: &Self) {
        let parts = self.all.par_chunks_mut(1 << 10);
        parts
            .zip(others.all.par_chunks(1 << 10))
            .for_each(|(to, x)| {
                for (to, x) in to.as_flattened_mut().iter_mut().zip(x.as_flattened()) {
                    *to += share * *x;
                }
            });
    }
    /// The chunks from particle `start` on.
    pub fn from(&self, start: usize) -> Chunks<'_, T> {
        let lines = &self.all[start / ALIGN * self.count..];
        let count = self.count;
        Chunks { lines, count }
    }
    /// All chunks, to write.
    pub fn all_mut(&mut self) -> ChunksMut<'_, T> {
        let count = self.count;
        ChunksMut {
            lines: &mut self.all,
            count,
        }
    }
}

/// Chunks to read.
#[derive(Clone, Copy)]
pub struct Chunks<'a, T> {
    lines: &'a [Line<T>],
    count: usize,
}

impl<'a, T> Chunks<'a, T> {
    /// The lines of chunk `c`.
    #[inline(always)]
    pub fn at(&self, c: usize) -> &'a [Line<T>] {
        &self.lines[c * self.count..][..self.count]
    }
    /// Asks for chunk `c`, if there is one.
    #[inline(always)]
    pub fn prefetch(&self, c: usize) {
        for k in 0..self.count {
            prefetch(self.lines, c * self.count + k);
        }
    }
}

/// How many chunks ahead memory is asked for: a chunk takes a few hundred nanoseconds, memory about one hundred.
pub(crate) const AHEAD: usize = 2;

/// Chunks to write.
pub struct ChunksMut<'a, T> {
    lines: &'a mut [Line<T>],
    count: usize,
}

impl<T> ChunksMut<'_, T> {
    /// None at all.
    pub fn none() -> Self {
        let lines = &mut [];
        Self { lines, count: 0 }
    }
    /// The lines of chunk `c`.
    #[inline(always)]
    pub fn at(&mut self, c: usize) -> &mut [Line<T>] {
        &mut self.lines[c * self.count..][..self.count]
    }
    /// Asks for chunk `c`, if there is one.
    #[inline(always)]
    pub fn prefetch(&self, c: usize) {
        for k in 0..self.count {
            prefetch(self.lines, c * self.count + k);
        }
    }
}

impl<T> Split for ChunksMut<'_, T> {
    #[inline(always)]
    fn split_off(&mut self, n: usize) -> Self {
        let count = self.count;
        let all = std::mem::take(&mut self.lines);
        let (low, lines) = all.split_at_mut((n.div_ceil(ALIGN) * count).min(all.len()));
        self.lines = low;
        Self { lines, count }
    }
}

/// One thing for each chunk, to write; there may be none.
pub(crate) struct PerChunk<'a, X>(pub &'a mut [X]);

impl<X> Split for PerChunk<'_, X> {
    #[inline(always)]
    fn split_off(&mut self, n: usize) -> Self {
        let all = std::mem::take(&mut self.0);
        let (low, high) = all.split_at_mut(n.div_ceil(ALIGN).min(all.len()));
        self.0 = low;
        Self(high)
    }
}

/// Where ∇v of the particles of a block is.
#[derive(Clone, Copy)]
pub enum Gradient<'a, T, const D: usize> {
    /// It is C.
    Affine(&'a [Motion<T, D>]),
    /// It is kept apart.
    Apart(&'a [Square<T, D>]),
}

impl<'a, T, const D: usize> Gradient<'a, T, D> {
    /// That of chunk `c`.
    #[inline(always)]
    pub fn at(&self, c: usize) -> &'a Square<T, D> {
        match self {
            Self::Affine(all) => &all[c].C,
            Self::Apart(all) => &all[c],
        }
    }
}

/// The first D² lines as those of a matrix.
#[inline(always)]
pub(crate) fn square<T, const D: usize>(lines: &[Line<T>]) -> Option<&Square<T, D>> {
    lines.as_chunks::<D>().0.first_chunk()
}
/// The first D² lines as those of a matrix, to write.
#[inline(always)]
pub(crate) fn square_mut<T, const D: usize>(lines: &mut [Line<T>]) -> Option<&mut Square<T, D>> {
    lines.as_chunks_mut::<D>().0.first_chunk_mut()
}

/// Number of entries of a symmetric matrix: the diagonal, then the upper triangle row by row.
pub(crate) const fn symmetric(dimension: usize) -> usize {
    dimension * (dimension + 1) / 2
}

/// Row and column of entry `n` of a symmetric matrix.
#[inline(always)]
pub(crate) const fn entry<const D: usize>(n: usize) -> (usize, usize) {
    match (D, n) {
        (_, 0) => (0, 0),
        (_, 1) => (1, 1),
        (2, _) => (0, 1),
        (_, 2) => (2, 2),
        (_, 3) => (0, 1),
        (_, 4) => (0, 2),
        _ => (1, 2),
    }
}

/// The entry of a symmetric matrix at a row and a column.
#[inline(always)]
const fn number<const D: usize>(a: usize, b: usize) -> usize {
    if a == b { a } else { D + a + b - 1 }
}

/// Lanes of a register.
#[inline(always)]
pub(crate) const fn lanes<T: Real, S: Simd>() -> usize {
    <Pack<T, S> as thixo_math::Lane>::COUNT
}

/// Which lanes of which chunk: the registers of a block with `n` particles, one after the other.
#[derive(Clone, Copy)]
pub(crate) struct At {
    /// The chunk.
    pub chunk: usize,
    /// The first lane in it.
    pub lane: usize,
    /// How many lanes hold particles, at most all of a register.
    pub count: usize,
}

impl At {
    /// The particle in the first lane, counted from the first of the block.
    #[inline(always)]
    pub fn first(self) -> usize {
        self.chunk * ALIGN + self.lane
    }
    /// The particles in the lanes.
    #[inline(always)]
    pub fn range(self) -> std::ops::Range<usize> {
        self.first()..self.first() + self.count
    }
}

/// The registers of `n` particles.
#[inline(always)]
pub(crate) fn registers<T: Real, S: Simd>(n: usize) -> impl Iterator<Item = At> {
    let wide = lanes::<T, S>();
    (0..n).step_by(wide).map(
        #[inline(always)]
        move |i| At {
            chunk: i / ALIGN,
            lane: i % ALIGN,
            count: (n - i).min(wide),
        },
    )
}

/// The numbers of a line that are in the lanes.
#[inline(always)]
pub(crate) fn load<T: Real, S: Simd>(s: S, line: &Line<T>, at: At) -> Pack<T, S> {
    Pack::load(s, &line[at.lane..])
}
/// Puts lanes into a line.
#[inline(always)]
pub(crate) fn store<T: Real, S: Simd>(x: Pack<T, S>, line: &mut Line<T>, at: At) {
    x.store(&mut line[at.lane..]);
}
/// Vectors in lanes.
#[inline(always)]
pub(crate) fn load_vector<T: Real, S: Simd, const D: usize>(
    s: S,
    lines: &Vectors<T, D>,
    at: At,
) -> Vector<Pack<T, S>, D> {
    Vector::from_fn(
        #[inline(always)]
        |a| load(s, &lines[a], at),
    )
}
/// Matrices in lanes.
#[inline(always)]
pub(crate) fn load_matrix<T: Real, S: Simd, const D: usize>(
    s: S,
    lines: &Square<T, D>,
    at: At,
) -> Matrix<Pack<T, S>, D> {
    Matrix::from_fn(
        #[inline(always)]
        |a, b| load(s, &lines[a][b], at),
    )
}
/// Symmetric matrices in lanes.
#[inline(always)]
pub(crate) fn load_symmetric<T: Real, S: Simd, const D: usize>(
    s: S,
    lines: &[Line<T>],
    at: At,
) -> Matrix<Pack<T, S>, D> {
    let lines = &lines[..symmetric(D)];
    Matrix::from_fn(
        #[inline(always)]
        |a, b| load(s, &lines[number::<D>(a, b)], at),
    )
}
/// Puts vectors in lanes into their lines.
#[inline(always)]
pub(crate) fn store_vector<T: Real, S: Simd, const D: usize>(
    x: &Vector<Pack<T, S>, D>,
    lines: &mut Vectors<T, D>,
    at: At,
) {
    for a in 0..D {
        store(x[a], &mut lines[a], at);
    }
}
/// Puts matrices in lanes into their lines.
#[inline(always)]
pub(crate) fn store_matrix<T: Real, S: Simd, const D: usize>(
    x: &Matrix<Pack<T, S>, D>,
    lines: &mut Square<T, D>,
    at: At,
) {
    for a in 0..D {
        for b in 0..D {
            store(x[(a, b)], &mut lines[a][b], at);
        }
    }
}
