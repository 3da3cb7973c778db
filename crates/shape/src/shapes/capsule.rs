//! All within a radius of a segment.

use thixo_math::Vector;

use super::{across, closest_on_segment};
use crate::error::{Result, finite_vector, positive};
use crate::{Bounds, Shape};

/// A rod with round ends. The distance is exact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Capsule<const D: usize> {
    a: Vector<f64, D>,
    b: Vector<f64, D>,
    radius: f64,
}

impl<const D: usize> Capsule<D> {
    /// By the ends of its segment and its radius \[m\].
    pub fn new(a: Vector<f64, D>, b: Vector<f64, D>, radius: f64) -> Result<Self> {
        Ok(Self {
            a: finite_vector("first end of the capsule", a)?,
            b: finite_vector("second end of the capsule", b)?,
            radius: positive("radius of the capsule", radius)?,
        })
    }
}

impl<const D: usize> Shape<D> for Capsule<D> {
    fn is_exact(&self) -> bool {
        true
    }
    fn distance(&self, x: &Vector<f64, D>) -> f64 {
        (*x - closest_on_segment(x, &self.a, &self.b)).norm() - self.radius
    }
    fn bounds(&self) -> Option<Bounds<D>> {
        Bounds::of([self.a, self.b]).map(|b| b.grow(self.radius))
    }
    fn normal(&self, x: &Vector<f64, D>) -> Vector<f64, D> {
        (*x - closest_on_segment(x, &self.a, &self.b))
            .unit()
            .unwrap_or_else(|| match (self.b - self.a).unit() {
                Some(axis) => across(&axis),
                None => Vector::axis(D - 1),
            })
    }
}
