//! Vectors and matrices in one, two and three dimensions.

#![allow(non_snake_case)]

use proptest::prelude::*;
use thixo_math::{Matrix, Vector};

fn check<const D: usize>(a: &[f64], b: &[f64]) {
    let A = Matrix::<f64, D>::from_fn(|i, j| a[3 * i + j]);
    let B = Matrix::<f64, D>::from_fn(|i, j| b[3 * i + j]);
    let m = nalgebra::DMatrix::from_fn(D, D, |i, j| A[(i, j)]);
    let det = A.det();
    let near = |X: Matrix<f64, D>, Y: Matrix<f64, D>, size: f64| {
        assert!((X - Y).max_abs() <= 1e-13 * size, "{X:?} {Y:?}");
    };
    assert!((det - m.determinant()).abs() < 1e-13);
    assert!(((A * B).det() - det * B.det()).abs() < 1e-12);
    near(A.cofactor().times_transpose(&A), Matrix::scalar(det), 1.0);
    if det.abs() > 1e-3 {
        near(A * A.inverse(), Matrix::identity(), 1e3);
        near(A.inverse().transpose() * det, A.cofactor(), 1e3);
    }
    near(A.transpose() * B, A.transpose_times(&B), 1.0);
    near(A * B.transpose(), A.times_transpose(&B), 1.0);
    near(A.sym() + A.skew(), A, 1.0);
    assert!(A.deviator().trace().abs() < 1e-14);
    assert!((A.dot(&B) - A.transpose_times(&B).trace()).abs() < 1e-13);
    assert!(A.max_abs() <= A.row_sum_norm());
    let v = B.column(0);
    near((A * v).outer(&v), A * v.outer(&v), 1.0);
    assert!((A.norm2() - A.norm().powi(2)).abs() < 1e-13);
}

proptest! {
    #[test]
    fn algebra(a in prop::collection::vec(-1.0..1.0f64, 9), b in prop::collection::vec(-1.0..1.0f64, 9)) {
        check::<1>(&a, &b);
        check::<2>(&a, &b);
        check::<3>(&a, &b);
    }

    #[test]
    fn cross_and_unit(a in prop::array::uniform3(-1.0..1.0f64), b in prop::array::uniform3(-1.0..1.0f64)) {
        let (a, b) = (Vector(a), Vector(b));
        let c = a.cross(&b);
        prop_assert!(c.dot(&a).abs() < 1e-14 && c.dot(&b).abs() < 1e-14);
        prop_assert!((Matrix([a.0, b.0, c.0]).det() - c.norm2()).abs() < 1e-14);
        prop_assert!((a.unit().map_or(1.0, |u| u.norm()) - 1.0).abs() < 1e-15 * 4.0);
    }
}

#[test]
fn known() {
    let A = Matrix([[1.0, 2.0, 3.0], [0.0, 1.0, 4.0], [5.0, 6.0, 0.0f64]]);
    assert_eq!(A.det(), 1.0);
    assert_eq!(
        A.inverse(),
        Matrix([[-24.0, 18.0, 5.0], [20.0, -15.0, -4.0], [-5.0, 4.0, 1.0]])
    );
    assert_eq!(Matrix([[3.0f32]]).cofactor(), Matrix([[1.0]]));
    assert_eq!(
        Matrix([[1.0, 2.0], [3.0, 4.0f64]]).cofactor(),
        Matrix([[4.0, -3.0], [-2.0, 1.0]])
    );
    assert_eq!(Vector::<f64, 3>::zero().unit(), None);
}
