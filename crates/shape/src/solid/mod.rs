//! Solids as meshes of cells: tetrahedra in three dimensions, triangles in two; and sheets.

mod block;
mod boundary;
mod file;
mod quality;
mod sheet;
mod stuff;

use std::collections::HashMap;

use thixo_math::{Matrix, Vector};

use crate::error::{Result, ShapeError};
use crate::{Shape, volume};

pub use file::{Skipped, SolidFile, read_solid};
pub use quality::Quality;
pub use sheet::SheetMesh;

/// A cell with less than this part of the volume of a cube on its longest edge has none.
const FLAT: f64 = 1e-12;

/// A solid cut into cells. Every cell has positive volume (its first three corners run
/// counter-clockwise as seen from the fourth; in two dimensions its corners run counter-clockwise),
/// no two points are in the same place, every point is a corner of a cell, and cells meet in whole
/// faces, at most two in each.
#[derive(Clone, Debug, PartialEq)]
pub struct SolidMesh<const D: usize> {
    points: Vec<Vector<f64, D>>,
    cells: Vec<[u32; 4]>,
}

impl<const D: usize> SolidMesh<D> {
    /// From points \[m\] and cells, of which the first D + 1 numbers count. Points in the same place
    /// become one, points of no cell are left out, the others keep their order; cells that are inside
    /// out are turned.
    pub fn new(points: Vec<Vector<f64, D>>, cells: Vec<[u32; 4]>) -> Result<Self> {
        Self::build(points, cells).map_err(|d| d.error)
    }

    /// The same, with the cell that is at fault.
    fn build(
        points: Vec<Vector<f64, D>>,
        cells: Vec<[u32; 4]>,
    ) -> std::result::Result<Self, Defect> {
        if cells.is_empty() {
            return Err(ShapeError::Empty {
                what: "solid mesh".into(),
                advice: "give at least one cell".into(),
            }
            .into());
        }
        if let Some(index) = points.iter().position(|x| !x.finite()) {
            return Err(ShapeError::NotFinite {
                what: "points of a solid mesh".into(),
                index,
            }
            .into());
        }
        let (points, cells) = joined(points, cells)?;
        let mut mesh = Self { points, cells };
        for k in 0..mesh.cells.len() {
            let m = mesh.edges(k);
            let det = m.det();
            let longest = longest(&m);
            if !det.is_finite() {
                return Err(wrong(
                    k,
                    format!("cell {k} is too large for a volume; check the unit of length"),
                ));
            }
            if !det.is_normal() || det.abs() <= FLAT * longest.powi(D as i32) {
                let on = if D == 3 { "in a plane" } else { "in a line" };
                return Err(wrong(
                    k,
                    format!("cell {k} has no volume: its corners are {on}; remove it or move them"),
                ));
            }
            if det < 0.0 {
                mesh.cells[k].swap(D - 1, D);
            }
            let last = mesh.cells[k][D];
            mesh.cells[k][D..].fill(last);
        }
        boundary::check::<D>(&mesh.cells)?;
        Ok(mesh)
    }

    /// Fills a closed shape with cells whose edges are about `edge` \[m\] long, by isosurface stuffing
    /// (Labelle and Shewchuk 2007; in two dimensions the same on equilateral triangles). All points
    /// of the boundary are on the surface, so the volume is right to second order in `edge`; all
    /// dihedral angles are between 10.7° and 164.9° (in two dimensions, angles of at least 15°). Sharp
    /// edges are cut off; [`SolidMesh::lattice`] has those of a box.
    pub fn fill(shape: &dyn Shape<D>, edge: f64) -> Result<Self> {
        stuff::fill(shape, edge)
    }

    /// From a file: Gmsh (`.msh`, 2.2 and 4.1), TetGen or Triangle (`.node` with `.ele`) or legacy VTK
    /// (`.vtk`), as text. [`read_solid`] also tells what was left out.
    pub fn load(path: impl AsRef<std::path::Path>) -> Result<Self> {
        Ok(read_solid(path)?.mesh)
    }

    /// Places of the points \[m\].
    pub fn points(&self) -> &[Vector<f64, D>] {
        &self.points
    }

