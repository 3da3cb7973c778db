//! A ring.

use thixo_math::Vector;

use super::across;
use crate::error::{Result, ShapeError, direction, finite_vector, positive};
use crate::{Bounds, Shape};

/// A ring about any axis. The distance is exact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Torus {
    center: Vector<f64, 3>,
    axis: Vector<f64, 3>,
    major: f64,
    minor: f64,
}

impl Torus {
    /// By its middle, its axis (of any length), the radius of the ring and that of its tube \[m\].
    pub fn new(
        center: Vector<f64, 3>,
        axis: Vector<f64, 3>,
        major: f64,
        minor: f64,
    ) -> Result<Self> {
        positive("tube radius of the torus", minor)?;
        if minor > positive("ring radius of the torus", major)? {
            return Err(ShapeError::Parameter {
                what: "tube radius of the torus",
                value: minor,
                must: "no larger than the ring radius",
            });
        }
        Ok(Self {
            center: finite_vector("centre of the torus", center)?,
            axis: direction("axis of the torus", axis)?,
            major,
            minor,
        })
    }
    /// From the nearest point of the ring's core to `x`.
    fn off_core(&self, x: &Vector<f64, 3>) -> Vector<f64, 3> {
        let p = *x - self.center;
        let r = p - self.axis * p.dot(&self.axis);
        p - r.unit().unwrap_or_else(|| across(&self.axis)) * self.major
    }
}

impl Shape<3> for Torus {
    fn is_exact(&self) -> bool {
        true
    }
    fn distance(&self, x: &Vector<f64, 3>) -> f64 {
        self.off_core(x).norm() - self.minor
    }
    fn bounds(&self) -> Option<Bounds<3>> {
        let e = self
            .axis
            .map(|c| self.minor + self.major * (1.0 - c * c).max(0.0).sqrt());
        Some(Bounds {
            low: self.center - e,
            high: self.center + e,
        })
    }
    fn normal(&self, x: &Vector<f64, 3>) -> Vector<f64, 3> {
        self.off_core(x).unit().unwrap_or(self.axis)
    }
}
