//! Files that are either whole or not there: written under a temporary name in the same folder,
//! synced to disk, then renamed. A run that is killed while it writes leaves the previous file.

use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use atomic_write_file::AtomicWriteFile;

use crate::{Error, Result};

/// Writes `path` through `fill`; the file appears under its name only when all of it is on disk.
pub fn write<E>(path: &Path, fill: impl FnOnce(&mut dyn Write) -> Result<(), E>) -> Result<()>
where
    Error: FromFill<E>,
{
    let mut draft = Draft::create(path)?;
    fill(&mut draft.out).map_err(|e| Error::from_fill(path, e))?;
    draft.commit()
}

/// A file in the making, for what is written bit by bit. Dropped before it is committed, it leaves
/// nothing.
pub(crate) struct Draft {
    path: PathBuf,
    out: BufWriter<AtomicWriteFile>,
}

impl Draft {
    /// Begins a file.
    pub fn create(path: &Path) -> Result<Self> {
        let fail = |e| Error::write(path, e);
        if path.is_dir() {
            return Err(fail(io::ErrorKind::IsADirectory.into())); // the rename would fail, too late
        }
        let file = AtomicWriteFile::open(path).map_err(fail)?;
        Ok(Self {
            path: path.into(),
            out: BufWriter::with_capacity(1 << 18, file),
        })
    }
    /// The file's name to be.
    pub fn path(&self) -> &Path {
        &self.path
    }
    /// Gives the file its name, when all of it is on disk.
    pub fn commit(self) -> Result<()> {
        let fail = |e| Error::write(&self.path, e);
        let file = self.out.into_inner().map_err(|e| fail(e.into_error()))?;
        file.commit().map_err(fail)?; // syncs, then renames
        sync_folder(&self.path).map_err(fail)
    }
}

impl Write for Draft {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Seek for Draft {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.out.flush()?;
        self.out.get_mut().as_file_mut().seek(to)
    }
}

/// How an error of the filling function becomes ours: a plain I/O error gets the path.
pub trait FromFill<E> {
    /// The error with its path.
    fn from_fill(path: &Path, e: E) -> Self;
}

impl FromFill<io::Error> for Error {
    fn from_fill(path: &Path, e: io::Error) -> Self {
        Self::write(path, e)
    }
}

impl FromFill<Error> for Error {
    fn from_fill(path: &Path, e: Error) -> Self {
        match e {
            Error::Write { source, .. } => Self::write(path, source),
            e => e,
        }
    }
}

/// Makes a folder and its parents, with an error that names it.
pub fn folder(path: &Path) -> Result<()> {
    fs::create_dir_all(path).map_err(|e| Error::write(path, e))
}

/// The rename itself is durable only when the folder is synced.
fn sync_folder(path: &Path) -> io::Result<()> {
    if !cfg!(unix) {
        return Ok(());
    }
    let parent = path.parent().filter(|p| !p.as_os_str().is_empty());
    match File::open(parent.unwrap_or(Path::new("."))).and_then(|f| f.sync_all()) {
        // Some network file systems cannot sync a folder; the file itself is safe.
        Err(e)
            if matches!(
                e.kind(),
                io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported
            ) =>
        {
            Ok(())
        }
        Err(e) if e.kind() == io::ErrorKind::PermissionDenied => Ok(()), // writable, not readable
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failure_leaves_the_previous_file() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.txt");
        write(&path, |w| w.write_all(b"first")).unwrap();
        let r = write(&path, |w| {
            w.write_all(b"half of the seco")?;
            Err(io::Error::other("boom"))
        });
        assert!(r.unwrap_err().to_string().contains("a.txt"));
        assert_eq!(fs::read(&path).unwrap(), b"first");
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "no litter");
        write(&path, |w| w.write_all(b"second")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"second");
    }

    #[test]
    fn missing_folder_is_named() {
        let e = write(Path::new("/nonexistent/x/y.ply"), |w| w.write_all(b"")).unwrap_err();
        let s = e.to_string();
        assert!(
            s.contains("/nonexistent/x/y.ply") && s.contains("folder"),
            "{s}"
        );
    }
}
