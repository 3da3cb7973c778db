//! Inflow and outflow.

use std::sync::Arc;

use thixo_math::Vector;

use super::hash::{hash, unit};
use super::strata::each;
use super::volume::share;
use super::{LIMIT, root};
use crate::error::{Result, ShapeError, direction, finite, finite_vector, positive};
use crate::{Bounds, Shape};

/// Layers after which the pattern of a stream repeats.
const PERIOD: i64 = 64;

/// A point that has come out of a nozzle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Emitted<const D: usize> {
    /// Its number: the same whenever and in whatever pieces the stream is asked.
    pub id: u64,
    /// Where it is at the end of the interval \[m\].
    pub x: Vector<f64, D>,
    /// Volume (area in 2D) \[m^D\].
    pub volume: f64,
}

/// A jet through the cross-section of a nozzle: of a bounded shape, where the plane through the
/// middle of its box across the velocity cuts it.
///
/// The jet is a bar of jittered points that is pushed through the plane at the stream's velocity,
/// so what comes out in an interval is a function of the interval: nothing is remembered. Every
/// layer holds the same number of points, and a point stands for (area × layer) / number: the
/// volume that has come out is A·|v|·t to one layer, always.
#[derive(Clone, Debug)]
pub struct Stream<const D: usize> {
    velocity: Vector<f64, D>,
    section: Section<D>,
    layer: f64,
    seed: u64,
    start: f64,
    stop: f64,
}

impl<const D: usize> Stream<D> {
    /// From `start` to `stop` \[s\] (which may be infinite) at a velocity \[m/s\], with `per_cell`
    /// points to a cell of side `dx` \[m\].
    pub fn new(
        shape: Arc<dyn Shape<D>>,
        velocity: Vector<f64, D>,
        dx: f64,
        per_cell: usize,
        seed: u64,
        start: f64,
        stop: f64,
    ) -> Result<Self> {
        finite("start of the stream", start)?;
        if stop.is_nan() || stop < start {
            return Err(ShapeError::Parameter {
                what: "stop of the stream",
                value: stop,
                must: "no earlier than its start",
            });
        }
        finite_vector("velocity of the stream", velocity)?;
        positive("spacing of the grid", dx)?;
        positive("number of points per cell", per_cell as f64)?;
        let along = direction("velocity of the stream", velocity)?;
        let layer = dx / root::<D>(per_cell as f64) as f64;
        Ok(Self {
            velocity,
            section: Section::new(shape, &along, layer)?,
            layer,
            seed,
            start,
            stop,
        })
    }
    /// The same for a rate \[m^D/s\] in some direction: the speed is the rate over the area.
    #[allow(clippy::too_many_arguments)]
    pub fn with_rate(
        shape: Arc<dyn Shape<D>>,
        along: Vector<f64, D>,
        rate: f64,
        dx: f64,
        per_cell: usize,
        seed: u64,
        start: f64,
        stop: f64,
    ) -> Result<Self> {
        positive("rate of the stream", rate)?;
        let along = direction("direction of the stream", along)?;
        let mut stream = Self::new(shape, along, dx, per_cell, seed, start, stop)?;
        stream.velocity = along * (rate / stream.section.area);
        Ok(stream)
    }
    /// Area (length in 2D) of the cross-section.
    pub fn area(&self) -> f64 {
        self.section.area
    }
    /// Velocity of what comes out \[m/s\].
    pub fn velocity(&self) -> Vector<f64, D> {
        self.velocity
    }
    /// Volume that comes out per time \[m^D/s\].
    pub fn rate(&self) -> f64 {
        self.section.area * self.velocity.norm()
    }
    /// The volume that each point stands for.
    pub fn particle_volume(&self) -> f64 {
        self.section.area * self.layer / self.section.columns.len() as f64
    }
    /// All points that cross the plane in [t0, t1), where they are at t1 if they go straight on.
    pub fn emit(&self, t0: f64, t1: f64) -> Vec<Emitted<D>> {
        let speed = self.velocity.norm();
        let dt = self.layer / speed;
        let (from, to) = (t0.max(self.start), t1.min(self.stop));
        // A point of layer m crosses at start + (m + ξ) dt, 0 ≤ ξ < 1; one layer to spare on
        // either side for rounding.
        let first = ((from - self.start) / dt).floor() - 1.0;
        let last = ((to - self.start) / dt).floor() + 1.0;
        let columns = self.section.columns.len();
        let mut out = Vec::new();
        let any = from < to && !t0.is_nan() && !t1.is_nan();
        if !any || (last - first) * columns as f64 > LIMIT {
            return out;
        }
        for m in (first as i64).max(0)..=last as i64 {
            let phase = m.rem_euclid(PERIOD);
            for c in 0..columns {
                let shift = unit(hash(self.seed, &[c as i64, phase, -1]));
                let crossing = self.start + (m as f64 + shift) * dt;
                if crossing >= from && crossing < to {
                    let place = self.section.place(c, phase, self.seed);
                    out.push(Emitted {
                        id: m as u64 * columns as u64 + c as u64,
                        x: place + self.velocity * (t1 - crossing),
                        volume: self.particle_volume(),
                    });
                }
            }
        }
        out
    }
}

/// The cross-section of a nozzle and the columns in it.
#[derive(Clone, Debug)]
struct Section<const D: usize> {
    shape: Arc<dyn Shape<D>>,
    plane: Plane<D>,
    area: f64,
    /// Side of the squares.
    side: f64,
    /// The squares of which the middle is in the nozzle: one column each.
    columns: Vec<[i64; D]>,
}