    /// Corners of the cells; in two dimensions the third number is repeated.
    pub fn cells(&self) -> &[[u32; 4]] {
        &self.cells
    }

    /// The D + 1 corners of a cell.
    pub fn corners(&self, cell: usize) -> &[u32] {
        &self.cells[cell][..=D]
    }

    /// The faces that belong to one cell only, in the order of the cells: triangles that run
    /// counter-clockwise as seen from outside; in two dimensions segments with the outside at their
    /// right and the second number repeated.
    pub fn boundary(&self) -> Vec<[u32; 3]> {
        boundary::outer::<D>(&self.cells)
    }

    /// The volume of a cell \[m^D\].
    pub fn cell_volume(&self, cell: usize) -> f64 {
        self.edges(cell).det() / if D == 3 { 6.0 } else { 2.0 }
    }

    /// The volume \[m^D\].
    pub fn volume(&self) -> f64 {
        (0..self.cells.len()).map(|k| self.cell_volume(k)).sum()
    }

    /// How far the volume is off from that of the shape, as a part of it: the shape is measured by
    /// points at most `spacing` \[m\] apart, whose own error falls with the square of that.
    pub fn volume_error(&self, shape: &dyn Shape<D>, spacing: f64) -> Result<f64> {
        Ok(self.volume() / volume(shape, spacing)? - 1.0)
    }

    /// How well the cells are shaped.
    pub fn quality(&self) -> Quality {
        quality::worst(self)
    }

    /// The edges from a cell's first corner to the others, as columns.
    fn edges(&self, cell: usize) -> Matrix<f64, D> {
        let c = self.cells[cell];
        let x = |k: usize| self.points[c[k] as usize];
        let first = x(0);
        let sides: [_; D] = std::array::from_fn(|k| x(k + 1) - first);
        Matrix::from_fn(|i, j| sides[j][i])
    }
}

/// Points without repeated and unused ones, and cells with their new numbers.
type Parts<const D: usize> = (Vec<Vector<f64, D>>, Vec<[u32; 4]>);

fn joined<const D: usize>(
    points: Vec<Vector<f64, D>>,
    mut cells: Vec<[u32; 4]>,
) -> std::result::Result<Parts<D>, Defect> {
    const UNUSED: u32 = u32::MAX;
    let n = points.len();
    let mut number = vec![UNUSED; n];
    for (k, c) in cells.iter().enumerate() {
        for &i in &c[..=D] {
            let slot = number.get_mut(i as usize).ok_or_else(|| {
                wrong(
                    k,
                    format!("cell {k} names point {i}, but there are {n} points"),
                )
            })?;
            *slot = 0;
        }
    }
    let mut known: HashMap<[u64; D], u32> = HashMap::with_capacity(n);
    let mut kept = Vec::with_capacity(n);
    for (x, slot) in points.into_iter().zip(&mut number) {
        if *slot != UNUSED {
            // −0 is 0.
            let key = x.0.map(|c| (c + 0.0).to_bits());
            let fresh = kept.len() as u32;
            *slot = *known.entry(key).or_insert(fresh);
            if *slot == fresh {
                kept.push(x);
            }
        }
    }
    for c in &mut cells {
        c[..=D].iter_mut().for_each(|i| *i = number[*i as usize]);
    }
    Ok((kept, cells))
}

/// The longest edge of a cell, from those at its first corner.
fn longest<const D: usize>(edges: &Matrix<f64, D>) -> f64 {
    let side = |j: usize| edges.column(j);
    let mut most = 0.0f64;
    for j in 0..D {
        most = most.max(side(j).norm());
        for k in 0..j {
            most = most.max((side(j) - side(k)).norm());
        }
    }
    most
}

/// What is wrong with a mesh, and the first cell that it is about.
struct Defect {
    cell: Option<usize>,
    error: ShapeError,
}

impl From<ShapeError> for Defect {
    fn from(error: ShapeError) -> Self {
        Self { cell: None, error }
    }
}

fn wrong(cell: usize, why: String) -> Defect {
    let error = ShapeError::Mismatch {
        what: "solid mesh",
        why,
    };
    Defect {
        cell: Some(cell),
        error,
    }
}
