//! Ground: all below a surface given by heights.

use parry3d_f64::math::Vector as Point;
use parry3d_f64::query::PointQuery;
use parry3d_f64::shape::Triangle;
use thixo_math::Vector;

use super::closest_on_segment;
use crate::error::{Result, ShapeError, finite_vector, positive};
use crate::{Bounds, Shape};

/// How many cells around a point are searched for the nearest point of the surface.
const REACH: f64 = 3.0;

/// Heights on a regular grid, straight lines (2D) or triangles (3D) between them, going on level
/// beyond the border; solid below.
///
/// The distance is exact up to three cells from the surface; beyond it is the larger of that
/// reach and gap / √(1 + s²) with s the steepest slope, which is a lower bound.
#[derive(Clone, Debug, PartialEq)]
pub struct HeightField<const D: usize> {
    low: Vector<f64, D>,
    spacing: f64,
    counts: [usize; 2],
    up: usize,
    heights: Vec<f64>,
    steep: f64,
}

impl<const D: usize> HeightField<D> {
    /// `counts` nodes along each of the axes other than `up`, in the order of the axes and the last
    /// fastest, `spacing` \[m\] apart from `low` on; heights \[m\] are above `low`'s component
    /// along `up`.
    pub fn new(
        low: Vector<f64, D>,
        spacing: f64,
        counts: &[usize],
        up: usize,
        heights: Vec<f64>,
    ) -> Result<Self> {
        finite_vector("corner of the height field", low)?;
        positive("spacing of the height field", spacing)?;
        let wrong = |why: String| ShapeError::Mismatch {
            what: "height field",
            why,
        };
        if !(2..=3).contains(&D) || up >= D {
            return Err(wrong(format!("axis {up} in {D} dimensions")));
        }
        if counts.len() != D - 1 || counts.contains(&0) {
            return Err(wrong(format!("{} positive counts are needed", D - 1)));
        }
        let nodes = counts.iter().try_fold(1usize, |n, &c| n.checked_mul(c));
        if nodes != Some(heights.len()) {
            return Err(wrong(format!(
                "{} heights for {counts:?} nodes",
                heights.len()
            )));
        }
        if let Some(index) = heights.iter().position(|h| !h.is_finite()) {
            return Err(ShapeError::NotFinite {
                what: "height field".into(),
                index,
            });
        }
        let counts = [counts[0], counts.get(1).copied().unwrap_or(1)];
        let mut this = Self {
            low,
            spacing,
            counts,
            up,
            heights,
            steep: 0.0,
        };
        this.steep = this.steepest();
        Ok(this)
    }
    fn height(&self, i: i64, j: i64) -> f64 {
        let at = |i: i64, n: usize| i.clamp(0, n as i64 - 1) as usize;
        self.heights[at(i, self.counts[0]) * self.counts[1] + at(j, self.counts[1])]
    }
    fn steepest(&self) -> f64 {
        let mut s: f64 = 0.0;
        for i in 0..self.counts[0] as i64 {
            for j in 0..self.counts[1] as i64 {
                let h = self.height(i, j);
                for (p, q) in [(1, 1), (-1, -1)] {
                    // The two triangles of a cell that have their right angle here.
                    let a = (self.height(i + p, j) - h) / self.spacing;
                    let b = (self.height(i, j + q) - h) / self.spacing;
                    s = s.max(a.hypot(b));
                }
            }
        }
        s
    }
    /// In units of cells across, and in metres above the datum: (u, w, gap coordinate).
    fn local(&self, x: &Vector<f64, D>) -> (f64, f64, f64) {
        let p = *x - self.low;
        let mut across = (0..D).filter(|&a| a != self.up).map(|a| p[a]);
        let mut next = || across.next().unwrap_or(0.0) / self.spacing;
        (next(), next(), p[self.up])
    }
    /// A point from cells across and metres up.
    fn global(&self, u: f64, w: f64, z: f64) -> Vector<f64, D> {
        let mut across = [u, w].into_iter().map(|c| c * self.spacing);
        self.low
            + Vector::from_fn(|a| {
                if a == self.up {
                    z
                } else {
                    across.next().unwrap_or(0.0)
                }
            })
    }
    /// Height of the surface: each cell is cut along the diagonal from (1, 0) to (0, 1).
    fn surface(&self, u: f64, w: f64) -> f64 {
        let (i, j) = (cell(u), cell(w));
        let (a, b) = (
            (u - i as f64).clamp(0.0, 1.0),
            (w - j as f64).clamp(0.0, 1.0),
        );
        let (h10, h01) = (self.height(i + 1, j), self.height(i, j + 1));
        if a + b <= 1.0 {
            let h = self.height(i, j);
            h + a * (h10 - h) + b * (h01 - h)
        } else {
            let h = self.height(i + 1, j + 1);
            h + (1.0 - a) * (h01 - h) + (1.0 - b) * (h10 - h)
        }
    }
    fn nearest_in_cell(&self, x: &Vector<f64, D>, i: i64, j: i64) -> Vector<f64, D> {
        let node = |i: i64, j: i64| self.global(i as f64, j as f64, self.height(i, j));
        let (p, q, r) = (node(i, j), node(i + 1, j), node(i, j + 1));
        if D == 2 {
            return closest_on_segment(x, &p, &q);
        }
        let s = node(i + 1, j + 1);
        let (a, b) = (on_triangle(x, [&p, &q, &r]), on_triangle(x, [&s, &r, &q]));
        if (*x - a).norm2() <= (*x - b).norm2() {
            a
        } else {
            b
        }
    }
    /// The signed distance, and the nearest point if it is within reach.
    fn query(&self, x: &Vector<f64, D>) -> (f64, Option<Vector<f64, D>>) {
        let (u, w, z) = self.local(x);
        let gap = z - self.surface(u, w);
        if !gap.is_finite() {
            return (gap, None);
        }
        let reach = REACH * self.spacing;
        let bound = gap.abs() / (1.0 + self.steep * self.steep).sqrt();
        if bound >= reach {
            return (bound.copysign(gap), None);
        }
        // The point of the surface straight above or below is |gap| away: none farther matters.
        let r = gap.abs().min(reach) / self.spacing;
        let mut best = (f64::INFINITY, None);
        let across = if D == 2 {
            0..=0
        } else {
            cell(w - r)..=cell(w + r)
        };
        for i in cell(u - r)..=cell(u + r) {
            for j in across.clone() {
                let p = self.nearest_in_cell(x, i, j);
                let d = (*x - p).norm();
                if d < best.0 {
                    best = (d, Some(p));
                }
            }
        }
        if best.0 < reach {
            (best.0.copysign(gap), best.1)
        } else {
            (reach.max(bound).copysign(gap), None)
        }
    }
}

