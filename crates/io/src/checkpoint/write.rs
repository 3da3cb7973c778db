//! Writing a checkpoint.

use std::io::Write;
use std::path::Path;

use rayon::prelude::*;
use thixo_core::Snapshot;

use super::{END, Header, MAGIC, Meta, RATIO, Shape, VERSION, piece_length, shuffle};
use crate::{Error, Result, atomic};

/// Writes a snapshot, atomically: `path` is either the previous checkpoint or this one, whole.
pub fn write(path: &Path, snapshot: &Snapshot, meta: &Meta) -> Result<()> {
    if !meta.time.is_finite() {
        return Err(Error::Invalid(format!(
            "checkpoint at a time of {} s",
            meta.time
        )));
    }
    atomic::write(path, |w| write_to(w, snapshot, meta))
}

/// Writes the bytes of a checkpoint anywhere.
pub fn write_to(w: &mut dyn Write, snapshot: &Snapshot, meta: &Meta) -> Result<()> {
    let shape = |c: &thixo_core::Column| Shape {
        name: c.name.clone(),
        width: c.width,
        length: c.bytes.len() as u64,
    };
    let columns = snapshot.columns.iter().map(shape).collect();
    let header = serde_json::to_vec(&Header {
        meta: meta.clone(),
        columns,
    })
    .map_err(|e| Error::Invalid(format!("checkpoint header: {e}")))?;
    let mut out = Sealed {
        w,
        total: 0,
        crcs: Vec::new(),
    };

    out.put(&[
        &MAGIC,
        &VERSION.to_le_bytes(),
        &(header.len() as u64).to_le_bytes(),
    ])?;
    out.put(&[&header])?;
    let mut index = 0u32;
    for column in &snapshot.columns {
        let pieces = column.bytes.par_chunks(piece_length(column.width));
        let packed: Vec<Result<Vec<u8>>> =
            pieces.map(|raw| pack(raw, column.width as usize)).collect();
        for (packed, raw) in packed
            .into_iter()
            .zip(column.bytes.chunks(piece_length(column.width)))
        {
            let mut payload = packed?;
            let length = payload.len() as u64;
            let least = (raw.len() as u64).div_ceil(RATIO);
            payload.resize(length.max(least) as usize, 0);
            let stored = payload.len() as u64;
            out.put(&[
                &index.to_le_bytes(),
                &stored.to_le_bytes(),
                &length.to_le_bytes(),
                &payload,
            ])?;
            index += 1;
        }
    }
    let total = out.total + (END.len() + 8 + 4) as u64;
    let crcs = std::mem::take(&mut out.crcs);
    let mut seal = crc32fast::Hasher::new();
    seal.update(&END);
    seal.update(&total.to_le_bytes());
    seal.update(&crcs);
    out.raw(&[&END, &total.to_le_bytes(), &seal.finalize().to_le_bytes()])
}

fn pack(raw: &[u8], width: usize) -> Result<Vec<u8>> {
    zstd::bulk::compress(&shuffle::split(raw, width), 1)
        .map_err(|e| Error::Invalid(format!("checkpoint: zstd: {e}")))
}

/// A writer that follows every part with its checksum.
struct Sealed<'a> {
    w: &'a mut dyn Write,
    total: u64,
    crcs: Vec<u8>,
}

impl Sealed<'_> {
    fn put(&mut self, parts: &[&[u8]]) -> Result<()> {
        let mut crc = crc32fast::Hasher::new();
        parts.iter().for_each(|p| crc.update(p));
        let crc = crc.finalize().to_le_bytes();
        self.crcs.extend(crc);
        self.raw(parts)?;
        self.raw(&[&crc])
    }
    fn raw(&mut self, parts: &[&[u8]]) -> Result<()> {
        for p in parts {
            self.w
                .write_all(p)
                .map_err(|e| Error::write("checkpoint".as_ref(), e))?;
            self.total += p.len() as u64;
        }
        Ok(())
    }
}
