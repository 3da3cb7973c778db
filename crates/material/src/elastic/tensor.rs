//! Derivatives of the volume ratio, shared by the laws.
#![allow(non_snake_case)]

use thixo_math::{Matrix, Real};

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
pub(crate) fn volume_stiffness<T: Real, const D: usize>(f1: T, f2: T) -> T {
    let d = T::of(D as f64);
    (d * f2 + (d - T::one()) * f1).max(f1.abs())
}
