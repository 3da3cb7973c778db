//! A regular grid of nodes and the multilinear interpolation of what stands on them.

use std::ops::{Add, Mul};

use thixo_math::Vector;

use crate::Bounds;
use crate::error::{Result, ShapeError, finite_vector, positive};

/// Most nodes that a lattice may have.
const LIMIT: f64 = 2.7e8;

/// Where the nodes of a sampled field stand: `counts` of them along each axis (the last axis
/// running fastest), `cell` apart, from `low` on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lattice<const D: usize> {
    low: Vector<f64, D>,
    cell: f64,
    counts: [usize; D],
}

impl<const D: usize> Lattice<D> {
    /// By lowest node, spacing \[m\] and number of nodes along each axis, at least two.
    pub fn new(low: Vector<f64, D>, cell: f64, counts: [usize; D]) -> Result<Self> {
        finite_vector("lowest node of the lattice", low)?;
        positive("spacing of the lattice", cell)?;
        let count = counts.iter().map(|&n| n as f64).product::<f64>();
        if count > LIMIT {
            return Err(ShapeError::TooMany {
                what: "lattice",
                count,
                limit: LIMIT,
            });
        }
        if let Some(&n) = counts.iter().find(|&&n| n < 2) {
            return Err(ShapeError::Parameter {
                what: "number of nodes along an axis",
                value: n as f64,
                must: "at least 2",
            });
        }
        Ok(Self { low, cell, counts })
    }
    /// The lattice that covers a box.
    pub fn cover(b: &Bounds<D>, cell: f64) -> Result<Self> {
        positive("spacing of the lattice", cell)?;
        finite_vector("size of the lattice", b.size())?;
        // `as` saturates, so an absurd count is caught by the limit.
        let counts = b
            .size()
            .0
            .map(|s| ((s / cell - 1e-9).ceil().max(1.0) as usize).saturating_add(1));
        Self::new(b.low, cell, counts)
    }
    /// Distance between nodes \[m\].
    pub fn cell(&self) -> f64 {
        self.cell
    }
    /// Number of nodes along each axis.
    pub fn counts(&self) -> [usize; D] {
        self.counts
    }
    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.counts.iter().product()
    }
    /// Never: there are at least two nodes along each axis.
    pub fn is_empty(&self) -> bool {
        false
    }
    /// The box that the nodes span.
    pub fn bounds(&self) -> Bounds<D> {
        Bounds {
            low: self.low,
            high: self.low + Vector::from_fn(|a| (self.counts[a] - 1) as f64 * self.cell),
        }
    }
    /// The place of a node by its number.
    pub fn node(&self, mut index: usize) -> Vector<f64, D> {
        let mut x = self.low;
        for a in (0..D).rev() {
            x[a] += (index % self.counts[a]) as f64 * self.cell;
            index /= self.counts[a];
        }
        x
    }
    /// Whether a node is on the outermost layer.
    pub(crate) fn on_border(&self, mut index: usize) -> bool {
        let mut border = false;
        for a in (0..D).rev() {
            let i = index % self.counts[a];
            border |= i == 0 || i + 1 == self.counts[a];
            index /= self.counts[a];
        }
        border
    }
    /// How far node numbers are apart along an axis.
    pub(crate) fn stride(&self, a: usize) -> usize {
        self.counts[a + 1..].iter().product()
    }
    /// The lowest node of the cell that holds (the nearest point of the box to) `x`, and where in it.
    pub(crate) fn locate(&self, x: &Vector<f64, D>) -> (usize, Vector<f64, D>) {
        let mut base = 0;
        let at = Vector::from_fn(|a| {
            let last = (self.counts[a] - 2) as f64;
            let s = ((x[a] - self.low[a]) / self.cell).clamp(0.0, last + 1.0);
            let i = s.floor().min(last);
            base += i as usize * self.stride(a);
            s - i
        });
        (base, at)
    }
    /// The interpolated value at `x`; outside the box, that of the nearest point of it. `values`
    /// has one entry per node.
    pub(crate) fn value<V>(&self, values: &[V], zero: V, x: &Vector<f64, D>) -> V
    where
        V: Copy + Add<Output = V> + Mul<f64, Output = V>,
    {
        let (base, at) = self.locate(x);
        (0..1usize << D).fold(zero, |sum, corner| {
            let (mut i, mut w) = (base, 1.0);
            for a in 0..D {
                if corner >> a & 1 == 1 {
                    i += self.stride(a);
                    w *= at[a];
                } else {
                    w *= 1.0 - at[a];
                }
            }
            values.get(i).map_or(sum, |&v| sum + v * w)
        })
    }
    /// The gradient of the interpolated scalar at `x`.
    pub(crate) fn gradient(&self, values: &[f64], x: &Vector<f64, D>) -> Vector<f64, D> {
        let (base, at) = self.locate(x);
        let mut g = Vector::zero();
        for corner in 0..1usize << D {
            let i = (0..D).fold(base, |i, a| i + (corner >> a & 1) * self.stride(a));
            let v = values.get(i).copied().unwrap_or(0.0) / self.cell;
            for a in 0..D {
                g[a] += (0..D).fold(v, |w, b| match (a == b, corner >> b & 1 == 1) {
                    (true, true) => w,
                    (true, false) => -w,
                    (false, true) => w * at[b],
                    (false, false) => w * (1.0 - at[b]),
                });
            }
        }
        g
    }
}
