//! `thixo export`: a run for other programs.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use thixo::io::export::{self, Export, Run};
use thixo::io::surface::Surfacing;
use thixo::prelude::*;

use crate::frames::{FrameArgs, Frames};
use crate::report::Failure;

/// What to write and how.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    from: FrameArgs,
    /// Formats (see `thixo list formats`)
    #[arg(long, value_name = "A,B", value_delimiter = ',', required = true)]
    format: Vec<String>,
    /// Write the surfaces of bodies instead of their particles
    #[arg(long)]
    surface: bool,
    /// Folder; files go to its particles or surfaces [default: DIR/export]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

const EXAMPLES: &str = "Examples:
  thixo export out/snowball --format usd                    one file with all frames
  thixo export out/water-block --surface --format obj,usd
  thixo export out/my --format vdb,csv --frames 10..20";

/// Runs the command.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let known = if args.surface {
        export::surface_formats()
    } else {
        export::point_formats()
    };
    for name in &args.format {
        if !known.iter().any(|(k, _)| k == name) {
            let there: Vec<&str> = known.iter().map(|(k, _)| *k).collect();
            let what = if args.surface {
                "surfaces"
            } else {
                "particles"
            };
            return Err(Failure::Request(format!(
                "no format of {what} is called `{name}`; there are {}",
                there.join(", ")
            )));
        }
    }
    let mut frames = Frames::of(&args.from)?;
    let scene = frames.run.scene();
    if args.surface && scene.dimension == 2 {
        return Err(Failure::Request(
            "a scene of 2 dimensions has no surfaces".into(),
        ));
    }
    let folder = args.out.unwrap_or_else(|| args.from.dir.join("export"));
    let to = Run {
        folder: folder.clone(),
        scene: scene.name.clone(),
        fps: scene.fps,
        resume: None,
    };
    let names: Vec<&str> = args.format.iter().map(String::as_str).collect();
    let mut export = if args.surface {
        export::surfaces(&names, &to, Surfacing::default())?
    } else {
        export::points(&names, &to)?
    };
    write_all(&mut frames, &mut *export)?;
    export.finish()?;
    let part = if args.surface {
        "surfaces"
    } else {
        "particles"
    };
    let (count, folder) = (frames.frames.len(), folder.display());
    writeln!(
        std::io::stdout(),
        "{count} frames ({}) in {folder}/{part}",
        names.join(", ")
    )?;
    Ok(ExitCode::SUCCESS)
}

fn write_all(frames: &mut Frames, export: &mut dyn Export<PointSet>) -> Result<(), Failure> {
    for (i, frame) in frames.frames.clone().into_iter().enumerate() {
        let sets = frames.open(frame)?;
        export.frame(frame, frames.run.time(), &sets)?;
        say!("frame {} of {}", i + 1, frames.frames.len());
    }
    Ok(())
}
