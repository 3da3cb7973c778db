//! Logarithmic strain as a tensor, and deformation by one: what the laws on Hencky strain share.
#![allow(non_snake_case)]

use thixo_math::{Lane, Mask, Matrix, Vector};

/// Strain below which series are as good as principal axes: 0.09, or 0.003 with double precision.
#[inline(always)]
fn limit<L: Lane>(x: L) -> L {
    x.fill(if L::DIGITS <= 24 { 0.09 } else { 0.003 })
}

/// ε = ½ ln b with b = F Fᵀ, that is U ln Σ Uᵀ. Not finite where det F ≤ 0.
///
/// Near a rotation, with B = b − I, by ln(I + B) = B − B²/2 + B³/3 − … + B⁷/7, without a decomposition;
/// else in principal axes of F, whose small singular values b would lose.
#[inline(always)]
pub(crate) fn hencky_strain<L: Lane, const D: usize>(F: &Matrix<L, D>) -> Matrix<L, D> {
    F[(0, 0)].apart(
        #[inline(always)]
        || strain(F),
    )
}

#[inline(always)]
fn strain<L: Lane, const D: usize>(F: &Matrix<L, D>) -> Matrix<L, D> {
    let c = |x: f64| F[(0, 0)].fill(x);
    let B = F.times_transpose(F) - Matrix::scalar(c(1.0));
    let near = B.row_sum_norm().lt(limit(c(0.0))) & c(0.0).lt(F.det());
    let mut e = B;
    if near.any() {
        let B2 = B * B;
        let B3 = B2 * B;
        // ½ ln = B/2 − B²/4 + B³ (1/6 − B/8 + B²/10 + B³ (−1/12 + B/14))
        let inner = Matrix::from_fn(|i, j| {
            let top = if i == j { c(-1.0 / 12.0) } else { c(0.0) };
            B[(i, j)].mul_add(c(1.0 / 14.0), top)
        });
        let inner = B3 * inner;
        let outer = Matrix::from_fn(|i, j| {
            let top = if i == j { c(1.0 / 6.0) } else { c(0.0) };
            let sum = B2[(i, j)].mul_add(c(0.1), inner[(i, j)] + top);
            B[(i, j)].mul_add(c(-0.125), sum)
        });
        let outer = B3 * outer;
        e = Matrix::from_fn(|i, j| {
            let sum = B2[(i, j)].mul_add(c(-0.25), outer[(i, j)]);
            B[(i, j)].mul_add(c(0.5), sum)
        })
        .sym();
    }
    if !near.all() {
        let S = F.svd();
        let ln = S.sigma.map(
            #[inline(always)]
            |s| s.ln(),
        );
        let far = compose(&S.U, &ln);
        e = Matrix::from_fn(|i, j| L::select(near, e[(i, j)], far[(i, j)]));
    }
    e
}

/// eᴬ F for a symmetric A: by A + A²/2 + … + A⁶/720 where A is small, else in its principal axes.
#[inline(always)]
pub(crate) fn deform<L: Lane, const D: usize>(A: &Matrix<L, D>, F: &Matrix<L, D>) -> Matrix<L, D> {
    F[(0, 0)].apart(
        #[inline(always)]
        || exp_times(A, F),
    )
}

#[inline(always)]
fn exp_times<L: Lane, const D: usize>(A: &Matrix<L, D>, F: &Matrix<L, D>) -> Matrix<L, D> {
    let c = |x: f64| F[(0, 0)].fill(x);
    let near = A.row_sum_norm().lt(limit(c(0.0)));
    let mut out = *F;
    if near.any() {
        // From the highest term: F + A (F + A/2 (F + …)).
        let terms = if L::DIGITS <= 24 { 5 } else { 6 };
        for k in (1..=terms).rev() {
            let r = c(1.0 / k as f64);
            let AX = *A * out;
            out = Matrix::from_fn(|i, j| AX[(i, j)].mul_add(r, F[(i, j)]));
        }
    }
    if !near.all() {
        let E = A.symmetric_eigen();
        let exp = E.values.map(
            #[inline(always)]
            |x| x.exp(),
        );
        let far = compose(&E.Q, &exp) * *F;
        out = Matrix::from_fn(|i, j| L::select(near, out[(i, j)], far[(i, j)]));
    }
    out
}

/// U diag(d) Uᵀ
#[inline(always)]
fn compose<L: Lane, const D: usize>(U: &Matrix<L, D>, d: &Vector<L, D>) -> Matrix<L, D> {
    let Ud = Matrix::from_fn(|i, j| U[(i, j)] * d[j]);
    Ud.times_transpose(U)
}
