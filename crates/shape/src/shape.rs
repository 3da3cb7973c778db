//! What a shape is.

use std::fmt::Debug;
use std::sync::Arc;

use thixo_math::Vector;

/// An axis-aligned box around something.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds<const D: usize> {
    /// Lowest corner \[m\].
    pub low: Vector<f64, D>,
    /// Highest corner \[m\].
    pub high: Vector<f64, D>,
}

impl<const D: usize> Bounds<D> {
    /// The smallest box around points; `None` for no points.
    pub fn of(points: impl IntoIterator<Item = Vector<f64, D>>) -> Option<Self> {
        points.into_iter().fold(None, |b: Option<Self>, x| {
            let p = Self { low: x, high: x };
            Some(b.map_or(p, |b| b.union(&p)))
        })
    }
    /// The middle.
    pub fn center(&self) -> Vector<f64, D> {
        (self.low + self.high) * 0.5
    }
    /// Lengths of the sides.
    pub fn size(&self) -> Vector<f64, D> {
        self.high - self.low
    }
    /// Whether `x` is in it, faces included.
    pub fn contains(&self, x: &Vector<f64, D>) -> bool {
        (0..D).all(|a| self.low[a] <= x[a] && x[a] <= self.high[a])
    }
    /// Pushed out by `margin` on every side.
    pub fn grow(&self, margin: f64) -> Self {
        Self {
            low: self.low - Vector::splat(margin),
            high: self.high + Vector::splat(margin),
        }
    }
    /// The box around both.
    pub fn union(&self, o: &Self) -> Self {
        Self {
            low: Vector::from_fn(|a| self.low[a].min(o.low[a])),
            high: Vector::from_fn(|a| self.high[a].max(o.high[a])),
        }
    }
    /// The part in both; a box without volume if they are apart.
    pub fn intersection(&self, o: &Self) -> Self {
        let low = Vector::from_fn(|a| self.low[a].max(o.low[a]));
        Self {
            low,
            high: Vector::from_fn(|a| self.high[a].min(o.high[a]).max(low[a])),
        }
    }
    /// The nearest point of the box.
    pub fn clamp(&self, x: &Vector<f64, D>) -> Vector<f64, D> {
        Vector::from_fn(|a| x[a].min(self.high[a]).max(self.low[a]))
    }
}

/// A region of space given by its signed distance.
pub trait Shape<const D: usize>: Debug + Send + Sync {
    /// Signed distance to the surface \[m\], negative inside. Never larger in magnitude than the
    /// true distance (a lower bound is allowed away from the surface), so that a ray may step by it.
    fn distance(&self, x: &Vector<f64, D>) -> f64;
    /// Whether the distance is the true one everywhere, from a formula: then one step along the normal leads from
    /// any place exactly to the surface.
    fn is_exact(&self) -> bool {
        false
    }
    /// The box around it, or `None` if it has no end.
    fn bounds(&self) -> Option<Bounds<D>>;
    /// Unit outward normal: the gradient of the distance. By central differences unless a shape
    /// knows better; at a point without a gradient, some unit vector.
    fn normal(&self, x: &Vector<f64, D>) -> Vector<f64, D> {
        let h = 1e-6 * (1.0 + x.max_abs());
        let g = Vector::from_fn(|a| {
            let e = Vector::axis(a) * h;
            self.distance(&(*x + e)) - self.distance(&(*x - e))
        });
        g.unit().unwrap_or_else(|| Vector::axis(D - 1))
    }
}

macro_rules! pointer {
    ($p:ident) => {
        impl<S: Shape<D> + ?Sized, const D: usize> Shape<D> for $p<S> {
            fn distance(&self, x: &Vector<f64, D>) -> f64 {
                (**self).distance(x)
            }
            fn is_exact(&self) -> bool {
                (**self).is_exact()
            }
            fn bounds(&self) -> Option<Bounds<D>> {
                (**self).bounds()
            }
            fn normal(&self, x: &Vector<f64, D>) -> Vector<f64, D> {
                (**self).normal(x)
            }
        }
    };
}
pointer!(Arc);
pointer!(Box);
