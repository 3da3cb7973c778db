//! Checkpoints: the exact state on disk, every damage detected and named.
//!
//! ```text
//! prologue  magic[8]  version u32  header length u64  crc u32
//! header    JSON: scene, step, time, user values, columns (name, width, length)   crc u32
//! pieces    of each column in turn: index u32  stored length u64  packed length u64
//!           payload[stored]  crc u32 (over index, lengths and payload)
//! trailer   magic[8]  total length u64  crc u32 (over these and all the crcs above)
//! ```
//!
//! Numbers are little-endian. A piece is up to 4 MiB of a column, its bytes regrouped by place
//! within the element (equal exponents stand together), packed with zstd, and padded so that no
//! file can ask for more than [`RATIO`] times its own size in memory.
//!
//! A CRC-32 finds every single flipped bit and every burst of up to 32; lengths are checked
//! against the file's true size before anything is read.

mod read;
mod shuffle;
#[cfg(test)]
mod tests;
mod write;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use read::{read, read_from, read_meta};
pub use write::{write, write_to};

/// No piece unpacks to more than this many times its stored size.
pub const RATIO: u64 = 1024;

const MAGIC: [u8; 8] = *b"\x89THIXO\r\n";
const END: [u8; 8] = *b"THIXOEND";
const VERSION: u32 = 1;
const PIECE: usize = 4 << 20;

/// What a checkpoint says about itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Meta {
    /// Name of the scene.
    pub scene: String,
    /// Steps done.
    pub step: u64,
    /// Simulated time \[s\].
    pub time: f64,
    /// Anything else, by name.
    #[serde(default)]
    pub user: BTreeMap<String, String>,
}

#[derive(Serialize, Deserialize)]
struct Header {
    #[serde(flatten)]
    meta: Meta,
    columns: Vec<Shape>,
}

#[derive(Serialize, Deserialize)]
struct Shape {
    name: String,
    width: u32,
    length: u64,
}

/// Bytes of a column that go into one piece: whole elements where that is possible.
fn piece_length(width: u32) -> usize {
    match width as usize {
        w if w > 0 && w <= PIECE => PIECE - PIECE % w,
        _ => PIECE,
    }
}
