//! Who meets whom: for each vertex the elements and springs around it, and the vertices that they join it to. Forces and
//! stiffness are summed vertex by vertex in the order of these lists, so that threads do not matter.

use rayon::prelude::*;
use thixo_math::{Matrix, Real, Vector};
use thixo_numerics::Point;

use crate::matter::tangent_count;
use crate::springs::Spring;

/// Vertices that one thread takes at once.
const GRAIN: usize = 512;

/// The neighbourhood of every vertex.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows {
    /// Where the lists of each vertex start; one more than there are vertices.
    cells_from: Vec<u32>,
    springs_from: Vec<u32>,
    blocks_from: Vec<u32>,
    /// An element and which of its corners the vertex is.
    cells: Vec<(u32, u8)>,
    /// For each of them: the place in the row of each corner.
    places: Vec<[u16; 4]>,
    /// A spring, which end the vertex is, and the place in the row of the other.
    springs: Vec<(u32, u8, u16)>,
    /// The vertices of each row, ascending, itself included.
    pub columns: Vec<u32>,
}

/// Starts of lists of these lengths.
fn starts(lengths: impl Iterator<Item = usize>) -> Vec<u32> {
    let sums = lengths.scan(0, |sum, n| {
        *sum += n as u32;
        Some(*sum)
    });
    std::iter::once(0).chain(sums).collect()
}

impl Rows {
    /// Of `n` vertices with these elements, by their slots, and springs. `None` if a vertex has too many neighbours.
    pub fn new<const D: usize>(
        n: usize,
        elements: &[(u32, [u32; 4])],
        springs: &[Spring],
    ) -> Option<Self> {
        let mut cells = vec![Vec::new(); n];
        let mut own = vec![Vec::new(); n];
        for (slot, corners) in elements {
            for a in 0..=D {
                cells[corners[a] as usize].push((*slot, a as u8, *corners));
            }
        }
        for (i, s) in springs.iter().enumerate() {
            for end in 0..2 {
                own[s.ends[end] as usize].push((i as u32, end as u8));
            }
        }
        let columns: Vec<Vec<u32>> = (0..n)
            .into_par_iter()
            .map(|i| {
                let of_cells = cells[i].iter().flat_map(|(_, _, c)| &c[..=D]).copied();
                let others = own[i]
                    .iter()
                    .map(|(s, e)| springs[*s as usize].ends[1 - *e as usize]);
                let mut all: Vec<u32> = of_cells.chain(others).chain([i as u32]).collect();
                all.sort_unstable();
                all.dedup();
                all
            })
            .collect();
        if columns.iter().any(|c| c.len() > usize::from(u16::MAX)) {
            return None;
        }
        let place = |i: usize, to: u32| columns[i].partition_point(|c| *c < to) as u16;
        let places = (0..n).flat_map(|i| {
            let of = move |c: &[u32; 4]| {
                std::array::from_fn(|b| if b <= D { place(i, c[b]) } else { 0 })
            };
            cells[i]
                .iter()
                .map(move |(_, _, c)| of(c))
                .collect::<Vec<_>>()
        });
        let joined = (0..n).flat_map(|i| {
            let other = |s: u32, e: u8| springs[s as usize].ends[1 - e as usize];
            let all = own[i]
                .iter()
                .map(|(s, e)| (*s, *e, place(i, other(*s, *e))));
            all.collect::<Vec<_>>()
        });
        Some(Self {
            cells_from: starts(cells.iter().map(Vec::len)),
            springs_from: starts(own.iter().map(Vec::len)),
            blocks_from: starts(columns.iter().map(Vec::len)),
            places: places.collect(),
            springs: joined.collect(),
            cells: cells
                .iter()
                .flatten()
                .map(|(slot, a, _)| (*slot, *a))
                .collect(),
            columns: columns.concat(),
        })
    }
    /// Number of vertices.
    pub fn len(&self) -> usize {
        self.blocks_from.len().saturating_sub(1)
    }
    fn of_cells(&self, i: usize) -> std::ops::Range<usize> {
        self.cells_from[i] as usize..self.cells_from[i + 1] as usize
    }
    fn of_springs(&self, i: usize) -> std::ops::Range<usize> {
        self.springs_from[i] as usize..self.springs_from[i + 1] as usize
    }
    /// The blocks of the row of a vertex.
    pub fn of_blocks(&self, i: usize) -> std::ops::Range<usize> {
        self.blocks_from[i] as usize..self.blocks_from[i + 1] as usize
    }

