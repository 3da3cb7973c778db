//! Strain that fades: what a step leaves of it, and what a particle keeps.
#![allow(non_snake_case)]

use thixo_math::{Lane, Matrix};

use crate::Numbers;

/// What a step of length dt leaves of strain that fades as e^{−t/Wi}, with x = dt/Wi:
///
/// lost = 1 − e⁻ˣ, first = ∫₀¹ e^{−xu} du = (1 − e⁻ˣ)/x, second = ∫₀¹ 2u e^{−xu} du = 2 (first − e⁻ˣ)/x.
///
/// Where x is small these are differences of like numbers, and their series are taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fading<L> {
    /// The share of an old strain that is lost.
    pub lost: L,
    /// The share that is left of a strain that comes evenly within the step.
    pub first: L,
    /// The same of the square of that strain.
    pub second: L,
}

impl<L: Lane> Fading<L> {
    /// For x = dt/Wi ≥ 0.
    #[inline(always)]
    pub fn new(x: L) -> Self {
        let c = |v: f64| x.fill(v);
        let one = c(1.0);
        // Below 1 what is left out is rounding: Σ (−x)ᵏ/(k+1)! and Σ 2 (−x)ᵏ/(k! (k+2)), from the last term.
        let (mut first, mut second) = (one, c(0.0));
        for k in (0..if L::DIGITS <= 24 { 12 } else { 20 }).rev() {
            let k = f64::from(k);
            first = one - x * c(1.0 / (k + 2.0)) * first;
            second = c(1.0 / (k + 2.0)) - x * c(1.0 / (k + 1.0)) * second;
        }
        let near = x.lt(one);
        let left = (-x).exp();
        let lost = one - left;
        let far = lost / x;
        Self {
            lost: L::select(near, x * first, lost),
            first: L::select(near, first, far),
            second: L::select(near, second + second, (far - left) * c(2.0) / x),
        }
    }
}

/// What a particle keeps: a symmetric matrix, then one number. In the plane the last three are not counted, and 0.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
pub struct Kept<L, const D: usize>([L; 7]);

impl<L: Lane, const D: usize> Numbers<L> for Kept<L, D> {
    const COUNT: usize = D * (D + 1) / 2 + 1;
    #[inline(always)]
    fn from_fn(mut f: impl FnMut(usize) -> L) -> Self {
        let mut all = [f(0); 7];
        let zero = all[0].fill(0.0);
        for (i, x) in all.iter_mut().enumerate().skip(1) {
            *x = if i < Self::COUNT { f(i) } else { zero };
        }
        Self(all)
    }
    #[inline(always)]
    fn all(&self) -> &[L] {
        &self.0[..Self::COUNT]
    }
}

impl<L: Lane, const D: usize> Kept<L, D> {
    /// From a symmetric matrix, of which the lower triangle is ignored, and a number.
    #[inline(always)]
    pub fn new(E: &Matrix<L, D>, last: L) -> Self {
        Self::from_fn(
            #[inline(always)]
            |n| match n {
                _ if n + 1 == Self::COUNT => last,
                _ if n < D => E[(n, n)],
                _ => E[if n == 5 { (1, 2) } else { (0, n + 1 - D) }],
            },
        )
    }
    /// The matrix.
    #[inline(always)]
    pub fn matrix(&self) -> Matrix<L, D> {
        let a = &self.0;
        Matrix::from_fn(
            #[inline(always)]
            |i, j| if i == j { a[i] } else { a[D + i + j - 1] },
        )
    }
    /// One of the numbers.
    #[inline(always)]
    pub(super) fn number(&self, n: usize) -> L {
        self.0[n]
    }
    /// The number after the matrix.
    #[inline(always)]
    pub fn last(&self) -> L {
        self.0[Self::COUNT - 1]
    }
}

/// The determinant of a symmetric, positive definite A, as the product of its pivots: the sum of products that a determinant
/// usually is loses all digits where A is far longer one way than another. And the least pivot.
#[inline(always)]
pub(crate) fn pivots<L: Lane, const D: usize>(A: &Matrix<L, D>) -> (L, L) {
    let (first, h) = (A[(0, 0)], A[(0, 1)]);
    let second = A[(1, 1)] - h / first * h;
    let (det, least) = (first * second, Lane::min(first, second));
    if D == 2 {
        return (det, least);
    }
    let g = A[(0, 2)] / first;
    let rest = A[(1, 2)] - g * h;
    let third = A[(2, 2)] - g * A[(0, 2)] - rest / second * rest;
    (det * third, Lane::min(least, third))
}

/// The lower triangular L with L Lᵀ = A, for a positive definite A.
#[inline(always)]
pub(crate) fn cholesky<L: Lane, const D: usize>(A: &Matrix<L, D>) -> Matrix<L, D> {
    let mut out = Matrix::scalar(A[(0, 0)].fill(0.0));
    for j in 0..D {
        for i in j..D {
            let mut s = A[(i, j)];
            for k in 0..j {
                s -= out[(i, k)] * out[(j, k)];
            }
            out[(i, j)] = if i == j { s.sqrt() } else { s / out[(j, j)] };
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The strain of a torn seam, as it came up: in single precision the usual determinant is lost.
    #[test]
    fn pivots_keep_the_determinant_of_long_strains() {
        let entries = [
            96.37554, 396.68454, 191.89528, 195.46312, 135.84778, 275.8371,
        ];
        let [a, b, c, h, g, f]: [f64; 6] = entries;
        let fine = Matrix([[a, h, g], [h, b, f], [g, f, c]]);
        let coarse: Matrix<f32, 3> = Matrix::of(&fine);
        let right = fine.det();
        let off = |x: f32| (f64::from(x) / right - 1.0).abs();
        assert!(off(pivots(&coarse).0) < 0.02);
        assert!(off(coarse.det()) > 0.1);
        assert!((pivots(&fine).0 / right - 1.0).abs() < 1e-7);
        let plane = Matrix([[2.0, 0.5], [0.5, 3.0]]);
        assert_eq!(pivots(&plane), (5.75, 2.0));
    }
}
