//! What can go wrong between memory and disk, as values.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// An error of reading or writing files.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be written.
    #[error("cannot write {}: {source} ({hint})", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
        /// What to try.
        hint: &'static str,
    },
    /// A file could not be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file is not what it claims to be: which part, and how.
    #[error("{}: {part} is damaged: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The part of the file, e.g. a column.
        part: String,
        /// What is wrong with it.
        what: String,
    },
    /// A file of another kind or version.
    #[error("{}: {what}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What it is instead.
        what: String,
    },
    /// Data that cannot be written as asked.
    #[error("{0}")]
    Invalid(String),
}

impl Error {
    /// A failure to write `path`, with a hint that fits the cause.
    pub fn write(path: &Path, source: io::Error) -> Self {
        let hint = match source.kind() {
            io::ErrorKind::PermissionDenied => {
                "choose another output folder, or give yourself write permission"
            }
            io::ErrorKind::NotFound => "does the folder exist?",
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                "free some space, or write fewer frames"
            }
            io::ErrorKind::ReadOnlyFilesystem => "the disk is read-only; choose another folder",
            io::ErrorKind::NotADirectory | io::ErrorKind::AlreadyExists => {
                "a file stands where a folder is needed; move it or choose another folder"
            }
            io::ErrorKind::IsADirectory => {
                "a folder stands where the file should go; move it or choose another name"
            }
            _ => "check the output folder",
        };
        Self::Write {
            path: path.into(),
            source,
            hint,
        }
    }
    /// A failure to read `path`.
    pub fn read(path: &Path, source: io::Error) -> Self {
        Self::Read {
            path: path.into(),
            source,
        }
    }
}

impl From<Error> for thixo_core::Error {
    fn from(e: Error) -> Self {
        Self::Output(e.to_string())
    }
}

/// The result of this crate's functions.
pub type Result<T, E = Error> = std::result::Result<T, E>;
