//! `thixo completions`: what a shell needs to complete the command.

use std::io::Write;
use std::process::ExitCode;

use clap::CommandFactory;
use clap_complete::{Shell, generate};

use crate::report::Failure;

/// For which shell.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  thixo completions bash > ~/.local/share/bash-completion/completions/thixo")]
pub struct Args {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Runs the command.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let mut text = Vec::new();
    generate(args.shell, &mut crate::Cli::command(), "thixo", &mut text);
    std::io::stdout().write_all(&text)?;
    Ok(ExitCode::SUCCESS)
}
