//! `thixo schema`: the JSON Schema of scene files, for editors.

use std::io::Write;
use std::process::ExitCode;

use crate::report::Failure;

/// Nothing to choose.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:
  thixo schema > thixo.schema.json
  # first line of a scene, for editors with Taplo (Even Better TOML): #:schema ./thixo.schema.json")]
pub struct Args {}

/// Runs the command.
pub fn run(_: Args) -> Result<ExitCode, Failure> {
    let schema = thixo::scene::schema();
    let text = serde_json::to_string_pretty(&schema).unwrap_or_default();
    writeln!(std::io::stdout(), "{text}")?;
    Ok(ExitCode::SUCCESS)
}
