//! The exact state as named columns of bytes: what a checkpoint writes, a restart reads, and the
//! state hash is taken of. What is scratch is not in it.

use bytemuck::Pod;

use crate::{Error, Result};

/// One named column of raw little-endian numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Column {
    /// `system/quantity`.
    pub name: String,
    /// Bytes of one element.
    pub width: u32,
    /// The elements.
    pub bytes: Vec<u8>,
}

/// An ordered list of columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapshot {
    /// The columns, in the order they were written.
    pub columns: Vec<Column>,
    prefix: String,
}

impl Snapshot {
    /// An empty snapshot.
    pub fn new() -> Self {
        Self::default()
    }
    /// A snapshot of columns that were read from somewhere.
    pub fn from_columns(columns: Vec<Column>) -> Self {
        Self {
            columns,
            prefix: String::new(),
        }
    }
    /// Runs `f` with `name/` put before every column name.
    pub fn within<R>(&mut self, name: &str, f: impl FnOnce(&mut Self) -> R) -> R {
        let before = self.prefix.len();
        self.prefix.push_str(name);
        self.prefix.push('/');
        let r = f(self);
        self.prefix.truncate(before);
        r
    }
    /// Appends a column.
    pub fn put<P: Pod>(&mut self, name: &str, values: &[P]) {
        let width = size_of::<P>();
        let bytes = if width == 0 {
            Vec::new()
        } else {
            bytemuck::cast_slice(values).to_vec()
        };
        self.columns.push(Column {
            name: format!("{}{name}", self.prefix),
            width: width as u32,
            bytes,
        });
    }
    /// The values of a column; an error if it is missing or of another width.
    pub fn get<P: Pod>(&self, name: &str) -> Result<Vec<P>> {
        let full = format!("{}{name}", self.prefix);
        let column = self.columns.iter().find(|c| c.name == full);
        let column = column.ok_or_else(|| Error::Snapshot(format!("no column `{full}`")))?;
        let width = size_of::<P>();
        if column.width as usize != width || (width > 0 && column.bytes.len() % width != 0) {
            return Err(Error::Snapshot(format!(
                "column `{full}` has elements of {} bytes, expected {width}",
                column.width
            )));
        }
        if width == 0 {
            return Ok(Vec::new());
        }
        let chunks = column.bytes.chunks_exact(width);
        Ok(chunks.map(bytemuck::pod_read_unaligned).collect())
    }
    /// The one value of a column.
    pub fn one<P: Pod>(&self, name: &str) -> Result<P> {
        let all = self.get::<P>(name)?;
        match all.as_slice() {
            [x] => Ok(*x),
            _ => Err(Error::Snapshot(format!(
                "column `{}{name}` has {} values, expected 1",
                self.prefix,
                all.len()
            ))),
        }
    }
    /// The prefix form of [`Snapshot::within`] for reading.
    pub fn view(&self, name: &str) -> Self {
        let start = format!("{}{name}/", self.prefix);
        let mine = self.columns.iter().filter(|c| c.name.starts_with(&start));
        let columns = mine.map(|c| Column {
            name: c.name[start.len()..].into(),
            ..c.clone()
        });
        Self {
            columns: columns.collect(),
            prefix: String::new(),
        }
    }
    /// A hash of every bit of every column, 32 hexadecimal digits.
    pub fn hash(&self) -> String {
        let mut h = blake3::Hasher::new();
        for c in &self.columns {
            h.update(&(c.name.len() as u64).to_le_bytes());
            h.update(c.name.as_bytes());
            h.update(&c.width.to_le_bytes());
            h.update(&(c.bytes.len() as u64).to_le_bytes());
            h.update(&c.bytes);
        }
        h.finalize().to_hex()[..32].to_string()
    }
}
