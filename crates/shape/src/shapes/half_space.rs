//! All below a plane (3D) or a line (2D).

use thixo_math::Vector;

use crate::error::{Result, direction, finite_vector};
use crate::{Bounds, Shape};

/// The side of a plane that its normal points away from. The distance is exact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfSpace<const D: usize> {
    point: Vector<f64, D>,
    normal: Vector<f64, D>,
}

impl<const D: usize> HalfSpace<D> {
    /// Bounded by the plane through `point`, `normal` (of any length) pointing out of the solid.
    pub fn new(point: Vector<f64, D>, normal: Vector<f64, D>) -> Result<Self> {
        Ok(Self {
            point: finite_vector("point of the half-space", point)?,
            normal: direction("normal of the half-space", normal)?,
        })
    }
}

impl<const D: usize> Shape<D> for HalfSpace<D> {
    fn is_exact(&self) -> bool {
        true
    }
    fn distance(&self, x: &Vector<f64, D>) -> f64 {
        (*x - self.point).dot(&self.normal)
    }
    fn bounds(&self) -> Option<Bounds<D>> {
        None
    }
    fn normal(&self, _: &Vector<f64, D>) -> Vector<f64, D> {
        self.normal
    }
}
