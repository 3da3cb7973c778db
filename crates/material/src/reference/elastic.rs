//! E1: homogeneous deformations with closed forms.
#![allow(non_snake_case)]

use thixo_math::{Matrix, Vector};

use super::{Row, number, table};
use crate::elastic::{FixedCorotated, Hencky, Lame, NeoHookean};
use crate::{Kin, Law};

const TOLERANCE: f64 = 1e-8;
/// Stress relative to E = 1 below which errors are absolute.
const LEAST: f64 = 1e-2;

/// E1: uniaxial stress, simple shear and confined uniaxial strain of the three elastic laws, E = 1 Pa.
pub fn closed_forms() -> Vec<Row> {
    let mut rows = Vec::new();
    for r in table(include_str!(
        "../../../../validation/data/hyperelastic_uniaxial_stress.csv"
    )) {
        let (nu, x) = (number(r[2]), number(r[3]));
        if let Some(P) = law(r[0], nu) {
            let case = format!("{} uniaxial stress nu {nu} stretch {x}", r[0]);
            let q = free_width(|q| P(stretch(x, q))[(1, 1)]);
            let P11 = P(stretch(x, q))[(0, 0)];
            rows.push(
                Row::new(&case, "lateral stretch", q, number(r[4]), TOLERANCE).relative(LEAST),
            );
            rows.push(Row::new(&case, "P11", P11, number(r[5]), TOLERANCE).relative(LEAST));
            let cauchy = P11 / (q * q);
            rows.push(Row::new(&case, "cauchy11", cauchy, number(r[6]), TOLERANCE).relative(LEAST));
        }
    }
    for r in table(include_str!(
        "../../../../validation/data/hyperelastic_simple_shear.csv"
    )) {
        let (nu, g) = (number(r[1]), number(r[2]));
        if let Some(P) = law(r[0], nu) {
            let case = format!("{} simple shear {g}", r[0]);
            let mut F = Matrix::identity();
            F[(0, 1)] = g;
            let sigma = P(F).times_transpose(&F); // J = 1
            let named = [
                ("sig_xy", (0, 1)),
                ("sig_xx", (0, 0)),
                ("sig_yy", (1, 1)),
                ("sig_zz", (2, 2)),
            ];
            for (i, (name, at)) in named.into_iter().enumerate() {
                let row = Row::new(&case, name, sigma[at], number(r[3 + i]), TOLERANCE);
                rows.push(row.relative(LEAST));
            }
        }
    }
    for r in table(include_str!(
        "../../../../validation/data/hyperelastic_confined_uniaxial.csv"
    )) {
        let (nu, x) = (number(r[1]), number(r[2]));
        if let Some(P) = law(r[0], nu) {
            let case = format!("{} confined stretch {x}", r[0]);
            let P = P(stretch(x, 1.0));
            rows.push(Row::new(&case, "P11", P[(0, 0)], number(r[3]), TOLERANCE).relative(LEAST));
            rows.push(Row::new(&case, "P22", P[(1, 1)], number(r[4]), TOLERANCE).relative(LEAST));
        }
    }
    rows
}

type Stress = Box<dyn Fn(Matrix<f64, 3>) -> Matrix<f64, 3>>;

/// P(F) of the law that the tables call by this name, with E = 1 Pa; `None` if it is not ours.
fn law(name: &str, nu: f64) -> Option<Stress> {
    let lame = Lame::new(1.0, nu);
    match name {
        "fcr" => Some(Box::new(move |F| {
            FixedCorotated { lame }.stress(&Kin::at(F), &[]).0
        })),
        "nh_log" => Some(Box::new(move |F| {
            NeoHookean { lame }.stress(&Kin::at(F), &[]).0
        })),
        "hencky" => Some(Box::new(move |F| {
            Hencky { lame }.stress(&Kin::at(F), &[]).0
        })),
        _ => None,
    }
}

/// diag(x, q, q)
fn stretch(x: f64, q: f64) -> Matrix<f64, 3> {
    Matrix::diagonal(&Vector([x, q, q]))
}

/// The width at which the lateral stress vanishes, by bisection; it grows with the width.
fn free_width(stress: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (0.05, 5.0);
    for _ in 0..80 {
        let q = 0.5 * (low + high);
        if stress(q) < 0.0 { low = q } else { high = q }
    }
    0.5 * (low + high)
}
