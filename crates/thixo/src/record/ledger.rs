//! The ledger: one row of sums per frame, as CSV.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use thixo_io::{Error, Result, atomic};
use thixo_numerics::minimise::Effort;

use crate::Simulation;

/// The columns: name, unit, and how a row gets its value.
type Column = (&'static str, &'static str, fn(&Now) -> f64);

/// What a row is made from.
struct Now {
    frame: u64,
    time: f64,
    steps: u64,
    rejected: u64,
    mean_step: f64,
    wall: f64,
    totals: thixo_core::Totals,
    effort: Effort,
}

/// Every column of the ledger, in order.
const COLUMNS: &[Column] = &[
    ("frame", "", |n| n.frame as f64),
    ("time", "s", |n| n.time),
    ("particles", "", |n| n.totals.particles as f64),
    ("lost_particles", "", |n| n.totals.lost() as f64),
    ("mass", "kg", |n| n.totals.mass),
    ("emitted_mass", "kg", |n| n.totals.emitted),
    ("drained_mass", "kg", |n| n.totals.drained),
    ("volume", "m^3", |n| n.totals.volume),
    ("momentum_x", "kg m/s", |n| n.totals.momentum[0]),
    ("momentum_y", "kg m/s", |n| n.totals.momentum[1]),
    ("momentum_z", "kg m/s", |n| n.totals.momentum[2]),
    ("angular_x", "kg m^2/s", |n| n.totals.angular[0]),
    ("angular_y", "kg m^2/s", |n| n.totals.angular[1]),
    ("angular_z", "kg m^2/s", |n| n.totals.angular[2]),
    ("kinetic_energy", "J", |n| n.totals.kinetic),
    ("elastic_energy", "J", |n| n.totals.elastic),
    ("potential_energy", "J", |n| n.totals.potential),
    ("total_energy", "J", |n| {
        n.totals.kinetic + n.totals.elastic + n.totals.potential
    }),
    ("fastest", "m/s", |n| n.totals.fastest),
    ("mean_step", "s", |n| n.mean_step),
    ("steps", "", |n| n.steps as f64),
    ("rejected_steps", "", |n| n.rejected as f64),
    ("newton_iterations", "", |n| f64::from(n.effort.iterations)),
    ("linear_products", "", |n| f64::from(n.effort.products)),
    ("curvature_stops", "", |n| {
        f64::from(n.effort.curvature_stops)
    }),
    ("line_search_steps", "", |n| f64::from(n.effort.line_steps)),
    ("unconverged_solves", "", |n| {
        f64::from(n.effort.unconverged())
    }),
    ("worst_residual", "", |n| n.effort.worst),
    ("wall_time", "s", |n| n.wall),
];

/// The unit of a column of the ledger; empty for a pure number.
pub fn unit(column: &str) -> Option<&'static str> {
    COLUMNS
        .iter()
        .find(|(name, ..)| *name == column)
        .map(|(_, unit, _)| *unit)
}

/// Columns of numbers with a name for each, as a CSV file holds them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The names.
    pub names: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<f64>>,
}

impl Table {
    /// Reads a file. A last line that was cut off is left out.
    pub fn read(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path).map_err(|e| Error::read(path, e))?;
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        let mut lines = whole.lines();
        let split = |line: &str| -> Vec<String> { line.split(',').map(str::to_string).collect() };
        let names = lines.next().map(split).unwrap_or_default();
        let mut rows = Vec::new();
        for (i, line) in lines.enumerate() {
            let row: Option<Vec<f64>> = split(line).iter().map(|x| x.parse().ok()).collect();
            match row {
                Some(row) if row.len() == names.len() => rows.push(row),
                _ => {
                    let what = format!("line {} is not {} numbers", i + 2, names.len());
                    return Err(Error::Damaged {
                        path: path.into(),
                        part: "table".into(),
                        what,
                    });
                }
            }
        }
        Ok(Self { names, rows })
    }
    /// The values of a column.
    pub fn column(&self, name: &str) -> Option<Vec<f64>> {
        let at = self.names.iter().position(|n| n == name)?;
        Some(self.rows.iter().map(|r| r[at]).collect())
    }
}

/// A table on disk that grows by a row per frame; its first column is the frame.
pub(super) struct Log {
    path: PathBuf,
    last: Option<Vec<f64>>,
}

impl Log {
    /// A new one with these columns.
    pub fn create(path: PathBuf, names: &[String]) -> Result<Self> {
        let line = names.join(",");
        atomic::write(&path, |w| writeln!(w, "{line}"))?;
        Ok(Self { path, last: None })
    }
    /// Goes on after `frame`; rows of later frames, which a run that was killed may have left, go.
    pub fn resume(path: PathBuf, names: &[String], frame: u64) -> Result<Self> {
        if !path.exists() {
            return Self::create(path, names);
        }
        let mut table = Table::read(&path)?;
        if table.names != names {
            let what = "its columns are not those of this version".to_string();
            return Err(Error::Foreign { path, what });
        }
        table.rows.retain(|r| r[0] <= frame as f64);
        atomic::write(&path, |w| {
            writeln!(w, "{}", names.join(","))?;
            let mut rows = table.rows.iter();
            rows.try_for_each(|r| writeln!(w, "{}", line(r)))
        })?;
        let last = table.rows.pop();
        Ok(Self { path, last })
    }
    /// Adds a row.
    pub fn add(&mut self, row: Vec<f64>) -> Result<()> {
        let fail = |e| Error::write(&self.path, e);
        let mut file = OpenOptions::new()
            .append(true)
            .open(&self.path)
            .map_err(fail)?;
        let line = line(&row) + "\n";
        file.write_all(line.as_bytes()).map_err(fail)?;
        file.sync_data().map_err(fail)?;
        self.last = Some(row);
        Ok(())
    }
    /// The last row.
    pub fn last(&self) -> Option<&[f64]> {
        self.last.as_deref()
    }
}

fn line(row: &[f64]) -> String {
    let numbers: Vec<String> = row.iter().map(f64::to_string).collect();
    numbers.join(",")
}

/// The names of the ledger's columns.
pub(super) fn names() -> Vec<String> {
    COLUMNS.iter().map(|(name, ..)| name.to_string()).collect()
}

/// The row of the present state; `last` is the row before it, `wall` the time the run took \[s\].
pub(super) fn row(run: &Simulation, last: Option<&[f64]>, wall: f64) -> Vec<f64> {
    let at = |name| COLUMNS.iter().position(|(n, ..)| *n == name);
    let before = |name| at(name).and_then(|i| last.map(|r| r[i]));
    let (time, steps) = (run.time(), run.steps());
    let taken = steps as f64 - before("steps").unwrap_or(0.0);
    let passed = time - before("time").unwrap_or(0.0);
    let now = Now {
        frame: run.frame(),
        time,
        steps,
        rejected: run.rejected(),
        mean_step: if taken > 0.0 { passed / taken } else { 0.0 },
        wall,
        totals: run.totals(),
        effort: run.effort(),
    };
    COLUMNS.iter().map(|(.., value)| value(&now)).collect()
}
