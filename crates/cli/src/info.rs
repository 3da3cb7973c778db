//! `thixo info`: what is in the folder of a run, a state or a scene.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use serde_json::{Value, json};
use thixo::io::checkpoint;
use thixo::prelude::*;
use thixo::record::{self, Request};

use crate::check::{bytes, count};
use crate::frames::kept;
use crate::report::Failure;

/// What to look at.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  thixo info out/snowball
  thixo info out/snowball/states/frame_0010.thixo --json
  thixo info snowball")]
pub struct Args {
    /// The folder of a run, a state, or a scene
    path: String,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let path = Path::new(&args.path);
    let facts = if path.is_dir() {
        of_run(path)?
    } else if path.extension().is_some_and(|e| e == "thixo") {
        of_state(path)?
    } else {
        of_scene(&args.path)?
    };
    let out = &mut io::stdout().lock();
    if args.json {
        let all: serde_json::Map<String, Value> =
            facts.into_iter().map(|f| (f.key.into(), f.value)).collect();
        writeln!(out, "{}", Value::Object(all))?;
        return Ok(ExitCode::SUCCESS);
    }
    for fact in facts {
        writeln!(out, "{:14} {}", fact.key.replace('_', " "), fact.words)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Something that is known.
struct Fact {
    key: &'static str,
    value: Value,
    words: String,
}

fn fact(key: &'static str, value: impl Into<Value>, words: impl Into<String>) -> Fact {
    Fact {
        key,
        value: value.into(),
        words: words.into(),
    }
}

fn plain(key: &'static str, text: &str) -> Fact {
    fact(key, text, text)
}

fn of_run(folder: &Path) -> Result<Vec<Fact>, Failure> {
    let request = Request::read(folder)?;
    let scene = request.scene(folder, &[])?;
    let states = record::states(folder);
    let last = states.last().copied();
    let complete = record::summary(folder).is_some();
    let state = match (complete, last) {
        (true, _) => "complete".into(),
        (false, Some(n)) => format!(
            "at frame {n} of {}; go on with: thixo resume {}",
            request.frames,
            folder.display()
        ),
        (false, None) => format!(
            "not begun; start it with: thixo resume {}",
            folder.display()
        ),
    };
    let mut facts = vec![
        plain("scene", &request.scene),
        plain("title", &scene.title),
        plain("from", &request.file),
        fact("complete", complete, state),
        fact("frames", request.frames, request.frames.to_string()),
        fact("states", json!(states), kept(&states)),
    ];
    if let Some(origin) = &request.origin {
        let words = format!("frame {} of {}", origin.frame, origin.folder.display());
        let value = json!({"folder": origin.folder, "frame": origin.frame});
        facts.push(fact("branch_of", value, words));
    }
    let ledger = record::Table::read(&folder.join("ledger.csv")).unwrap_or_default();
    for (name, unit) in [
        ("time", " s"),
        ("particles", ""),
        ("steps", ""),
        ("rejected_steps", ""),
        ("lost_particles", ""),
        ("mass", " kg"),
        ("wall_time", " s"),
    ] {
        if let Some(x) = ledger.column(name).and_then(|c| c.last().copied()) {
            let words = if x.fract() == 0.0 {
                count(x)
            } else {
                format!("{x:.4}")
            };
            facts.push(fact(name, x, format!("{words}{unit}")));
        }
    }
    let size = size(folder) as f64;
    facts.push(fact("bytes", size, bytes(size)));
    facts.push(plain("version", &request.version));
    Ok(facts)
}

fn of_state(path: &Path) -> Result<Vec<Fact>, Failure> {
    let (snapshot, meta) = checkpoint::read(path)?;
    let raw: usize = snapshot.columns.iter().map(|c| c.bytes.len()).sum();
    let packed = fs::metadata(path)?.len();
    let columns = snapshot.columns.iter().map(|c| {
        let rows = c.bytes.len() / (c.width as usize).max(1);
        json!({"name": c.name, "width": c.width, "rows": rows})
    });
    let names: Vec<&str> = snapshot.columns.iter().map(|c| c.name.as_str()).collect();
    Ok(vec![
        plain("scene", &meta.scene),
        fact("time", meta.time, format!("{} s", meta.time)),
        fact("step", meta.step, count(meta.step as f64)),
        plain("state_hash", &snapshot.hash()),
        fact(
            "bytes",
            packed,
            format!("{} ({} unpacked)", bytes(packed as f64), bytes(raw as f64)),
        ),
        fact("columns", columns.collect::<Vec<_>>(), names.join(", ")),
    ])
}

fn of_scene(name: &str) -> Result<Vec<Fact>, Failure> {
    let scene = Scene::load(name).map_err(thixo::Error::from)?;
    let materials: Vec<String> = scene
        .spec
        .materials
        .keys()
        .map(|k| k.get_ref().clone())
        .collect();
    let end = scene.frame_time(scene.frames);
    let spec = &scene.spec;
    Ok(vec![
        plain("scene", &scene.name),
        plain("title", &scene.title),
        fact("dimension", scene.dimension, scene.dimension.to_string()),
        plain("precision", scene.precision.name()),
        fact(
            "frames",
            scene.frames,
            format!("{} at {} fps, {end:.3} s", scene.frames, scene.fps),
        ),
        fact("materials", json!(materials), materials.join(", ")),
        fact("bodies", spec.bodies.len(), spec.bodies.len().to_string()),
        fact(
            "emitters",
            spec.emitters.len(),
            spec.emitters.len().to_string(),
        ),
        fact(
            "colliders",
            spec.colliders.len(),
            spec.colliders.len().to_string(),
        ),
    ])
}

/// Bytes in a folder.
fn size(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let each = entries.map(|e| match e.metadata() {
        Ok(m) if m.is_dir() => size(&e.path()),
        Ok(m) => m.len(),
        Err(_) => 0,
    });
    each.sum()
}
