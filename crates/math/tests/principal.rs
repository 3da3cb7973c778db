//! The differential and the stiffness of isotropic laws, against finite differences and a power iteration.

#![allow(non_snake_case)]

use thixo_math::{Matrix, Principal, Svd, Vector, bounded_ratio, log_secant};

const MU: f64 = 3.0;
const LAMBDA: f64 = 5.0;

/// ψ̂ = μ Σ (σ² − 1)² / 4 + λ (J − 1)² / 2: smooth in F everywhere, also at σ_i + σ_j = 0.
/// P = μ F (FᵀF − I) + λ (J − 1) cof F.
fn stress<const D: usize>(F: &Matrix<f64, D>) -> Matrix<f64, D> {
    let E = F.transpose_times(F) - Matrix::identity();
    *F * E * MU + F.cofactor() * (LAMBDA * (F.det() - 1.0))
}

/// Its second derivatives: with p_i = μ (σ_i³ − σ_i) + λ (J − 1) c_i, c_i = J/σ_i and c_ij = J/(σ_i σ_j),
/// m = μ (σ_i² + σ_i σ_j + σ_j² − 1) − λ (J − 1) c_ij and q likewise with −σ_j.
fn principal<const D: usize>(svd: &Svd<f64, D>) -> Principal<f64, D> {
    let s = svd.sigma;
    let J = s.product();
    let without =
        |skip: &[usize]| -> f64 { (0..D).filter(|k| !skip.contains(k)).map(|k| s[k]).product() };
    let hess = Matrix::from_fn(|i, j| {
        let c = LAMBDA * without(&[i]) * without(&[j]);
        if i == j {
            c + MU * (3.0 * s[i] * s[i] - 1.0)
        } else {
            c + LAMBDA * (J - 1.0) * without(&[i, j])
        }
    });
    let ratio = |a: f64, b: f64| MU * (a * a + a * b + b * b - 1.0);
    Principal::new(
        hess,
        |i, j| ratio(s[i], s[j]) - LAMBDA * (J - 1.0) * without(&[i, j]),
        |i, j| ratio(s[i], -s[j]) + LAMBDA * (J - 1.0) * without(&[i, j]),
    )
}

fn sequence(seed: &mut u64) -> f64 {
    *seed = seed
        .wrapping_mul(6364136223846793005)
        .wrapping_add(1442695040888963407);
    (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

fn check<const D: usize>(sigma: &[[f64; D]]) {
    let mut seed = 7;
    for s in sigma {
        for _ in 0..20 {
            let mut any = || Matrix::<f64, D>::from_fn(|_, _| sequence(&mut seed));
            let (U, V) = (any().qr().Q, any().qr().Q);
            let F = (U * Matrix::diagonal(&Vector(*s))).times_transpose(&V);
            let svd = F.svd();
            let law = principal(&svd);
            let apply = |dF: &Matrix<f64, D>| law.differential(&svd, dF);

            let dF = any();
            let e = 1e-4;
            let (a, b) = (stress(&(F + dF * e)), stress(&(F - dF * e)));
            let expected = (a - b) * (0.5 / e);
            let error = (apply(&dF) - expected).norm();
            assert!(error < 1e-5 * (1.0 + expected.norm()), "{s:?}: {error:e}");

            // Largest eigenvalue of δH ↦ δP(δH F) Fᵀ by power iteration, shifted to be positive.
            let shift = 1e3;
            let (mut H, mut largest) = (any(), 0.0);
            for _ in 0..20000 {
                let next = apply(&(H * F)).times_transpose(&F) + H * shift;
                largest = next.norm();
                H = next / largest;
            }
            let stiffness = law.stiffness(&svd);
            let error = (stiffness - (largest - shift)).abs();
            assert!(
                error < 1e-3 * (1.0 + stiffness.abs()),
                "{s:?}: {stiffness} {}",
                largest - shift
            );
        }
    }
}

#[test]
fn differential_and_stiffness_2() {
    check(&[
        [1.3, 0.7],
        [1.0, 1.0],
        [1.0, 1.0 + 1e-9],
        [1.2, 0.0],
        [0.0, 0.0],
        [0.9, -0.4],
        [0.8, -0.8],
    ]);
}

#[test]
fn differential_and_stiffness_3() {
    check(&[
        [1.3, 1.1, 0.7],
        [1.0, 1.0, 1.0],
        [1.2, 1.2, 0.5],
        [1.2, 0.5, 0.5 + 1e-9],
        [1.2, 0.5, 0.0],
        [1.2, 0.0, 0.0],
        [0.0, 0.0, 0.0],
        [1.2, 0.5, -0.3],
        [1.2, 0.5, -0.5],
        [1.0, 1.0, -1.0],
    ]);
}

#[test]
fn ratios() {
    assert_eq!(bounded_ratio(1.0, 1e-9, 1e-6), 1.0 / 1e-6);
    assert_eq!(bounded_ratio(1.0, -1e-9, 1e-6), -1.0 / 1e-6);
    assert_eq!(bounded_ratio(1.0, -0.5, 1e-6), -2.0);
    for a in [1e-3, 0.7, 1.0, 40.0f64] {
        assert!((log_secant(a, a) * a - 1.0).abs() < 1e-15);
        for d in [1e-12f64, 1e-6, 1e-3, 0.1, 0.21, 0.23, 1.0, 9.0] {
            let b = a * (1.0 + d);
            let exact = ((b - a) / a).ln_1p() / (b - a);
            assert!((log_secant(a, b) / exact - 1.0).abs() < 1e-14, "{a} {d}");
            let single = f64::from(log_secant(a as f32, b as f32));
            assert!((single / exact - 1.0).abs() < 2e-6, "{a} {d}");
        }
    }
}
