//! Frames of a run, one after the other: what `render` and `export` share.

use std::path::{Path, PathBuf};

use thixo::prelude::*;
use thixo::record::{self, Request};

use crate::report::Failure;
use crate::scene::ThreadArgs;

/// Which frames of which run.
#[derive(Debug, clap::Args)]
pub struct FrameArgs {
    /// The folder of a run
    pub dir: PathBuf,
    /// Frames: 12, 10..20 (both included) or 10.. [default: all of which there is a state]
    #[arg(long, value_name = "A..B", value_parser = range)]
    frames: Option<(u64, u64)>,
    #[command(flatten)]
    threads: ThreadArgs,
}

/// Reads `12`, `10..20`, `10..` or `..20`.
fn range(text: &str) -> Result<(u64, u64), String> {
    let number = |s: &str, default: u64| match s.trim() {
        "" => Ok(default),
        s => s.parse().map_err(|_| format!("`{s}` is not a frame")),
    };
    let (first, last) = match text.split_once("..") {
        None => (number(text, 0)?, number(text, 0)?),
        Some((a, b)) => (number(a, 0)?, number(b.trim_start_matches('='), u64::MAX)?),
    };
    if first > last {
        return Err(format!("frame {first} is after frame {last}"));
    }
    Ok((first, last))
}

/// A run whose states are looked at.
pub struct Frames {
    /// The run, in the state of the frame that was opened last.
    pub run: Simulation,
    /// The frames.
    pub frames: Vec<u64>,
    folder: PathBuf,
}

impl Frames {
    /// The frames that are meant.
    pub fn of(args: &FrameArgs) -> Result<Self, Failure> {
        let folder: &Path = &args.dir;
        let request = Request::read(folder)?;
        let (first, last) = args.frames.unwrap_or((0, u64::MAX));
        let all = record::states(folder);
        let frames: Vec<u64> = all
            .iter()
            .copied()
            .filter(|f| (first..=last).contains(f))
            .collect();
        if frames.is_empty() {
            let there = match (all.first(), all.last()) {
                (Some(a), Some(b)) => format!("there are frames from {a} to {b}"),
                _ => "there are none".into(),
            };
            let dir = folder.display();
            return Err(Failure::Request(format!(
                "{dir} has no state of such a frame; {there}"
            )));
        }
        let scene = request.scene(folder, &[])?;
        let run = Simulation::empty(scene, args.threads.threads())?;
        Ok(Self {
            run,
            frames,
            folder: folder.into(),
        })
    }
    /// Is drawn with values put over the scene's `picture` table and colours of colliders.
    pub fn show_with(&mut self, settings: &[Setting]) -> Result<(), Failure> {
        if settings.is_empty() {
            return Ok(());
        }
        let request = Request::read(&self.folder)?;
        Ok(self.run.show_as(&request.scene(&self.folder, settings)?)?)
    }
    /// Takes the state of a frame and shows its particles.
    pub fn open(&mut self, frame: u64) -> Result<Vec<PointSet>, Failure> {
        self.run.open(&record::state(&self.folder, frame))?;
        Ok(self.run.points()?)
    }
    /// How far apart the frames are on average: 1 if every state was kept.
    pub fn stride(&self) -> f64 {
        match self.frames.as_slice() {
            [first, .., last] => (last - first) as f64 / (self.frames.len() - 1) as f64,
            _ => 1.0,
        }
    }
}

/// Frames in short: `0 to 30`, or `0, 10, 20`.
pub fn kept(frames: &[u64]) -> String {
    match frames {
        [] => "none".into(),
        [first, .., last] if last - first + 1 == frames.len() as u64 => {
            format!("{first} to {last}")
        }
        all => all
            .iter()
            .map(u64::to_string)
            .collect::<Vec<_>>()
            .join(", "),
    }
}
