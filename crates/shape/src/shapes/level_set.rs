//! A shape sampled on a lattice.

use thixo_math::Vector;

use crate::error::{Result, ShapeError};
use crate::{Bounds, Lattice, Shape};

/// Signed distances at the nodes of a lattice, multilinear between them.
///
/// So that the value stays a lower bound of the distance: far from the surface one cell is taken
/// off (an interpolated distance errs by less than that where the nearest point changes), and all
/// is divided by the steepest slope found near the surface if that is above one. Outside the
/// lattice the distance is √(d² + φ²) with d the distance to the lattice's box and φ the value at
/// the nearest point of it, which no point in the box can be nearer than.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelSet<const D: usize> {
    lattice: Lattice<D>,
    values: Vec<f64>,
    steep: f64,
    inner: Bounds<D>,
}

impl<const D: usize> LevelSet<D> {
    /// By values at the nodes \[m\], last axis fastest. The outermost layer must be outside.
    pub fn new(lattice: Lattice<D>, values: Vec<f64>) -> Result<Self> {
        if values.len() != lattice.len() {
            return Err(ShapeError::Mismatch {
                what: "level set",
                why: format!("{} values for {} nodes", values.len(), lattice.len()),
            });
        }
        if let Some(index) = values.iter().position(|v| !v.is_finite()) {
            return Err(ShapeError::NotFinite {
                what: "level set".into(),
                index,
            });
        }
        if (0..values.len()).any(|i| values[i] <= 0.0 && lattice.on_border(i)) {
            return Err(ShapeError::Mismatch {
                what: "level set",
                why: "the surface is cut by the border of the lattice; add a margin of one cell"
                    .into(),
            });
        }
        let inside = (0..values.len()).filter(|&i| values[i] <= 0.0);
        let inner = Bounds::of(inside.map(|i| lattice.node(i))).ok_or(ShapeError::Empty {
            what: "level set".into(),
            advice: "no value is negative: use a finer lattice or check the sign".into(),
        })?;
        let steep = steepest(&lattice, &values);
        Ok(Self {
            inner: inner.grow(lattice.cell()),
            lattice,
            values,
            steep,
        })
    }
    /// A bounded shape, sampled at a spacing \[m\].
    pub fn sample(shape: &dyn Shape<D>, cell: f64) -> Result<Self> {
        let b = shape.bounds().ok_or(ShapeError::Unbounded {
            what: "level set of a shape",
        })?;
        Self::sample_on(shape, Lattice::cover(&b.grow(2.0 * cell), cell)?)
    }
    /// A shape sampled on a given lattice, which must hold it with a margin.
    pub fn sample_on(shape: &dyn Shape<D>, lattice: Lattice<D>) -> Result<Self> {
        let values = (0..lattice.len()).map(|i| shape.distance(&lattice.node(i)));
        let values = values.collect();
        Self::new(lattice, values)
    }
    /// Its lattice.
    pub fn lattice(&self) -> &Lattice<D> {
        &self.lattice
    }
    /// The value between the nodes as it is, without the corrections that make it a lower bound.
    pub fn raw(&self, x: &Vector<f64, D>) -> f64 {
        self.lattice.value(&self.values, 0.0, x)
    }
    /// The lower bound for an interpolated value, and its slope: 1, then ½ between two and four
    /// cells from the surface, then 1 again; all over the steepest slope.
    fn safe(&self, v: f64) -> (f64, f64) {
        let (m, two) = (v.abs(), 2.0 * self.lattice.cell());
        let bend = if m > two && m < 2.0 * two { 0.5 } else { 1.0 };
        let value = m - 0.5 * (m - two).clamp(0.0, two);
        (value.copysign(v) / self.steep, bend / self.steep)
    }
}

/// The steepest slope of the interpolation in cells near the surface, at least 1.
fn steepest<const D: usize>(lattice: &Lattice<D>, values: &[f64]) -> f64 {
    let h = lattice.cell();
    let mut steep: f64 = 1.0;
    for i in 0..values.len() {
        if values[i].abs() > 2.0 * h || lattice.on_border(i) {
            continue;
        }
        // The slope is largest at a corner: 2^D cells share node i, each with one edge per axis.
        let slope = (0..D).map(|a| {
            let s = lattice.stride(a);
            let up = (values[i + s] - values[i]).abs();
            up.max((values[i] - values[i - s]).abs()) / h
        });
        steep = steep.max(slope.map(|s| s * s).sum::<f64>().sqrt());
    }
    steep
}

impl<const D: usize> Shape<D> for LevelSet<D> {
    fn distance(&self, x: &Vector<f64, D>) -> f64 {
        let value = self.safe(self.raw(x)).0;
        let away = (*x - self.lattice.bounds().clamp(x)).norm();
        if away > 0.0 { away.hypot(value) } else { value }
    }
    fn bounds(&self) -> Option<Bounds<D>> {
        Some(self.inner)
    }
    fn normal(&self, x: &Vector<f64, D>) -> Vector<f64, D> {
        let near = self.lattice.bounds().clamp(x);
        let g = self.lattice.gradient(&self.values, &near);
        let away = *x - near;
        if away.norm2() > 0.0 {
            // The parts of ∇φ along which the nearest point does not move drop out.
            let kept = Vector::from_fn(|a| if away[a] == 0.0 { g[a] } else { 0.0 });
            let (value, slope) = self.safe(self.raw(&near));
            return (away + kept * (value * slope))
                .unit()
                .unwrap_or_else(|| Vector::axis(D - 1));
        }
        g.unit().unwrap_or_else(|| Vector::axis(D - 1))
    }
}
