//! Vector fields: numbers with units, or formulas in SI units, axis by axis.

use thixo_math::{Matrix, Vector};

use crate::error::{Checked, Problem};
use crate::expression::Expression;
use crate::spec::{Numbers, Typed};
use crate::units::{Measure, split};

/// A vector as a function of place and time.
#[derive(Clone, Debug)]
pub(super) struct Field<const D: usize> {
    parts: [Part; D],
}

#[derive(Clone, Debug)]
enum Part {
    Constant(f64),
    Formula(Box<Expression>),
}

impl<const D: usize> Field<D> {
    /// Reads one; `timed` allows `t` in formulas.
    pub fn read(typed: &Numbers, measure: Measure, timed: bool) -> Checked<Self> {
        let mut names = vec!["x", "y", "z"];
        names.truncate(D);
        if timed {
            names.push("t");
        }
        Self::of(typed, measure, &names)
    }
    /// Reads one that is the same everywhere.
    pub fn of_time(typed: &Numbers, measure: Measure) -> Checked<Self> {
        Self::of(typed, measure, &["t"])
    }
    fn of(typed: &Numbers, measure: Measure, names: &[&str]) -> Checked<Self> {
        typed.counted(D)?;
        let mut parts = std::array::from_fn(|_| Part::Constant(0.0));
        for (part, item) in parts.iter_mut().zip(&typed.items) {
            *part = match (item.value(measure), &item.typed) {
                (Ok(x), _) => Part::Constant(x),
                (Err(problem), Typed::Number(_)) => return Err(problem),
                (Err(problem), Typed::Text(text)) => match Expression::parse(text, names) {
                    Ok(formula) => Part::Formula(Box::new(formula)),
                    Err(_) if !is_formula(text) => return Err(problem),
                    Err(e) => {
                        let what = format!("cannot read the formula `{text}`: {e}");
                        return Err(Problem::new(item.span.clone(), what).help(format!(
                            "write {} such as \"{}\", or a formula of {} in SI units",
                            measure.name,
                            measure.example,
                            names.join(", ")
                        )));
                    }
                },
            };
        }
        Ok(Self { parts })
    }
    /// The value at a place and time.
    pub fn at(&self, x: &Vector<f64, D>, t: f64) -> Vector<f64, D> {
        Vector::from_fn(|a| match &self.parts[a] {
            Part::Constant(c) => *c,
            Part::Formula(f) => f.at(&x.0, t),
        })
    }
    /// ∂v_a/∂x_b by central differences over `h`: exact for fields up to quadratic.
    pub fn gradient(&self, x: &Vector<f64, D>, h: f64) -> Matrix<f64, D> {
        let columns: [Vector<f64, D>; D] = std::array::from_fn(|b| {
            let e = Vector::axis(b) * h;
            (self.at(&(*x + e), 0.0) - self.at(&(*x - e), 0.0)) / (2.0 * h)
        });
        Matrix::from_fn(|a, b| match self.parts[a] {
            Part::Constant(_) => 0.0,
            Part::Formula(_) => columns[b][a],
        })
    }
    /// Whether it is the same everywhere and always.
    pub fn constant(&self) -> bool {
        self.parts.iter().all(|p| matches!(p, Part::Constant(_)))
    }
}

/// Whether a text that is neither was meant as a formula rather than as a number with a unit: it
/// holds an operator or a bracket that no unit has, or does not start with a number.
fn is_formula(text: &str) -> bool {
    let (number, unit) = split(text);
    number.is_empty() || unit.starts_with(['*', '+', '-', '^']) || unit.contains(['(', '+'])
}
