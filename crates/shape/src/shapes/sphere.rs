//! A ball (3D) or a disc (2D).

use thixo_math::Vector;

use crate::error::{Result, finite_vector, positive};
use crate::{Bounds, Shape};

/// A ball. The distance is exact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sphere<const D: usize> {
    center: Vector<f64, D>,
    radius: f64,
}

impl<const D: usize> Sphere<D> {
    /// By centre and radius \[m\].
    pub fn new(center: Vector<f64, D>, radius: f64) -> Result<Self> {
        Ok(Self {
            center: finite_vector("centre of the sphere", center)?,
            radius: positive("radius of the sphere", radius)?,
        })
    }
}

impl<const D: usize> Shape<D> for Sphere<D> {
    fn is_exact(&self) -> bool {
        true
    }
    fn distance(&self, x: &Vector<f64, D>) -> f64 {
        (*x - self.center).norm() - self.radius
    }
    fn bounds(&self) -> Option<Bounds<D>> {
        let r = Vector::splat(self.radius);
        Some(Bounds {
            low: self.center - r,
            high: self.center + r,
        })
    }
    fn normal(&self, x: &Vector<f64, D>) -> Vector<f64, D> {
        (*x - self.center)
            .unit()
            .unwrap_or_else(|| Vector::axis(D - 1))
    }
}
