//! Second derivatives of isotropic laws in lanes: from principal axes to H.
#![allow(non_snake_case)]

use thixo_math::{Lane, Mask, Matrix, Principal, Svd, Vector};

use crate::{Tangent, Trial};

/// ∂²ψ/∂H² of an isotropic law at (I + H) F = U Σ Vᵀ, from its derivatives in principal axes, [Course16] (69)–(77).
///
/// With M = F V, δX = Uᵀ δH M is δF in these axes, and the second variation of ψ is
///
/// Σ_ij ψ_ij δX_ii δX_jj + Σ_{i<j} m_ij/2 (δX_ij + δX_ji)² + q_ij/2 (δX_ij − δX_ji)²,
///
/// where m_ij = (ψ_i − ψ_j)/(σ_i − σ_j) and q_ij = (ψ_i + ψ_j)/(σ_i + σ_j). So ψ_ij, m_ij and q_ij are all that a
/// projection to positive semi-definite has to look at, and δX_ij = δH : u_i ⊗ m_j with the columns of U and M, so
/// that ∂²ψ/∂H² is a sum of products of such matrices.
#[inline(always)]
pub(crate) fn curve<L: Lane, const D: usize>(
    k: &Trial<L, D>,
    definite: bool,
    law: impl FnOnce(&Svd<L, D>) -> Principal<L, D>,
) -> Tangent<L> {
    k.dt.apart(
        #[inline(always)]
        || {
            let S = k.deformed().svd();
            let mut p = law(&S);
            if definite {
                project(&mut p);
            }
            assemble(&p, &S.U, &(k.F * S.V))
        },
    )
}

/// The nearest that curves upwards: negative eigenvalues of ψ_ij, and negative m and q, become 0.
#[inline(always)]
fn project<L: Lane, const D: usize>(p: &mut Principal<L, D>) {
    let zero = p.hess[(0, 0)].fill(0.0);
    p.minus = p.minus.map(
        #[inline(always)]
        |x| x.max(zero),
    );
    p.plus = p.plus.map(
        #[inline(always)]
        |x| x.max(zero),
    );
    // Where all leading minors are positive, so are the eigenvalues, and nothing is to be done.
    let h = &p.hess;
    let second = h[(0, 0)] * h[(1, 1)] - h[(0, 1)] * h[(1, 0)];
    let convex = zero.lt(h[(0, 0)]) & zero.lt(second) & zero.lt(h.det());
    if convex.all() {
        return;
    }
    let E = h.symmetric_eigen();
    let lift = E.values.map(
        #[inline(always)]
        |x| L::select(convex, zero, (-x).max(zero)),
    );
    let Ql = Matrix::from_fn(
        #[inline(always)]
        |i, j| E.Q[(i, j)] * lift[j],
    );
    p.hess += Ql.symmetric_times_transpose(&E.Q);
}

/// The sum of products: with d_i = u_i ⊗ m_i, Σ d_i ⊗ (Σ_j ψ_ij d_j), and for each pair
/// m/2 s ⊗ s + q/2 a ⊗ a with s, a = u_i ⊗ m_j ± u_j ⊗ m_i.
#[inline(always)]
fn assemble<L: Lane, const D: usize>(
    p: &Principal<L, D>,
    U: &Matrix<L, D>,
    M: &Matrix<L, D>,
) -> Tangent<L> {
    let mut d = [outer(U, M, 0, 0); D];
    for (i, x) in d.iter_mut().enumerate().skip(1) {
        *x = outer(U, M, i, i);
    }
    let mut out = Tangent::zero(M[(0, 0)]);
    for i in 0..D {
        let mut e = d[0] * p.hess[(i, 0)];
        for (j, dj) in d.iter().enumerate().skip(1) {
            e += *dj * p.hess[(i, j)];
        }
        add(&mut out, &d[i], &e);
    }
    let half = M[(0, 0)].fill(0.5);
    for i in 0..D {
        for j in i + 1..D {
            let (x, y) = (outer(U, M, i, j), outer(U, M, j, i));
            let (s, a) = (x + y, x - y);
            add(&mut out, &s, &(s * (p.minus[(i, j)] * half)));
            add(&mut out, &a, &(a * (p.plus[(i, j)] * half)));
        }
    }
    out
}

/// u_i ⊗ m_j
#[inline(always)]
fn outer<L: Lane, const D: usize>(
    U: &Matrix<L, D>,
    M: &Matrix<L, D>,
    i: usize,
    j: usize,
) -> Matrix<L, D> {
    Matrix::from_fn(
        #[inline(always)]
        |r, c| U[(r, i)] * M[(c, j)],
    )
}

/// J_i for i = j, else J_ij: the product of all σ but those.
#[inline(always)]
pub(crate) fn others<L: Lane, const D: usize>(s: &Vector<L, D>, i: usize, j: usize) -> L {
    match (D, i == j) {
        (2, true) => s[1 - i],
        (2, false) => s[0].fill(1.0),
        (_, true) => s[(i + 1) % D] * s[(i + 2) % D],
        (_, false) => s[3 - i - j],
    }
}

/// Adds x ⊗ y, of which the upper triangle is kept.
#[inline(always)]
fn add<L: Lane, const D: usize>(out: &mut Tangent<L>, x: &Matrix<L, D>, y: &Matrix<L, D>) {
    for r in 0..D * D {
        for c in r..D * D {
            let t = &mut out.0[Tangent::<L>::place::<D>(r, c)];
            *t = x[(r / D, r % D)].mul_add(y[(c / D, c % D)], *t);
        }
    }
}

/// (ln a − ln b)/(a − b) for a, b > 0 with ln a − ln b given, right also where a = b.
///
/// With z = (a − b)/(a + b), ln a − ln b = 2 artanh z = 2 z (1 + z²/3 + z⁴/5 + …).
#[inline(always)]
pub(crate) fn log_quotient<L: Lane>(a: L, b: L, logs: L) -> L {
    let c = |x: f64| a.fill(x);
    let z = (a - b) / (a + b);
    let z2 = z * z;
    let mut s = c(1.0 / 15.0); // z² < 0.01: the next term is below 1e-17
    for k in (0..7).rev() {
        s = s.mul_add(z2, c(1.0 / (2 * k + 1) as f64));
    }
    L::select(z2.lt(c(0.01)), (s + s) / (a + b), logs / (a - b))
}
