//! Sheets: cloth and skins in space, threads in the plane.

use thixo_math::Vector;

use super::block::LIMIT;
use crate::error::{Result, ShapeError, finite_vector};

/// A surface of triangles in three dimensions, a line of segments in two.
#[derive(Clone, Debug, PartialEq)]
pub struct SheetMesh<const D: usize> {
    points: Vec<Vector<f64, D>>,
    cells: Vec<[u32; 3]>,
}

impl<const D: usize> SheetMesh<D> {
    /// Places of the points \[m\].
    pub fn points(&self) -> &[Vector<f64, D>] {
        &self.points
    }

    /// Corners of the triangles, all round the same way; in two dimensions the ends of segments, the
    /// second number repeated.
    pub fn cells(&self) -> &[[u32; 3]] {
        &self.cells
    }
}

impl SheetMesh<3> {
    /// A flat patch, a parallelogram with a corner at `from` and the given sides \[m\], cut into
    /// `counts` small ones along them, each of two triangles, whose diagonals alternate. Its front is
    /// where the sides run counter-clockwise. Points go along the second side first.
    pub fn patch(
        from: Vector<f64, 3>,
        sides: [Vector<f64, 3>; 2],
        counts: [usize; 2],
    ) -> Result<Self> {
        finite_vector("corner of the patch", from)?;
        finite_vector("side of the patch", sides[0])?;
        finite_vector("side of the patch", sides[1])?;
        let area = sides[0].cross(&sides[1]).norm();
        let flat = 1e-12 * sides[0].norm() * sides[1].norm();
        if area.is_nan() || area <= flat {
            return Err(ShapeError::Parameter {
                what: "area of the patch",
                value: area,
                must: "positive: its sides must not be parallel",
            });
        }
        let [n, m] = enough("the mesh of this patch", counts)?;
        let at = |i: usize, j: usize| {
            from + sides[0] * (i as f64 / n as f64) + sides[1] * (j as f64 / m as f64)
        };
        let points = (0..=n).flat_map(|i| (0..=m).map(move |j| (i, j)));
        let number = |i: usize, j: usize| (i * (m + 1) + j) as u32;
        let cut = |(i, j): (usize, usize)| {
            let [a, b] = [number(i, j), number(i + 1, j)];
            let [c, d] = [number(i + 1, j + 1), number(i, j + 1)];
            if (i + j) % 2 == 0 {
                [[a, b, c], [a, c, d]]
            } else {
                [[a, b, d], [b, c, d]]
            }
        };
        let quads = (0..n).flat_map(|i| (0..m).map(move |j| (i, j)));
        Ok(Self {
            points: points.map(|(i, j)| at(i, j)).collect(),
            cells: quads.flat_map(cut).collect(),
        })
    }
}

impl SheetMesh<2> {
    /// A straight thread from a point to another \[m\], of `count` segments.
    pub fn line(from: Vector<f64, 2>, to: Vector<f64, 2>, count: usize) -> Result<Self> {
        finite_vector("start of the line", from)?;
        finite_vector("end of the line", to)?;
        let length = (to - from).norm();
        if length <= 0.0 {
            return Err(ShapeError::Parameter {
                what: "length of the line",
                value: length,
                must: "positive: its ends must be apart",
            });
        }
        let [n] = enough("the mesh of this line", [count])?;
        let at = |k: usize| from + (to - from) * (k as f64 / n as f64);
        Ok(Self {
            points: (0..=n).map(at).collect(),
            cells: (0..n as u32).map(|k| [k, k + 1, k + 1]).collect(),
        })
    }
}

/// Passes counts that are not zero and not too large.
fn enough<const N: usize>(what: &'static str, counts: [usize; N]) -> Result<[usize; N]> {
    if counts.contains(&0) {
        return Err(ShapeError::Parameter {
            what: "number of cells along a side",
            value: 0.0,
            must: "at least 1",
        });
    }
    let count = counts.iter().map(|&n| n as f64).product::<f64>();
    if count > LIMIT {
        return Err(ShapeError::TooMany {
            what,
            count,
            limit: LIMIT,
        });
    }
    Ok(counts)
}
