//! The tree of a grid: root → nodes of 32³ → nodes of 16³ → leaves of 8³ voxels.
//!
//! All grids of a file have the same tree; only the values differ. There are no tiles, and the
//! background is zero.

use flate2::{Compress, Compression, FlushCompress, Status};
use rayon::prelude::*;

use super::raster::Leaf;

/// Where a leaf stands in the tree. Keys are ordered as the file goes through the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Key {
    /// Child of the root, in units of its 4096 voxels.
    root: [i32; 3],
    /// Child of that one: a node of 128³ voxels.
    upper: u16,
    /// Child of that one: the leaf.
    lower: u16,
}

impl Key {
    /// The leaf that begins at eight times `corner`.
    pub fn new(corner: [i32; 3]) -> Self {
        Self {
            root: corner.map(|c| c >> 9),
            upper: place(corner.map(|c| c >> 4), 5),
            lower: place(corner, 4),
        }
    }
    /// The leaf's lowest voxel.
    pub fn origin(&self) -> [i32; 3] {
        let (upper, lower) = (axes(self.upper, 5), axes(self.lower, 4));
        std::array::from_fn(|a| (self.root[a] << 12) + (upper[a] << 7) + (lower[a] << 3))
    }
}

/// Number of a child among (2^`bits`)³: the last axis goes fastest.
pub(super) fn place(at: [i32; 3], bits: u32) -> u16 {
    let mask = (1 << bits) - 1;
    let [x, y, z] = at.map(|c| c & mask);
    (x << (2 * bits) | y << bits | z) as u16
}

/// The inverse of [`place`].
pub(super) fn axes(place: u16, bits: u32) -> [i32; 3] {
    let mask = (1 << bits) - 1;
    [2 * bits, bits, 0].map(|shift| i32::from(place) >> shift & mask)
}

/// Which nodes there are, for values of `size` bytes. The leaves are in the order of their keys.
pub(super) fn topology(leaves: &[Leaf], size: usize) -> Vec<u8> {
    let mut out = 1i32.to_le_bytes().to_vec(); // number of buffers
    out.resize(out.len() + size, 0); // background
    let roots = || leaves.chunk_by(|a, b| a.key.root == b.key.root);
    out.extend(0u32.to_le_bytes()); // tiles
    out.extend((roots().count() as u32).to_le_bytes());
    for root in roots() {
        let origin = root[0].key.root.map(|c| c << 12);
        out.extend(origin.iter().flat_map(|c| c.to_le_bytes()));
        let uppers = || root.chunk_by(|a, b| a.key.upper == b.key.upper);
        node(&mut out, uppers().map(|u| u[0].key.upper), 5);
        for upper in uppers() {
            node(&mut out, upper.iter().map(|leaf| leaf.key.lower), 4);
            for leaf in upper {
                out.extend(leaf.mask.iter().flat_map(|word| word.to_le_bytes()));
            }
        }
    }
    out
}

/// A node that has children and no values of its own.
fn node(out: &mut Vec<u8>, children: impl Iterator<Item = u16>, bits: u32) {
    let size = (1usize << (3 * bits)) / 8;
    let mask = out.len();
    out.resize(mask + 2 * size, 0); // children, active values
    for child in children {
        out[mask + usize::from(child >> 3)] |= 1 << (child & 7);
    }
    out.push(BACKGROUND);
    out.extend(0i64.to_le_bytes()); // no values
}

/// Says that every inactive value is the background.
const BACKGROUND: u8 = 0;

/// The values of every leaf, each preceded by its mask.
pub(super) fn buffers(leaves: &[Leaf], values: fn(&Leaf) -> Vec<u8>) -> Vec<Vec<u8>> {
    let buffer = |leaf: &Leaf| {
        let mut out: Vec<u8> = leaf.mask.iter().flat_map(|w| w.to_le_bytes()).collect();
        out.push(BACKGROUND);
        deflated(&mut out, &values(leaf));
        out
    };
    leaves.par_iter().map(buffer).collect()
}

/// Fewer bytes than this are left as they are: setting up the compressor costs more than it saves.
const WORTH: usize = 512;

/// The length of the deflated bytes and these, or, if they are not fewer, the length of the plain
/// ones below zero and those.
fn deflated(out: &mut Vec<u8>, plain: &[u8]) {
    let mut packed = Vec::with_capacity(plain.len());
    let whole = plain.len() >= WORTH && {
        let mut deflate = Compress::new(Compression::fast(), true);
        let status = deflate.compress_vec(plain, &mut packed, FlushCompress::Finish);
        matches!(status, Ok(Status::StreamEnd))
    };
    if whole && packed.len() < plain.len() {
        out.extend((packed.len() as i64).to_le_bytes());
        out.extend(packed);
    } else {
        out.extend((-(plain.len() as i64)).to_le_bytes());
        out.extend(plain);
    }
}
