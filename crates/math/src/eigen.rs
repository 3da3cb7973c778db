//! Eigenvalues and axes of a symmetric matrix.
//!
//! In 3D no iteration over sweeps is needed. The deviator of A, scaled to N = K / 2p with
//! p² = K:K / 6, has eigenvalues x that solve 4x³ − 3x = 4 det N = r ∈ [−1, 1]. The root with the sign
//! of r is always alone: |x| ≥ √3/2 and the others are at least √3/2 away. Its axis is thus well
//! conditioned whatever A is, and the two others follow from one plane rotation in its complement.

#![allow(non_snake_case)]

use crate::rotation::{jacobi, sign, tiny};
use crate::{Lane, Matrix, Vector};

/// A = Q diag(λ) Qᵀ with Q a rotation and λ descending.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Eigen<L, const D: usize> {
    /// λ₁ ≥ λ₂ ≥ λ₃.
    pub values: Vector<L, D>,
    /// The axes, column by column; det Q = +1.
    pub Q: Matrix<L, D>,
}

impl<L: Lane, const D: usize> Matrix<L, D> {
    /// Eigenvalues and axes of a symmetric matrix (the upper triangle is ignored).
    ///
    /// # Panics
    /// In dimensions other than 1, 2 and 3.
    #[inline(always)]
    pub fn symmetric_eigen(&self) -> Eigen<L, D> {
        self.0[0][0].apart(
            #[inline(always)]
            || self.diagonalize(),
        )
    }

    #[inline(always)]
    fn diagonalize(&self) -> Eigen<L, D> {
        let (mut A, scale) = self.scaled();
        for i in 0..D {
            for j in i + 1..D {
                A.0[i][j] = A.0[j][i];
            }
        }
        let mut Q = Self::scalar(A.0[0][0].fill(1.0));
        match D {
            1 => {}
            2 => Q.turn_columns(0, 1, jacobi(A[(0, 0)], A[(1, 1)], A[(0, 1)])),
            3 => {
                let (frame, largest) = lone_frame(&A.as_dim());
                Q = frame.as_dim();
                let (p, q) = (Q.column(0), Q.column(1));
                let (Ap, Aq) = (A * p, A * q);
                Q.turn_columns(0, 1, jacobi(p.dot(&Ap), q.dot(&Aq), p.dot(&Aq)));
                Q.last_column_first(largest);
            }
            _ => panic!("symmetric_eigen: dimension {D}"),
        };
        let AQ = A * Q;
        let mut values = Vector::<L, D>::from_fn(|i| Q.column(i).dot(&AQ.column(i)));
        // Rounding may leave equal values out of order by a digit.
        for k in 1..D {
            values[k] = values[k].min(values[k - 1]);
        }
        Eigen {
            values: values.map(|x| scale.undo(x)),
            Q,
        }
    }
}

/// A rotation whose last column is the loneliest axis of the symmetric A, of order one; the first two
/// columns span its complement. The mask tells whether its eigenvalue is the largest, else the smallest.
#[inline(always)]
pub(crate) fn lone_frame<L: Lane>(A: &Matrix<L, 3>) -> (Matrix<L, 3>, L::Mask) {
    let fill = |x: f64| A.0[0][0].fill(x);
    let one = fill(1.0);
    // The deviator from differences, so that its trace vanishes to its own rounding, not to that of A.
    let [a, b, c] = A.diag().0;
    let (ab, ac, bc) = (a - b, a - c, b - c);
    let third = fill(1.0 / 3.0);
    let d = [(ab + ac) * third, (bc - ab) * third, -(ac + bc) * third];
    let K = Matrix::from_fn(|i, j| if i == j { d[i] } else { A.0[i][j] });
    let off = K[(0, 1)] * K[(0, 1)] + K[(0, 2)] * K[(0, 2)] + K[(1, 2)] * K[(1, 2)];
    let p2 = (K.diag().norm2() + off + off) * fill(1.0 / 6.0);
    let N = K * (fill(0.5) / p2.max(tiny(p2)).sqrt());

    // 4x³ − 3x = |r|: a polynomial good to 5e-5, then Newton: e ← 1.5 e².
    let c = N.cofactor();
    let r = fill(4.0) * (N[(0, 0)] * c[(0, 0)] + N[(0, 1)] * c[(0, 1)] + N[(0, 2)] * c[(0, 2)]);
    let (a, s) = (r.abs().min(one), sign(r));
    let mut x = fill(START[3]);
    for k in (0..3).rev() {
        x = x.mul_add(a, fill(START[k]));
    }
    for _ in 0..if L::DIGITS <= 24 { 1 } else { 2 } {
        let x4 = fill(4.0) * x * x;
        let three = fill(3.0);
        x = x - (x * (x4 - three) - a) / (three * (x4 - one));
    }

    // The cofactors of N − x are (x − x₂)(x − x₃) v vᵀ: take the column with the largest v_j².
    let C = (N - Matrix::scalar(s * x)).cofactor();
    let pick = |m, p: Vector<L, 3>, q: Vector<L, 3>| Vector::from_fn(|i| L::select(m, q[i], p[i]));
    let v = pick(C[(0, 0)].lt(C[(1, 1)]), C.column(0), C.column(1));
    let d = C[(0, 0)].max(C[(1, 1)]);
    let v = pick(d.lt(C[(2, 2)]), v, C.column(2));
    (frame(v * (one / v.norm())), (-one).lt(s))
}

/// Near-best polynomial of cos(acos(a)/3) on [0, 1], by Chebyshev interpolation; error below 5e-5.
const START: [f64; 4] = [
    0.8660663295331917,
    0.1653303502208454,
    -0.040691197422887695,
    0.00931968389748192,
];

/// A rotation with the unit vector n as its last column, without a branch (T. Duff et al., Building
/// an orthonormal basis, revisited, JCGT 6, 2017).
#[inline(always)]
fn frame<L: Lane>(n: Vector<L, 3>) -> Matrix<L, 3> {
    let [x, y, z] = n.0;
    let s = sign(z);
    let one = x.fill(1.0);
    let a = -one / (s + z);
    let b = x * y * a;
    Matrix([
        [one + s * x * x * a, b, x],
        [s * b, s + y * y * a, y],
        [-(s * x), -y, z],
    ])
}
