//! NumPy's `.npz`: a zip archive, stored without compression, of one `.npy` array per column.
//!
//! ```python
//! f = numpy.load("water_0001.npz")
//! f["position"]  # (n, 3), 64 bits
//! f["time"]      # seconds
//! ```

use std::io::Write;

use thixo_core::PointSet;

use crate::table::{Values, bytes_of, fields};
use crate::{Error, Result};

/// Writes a point set: `position`, `velocity`, `id`, `mass`, `volume` and its further columns, and
/// without dimensions `time`, `cell`, `spacing`, `dimension`, `name` and `material`.
pub fn write(w: &mut dyn Write, set: &PointSet, time: f64) -> Result<()> {
    let own = [
        "position",
        "time",
        "cell",
        "spacing",
        "dimension",
        "name",
        "material",
    ];
    let fields = fields(set, &own, |c| {
        c.is_ascii_alphanumeric() || "_-.".contains(c)
    })?;
    let mut zip = Zip::new(w);
    let n = set.position.len();
    let row = format!("({n},)");
    let rows = format!("({n}, 3)");
    let flat = set.position.iter().flatten().copied();
    zip.array("position", "<f8", &rows, bytes_of(flat, f64::to_le_bytes))?;
    for f in fields {
        let name = &f.name;
        match f.values {
            Values::Id(v) => {
                let bytes = bytes_of(v.iter().copied(), u64::to_le_bytes);
                zip.array(name, "<u8", &row, bytes)?;
            }
            Values::Vector(v) => {
                let bytes = bytes_of(v.iter().flatten().copied(), f32::to_le_bytes);
                zip.array(name, "<f4", &rows, bytes)?;
            }
            Values::Scalar(v) => {
                let bytes = bytes_of(v.iter().copied(), f32::to_le_bytes);
                zip.array(name, "<f4", &row, bytes)?;
            }
        }
    }
    for (name, x) in [("time", time), ("cell", set.cell), ("spacing", set.spacing)] {
        zip.array(name, "<f8", "()", x.to_le_bytes().to_vec())?;
    }
    let dimension = set.dimension as u64;
    zip.array("dimension", "<u8", "()", dimension.to_le_bytes().to_vec())?;
    for (name, text) in [("name", &set.name), ("material", &set.material)] {
        let letters = text.chars().count().max(1); // NumPy has no text of width 0
        let mut bytes = bytes_of(text.chars().map(u32::from), u32::to_le_bytes);
        bytes.resize(4 * letters, 0);
        zip.array(name, &format!("<U{letters}"), "()", bytes)?;
    }
    zip.finish()
}

/// A zip archive in the making, every entry stored as it is.
struct Zip<'w> {
    out: &'w mut dyn Write,
    at: u64,
    directory: Vec<u8>,
    entries: u16,
}

impl<'w> Zip<'w> {
    fn new(out: &'w mut dyn Write) -> Self {
        Self {
            out,
            at: 0,
            directory: Vec::new(),
            entries: 0,
        }
    }

    fn put(&mut self, bytes: &[u8]) -> Result<()> {
        self.at += bytes.len() as u64;
        let io = |e| Error::write("npz".as_ref(), e);
        self.out.write_all(bytes).map_err(io)
    }

    /// Adds an array of a NumPy type and shape.
    fn array(&mut self, name: &str, kind: &str, shape: &str, bytes: Vec<u8>) -> Result<()> {
        let mut head = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}");
        // Magic, version and length take 10 bytes; the whole is padded to 64, ending in a newline.
        let pad = 63 - (10 + head.len()) % 64;
        head.extend(std::iter::repeat_n(' ', pad));
        head.push('\n');
        let mut npy = b"\x93NUMPY\x01\x00".to_vec();
        npy.extend((head.len() as u16).to_le_bytes());
        npy.extend(head.as_bytes());
        let mut sum = crc32fast::Hasher::new();
        sum.update(&npy);
        sum.update(&bytes);
        let size = limit((npy.len() + bytes.len()) as u64)?;
        let start = limit(self.at)?;
        let file = format!("{name}.npy");
        let mut common = vec![20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0]; // version 2.0, stored, 1980-01-01
        for x in [sum.finalize(), size, size] {
            common.extend(x.to_le_bytes());
        }
        common.extend((file.len() as u16).to_le_bytes());
        common.extend([0, 0]); // no extra field
        self.directory.extend(b"PK\x01\x02\x14\x00");
        self.directory.extend(&common);
        self.directory.extend([0; 10]); // no comment, first disk, no attributes
        self.directory.extend(start.to_le_bytes());
        self.directory.extend(file.as_bytes());
        self.entries += 1;
        self.put(b"PK\x03\x04")?;
        self.put(&common)?;
        self.put(file.as_bytes())?;
        self.put(&npy)?;
        self.put(&bytes)
    }

    fn finish(mut self) -> Result<()> {
        let start = limit(self.at)?;
        let directory = std::mem::take(&mut self.directory);
        let mut end = b"PK\x05\x06\0\0\0\0".to_vec();
        end.extend(self.entries.to_le_bytes());
        end.extend(self.entries.to_le_bytes());
        end.extend((directory.len() as u32).to_le_bytes());
        end.extend(start.to_le_bytes());
        end.extend([0, 0]); // no comment
        self.put(&directory)?;
        self.put(&end)
    }
}

/// Sizes and places in a plain zip archive have 32 bits.
fn limit(bytes: u64) -> Result<u32> {
    u32::try_from(bytes)
        .ok()
        .filter(|&n| n < u32::MAX)
        .ok_or_else(|| {
            Error::Invalid("a NumPy archive of more than 4 GiB; choose `vtk` or `ply`".into())
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn directory_points_at_entries_and_arrays_are_aligned() {
        let set = sample::block(4, 3);
        let mut out = Vec::new();
        write(&mut out, &set, 0.5).unwrap();
        let mut again = Vec::new();
        write(&mut again, &set, 0.5).unwrap();
        assert!(out == again, "same bits twice");
        let u32_at = |k: usize| u32::from_le_bytes(out[k..k + 4].try_into().unwrap()) as usize;
        let end = out.len() - 22;
        assert!(out[end..].starts_with(b"PK\x05\x06"));
        let entries = usize::from(out[end + 10]);
        assert_eq!(entries, 1 + 4 + set.scalars.len() + 6);
        let mut at = u32_at(end + 16);
        for _ in 0..entries {
            assert!(out[at..].starts_with(b"PK\x01\x02"));
            let (sum, size) = (u32_at(at + 16), u32_at(at + 20));
            let name = usize::from(out[at + 28]);
            let data = u32_at(at + 42) + 30 + name;
            assert!(out[u32_at(at + 42)..].starts_with(b"PK\x03\x04"));
            let npy = &out[data..data + size];
            assert_eq!(crc32fast::hash(npy) as usize, sum);
            let head = usize::from(u16::from_le_bytes([npy[8], npy[9]]));
            assert!(npy.starts_with(b"\x93NUMPY") && (10 + head) % 64 == 0);
            at += 46 + name;
        }
        assert_eq!(at, end);
    }

    #[test]
    fn more_than_the_archive_can_address_is_refused() {
        assert!(limit(u64::from(u32::MAX) - 1).is_ok());
        assert!(limit(u64::from(u32::MAX)).is_err());
    }
}
