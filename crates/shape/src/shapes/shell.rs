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
        // |d + t/2| − t/2, without the cancellation that a thick shell would suffer from.
        let d = self.shape.distance(x);
        d.max(-d - 2.0 * self.half)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sphere;

    #[test]
    fn a_shell_thicker_than_the_shape_is_the_shape() {
        let ball: Arc<dyn Shape<2>> = Arc::new(Sphere::new(Vector::zero(), 1.0).unwrap());
        let shell = Shell::new(ball.clone(), 1e19).unwrap();
        for x in [0.0, 0.5, 0.999, 1.5] {
            let x = Vector([x, 0.1]);
            assert_eq!(shell.distance(&x), ball.distance(&x));
        }
        let thin = Shell::new(ball, 0.25).unwrap();
        assert_eq!(thin.distance(&Vector([0.5, 0.0])), 0.25);
        assert_eq!(thin.distance(&Vector([0.875, 0.0])), -0.125);
    }
}
