//! What a conformance test found.

use std::fmt;

use thiserror::Error;

/// One property of a law: the worst that was found, and what is allowed.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// The property.
    pub name: &'static str,
    /// Worst value found.
    pub value: f64,
    /// Largest value allowed.
    pub tolerance: f64,
    /// How many samples were looked at.
    pub samples: usize,
}

impl Check {
    /// The worst value is allowed; NaN is not.
    pub fn passed(&self) -> bool {
        self.value <= self.tolerance
    }
}

/// The first check that a law failed.
#[derive(Clone, Debug, Error)]
#[error("`{law}` in {dimension}D: {check}: {value:.3e} is above {tolerance:.1e}")]
pub struct Failure {
    /// Law.
    pub law: &'static str,
    /// Dimension.
    pub dimension: usize,
    /// Name of the check.
    pub check: &'static str,
    /// Worst value found.
    pub value: f64,
    /// Largest value allowed.
    pub tolerance: f64,
}

/// All checks of one law in one dimension.
#[derive(Clone, Debug)]
pub struct Report {
    /// Law.
    pub law: &'static str,
    /// Dimension.
    pub dimension: usize,
    /// The checks in the order in which they were made.
    pub checks: Vec<Check>,
}

impl Report {
    pub(crate) fn new(law: &'static str, dimension: usize) -> Self {
        Self {
            law,
            dimension,
            checks: Vec::new(),
        }
    }
    pub(crate) fn add(&mut self, name: &'static str, value: f64, tolerance: f64, samples: usize) {
        self.checks.push(Check {
            name,
            value,
            tolerance,
            samples,
        });
    }
    /// The check of that name.
    pub fn get(&self, name: &str) -> Option<&Check> {
        self.checks.iter().find(|c| c.name == name)
    }
    /// Nothing failed.
    pub fn passed(&self) -> bool {
        self.checks.iter().all(Check::passed)
    }
    /// The first failure, if any.
    pub fn verdict(&self) -> Result<(), Failure> {
        match self.checks.iter().find(|c| !c.passed()) {
            None => Ok(()),
            Some(c) => Err(Failure {
                law: self.law,
                dimension: self.dimension,
                check: c.name,
                value: c.value,
                tolerance: c.tolerance,
            }),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} {}D", self.law, self.dimension)?;
        for c in &self.checks {
            let verdict = if c.passed() { "ok" } else { "FAILED" };
            writeln!(
                f,
                "  {:<52} {:>10.2e} ≤ {:<8.1e} {:>5} samples  {verdict}",
                c.name, c.value, c.tolerance, c.samples
            )?;
        }
        Ok(())
    }
}
