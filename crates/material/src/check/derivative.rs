//! Is the stress the derivative of the energy, and δ(stress) that of the stress? Does the energy
//! ignore rotations? Does the stiffness bound hold?
#![allow(non_snake_case)]

use thixo_math::Matrix;

use super::Report;
use super::dense::{Dense, asymmetry, largest_eigenvalue, norm};
use super::sample::{Dice, Kind, Sample, samples};
use crate::{Kin, Law};

const STEPS: [f64; 5] = [1e-5, 3e-6, 1e-6, 3e-7, 1e-7];

pub(super) fn check<L: Law<f64, D>, const D: usize>(law: &L, report: &mut Report) {
    differences(law, report);
    taylor(law, report);
    objectivity(law, report);
    rate(law, report);
    bound(law, report);
}

/// The smallest error over all steps of a difference quotient: `NaN` counts as infinite.
pub(super) fn best(error: impl Fn(f64) -> f64) -> f64 {
    STEPS
        .iter()
        .map(|&h| error(h))
        .fold(f64::INFINITY, f64::min)
}

/// The larger, where `NaN` wins: a law that yields it must not pass.
pub(super) fn worse(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() {
        f64::NAN
    } else {
        a.max(b)
    }
}

/// Stiffness of the undeformed body in this state: the scale for errors where the stress is small.
fn rest<L: Law<f64, D>, const D: usize>(law: &L, s: &Sample<L::State, D>) -> f64 {
    law.stiffness(
        &Kin {
            F: Matrix::identity(),
            ..s.k
        },
        &s.a,
    )
}

/// D1 and D2 of the validation plan.
fn differences<L: Law<f64, D>, const D: usize>(law: &L, report: &mut Report) {
    let mut dice = Dice(99);
    let (mut n, mut d1, mut d1_rate, mut d2, mut d2_rate, mut skew) = (0, 0.0, 0.0, 0.0, 0.0, 0.0);
    for s in Kind::ALL.iter().flat_map(|&kind| samples(law, kind, 200)) {
        let (k, a) = (&s.k, &s.a);
        let zero = Matrix::zero();
        let (dF, dH) = (dice.direction::<D>(), dice.direction::<D>());
        let move_F = |h: f64| Kin {
            F: k.F + dF * h,
            ..*k
        };
        let move_H = |h: f64| Kin {
            H: k.H + dH * h,
            ..*k
        };
        let (P, S) = law.stress(k, a);
        let e = rest(law, &s);

        let scale = P.norm() + 1e-2 * e;
        let slope = |h: f64| (law.psi(&move_F(h), a) - law.psi(&move_F(-h), a)) / (2.0 * h);
        d1 = worse(d1, best(|h| (slope(h) - P.dot(&dF)).abs() / scale));
        // What rounding of ψ does to the quotient is not held against S, which may be far smaller.
        let round = 4.0 * f64::EPSILON * law.psi(k, a).abs();
        let scale = S.norm() + 1e-2 * e;
        let slope = |h: f64| (law.psi(&move_H(h), a) - law.psi(&move_H(-h), a)) / (2.0 * h);
        let error = |h: f64| ((slope(h) - S.dot(&dH)).abs() - round / h).max(0.0) / scale;
        d1_rate = worse(d1_rate, best(error));

        // Both stresses along δF, then along δH.
        let along = |kin: &dyn Fn(f64) -> Kin<f64, D>, dF, dH| {
            let (dP, dS) = law.dstress(k, a, dF, dH);
            let scale = dP.norm() + dS.norm() + 1e-2 * e;
            best(|h| {
                let (P1, S1) = law.stress(&kin(h), a);
                let (P0, S0) = law.stress(&kin(-h), a);
                let eP = ((P1 - P0) / (2.0 * h) - dP).norm();
                let eS = ((S1 - S0) / (2.0 * h) - dS).norm();
                (eP + eS) / scale
            })
        };
        d2 = worse(d2, along(&move_F, &dF, &zero));
        d2_rate = worse(d2_rate, along(&move_H, &zero, &dH));

        let A = joint_hessian(law, &s);
        skew = worse(skew, asymmetry(&A) / norm(&A).max(e));
        n += 1;
    }
    report.add("D1 stress is the slope of energy in F", d1, 1e-8, n);
    report.add("D1 stress is the slope of energy in H", d1_rate, 1e-8, n);
    report.add("D2 differential is the slope of stress in F", d2, 1e-7, n);
    report.add(
        "D2 differential is the slope of stress in H",
        d2_rate,
        1e-7,
        n,
    );
    report.add("D2 differential is symmetric", skew, 1e-12, n);
}

