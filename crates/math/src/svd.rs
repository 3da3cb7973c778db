//! Singular value decomposition F = U Σ Vᵀ with rotations U and V.
//!
//! Convention of [Jiang15] §3.1.3: det U = det V = +1, |σ| descends, only the last σ may be negative
//! and has the sign of det F. Then R = U Vᵀ is the rotation of the polar decomposition.
//!
//! 3D, without sweeps and without a branch, B = F V throughout:
//! 1. V takes the loneliest axis v of FᵀF (see `eigen`), where squaring F costs no accuracy: the error
//!    of vᵀFᵀF w is rounding of σ₁², and if v is the smallest then σ₂² ≥ σ₁²/2.
//! 2. One one-sided rotation makes the other two columns of B orthogonal to the last digit; here FᵀF
//!    would be too coarse, as both may be small.
//! 3. v goes first or last; then B = U R by Givens, R diagonal up to rounding of σ₁.

#![allow(non_snake_case)]

use crate::eigen::lone_frame;
use crate::rotation::jacobi;
use crate::{Lane, Matrix, Vector};

/// F = U diag(σ) Vᵀ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Svd<L, const D: usize> {
    /// Left rotation, det U = +1.
    pub U: Matrix<L, D>,
    /// σ₁ ≥ … ≥ |σ_D|; the last has the sign of det F.
    pub sigma: Vector<L, D>,
    /// Right rotation, det V = +1.
    pub V: Matrix<L, D>,
}

impl<L: Lane, const D: usize> Svd<L, D> {
    /// U diag(d) Vᵀ, for F itself or for a stress P with the same axes. // [Course16] (63)
    #[inline(always)]
    pub fn compose(&self, d: &Vector<L, D>) -> Matrix<L, D> {
        let Ud = Matrix::from_fn(|i, j| self.U.0[i][j] * d.0[j]);
        Ud.times_transpose(&self.V)
    }
}

impl<L: Lane, const D: usize> Matrix<L, D> {
    /// The singular value decomposition; right for any finite matrix of any rank and scale.
    ///
    /// # Panics
    /// In dimensions other than 1, 2 and 3.
    #[inline(always)]
    pub fn svd(&self) -> Svd<L, D> {
        self.0[0][0].apart(
            #[inline(always)]
            || self.decompose(),
        )
    }

    #[inline(always)]
    fn decompose(&self) -> Svd<L, D> {
        let (F, scale) = self.scaled();
        let (mut B, mut V) = (F, Self::scalar(F.0[0][0].fill(1.0)));
        match D {
            1 => {}
            2 => turn(&mut B, &mut V),
            3 => {
                let (frame, largest) = lone_frame(&F.transpose_times(&F).as_dim());
                V = frame.as_dim();
                B = F * V;
                turn(&mut B, &mut V);
                B.last_column_first(largest);
                V.last_column_first(largest);
            }
            _ => panic!("svd: dimension {D}"),
        }
        let qr = B.qr_of_order_one();
        // Rounding may leave equal values out of order by a digit.
        let mut sigma = qr.R.diag();
        for k in 1..D {
            let s = sigma[k].min(sigma[k - 1]);
            sigma[k] = s.max(-sigma[k - 1]);
        }
        Svd {
            U: qr.Q,
            sigma: sigma.map(|x| scale.undo(x)),
            V,
        }
    }
}

/// One-sided Jacobi: makes the first two columns of B orthogonal, the longer first.
#[inline(always)]
fn turn<L: Lane, const D: usize>(B: &mut Matrix<L, D>, V: &mut Matrix<L, D>) {
    let (p, q) = (B.column(0), B.column(1));
    let g = jacobi(p.norm2(), q.norm2(), p.dot(&q));
    B.turn_columns(0, 1, g);
    V.turn_columns(0, 1, g);
}
