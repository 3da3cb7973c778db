//! The folder of a run: everything that a run leaves and that it goes on from.
//!
//! ```text
//! run.json scene.toml files/    the request, before the first step
//! states/frame_0048.thixo       the exact state after a frame; a run goes on from any of them
//! states/now.thixo              the state between two frames, where a run was stopped
//! ledger.csv                    sums, one row per frame
//! probes/NAME.csv               what each probe measured
//! particles/ pictures/          for other programs, and to look at
//! summary.json                  only when the run is complete
//! ```
//!
//! The state of a frame is written after everything else of the frame: where there is a state, the
//! frame is whole.

mod gauge;
mod ledger;
mod request;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use thixo_core::Observer;
use thixo_io::frames::FrameWriter;
use thixo_io::{Error, atomic, checkpoint};

pub use ledger::{Table, unit};
pub use request::{Origin, Request};

use crate::{Look, Result, Simulation};
use ledger::Log;

/// Size of the pictures of a run.
pub const SIZE: [usize; 2] = [1280, 720];

/// Writes what a run leaves, frame by frame.
pub struct Recorder {
    folder: PathBuf,
    request: Request,
    frames: FrameWriter,
    ledger: Log,
    probes: Vec<Log>,
    finished: Option<u64>,
    started: Instant,
    earlier: f64,
}

impl Recorder {
    /// Begins a run in a folder; what an earlier run left there is removed, so that no old frame can
    /// be taken for a new one. The request is on disk when it returns.
    pub fn create(folder: &Path, run: &Simulation, mut request: Request) -> Result<Self> {
        atomic::folder(folder)?;
        clear(folder)?;
        request.write(folder, run.scene())?;
        Self::open(folder, run, request, None)
    }
    /// Goes on with a run whose state is that of a frame that it finished, or after it.
    pub fn resume(folder: &Path, run: &Simulation, request: Request) -> Result<Self> {
        remove(&folder.join("summary.json"))?;
        request.save(folder)?;
        Self::open(folder, run, request, Some(run.frame()))
    }

    fn open(folder: &Path, run: &Simulation, request: Request, frame: Option<u64>) -> Result<Self> {
        let formats: Vec<&str> = request.formats.iter().map(String::as_str).collect();
        let mut frames = FrameWriter::new(folder, &run.scene().name, &formats)?;
        for (part, wanted) in [
            ("states", true),
            ("pictures", request.pictures),
            ("probes", !run.probes().is_empty()),
        ] {
            if wanted {
                atomic::folder(&folder.join(part))?;
            }
        }
        let log = |path: PathBuf, names: Vec<String>| match frame {
            None => Log::create(path, &names),
            Some(frame) => Log::resume(path, &names, frame),
        };
        let ledger = log(folder.join("ledger.csv"), ledger::names())?;
        let mut probes = Vec::new();
        for probe in run.probes() {
            let path = folder.join(format!("probes/{}.csv", probe.name));
            probes.push(log(path, gauge::NAMES.map(String::from).to_vec())?);
        }
        if let Some(frame) = frame {
            frames = frames.resume(run.scene().frame_time(frame + 1));
        }
        let earlier = ledger.last().and_then(|r| r.last()).copied();
        Ok(Self {
            folder: folder.into(),
            request,
            frames,
            ledger,
            probes,
            finished: frame,
            started: Instant::now(),
            earlier: earlier.unwrap_or(0.0),
        })
    }

    /// Writes a frame; its state comes last.
    pub fn frame(&mut self, run: &Simulation) -> Result<()> {
        let sets = run.points()?;
        let (frame, time) = (run.frame(), run.time());
        let mut writer = self.frames.frame(frame as usize, time);
        for set in &sets {
            writer.points(set)?;
        }
        writer.finish()?;
        if self.request.pictures {
            let image = run.picture(&sets, &Look::new(SIZE[0], SIZE[1]))?;
            let name = format!("pictures/frame_{frame:04}.png");
            image.write_png(&self.folder.join(name))?;
        }
        let row = ledger::row(run, self.ledger.last(), self.seconds());
        self.ledger.add(row)?;
        for (probe, log) in run.probes().iter().zip(&mut self.probes) {
            log.add(gauge::row(probe, &sets, frame, time))?;
        }
        run.save(&state(&self.folder, frame))?;
        let before = self.finished.replace(frame);
        remove(&between(&self.folder))?;
        if let Some(before) = before.filter(|b| b % self.request.keep != 0 && *b < frame) {
            remove(&state(&self.folder, before))?;
        }
        Ok(())
    }
    /// Writes the state between two frames, where a run stops for now.
    pub fn pause(&self, run: &Simulation) -> Result<()> {
        if self.finished == Some(run.frame()) && run.time() <= run.scene().frame_time(run.frame()) {
            return Ok(());
        }
        run.save(&between(&self.folder))
    }
    /// The run is complete.
    pub fn finish(&self, summary: &str) -> Result<()> {
        let path = self.folder.join("summary.json");
        Ok(atomic::write(&path, |w| writeln!(w, "{summary}"))?)
    }
    /// The last frame of which everything is written.
    pub fn finished(&self) -> Option<u64> {
        self.finished
    }
    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }
    /// What was asked for.
    pub fn request(&self) -> &Request {
        &self.request
    }
    /// Wall time of the run so far, of earlier parts too \[s\].
    pub fn seconds(&self) -> f64 {
        self.earlier + self.started.elapsed().as_secs_f64()
    }
}

