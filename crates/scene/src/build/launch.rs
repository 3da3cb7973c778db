//! How fast a body is at the start.

use std::ops::Range;

use thixo_math::{Matrix, Vector};

use super::field::Field;
use crate::error::{Checked, Problem};
use crate::spec::{Body, shape::skew};
use crate::units::{LENGTH, SPEED, TURNING};

/// Velocity and spin of a body at the start.
pub(super) struct Launch<const D: usize> {
    velocity: Option<Field<D>>,
    spin: Option<Matrix<f64, D>>,
    pivot: Vector<f64, D>,
    /// Where its velocity is typed.
    at: Range<usize>,
}

impl<const D: usize> Launch<D> {
    /// As a body at `at` says it; it turns about `middle` if it does not say about what.
    pub fn read(body: &Body, at: Range<usize>, middle: Vector<f64, D>) -> Checked<Self> {
        let velocity = match &body.velocity {
            None => None,
            Some(v) => Some(Field::<D>::read(v, SPEED, false)?),
        };
        let spin = match &body.spin {
            None => None,
            Some(w) => Some(skew(w.axial::<D>(TURNING)?)),
        };
        let pivot = match (&body.pivot, &spin) {
            (Some(p), Some(_)) => p.vector(LENGTH)?,
            (Some(p), None) => {
                return Err(Problem::new(p.span.clone(), "a pivot without a spin")
                    .help("add `spin`, or remove `pivot`"));
            }
            _ => middle,
        };
        let at = body.velocity.as_ref().map_or(at, |v| v.span.clone());
        Ok(Self {
            velocity,
            spin,
            pivot,
            at,
        })
    }
    /// Velocity \[m/s\] and its gradient \[1/s\], where that is not constant by differences over `h` \[m\].
    pub fn at(&self, x: &Vector<f64, D>, h: f64) -> Checked<(Vector<f64, D>, Matrix<f64, D>)> {
        let (mut v, mut gradient) = (Vector::zero(), Matrix::zero());
        if let Some(field) = &self.velocity {
            v = field.at(x, 0.0);
            if !field.constant() {
                gradient = field.gradient(x, h);
            }
        }
        if let Some(w) = &self.spin {
            v += *w * (*x - self.pivot);
            gradient += *w;
        }
        if v.finite() && gradient.finite() {
            return Ok((v, gradient));
        }
        let what = format!("the velocity at {:?} is not finite", x.0);
        Err(Problem::new(self.at.clone(), what)
            .help("change the formula so that it has a value in all of the body"))
    }
}
