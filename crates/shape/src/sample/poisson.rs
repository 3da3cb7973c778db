//! Random points that keep a distance from each other, as many as fit.

use rayon::prelude::*;
use thixo_math::Vector;

use super::hash::{Sequence, hash};
use super::strata::{each, each_unless, is_outside};
use super::volume::volume;
use super::{LIMIT, Sample};
use crate::error::{Result, ShapeError};
use crate::{Bounds, Shape};

/// Times that the free cells are halved: a gap that is still free after that is narrower than 1/64
/// of a cell.
const HALVINGS: usize = 6;
/// The share of the free cells into which a dart is thrown before the cells are halved.
const DARTS: f64 = 0.6;
/// Cells that lie so far apart along an axis cannot hold points that are too near.
const APART: u64 = 3;

/// Number of points times the D-th power of their distance over the volume, when no more fit
/// (random sequential adsorption: discs cover 0.5471 of the plane, balls 0.3841 of space).
fn saturation<const D: usize>() -> f64 {
    match D {
        1 => 0.7476,
        2 => 0.5471 * 4.0 / std::f64::consts::PI,
        _ => 0.3841 * 6.0 / std::f64::consts::PI,
    }
}

/// Fills a shape such that there are `per_cell` points to a cell of side `dx`. The least distance
/// follows from that.
///
/// Darts are thrown into the cells (of a diagonal of one distance, so that each holds one point at
/// most) that are still free; then all free cells are halved along each axis and the parts that one
/// point covers or that are outside are dropped, until none is left. Darts are thrown at once into all
/// cells that are far enough apart, which makes 3^D turns in an order by chance.
pub(crate) fn fill<const D: usize>(
    shape: &dyn Shape<D>,
    bounds: &Bounds<D>,
    dx: f64,
    per_cell: f64,
    seed: u64,
) -> Result<Vec<Sample<D>>> {
    let share = dx.powi(D as i32) / per_cell;
    let radius = (saturation::<D>() * share).powf(1.0 / D as f64);
    let mut board = Board::new(bounds, radius)?;
    let mut points: Vec<Vector<f64, D>> = Vec::new();
    let mut free: Vec<[u64; D]> = Vec::new();
    let half = 0.5 * board.cell * (D as f64).sqrt();
    let corner = |i: [i64; D]| board.place(&i.map(|i| i as u64), 0, &Vector::zero());
    let outside = |low, high| is_outside(shape, corner(low), corner(high));
    each_unless(board.counts, outside, |c| {
        let c = c.map(|i| i as u64);
        if shape.distance(&board.place(&c, 0, &Vector::splat(0.5))) < half {
            free.push(c);
        }
    });
    let most = 16 * free.len() + 10_000;
    for level in 0..=HALVINGS {
        for turn in turns(&free, level, seed) {
            // What hits: the whole cell, a number by chance, the point.
            let hit = |&i: &u32| {
                let c = &free[i as usize];
                let mut random = Sequence::new(hash(seed, &c.map(|c| c as i64)) ^ level as u64);
                let home = board.home(c, level);
                if random.next() > DARTS || board.points[home].is_some() {
                    return None;
                }
                let x = board.place(c, level, &Vector::from_fn(|_| random.next()));
                let fits = shape.distance(&x) < 0.0 && !board.covered(&points, &x, 0.0);
                fits.then(|| (home, random.bits(), x))
            };
            let mut hits: Vec<_> = turn.par_iter().filter_map(hit).collect();
            // One of the parts of a cell takes it.
            hits.sort_unstable_by_key(|&(home, chance, _)| (home, chance));
            hits.dedup_by_key(|h| h.0);
            for (home, _, x) in hits {
                board.points[home] = Some(points.len() as u32);
                points.push(x);
            }
        }
        // Halve what is free.
        let half = half * 0.5f64.powi(level as i32 + 1);
        let side = half / (D as f64).sqrt();
        let parts = |c: &[u64; D]| {
            let mut left = Vec::new();
            if board.points[board.home(c, level)].is_none() {
                each([2; D], |b| {
                    let part = std::array::from_fn(|a| 2 * c[a] + b[a] as u64);
                    let middle = board.place(&part, level + 1, &Vector::splat(0.5));
                    if shape.distance(&middle) < half && !board.covered(&points, &middle, side) {
                        left.push(part);
                    }
                });
            }
            left
        };
        free = free.par_iter().flat_map_iter(parts).collect();
        // What is free becomes less, unless it is a skin too thin for any dart.
        if free.is_empty() || free.len() > most {
            break;
        }
    }
    let volume = volume(shape, 0.25 * radius)? / points.len().max(1) as f64;
    Ok(points.into_iter().map(|x| Sample { x, volume }).collect())
}

