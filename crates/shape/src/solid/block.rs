//! Boxes on a lattice, exactly.

use thixo_math::Vector;

use super::SolidMesh;
use crate::Bounds;
use crate::error::{Result, ShapeError, finite_vector, positive};
use crate::sample::each;

/// Most cells that a box may be cut into.
pub(super) const LIMIT: f64 = 2e8;

/// Corners of a small cube by the bits of their numbers: the tetrahedron in the middle and the four
/// around it. The other half of all cubes is cut as in a mirror, so that diagonals fit.
const FIVE: [[usize; 4]; 5] = [
    [0, 3, 5, 6],
    [1, 0, 3, 5],
    [2, 0, 3, 6],
    [4, 0, 5, 6],
    [7, 3, 5, 6],
];
/// The same in two dimensions.
const TWO: [[usize; 4]; 2] = [[0, 1, 3, 3], [0, 3, 2, 2]];

impl<const D: usize> SolidMesh<D> {
    /// A box cut into `counts` small boxes along the axes, each of five tetrahedra (in two dimensions
    /// two triangles), whose diagonals alternate.
    pub fn lattice(bounds: &Bounds<D>, counts: [usize; D]) -> Result<Self> {
        finite_vector("lowest corner of the box", bounds.low)?;
        finite_vector("highest corner of the box", bounds.high)?;
        for side in bounds.size().0 {
            positive("side of the box", side)?;
        }
        if counts.contains(&0) {
            return Err(ShapeError::Parameter {
                what: "number of cells along an axis",
                value: 0.0,
                must: "at least 1",
            });
        }
        let split: &[[usize; 4]] = if D == 3 { &FIVE } else { &TWO };
        let count = split.len() as f64 * counts.iter().map(|&n| n as f64).product::<f64>();
        if count > LIMIT {
            return Err(ShapeError::TooMany {
                what: "the mesh of this box",
                count,
                limit: LIMIT,
            });
        }
        let number = |i: [usize; D]| (0..D).fold(0, |k, a| k * (counts[a] + 1) + i[a]) as u32;
        let mut points = Vec::new();
        each(counts.map(|n| n as i64 + 1), |i| {
            points.push(Vector::from_fn(|a| node(bounds, counts, a, i[a] as usize)));
        });
        let mut cells = Vec::with_capacity(count as usize);
        each(counts.map(|n| n as i64), |i| {
            let i = i.map(|k| k as usize);
            // Mirrored along the first axis where the sum is odd.
            let turn = i.iter().sum::<usize>() % 2;
            let corner =
                |bits: usize| number(std::array::from_fn(|a| i[a] + (((bits ^ turn) >> a) & 1)));
            cells.extend(split.iter().map(|c| c.map(corner)));
        });
        Self::new(points, cells)
    }
}

/// A coordinate of a node; the last is the box's own, to the bit.
fn node<const D: usize>(b: &Bounds<D>, counts: [usize; D], axis: usize, i: usize) -> f64 {
    let (low, high) = (b.low[axis], b.high[axis]);
    if i == counts[axis] {
        high
    } else {
        low + (high - low) * (i as f64 / counts[axis] as f64)
    }
}
