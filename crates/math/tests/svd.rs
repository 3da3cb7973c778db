//! The singular value decomposition and what follows from it, against nalgebra and at the hard places.

#![allow(non_snake_case)]

use proptest::prelude::*;
use thixo_math::{Matrix, Real, Svd, Vector};

/// The promised accuracy, relative to the size of F.
fn tolerance<T: Real>() -> f64 {
    if T::DIGITS == 24 { 1.2e-6 } else { 2e-15 }
}

/// Every promise about one F: reconstruction, rotations, order, sign; QR, polar and eigen with them.
/// Errors are taken in f64 after a division by ‖F‖.
fn check<T: Real, const D: usize>(F: &Matrix<T, D>) -> Svd<T, D> {
    let svd = F.svd();
    let size = F.max_abs().wide();
    let unit = if size > 0.0 {
        size * (F.wide() / size).norm()
    } else {
        1.0
    };
    let tol = tolerance::<T>();
    // A subnormal F cannot be told from its neighbours to full precision.
    let grain = if size < 1e-30 && T::DIGITS == 24 {
        1e-44 / unit
    } else {
        0.0
    };
    let within = |A: Matrix<f64, D>, tol: f64, what: &str| {
        assert!(
            A.norm() <= tol + grain,
            "{what} of {F:?}: {:e}\n{svd:?}",
            A.norm()
        );
    };
    let near = |A, what: &str| within(A, tol, what);
    let f = F.wide() / unit;
    let rotation = |R: &Matrix<T, D>, tol: f64, what: &str| {
        let R = R.wide();
        within(R.transpose_times(&R) - Matrix::identity(), tol, what);
        assert!(
            (R.det() - 1.0).abs() < 10.0 * tol,
            "det of {what} of {F:?}: {}",
            R.det()
        );
    };

    let (U, V, s) = (svd.U.wide(), svd.V.wide(), svd.sigma.wide() / unit);
    near((U * Matrix::diagonal(&s)).times_transpose(&V) - f, "svd");
    rotation(&svd.U, tol, "U");
    rotation(&svd.V, tol, "V");
    for i in 0..D {
        assert!(i == D - 1 || s[i] >= 0.0, "sign of {s:?}");
        assert!(i == 0 || s[i].abs() <= s[i - 1], "order of {s:?}");
    }
    let det = f.det();
    if det.abs() > 30.0 * tol {
        assert_eq!(det < 0.0, s[D - 1] < 0.0, "sign of {s:?}, det {det}");
    }

    let (R, S) = F.polar();
    near(R.wide() * (S.wide() / unit) - f, "polar");
    // R = U Vᵀ has the errors of U and of V, and the rounding of their product.
    rotation(&R, 2.5 * tol, "R");
    assert_eq!(S, S.transpose());

    let qr = F.qr();
    near(qr.Q.wide() * (qr.R.wide() / unit) - f, "qr");
    rotation(&qr.Q, tol, "Q");
    for i in 0..D {
        assert!(i == D - 1 || qr.R[(i, i)] >= T::zero());
        (0..i).for_each(|j| assert!(qr.R[(i, j)] == T::zero()));
    }

    let A = F.sym();
    let e = A.symmetric_eigen();
    let l = Matrix::diagonal(&(e.values.wide() / unit));
    near(
        (e.Q.wide() * l).times_transpose(&e.Q.wide()) - A.wide() / unit,
        "eigen",
    );
    rotation(&e.Q, tol, "eigen Q");
    (1..D).for_each(|i| assert!(e.values[i] <= e.values[i - 1]));
    svd
}

fn nalgebra_values<const D: usize>(F: &Matrix<f64, D>) -> Vec<f64> {
    let m = nalgebra::DMatrix::from_fn(D, D, |i, j| F[(i, j)]);
    let mut s: Vec<f64> = m.singular_values().iter().copied().collect();
    s.sort_by(|a, b| b.total_cmp(a));
    s
}

fn matrix<const D: usize>() -> impl Strategy<Value = Matrix<f64, D>> {
    // Entries of like size, and entries over many decades.
    let entry = prop_oneof![
        -1.0..1.0f64,
        (-1.0..1.0f64, -20..3i32).prop_map(|(x, e)| x * 10f64.powi(e)),
        Just(0.0),
        Just(1.0),
    ];
    prop::collection::vec(entry, D * D).prop_map(|v| Matrix::from_fn(|i, j| v[i * D + j]))
}

/// A rotation from any three numbers.
fn rotation<const D: usize>(a: &[f64]) -> Matrix<f64, D> {
    let K = Matrix::from_fn(|i, j| a[(i + 2 * j) % a.len()] + ((i == j) as u8 as f64));
    K.qr().Q
}

