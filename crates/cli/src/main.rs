//! The `thixo` command. One file per subcommand; each has `Args` and `run`.

/// Says a line on standard error. Nobody may be listening: a closed pipe is no failure of the run.
macro_rules! say {
    ($($said:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($said)*);
    }};
}

mod bench;
mod check;
mod completions;
mod export;
mod frames;
mod info;
mod list;
mod new;
mod plot;
mod progress;
mod render;
mod report;
mod resume;
mod run;
mod scene;
mod schema;
mod session;
mod summary;
mod validate;

use std::process::ExitCode;
use std::time::Instant;

use clap::{Parser, Subcommand};
use thixo::math::Level;

/// One engine for snow, sand, jelly and water.
#[derive(Debug, Parser)]
#[command(name = "thixo", version, about, max_term_width = 100, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "Examples:
  thixo list                        what there is
  thixo new my.toml                 a commented scene to start from
  thixo check my.toml               what it will take
  thixo run my.toml --frames 10     its first ten frames, into out/my
  thixo resume out/my               and the rest";

#[derive(Debug, Subcommand)]
enum Command {
    /// Write a commented scene to start from
    New(new::Args),
    /// See whether a scene is right, and what it will take
    Check(check::Args),
    /// Run a scene: states, particles, pictures and a ledger
    Run(run::Args),
    /// Go on with a run, or branch off from one of its frames
    Resume(resume::Args),
    /// Make pictures and films of a run
    Render(render::Args),
    /// Write a run for other programs: particles, surfaces, volumes
    Export(export::Args),
    /// Draw curves of a run's ledger or probes
    Plot(plot::Args),
    /// Say what is in the folder of a run, a state or a scene
    Info(info::Args),
    /// List built-in scenes, presets, laws with their parameters, shapes, formats and units
    List(list::Args),
    /// Run cases with reference numbers: reached value beside gate
    Validate(validate::Args),
    /// Measure how fast this machine is on works that have a name
    Bench(bench::Args),
    /// Write the JSON Schema of scene files, with which editors complete and check them
    Schema(schema::Args),
    /// Write what a shell needs to complete the command
    Completions(completions::Args),
}

fn main() -> ExitCode {
    let begun = Instant::now();
    let command = Cli::parse().command;
    if let Err(wrong) = Level::asked() {
        return report::show(report::Failure::Request(wrong));
    }
    let done = match command {
        Command::New(args) => new::run(args),
        Command::Check(args) => check::run(args),
        Command::Run(args) => run::run(args),
        Command::Resume(args) => resume::run(args),
        Command::Render(args) => render::run(args),
        Command::Export(args) => export::run(args),
        Command::Plot(args) => plot::run(args),
        Command::Info(args) => info::run(args),
        Command::List(args) => list::run(args),
        Command::Validate(args) => validate::run(args),
        Command::Bench(args) => bench::run(args, begun),
        Command::Schema(args) => schema::run(args),
        Command::Completions(args) => completions::run(args),
    };
    match done {
        Ok(code) => code,
        Err(failure) => report::show(failure),
    }
}
