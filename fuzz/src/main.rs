//! `thixo-fuzz [--cases N] [--seed S] [--target T] [--seconds T] [--patience T] [--jobs J]
//! [--findings FOLDER]` runs mutated inputs; `thixo-fuzz --show SEED CASE [TARGET]` prints the input of
//! a case; `thixo-fuzz --take TARGET FILE` takes one that was saved.

use std::alloc::System;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use cap::Cap;
use thixo_fuzz::supervise::{Order, run};
use thixo_fuzz::target;
use thixo_fuzz::worker::{MEMORY, Share, input, targets, work};

/// Refuses more memory than a case may use: the process then ends, which the supervisor sees.
#[global_allocator]
static MEMORY_IN_USE: Cap<System> = Cap::new(System, MEMORY);

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let done = match words.first().map(String::as_str) {
        Some("--worker") => worker(&words[1..]).map(|()| true),
        Some("--show") => show(&words[1..]).map(|()| true),
        Some("--take") => take(&words[1..]).map(|()| true),
        _ => supervise(&words),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(2)
        }
    }
}

fn supervise(words: &[String]) -> Result<bool, String> {
    let program = std::env::current_exe().map_err(|e| e.to_string())?;
    let mut order = Order {
        cases: 10_000,
        seed: 1,
        only: None,
        seconds: f64::INFINITY,
        patience: 15.0,
        jobs: 1,
        folder: "fuzz-findings".into(),
        program,
    };
    for pair in words.chunks(2) {
        let [key, value] = pair else {
            return Err(format!("`{}` needs a value", pair[0]));
        };
        let bad = |_| format!("`{value}` is no number for `{key}`");
        match key.as_str() {
            "--cases" => order.cases = value.parse().map_err(bad)?,
            "--seed" => order.seed = value.parse().map_err(bad)?,
            "--jobs" => order.jobs = value.parse::<u64>().map_err(bad)?.max(1),
            "--seconds" => order.seconds = time(value)?,
            "--patience" => order.patience = time(value)?,
            "--findings" => order.folder = PathBuf::from(value),
            "--target" if !target::schedule(Some(value)).is_empty() => {
                order.only = Some(value.clone());
            }
            "--target" => return Err(format!("no target is called `{value}`")),
            _ => return Err(format!("unknown option `{key}`")),
        }
    }
    let report = run(&order)?;
    print!("{}", report.text(&order.folder));
    Ok(report.findings.is_empty())
}

fn time(word: &str) -> Result<f64, String> {
    let time = word.parse().ok().filter(|t| (0.0..1e9).contains(t));
    time.ok_or_else(|| format!("`{word}` is no time in seconds"))
}

fn worker(words: &[String]) -> Result<(), String> {
    let number = |i: usize| -> Result<u64, String> {
        let word = words.get(i).ok_or("a worker needs four numbers")?;
        word.parse().map_err(|_| format!("`{word}` is no number"))
    };
    let share = Share {
        seed: number(0)?,
        first: number(1)?,
        end: number(2)?,
        stride: number(3)?.max(1),
        only: words.get(4).cloned(),
    };
    work(&share, || MEMORY_IN_USE.max_allocated())
}

fn show(words: &[String]) -> Result<(), String> {
    let number = |i: usize| words.get(i).and_then(|w| w.parse().ok());
    let (Some(seed), Some(case)) = (number(0), number(1)) else {
        return Err("write --show SEED CASE [TARGET]".into());
    };
    let (first, end, stride) = (case, case + 1, 1);
    let only = words.get(2).cloned();
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let targets = targets(only.as_deref(), folder.path())?;
    let share = Share {
        seed,
        only,
        first,
        end,
        stride,
    };
    let (_, bytes) = input(&share, case, &targets).ok_or("there is no such target")?;
    std::io::stdout()
        .write_all(&bytes)
        .map_err(|e| e.to_string())
}

fn take(words: &[String]) -> Result<(), String> {
    let [name, file] = words else {
        return Err("write --take TARGET FILE".into());
    };
    let bytes = std::fs::read(file).map_err(|e| format!("{file}: {e}"))?;
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let mut target = target::make(name, folder.path())?;
    let begun = std::time::Instant::now();
    let outcome = target.take(&bytes);
    println!("{outcome:?} after {:.3} s", begun.elapsed().as_secs_f64());
    outcome.map(|_| ())
}
