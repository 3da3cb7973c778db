//! Isotropic laws in principal axes: the differential of the stress, and its stiffness.
//!
//! For ψ(F) = ψ̂(σ) with F = U Σ Vᵀ and p_i = ∂ψ̂/∂σ_i the stress is P = U diag(p) Vᵀ, [Course16] (63), and
//!
//! ```text
//! δP = U δP̂ Vᵀ,   δF̂ = Uᵀ δF V                                             [Course16] (69)
//! δP̂_ii = Σ_j ∂²ψ̂/∂σ_i∂σ_j δF̂_jj                                             (75)
//! δP̂_ij = ½ m_ij (δF̂_ij + δF̂_ji) + ½ q_ij (δF̂_ij − δF̂_ji),   i ≠ j          (77)
//! m_ij = (p_i − p_j)/(σ_i − σ_j),   q_ij = (p_i + p_j)/(σ_i + σ_j)
//! ```
//!
//! m is a secant slope, so it stays finite where σ_i = σ_j (it is then ψ̂_ii − ψ̂_ij) and a law must give
//! it without dividing 0 by 0: from its formula, or with [`log_secant`]. q is finite where
//! σ_i + σ_j = 0 only for laws that do not resist inversion; for the others [`bounded_ratio`] cuts it off.

#![allow(non_snake_case)]

use crate::{Matrix, Real, Svd};

/// Second derivatives of ψ̂ at one F, as defined in the module's formulas.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Principal<T, const D: usize> {
    /// ∂²ψ̂/∂σ_i∂σ_j, symmetric.
    pub hess: Matrix<T, D>,
    /// m_ij = (p_i − p_j)/(σ_i − σ_j), symmetric; the diagonal is not read.
    pub minus: Matrix<T, D>,
    /// q_ij = (p_i + p_j)/(σ_i + σ_j), symmetric; the diagonal is not read.
    pub plus: Matrix<T, D>,
}

impl<T: Real, const D: usize> Principal<T, D> {
    /// Tabulates the ratios for each pair i < j.
    #[inline(always)]
    pub fn new(
        hess: Matrix<T, D>,
        minus: impl Fn(usize, usize) -> T,
        plus: impl Fn(usize, usize) -> T,
    ) -> Self {
        let table = |f: &dyn Fn(usize, usize) -> T| {
            let mut m = Matrix::zero();
            for i in 0..D {
                for j in i + 1..D {
                    m.0[i][j] = f(i, j);
                    m.0[j][i] = m.0[i][j];
                }
            }
            m
        };
        Self {
            hess,
            minus: table(&minus),
            plus: table(&plus),
        }
    }

    /// δP for δF.
    #[inline(always)]
    pub fn differential(&self, svd: &Svd<T, D>, dF: &Matrix<T, D>) -> Matrix<T, D> {
        let f = svd.U.transpose_times(dF) * svd.V;
        let half = T::of(0.5);
        let dP = Matrix::from_fn(|i, j| {
            if i == j {
                let mut s = self.hess.0[i][0] * f.0[0][0]; // (75)
                for k in 1..D {
                    s += self.hess.0[i][k] * f.0[k][k];
                }
                s
            } else {
                half * (self.minus.0[i][j] * (f.0[i][j] + f.0[j][i])
                    + self.plus.0[i][j] * (f.0[i][j] - f.0[j][i])) // (77)
            }
        });
        (svd.U * dP).times_transpose(&svd.V)
    }

    /// The largest eigenvalue of δH ↦ δP(δH F) Fᵀ, which is symmetric: the stiffness per volume that
    /// bounds an explicit step. Not positive only where ψ is nowhere convex.
    ///
    /// With Ĥ = Uᵀ δH U it is δF̂_ij = Ĥ_ij σ_j, and the result in the same axes is δP̂_ij σ_j. So the
    /// diagonal of Ĥ meets σ_i σ_j ψ̂_ij, and each pair (Ĥ_ij, Ĥ_ji), with α = (m + q)/2 and β = (m − q)/2,
    ///
    /// ```text
    /// [ α σ_j²    β σ_i σ_j ]      λ = ½ ( α (σ_i² + σ_j²) ± √( α² (σ_i² − σ_j²)² + 4 β² σ_i² σ_j² ) )
    /// [ β σ_i σ_j    α σ_i² ]
    /// ```
    #[inline(always)]
    pub fn stiffness(&self, svd: &Svd<T, D>) -> T {
        let s = &svd.sigma.0;
        let half = T::of(0.5);
        let axial = Matrix::<T, D>::from_fn(|i, j| s[i] * s[j] * self.hess.0[i][j]);
        let mut most = axial.symmetric_eigen().values[0];
        for i in 0..D {
            for j in i + 1..D {
                let (m, q) = (self.minus.0[i][j], self.plus.0[i][j]);
                let (alpha, beta) = (half * (m + q), half * (m - q));
                let mean = half * alpha * (s[i] * s[i] + s[j] * s[j]);
                let half_gap = half * alpha * (s[i] - s[j]) * (s[i] + s[j]);
                let off = beta * s[i] * s[j];
                most = most.max(mean + (half_gap * half_gap + off * off).sqrt());
            }
        }
        most
    }
}

/// n / d, with |d| taken to be at least `least` (> 0) and its sign kept: bounds (77) near σ_i + σ_j = 0.
#[inline(always)]
pub fn bounded_ratio<T: Real>(n: T, d: T, least: T) -> T {
    let m = d.abs().max(least);
    n / if d < T::zero() { -m } else { m }
}

/// (ln a − ln b)/(a − b) for a, b > 0, accurate also where a = b, where it is 1/a.
///
/// With z = (a − b)/(a + b), ln a − ln b = 2 artanh z = 2 z (1 + z²/3 + z⁴/5 + …).
#[inline(always)]
pub fn log_secant<T: Real>(a: T, b: T) -> T {
    let z = (a - b) / (a + b);
    let z2 = z * z;
    if z2 < T::of(0.01) {
        let mut s = T::of(1.0 / 15.0); // z² < 0.01: the next term is below 1e-17
        for k in (0..7).rev() {
            s = s * z2 + T::of(1.0 / (2 * k + 1) as f64);
        }
        (s + s) / (a + b)
    } else {
        (a.ln() - b.ln()) / (a - b)
    }
}
