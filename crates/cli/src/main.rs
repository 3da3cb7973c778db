//! The `thixo` command. One file per subcommand; each has `Args` and `run`.

/// Says a line on standard error. Nobody may be listening: a closed pipe is no failure of the run.
macro_rules! say {
    ($($said:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($said)*);
    }};
}

mod list;
mod output;
mod progress;
mod report;
mod run;
mod validate;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// One engine for snow, sand, jelly and water.
#[derive(Debug, Parser)]
#[command(name = "thixo", version, about, max_term_width = 100, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "Examples:
  thixo list                        what there is
  thixo run snowball                a built-in scene, into out/snowball
  thixo run my.toml --frames 10     the first ten frames of a scene file
  thixo validate T P6               cases by prefix or name";

#[derive(Debug, Subcommand)]
enum Command {
    /// Run a scene: particles, pictures and a checkpoint
    Run(run::Args),
    /// List built-in scenes, laws with their parameters, shapes and units
    List(list::Args),
    /// Run cases with reference numbers: reached value beside gate
    Validate(validate::Args),
}

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Run(args) => run::run(args),
        Command::List(args) => list::run(args),
        Command::Validate(args) => validate::run(args),
    };
    match done {
        Ok(code) => code,
        Err(failure) => report::show(failure),
    }
}
