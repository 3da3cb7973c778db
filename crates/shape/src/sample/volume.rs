//! How large a shape is.

use crate::error::{Result, ShapeError, positive};
use crate::{Lattice, Shape};

/// The volume (area in 2D) of a bounded shape \[m^D\], by counting points at most `spacing` \[m\]
/// apart; those near the surface count by their distance from it. The error falls with the square
/// of the spacing.
pub fn volume<const D: usize>(shape: &dyn Shape<D>, spacing: f64) -> Result<f64> {
    positive("spacing", spacing)?;
    let b = shape.bounds().ok_or(ShapeError::Unbounded {
        what: "volume of a shape",
    })?;
    let b = b.grow(spacing);
    // At most about 16 million points.
    let coarsest = (b.size().product() / 1.6e7).powf(1.0 / D as f64);
    let h = spacing.max(coarsest);
    let nodes = Lattice::cover(&b, h)?;
    // The nodes are the middles of cells of side h.
    let full = (0..nodes.len())
        .map(|i| share(shape.distance(&nodes.node(i)), h))
        .sum::<f64>();
    Ok(full * h.powi(D as i32))
}

/// The share of a cell of side `h` that is inside, from the distance at its middle.
pub(crate) fn share(distance: f64, h: f64) -> f64 {
    (0.5 - distance / h).clamp(0.0, 1.0)
}
