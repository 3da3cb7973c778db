//! PLY, binary little-endian: vertices with normals and velocities, and faces.

use std::io::Write;

use super::Mesh;
use crate::{Error, Result};

/// Writes a surface.
pub(super) fn write(w: &mut dyn Write, mesh: &Mesh, time: f64) -> Result<()> {
    mesh.check()?;
    let line = |s: &str| s.replace(['\n', '\r'], " ");
    let mut head = format!(
        "ply\nformat binary_little_endian 1.0\ncomment thixo\ncomment name {}\n\
         comment material {}\ncomment time {time:?} s\nelement vertex {}\n",
        line(&mesh.name),
        line(&mesh.material),
        mesh.position.len()
    );
    for (kind, names) in [
        ("double", ["x", "y", "z"]),
        ("float", ["nx", "ny", "nz"]),
        ("float", ["vx", "vy", "vz"]),
    ] {
        for name in names {
            head += &format!("property {kind} {name}\n");
        }
    }
    head += &format!(
        "element face {}\nproperty list uchar int vertex_indices\nend_header\n",
        mesh.triangle.len()
    );
    let io = |e| Error::write("ply".as_ref(), e);
    w.write_all(head.as_bytes()).map_err(io)?;
    let mut row = Vec::with_capacity(48);
    for (k, x) in mesh.position.iter().enumerate() {
        row.clear();
        row.extend(x.iter().flat_map(|c| c.to_le_bytes()));
        let vectors = [mesh.normal[k], mesh.velocity[k]];
        row.extend(vectors.iter().flatten().flat_map(|c| c.to_le_bytes()));
        w.write_all(&row).map_err(io)?;
    }
    for t in &mesh.triangle {
        row.clear();
        row.push(3);
        row.extend(t.iter().flat_map(|k| k.to_le_bytes()));
        w.write_all(&row).map_err(io)?;
    }
    Ok(())
}
