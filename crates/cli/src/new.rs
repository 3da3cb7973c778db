//! `thixo new`: a commented scene to start from.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use thixo::scene::registry;

use crate::report::Failure;

/// Which file.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The file to write, e.g. my.toml
    file: PathBuf,
    /// Start from this built-in scene (see `thixo list`) instead of the commented one
    #[arg(long, value_name = "NAME")]
    scene: Option<String>,
    /// Replace a file that is there
    #[arg(long)]
    force: bool,
}

/// The scene to start from.
pub const STARTER: &str = include_str!("starter.toml");

/// Runs the command.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let file = args.file.display();
    if args.file.exists() && !args.force {
        return Err(Failure::Request(format!(
            "{file} is there already: choose another name, or replace it with `--force`"
        )));
    }
    let text = match &args.scene {
        None => STARTER,
        Some(name) => {
            let scenes = registry::SCENES;
            let known = || scenes.iter().map(|s| s.0).collect::<Vec<_>>().join(", ");
            let found = scenes.iter().find(|s| s.0 == name);
            let found =
                found.ok_or_else(|| format!("there is no scene `{name}`; there are {}", known()));
            found.map_err(Failure::Request)?.1
        }
    };
    if let Some(parent) = args.file.parent().filter(|p| !p.as_os_str().is_empty()) {
        fs::create_dir_all(parent)?;
    }
    fs::write(&args.file, text)
        .map_err(|e| Failure::Request(format!("cannot write {file}: {e}")))?;
    writeln!(
        std::io::stdout(),
        "{file} is written. Next:\n  thixo check {file}\n  thixo run {file}"
    )?;
    Ok(ExitCode::SUCCESS)
}
