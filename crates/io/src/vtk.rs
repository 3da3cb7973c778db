//! VTK's XML PolyData (`.vtp`) with appended raw binary, and the `.pvd` series that ParaView opens
//! as an animation.

use std::fmt::Write as _;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use thixo_core::PointSet;

use crate::table::{Values, bytes_of, faces, fields};
use crate::{Error, Result, atomic};

/// Writes a point set to a file, atomically.
pub fn save(path: &Path, set: &PointSet, time: f64) -> Result<()> {
    atomic::write(path, |w| write(w, set, time))
}

/// Writes a point set: its faces as polygons (in two dimensions lines), else one vertex cell per point;
/// every column as point data.
pub fn write(w: &mut dyn Write, set: &PointSet, time: f64) -> Result<()> {
    let mut blocks = Appended::default();
    let mut data = String::new();
    for f in fields(set, &["TimeValue"], |c| !c.is_control())? {
        data += &match f.values {
            Values::Id(v) => blocks.array(
                &f.name,
                "UInt64",
                1,
                bytes_of(v.iter().copied(), u64::to_le_bytes),
            ),
            Values::Vector(v) => {
                let flat = v.iter().flatten().copied();
                blocks.array(&f.name, "Float32", 3, bytes_of(flat, f32::to_le_bytes))
            }
            Values::Scalar(v) => blocks.array(
                &f.name,
                "Float32",
                1,
                bytes_of(v.iter().copied(), f32::to_le_bytes),
            ),
        };
    }
    let n = set.position.len();
    let comment = format!("{} of {}", set.name, set.material);
    let faces = faces(set)?;
    let (element, size) = match (faces.is_empty(), set.dimension) {
        (true, _) => ("Verts", 1),
        (_, 2) => ("Lines", 2),
        _ => ("Polys", 3),
    };
    let corners = if faces.is_empty() {
        bytes_of(0..n as i64, i64::to_le_bytes)
    } else {
        let ends = faces.iter().flat_map(|f| &f[..size]);
        bytes_of(ends.map(|&k| i64::from(k)), i64::to_le_bytes)
    };
    let cells = Cells {
        element,
        count: if faces.is_empty() { n } else { faces.len() },
        corners,
        size: size as i64,
    };
    file(w, &comment, time, &set.position, blocks, &data, cells)
}

/// Cells of one kind: all have the same number of corners.
pub(crate) struct Cells {
    /// The element that they stand in: `Verts`, `Lines` or `Polys`.
    pub element: &'static str,
    /// Numbers of the corners, as 64-bit integers.
    pub corners: Vec<u8>,
    /// Corners of a cell.
    pub size: i64,
    /// How many cells there are.
    pub count: usize,
}

/// Writes a file whose point data are already among the blocks.
pub(crate) fn file(
    w: &mut dyn Write,
    comment: &str,
    time: f64,
    position: &[[f64; 3]],
    mut blocks: Appended,
    data: &str,
    cells: Cells,
) -> Result<()> {
    let time_array = blocks.array("TimeValue", "Float64", 1, time.to_le_bytes().to_vec());
    let time_array = time_array.replace("<DataArray", "<DataArray NumberOfTuples=\"1\"");
    let flat = position.iter().flatten().copied();
    let points = blocks.array("Points", "Float64", 3, bytes_of(flat, f64::to_le_bytes));
    let ends = (1..=cells.count as i64).map(|k| k * cells.size);
    let corners = blocks.array("connectivity", "Int64", 1, cells.corners);
    let offsets = blocks.array("offsets", "Int64", 1, bytes_of(ends, i64::to_le_bytes));
    let n = position.len();
    let count = |element| {
        if element == cells.element {
            cells.count
        } else {
            0
        }
    };
    let head = format!(
        "<?xml version=\"1.0\"?>\n<!-- thixo: {comment} -->\n\
         <VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n\
         <PolyData>\n<FieldData>\n{time_array}</FieldData>\n\
         <Piece NumberOfPoints=\"{n}\" NumberOfVerts=\"{verts}\" NumberOfLines=\"{lines}\" \
         NumberOfStrips=\"0\" NumberOfPolys=\"{polys}\">\n<PointData>\n{data}</PointData>\n\
         <Points>\n{points}</Points>\n<{element}>\n{corners}{offsets}</{element}>\n</Piece>\n\
         </PolyData>\n<AppendedData encoding=\"raw\">\n_",
        comment = comment.replace("--", "- -").replace(['<', '>', '&'], "_"),
        verts = count("Verts"),
        lines = count("Lines"),
        polys = count("Polys"),
        element = cells.element
    );
    let io = |e| Error::write("vtp".as_ref(), e);
    w.write_all(head.as_bytes()).map_err(io)?;
    for block in &blocks.list {
        w.write_all(&(block.len() as u64).to_le_bytes())
            .map_err(io)?;
        w.write_all(block).map_err(io)?;
    }
    w.write_all(b"\n</AppendedData>\n</VTKFile>\n").map_err(io)
}

