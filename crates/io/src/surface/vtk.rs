//! VTK's XML PolyData: triangles with normals and velocities.

use std::io::Write;

use super::Mesh;
use crate::Result;
use crate::table::bytes_of;
use crate::vtk::{Appended, Cells, file};

/// Writes a surface.
pub(super) fn write(w: &mut dyn Write, mesh: &Mesh, time: f64) -> Result<()> {
    mesh.check()?;
    let mut blocks = Appended::default();
    let mut data = String::new();
    for (name, v) in [("Normals", &mesh.normal), ("velocity", &mesh.velocity)] {
        let flat = v.iter().flatten().copied();
        data += &blocks.array(name, "Float32", 3, bytes_of(flat, f32::to_le_bytes));
    }
    let comment = format!("surface of {} of {}", mesh.name, mesh.material);
    let corners = mesh.triangle.iter().flatten().map(|&k| i64::from(k));
    let cells = Cells {
        element: "Polys",
        corners: bytes_of(corners, i64::to_le_bytes),
        size: 3,
        count: mesh.triangle.len(),
    };
    file(w, &comment, time, &mesh.position, blocks, &data, cells)
}
