//! Logarithmic strain as a tensor, and deformation by one: what the laws on Hencky strain share.
#![allow(non_snake_case)]

use thixo_math::{Lane, Mask, Matrix, Vector};

/// Strain below which long series are as good as principal axes: 0.09, or 0.003 with double precision.
#[inline(always)]
fn small<L: Lane>(x: L) -> L {
    x.fill(if L::DIGITS <= 24 { 0.09 } else { 0.003 })
}

/// Strain below which short series are as good: their next term, of relative size x⁴/2 at most, is a fifth of
/// the rounding.
#[inline(always)]
pub(crate) fn tiny<L: Lane>(x: L) -> L {
    x.fill(if L::DIGITS <= 24 { 0.012 } else { 8e-5 })
}

/// What a lane's own size decides between: `short` where it is tiny, else `long`, which is found only if a lane
/// needs it.
#[inline(always)]
pub(crate) fn by_size<L: Lane, const D: usize>(
    size: L,
    short: Matrix<L, D>,
    long: impl FnOnce() -> Matrix<L, D>,
) -> Matrix<L, D> {
    let tiny = size.lt(tiny(size));
    if tiny.all() {
        return short;
    }
    let long = long();
    Matrix::from_fn(|i, j| L::select(tiny, short[(i, j)], long[(i, j)]))
}

/// c + Σ kᵢ Mᵢ, term by term.
#[inline(always)]
pub(crate) fn polynomial<L: Lane, const D: usize, const N: usize>(
    c: f64,
    terms: [(f64, &Matrix<L, D>); N],
) -> Matrix<L, D> {
    Matrix::from_fn(|i, j| {
        let first = terms[0].1[(i, j)];
        let mut sum = first.fill(if i == j { c } else { 0.0 });
        for (k, m) in terms {
            sum = m[(i, j)].mul_add(first.fill(k), sum);
        }
        sum
    })
}

/// ε = ½ ln b with b = F Fᵀ, that is U ln Σ Uᵀ. Not finite where det F ≤ 0.
///
/// Near a rotation, with B = b − I, by ln(I + B) = B − B²/2 + B³/3 − …, up to B⁴/4 or B⁷/7, without a
/// decomposition; else in principal axes of F, whose small singular values b would lose.
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
    let B = F.symmetric_times_transpose(F) - Matrix::scalar(c(1.0));
    let size = B.row_sum_norm();
    let near = size.lt(small(size)) & c(0.0).lt(F.det());
    let mut e = B;
    if near.any() {
        let B2 = B.symmetric_times(&B);
        let half = B * c(0.5);
        // ½ ln = B/2 + B² (−1/4 + B/6 − B²/8)
        let short = half + B2.symmetric_times(&polynomial(-0.25, [(1.0 / 6.0, &B), (-0.125, &B2)]));
        e = by_size(
            size,
            short,
            #[inline(always)]
            || {
                let B3 = B2.symmetric_times(&B);
                // B/2 − B²/4 + B³ (1/6 − B/8 + B²/10 + B³ (−1/12 + B/14))
                let inner = B3.symmetric_times(&polynomial(-1.0 / 12.0, [(1.0 / 14.0, &B)]));
                let outer = polynomial(1.0 / 6.0, [(-0.125, &B), (0.1, &B2), (1.0, &inner)]);
                half + polynomial(0.0, [(-0.25, &B2), (1.0, &B3.symmetric_times(&outer))])
            },
        );
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

/// eᴬ F for a symmetric A: by I + A + A²/2 + …, up to A³/6 or A⁶/720, where A is small, else in its principal axes.
#[inline(always)]
pub(crate) fn deform<L: Lane, const D: usize>(A: &Matrix<L, D>, F: &Matrix<L, D>) -> Matrix<L, D> {
    F[(0, 0)].apart(
        #[inline(always)]
        || exp_times(A, F),
    )
}

#[inline(always)]
fn exp_times<L: Lane, const D: usize>(A: &Matrix<L, D>, F: &Matrix<L, D>) -> Matrix<L, D> {
    let size = A.row_sum_norm();
    let near = size.lt(small(size));
    let mut out = *F;
    if near.any() {
        let A2 = A.symmetric_times(A);
        // eᴬ − I = A + A² (1/2 + A/6)
        let short = *A + A2.symmetric_times(&polynomial(0.5, [(1.0 / 6.0, A)]));
        let less = by_size(
            size,
            short,
            #[inline(always)]
            || {
                // A + A² (1/2 + A/6 + A² (1/24 + A/120 + A²/720))
                let inner = polynomial(1.0 / 24.0, [(1.0 / 120.0, A), (1.0 / 720.0, &A2)]);
                let inner = A2.symmetric_times(&inner);
                *A + A2.symmetric_times(&polynomial(0.5, [(1.0 / 6.0, A), (1.0, &inner)]))
            },
        );
        out = *F + less * *F;
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
