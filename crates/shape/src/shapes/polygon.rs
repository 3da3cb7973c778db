//! A region of the plane within a closed line.

use thixo_math::Vector;

use super::closest_on_segment;
use crate::error::{Result, ShapeError};
use crate::{Bounds, Shape};

/// A polygon, convex or not; where it crosses itself, what an odd number of turns encloses is
/// inside. The distance is exact; a query costs one look at every edge.
#[derive(Clone, Debug, PartialEq)]
pub struct Polygon {
    corners: Vec<Vector<f64, 2>>,
}

impl Polygon {
    /// By its corners in order, the last joined to the first.
    pub fn new(corners: Vec<Vector<f64, 2>>) -> Result<Self> {
        if let Some(index) = corners.iter().position(|c| !c.finite()) {
            return Err(ShapeError::NotFinite {
                what: "corner of the polygon".into(),
                index,
            });
        }
        let this = Self { corners };
        let size = this.bounds().map_or(0.0, |b| b.size().max_abs());
        let thin = this
            .edges()
            .all(|(a, b)| cross(&(b - a), &(this.corners[0] - a)).abs() <= 1e-14 * size * size);
        if this.corners.len() < 3 || thin {
            return Err(ShapeError::Empty {
                what: "polygon".into(),
                advice: "give at least three corners that are not on one line".into(),
            });
        }
        Ok(this)
    }
    fn edges(&self) -> impl Iterator<Item = (Vector<f64, 2>, Vector<f64, 2>)> + '_ {
        let c = &self.corners;
        (0..c.len()).map(move |i| (c[i], c[(i + 1) % c.len()]))
    }
    /// Whether a ray from `x` along +x leaves through an odd number of edges.
    fn inside(&self, x: &Vector<f64, 2>) -> bool {
        self.edges().fold(false, |odd, (a, b)| {
            let straddles = (a[1] > x[1]) != (b[1] > x[1]);
            odd ^ (straddles && (cross(&(b - a), &(*x - a)) > 0.0) == (b[1] > a[1]))
        })
    }
    /// The nearest point of the outline and the edge that it is on.
    fn nearest(&self, x: &Vector<f64, 2>) -> (Vector<f64, 2>, Vector<f64, 2>) {
        let mut best = (f64::INFINITY, self.corners[0], Vector::axis(0));
        for (a, b) in self.edges() {
            let p = closest_on_segment(x, &a, &b);
            let d = (*x - p).norm2();
            if d < best.0 {
                best = (d, p, b - a);
            }
        }
        (best.1, best.2)
    }
}

fn cross(a: &Vector<f64, 2>, b: &Vector<f64, 2>) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

impl Shape<2> for Polygon {
    fn is_exact(&self) -> bool {
        true
    }
    fn distance(&self, x: &Vector<f64, 2>) -> f64 {
        let d = (*x - self.nearest(x).0).norm();
        if self.inside(x) { -d } else { d }
    }
    fn bounds(&self) -> Option<Bounds<2>> {
        Bounds::of(self.corners.iter().copied())
    }
    fn normal(&self, x: &Vector<f64, 2>) -> Vector<f64, 2> {
        let (p, e) = self.nearest(x);
        let out = if self.inside(x) { p - *x } else { *x - p };
        // Too near to tell by the difference: across the edge, to the side that is outside.
        if out.norm() > 1e-9 * (1.0 + x.max_abs()) {
            return out.unit().unwrap_or_else(|| Vector::axis(1));
        }
        let n = Vector([e[1], -e[0]])
            .unit()
            .unwrap_or_else(|| Vector::axis(1));
        let h = 1e-6 * e.norm().max(1e-9);
        if self.inside(&(p + n * h)) { -n } else { n }
    }
}