/// The free cells in 3^D groups, each of cells whose darts cannot meet, in an order by chance.
fn turns<const D: usize>(free: &[[u64; D]], level: usize, seed: u64) -> Vec<Vec<u32>> {
    let mut turns = vec![Vec::new(); APART.pow(D as u32) as usize];
    for (i, c) in free.iter().enumerate() {
        let turn = c.iter().fold(0, |t, &c| t * APART + (c >> level) % APART);
        turns[turn as usize].push(i as u32);
    }
    let mut order: Vec<usize> = (0..turns.len()).collect();
    order.sort_by_key(|&t| hash(seed, &[level as i64, t as i64]));
    order
        .into_iter()
        .map(|t| std::mem::take(&mut turns[t]))
        .collect()
}

/// The background grid.
struct Board<const D: usize> {
    low: Vector<f64, D>,
    cell: f64,
    radius: f64,
    counts: [i64; D],
    points: Vec<Option<u32>>,
    around: Vec<[i64; D]>,
}

impl<const D: usize> Board<D> {
    fn new(bounds: &Bounds<D>, radius: f64) -> Result<Self> {
        let cell = radius / (D as f64).sqrt();
        let counts = bounds.size().map(|s| (s / cell).ceil().max(1.0));
        let limit = 0.1 * LIMIT;
        if counts.product().is_nan() || counts.product() > limit {
            return Err(ShapeError::TooMany {
                what: "the filling of this shape",
                count: counts.product(),
                limit,
            });
        }
        // Cells are 1/√D of the radius: those up to two away matter, the nearest first, but not
        // corners that are too far.
        let mut around = Vec::new();
        let apart = |o: &[i64; D]| o.iter().map(|i| (i.abs() - 1).max(0).pow(2)).sum::<i64>();
        each([5; D], |o| around.push(o.map(|i| i - 2)));
        around.retain(|o| apart(o) < D as i64);
        around.sort_by_key(|o| o.iter().map(|i| i * i).sum::<i64>());
        Ok(Self {
            around,
            low: bounds.low,
            cell,
            radius,
            counts: counts.0.map(|n| n as i64),
            points: vec![None; counts.product() as usize],
        })
    }
    /// A point in a cell that has been halved `level` times.
    fn place(&self, c: &[u64; D], level: usize, at: &Vector<f64, D>) -> Vector<f64, D> {
        let side = self.cell * 0.5f64.powi(level as i32);
        self.low + Vector::from_fn(|a| (c[a] as f64 + at[a]) * side)
    }
    /// The number of the whole cell that a part belongs to.
    fn home(&self, c: &[u64; D], level: usize) -> usize {
        (0..D).fold(0, |n, a| {
            n * self.counts[a] as usize + (c[a] >> level) as usize
        })
    }
    /// Whether one point's disc covers the whole cube of half side `half` around `x`; with no side,
    /// whether a point is too near to `x`.
    fn covered(&self, points: &[Vector<f64, D>], x: &Vector<f64, D>, half: f64) -> bool {
        let middle: [i64; D] =
            std::array::from_fn(|a| ((x[a] - self.low[a]) / self.cell).floor() as i64);
        self.around.iter().any(|o| {
            let mut n = 0;
            for a in 0..D {
                let i = middle[a] + o[a];
                if i < 0 || i >= self.counts[a] {
                    return false;
                }
                n = n * self.counts[a] as usize + i as usize;
            }
            self.points[n].is_some_and(|p| {
                let corner = (points[p as usize] - *x).map(|d| d.abs() + half);
                corner.norm2() < self.radius * self.radius
            })
        })
    }
}
