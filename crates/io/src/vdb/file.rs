//! The frame of the file: header, metadata, where each grid lies, and its transform.

use super::Grid;
use super::raster::Leaf;

/// What a file of this format begins with.
const MAGIC: i64 = 0x5644_4220;
/// Version of the file format.
const FORMAT: u32 = 224;
/// Version of the library whose files these are like: the oldest one they were read with.
const LIBRARY: [u32; 2] = [10, 0];
/// Values are deflated (1), and only those of active voxels are there (2).
const COMPRESSION: u32 = 1 | 2;

/// A value of metadata.
pub(super) enum Value<'a> {
    Text(&'a str),
    Flag(bool),
    Double(f64),
    Count(i64),
    Index([i32; 3]),
}

/// A grid as bytes, in the order of the file.
pub(super) struct Encoded {
    pub name: &'static str,
    pub tree: &'static str,
    /// Compression, metadata, transform.
    pub head: Vec<u8>,
    /// Which nodes there are.
    pub topology: Vec<u8>,
    /// The leaves' values.
    pub buffers: Vec<Vec<u8>>,
}

impl Encoded {
    /// What stands before the grid: its name, its type, that it shares no other grid's tree, and
    /// where in the file it begins, where its values begin, and where it ends. `at` is where this
    /// itself stands.
    pub fn descriptor(&self, at: u64) -> Vec<u8> {
        let mut out = Vec::new();
        for text in [self.name, self.tree, ""] {
            string(&mut out, text);
        }
        let begin = at + out.len() as u64 + 3 * 8;
        let values = begin + (self.head.len() + self.topology.len()) as u64;
        let end = values + self.buffers.iter().map(|b| b.len() as u64).sum::<u64>();
        for place in [begin, values, end] {
            out.extend(place.to_le_bytes());
        }
        out
    }
}

/// The first bytes of the file. The identifier that readers tell changed files by follows from the
/// contents.
pub(super) fn header(meta: &[u8], grids: &[Encoded]) -> Vec<u8> {
    let mut out = MAGIC.to_le_bytes().to_vec();
    for number in [FORMAT, LIBRARY[0], LIBRARY[1]] {
        out.extend(number.to_le_bytes());
    }
    out.push(1); // descriptors hold offsets
    let parts = grids.iter().flat_map(|g| {
        let values = g.buffers.iter().map(Vec::as_slice);
        [g.head.as_slice(), &g.topology].into_iter().chain(values)
    });
    out.extend(identifier(std::iter::once(meta).chain(parts)).into_bytes());
    out
}

/// A UUID of version 8 from the 128-bit FNV-1a hash of all bytes.
fn identifier<'a>(parts: impl Iterator<Item = &'a [u8]>) -> String {
    let mut h: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    for byte in parts.flatten() {
        h = (h ^ u128::from(*byte)).wrapping_mul((1 << 88) + 0x13b);
    }
    h = h & !(0xf << 76) | 8 << 76; // version
    h = h & !(0x3 << 62) | 2 << 62; // variant
    format!(
        "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
        h >> 96,
        h >> 80 & 0xffff,
        h >> 64 & 0xffff,
        h >> 48 & 0xffff,
        h & 0xffff_ffff_ffff
    )
}

/// Named values: how many, then each with its type and the length of its bytes.
pub(super) fn metadata(values: &[(&str, Value)]) -> Vec<u8> {
    let mut out = (values.len() as u32).to_le_bytes().to_vec();
    for (name, value) in values {
        let (kind, bytes) = match value {
            Value::Text(s) => ("string", s.as_bytes().to_vec()),
            Value::Flag(b) => ("bool", vec![u8::from(*b)]),
            Value::Double(x) => ("double", x.to_le_bytes().to_vec()),
            Value::Count(n) => ("int64", n.to_le_bytes().to_vec()),
            Value::Index(i) => ("vec3i", i.iter().flat_map(|i| i.to_le_bytes()).collect()),
        };
        string(&mut out, name);
        string(&mut out, kind);
        out.extend((bytes.len() as u32).to_le_bytes());
        out.extend(bytes);
    }
    out
}

/// Compression, metadata and transform of a grid.
pub(super) fn grid_head(grid: &Grid, leaves: &[Leaf], cell: f64) -> Vec<u8> {
    // The box of no voxels is inside out.
    let (mut low, mut high) = ([i32::MAX; 3], [i32::MIN; 3]);
    let mut count = 0;
    for voxel in leaves.iter().flat_map(Leaf::voxels) {
        for a in 0..3 {
            low[a] = low[a].min(voxel[a]);
            high[a] = high[a].max(voxel[a]);
        }
        count += 1;
    }
    let mut values = vec![
        ("class", Value::Text(grid.class)),
        ("file_bbox_max", Value::Index(high)),
        ("file_bbox_min", Value::Index(low)),
        ("file_compression", Value::Text("zip + active values")),
        ("file_voxel_count", Value::Count(count)),
        ("is_saved_as_half_float", Value::Flag(false)),
        ("name", Value::Text(grid.name)),
    ];
    values.extend(grid.vector.map(|v| ("vector_type", Value::Text(v))));
    let mut out = COMPRESSION.to_le_bytes().to_vec();
    out.extend(metadata(&values));
    // Node 0 of the simulation's grid is at the origin, so the map is a scale without translation.
    string(&mut out, "UniformScaleMap");
    let inverse = 1.0 / cell;
    // The scale, the size of a voxel, and what readers would have to divide by.
    for x in [cell, cell, inverse, inverse * inverse, inverse / 2.0] {
        (0..3).for_each(|_| out.extend(x.to_le_bytes()));
    }
    out
}

fn string(out: &mut Vec<u8>, s: &str) {
    out.extend((s.len() as u32).to_le_bytes());
    out.extend(s.as_bytes());
}
