//! The bound on the step from obstacles that move.

use rayon::prelude::*;
use thixo_grid::{BLOCK, Domain, Layer};
use thixo_math::{Real, Vector};
use thixo_shape::Collider;

use crate::Bound;

/// An obstacle may move half a cell in a step where there is matter, and may come up to it from
/// farther away: dt ≤ max(dx/2, gap)/speed at every block of the layer.
pub fn approach<T: Real, const D: usize>(
    domain: &Domain<D>,
    layer: &Layer<T, D>,
    colliders: &[Collider<D>],
    t: f64,
    dt: f64,
) -> Bound {
    let half = Vector::splat(0.5 * BLOCK as f64 * domain.dx);
    let reach = half.norm();
    let of_block = |b: usize| {
        let centre = layer.place(domain, b, 0) + half;
        colliders.iter().fold(f64::INFINITY, |least, c| {
            let speed = c.obstacle.speed_bound(&centre, reach, t, t + dt);
            if speed > 0.0 {
                let gap = c.obstacle.distance(&centre, t).abs() / c.obstacle.slope() - reach;
                least.min(gap.max(0.5 * domain.dx) / speed)
            } else {
                least
            }
        })
    };
    let blocks = (0..layer.blocks().len()).into_par_iter();
    let dt = blocks.map(of_block).reduce(|| f64::INFINITY, f64::min);
    Bound {
        dt,
        why: "moving obstacles",
    }
}
