//! Round shapes.

use std::ops::Range;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;
use thixo_math::Vector;
use thixo_shape::{self as shape, Shape};

use super::{Figure, Files, only, place, refused};
use crate::error::Checked;
use crate::spec::{Numbers, Scalar};
use crate::units::{LENGTH, NUMBER};

/// A ball, a disc in two dimensions.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sphere {
    /// Its middle \[m\] (default: the origin).
    center: Option<Numbers>,
    /// Its radius \[m\].
    radius: Scalar,
}

impl Figure for Sphere {
    fn figure<const D: usize>(&self, _: &Files, span: &Range<usize>) -> Checked<Arc<dyn Shape<D>>> {
        let radius = self.radius.positive("radius", LENGTH)?;
        Ok(Arc::new(
            shape::Sphere::new(place(&self.center)?, radius).map_err(refused(span))?,
        ))
    }
}

/// A rod with round ends.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Capsule {
    /// The centre of one end \[m\].
    from: Numbers,
    /// The centre of the other end \[m\].
    to: Numbers,
    /// Its radius \[m\].
    radius: Scalar,
}

impl Figure for Capsule {
    fn figure<const D: usize>(&self, _: &Files, span: &Range<usize>) -> Checked<Arc<dyn Shape<D>>> {
        let (a, b) = (self.from.vector(LENGTH)?, self.to.vector(LENGTH)?);
        let radius = self.radius.positive("radius", LENGTH)?;
        Ok(Arc::new(
            shape::Capsule::new(a, b, radius).map_err(refused(span))?,
        ))
    }
}

/// A round bar with flat ends; in three dimensions only.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cylinder {
    /// Its middle \[m\] (default: the origin).
    center: Option<Numbers>,
    /// The direction of its axis (default \[0, 1, 0\]).
    axis: Option<Numbers>,
    /// Its radius \[m\].
    radius: Scalar,
    /// From one flat end to the other \[m\].
    height: Scalar,
}

impl Figure for Cylinder {
    fn figure<const D: usize>(&self, _: &Files, span: &Range<usize>) -> Checked<Arc<dyn Shape<D>>> {
        only::<3, D>(span, || {
            let radius = self.radius.positive("radius", LENGTH)?;
            let height = self.height.positive("height", LENGTH)?;
            let (center, axis) = (place(&self.center)?, axis(&self.axis)?);
            let made = shape::Cylinder::new(center, axis, radius, height);
            Ok(Arc::new(made.map_err(refused(span))?))
        })
    }
}

/// A ring; in three dimensions only.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Torus {
    /// Its middle \[m\] (default: the origin).
    center: Option<Numbers>,
    /// The direction of its axis (default \[0, 1, 0\]).
    axis: Option<Numbers>,
    /// From the middle to the centre of the tube \[m\].
    radius: Scalar,
    /// The radius of the tube \[m\].
    tube: Scalar,
}

impl Figure for Torus {
    fn figure<const D: usize>(&self, _: &Files, span: &Range<usize>) -> Checked<Arc<dyn Shape<D>>> {
        only::<3, D>(span, || {
            let radius = self.radius.positive("radius", LENGTH)?;
            let tube = self.tube.positive("tube", LENGTH)?;
            let (center, axis) = (place(&self.center)?, axis(&self.axis)?);
            let made = shape::Torus::new(center, axis, radius, tube);
            Ok(Arc::new(made.map_err(refused(span))?))
        })
    }
}

fn axis(x: &Option<Numbers>) -> Checked<Vector<f64, 3>> {
    x.as_ref()
        .map_or_else(|| Ok(Vector::axis(1)), |x| x.vector(NUMBER))
}
