//! How large a shape is.

use std::cell::Cell;

use thixo_math::Vector;

use super::strata::each_unless;
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
    // The nodes are the middles of cells of side h. Boxes of them that the surface does not come
    // near are counted at once: the distance changes by no more than the way.
    let (low, counts) = (nodes.bounds().low, nodes.counts().map(|n| n as i64));
    let node = |i: [i64; D]| low + Vector::from_fn(|a| i[a] as f64 * h);
    let (full, rest) = (Cell::new(0.0), Cell::new(0.0));
    let whole = |from: [i64; D], end: [i64; D]| {
        let (a, b) = (node(from), node(end.map(|i| i - 1)));
        let reach = 0.5 * (b - a).norm() + 0.5 * h;
        let distance = shape.distance(&((a + b) * 0.5));
        if distance <= -reach {
            let number = (0..D).map(|a| (end[a] - from[a]) as f64).product::<f64>();
            full.set(full.get() + number);
        }
        distance.abs() >= reach
    };
    each_unless(counts, whole, |i| {
        rest.set(rest.get() + share(shape.distance(&node(i)), h));
    });
    let full = full.get() + rest.get();
    Ok(full * h.powi(D as i32))
}

/// The share of a cell of side `h` that is inside, from the distance at its middle.
pub(crate) fn share(distance: f64, h: f64) -> f64 {
    (0.5 - distance / h).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{Cuboid, Sphere, Union};

    /// Counting every node gives the same.
    #[test]
    fn what_is_counted_at_once_is_counted_right() {
        let ball = Sphere::new(Vector([0.1, 0.2, 0.3]), 0.7).unwrap();
        let h = 0.03;
        let nodes = Lattice::cover(&ball.bounds().unwrap().grow(h), h).unwrap();
        let each = (0..nodes.len()).map(|i| share(ball.distance(&nodes.node(i)), h));
        let slow = each.sum::<f64>() * h.powi(3);
        let fast = volume(&ball, h).unwrap();
        assert!((slow - fast).abs() < 1e-12 * slow, "{slow} {fast}");
    }

    /// Two boxes a thousand kilometres apart: a look at every node would take a second.
    #[test]
    fn what_is_far_apart_is_measured_soon() {
        let cube =
            |x: f64| Arc::new(Cuboid::new(Vector([x, 0.0, 0.0]), Vector::splat(1.0)).unwrap());
        let both = Union::<3>::new(vec![cube(0.0), cube(1e6)]).unwrap();
        let begun = std::time::Instant::now();
        let found = volume(&both, 1.0).unwrap();
        assert!((10.0..30.0).contains(&found), "{found}");
        assert!(begun.elapsed().as_secs_f64() < 0.2, "{:?}", begun.elapsed());
    }
}
