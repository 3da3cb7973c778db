//! A box with faces across the axes; [`Transformed`](crate::Transformed) turns it.

use thixo_math::Vector;

use crate::error::{Result, finite_vector, positive};
use crate::{Bounds, Shape};

/// A box. The distance is exact inside and outside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cuboid<const D: usize> {
    center: Vector<f64, D>,
    half: Vector<f64, D>,
}

impl<const D: usize> Cuboid<D> {
    /// By its middle and half the lengths of its sides \[m\].
    pub fn new(center: Vector<f64, D>, half: Vector<f64, D>) -> Result<Self> {
        finite_vector("centre of the box", center)?;
        for h in half.0 {
            positive("half side of the box", h)?;
        }
        Ok(Self { center, half })
    }
    /// By two opposite corners \[m\].
    pub fn from_corners(a: Vector<f64, D>, b: Vector<f64, D>) -> Result<Self> {
        Self::new((a + b) * 0.5, ((b - a) * 0.5).map(f64::abs))
    }
    /// How far beyond its face `x` is along each axis.
    fn excess(&self, x: &Vector<f64, D>) -> Vector<f64, D> {
        (*x - self.center).map(f64::abs) - self.half
    }
}

impl<const D: usize> Shape<D> for Cuboid<D> {
    fn is_exact(&self) -> bool {
        true
    }
    fn distance(&self, x: &Vector<f64, D>) -> f64 {
        let q = self.excess(x);
        let inside = q.0.iter().fold(f64::NEG_INFINITY, |m, &c| m.max(c));
        q.map(|c| c.max(0.0)).norm() + inside.min(0.0)
    }
    fn bounds(&self) -> Option<Bounds<D>> {
        Some(Bounds {
            low: self.center - self.half,
            high: self.center + self.half,
        })
    }
    fn normal(&self, x: &Vector<f64, D>) -> Vector<f64, D> {
        let q = self.excess(x);
        let side = (*x - self.center).map(|c| if c < 0.0 { -1.0 } else { 1.0 });
        let nearest = (0..D).fold(0, |m, a| if q[a] > q[m] { a } else { m });
        q.map(|c| c.max(0.0))
            .times(&side)
            .unit()
            .unwrap_or_else(|| Vector::axis(nearest) * side[nearest])
    }
}