pub(super) fn basis<const D: usize>(i: usize) -> Matrix<f64, D> {
    Matrix::from_fn(|r, c| f64::from(u8::from(r * D + c == i)))
}

/// (δF, δH) ↦ (δP, δS) as a matrix of 2D² rows.
fn joint_hessian<L: Law<f64, D>, const D: usize>(law: &L, s: &Sample<L::State, D>) -> Dense {
    let n = D * D;
    let column = |i: usize| {
        let pick = |j: usize| if j < n { basis(j) } else { Matrix::zero() };
        let dH = if i >= n { basis(i - n) } else { Matrix::zero() };
        let (dP, dS) = law.dstress(&s.k, &s.a, &pick(i), &dH);
        dP.0.iter().chain(&dS.0).flatten().copied().collect()
    };
    (0..2 * n).map(column).collect()
}

/// D3: what is left of the energy after its second-order Taylor series falls as h³.
fn taylor<L: Law<f64, D>, const D: usize>(law: &L, report: &mut Report) {
    let mut dice = Dice(98);
    let (mut n, mut worst) = (0, 0.0);
    for s in samples(law, Kind::Compressed, 20) {
        let (k, a) = (&s.k, &s.a);
        let (P, S) = law.stress(k, a);
        let psi = law.psi(k, a);
        let rest_of = |d: &Matrix<f64, D>, h: f64| {
            let (dP, dS) = law.dstress(k, a, d, d);
            let moved = Kin {
                F: k.F + *d * h,
                H: k.H + *d * h,
                ..*k
            };
            let first = h * (P + S).dot(d);
            let second = 0.5 * h * h * (dP + dS).dot(d);
            (law.psi(&moved, a) - psi - first - second).abs()
        };
        worst = worse(worst, off_third_order(&mut dice, rest_of));
        n += 1;
    }
    report.add("D3 Taylor remainder: slope off 3 by", worst, 0.1, n);
}

/// How far the slope of a remainder, a function of a direction and a length h, is from 3, over two decades of h.
pub(super) fn off_third_order<const D: usize>(
    dice: &mut Dice,
    rest_of: impl Fn(&Matrix<f64, D>, f64) -> f64,
) -> f64 {
    // The direction of eight in which the third derivative shows best.
    let mut d = dice.direction::<D>();
    for _ in 0..7 {
        let other = dice.direction();
        if rest_of(&other, 1e-2) > rest_of(&d, 1e-2) {
            d = other;
        }
    }
    let points = (0..9).map(|i| 10f64.powf(-2.0 - 0.25 * f64::from(i)));
    let xy: Vec<_> = points.map(|h| (h.ln(), rest_of(&d, h).ln())).collect();
    let m = xy.len() as f64;
    let (mx, my) = (
        xy.iter().map(|p| p.0).sum::<f64>() / m,
        xy.iter().map(|p| p.1).sum::<f64>() / m,
    );
    let (sxy, sxx) = xy.iter().fold((0.0, 0.0), |(a, b), p| {
        (a + (p.0 - mx) * (p.1 - my), b + (p.0 - mx) * (p.0 - mx))
    });
    (sxy / sxx - 3.0).abs()
}

