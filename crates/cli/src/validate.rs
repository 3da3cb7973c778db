//! `thixo validate`: the cases with reference numbers, reached value beside gate.

use std::collections::HashMap;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::Instant;

use thixo_validation::{Case, Row, Tag, cases, run as run_case, select};

use crate::report::Failure;

/// Which cases, and how they are shown.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Case ids or prefixes, e.g. `T`, `P6`; all if none is named
    id: Vec<String>,
    /// List the cases instead of running them
    #[arg(long)]
    list: bool,
    /// Also run what takes minutes
    #[arg(long)]
    long: bool,
    /// Write one JSON array of rows to standard output, and nothing else
    #[arg(long)]
    json: bool,
}

/// Runs the command. The exit code counts rows tagged X, M and P and every control that is not
/// rejected; any other unmet G row is shown only.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let chosen = match select(&args.id) {
        Ok(chosen) => chosen,
        Err(word) => {
            let ids: Vec<&str> = cases::ALL.iter().map(|c| c.id).collect();
            say!("no case is called `{word}`; there are {}", ids.join(", "));
            return Ok(ExitCode::from(2));
        }
    };
    let out = &mut io::stdout().lock();
    if args.list {
        return list(out, &chosen, args.json);
    }
    let mut rows = Vec::new();
    let mut shown = Ok(());
    // What is timed has the machine to itself.
    let workers = match args.long {
        true => 1,
        false => std::thread::available_parallelism().map_or(1, |n| n.get()),
    };
    each(&chosen, workers, args.long, |case, mine, took| {
        let head = format!("{}: {} ({took:.1} s)", case.id, case.title);
        if args.json {
            say!("{head}");
        } else if shown.is_ok() {
            let lines = mine.iter().map(line);
            let text: Vec<String> = std::iter::once(head).chain(lines).collect();
            shown = writeln!(out, "{}", text.join("\n"));
        }
        rows.extend(mine);
    });
    shown?;
    let unmet = rows.iter().filter(|r| !r.pass);
    let (failed, missed): (Vec<&Row>, Vec<&Row>) = unmet.partition(|r| counts(r));
    let (failed, missed) = (failed.len(), missed.len());
    if args.json {
        writeln!(
            out,
            "{}",
            serde_json::to_string(&rows).map_err(io::Error::other)?
        )?;
    } else {
        if missed > 0 {
            writeln!(out, "{missed} proposed gates (tag G) not met")?;
        }
        let passed = rows.len() - failed - missed;
        writeln!(out, "{passed} passed, {failed} failed")?;
    }
    Ok(if failed == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Runs the cases, several at a time, and gives their rows and seconds in order, each as soon as those before it are there.
fn each(chosen: &[&Case], workers: usize, long: bool, mut done: impl FnMut(&Case, Vec<Row>, f64)) {
    let next = AtomicUsize::new(0);
    let (send, receive) = mpsc::channel();
    std::thread::scope(|scope| {
        for _ in 0..workers.min(chosen.len()) {
            let (send, next) = (send.clone(), &next);
            scope.spawn(move || {
                while let Some(case) = chosen.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let start = Instant::now();
                    let rows = run_case(case, long);
                    let took = start.elapsed().as_secs_f64();
                    // Who is gone does not want to know.
                    let _ = send.send((case.id, rows, took));
                }
            });
        }
        drop(send);
        let mut early = HashMap::new();
        let mut wanted = chosen.iter().peekable();
        for (id, rows, took) in receive {
            early.insert(id, (rows, took));
            while let Some((rows, took)) = wanted.peek().and_then(|case| early.remove(case.id)) {
                if let Some(case) = wanted.next() {
                    done(case, rows, took);
                }
            }
        }
    });
}

fn list(out: &mut impl Write, chosen: &[&Case], json: bool) -> Result<ExitCode, Failure> {
    if json {
        let all = chosen
            .iter()
            .map(|c| serde_json::json!({ "id": c.id, "title": c.title }));
        writeln!(out, "{}", all.collect::<serde_json::Value>())?;
    } else {
        for c in chosen {
            writeln!(out, "{:4} {}", c.id, c.title)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Whether an unmet row fails the run. A gate that its control passes proves nothing.
fn counts(r: &Row) -> bool {
    r.control || r.tag != Tag::G
}

fn line(r: &Row) -> String {
    let mark = match (r.pass, r.control, r.tag) {
        (true, false, _) => "ok",
        (true, true, _) => "ok (control, rejected)",
        (false, true, _) => "FAILED (control not rejected)",
        (false, false, Tag::G) => "NOT MET",
        (false, ..) => "FAILED",
    };
    format!(
        "  {:58} {:>14} reference {:>12} error {:>10.2e} gate {:>8.1e} {:?} {mark}",
        r.quantity,
        short(r.value),
        short(r.reference),
        r.error,
        r.tolerance,
        r.tag
    )
}

/// Six digits, in the shorter of two notations.
fn short(x: f64) -> String {
    if x == 0.0 || (1e-3..1e6).contains(&x.abs()) {
        format!("{x:.6}")
    } else {
        format!("{x:.4e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_control_that_is_not_rejected_fails_under_any_tag() {
        let row = |tag, control| Row {
            id: "T0".into(),
            quantity: "q".into(),
            value: 1.0,
            reference: 1.0,
            error: 0.0,
            tolerance: 0.1,
            tag,
            control,
            pass: false,
        };
        for tag in [Tag::X, Tag::M, Tag::P, Tag::G] {
            let control = row(tag, true);
            assert!(counts(&control));
            assert!(line(&control).ends_with("FAILED (control not rejected)"));
            assert_eq!(counts(&row(tag, false)), tag != Tag::G);
        }
        assert!(line(&row(Tag::G, false)).ends_with("NOT MET"));
    }
}
