//! Derivatives of the volume ratio, shared by the laws.
#![allow(non_snake_case)]

use thixo_math::{Lane, Matrix, Real};

/// δ(cof F), linear in δF and defined for a singular F too.
///
/// # Panics
/// In dimensions other than 1, 2 and 3.
#[inline(always)]
pub(crate) fn dcofactor<T: Real, const D: usize>(
    F: &Matrix<T, D>,
    dF: &Matrix<T, D>,
) -> Matrix<T, D> {
    let (a, d) = (&F.0, &dF.0);
    match D {
        1 => Matrix::zero(),
        2 => dF.cofactor(), // cof is linear
        3 => Matrix::from_fn(|i, j| {
            let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
            let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
            a[i1][j1] * d[i2][j2] + d[i1][j1] * a[i2][j2]
                - a[i1][j2] * d[i2][j1]
                - d[i1][j2] * a[i2][j1]
        }),
        _ => panic!("dcofactor: dimension {D}"),
    }
}

/// What forbids F to a law that needs J > 0.
#[inline]
pub(crate) fn inverted<T: Real, const D: usize>(F: &Matrix<T, D>) -> Option<&'static str> {
    if !F.finite() {
        Some("deformation gradient is not finite")
    } else if F.det() > T::zero() {
        None
    } else {
        Some("deformation gradient is inverted")
    }
}

/// Largest eigenvalue of δH ↦ δP(δH F) Fᵀ for an energy f(J), exactly.
///
/// With P = f′ cof F, δJ = J tr δH and δ(cof F) Fᵀ = J (tr δH I − δHᵀ),
/// δτ = f″J² tr δH I + f′J (tr δH I − δHᵀ): D f″J² + (D−1) f′J on I, −f′J on symmetric
/// matrices without trace, f′J on skew ones. `f1` is f′J and `f2` is f″J².
#[inline(always)]
pub(crate) fn volume_stiffness<L: Lane, const D: usize>(f1: L, f2: L) -> L {
    let d = D as f64;
    (f1.fill(d) * f2 + f1.fill(d - 1.0) * f1).max(f1.abs())
}

/// Where every entry of F is finite and det F > 0.
#[inline(always)]
pub(crate) fn upright<L: Lane, const D: usize>(F: &Matrix<L, D>) -> L::Mask {
    // What is not finite leaves no finite sum.
    let size = F.norm2();
    size.finite() & size.fill(0.0).lt(F.det())
}

/// An upper bound on the largest eigenvalue of a symmetric matrix from its trace and the norm of its
/// deviator: tr/D + √((D−1)/D) ‖dev‖_F, exact in 2D.
#[inline(always)]
pub(crate) fn largest_from_norms<L: Lane, const D: usize>(trace: L, deviator: L) -> L {
    let d = D as f64;
    let share = trace.fill((1.0 - 1.0 / d).sqrt());
    trace.mul_add(trace.fill(1.0 / d), share * deviator)
}
