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
            what: "the filling of this shape",
            count: count.max(far),
            limit: LIMIT,
        });
    }
    let cells = cells.0.map(|n| n as i64);
    let reach = 0.5 * dx * (D as f64).sqrt();
    let volume = a.powi(D as i32);
    let mut samples = Vec::new();
    let corner = |i: [i64; D]| Vector::<f64, D>::from_fn(|a| (first[a] + i[a] as f64) * dx);
    let outside = |low, high| is_outside(shape, corner(low), corner(high));
    each_unless(cells, outside, |offset| {
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

/// Whether a box is outside a shape as a whole, which one look at its middle may tell: distances
/// change by no more than the way.
pub(crate) fn is_outside<const D: usize>(
    shape: &dyn Shape<D>,
    low: Vector<f64, D>,
    high: Vector<f64, D>,
) -> bool {
    let (middle, reach) = ((low + high) * 0.5, 0.5 * (high - low).norm());
    shape.distance(&middle) > reach * (1.0 + 1e-9) + 1e-12 * middle.max_abs()
}

/// Boxes of so many tuples are not looked at as a whole.
const FEW: i64 = 8;

/// The same as [`each`] without the boxes of tuples (lowest, one past the highest) that `skip` leaves
/// out: what is sparse takes no longer than what is there.
pub(crate) fn each_unless<const D: usize>(
    counts: [i64; D],
    mut skip: impl FnMut([i64; D], [i64; D]) -> bool,
    mut f: impl FnMut([i64; D]),
) {
    fn walk<const D: usize>(
        low: [i64; D],
        high: [i64; D],
        skip: &mut impl FnMut([i64; D], [i64; D]) -> bool,
        f: &mut impl FnMut([i64; D]),
    ) {
        let sides: [i64; D] = std::array::from_fn(|a| high[a] - low[a]);
        if sides.iter().fold(1i64, |n, s| n.saturating_mul(*s)) <= FEW {
            return each(sides, |i| f(std::array::from_fn(|a| low[a] + i[a])));
        }
        // The first axis is cut up before the others, so that the order is that of `each`.
        let axis = sides.iter().position(|s| *s > 1);
        let (false, Some(a)) = (skip(low, high), axis) else {
            return;
        };
        let (mut end, mut start) = (high, low);
        (end[a], start[a]) = (low[a] + sides[a] / 2, low[a] + sides[a] / 2);
        walk(low, end, skip, f);
        walk(start, high, skip, f);
    }
    if counts.iter().all(|&n| n > 0) {
        walk([0; D], counts, &mut skip, &mut f);
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_kept_and_only_what_is_skipped_is_missing() {
        for counts in [[1, 1, 1], [7, 1, 9], [5, 6, 4], [3, 0, 2], [1, 1, 40]] {
            let (mut all, mut some) = (Vec::new(), Vec::new());
            each(counts, |i| all.push(i));
            each_unless(counts, |_, _| false, |i| some.push(i));
            assert_eq!(all, some);
            some.clear();
            each_unless(counts, |_, high| high[2] <= 2, |i| some.push(i));
            all.retain(|i| i[2] >= 2 || some.contains(i));
            assert_eq!(all, some);
        }
    }
}