/// Blocks of the appended section, each preceded there by its length.
#[derive(Default)]
pub(crate) struct Appended {
    list: Vec<Vec<u8>>,
    end: usize,
}

impl Appended {
    /// Adds a block and returns the element that refers to it.
    pub fn array(&mut self, name: &str, kind: &str, components: usize, bytes: Vec<u8>) -> String {
        let tag = format!(
            "<DataArray type=\"{kind}\" Name=\"{}\" NumberOfComponents=\"{components}\" \
             format=\"appended\" offset=\"{}\"/>\n",
            escape(name),
            self.end
        );
        self.end += 8 + bytes.len();
        self.list.push(bytes);
        tag
    }
}

fn escape(s: &str) -> String {
    s.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// A `.pvd` file: which `.vtp` files belong to which time.
#[derive(Clone, Debug)]
pub struct Series {
    path: PathBuf,
    entries: Vec<Entry>,
}

#[derive(Clone, Debug)]
struct Entry {
    line: String,
    time: f64,
}

impl Series {
    /// An empty series; nothing is written yet.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            entries: Vec::new(),
        }
    }
    /// The series in a file that an earlier run wrote, up to just before `time`, so that a restarted
    /// run goes on with it; an empty one if there is no such file.
    pub fn resume(path: impl Into<PathBuf>, time: f64) -> Self {
        let path = path.into();
        let text = fs::read_to_string(&path).unwrap_or_default();
        let entry = |line: &str| {
            let rest = line.strip_prefix("<DataSet timestep=\"")?;
            let t = rest.split('"').next()?.parse().ok()?;
            (t < time).then(|| Entry {
                line: line.to_string(),
                time: t,
            })
        };
        let entries = text.lines().filter_map(entry).collect();
        Self { path, entries }
    }
    /// The same file, resumed before a time.
    pub(crate) fn resumed(self, time: f64) -> Self {
        Self::resume(self.path, time)
    }
    /// Adds a file, named relative to the series' own folder; in memory only.
    pub fn add(&mut self, time: f64, part: usize, name: &str, file: &str) {
        let line = format!(
            "<DataSet timestep=\"{time:?}\" group=\"\" part=\"{part}\" name=\"{}\" file=\"{}\"/>",
            escape(name),
            escape(file)
        );
        self.entries.push(Entry { line, time });
    }
    /// Times that are in the series, each once.
    pub fn times(&self) -> Vec<f64> {
        let mut times: Vec<f64> = self.entries.iter().map(|e| e.time).collect();
        times.dedup();
        times
    }
    /// Rewrites the file, atomically.
    pub fn save(&self) -> Result<()> {
        let mut text = String::from(
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" \
             byte_order=\"LittleEndian\">\n<Collection>\n",
        );
        for e in &self.entries {
            let _ = writeln!(text, "{}", e.line);
        }
        text.push_str("</Collection>\n</VTKFile>\n");
        atomic::write(&self.path, |w| w.write_all(text.as_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn offsets_point_at_lengths() {
        let set = sample::block(4, 3);
        let mut out = Vec::new();
        write(&mut out, &set, 0.5).unwrap();
        let mark = b"encoding=\"raw\">\n_";
        let start = out.windows(mark.len()).position(|w| w == mark).unwrap() + mark.len();
        let head = String::from_utf8(out[..start].to_vec()).unwrap();
        let offsets = head.split(" offset=\"").skip(1);
        let offsets: Vec<usize> = offsets
            .map(|s| s.split('"').next().unwrap().parse().unwrap())
            .collect();
        assert_eq!(offsets.len(), 5 + 3 + set.scalars.len());
        for (k, &o) in offsets.iter().enumerate() {
            let mut sorted = offsets.clone();
            sorted.sort();
            let at = start + o;
            let len = u64::from_le_bytes(out[at..at + 8].try_into().unwrap()) as usize;
            let place = sorted.iter().position(|&s| s == o).unwrap();
            match sorted.get(place + 1) {
                Some(&next) => assert_eq!(o + 8 + len, next, "block {k}"),
                None => assert!(out[at + 8 + len..].starts_with(b"\n</AppendedData>")),
            }
        }
    }

    #[test]
    fn series_resumes_before_a_time() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("s.pvd");
        let mut s = Series::new(&path);
        for k in 0..4 {
            s.add(k as f64 * 0.1, 0, "a<b", &format!("a_{k}.vtp"));
        }
        s.save().unwrap();
        let again = Series::resume(&path, 0.2);
        assert_eq!(again.times(), [0.0, 0.1]);
        assert!(
            Series::resume(dir.path().join("none.pvd"), 1.0)
                .times()
                .is_empty()
        );
    }
}