/// D4: after a rotation Q, ψ is the same, P is QP and S is QSQᵀ.
fn objectivity<L: Law<f64, D>, const D: usize>(law: &L, report: &mut Report) {
    let mut dice = Dice(97);
    let (mut n, mut worst) = (0, 0.0);
    for s in samples(law, Kind::Well, 100) {
        let Q = dice.rotation::<D>();
        let turned = Kin {
            F: Q * s.k.F,
            H: (Q * s.k.H).times_transpose(&Q),
            ..s.k
        };
        let e = rest(law, &s);
        let (psi, (P, S)) = (law.psi(&s.k, &s.a), law.stress(&s.k, &s.a));
        let (psi_Q, (P_Q, S_Q)) = (law.psi(&turned, &s.a), law.stress(&turned, &s.a));
        worst = worse(worst, (psi_Q - psi).abs() / (psi.abs() + e));
        worst = worse(worst, (P_Q - Q * P).norm() / (P.norm() + e));
        worst = worse(
            worst,
            (S_Q - (Q * S).times_transpose(&Q)).norm() / (S.norm() + e),
        );
        n += 1;
    }
    report.add(
        "D4 energy and stress do not see a rotation",
        worst,
        1e-13,
        n,
    );
}

/// The stress of a rate depends on the rate H/dt, not on dt; `viscosity` is half its slope.
fn rate<L: Law<f64, D>, const D: usize>(law: &L, report: &mut Report) {
    let (mut n, mut drift, mut off) = (0, 0.0, 0.0);
    for s in samples(law, Kind::Moderate, 50) {
        let short = Kin {
            H: s.k.H * 0.1,
            dt: s.k.dt * 0.1,
            ..s.k
        };
        let (S, S_short) = (law.stress(&s.k, &s.a).1, law.stress(&short, &s.a).1);
        drift = worse(drift, (S - S_short).norm() / S.norm().max(1e-300));
        let column = |i: usize| {
            let (_, dS) = law.dstress(&s.k, &s.a, &Matrix::zero(), &basis::<D>(i));
            dS.0.iter().flatten().map(|x| x * s.k.dt).collect()
        };
        let top = largest_eigenvalue((0..D * D).map(column).collect());
        let claim = 2.0 * law.viscosity(&s.k, &s.a);
        off = worse(off, (top - claim).abs() / claim.max(1e-300));
        n += 1;
    }
    report.add(
        "viscous stress depends on the rate, not on dt",
        drift,
        1e-12,
        n,
    );
    report.add("viscosity is that of the stress", off, 1e-12, n);
}

/// Largest eigenvalue of δH ↦ δP(δH F) Fᵀ.
fn stiffest<L: Law<f64, D>, const D: usize>(law: &L, k: &Kin<f64, D>, a: &L::State) -> f64 {
    let column = |i: usize| {
        let dF = basis::<D>(i) * k.F;
        let (dP, _) = law.dstress(k, a, &dF, &Matrix::zero());
        dP.times_transpose(&k.F)
            .0
            .iter()
            .flatten()
            .copied()
            .collect()
    };
    largest_eigenvalue((0..D * D).map(column).collect())
}

fn bound<L: Law<f64, D>, const D: usize>(law: &L, report: &mut Report) {
    let (mut n, mut over) = (0, 0.0);
    for s in Kind::ALL.iter().flat_map(|&kind| samples(law, kind, 100)) {
        over = worse(over, stiffest(law, &s.k, &s.a) / law.stiffness(&s.k, &s.a));
        n += 1;
    }
    report.add(
        "stiffness is a bound: truth over bound",
        over,
        1.0 + 1e-10,
        n,
    );
    let (mut n, mut loose) = (0, 0.0);
    for s in samples(law, Kind::Moderate, 100) {
        let truth = stiffest(law, &s.k, &s.a).max(rest(law, &s));
        loose = worse(loose, law.stiffness(&s.k, &s.a) / truth);
        n += 1;
    }
    report.add(
        "stiffness is not loose: bound over truth or rest",
        loose,
        2.0,
        n,
    );
    let (k, a) = (Kin::at(Matrix::identity()), law.start());
    let off = (law.stiffness(&k, &a) / stiffest(law, &k, &a) - 1.0).abs();
    report.add("stiffness is exact at rest", off, 1e-12, 1);
}
