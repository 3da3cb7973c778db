//! Wavefront OBJ: text, positions with the digits of 64-bit numbers, a normal per vertex.

use std::io::Write;

use super::Mesh;
use crate::{Error, Result, text};

/// Writes a surface. OBJ has no place for velocities.
pub(super) fn write(w: &mut dyn Write, mesh: &Mesh, time: f64) -> Result<()> {
    mesh.check()?;
    let name: String = mesh
        .name
        .chars()
        .map(|c| {
            if c.is_whitespace() || c.is_control() {
                '_'
            } else {
                c
            }
        })
        .collect();
    let io = |e| Error::write("obj".as_ref(), e);
    write!(w, "# thixo, time {time:?} s\no {name}\n").map_err(io)?;
    text::items(w, b"", &mesh.position, |out, x| row(out, b"v", x)).map_err(io)?;
    text::items(w, b"", &mesh.normal, |out, n| row(out, b"vn", n)).map_err(io)?;
    text::items(w, b"", &mesh.triangle, |out, t| {
        out.push(b'f');
        for &k in t {
            out.push(b' ');
            text::whole(out, k + 1);
            out.extend(b"//");
            text::whole(out, k + 1);
        }
        out.push(b'\n');
    })
    .map_err(io)
}

fn row<T: std::fmt::Debug + Into<f64> + Copy>(out: &mut Vec<u8>, word: &[u8], values: &[T; 3]) {
    out.extend(word);
    for &v in values {
        out.push(b' ');
        text::real(out, v);
    }
    out.push(b'\n');
}
