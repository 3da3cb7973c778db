//! The rind of a shape: cups, tubes, hollow balls.

use std::sync::Arc;

use thixo_math::Vector;

use crate::error::{Result, positive};
use crate::{Bounds, Shape};

/// All of a shape that is nearer to its surface than a thickness. A cup is the shell of a cylinder
/// less a half-space.
#[derive(Clone, Debug)]
pub struct Shell<const D: usize> {
    shape: Arc<dyn Shape<D>>,
    half: f64,
}

impl<const D: usize> Shell<D> {
    /// The outer surface is that of `shape`, the inner one `thickness` \[m\] below it.
    pub fn new(shape: Arc<dyn Shape<D>>, thickness: f64) -> Result<Self> {
        Ok(Self {
            shape,
            half: 0.5 * positive("thickness of the shell", thickness)?,
        })
    }
}

impl<const D: usize> Shape<D> for Shell<D> {
    fn distance(&self, x: &Vector<f64, D>) -> f64 {
        (self.shape.distance(x) + self.half).abs() - self.half
    }
    fn bounds(&self) -> Option<Bounds<D>> {
        self.shape.bounds()
    }
    fn normal(&self, x: &Vector<f64, D>) -> Vector<f64, D> {
        let n = self.shape.normal(x);
        if self.shape.distance(x) < -self.half {
            -n
        } else {
            n
        }
    }
}