    /// Adds `scale` times the slope of the energy at each vertex, from ∂(V⁰ψ)/∂D_s of each element and the springs.
    pub fn add_slopes<T: Real, const D: usize>(
        &self,
        responses: &[Matrix<T, D>],
        springs: &[Spring],
        x: &[Vector<f64, D>],
        scale: T,
        to: &mut [Point<T>],
    ) {
        let work = |(i, to): (usize, &mut Point<T>)| {
            let mut sum = Vector::<T, D>::zero();
            for (slot, a) in &self.cells[self.of_cells(i)] {
                let G = &responses[*slot as usize];
                for k in 0..D {
                    sum[k] += match a {
                        // The first corner moves all edges back.
                        0 => -(1..D).fold(G[(k, 0)], |s, b| s + G[(k, b)]),
                        a => G[(k, usize::from(*a) - 1)],
                    };
                }
            }
            for (s, end, _) in &self.springs[self.of_springs(i)] {
                sum += springs[*s as usize].slope(usize::from(*end), x);
            }
            for k in 0..D {
                to[k] += scale * sum[k];
            }
        };
        to.par_iter_mut()
            .with_min_len(GRAIN)
            .enumerate()
            .for_each(work);
    }
    /// The blocks of `scale` times ∂²Φ/∂x², row by row, from ∂²(V⁰ψ)/∂D_s² of each element and the springs.
    pub fn assemble<T: Real, const D: usize>(
        &self,
        tangents: &[T],
        springs: &[Spring],
        x: &[Vector<f64, D>],
        (definite, scale): (bool, T),
        to: &mut Vec<Matrix<T, D>>,
    ) {
        let count = tangent_count(D);
        to.resize(self.columns.len(), Matrix::zero());
        let row = |i: usize, row: &mut [Matrix<T, D>]| {
            row.fill(Matrix::zero());
            for c in self.of_cells(i) {
                let ((slot, a), places) = (self.cells[c], &self.places[c]);
                let K = &tangents[slot as usize * count..][..count];
                let mut blocks = [Matrix::<T, D>::zero(); 4];
                for b in 0..D {
                    blocks[b + 1] = match a {
                        0 => (0..D).fold(Matrix::zero(), |s, e| s - block::<T, D>(K, e, b)),
                        a => block::<T, D>(K, usize::from(a) - 1, b),
                    };
                    blocks[0] -= blocks[b + 1];
                }
                for b in 0..=D {
                    row[usize::from(places[b])] += blocks[b];
                }
            }
            let own = self.columns[self.of_blocks(i)].partition_point(|c| (*c as usize) < i);
            for (s, _, other) in &self.springs[self.of_springs(i)] {
                let K = springs[*s as usize].curve(x, definite);
                row[own] += K;
                row[usize::from(*other)] -= K;
            }
            row.iter_mut().for_each(|b| *b = *b * scale);
        };
        self.each_row(to, row);
    }
    /// Calls `f` with every vertex and its row.
    fn each_row<X: Send>(&self, all: &mut [X], f: impl Fn(usize, &mut [X]) + Sync) {
        let mut rest = all;
        let mut parts = Vec::new();
        for first in (0..self.len()).step_by(GRAIN) {
            let last = (first + GRAIN).min(self.len());
            let n = (self.blocks_from[last] - self.blocks_from[first]) as usize;
            let (part, more) = rest.split_at_mut(n);
            rest = more;
            parts.push((first, last, part));
        }
        parts.into_par_iter().for_each(|(first, last, mut part)| {
            for i in first..last {
                let (row, more) = part.split_at_mut(self.of_blocks(i).len());
                part = more;
                f(i, row);
            }
        });
    }
    /// Adds A x.
    pub fn add_product<T: Real, const D: usize>(
        &self,
        blocks: &[Matrix<T, D>],
        x: &[Point<T>],
        to: &mut [Point<T>],
    ) {
        let work = |(i, to): (usize, &mut Point<T>)| {
            let r = self.of_blocks(i);
            let mut sum = [T::zero(); D];
            for (block, column) in blocks[r.clone()].iter().zip(&self.columns[r]) {
                let x = &x[*column as usize];
                for a in 0..D {
                    for b in 0..D {
                        sum[a] += block[(a, b)] * x[b];
                    }
                }
            }
            for a in 0..D {
                to[a] += sum[a];
            }
        };
        to.par_iter_mut()
            .with_min_len(GRAIN)
            .enumerate()
            .for_each(work);
    }
    /// The block on the diagonal of each row.
    pub fn add_diagonal<T: Real, const D: usize>(
        &self,
        blocks: &[Matrix<T, D>],
        to: &mut [Matrix<T, D>],
    ) {
        let work = |(i, to): (usize, &mut Matrix<T, D>)| {
            let r = self.of_blocks(i);
            let own = self.columns[r.clone()].partition_point(|c| (*c as usize) < i);
            *to += blocks[r.start + own];
        };
        to.par_iter_mut()
            .with_min_len(GRAIN)
            .enumerate()
            .for_each(work);
    }
    /// For each vertex a bound on the sum over its row of the sizes of blocks: largest sum of a line of numbers.
    pub fn row_sums<T: Real, const D: usize>(&self, blocks: &[Matrix<T, D>]) -> Vec<f64> {
        let of = |i: usize| {
            let row = &blocks[self.of_blocks(i)];
            let line = |a: usize| -> f64 {
                let each = row.iter().map(|m| (0..D).map(|b| m[(a, b)].wide().abs()));
                each.map(|numbers| numbers.sum::<f64>()).sum()
            };
            (0..D).map(line).fold(0.0, f64::max)
        };
        (0..self.len())
            .into_par_iter()
            .with_min_len(GRAIN)
            .map(of)
            .collect()
    }
}

/// The block that joins edges a and b of an element.
#[inline(always)]
fn block<T: Real, const D: usize>(K: &[T], a: usize, b: usize) -> Matrix<T, D> {
    Matrix::from_fn(
        #[inline(always)]
        |i, k| {
            let (p, q) = (i * D + a, k * D + b);
            let (p, q) = (p.min(q), p.max(q));
            K[p * (2 * D * D - p - 1) / 2 + q]
        },
    )
}
