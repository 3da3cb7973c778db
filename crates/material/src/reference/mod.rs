//! Laws against closed forms and reference data: each function returns rows of numbers with the
//! reference, the error and the tolerance, for tests and for the report.

mod elastic;
mod oldroyd;
mod sand;
mod snow;

pub use elastic::closed_forms;
pub use oldroyd::{
    Element, extended, oldroyd_relaxation, oldroyd_startup, oldroyd_steady_extension,
    oldroyd_steady_shear, oldroyd_updates, ram_14, shear,
};
pub use sand::{mobilised_friction, return_mapping, textbook_slope};
pub use snow::snow_path;

/// One number next to its reference.
#[derive(Clone, Debug)]
pub struct Row {
    /// Which load or state.
    pub case: String,
    /// Which number.
    pub quantity: &'static str,
    /// Ours.
    pub value: f64,
    /// The reference.
    pub reference: f64,
    /// Distance of the two, in the measure that the tolerance is for.
    pub error: f64,
    /// Largest error allowed.
    pub tolerance: f64,
}

impl Row {
    /// A row with an absolute error.
    fn new(case: &str, quantity: &'static str, value: f64, reference: f64, tolerance: f64) -> Self {
        let error = (value - reference).abs();
        Self {
            case: case.into(),
            quantity,
            value,
            reference,
            error,
            tolerance,
        }
    }
    /// Divides the error by the magnitude of the reference, but not by less than `least`.
    fn relative(mut self, least: f64) -> Self {
        self.error /= self.reference.abs().max(least);
        self
    }
    /// The error is allowed; NaN is not.
    pub fn passed(&self) -> bool {
        self.error <= self.tolerance
    }
}

/// The lines of a table without its head, split at commas.
fn table(text: &str) -> impl Iterator<Item = Vec<&str>> {
    text.lines()
        .skip(1)
        .map(|line| line.split(',').map(str::trim).collect())
}

/// A number of a table; NaN, which no check passes, if it is none.
fn number(field: &str) -> f64 {
    field.parse().unwrap_or(f64::NAN)
}
