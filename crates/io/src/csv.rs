//! Comma-separated text: a header row, then one row per point with all its columns.
//!
//! Positions have the digits of 64-bit numbers, everything else of 32-bit ones. Names of columns
//! have letters, digits and `_-.` only, so nothing needs quotes.

use std::io::Write;

use thixo_core::PointSet;

use crate::table::{Values, fields};
use crate::{Error, Result, text};

/// Writes a point set. The time is not in it: a table of points has no place for it.
pub fn write(w: &mut dyn Write, set: &PointSet, _time: f64) -> Result<()> {
    let taken = ["x", "y", "z", "vx", "vy", "vz"];
    let fields = fields(set, &taken, |c| c.is_alphanumeric() || "_-.".contains(c))?;
    let mut head = String::from("x,y,z");
    for f in &fields {
        head.push(',');
        head += match f.values {
            Values::Vector(_) => "vx,vy,vz",
            _ => &f.name,
        };
    }
    head.push('\n');
    let io = |e| Error::write("csv".as_ref(), e);
    w.write_all(head.as_bytes()).map_err(io)?;
    text::items(w, b"", 0..set.position.len(), |out, p| {
        let [x, y, z] = set.position[p];
        text::real(out, x);
        for c in [y, z] {
            out.push(b',');
            text::real(out, c);
        }
        for f in &fields {
            match f.values {
                Values::Id(v) => {
                    out.push(b',');
                    text::whole(out, v[p]);
                }
                Values::Vector(v) => v[p].iter().for_each(|&c| {
                    out.push(b',');
                    text::real(out, c);
                }),
                Values::Scalar(v) => {
                    out.push(b',');
                    text::real(out, v[p]);
                }
            }
        }
        out.push(b'\n');
    })
    .map_err(io)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn rows_and_columns_agree_with_the_header() {
        let mut set = sample::block(3, 3);
        set.scalars[0].0 = "a,\"b\nc".into();
        set.position[5][1] = 0.1 + 0.2;
        let mut out = Vec::new();
        write(&mut out, &set, 0.0).unwrap();
        let text = String::from_utf8(out).unwrap();
        let mut rows = text.lines();
        let head = rows.next().unwrap();
        assert_eq!(head, "x,y,z,id,vx,vy,vz,mass,volume,a__b_c,temperature");
        let rows: Vec<Vec<&str>> = rows.map(|r| r.split(',').collect()).collect();
        assert_eq!(rows.len(), 27);
        assert!(rows.iter().all(|r| r.len() == 11));
        assert_eq!(rows[5][1], "0.30000000000000004");
        assert_eq!(rows[5][3], "5");
        assert_eq!(rows[5][4].parse::<f32>().unwrap(), set.velocity[5][0]);
    }

    #[test]
    fn no_points_leave_the_header() {
        let mut out = Vec::new();
        write(&mut out, &sample::block(0, 3), 0.0).unwrap();
        assert_eq!(
            out,
            b"x,y,z,id,vx,vy,vz,mass,volume,plastic_volume,temperature\n"
        );
    }
}
