//! Rows: a reached value, its reference, its gate.

use serde::Serialize;

/// How a gate is known to be right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Tag {
    /// Exact up to round-off.
    X,
    /// Reached by a small independent code.
    M,
    /// A published or public peer number.
    P,
    /// A proposed gate; a miss is shown and does not fail the suite.
    G,
}

/// One line of the report.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// Case.
    pub id: String,
    /// What is measured.
    pub quantity: String,
    /// What was reached.
    pub value: f64,
    /// What it is compared with.
    pub reference: f64,
    /// How far it is from the reference, in the sense of the gate.
    pub error: f64,
    /// The largest error that passes.
    pub tolerance: f64,
    /// Where the gate comes from.
    pub tag: Tag,
    /// A negative control: something wrong on purpose, which passes when the gate rejects it.
    pub control: bool,
    /// Whether the gate holds (for a control: whether it was rejected).
    pub pass: bool,
}

/// Collects the rows of one case.
pub struct Bench {
    id: &'static str,
    /// Whether the long parts are wanted.
    pub long: bool,
    /// The rows so far.
    pub rows: Vec<Row>,
}

impl Bench {
    pub(crate) fn new(id: &'static str, long: bool) -> Self {
        Self {
            id,
            long,
            rows: Vec::new(),
        }
    }
    fn push(&mut self, quantity: &str, value: f64, reference: f64, error: f64, gate: (f64, Tag)) {
        let (tolerance, tag) = gate;
        // A NaN never passes.
        let pass = error <= tolerance && value.is_finite();
        let (id, quantity) = (self.id.into(), quantity.into());
        let control = false;
        self.rows.push(Row {
            id,
            quantity,
            value,
            reference,
            error,
            tolerance,
            tag,
            control,
            pass,
        });
    }
    /// |value − reference| ≤ tolerance.
    pub fn absolute(
        &mut self,
        quantity: &str,
        value: f64,
        reference: f64,
        tolerance: f64,
        tag: Tag,
    ) {
        self.push(
            quantity,
            value,
            reference,
            (value - reference).abs(),
            (tolerance, tag),
        );
    }
    /// |value − reference| ≤ tolerance |reference|.
    pub fn relative(
        &mut self,
        quantity: &str,
        value: f64,
        reference: f64,
        tolerance: f64,
        tag: Tag,
    ) {
        let error = (value - reference).abs() / reference.abs();
        self.push(quantity, value, reference, error, (tolerance, tag));
    }
    /// value ≤ limit.
    pub fn at_most(&mut self, quantity: &str, value: f64, limit: f64, tag: Tag) {
        self.push(quantity, value, 0.0, value, (limit, tag));
    }
    /// value ≥ limit.
    pub fn at_least(&mut self, quantity: &str, value: f64, limit: f64, tag: Tag) {
        self.push(quantity, value, limit, (limit - value).max(0.0), (0.0, tag));
    }
    /// low ≤ value ≤ high.
    pub fn between(&mut self, quantity: &str, value: f64, low: f64, high: f64, tag: Tag) {
        let middle = 0.5 * (low + high);
        self.push(
            quantity,
            value,
            middle,
            (value - middle).abs(),
            (0.5 * (high - low), tag),
        );
    }
    /// A row whose error was measured elsewhere: `(value, reference, error)`.
    pub fn measured(&mut self, quantity: &str, found: (f64, f64, f64), tolerance: f64, tag: Tag) {
        let (value, reference, error) = found;
        self.push(quantity, value, reference, error, (tolerance, tag));
    }
    /// A statement that holds or does not.
    pub fn holds(&mut self, quantity: &str, what: bool, tag: Tag) {
        self.absolute(quantity, f64::from(u8::from(what)), 1.0, 0.0, tag);
    }
    /// Turns the last row into a negative control: it passes when its gate rejected it.
    pub fn control(&mut self) {
        self.controls(self.rows.len().saturating_sub(1));
    }
    /// Turns all rows from number `start` on into negative controls. What is not a finite number was
    /// not measured, and so not rejected.
    pub fn controls(&mut self, start: usize) {
        for row in &mut self.rows[start..] {
            row.control = true;
            row.pass = !row.pass && row.value.is_finite() && row.error.is_finite();
        }
    }
    pub(crate) fn broken(&mut self, why: &str) {
        self.holds(&format!("ran to the end: {why}"), false, Tag::X);
    }
}
