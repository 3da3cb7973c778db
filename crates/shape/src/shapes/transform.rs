//! A shape somewhere else.

use std::sync::Arc;

use thixo_math::Vector;

use crate::{Bounds, Pose, Shape};

/// A shape turned and moved; as exact as the shape.
#[derive(Clone, Debug)]
pub struct Transformed<const D: usize> {
    shape: Arc<dyn Shape<D>>,
    pose: Pose<D>,
}

impl<const D: usize> Transformed<D> {
    /// `shape` as seen after `pose`.
    pub fn new(shape: Arc<dyn Shape<D>>, pose: Pose<D>) -> Self {
        Self { shape, pose }
    }
}

impl<const D: usize> Shape<D> for Transformed<D> {
    fn is_exact(&self) -> bool {
        self.shape.is_exact()
    }
    fn distance(&self, x: &Vector<f64, D>) -> f64 {
        self.shape.distance(&self.pose.back(x))
    }
    fn bounds(&self) -> Option<Bounds<D>> {
        let b = self.shape.bounds()?;
        let c = self.pose.apply(&b.center());
        let e = self.pose.rotation.map(f64::abs) * (b.size() * 0.5);
        Some(Bounds {
            low: c - e,
            high: c + e,
        })
    }
    fn normal(&self, x: &Vector<f64, D>) -> Vector<f64, D> {
        self.pose.rotation * self.shape.normal(&self.pose.back(x))
    }
}
