//! `thixo bench`: how fast this machine is on works that have a name, by the code of `run`.
//!
//! A substep is everything from one particle state to the next, sorting and material included. What the
//! works are is in `work.rs`; `benches/README.md` says how to compare with other codes.

mod common;
mod measure;
mod scene;
mod work;

use std::io::{self, Write};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use crate::report::Failure;
use measure::{Plan, Row};
use work::{Kind, WORKS, Work};

/// Which work, and how.
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub struct Args {
    /// Works by name [default: jelly nh snow sand water]; of several, each has a process of its own
    #[arg(value_name = "WORK", value_parser = WORKS.map(|w| w.name), hide_possible_values = true)]
    work: Vec<String>,
    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Substeps of one measurement
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..))]
    steps: u32,
    /// Measurements; the best counts
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,
    /// About so many particles instead of the work's own: quick, and not to be compared with others
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    particles: Option<u32>,
    /// Write a JSON array
    #[arg(long)]
    json: bool,
}

const HELP: &str = "Works:
  jelly nh snow sand water     the common work: a cube of 1 M particles falls on a floor
  2d-… f64-… cubic-… 10m-…     the same five in a plane, in f64, with the cubic kernel, of 10 M
  far-jelly                    with a few grains 100 cubes away
  inverted-jelly               1 % of the particles start inside out
  strained-jelly               all particles start with a random strain of about 20 %
  scene-snowball scene-mix     scene files in motion, with obstacles; beside their bare materials

Examples:
  thixo bench
  thixo bench snow 2d-snow --threads 1 --json";

/// Runs the command; the process began at `begun`.
pub fn run(args: Args, begun: Instant) -> Result<ExitCode, Failure> {
    let named = |name: &String| WORKS.iter().find(|w| w.name == name);
    let works: Vec<&Work> = match args.work.as_slice() {
        [] => WORKS.iter().take(5).collect(),
        asked => asked.iter().filter_map(named).collect(),
    };
    let mut rows = Vec::new();
    if let [work] = works[..] {
        rows.push(alone(work, &args, begun)?);
        tell(&args, &rows)?;
    } else {
        for work in works {
            match apart(work, &args)? {
                Ok(row) => rows.push(row),
                Err(code) => return Ok(code),
            }
            tell(&args, &rows[rows.len() - 1..])?;
        }
    }
    if args.json {
        let all = serde_json::to_string(&rows).map_err(io::Error::from)?;
        writeln!(io::stdout(), "{all}")?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Measures one work in this process.
fn alone(work: &Work, args: &Args, begun: Instant) -> Result<Row, Failure> {
    let plan = Plan::new(args.threads, args.steps, args.repeat, begun);
    let particles = args.particles.map(|n| n as usize);
    match work.kind {
        Kind::Common { stuff, variant } => {
            common::measure(work.name, &stuff, variant, particles, &plan)
        }
        Kind::Scene(text) => scene::measure(work.name, text, particles, &plan),
    }
}

/// Measures one work in a process of its own, so that neither memory nor warm caches of another count. If
/// that fails, it has said why, and its exit code is returned.
fn apart(work: &Work, args: &Args) -> Result<Result<Row, ExitCode>, Failure> {
    let mut child = Command::new(std::env::current_exe()?);
    child.args(["bench", work.name, "--json"]);
    child.args(["--steps", &args.steps.to_string()]);
    child.args(["--repeat", &args.repeat.to_string()]);
    if let Some(n) = args.threads {
        child.args(["--threads", &n.to_string()]);
    }
    if let Some(n) = args.particles {
        child.args(["--particles", &n.to_string()]);
    }
    let done = child.stderr(Stdio::inherit()).output()?;
    if !done.status.success() {
        let code = done.status.code().and_then(|c| u8::try_from(c).ok());
        return Ok(Err(ExitCode::from(code.unwrap_or(1))));
    }
    let rows: Vec<Row> = serde_json::from_slice(&done.stdout).map_err(io::Error::from)?;
    let row = rows.into_iter().next();
    Ok(Ok(row.ok_or_else(|| {
        io::Error::from(io::ErrorKind::UnexpectedEof)
    })?))
}

/// Lines for people.
fn tell(args: &Args, rows: &[Row]) -> io::Result<()> {
    let out = &mut io::stdout().lock();
    for r in rows.iter().filter(|_| !args.json) {
        write!(
            out,
            "{:14} {:7.2} M particles/s  {:6.1} ns a particle  {} threads  {}",
            r.work, r.mps, r.ns_per_particle, r.threads, r.simd
        )?;
        if let Some(bytes) = r.bytes_per_particle {
            write!(out, "  {bytes:.0} bytes a particle")?;
        }
        if let Some(share) = r.share_of_bare {
            write!(out, "  {:.0} % of its bare materials", 100.0 * share)?;
        }
        writeln!(out)?;
    }
    Ok(())
}
