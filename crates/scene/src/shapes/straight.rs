//! Shapes with flat faces.

use std::ops::Range;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;
use thixo_math::Vector;
use thixo_shape::{self as shape, Shape};

use super::{Figure, Files, only, place, refused};
use crate::error::{Checked, Problem};
use crate::spec::Numbers;
use crate::units::{LENGTH, NUMBER};

/// A box by `from` and `to`, or by `size` and `center`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cuboid {
    /// One corner \[m\].
    from: Option<Numbers>,
    /// The opposite corner \[m\].
    to: Option<Numbers>,
    /// The middle, with `size` \[m\] (default: the origin).
    center: Option<Numbers>,
    /// The lengths of its sides \[m\].
    size: Option<Numbers>,
}

impl Figure for Cuboid {
    fn figure<const D: usize>(&self, _: &Files, span: &Range<usize>) -> Checked<Arc<dyn Shape<D>>> {
        let made = match (&self.from, &self.to, &self.center, &self.size) {
            (Some(a), Some(b), None, None) => {
                shape::Cuboid::<D>::from_corners(a.vector(LENGTH)?, b.vector(LENGTH)?)
            }
            (None, None, center, Some(size)) => {
                let half: Vector<f64, D> = size.vector(LENGTH)? * 0.5;
                if let Some(a) = (0..D).find(|&a| half[a] <= 0.0) {
                    let side = 2.0 * half[a];
                    return Err(Problem::new(
                        size.span.clone(),
                        format!("a side of the box is {side}: it must be above 0"),
                    )
                    .help("write lengths such as \"25 cm\""));
                }
                shape::Cuboid::new(place(center)?, half)
            }
            _ => {
                return Err(Problem::new(span.clone(), "this box is not determined")
                    .help("give `from` and `to`, or `size` and `center`"));
            }
        };
        Ok(Arc::new(made.map_err(refused(span))?))
    }
    fn is_box(&self) -> bool {
        true
    }
}

/// All below a plane.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HalfSpace {
    /// A point of the plane \[m\] (default: the origin).
    point: Option<Numbers>,
    /// The direction out of the matter.
    normal: Numbers,
}

impl Figure for HalfSpace {
    fn figure<const D: usize>(&self, _: &Files, span: &Range<usize>) -> Checked<Arc<dyn Shape<D>>> {
        let normal = self.normal.vector(NUMBER)?;
        Ok(Arc::new(
            shape::HalfSpace::new(place(&self.point)?, normal).map_err(refused(span))?,
        ))
    }
}

/// A region of the plane by its corners; in two dimensions only.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Polygon {
    /// The corners in order \[m\].
    corners: Vec<Numbers>,
}

impl Figure for Polygon {
    fn figure<const D: usize>(&self, _: &Files, span: &Range<usize>) -> Checked<Arc<dyn Shape<D>>> {
        only::<2, D>(span, || {
            let corners: Checked<Vec<_>> = self.corners.iter().map(|c| c.vector(LENGTH)).collect();
            Ok(Arc::new(
                shape::Polygon::new(corners?).map_err(refused(span))?,
            ))
        })
    }
}
