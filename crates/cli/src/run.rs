//! `thixo run`: from a scene to states, particles, pictures and a ledger.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use thixo::io::frames;
use thixo::prelude::*;
use thixo::record::{Recorder, Request};

use crate::report::Failure;
use crate::scene::{SceneArgs, ThreadArgs, usual_folder};
use crate::session;

/// What to run and how.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    scene: SceneArgs,
    /// Output folder [default: out/NAME]; a run of the same scene that is there is replaced
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace a run of another scene that is there, too
    #[arg(long)]
    force: bool,
    /// Number of frames, instead of the scene's own
    #[arg(long, value_name = "N")]
    frames: Option<u64>,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    leave: Leave,
    /// End with one line of JSON on standard output
    #[arg(long)]
    json: bool,
}

/// What a run leaves.
#[derive(Debug, clap::Args)]
pub struct Leave {
    /// Particle formats to write while it runs; `none` for none (see `thixo list formats`)
    #[arg(long, value_name = "A,B", value_delimiter = ',', default_values = ["ply", "vtk"])]
    pub formats: Vec<String>,
    /// Keep the state of every N-th frame only; that of the last frame is always kept
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub keep: u64,
    /// Take no pictures
    #[arg(long)]
    pub no_pictures: bool,
}

const EXAMPLES: &str = "Examples:
  thixo run snowball                          a built-in scene, into out/snowball
  thixo run my.toml --frames 10               the first ten frames of a scene file
  thixo run snowball --set resolution=draft   coarse and quick
  thixo run my.toml --formats none --keep 10  little on disk";

impl Leave {
    /// The formats, known ones only.
    pub fn formats(&self) -> Result<Vec<String>, Failure> {
        let wanted = self.formats.iter().filter(|f| *f != "none");
        let known =
            wanted.map(|name| frames::format(frames::FORMATS, name).map(|f| f.name.to_string()));
        known
            .collect::<Result<_, _>>()
            .map_err(|e| Failure::Request(e.to_string()))
    }
}

/// Runs the command.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let scene = args.scene.load()?;
    let mut request = Request::new(&scene);
    request.frames = args.frames.unwrap_or(scene.frames);
    request.formats = args.leave.formats()?;
    request.pictures = !args.leave.no_pictures;
    request.keep = args.leave.keep;
    let folder = args.out.unwrap_or_else(|| usual_folder(&scene.name));
    if !args.force {
        spare(&folder, &request)?;
    }
    let frames = request.frames;
    let run = Simulation::new(scene, args.threads.threads())?;
    let recorder = Recorder::create(&folder, &run, request)?;
    session::announce(&run, frames);
    session::go(run, recorder, args.json)
}

/// Refuses a folder that holds what another scene left, or a branch.
fn spare(folder: &Path, request: &Request) -> Result<(), Failure> {
    let Ok(there) = Request::read(folder) else {
        return Ok(());
    };
    let plain = |file: &str| file.trim_end_matches(" with --set").to_string();
    if plain(&there.file) == plain(&request.file) && there.origin.is_none() {
        return Ok(());
    }
    Err(Failure::Request(format!(
        "{} holds a run of {}: choose another folder with `--out`, or replace it with `--force`",
        folder.display(),
        there.file
    )))
}
