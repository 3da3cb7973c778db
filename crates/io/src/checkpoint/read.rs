//! Reading a checkpoint: nothing in the file is believed before it is checked.

use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use thixo_core::{Column, Snapshot};

use super::{END, Header, MAGIC, Meta, RATIO, VERSION, piece_length, shuffle};
use crate::{Error, Result};

/// Reads a checkpoint. Any truncation and any flipped bit is an error that names the part.
pub fn read(path: &Path) -> Result<(Snapshot, Meta)> {
    let (mut source, header) = open(path)?;
    let snapshot = source.columns(&header)?;
    Ok((snapshot, header.meta))
}

/// Reads a checkpoint of `size` bytes from anywhere; errors call it `name`.
pub fn read_from(reader: impl Read, size: u64, name: &Path) -> Result<(Snapshot, Meta)> {
    let mut source = Source::new(name, reader, size);
    let header = source.header()?;
    let snapshot = source.columns(&header)?;
    Ok((snapshot, header.meta))
}

/// Reads only what a checkpoint says about itself; its columns are not checked.
pub fn read_meta(path: &Path) -> Result<Meta> {
    Ok(open(path)?.1.meta)
}

fn open(path: &Path) -> Result<(Source<BufReader<File>>, Header)> {
    let fail = |e| Error::read(path, e);
    let file = File::open(path).map_err(fail)?;
    let size = file.metadata().map_err(fail)?.len();
    let mut source = Source::new(path, BufReader::with_capacity(1 << 18, file), size);
    let header = source.header()?;
    Ok((source, header))
}

/// A file being read, with what is known of it so far.
pub(super) struct Source<R> {
    path: PathBuf,
    reader: R,
    size: u64,
    left: u64,
    crcs: Vec<u8>,
    /// Off only in the tests' negative control.
    pub(super) check: bool,
}

impl<R: Read> Source<R> {
    pub(super) fn new(path: &Path, reader: R, size: u64) -> Self {
        Self {
            path: path.into(),
            reader,
            size,
            left: size,
            crcs: Vec::new(),
            check: true,
        }
    }

    fn damaged(&self, part: &str, what: impl Into<String>) -> Error {
        Error::Damaged {
            path: self.path.clone(),
            part: part.into(),
            what: what.into(),
        }
    }

    /// Exactly `n` bytes; memory grows only with what is really there.
    fn take(&mut self, n: u64, part: &str) -> Result<Vec<u8>> {
        if n > self.left {
            let what = format!("cut off: needs {n} bytes, the file has {} more", self.left);
            return Err(self.damaged(part, what));
        }
        let mut bytes = Vec::new();
        let got = self.reader.by_ref().take(n).read_to_end(&mut bytes);
        let got = got.map_err(|e| Error::read(&self.path, e))? as u64;
        self.left -= got;
        if got < n {
            return Err(self.damaged(part, "cut off while it was read"));
        }
        Ok(bytes)
    }

    fn array<const N: usize>(&mut self, part: &str) -> Result<[u8; N]> {
        let bytes = self.take(N as u64, part)?;
        bytes.try_into().map_err(|_| self.damaged(part, "cut off"))
    }

    fn u64(&mut self, part: &str) -> Result<u64> {
        Ok(u64::from_le_bytes(self.array(part)?))
    }

    fn checksum(&mut self, parts: &[&[u8]], part: &str) -> Result<()> {
        let mut crc = crc32fast::Hasher::new();
        parts.iter().for_each(|p| crc.update(p));
        let stored: [u8; 4] = self.array(part)?;
        self.crcs.extend(stored);
        if self.check && stored != crc.finalize().to_le_bytes() {
            return Err(self.damaged(part, "checksum does not match"));
        }
        Ok(())
    }

    pub(super) fn header(&mut self) -> Result<Header> {
        let part = "prologue";
        let magic: [u8; 8] = self.array(part)?;
        let alike = magic.iter().zip(MAGIC).filter(|(a, b)| **a == *b).count();
        if alike < 6 {
            let what = "not a thixo checkpoint".into();
            return Err(Error::Foreign {
                path: self.path.clone(),
                what,
            });
        }
        let version: [u8; 4] = self.array(part)?;
        let length = self.u64(part)?;
        self.checksum(&[&magic, &version, &length.to_le_bytes()], part)?;
        let version = u32::from_le_bytes(version);
        if version != VERSION {
            let what = format!("checkpoint version {version}; this build reads {VERSION}");
            return Err(Error::Foreign {
                path: self.path.clone(),
                what,
            });
        }
        let part = "header";
        let json = self.take(length, part)?;
        self.checksum(&[&json], part)?;
        serde_json::from_slice(&json).map_err(|e| self.damaged(part, e.to_string()))
    }

    pub(super) fn columns(&mut self, header: &Header) -> Result<Snapshot> {
        let mut columns = Vec::new();
        let mut index = 0u32;
        for shape in &header.columns {
            let piece = piece_length(shape.width) as u64;
            let pieces = shape.length.div_ceil(piece);
            let mut bytes = Vec::new();
            for k in 0..pieces {
                let part = format!("column `{}`, piece {} of {pieces}", shape.name, k + 1);
                let raw = piece.min(shape.length - k * piece);
                let planes = self.piece(index, raw, &part)?;
                shuffle::join(&planes, shape.width as usize, &mut bytes);
                index = index.wrapping_add(1);
            }
            columns.push(Column {
                name: shape.name.clone(),
                width: shape.width,
                bytes,
            });
        }
        self.trailer()?;
        Ok(Snapshot::from_columns(columns))
    }

    /// The `raw` bytes of one piece, still in byte planes.
    fn piece(&mut self, expected: u32, raw: u64, part: &str) -> Result<Vec<u8>> {
        let index: [u8; 4] = self.array(part)?;
        let stored = self.u64(part)?;
        let length = self.u64(part)?;
        let payload = self.take(stored, part)?;
        let lengths = [stored.to_le_bytes(), length.to_le_bytes()];
        self.checksum(&[&index, &lengths[0], &lengths[1], &payload], part)?;
        if u32::from_le_bytes(index) != expected {
            return Err(self.damaged(part, "out of order"));
        }
        if raw > stored.saturating_mul(RATIO) || length > stored {
            return Err(self.damaged(part, "its lengths are impossible"));
        }
        let unpack = || -> std::io::Result<Vec<u8>> {
            let decoder = zstd::stream::read::Decoder::with_buffer(&payload[..length as usize])?;
            let mut planes = Vec::with_capacity(raw as usize);
            decoder.take(raw + 1).read_to_end(&mut planes)?;
            Ok(planes)
        };
        match unpack() {
            Ok(planes) if planes.len() as u64 == raw => Ok(planes),
            Ok(_) => Err(self.damaged(part, "unpacks to another length")),
            Err(e) => Err(self.damaged(part, format!("does not unpack: {e}"))),
        }
    }

    fn trailer(&mut self) -> Result<()> {
        let part = "trailer";
        let end: [u8; 8] = self.array(part)?;
        let total = self.u64(part)?;
        let crcs = std::mem::take(&mut self.crcs);
        self.checksum(&[&end, &total.to_le_bytes(), &crcs], part)?;
        if self.check && (end != END || total != self.size || self.left != 0) {
            let what = format!("should be {total} bytes long, is {}", self.size);
            return Err(self.damaged(part, what));
        }
        Ok(())
    }
}
