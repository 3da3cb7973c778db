//! `thixo validate`: the cases with reference numbers, reached value beside gate.

use std::io::{self, Write};
use std::process::ExitCode;
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

/// Runs the command. The exit code counts rows tagged X, M and P; an unmet G row is shown only.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let chosen = match select(&args.id) {
        Ok(chosen) => chosen,
        Err(word) => {
            let ids: Vec<&str> = cases::ALL.iter().map(|c| c.id).collect();
            eprintln!("no case is called `{word}`; there are {}", ids.join(", "));
            return Ok(ExitCode::from(2));
        }
    };
    let out = &mut io::stdout().lock();
    if args.list {
        return list(out, &chosen, args.json);
    }
    let mut rows = Vec::new();
    for case in chosen {
        if case.long && !args.long {
            eprintln!("{}: only with --long: {}", case.id, case.title);
            continue;
        }
        let start = Instant::now();
        let mine = run_case(case, args.long);
        let took = start.elapsed().as_secs_f64();
        if args.json {
            eprintln!("{}: {} ({took:.1} s)", case.id, case.title);
        } else {
            writeln!(out, "{}: {} ({took:.1} s)", case.id, case.title)?;
            mine.iter().try_for_each(|r| writeln!(out, "{}", line(r)))?;
        }
        rows.extend(mine);
    }
    let failed = rows.iter().filter(|r| !r.pass && r.tag != Tag::G).count();
    let missed = rows.iter().filter(|r| !r.pass && r.tag == Tag::G).count();
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

fn list(out: &mut impl Write, chosen: &[&Case], json: bool) -> Result<ExitCode, Failure> {
    if json {
        let all = chosen
            .iter()
            .map(|c| serde_json::json!({ "id": c.id, "title": c.title, "long": c.long }));
        writeln!(out, "{}", all.collect::<serde_json::Value>())?;
    } else {
        for c in chosen {
            let long = if c.long { " (--long)" } else { "" };
            writeln!(out, "{:4} {}{long}", c.id, c.title)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn line(r: &Row) -> String {
    let mark = match (r.pass, r.control, r.tag) {
        (true, false, _) => "ok",
        (true, true, _) => "ok (control, rejected)",
        (false, _, Tag::G) => "NOT MET",
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
