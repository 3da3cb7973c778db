//! Shapes made of shapes.

use std::ops::Range;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;
use thixo_shape::{self as shape, Shape};

use super::{Figure, Files, refused};
use crate::error::{Checked, Problem};
use crate::spec::{self, Scalar};
use crate::units::LENGTH;

/// All that is in one of the parts or more.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Union(Vec<spec::Shape>);

/// All that is in every part.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Intersection(Vec<spec::Shape>);

/// The first part without the others.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Difference(Vec<spec::Shape>);

/// The rind of a shape.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Shell {
    /// The shape.
    of: Box<spec::Shape>,
    /// How thick the rind is \[m\].
    thickness: Scalar,
}

fn parts<const D: usize>(list: &[spec::Shape], files: &Files) -> Checked<Vec<Arc<dyn Shape<D>>>> {
    list.iter().map(|s| s.make(files)).collect()
}

impl Figure for Union {
    fn figure<const D: usize>(
        &self,
        files: &Files,
        span: &Range<usize>,
    ) -> Checked<Arc<dyn Shape<D>>> {
        Ok(Arc::new(
            shape::Union::new(parts(&self.0, files)?).map_err(refused(span))?,
        ))
    }
}

impl Figure for Intersection {
    fn figure<const D: usize>(
        &self,
        files: &Files,
        span: &Range<usize>,
    ) -> Checked<Arc<dyn Shape<D>>> {
        Ok(Arc::new(
            shape::Intersection::new(parts(&self.0, files)?).map_err(refused(span))?,
        ))
    }
}

impl Figure for Difference {
    fn figure<const D: usize>(
        &self,
        files: &Files,
        span: &Range<usize>,
    ) -> Checked<Arc<dyn Shape<D>>> {
        let mut all = parts::<D>(&self.0, files)?;
        if all.len() < 2 {
            return Err(
                Problem::new(span.clone(), "a difference needs two shapes or more")
                    .help("write difference = [ whole, hole, … ]"),
            );
        }
        let whole = all.remove(0);
        let holes = shape::Union::new(all).map_err(refused(span))?;
        Ok(Arc::new(shape::Difference::new(whole, Arc::new(holes))))
    }
}

impl Figure for Shell {
    fn figure<const D: usize>(
        &self,
        files: &Files,
        span: &Range<usize>,
    ) -> Checked<Arc<dyn Shape<D>>> {
        let thickness = self.thickness.positive("thickness", LENGTH)?;
        Ok(Arc::new(
            shape::Shell::new(self.of.make(files)?, thickness).map_err(refused(span))?,
        ))
    }
}
