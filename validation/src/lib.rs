//! Cases with reference numbers. Each case is one file in `cases/` and one line in [`cases::ALL`];
//! it reports rows with the reached value next to its gate, and controls that must be rejected.

mod bench;
pub mod cases;
pub mod lab;
pub mod menagerie;

pub use bench::{Bench, Row, Tag};

/// One case of the suite.
pub struct Case {
    /// Identifier, e.g. `T2`.
    pub id: &'static str,
    /// What it shows.
    pub title: &'static str,
    /// Runs it and reports rows.
    pub run: fn(&mut Bench) -> thixo_core::Result<()>,
}

/// The cases that the words select: a word equal to an id selects that case, else it is a prefix;
/// no words select all. The word that selects nothing is the error.
pub fn select(words: &[String]) -> Result<Vec<&'static Case>, String> {
    let matches = |c: &Case, w: &String| {
        let exact = cases::ALL.iter().any(|c| c.id.eq_ignore_ascii_case(w));
        if exact {
            c.id.eq_ignore_ascii_case(w)
        } else {
            c.id.to_ascii_uppercase()
                .starts_with(&w.to_ascii_uppercase())
        }
    };
    if let Some(w) = words
        .iter()
        .find(|w| !cases::ALL.iter().any(|c| matches(c, w)))
    {
        return Err(w.clone());
    }
    let all = cases::ALL.iter();
    Ok(all
        .filter(|c| words.is_empty() || words.iter().any(|w| matches(c, w)))
        .collect())
}

/// Runs one case; an error of the engine becomes a failed row, and so do a case without rows and one
/// without a control.
pub fn run(case: &Case, long: bool) -> Vec<Row> {
    let mut bench = Bench::new(case.id, long);
    if let Err(e) = (case.run)(&mut bench) {
        bench.broken(&e.to_string());
    } else if bench.rows.is_empty() {
        bench.broken("no rows");
    } else if !bench.rows.iter().any(|r| r.control) {
        bench.broken("no control");
    }
    bench.rows
}
