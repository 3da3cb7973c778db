//! Springs between vertices: Φ = ½ c (|x_i − x_j| − l)². [Jiang15] §3.1.1

use thixo_math::{Matrix, Real, Vector};

/// A spring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// The vertices that it joins.
    pub ends: [u32; 2],
    /// c \[N/m\].
    pub stiffness: f64,
    /// l \[m\].
    pub length: f64,
}

impl Spring {
    /// From the other end to this one, and its length.
    fn across<const D: usize>(&self, end: usize, x: &[Vector<f64, D>]) -> (Vector<f64, D>, f64) {
        let d = x[self.ends[end] as usize] - x[self.ends[1 - end] as usize];
        let r = d.norm();
        (d, r)
    }
    /// Φ \[J\]
    pub fn energy<const D: usize>(&self, x: &[Vector<f64, D>]) -> f64 {
        let (_, r) = self.across(0, x);
        0.5 * self.stiffness * (r - self.length).powi(2)
    }
    /// ∂Φ/∂x of an end: c (1 − l/r) d. A spring of no length pulls nowhere.
    pub(crate) fn slope<T: Real, const D: usize>(
        &self,
        end: usize,
        x: &[Vector<f64, D>],
    ) -> Vector<T, D> {
        let (d, r) = self.across(end, x);
        if r == 0.0 {
            return Vector::zero();
        }
        Vector::of(&(d * (self.stiffness * (1.0 - self.length / r))))
    }
    /// ∂²Φ/∂x² of an end: c ((1 − l/r) (I − n nᵀ) + n nᵀ), where a spring that is pressed curves downwards across
    /// itself. If it is to be definite, that part is left out.
    pub(crate) fn curve<T: Real, const D: usize>(
        &self,
        x: &[Vector<f64, D>],
        definite: bool,
    ) -> Matrix<T, D> {
        let (d, r) = self.across(0, x);
        let Some(n) = d.unit() else {
            return Matrix::scalar(T::of(self.stiffness));
        };
        let mut across = 1.0 - self.length / r;
        if definite {
            across = across.max(0.0);
        }
        let along = n.outer(&n);
        let K = (Matrix::identity() - along) * across + along;
        Matrix::of(&(K * self.stiffness))
    }
}
