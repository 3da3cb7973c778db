//! `thixo resume`: goes on with a run, or branches off from one of its frames.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use thixo::prelude::*;
use thixo::record::{self, Origin, Recorder, Request};

use crate::frames::kept;
use crate::report::Failure;
use crate::scene::{Settings, ThreadArgs};
use crate::session;
use crate::summary::Summary;

/// What to go on with and how.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The folder of a run
    dir: PathBuf,
    /// Branch off from this frame, into a new folder
    #[arg(long, value_name = "FRAME")]
    from: Option<u64>,
    #[command(flatten)]
    settings: Settings,
    /// Folder of the branch [default: DIR-from-FRAME]
    #[arg(long, value_name = "DIR", requires = "from")]
    out: Option<PathBuf>,
    /// Replace a run that is in the folder of the branch
    #[arg(long, requires = "from")]
    force: bool,
    /// Run to this frame, instead of the one that was asked for first
    #[arg(long, value_name = "N")]
    frames: Option<u64>,
    #[command(flatten)]
    threads: ThreadArgs,
    /// End with one line of JSON on standard output
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "Examples:
  thixo resume out/snowball                 to the frame that was asked for first
  thixo resume out/snowball --frames 100    farther than that
  thixo resume out/snowball --from 20 --set materials.snow.density=200
                                            from frame 20 with lighter snow, into out/snowball-from-20";

/// Runs the command.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let request = Request::read(&args.dir)?;
    match args.from {
        Some(frame) => branch(&args, request, frame),
        None if !args.settings.set.is_empty() => Err(Failure::Request(
            "`--set` changes the scene: say from which frame on with `--from FRAME`".into(),
        )),
        None => go_on(args, request),
    }
}

fn go_on(args: Args, mut request: Request) -> Result<ExitCode, Failure> {
    let dir = &args.dir;
    let farther = args.frames.is_some_and(|n| n != request.frames);
    request.frames = args.frames.unwrap_or(request.frames);
    if let (Some(text), false) = (record::summary(dir), farther) {
        let summary: Summary = serde_json::from_str(&text).map_err(|e| {
            Failure::Request(format!("cannot read {}/summary.json: {e}", dir.display()))
        })?;
        say!("complete already; go farther with `--frames N`");
        summary.print(args.json)?;
        return Ok(ExitCode::SUCCESS);
    }
    let threads = args.threads.threads();
    let mut run = Simulation::empty(request.scene(dir, &[])?, threads)?;
    let found = record::newest(dir, &mut run);
    for e in &found.damaged {
        say!("passed over: {e}");
    }
    if found.state.is_none() {
        let (run, recorder) = anew(dir, request, threads)?;
        session::announce(&run, recorder.request().frames);
        return session::go(run, recorder, args.json);
    }
    if run.frame() > request.frames {
        let (done, asked) = (run.frame(), request.frames);
        return Err(Failure::Request(format!(
            "{} is at frame {done} already, past {asked}",
            dir.display()
        )));
    }
    session::announce(&run, request.frames);
    say!(
        "going on from frame {}, t = {:.6} s",
        run.frame(),
        run.time()
    );
    let recorder = Recorder::resume(dir, &run, request)?;
    session::go(run, recorder, args.json)
}

/// A run that was stopped before its first frame: from the start, or from where it branched off.
fn anew(dir: &Path, request: Request, threads: Threads) -> Result<(Simulation, Recorder), Failure> {
    say!("no frame of this run is whole: it starts anew");
    let scene = request.scene(dir, &[])?;
    let mut run = Simulation::new(scene, threads)?;
    if let Some(origin) = &request.origin {
        run.adopt(&at_frame(origin, threads)?)?;
    }
    let recorder = Recorder::create(dir, &run, request)?;
    Ok((run, recorder))
}

fn branch(args: &Args, old: Request, frame: u64) -> Result<ExitCode, Failure> {
    let threads = args.threads.threads();
    let folder = std::path::absolute(&args.dir)?;
    let origin = Origin { folder, frame };
    let before = at_frame(&origin, threads)?;
    let scene = old.scene(&args.dir, &args.settings.set)?;
    let mut request = Request {
        frames: args.frames.unwrap_or(old.frames),
        origin: Some(origin.clone()),
        file: scene.file.clone(),
        ..old
    };
    if request.frames < frame {
        let asked = request.frames;
        return Err(Failure::Request(format!(
            "the branch begins at frame {frame} and ends at {asked}: say how far with `--frames`"
        )));
    }
    request.version = env!("CARGO_PKG_VERSION").into();
    let out = match &args.out {
        Some(out) => out.clone(),
        None => {
            let name = args.dir.file_name().unwrap_or_default().to_string_lossy();
            args.dir.with_file_name(format!("{name}-from-{frame}"))
        }
    };
    if std::path::absolute(&out)? == origin.folder {
        return Err(Failure::Request(
            "a branch needs a folder of its own: choose another `--out`".into(),
        ));
    }
    let mut run = Simulation::new(scene, threads)?;
    run.adopt(&before)?;
    drop(before);
    if Request::read(&out).is_ok() && !args.force {
        return Err(Failure::Request(format!(
            "{} holds a run already: choose another folder with `--out`, or replace it with `--force`",
            out.display()
        )));
    }
    let recorder = Recorder::create(&out, &run, request)?;
    session::announce(&run, recorder.request().frames);
    say!("branching off from frame {frame} of {}", args.dir.display());
    session::go(run, recorder, args.json)
}

/// A run at one of its frames.
pub fn at_frame(origin: &Origin, threads: Threads) -> Result<Simulation, Failure> {
    let Origin { folder, frame } = origin;
    let path = record::state(folder, *frame);
    if !path.exists() {
        let there = record::states(folder);
        let known = kept(&there);
        return Err(Failure::Request(format!(
            "{} has no state of frame {frame}; there are {known}",
            folder.display(),
        )));
    }
    let scene = Request::read(folder)?.scene(folder, &[])?;
    let mut run = Simulation::empty(scene, threads)?;
    run.open(&path)?;
    Ok(run)
}
