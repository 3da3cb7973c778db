//! Polar decomposition F = R S.

#![allow(non_snake_case)]

use crate::rotation::givens;
use crate::{Lane, Matrix};

impl<L: Lane, const D: usize> Matrix<L, D> {
    /// (R, S) with F = R S, R a rotation (det R = +1) and S symmetric, exactly.
    ///
    /// R is the rotation closest to F, also where det F < 0; S then has one negative eigenvalue.
    /// [Jiang15] §3.1.3: R = U Vᵀ, S = V Σ Vᵀ.
    ///
    /// # Panics
    /// In dimensions other than 1, 2 and 3.
    #[inline(always)]
    pub fn polar(&self) -> (Self, Self) {
        match D {
            2 => {
                // tr(RᵀF) is largest for the angle of (F₁₁ + F₂₂, F₂₁ − F₁₂).
                // If both vanish then F is symmetric and R = I will do.
                let (F, scale) = self.scaled();
                let (c, s) = givens(F.0[0][0] + F.0[1][1], F.0[1][0] - F.0[0][1]);
                let R = Self::from_fn(|i, j| match (i, j) {
                    (0, 1) => -s,
                    (1, 0) => s,
                    _ => c,
                });
                (R, R.transpose_times(&F).sym().map(|x| scale.undo(x)))
            }
            _ => {
                let svd = self.svd();
                let Vs = Self::from_fn(|i, j| svd.V.0[i][j] * svd.sigma.0[j]);
                let S = Vs.times_transpose(&svd.V);
                let R = svd.U.times_transpose(&svd.V);
                (R, Self::from_fn(|i, j| S.0[i.max(j)][i.min(j)]))
            }
        }
    }
}
