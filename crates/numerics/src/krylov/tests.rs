use super::*;
use crate::points::{add_scaled, norm};

/// A dense symmetric matrix on the first number of each point.
struct Dense {
    a: Vec<Vec<f64>>,
    scaled: bool,
}

impl Operator<f64> for Dense {
    fn apply(&self, x: &[Point<f64>], to: &mut [Point<f64>]) {
        for (row, t) in self.a.iter().zip(to) {
            t[0] = row.iter().zip(x).map(|(a, x)| a * x[0]).sum();
        }
    }
    fn precondition(&self, r: &[Point<f64>], to: &mut [Point<f64>]) {
        for (i, (r, t)) in r.iter().zip(to).enumerate() {
            t[0] = r[0] / if self.scaled { self.a[i][i].abs() } else { 1.0 };
        }
    }
}

/// Numbers in −1..1 that look random.
fn noise(seed: u64) -> impl FnMut() -> f64 {
    let mut s = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    move || {
        s ^= s << 13;
        s ^= s >> 7;
        s ^= s << 17;
        (s >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// Qᵀ diag(λ) Q with Q a product of reflections, its rows and columns scaled.
fn matrix(eigen: &[f64], seed: u64, stretch: f64, scaled: bool) -> Dense {
    let n = eigen.len();
    let mut draw = noise(seed);
    let mut a = vec![vec![0.0; n]; n];
    for (i, e) in eigen.iter().enumerate() {
        a[i][i] = *e;
    }
    for _ in 0..3 {
        let u: Vec<f64> = (0..n).map(|_| draw()).collect();
        let uu: f64 = u.iter().map(|u| u * u).sum();
        let au: Vec<f64> = a
            .iter()
            .map(|row| row.iter().zip(&u).map(|(a, u)| a * u).sum())
            .collect();
        let uau: f64 = au.iter().zip(&u).map(|(a, u)| a * u).sum();
        for i in 0..n {
            for j in 0..n {
                a[i][j] +=
                    -2.0 * (u[i] * au[j] + au[i] * u[j]) / uu + 4.0 * uau * u[i] * u[j] / (uu * uu);
            }
        }
    }
    for i in 0..n {
        for j in 0..n {
            a[i][j] *= (1.0 + stretch * i as f64) * (1.0 + stretch * j as f64);
        }
    }
    Dense { a, scaled }
}

fn right(n: usize) -> Vec<Point<f64>> {
    let mut draw = noise(99);
    (0..n).map(|_| [draw(), 0.0, 0.0, 0.0]).collect()
}

/// ‖b − A x‖/‖b‖
fn residual(a: &Dense, x: &[Point<f64>], b: &[Point<f64>]) -> f64 {
    let mut r = vec![[0.0; 4]; b.len()];
    a.apply(x, &mut r);
    add_scaled(&mut r, -1.0, b);
    norm(&r) / norm(b)
}

const UNTIL: Until = Until {
    residual: 1e-12,
    iterations: 200,
};

#[test]
fn both_solve_positive_systems() {
    let eigen: Vec<f64> = (1..=30).map(|i| i as f64 * 0.7).collect();
    let b = right(30);
    for scaled in [false, true] {
        let a = matrix(&eigen, 5, 0.3, scaled);
        let (mut x, mut room) = (Vec::new(), Room::default());
        let cg = conjugate_gradient(&a, &b, &mut x, &mut room, UNTIL);
        assert_eq!(cg.end, End::Converged);
        assert!(residual(&a, &x, &b) < 1e-9, "{cg:?}");
        let mr = minres(&a, &b, &mut x, &mut room, UNTIL);
        assert_eq!(mr.end, End::Converged);
        assert!(residual(&a, &x, &b) < 1e-9, "{mr:?}");
        if !scaled {
            // What is said of the residual is true.
            assert!((residual(&a, &x, &b) - mr.residual).abs() < 1e-10);
        }
    }
}

#[test]
fn minres_solves_indefinite_systems_where_gradients_stop() {
    let eigen: Vec<f64> = (1..=20).map(|i| i as f64 - 4.5).collect();
    let (a, b) = (matrix(&eigen, 3, 0.0, false), right(20));
    let (mut x, mut room) = (Vec::new(), Room::default());
    let mr = minres(&a, &b, &mut x, &mut room, UNTIL);
    assert!(
        mr.end == End::Converged && residual(&a, &x, &b) < 1e-9,
        "{mr:?}"
    );
    let cg = conjugate_gradient(&a, &b, &mut x, &mut room, UNTIL);
    assert_eq!(cg.end, End::Curvature);
    // What it leaves is downhill all the same.
    assert!(crate::points::dot(&x, &b) > 0.0);
}

#[test]
fn at_once_indefinite_gives_the_gradient() {
    let (a, b) = (matrix(&[-1.0, -2.0, -3.0], 1, 0.0, false), right(3));
    let mut x = Vec::new();
    let cg = conjugate_gradient(&a, &b, &mut x, &mut Room::default(), UNTIL);
    assert!(cg.end == End::Curvature && cg.iterations == 1 && x == b);
}

#[test]
fn few_eigenvalues_take_few_products_and_a_cap_is_told() {
    let eigen: Vec<f64> = (0..40).map(|i| [1.0, 5.0, 9.0][i % 3]).collect();
    let (a, b) = (matrix(&eigen, 7, 0.0, false), right(40));
    let (mut x, mut room) = (Vec::new(), Room::default());
    let until = Until {
        residual: 1e-10,
        ..UNTIL
    };
    assert!(conjugate_gradient(&a, &b, &mut x, &mut room, until).iterations <= 4);
    assert!(minres(&a, &b, &mut x, &mut room, until).iterations <= 4);
    let cap = Until {
        residual: 1e-12,
        iterations: 2,
    };
    for s in [
        conjugate_gradient(&a, &b, &mut x, &mut room, cap),
        minres(&a, &b, &mut x, &mut room, cap),
    ] {
        assert!(s.end == End::Cap && s.iterations == 2 && s.residual > 1e-6);
    }
    let none = conjugate_gradient(&a, &vec![[0.0; 4]; 40], &mut x, &mut room, cap);
    assert!(none.end == End::Converged && x.iter().all(|x| *x == [0.0; 4]));
}
