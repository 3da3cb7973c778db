//! One point in every small cube of a lattice, in its middle or anywhere in it.

use thixo_math::Vector;

use super::hash::{hash, unit};
use super::{LIMIT, Sample, root};
use crate::error::{Result, ShapeError};
use crate::{Bounds, Shape};

/// Fills a shape; with a seed, the points are anywhere in their strata. Strata are numbered from
/// the origin of space, so two shapes filled with one seed fit together without a seam.
pub(crate) fn fill<const D: usize>(
    shape: &dyn Shape<D>,
    bounds: &Bounds<D>,
    dx: f64,
    per_cell: f64,
    seed: Option<u64>,
) -> Result<Vec<Sample<D>>> {
    let k = root::<D>(per_cell);
    let a = dx / k as f64;
    let first = bounds.low.map(|x| (x / dx).floor());
    let last = bounds.high.map(|x| (x / dx).floor());
    let cells = last - first + Vector::splat(1.0);
    let count = cells.product() * (k as f64).powi(D as i32);
    let far = first.max_abs().max(last.max_abs());
    if !(count <= LIMIT && far < 1e15) {
        return Err(ShapeError::TooMany {
            what: "filling of a shape",
            count: count.max(far),
            limit: LIMIT,
        });
    }
    let cells = cells.0.map(|n| n as i64);
    let reach = 0.5 * dx * (D as f64).sqrt();
    let volume = a.powi(D as i32);
    let mut samples = Vec::new();
    each(cells, |offset| {
        let cell = Vector::<f64, D>::from_fn(|i| first[i] + offset[i] as f64);
        if shape.distance(&((cell + Vector::splat(0.5)) * dx)) > reach {
            return;
        }
        each([k; D], |stratum| {
            let number: [i64; D] = std::array::from_fn(|i| cell[i] as i64 * k + stratum[i]);
            let x = Vector::from_fn(|i| {
                let at = seed.map_or(0.5, |seed| unit(hash(hash(seed, &number), &[i as i64])));
                (number[i] as f64 + at) * a
            });
            if shape.distance(&x) < 0.0 {
                samples.push(Sample { x, volume });
            }
        });
    });
    Ok(samples)
}

/// All D-tuples below `counts`, the last entry fastest.
pub(crate) fn each<const D: usize>(counts: [i64; D], mut f: impl FnMut([i64; D])) {
    if counts.iter().any(|&n| n <= 0) {
        return;
    }
    let mut i = [0; D];
    loop {
        f(i);
        let mut a = D;
        loop {
            if a == 0 {
                return;
            }
            a -= 1;
            i[a] += 1;
            if i[a] < counts[a] {
                break;
            }
            i[a] = 0;
        }
    }
}
