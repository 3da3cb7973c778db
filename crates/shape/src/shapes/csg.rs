//! Shapes made of shapes. Signs are right everywhere; the magnitude is a lower bound: exact outside
//! a union and inside an intersection of exact shapes.

use std::sync::Arc;

use thixo_math::Vector;

use crate::error::{Result, ShapeError};
use crate::{Bounds, Shape};

/// All that is in one of the parts or more.
#[derive(Clone, Debug)]
pub struct Union<const D: usize> {
    parts: Vec<Arc<dyn Shape<D>>>,
}

/// All that is in every part.
#[derive(Clone, Debug)]
pub struct Intersection<const D: usize> {
    parts: Vec<Arc<dyn Shape<D>>>,
}

/// All of the first that is not in the second.
#[derive(Clone, Debug)]
pub struct Difference<const D: usize> {
    whole: Arc<dyn Shape<D>>,
    hole: Arc<dyn Shape<D>>,
}

fn some<const D: usize>(
    what: &str,
    parts: Vec<Arc<dyn Shape<D>>>,
) -> Result<Vec<Arc<dyn Shape<D>>>> {
    if parts.is_empty() {
        return Err(ShapeError::Empty {
            what: what.into(),
            advice: "give at least one part".into(),
        });
    }
    Ok(parts)
}

impl<const D: usize> Union<D> {
    /// Of one part or more.
    pub fn new(parts: Vec<Arc<dyn Shape<D>>>) -> Result<Self> {
        Ok(Self {
            parts: some("union", parts)?,
        })
    }
}
impl<const D: usize> Intersection<D> {
    /// Of one part or more.
    pub fn new(parts: Vec<Arc<dyn Shape<D>>>) -> Result<Self> {
        Ok(Self {
            parts: some("intersection", parts)?,
        })
    }
}
impl<const D: usize> Difference<D> {
    /// `whole` without `hole`.
    pub fn new(whole: Arc<dyn Shape<D>>, hole: Arc<dyn Shape<D>>) -> Self {
        Self { whole, hole }
    }
}

/// The first part whose distance beats the others', and that distance; `sign` 1 for the least.
fn extreme<'a, const D: usize>(
    parts: &'a [Arc<dyn Shape<D>>],
    x: &Vector<f64, D>,
    sign: f64,
) -> (f64, Option<&'a Arc<dyn Shape<D>>>) {
    parts.iter().fold((sign * f64::INFINITY, None), |best, p| {
        let d = p.distance(x);
        if best.1.is_none() || sign * d < sign * best.0 {
            (d, Some(p))
        } else {
            best
        }
    })
}

impl<const D: usize> Shape<D> for Union<D> {
    fn distance(&self, x: &Vector<f64, D>) -> f64 {
        extreme(&self.parts, x, 1.0).0
    }
    fn bounds(&self) -> Option<Bounds<D>> {
        let mut parts = self.parts.iter().map(|p| p.bounds());
        let first = parts.next()??;
        parts.try_fold(first, |b, p| Some(b.union(&p?)))
    }
    fn normal(&self, x: &Vector<f64, D>) -> Vector<f64, D> {
        extreme(&self.parts, x, 1.0)
            .1
            .map_or_else(|| Vector::axis(D - 1), |p| p.normal(x))
    }
}

impl<const D: usize> Shape<D> for Intersection<D> {
    fn distance(&self, x: &Vector<f64, D>) -> f64 {
        extreme(&self.parts, x, -1.0).0
    }
    fn bounds(&self) -> Option<Bounds<D>> {
        self.parts
            .iter()
            .filter_map(|p| p.bounds())
            .reduce(|a, b| a.intersection(&b))
    }
    fn normal(&self, x: &Vector<f64, D>) -> Vector<f64, D> {
        extreme(&self.parts, x, -1.0)
            .1
            .map_or_else(|| Vector::axis(D - 1), |p| p.normal(x))
    }
}

impl<const D: usize> Shape<D> for Difference<D> {
    fn distance(&self, x: &Vector<f64, D>) -> f64 {
        self.whole.distance(x).max(-self.hole.distance(x))
    }
    fn bounds(&self) -> Option<Bounds<D>> {
        self.whole.bounds()
    }
    fn normal(&self, x: &Vector<f64, D>) -> Vector<f64, D> {
        if self.whole.distance(x) >= -self.hole.distance(x) {
            self.whole.normal(x)
        } else {
            -self.hole.normal(x)
        }
    }
}