/// The state of a frame.
pub fn state(folder: &Path, frame: u64) -> PathBuf {
    folder.join(format!("states/frame_{frame:04}.thixo"))
}

/// The state between two frames, where a run was stopped.
pub fn between(folder: &Path) -> PathBuf {
    folder.join("states/now.thixo")
}

/// The summary of a complete run.
pub fn summary(folder: &Path) -> Option<String> {
    fs::read_to_string(folder.join("summary.json")).ok()
}

/// The frames of which a state is there, in order.
pub fn states(folder: &Path) -> Vec<u64> {
    let entries = fs::read_dir(folder.join("states")).into_iter().flatten();
    let frame = |entry: fs::DirEntry| {
        let name = entry.file_name().into_string().ok()?;
        let digits = name.strip_prefix("frame_")?.strip_suffix(".thixo")?;
        digits.parse().ok()
    };
    let mut all: Vec<u64> = entries.flatten().filter_map(frame).collect();
    all.sort_unstable();
    all
}

/// Where a run that was stopped goes on.
#[derive(Debug, Default)]
pub struct Found {
    /// Whether a state was found; if not, the run starts anew.
    pub state: Option<PathBuf>,
    /// States that are damaged, newest first, and why.
    pub damaged: Vec<crate::Error>,
}

/// Takes the newest state in the folder of a run that is whole.
pub fn newest(folder: &Path, run: &mut Simulation) -> Found {
    let mut found = Found::default();
    let frames = states(folder).into_iter().rev();
    let mut all: Vec<PathBuf> = frames.map(|f| state(folder, f)).collect();
    let steps = |path: &Path| checkpoint::read_meta(path).map_or(0, |meta| meta.step);
    let now = between(folder);
    // A run that was killed may have left the state before its last frame.
    if now.exists() && all.first().is_none_or(|last| steps(&now) > steps(last)) {
        all.insert(0, now);
    }
    for path in all {
        match run.open(&path) {
            Ok(()) => {
                found.state = Some(path);
                break;
            }
            Err(e) => found.damaged.push(e),
        }
    }
    found
}

/// Removes what an earlier run left, and nothing else.
fn clear(folder: &Path) -> Result<()> {
    for file in ["summary.json", "checkpoint", "ledger.csv", "run.json"] {
        remove(&folder.join(file))?;
    }
    let ours = |part: &str, name: &str| match part {
        "states" => name.ends_with(".thixo"),
        "probes" => name.ends_with(".csv"),
        "pictures" => name.starts_with("frame_") && numbered(name, &["png"]),
        "files" => name
            .split_once('-')
            .is_some_and(|(n, _)| n.parse::<u32>().is_ok()),
        _ => name.ends_with(".pvd") || numbered(name, EXTENSIONS),
    };
    for part in ["states", "probes", "pictures", "files", "particles"] {
        let entries = fs::read_dir(folder.join(part)).into_iter().flatten();
        for entry in entries.flatten() {
            if entry.file_name().to_str().is_some_and(|n| ours(part, n)) {
                remove(&entry.path())?;
            }
        }
    }
    Ok(())
}

/// What particle files end with.
const EXTENSIONS: &[&str] = &["ply", "vtp", "csv", "npz", "usda", "vdb"];

/// `NAME_0123.ply` and the like.
fn numbered(name: &str, endings: &[&str]) -> bool {
    let Some((stem, end)) = name.rsplit_once('.') else {
        return false;
    };
    let number = stem.rsplit_once('_').map_or("", |(_, n)| n);
    let digits = number.len() >= 4 && number.bytes().all(|b| b.is_ascii_digit());
    digits && endings.contains(&end)
}

fn remove(file: &Path) -> Result<()> {
    match fs::remove_file(file) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => Err(Error::write(file, e).into()),
        _ => Ok(()),
    }
}