fn against_nalgebra<const D: usize>(F: &Matrix<f64, D>) {
    let svd = check(F);
    check(&Matrix::<f32, D>::of(F));
    for (i, s) in nalgebra_values(F).iter().enumerate() {
        let error = (svd.sigma[i].abs() - s).abs();
        assert!(error <= 1e-14 * F.norm(), "{i}: {} {s}", svd.sigma[i]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]
    #[test]
    fn any_2(F in matrix::<2>()) { against_nalgebra(&F); }
    #[test]
    fn any_3(F in matrix::<3>()) { against_nalgebra(&F); }

    /// Given singular values: repeated, nearly repeated, small, zero, negative.
    #[test]
    fn given_values(
        a in prop::collection::vec(-1.0..1.0f64, 5),
        b in prop::collection::vec(-1.0..1.0f64, 5),
        kind in prop::collection::vec((0..6usize, -18..1i32), 3),
    ) {
        let mut s = Vector::<f64, 3>::splat(1.0);
        for i in 0..3 {
            let (k, e) = kind[i];
            let last = if i > 0 { s[i - 1] } else { 1.0 };
            s[i] = match k {
                0 => last,
                1 => last * (1.0 + 10f64.powi(e)),
                2 => 0.0,
                3 => -last,
                4 => 10f64.powi(e),
                _ => a[i],
            };
        }
        let F = (rotation::<3>(&a) * Matrix::diagonal(&s)).times_transpose(&rotation(&b));
        against_nalgebra(&F);
        let s2 = Vector([s[0], s[1]]);
        let F = (rotation::<2>(&a) * Matrix::diagonal(&s2)).times_transpose(&rotation(&b));
        against_nalgebra(&F);
    }
}

/// Matrices where a careless decomposition fails.
fn special<const D: usize>() -> Vec<Matrix<f64, D>> {
    let I = Matrix::<f64, D>::identity();
    let mut all = vec![Matrix::zero(), I, -I, Matrix::from_fn(|_, _| 1.0)];
    for i in 0..D {
        all.push(I - Vector::axis(i).outer(&Vector::axis(i)) * 2.0); // reflection
        all.push(I - Vector::axis(i).outer(&Vector::axis(i))); // rank D − 1
        for j in 0..D {
            all.push(Vector::axis(i).outer(&Vector::axis(j))); // rank 1
            for e in [1e-4, 1e-8, 1e-16, 1e-30] {
                all.push(I + Vector::axis(i).outer(&Vector::axis(j)) * e);
                all.push(
                    Vector::axis(0).outer(&Vector::axis(1 % D))
                        + Vector::axis(i).outer(&Vector::axis(j)) * e,
                );
            }
        }
    }
    all.push(Matrix::from_fn(|i, j| ((i + 1) % D == j) as u8 as f64)); // permutation
    all.push(Matrix::from_fn(|i, j| (i + j + 1 == D) as u8 as f64));
    all.push(Matrix::from_fn(|i, j| 1.0 / (i + j + 1) as f64)); // Hilbert
    all.push(Matrix::from_fn(|i, j| (i * D + j) as f64)); // rank 2
    all
}

fn specials<const D: usize>() {
    for F in special::<D>() {
        against_nalgebra(&F);
        for e in [-300, -150, 150, 300] {
            check(&(F * 10f64.powi(e)));
        }
        for e in [-37, -30, 30, 37] {
            check(&Matrix::<f32, D>::of(&(F * 10f64.powi(e))));
        }
        // Subnormals: still right, to the grain of such numbers.
        check(&Matrix::<f32, D>::of(&(F * 1e-40)));
        let tiny = (F * 1e-310).svd();
        assert!(tiny.U.finite() && tiny.V.finite() && tiny.sigma.finite());
    }
}

#[test]
fn special_1() {
    specials::<1>();
}
#[test]
fn special_2() {
    specials::<2>();
}
#[test]
fn special_3() {
    specials::<3>();
}

#[test]
fn sign_convention() {
    let near = |s: Vector<f64, 3>, t: [f64; 3]| assert!((s - Vector(t)).norm() < 1e-14, "{s:?}");
    let s = check(&Matrix::diagonal(&Vector([-3.0, 2.0, 1.0]))).sigma;
    near(s, [3.0, 2.0, -1.0]);
    near(check(&-Matrix::identity()).sigma, [1.0, 1.0, -1.0]);
    let s = check(&-Matrix::<f64, 2>::identity()).sigma;
    near(Vector([s[0], s[1], 0.0]), [1.0, 1.0, 0.0]);
}

#[test]
fn not_finite_does_not_panic() {
    for x in [f64::NAN, f64::INFINITY] {
        let mut F = Matrix::<f64, 3>::identity();
        F[(1, 2)] = x;
        F.svd();
        F.polar();
        F.symmetric_eigen();
    }
}