impl<const D: usize> Section<D> {
    /// With columns `spacing` apart.
    fn new(shape: Arc<dyn Shape<D>>, along: &Vector<f64, D>, spacing: f64) -> Result<Self> {
        let bounds = shape.bounds().ok_or(ShapeError::Unbounded {
            what: "nozzle of a stream",
        })?;
        let plane = Plane::new(&bounds, along);
        // Fine enough for the nozzle itself, however coarse the grid is.
        let h = (0.125 * spacing).clamp(plane.reach / 1000.0, plane.reach / 32.0);
        let area = plane.area(&*shape, h);
        let mut side = spacing;
        // A nozzle narrower than the spacing has one column at least.
        for _ in 0..20 {
            let columns = plane.columns(&*shape, side)?;
            if !columns.is_empty() && area > 0.0 {
                return Ok(Self {
                    shape,
                    plane,
                    area,
                    side,
                    columns,
                });
            }
            side *= 0.5;
        }
        Err(ShapeError::Empty {
            what: "nozzle of a stream".into(),
            advice:
                "the plane through the middle of its box, across the velocity, misses the shape"
                    .into(),
        })
    }
    /// Where in the plane a column has its point in a layer.
    fn place(&self, column: usize, phase: i64, seed: u64) -> Vector<f64, D> {
        let (plane, a) = (&self.plane, self.side);
        let c = plane.middle(&self.columns[column], a);
        let number = hash(seed, &self.columns[column]);
        let x = plane.point(&std::array::from_fn(|k| {
            c[k] + a * (unit(hash(number, &[phase, k as i64])) - 0.5)
        }));
        if self.shape.distance(&x) < 0.0 {
            x
        } else {
            plane.point(&c)
        }
    }
}

/// The plane of the nozzle with axes in it (the last of which is not used).
#[derive(Clone, Debug)]
struct Plane<const D: usize> {
    middle: Vector<f64, D>,
    axes: [Vector<f64, D>; D],
    reach: f64,
}

impl<const D: usize> Plane<D> {
    fn new(bounds: &Bounds<D>, along: &Vector<f64, D>) -> Self {
        // Gram–Schmidt over the unit vectors, those most across the stream first.
        let mut order: [usize; D] = std::array::from_fn(|a| a);
        order.sort_by(|&a, &b| along[a].abs().total_cmp(&along[b].abs()));
        let mut axes = [*along; D];
        for k in 0..D - 1 {
            let e = Vector::axis(order[k]);
            let e = axes[..k]
                .iter()
                .fold(e - *along * e.dot(along), |e, b| e - *b * e.dot(b));
            axes[k] = e.unit().unwrap_or(*along);
        }
        Self {
            middle: bounds.center(),
            axes,
            reach: 0.5 * bounds.size().norm(),
        }
    }
    fn point(&self, c: &[f64; D]) -> Vector<f64, D> {
        (0..D - 1).fold(self.middle, |x, k| x + self.axes[k] * c[k])
    }
    /// How many squares of side `a` there are from the middle to the border.
    fn squares(&self, a: f64) -> i64 {
        (self.reach / a).ceil() as i64
    }
    /// The middle of a square.
    fn middle(&self, i: &[i64; D], a: f64) -> [f64; D] {
        let n = self.squares(a);
        std::array::from_fn(|k| ((i[k] - n) as f64 + 0.5) * a)
    }
    /// All squares of side `a` that cover the section.
    fn each(&self, a: f64, f: impl FnMut([i64; D])) {
        let n = self.squares(a);
        each(
            std::array::from_fn(|k| if k + 1 < D { 2 * n } else { 1 }),
            f,
        );
    }
    fn area(&self, shape: &dyn Shape<D>, h: f64) -> f64 {
        let mut sum = 0.0;
        self.each(h, |i| {
            sum += share(shape.distance(&self.point(&self.middle(&i, h))), h);
        });
        sum * h.powi(D as i32 - 1)
    }
    /// The squares of side `a` of which the middle is in the shape.
    fn columns(&self, shape: &dyn Shape<D>, a: f64) -> Result<Vec<[i64; D]>> {
        let count = (2.0 * self.reach / a).powi(D as i32 - 1);
        let limit = 1e7;
        if count.is_nan() || count > limit {
            return Err(ShapeError::TooMany {
                what: "cross-section of a stream",
                count,
                limit,
            });
        }
        let mut columns = Vec::new();
        self.each(a, |i| {
            if shape.distance(&self.point(&self.middle(&i, a))) < 0.0 {
                columns.push(i);
            }
        });
        Ok(columns)
    }
}

/// Takes away what gets into a shape.
#[derive(Clone, Debug)]
pub struct Drain<const D: usize> {
    /// Where.
    pub shape: Arc<dyn Shape<D>>,
    /// From when \[s\].
    pub start: f64,
    /// Until when \[s\].
    pub stop: f64,
}

impl<const D: usize> Drain<D> {
    /// One that is always open.
    pub fn new(shape: Arc<dyn Shape<D>>) -> Self {
        Self {
            shape,
            start: f64::NEG_INFINITY,
            stop: f64::INFINITY,
        }
    }
    /// Whether matter at `x` is taken away at time `t`.
    pub fn takes(&self, x: &Vector<f64, D>, t: f64) -> bool {
        self.start <= t && t < self.stop && self.shape.distance(x) < 0.0
    }
}
