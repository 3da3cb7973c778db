//! Frames of a run: particle files in every format asked for, and the series file.
//!
//! ```text
//! FOLDER/particles/BODY_0001.ply  BODY_0001.vtp  SCENE.pvd
//! ```

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use thixo_core::{Observer, PointSet};

use crate::vtk::Series;
use crate::{Error, Result, atomic, ply, vdb, vtk};

/// A particle file format.
pub struct Format {
    /// Its name, by which a writer is asked for it.
    pub name: &'static str,
    /// Its file name extension.
    pub extension: &'static str,
    /// Writes a point set at a time \[s\].
    pub write: fn(&mut dyn Write, &PointSet, f64) -> Result<()>,
}

/// All formats, one line each.
pub const FORMATS: &[Format] = &[
    Format {
        name: "ply",
        extension: "ply",
        write: |w, s, t| ply::write(w, s, t, ply::Precision::Double),
    },
    Format {
        name: "ply32",
        extension: "f32.ply",
        write: |w, s, t| ply::write(w, s, t, ply::Precision::Single),
    },
    Format {
        name: "vtk",
        extension: "vtp",
        write: vtk::write,
    },
    Format {
        name: "vdb",
        extension: "vdb",
        write: vdb::write,
    },
];

/// The format of a name; the error lists those there are.
pub fn format(name: &str) -> Result<&'static Format> {
    FORMATS.iter().find(|f| f.name == name).ok_or_else(|| {
        let known: Vec<_> = FORMATS.iter().map(|f| f.name).collect();
        Error::Invalid(format!(
            "no particle format `{name}`; there are {}",
            known.join(", ")
        ))
    })
}

/// Writes the frames of one run.
pub struct FrameWriter {
    particles: PathBuf,
    formats: Vec<&'static Format>,
    series: Series,
}

impl FrameWriter {
    /// Prepares the folder, and makes sure that it can be written *before* the run starts.
    pub fn new(folder: &Path, scene: &str, formats: &[&str]) -> Result<Self> {
        let formats = formats
            .iter()
            .map(|name| format(name))
            .collect::<Result<Vec<_>>>()?;
        let particles = folder.join("particles");
        if !formats.is_empty() {
            writable(&particles)?;
        }
        let series = Series::new(particles.join(file_name(scene) + ".pvd"));
        Ok(Self {
            particles,
            formats,
            series,
        })
    }

    /// Goes on with the frames that an earlier run wrote before `time` \[s\].
    pub fn resume(mut self, time: f64) -> Self {
        self.series = self.series.resumed(time);
        self
    }

    /// Begins a frame. Show it point sets as an [`Observer`], then [`Frame::finish`] it.
    pub fn frame(&mut self, index: usize, time: f64) -> Frame<'_> {
        Frame {
            writer: self,
            index,
            time,
            names: Vec::new(),
        }
    }
}

/// One frame in the making.
pub struct Frame<'w> {
    writer: &'w mut FrameWriter,
    index: usize,
    time: f64,
    names: Vec<String>,
}

impl Observer for Frame<'_> {
    fn points(&mut self, set: &PointSet) -> thixo_core::Result<()> {
        let plain = file_name(&set.name);
        let mut name = plain.clone();
        for k in 2.. {
            if !self.names.contains(&name) {
                break;
            }
            name = format!("{plain}-{k}");
        }
        for f in &self.writer.formats {
            let file = format!("{name}_{:04}.{}", self.index, f.extension);
            atomic::write(&self.writer.particles.join(&file), |w| {
                (f.write)(w, set, self.time)
            })?;
            if f.extension == "vtp" {
                self.writer
                    .series
                    .add(self.time, self.names.len(), &set.name, &file);
            }
        }
        self.names.push(name);
        Ok(())
    }
}

impl Frame<'_> {
    /// Writes what belongs to the frame as a whole: the series.
    pub fn finish(self) -> Result<()> {
        if self.writer.formats.iter().any(|f| f.extension == "vtp") {
            self.writer.series.save()?;
        }
        Ok(())
    }
}

/// Makes a folder and writes, then removes, a file in it.
fn writable(folder: &Path) -> Result<()> {
    atomic::folder(folder)?;
    let probe = folder.join(".thixo-can-write");
    atomic::write(&probe, |w| w.write_all(b"")).map_err(|e| match e {
        Error::Write { source, .. } => Error::write(folder, source),
        e => e,
    })?;
    fs::remove_file(&probe).map_err(|e| Error::write(folder, e))
}

/// A name with what file systems or series files stumble over replaced.
fn file_name(name: &str) -> String {
    let keep = |c: char| {
        if c.is_alphanumeric() || "-_.".contains(c) {
            c
        } else {
            '_'
        }
    };
    let plain: String = name.chars().map(keep).collect();
    let plain = plain.trim_start_matches('.');
    if plain.is_empty() {
        "points".into()
    } else {
        plain.chars().take(100).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    fn observe(writer: &mut FrameWriter, index: usize) {
        let mut frame = writer.frame(index, index as f64 * 0.1);
        frame.points(&sample::block(3, 3)).unwrap();
        frame.points(&sample::block(2, 3)).unwrap();
        frame.finish().unwrap();
    }

    #[test]
    fn a_run_leaves_all_its_files_and_goes_on() {
        let dir = tempfile::tempdir().unwrap();
        let make = || FrameWriter::new(dir.path(), "a/b", &["ply", "vtk"]).unwrap();
        let mut writer = make();
        (0..3).for_each(|k| observe(&mut writer, k));
        let mut writer = make().resume(0.2);
        (2..4).for_each(|k| observe(&mut writer, k));
        let files: Vec<_> = fs::read_dir(dir.path().join("particles"))
            .unwrap()
            .map(|f| f.unwrap().file_name().into_string().unwrap())
            .collect();
        assert_eq!(files.len(), 4 * 4 + 1);
        assert!(files.contains(&"a_b.pvd".into()) && files.contains(&"block-2_0003.vtp".into()));
        let pvd = fs::read_to_string(dir.path().join("particles/a_b.pvd")).unwrap();
        assert_eq!(pvd.matches("<DataSet").count(), 8);
    }

    #[test]
    fn unwritable_folder_is_an_error_with_path_and_hint() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        fs::write(&file, b"").unwrap();
        for folder in [&file, Path::new("/proc/thixo")] {
            let e = FrameWriter::new(folder, "a", &["ply"]).err().unwrap();
            let s = thixo_core::Error::from(e).to_string();
            assert!(
                s.contains(folder.to_str().unwrap()) && s.contains("folder"),
                "{s}"
            );
        }
        let e = FrameWriter::new(dir.path(), "a", &["abc"]).err().unwrap();
        assert!(e.to_string().contains("there are ply,"), "{e}");
    }
}
