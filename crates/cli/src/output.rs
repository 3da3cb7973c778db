//! The output folder of a run.
//!
//! ```text
//! OUT/scene.toml       the request, before the first step
//! OUT/particles/…      PLY and VTK, one file per set and frame, and the series NAME.pvd
//! OUT/pictures/…       frame_0000.png …
//! OUT/checkpoint       the exact state after the last finished frame
//! OUT/summary.json     only when the run is complete
//! ```

use std::fs;
use std::path::{Path, PathBuf};

use thixo::io::frames::FrameWriter;
use thixo::io::{Error, atomic};
use thixo::prelude::*;

/// Size of the pictures.
const SIZE: (usize, usize) = (1280, 720);

/// Writes what a run leaves.
pub struct Output {
    folder: PathBuf,
    frames: FrameWriter,
    pictures: Option<PathBuf>,
    finished: Option<u64>,
}

impl Output {
    /// Prepares the folder: what an earlier run left there is removed, so that no old frame can be
    /// taken for a new one.
    pub fn new(folder: &Path, scene: &Scene, pictures: bool) -> Result<Self, Error> {
        atomic::folder(folder)?;
        remove(&folder.join("summary.json"))?;
        remove(&folder.join("checkpoint"))?;
        clear(&folder.join("particles"), |n| {
            numbered(n, &[".ply", ".vtp"]) || n.ends_with(".pvd")
        })?;
        clear(&folder.join("pictures"), |n| {
            n.starts_with("frame_") && numbered(n, &[".png"])
        })?;
        let frames = FrameWriter::new(folder, &scene.name, &["ply", "vtk"])?;
        let pictures = pictures.then(|| folder.join("pictures"));
        if let Some(p) = &pictures {
            atomic::folder(p)?;
        }
        let text = scene.text.as_bytes();
        atomic::write(&folder.join("scene.toml"), |w| w.write_all(text))?;
        Ok(Self {
            folder: folder.into(),
            frames,
            pictures,
            finished: None,
        })
    }
    /// Writes a frame: particles, picture, checkpoint.
    pub fn frame(&mut self, run: &Simulation) -> thixo::Result<()> {
        let sets = run.points()?;
        let index = run.frame() as usize;
        let mut frame = self.frames.frame(index, run.time());
        for set in &sets {
            frame.points(set)?;
        }
        frame.finish()?;
        if let Some(folder) = &self.pictures {
            let image = run.picture(&sets, SIZE.0, SIZE.1);
            image.write_png(&folder.join(format!("frame_{index:04}.png")))?;
        }
        self.checkpoint(run)?;
        self.finished = Some(run.frame());
        Ok(())
    }
    /// Writes the exact state.
    pub fn checkpoint(&self, run: &Simulation) -> thixo::Result<()> {
        run.save(&self.folder.join("checkpoint"))
    }
    /// The run is complete.
    pub fn finish(&self, summary: &str) -> Result<(), Error> {
        atomic::write(&self.folder.join("summary.json"), |w| {
            writeln!(w, "{summary}")
        })
    }
    /// The last frame of which everything was written.
    pub fn finished(&self) -> Option<u64> {
        self.finished
    }
    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
    /// Whether pictures are taken.
    pub fn has_pictures(&self) -> bool {
        self.pictures.is_some()
    }
}

/// `NAME_0123.ply` and the like.
fn numbered(name: &str, endings: &[&str]) -> bool {
    endings
        .iter()
        .filter_map(|e| name.strip_suffix(e))
        .any(|stem| {
            stem.rsplit_once('_')
                .is_some_and(|(_, n)| n.len() >= 4 && n.bytes().all(|b| b.is_ascii_digit()))
        })
}

fn clear(folder: &Path, ours: impl Fn(&str) -> bool) -> Result<(), Error> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Ok(());
    };
    for entry in entries.flatten() {
        if entry.file_name().to_str().is_some_and(&ours) {
            remove(&entry.path())?;
        }
    }
    Ok(())
}

fn remove(file: &Path) -> Result<(), Error> {
    match fs::remove_file(file) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(Error::write(file, e)),
        _ => Ok(()),
    }
}
