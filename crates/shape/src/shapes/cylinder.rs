//! A round bar with flat ends.

use thixo_math::Vector;

use super::across;
use crate::error::{Result, direction, finite_vector, positive};
use crate::{Bounds, Shape};

/// A cylinder about any axis. The distance is exact inside and outside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cylinder {
    center: Vector<f64, 3>,
    axis: Vector<f64, 3>,
    radius: f64,
    half: f64,
}

impl Cylinder {
    /// By its middle, its axis (of any length), radius and height \[m\].
    pub fn new(
        center: Vector<f64, 3>,
        axis: Vector<f64, 3>,
        radius: f64,
        height: f64,
    ) -> Result<Self> {
        Ok(Self {
            center: finite_vector("centre of the cylinder", center)?,
            axis: direction("axis of the cylinder", axis)?,
            radius: positive("radius of the cylinder", radius)?,
            half: 0.5 * positive("height of the cylinder", height)?,
        })
    }
    /// Height along the axis and the part of `x` across it.
    fn split(&self, x: &Vector<f64, 3>) -> (f64, Vector<f64, 3>) {
        let p = *x - self.center;
        let h = p.dot(&self.axis);
        (h, p - self.axis * h)
    }
}

impl Shape<3> for Cylinder {
    fn is_exact(&self) -> bool {
        true
    }
    fn distance(&self, x: &Vector<f64, 3>) -> f64 {
        let (h, r) = self.split(x);
        let q = Vector([r.norm() - self.radius, h.abs() - self.half]);
        q.map(|c| c.max(0.0)).norm() + q[0].max(q[1]).min(0.0)
    }
    fn bounds(&self) -> Option<Bounds<3>> {
        let e = self
            .axis
            .map(|c| self.half * c.abs() + self.radius * (1.0 - c * c).max(0.0).sqrt());
        Some(Bounds {
            low: self.center - e,
            high: self.center + e,
        })
    }
    fn normal(&self, x: &Vector<f64, 3>) -> Vector<f64, 3> {
        let (h, r) = self.split(x);
        let side = r.unit().unwrap_or_else(|| across(&self.axis));
        let end = if h < 0.0 { -self.axis } else { self.axis };
        let q = Vector([r.norm() - self.radius, h.abs() - self.half]);
        let flat = if q[0] > q[1] { side } else { end };
        (side * q[0].max(0.0) + end * q[1].max(0.0))
            .unit()
            .unwrap_or(flat)
    }
}