fn cell(u: f64) -> i64 {
    u.floor().clamp(-1e15, 1e15) as i64
}

fn on_triangle<const D: usize>(x: &Vector<f64, D>, t: [&Vector<f64, D>; 3]) -> Vector<f64, D> {
    let p = |v: &Vector<f64, D>| {
        let c = |a: usize| v.0.get(a).copied().unwrap_or(0.0);
        Point::new(c(0), c(1), c(2))
    };
    let near = Triangle::new(p(t[0]), p(t[1]), p(t[2])).project_local_point(p(x), false);
    let near = near.point.to_array();
    Vector::from_fn(|a| near.get(a).copied().unwrap_or(0.0))
}

impl<const D: usize> Shape<D> for HeightField<D> {
    fn distance(&self, x: &Vector<f64, D>) -> f64 {
        self.query(x).0
    }
    fn bounds(&self) -> Option<Bounds<D>> {
        None
    }
    fn normal(&self, x: &Vector<f64, D>) -> Vector<f64, D> {
        let (d, p) = self.query(x);
        if let Some(p) = p
            && d.abs() > 1e-9 * (1.0 + x.max_abs())
        {
            let n = if d < 0.0 { p - *x } else { *x - p };
            return n.unit().unwrap_or_else(|| Vector::axis(self.up));
        }
        // On the surface, or out of reach: across the ground straight above or below.
        let (u, w, _) = self.local(x);
        let h = 1e-4;
        let du = (self.surface(u + h, w) - self.surface(u - h, w)) / (2.0 * h * self.spacing);
        let dw = (self.surface(u, w + h) - self.surface(u, w - h)) / (2.0 * h * self.spacing);
        let mut slope = [du, dw].into_iter();
        Vector::from_fn(|a| {
            if a == self.up {
                1.0
            } else {
                -slope.next().unwrap_or(0.0)
            }
        })
        .unit()
        .unwrap_or_else(|| Vector::axis(self.up))
    }
}
