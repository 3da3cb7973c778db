//! `thixo check`: whether a scene is right, what is derived from it, and what it will take.

use std::io::{self, Write};
use std::process::ExitCode;

use serde_json::json;
use thixo::prelude::*;
use thixo::record::Request;
use thixo::{Estimate, estimate};

use crate::progress::duration;
use crate::report::Failure;
use crate::run::Leave;
use crate::scene::{SceneArgs, ThreadArgs};

/// Which scene, and how it would be run.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    scene: SceneArgs,
    /// Number of frames, instead of the scene's own
    #[arg(long, value_name = "N")]
    frames: Option<u64>,
    #[command(flatten)]
    threads: ThreadArgs,
    #[command(flatten)]
    leave: Leave,
    /// Only see whether the scene is right: build it, but do not rehearse it
    #[arg(long)]
    quick: bool,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "Examples:
  thixo check snowball
  thixo check my.toml --set resolution=fine --frames 240
  thixo check my.toml --quick && echo fine";

/// Runs the command.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let scene = args.scene.load()?;
    let out = &mut io::stdout().lock();
    let threads = args.threads.threads();
    if args.quick {
        let cell = scene.cell_size().map_err(thixo::Error::from)?;
        let run = Simulation::new(scene, threads)?;
        let (name, particles) = (&run.scene().name, run.totals().particles);
        if args.json {
            let line = json!({"scene": name, "cell": cell, "particles": particles});
            writeln!(out, "{line}")?;
        } else {
            let cell = length(cell);
            writeln!(
                out,
                "{name} is right: cells of {cell}, {particles} particles at the start"
            )?;
        }
        return Ok(ExitCode::SUCCESS);
    }
    let mut request = Request::new(&scene);
    request.frames = args.frames.unwrap_or(scene.frames);
    request.formats = args.leave.formats()?;
    request.pictures = !args.leave.no_pictures;
    request.keep = args.leave.keep;
    let estimate = estimate(&scene, &request, threads)?;
    if args.json {
        writeln!(out, "{}", as_json(&scene, &request, &estimate))?;
    } else {
        print(out, &scene, &request, &estimate)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn print(out: &mut impl Write, scene: &Scene, request: &Request, e: &Estimate) -> io::Result<()> {
    let (d, n) = (scene.dimension, &scene.spec.numerics);
    writeln!(out, "{} is right. {}", scene.name, scene.title)?;
    let per_cell = if n.particles_per_cell.is_some() {
        "as set"
    } else {
        "2 along each axis"
    };
    writeln!(
        out,
        "  cells       {} ({d} dimensions, {}; particles in a cell: {per_cell})",
        length(e.cell),
        scene.precision.name()
    )?;
    let growth = if e.most_particles > 1.05 * e.particles {
        format!(", up to {}", count(e.most_particles))
    } else {
        String::new()
    };
    writeln!(out, "  particles   {}{growth}", count(e.particles))?;
    for (name, particles) in e.sets.iter().filter(|_| e.sets.len() > 1) {
        writeln!(
            out,
            "                {:>9}  {name}",
            count(*particles as f64)
        )?;
    }
    writeln!(
        out,
        "  step        {:.2e} s at first, {:.2e} s on average; {} steps",
        e.first_step,
        e.mean_step,
        count(e.steps)
    )?;
    writeln!(out, "  memory      about {}", bytes(e.memory))?;
    writeln!(
        out,
        "  disk        about {} (states {}, particle files {}, pictures {})",
        bytes(e.disk()),
        bytes(e.states),
        bytes(e.files),
        bytes(e.pictures)
    )?;
    writeln!(
        out,
        "  time        about {} for {} frames on this machine (steps {}, writing {})",
        duration(e.seconds()),
        request.frames,
        duration(e.stepping),
        duration(e.writing)
    )?;
    writeln!(out, "  costs most  {}", dearest(scene, e))?;
    for doubt in &e.doubts {
        writeln!(out, "  look at     {doubt}")?;
    }
    let (ratio, share) = e.rehearsal;
    let part = if share < 1.0 {
        format!(", the first {:.0} %", 100.0 * share)
    } else {
        String::new()
    };
    writeln!(
        out,
        "  (rehearsed with cells {ratio:.1} times as large{part})"
    )
}

/// What to change first if it takes too long.
fn dearest(scene: &Scene, e: &Estimate) -> String {
    if e.writing > e.stepping {
        return "writing and drawing: try --no-pictures, --formats none or fewer frames".into();
    }
    let least = e.limits.iter().min_by(|a, b| a.step.total_cmp(&b.step));
    let why = e.reasons.first().map_or("", |r| r.0);
    let set = least.map_or("", |l| l.set.as_str());
    let cure = match why {
        "elastic waves" => format!(
            "the stiffest matter, `{set}`, sets the step: a quarter of its stiffness halves the time"
        ),
        "viscosity" => {
            format!("the viscosity of `{set}` sets the step: half of it halves the time")
        }
        "advection" => "the fastest matter sets the step".into(),
        "" => return "nothing".into(),
        other => format!("{other} sets the step"),
    };
    let larger = 2f64.powf(1.0 / (scene.dimension as f64 + 1.0));
    let halved = format!("cells {larger:.2} times as large halve it");
    format!("steps; {cure}; {halved}")
}

fn as_json(scene: &Scene, request: &Request, e: &Estimate) -> serde_json::Value {
    let limits = e
        .limits
        .iter()
        .map(|l| json!({"set": l.set, "step": l.step.is_finite().then_some(l.step), "why": l.why}));
    let reasons = e
        .reasons
        .iter()
        .map(|(why, share)| json!({"why": why, "share": share}));
    let sets = e
        .sets
        .iter()
        .map(|(name, n)| json!({"name": name, "particles": n}));
    json!({
        "scene": scene.name, "dimension": scene.dimension, "precision": scene.precision.name(),
        "frames": request.frames, "cell": e.cell,
        "particles": e.particles.round(), "most_particles": e.most_particles.round(),
        "sets": sets.collect::<Vec<_>>(), "first_step": e.first_step, "mean_step": e.mean_step,
        "steps": e.steps.round(), "limits": limits.collect::<Vec<_>>(),
        "reasons": reasons.collect::<Vec<_>>(), "memory_bytes": e.memory.round(),
        "disk_bytes": e.disk().round(), "state_bytes": e.states.round(),
        "file_bytes": e.files.round(), "picture_bytes": e.pictures.round(),
        "seconds": e.seconds(), "stepping_seconds": e.stepping, "writing_seconds": e.writing,
        "rehearsal_ratio": e.rehearsal.0, "rehearsal_share": e.rehearsal.1,
        "costs_most": dearest(scene, e), "doubts": e.doubts,
    })
}

/// A length as people say it.
pub fn length(x: f64) -> String {
    let (scale, unit) = match x {
        x if x < 1e-2 => (1e3, "mm"),
        x if x < 1.0 => (1e2, "cm"),
        _ => (1.0, "m"),
    };
    let rounded = (x * scale * 1e3).round() / 1e3;
    format!("{rounded} {unit}")
}

/// A number of bytes as people say it.
pub fn bytes(x: f64) -> String {
    match x {
        x if x < 1e6 => format!("{:.0} kB", x / 1e3),
        x if x < 1e9 => format!("{:.0} MB", x / 1e6),
        x => format!("{:.1} GB", x / 1e9),
    }
}

/// A number with its thousands apart.
pub fn count(x: f64) -> String {
    let digits = format!("{:.0}", x);
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 3 == 0 {
            out.push(' ');
        }
        out.push(c);
    }
    out
}
