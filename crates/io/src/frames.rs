//! Frames of a run: particle or surface files in every format asked for, and the series file.
//!
//! ```text
//! FOLDER/particles/BODY_0001.ply  BODY_0001.vtp  SCENE.pvd
//! FOLDER/surfaces/BODY_0001.obj
//! ```

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use thixo_core::{Observer, PointSet};

use crate::surface::{self, Mesh};
use crate::vtk::Series;
use crate::{Error, Result, atomic, csv, npz, ply, usd, vdb, vtk};

/// A file format for what a frame consists of: point sets, or surfaces of them.
pub struct Format<T: 'static = PointSet> {
    /// Its name, by which a writer is asked for it.
    pub name: &'static str,
    /// Its file name extension.
    pub extension: &'static str,
    /// One sentence on what it is for.
    pub doc: &'static str,
    /// Writes one file's worth at a time \[s\].
    pub write: fn(&mut dyn Write, &T, f64) -> Result<()>,
}

/// All particle formats, one line each.
pub const FORMATS: &[Format] = &[
    Format {
        name: "ply",
        extension: "ply",
        doc: "Binary PLY with every column as a vertex property, for Blender, MeshLab, Open3D.",
        write: ply::write,
    },
    Format {
        name: "vtk",
        extension: "vtp",
        doc: "VTK PolyData and a .pvd series that ParaView opens as an animation.",
        write: vtk::write,
    },
    Format {
        name: "csv",
        extension: "csv",
        doc: "Comma-separated text with a header row, for spreadsheets, pandas and gnuplot.",
        write: csv::write,
    },
    Format {
        name: "npz",
        extension: "npz",
        doc: "NumPy archive with one named array per column, opened by numpy.load.",
        write: npz::write,
    },
    Format {
        name: "usd",
        extension: "usda",
        doc: "USD points as text, for Houdini, Blender, Omniverse and usdview.",
        write: usd::write_points,
    },
    Format {
        name: "vdb",
        extension: "vdb",
        doc: "OpenVDB volumes of density and velocity, for Blender and Houdini.",
        write: vdb::write,
    },
];

/// The format of a name among `formats`; the error lists those there are.
pub fn format<T>(formats: &'static [Format<T>], name: &str) -> Result<&'static Format<T>> {
    formats.iter().find(|f| f.name == name).ok_or_else(|| {
        let known: Vec<_> = formats.iter().map(|f| f.name).collect();
        Error::Invalid(format!(
            "no format `{name}`; there are {}",
            known.join(", ")
        ))
    })
}

/// Writes the frames of one run, each thing in a file of its own.
pub struct FrameWriter<T: 'static = PointSet> {
    folder: PathBuf,
    formats: Vec<&'static Format<T>>,
    series: Series,
}

impl FrameWriter<PointSet> {
    /// Particles. Prepares the folder, and makes sure that it can be written *before* the run
    /// starts.
    pub fn new(folder: &Path, scene: &str, formats: &[&str]) -> Result<Self> {
        Self::within(folder.join("particles"), scene, FORMATS, formats)
    }
}

impl FrameWriter<Mesh> {
    /// Surfaces, with the same promise.
    pub fn surfaces(folder: &Path, scene: &str, formats: &[&str]) -> Result<Self> {
        Self::within(folder.join("surfaces"), scene, surface::FORMATS, formats)
    }
}

impl<T> FrameWriter<T> {
    fn within(
        folder: PathBuf,
        scene: &str,
        all: &'static [Format<T>],
        asked: &[&str],
    ) -> Result<Self> {
        let formats = asked
            .iter()
            .map(|name| format(all, name))
            .collect::<Result<Vec<_>>>()?;
        if !formats.is_empty() {
            writable(&folder)?;
        }
        let series = Series::new(folder.join(file_name(scene) + ".pvd"));
        Ok(Self {
            folder,
            formats,
            series,
        })
    }

    /// Goes on with the frames that an earlier run wrote before `time` \[s\].
    pub fn resume(mut self, time: f64) -> Self {
        self.series = self.series.resumed(time);
        self
    }

    /// Begins a frame. [`Frame::add`] things to it, or show it point sets as an [`Observer`], then
    /// [`Frame::finish`] it.
    pub fn frame(&mut self, index: usize, time: f64) -> Frame<'_, T> {
        Frame {
            writer: self,
            index,
            time,
            names: Vec::new(),
        }
    }
}

/// One frame in the making.
pub struct Frame<'w, T: 'static = PointSet> {
    writer: &'w mut FrameWriter<T>,
    index: usize,
    time: f64,
    names: Vec<String>,
}

impl Observer for Frame<'_, PointSet> {
    fn points(&mut self, set: &PointSet) -> thixo_core::Result<()> {
        Ok(self.add(&set.name, set)?)
    }
}

impl<T> Frame<'_, T> {
    /// Writes a thing in every format, to files named after it.
    pub fn add(&mut self, name: &str, thing: &T) -> Result<()> {
        let file_name = unique(file_name(name), &self.names, '-');
        for f in &self.writer.formats {
            let file = format!("{file_name}_{:04}.{}", self.index, f.extension);
            atomic::write(&self.writer.folder.join(&file), |w| {
                (f.write)(w, thing, self.time)
            })?;
            if f.extension == "vtp" {
                self.writer
                    .series
                    .add(self.time, self.names.len(), name, &file);
            }
        }
        self.names.push(file_name);
        Ok(())
    }

    /// Writes what belongs to the frame as a whole: the series.
    pub fn finish(self) -> Result<()> {
        if self.writer.formats.iter().any(|f| f.extension == "vtp") {
            self.writer.series.save()?;
        }
        Ok(())
    }
}

/// `name`, or `name` with the first number from 2 on that makes it differ from all of `taken`.
pub(crate) fn unique(name: String, taken: &[String], separator: char) -> String {
    let numbered = (2..).map(|k| format!("{name}{separator}{k}"));
    std::iter::once(name.clone())
        .chain(numbered)
        .find(|n| !taken.contains(n))
        .unwrap_or(name)
}

/// Makes a folder and writes, then removes, a file in it.
pub(crate) fn writable(folder: &Path) -> Result<()> {
    atomic::folder(folder)?;
    let probe = folder.join(".thixo-can-write");
    atomic::write(&probe, |w| w.write_all(b"")).map_err(|e| match e {
        Error::Write { source, .. } => Error::write(folder, source),
        e => e,
    })?;
    fs::remove_file(&probe).map_err(|e| Error::write(folder, e))
}

/// A name with what file systems or series files stumble over replaced.
pub(crate) fn file_name(name: &str) -> String {
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
