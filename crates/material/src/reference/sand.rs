//! P3 and P4: the return mapping of sand, and the friction that it shows.
#![allow(non_snake_case)]

use thixo_math::{Matrix, Vector};

use super::{Row, number, table};
use crate::elastic::Lame;
use crate::flow::Sand;
use crate::{Kin, Motion};

/// Klár's slope of the cone for the friction angle φ \[rad\] of triaxial compression.
pub fn textbook_slope(phi: f64) -> f64 {
    (2f64 / 3.0).sqrt() * 2.0 * phi.sin() / (3.0 - phi.sin())
}

/// P3: the return mapping, case by case: strains, δγ, yield, and the volume that is kept or counted.
pub fn return_mapping() -> Vec<Row> {
    let text = include_str!("../../../../validation/data/drucker_prager_return_cases.csv");
    let rows = table(text).map(|r| match r[0] {
        "2" => return_case::<2>(&r),
        _ => return_case::<3>(&r),
    });
    rows.flatten().collect()
}

fn return_case<const D: usize>(r: &[&str]) -> Vec<Row> {
    const TOLERANCE: f64 = 1e-12;
    let lame = Lame::new(number(r[1]), number(r[2]));
    let sand = Sand::with_slope(lame, textbook_slope(number(r[3]).to_radians()), 0.0);
    let trial = Vector::<f64, D>::from_fn(|i| number(r[6 + i]));
    let wanted = Vector::<f64, D>::from_fn(|i| number(r[9 + i]));
    let case = format!("{D}D {} {:?}", r[4], trial.0);

    let (more, _) = sand.project(&Matrix::diagonal(&trial));
    let (e, dgamma) = (trial + more.diag(), more.norm());
    // The same through F: turned, so that axes are found and not given.
    let Q = turn::<D>(0.7);
    let F = (Q * Matrix::diagonal(&trial.map(f64::exp))).times_transpose(&turn(-0.4));
    let mut v = [0.0];
    let F = sand.flow(&Kin::at(F), &mut v);
    let mut sorted = wanted.0;
    sorted.sort_by(|a, b| b.total_cmp(a));
    let through_F = (F.svd().sigma.map(f64::ln) - Vector(sorted)).max_abs();

    let t = sand.elastic.principal_stress(&e);
    let s = t - Vector::splat(t.sum() / D as f64);
    let f = (s.norm() + sand.alpha * t.sum()) / (2.0 * lame.mu);
    let lost = trial.sum() - wanted.sum();
    vec![
        Row::new(&case, "strain", (e - wanted).max_abs(), 0.0, TOLERANCE),
        Row::new(&case, "strain through F", through_F, 0.0, TOLERANCE),
        Row::new(&case, "delta gamma", dgamma, number(r[5]), TOLERANCE),
        Row::new(&case, "yield above 0", f.max(0.0), 0.0, TOLERANCE),
        Row::new(&case, "volume correction", v[0], lost, TOLERANCE),
    ]
}

/// A rotation by `angle` in every plane of neighbouring axes.
fn turn<const D: usize>(angle: f64) -> Matrix<f64, D> {
    let mut Q = Matrix::identity();
    for p in 0..D - 1 {
        let (s, c) = angle.sin_cos();
        let mut G = Matrix::identity();
        G[(p, p)] = c;
        G[(p, p + 1)] = -s;
        G[(p + 1, p)] = s;
        G[(p + 1, p + 1)] = c;
        Q = G * Q;
    }
    Q
}

/// P4: friction in driven simple shear. Our `friction_angle` is what tan θ = τ/σ_n shows; the
/// textbook slope shows the angles of the file (Mohr's circle) in plane strain.
pub fn mobilised_friction() -> Vec<Row> {
    const TOLERANCE: f64 = 0.2; // degrees
    let lame = Lame::new(3.537e5, 0.3);
    let mut rows = Vec::new();
    for degrees in [10f64, 20.0, 30.0, 40.0] {
        let angle = degrees.to_radians();
        let (plane, space) = (Sand::slope::<2>(angle), Sand::slope::<3>(angle));
        let (shown2, _) = shear::<2>(&Sand::with_slope(lame, plane, 0.0));
        let (shown3, _) = shear::<3>(&Sand::with_slope(lame, space, 0.0));
        let case = format!("friction_angle {degrees} deg");
        rows.push(Row::new(
            &case,
            "incline angle 2D, deg",
            shown2,
            degrees,
            TOLERANCE,
        ));
        rows.push(Row::new(
            &case,
            "incline angle 3D, deg",
            shown3,
            degrees,
            TOLERANCE,
        ));
    }
    let text = include_str!("../../../../validation/data/drucker_prager_friction_mapping.csv");
    for r in text
        .lines()
        .skip(1)
        .map(|line| line.split(',').map(number).collect::<Vec<_>>())
    {
        let sand = Sand::with_slope(lame, textbook_slope(r[0].to_radians()), 0.0);
        let case = format!("textbook phi {} deg", r[0]);
        rows.push(Row::new(&case, "slope alpha", sand.alpha, r[1], 1e-9));
        rows.push(Row::new(
            &case,
            "Mohr angle 3D, deg",
            shear::<3>(&sand).1,
            r[2],
            TOLERANCE,
        ));
        rows.push(Row::new(
            &case,
            "Mohr angle 2D, deg",
            shear::<2>(&sand).1,
            r[3],
            TOLERANCE,
        ));
    }
    rows
}

/// Compresses an element by 0.1 ‰, so that elastic strain hardly turns the axes, shears it to the critical state at constant volume, and gives the
/// angles of τ/σ_n and of Mohr's circle in the plane of shear \[degrees\].
fn shear<const D: usize>(sand: &Sand<f64>) -> (f64, f64) {
    let mut v = [0.0];
    let mut F = Matrix::<f64, D>::scalar(1.0 - 1e-4);
    let mut step = Matrix::identity();
    step[(0, 1)] = 1e-6;
    for _ in 0..4000 {
        F = sand.flow(&Kin::at(step * F), &mut v);
    }
    let tau = sand.kirchhoff(&Kin::at(F), &v).0;
    let (mean, half) = (
        0.5 * (tau[(0, 0)] + tau[(1, 1)]),
        0.5 * (tau[(0, 0)] - tau[(1, 1)]),
    );
    let radius = half.hypot(tau[(0, 1)]);
    let incline = (tau[(0, 1)] / -tau[(1, 1)]).atan();
    let mohr = (radius / -mean).asin();
    (incline.to_degrees(), mohr.to_degrees())
}
