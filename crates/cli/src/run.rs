//! `thixo run`: from a scene to particles, pictures and a summary.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use serde::Serialize;
use thixo::prelude::*;

use crate::output::Output;
use crate::progress::{Progress, duration};
use crate::report::Failure;

/// What to run and how.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A built-in scene (see `thixo list`) or a scene file
    scene: String,
    /// Output folder [default: out/NAME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Number of frames, instead of the scene's own
    #[arg(long, value_name = "N")]
    frames: Option<u64>,
    /// Number of threads [default: one per core]; results have the same bits for any number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// End with one line of JSON on standard output
    #[arg(long)]
    json: bool,
    /// Take no pictures
    #[arg(long)]
    no_pictures: bool,
}

/// The outcome of a run.
#[derive(Debug, Serialize)]
struct Summary {
    scene: String,
    dimension: usize,
    precision: &'static str,
    particles: u64,
    frames: u64,
    steps: u64,
    rejected_steps: u64,
    sim_seconds: f64,
    wall_seconds: f64,
    state_hash: String,
    mass: f64,
    momentum: Vec<f64>,
    energy: Energy,
    threads: usize,
    out: String,
}

/// Energies \[J\].
#[derive(Debug, Serialize)]
struct Energy {
    kinetic: f64,
    elastic: f64,
    potential: f64,
    total: f64,
}

/// Runs the command.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let scene = Scene::load(&args.scene).map_err(thixo::Error::from)?;
    let frames = args.frames.unwrap_or(scene.frames);
    let folder = args
        .out
        .unwrap_or_else(|| PathBuf::from("out").join(&scene.name));
    let threads = args
        .threads
        .map_or(Threads::All, |n| Threads::Exactly(n.into()));
    let mut run = Simulation::new(scene, threads)?;
    let mut output = Output::new(&folder, run.scene(), !args.no_pictures)?;
    let scene = run.scene();
    say!(
        "{}: {} particles in {} dimensions, {}, {} threads, {frames} frames at {} fps",
        scene.name,
        run.totals().particles,
        scene.dimension,
        scene.precision.name(),
        run.threads(),
        scene.fps
    );
    let mut progress = Progress::new(frames);
    let outcome = all_frames(&mut run, &mut output, &mut progress, frames);
    progress.finish();
    if let Err(error) = outcome {
        return Err(Failure::Interrupted {
            error: Box::new(error),
            left: left(&run, &output),
        });
    }
    let summary = summary(&run, &output, frames, progress.seconds());
    let line = serde_json::to_string(&summary).unwrap_or_default();
    output.finish(&line)?;
    let out = &mut std::io::stdout().lock();
    let said = format!(
        "{frames} frames ({} steps, {:.3} s simulated) in {}",
        summary.steps,
        summary.sim_seconds,
        duration(summary.wall_seconds)
    );
    let folder = output.folder().display();
    let pictures = if output.has_pictures() {
        format!(", pictures in {folder}/pictures")
    } else {
        String::new()
    };
    let places = format!("particles in {folder}/particles{pictures}");
    if args.json {
        say!("{said}\n{places}");
        writeln!(out, "{line}")?;
    } else {
        writeln!(out, "{said}\n{places}")?;
    }
    Ok(ExitCode::SUCCESS)
}

fn all_frames(
    run: &mut Simulation,
    output: &mut Output,
    progress: &mut Progress,
    frames: u64,
) -> thixo::Result<()> {
    output.frame(run)?;
    while run.frame() < frames {
        let (next, particles) = (run.frame() + 1, run.totals().particles);
        let mut dt = 0.0;
        while run.frame() < next {
            dt = run.step()?.dt;
            progress.step(run.steps(), dt, particles);
        }
        output.frame(run)?;
        progress.frame(run.frame(), run.steps(), dt);
    }
    Ok(())
}

/// What a run that failed leaves. The state is saved where it stopped.
fn left(run: &Simulation, output: &Output) -> String {
    let folder = output.folder().display();
    let frames = match output.finished() {
        Some(n) => format!("frames up to {n} are in {folder}"),
        None => "no frame was finished".into(),
    };
    match output.checkpoint(run) {
        Ok(()) => format!(
            "{frames}; the last good state, at t = {:.6} s, is in {folder}/checkpoint",
            run.time()
        ),
        Err(e) => format!("{frames}; the last good state could not be saved: {e}"),
    }
}

fn summary(run: &Simulation, output: &Output, frames: u64, wall_seconds: f64) -> Summary {
    let (scene, totals) = (run.scene(), run.totals());
    let energy = [totals.kinetic, totals.elastic, totals.potential];
    Summary {
        scene: scene.name.clone(),
        dimension: scene.dimension,
        precision: scene.precision.name(),
        particles: totals.particles,
        frames,
        steps: run.steps(),
        rejected_steps: run.rejected(),
        sim_seconds: run.time(),
        wall_seconds,
        state_hash: run.state_hash(),
        mass: totals.mass,
        momentum: totals.momentum[..scene.dimension].to_vec(),
        energy: Energy {
            kinetic: energy[0],
            elastic: energy[1],
            potential: energy[2],
            total: energy.iter().sum(),
        },
        threads: run.threads(),
        out: output.folder().display().to_string(),
    }
}
