//! QR decomposition by plane rotations.

#![allow(non_snake_case)]

use crate::rotation::unit;
use crate::{Lane, Matrix};

/// A = Q R with Q a rotation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Qr<L, const D: usize> {
    /// The rotation; det Q = +1.
    pub Q: Matrix<L, D>,
    /// Upper triangular; the diagonal is non-negative but for its last entry, which has the sign of det A.
    pub R: Matrix<L, D>,
}

impl<L: Lane, const D: usize> Matrix<L, D> {
    /// A = Q R, for any A.
    #[inline(always)]
    pub fn qr(&self) -> Qr<L, D> {
        let (A, scale) = self.scaled();
        let Qr { Q, R } = A.qr_of_order_one();
        Qr {
            Q,
            R: R.map(|x| scale.undo(x)),
        }
    }

    /// The same for a matrix that needs no scaling.
    #[inline(always)]
    pub(crate) fn qr_of_order_one(&self) -> Qr<L, D> {
        let zero = self.0[0][0].fill(0.0);
        let (mut Q, mut R) = (Self::scalar(zero.fill(1.0)), *self);
        for j in 0..D {
            // Lengths of the column from row i down: all angles at once, then the turns from the bottom.
            let mut square = [zero; D];
            for i in (j..D).rev() {
                let x = R.0[i][j];
                square[i] = x * x + if i + 1 < D { square[i + 1] } else { zero };
            }
            for i in (j..D - 1).rev() {
                let low = if i + 2 < D {
                    square[i + 1].sqrt()
                } else {
                    R.0[i + 1][j]
                };
                let g = unit(R.0[i][j], low, square[i]);
                R.turn_rows(i, i + 1, g);
                R.0[i + 1][j] = zero;
                Q.turn_columns(i, i + 1, g);
            }
        }
        Qr { Q, R }
    }
}
