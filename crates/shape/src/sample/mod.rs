//! Points in shapes: fillings, inflows and drains. All of it is a function of its arguments: the
//! same seed gives the same points, bit for bit.

mod hash;
mod poisson;
mod strata;
mod stream;
mod volume;

use thixo_math::Vector;

use crate::Shape;
use crate::error::{Result, ShapeError, positive};

pub(crate) use strata::{each, each_unless, is_outside};
pub use stream::{Drain, Emitted, Stream};
pub use volume::volume;

/// Most points that one filling looks at.
pub(crate) const LIMIT: f64 = 2e9;

/// A point that stands for some volume.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample<const D: usize> {
    /// Place \[m\].
    pub x: Vector<f64, D>,
    /// Volume (area in 2D) \[m^D\].
    pub volume: f64,
}

/// How to fill a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// A lattice: the middles of the strata.
    Regular,
    /// One random point in every stratum.
    Jittered,
    /// Random points that keep a distance, as many as fit.
    PoissonDisk,
}

/// Fills a shape with points for a grid of spacing `dx` \[m\], `per_cell` to a cell.
///
/// [`Method::Regular`] and [`Method::Jittered`] divide each cell into kᴰ strata with k the nearest
/// root of `per_cell`, on a lattice through the origin: a point depends on the seed and its stratum
/// only, and stands for (dx/k)ᴰ. [`Method::PoissonDisk`] shares the shape's volume out equally.
pub fn fill<const D: usize>(
    shape: &dyn Shape<D>,
    method: Method,
    dx: f64,
    per_cell: usize,
    seed: u64,
) -> Result<Vec<Sample<D>>> {
    positive("spacing of the grid", dx)?;
    let per_cell = positive("number of points per cell", per_cell as f64)?;
    let bounds = shape.bounds().ok_or(ShapeError::Unbounded {
        what: "the filling of this shape",
    })?;
    if !(bounds.low.finite() && bounds.high.finite()) {
        return Err(ShapeError::NotFinite {
            what: "box of the shape".into(),
            index: 0,
        });
    }
    let samples = match method {
        Method::Regular => strata::fill(shape, &bounds, dx, per_cell, None)?,
        Method::Jittered => strata::fill(shape, &bounds, dx, per_cell, Some(seed))?,
        Method::PoissonDisk => poisson::fill(shape, &bounds, dx, per_cell, seed)?,
    };
    if samples.is_empty() {
        return Err(ShapeError::Empty {
            what: "the filling of this shape".into(),
            advice: format!(
                "no point fits into it: make it larger, or the cells of {dx} m smaller"
            ),
        });
    }
    Ok(samples)
}

/// The whole number whose D-th power is nearest to `per_cell`, at least 1.
pub(crate) fn root<const D: usize>(per_cell: f64) -> i64 {
    let k = per_cell.powf(1.0 / D as f64).floor().clamp(1.0, 1e6);
    let power = |k: f64| k.powi(D as i32);
    if power(k + 1.0) - per_cell < per_cell - power(k) {
        k as i64 + 1
    } else {
        k as i64
    }
}

#[cfg(test)]
mod tests {
    use super::root;

    #[test]
    fn nearest_root() {
        let planar = [1.0, 4.0, 6.0, 8.0, 9.0, 16.0].map(root::<2>);
        assert_eq!(planar, [1, 2, 2, 3, 3, 4]);
        assert_eq!([1.0, 8.0, 16.0, 27.0].map(root::<3>), [1, 2, 2, 3]);
    }
}
