//! PLY, binary little-endian: one vertex per point with all its columns as properties, and the faces of
//! sets that have some (in two dimensions edges).
//!
//! PLY knows no 64-bit integers: `id` is an unsigned 32-bit property, and when a number needs more,
//! the upper half stands in `id_high`.

use std::fmt::Write as _;
use std::io::Write;

use thixo_core::PointSet;

use crate::Result;
use crate::table::{Field, Values, faces, fields};
use crate::{Error, atomic};

/// Writes a point set to a file, atomically.
pub fn save(path: &std::path::Path, set: &PointSet, time: f64) -> Result<()> {
    atomic::write(path, |w| write(w, set, time))
}

/// Writes a point set.
pub fn write(w: &mut dyn Write, set: &PointSet, time: f64) -> Result<()> {
    let taken = ["x", "y", "z", "vx", "vy", "vz", "id_high"];
    let fields = fields(set, &taken, |c| c.is_ascii_graphic())?;
    let faces = faces(set)?;
    let wide = set.id.iter().any(|&i| i > u64::from(u32::MAX));
    let io = |e| Error::write("ply".as_ref(), e);
    w.write_all(header(set, time, &fields, wide).as_bytes())
        .map_err(io)?;
    let mut row = Vec::with_capacity(64 + 4 * fields.len());
    for (p, x) in set.position.iter().enumerate() {
        row.clear();
        for &x in x {
            row.extend(x.to_le_bytes());
        }
        for f in &fields {
            match f.values {
                Values::Id(v) if wide => row.extend(v[p].to_le_bytes()), // low half first
                Values::Id(v) => row.extend((v[p] as u32).to_le_bytes()),
                Values::Vector(v) => row.extend(v[p].iter().flat_map(|c| c.to_le_bytes())),
                Values::Scalar(v) => row.extend(v[p].to_le_bytes()),
            }
        }
        w.write_all(&row).map_err(io)?;
    }
    for f in faces {
        row.clear();
        if set.dimension == 2 {
            row.extend(f[..2].iter().flat_map(|k| k.to_le_bytes()));
        } else {
            row.push(3);
            row.extend(f.iter().flat_map(|k| k.to_le_bytes()));
        }
        w.write_all(&row).map_err(io)?;
    }
    Ok(())
}

fn header(set: &PointSet, time: f64, fields: &[Field], wide: bool) -> String {
    let mut h = String::from("ply\nformat binary_little_endian 1.0\n");
    let line = |s: &str| s.replace(['\n', '\r'], " ");
    let _ = write!(
        h,
        "comment thixo\ncomment name {}\ncomment material {}\ncomment dimension {}\n\
         comment time {time:?} s\ncomment cell {:?} m\nelement vertex {}\n\
         property double x\nproperty double y\nproperty double z\n",
        line(&set.name),
        line(&set.material),
        set.dimension,
        set.cell,
        set.position.len()
    );
    for f in fields {
        let _ = match f.values {
            Values::Id(_) if wide => h.write_str("property uint id\nproperty uint id_high\n"),
            Values::Id(_) => h.write_str("property uint id\n"),
            Values::Vector(_) => {
                h.write_str("property float vx\nproperty float vy\nproperty float vz\n")
            }
            Values::Scalar(_) => writeln!(h, "property float {}", f.name),
        };
    }
    let count = set.faces.len();
    let _ = match (count, set.dimension) {
        (0, _) => Ok(()),
        (_, 2) => write!(
            h,
            "element edge {count}\nproperty int vertex1\nproperty int vertex2\n"
        ),
        _ => write!(
            h,
            "element face {count}\nproperty list uchar int vertex_indices\n"
        ),
    };
    h.push_str("end_header\n");
    h
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn size_is_header_plus_rows() {
        let set = sample::block(5, 3);
        let mut out = Vec::new();
        write(&mut out, &set, 0.25).unwrap();
        let text = b"end_header\n";
        let end = out.windows(text.len()).position(|w| w == text).unwrap() + text.len();
        let row = 24 + 4 + 12 + 4 + 4 + 4 * set.scalars.len();
        assert_eq!(out.len() - end, row * set.position.len());
    }

    #[test]
    fn faces_follow_the_rows() {
        for (set, face, word) in [
            (sample::skin(3), 1 + 12, "element face 108\nproperty list"),
            (sample::ring(7), 8, "element edge 14\nproperty int vertex1"),
        ] {
            let (mut with, mut without) = (Vec::new(), Vec::new());
            write(&mut with, &set, 0.0).unwrap();
            let mut bare = set.clone();
            bare.faces.clear();
            write(&mut without, &bare, 0.0).unwrap();
            let text = String::from_utf8_lossy(&with).into_owned();
            assert!(text.contains(word), "{word}");
            let head = text.find("end_header").unwrap()
                - text
                    .find("element face")
                    .or(text.find("element edge"))
                    .unwrap();
            assert_eq!(with.len() - without.len(), face * set.faces.len() + head);
            let mut lost = set.clone();
            lost.faces[2] = [0, 1, 700];
            let e = write(&mut Vec::new(), &lost, 0.0).unwrap_err().to_string();
            assert!(e.contains("face 2 names point 700"), "{e}");
        }
    }

    #[test]
    fn hostile_names_do_not_break_the_header() {
        let mut set = sample::block(2, 3);
        set.material = "a\nend_header".into();
        set.scalars = vec![("x".into(), vec![0.0; 8]), ("a b\n".into(), vec![0.0; 8])];
        set.id[0] = 1 << 40;
        let mut out = Vec::new();
        write(&mut out, &set, 0.0).unwrap();
        let text = String::from_utf8_lossy(&out).into_owned();
        assert!(
            text.contains("property float x_2\nproperty float a_b_\nend_header\n"),
            "{text}"
        );
        assert!(text.contains("property uint id_high"));
    }

    #[test]
    fn short_column_is_an_error() {
        let mut set = sample::block(2, 3);
        set.mass.pop();
        let e = write(&mut Vec::new(), &set, 0.0).unwrap_err();
        assert!(
            e.to_string().contains("`mass` has 7 values for 8 points"),
            "{e}"
        );
    }
}
