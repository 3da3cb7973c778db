//! What implicit integration asks of a law: are energy, slope and curvature of a step that is tried those of each
//! other, and those of the slow forms? Is the curvature that is asked to be definite so?
#![allow(non_snake_case)]

use thixo_math::Matrix;

use super::Report;
use super::dense::{Dense, largest_eigenvalue, norm};
use super::derivative::{basis, best, off_third_order, worse};
use super::sample::{Dice, Kind, trials};
use crate::{Kin, Law, Numbers, Tangent, Trial};

pub(super) fn check<L: Law<f64, D>, const D: usize>(law: &L, report: &mut Report) {
    differences(law, report);
    if law.relaxes() {
        relaxed(law, report);
    } else {
        twins(law, report);
    }
    no_step(law, report);
    taylor(law, report);
    definite(law, report);
    forbidden(law, report);
}

/// The end of the step, as the slow forms see it.
fn end<const D: usize>(k: &Trial<f64, D>) -> Kin<f64, D> {
    Kin {
        F: k.deformed(),
        ..k.start()
    }
}

/// The step with another H.
fn moved<const D: usize>(k: &Trial<f64, D>, d: &Matrix<f64, D>, h: f64) -> Trial<f64, D> {
    Trial {
        H: k.H + *d * h,
        ..*k
    }
}

/// What errors of ∂ψ/∂H and ∂²ψ/∂H² are measured by where they are small.
fn scale<L: Law<f64, D>, const D: usize>(law: &L, a: &L::State) -> f64 {
    law.stiffness(&Kin::at(Matrix::identity()), a)
}

fn all<L: Law<f64, D>, const D: usize>(
    law: &L,
    n: usize,
) -> impl Iterator<Item = (Trial<f64, D>, L::State)> {
    Kind::ALL.iter().flat_map(move |&kind| trials(law, kind, n))
}

/// D1 and D2 of the validation plan.
fn differences<L: Law<f64, D>, const D: usize>(law: &L, report: &mut Report) {
    let mut dice = Dice(96);
    let (mut n, mut d1, mut d2) = (0, 0.0, 0.0);
    for (k, a) in all(law, 200) {
        let d = dice.direction::<D>();
        let (psi, g) = law.respond(&k, &a);
        let e = scale(law, &a);
        let at = |h: f64| law.respond(&moved(&k, &d, h), &a);

        // What rounding of ψ does to the quotient is not held against the slope, which may be far smaller.
        let round = 4.0 * f64::EPSILON * psi.abs();
        let size = g.norm() + 1e-2 * e;
        let slope = |h: f64| (at(h).0 - at(-h).0) / (2.0 * h);
        let error = |h: f64| ((slope(h) - g.dot(&d)).abs() - round / h).max(0.0) / size;
        d1 = worse(d1, best(error));

        let dg = law.tangent(&k, &a, false).apply(&d);
        let size = dg.norm() + 1e-2 * e;
        let change = |h: f64| (at(h).1 - at(-h).1) / (2.0 * h);
        d2 = worse(d2, best(|h| (change(h) - dg).norm() / size));
        n += 1;
    }
    report.add("D1 response is the slope of energy", d1, 1e-8, n);
    report.add("D2 tangent is the slope of response", d2, 1e-7, n);
}

/// The slow forms give the same: those of the elastic law where nothing yields, and the stress after the flow.
fn twins<L: Law<f64, D>, const D: usize>(law: &L, report: &mut Report) {
    let mut dice = Dice(95);
    let (mut n, mut energy, mut stress, mut change) = (0, 0.0, 0.0, 0.0);
    for (k, a) in all(law, 200) {
        let e = scale(law, &a);
        let g = law.respond(&k, &a).1 - law.viscous(&k.start(), &a, &k.H);
        let mut b = a;
        let flown = law.flow(&end(&k), &mut b);
        // What a law that yields hardens by waits for the next step.
        let slow = law.tau(&flown, if L::LAGS { &a } else { &b }).0;
        let fast = g.times_transpose(&k.increment());
        stress = worse(stress, (fast - slow).norm() / (slow.norm() + 1e-2 * e));

        let (k, d) = (Trial::elastic(k.F, k.H, k.dt), dice.direction::<D>());
        let (psi, g) = law.respond(&k, &a);
        let end = end(&k);
        let slow = law.psi(&end, &a);
        energy = worse(energy, (psi - slow).abs() / (slow.abs() + 1e-2 * e));
        let (P, S) = law.stress(&end, &a);
        let slow = P.times_transpose(&k.F) + S;
        energy = worse(energy, (g - slow).norm() / (slow.norm() + 1e-2 * e));
        let (dP, dS) = law.dstress(&end, &a, &(d * k.F), &d);
        let slow = dP.times_transpose(&k.F) + dS;
        let dg = law.tangent(&k, &a, false).apply(&d);
        change = worse(change, (dg - slow).norm() / (slow.norm() + 1e-2 * e));
        n += 1;
    }
    report.add("response is psi and stress", energy, 1e-11, n);
    report.add("tangent is dstress", change, 1e-11, n);
    report.add("response is the stress after the flow", stress, 1e-10, n);
}

/// A step of no length has the stress of where it starts.
fn no_step<L: Law<f64, D>, const D: usize>(law: &L, report: &mut Report) {
    let (mut n, mut rest) = (0, 0.0);
    for (k, a) in all(law, 200) {
        let end = end(&k);
        let mut b = a;
        let still = Kin {
            F: law.flow(&end, &mut b),
            H: Matrix::zero(),
            dt: 1e-30,
        };
        let (tau, bound) = law.kirchhoff(&still, &b);
        let nothing = Trial::elastic(still.F, still.H, still.dt);
        let lag = law.lag(&nothing, &b);
        for k in [nothing, Trial { lag, ..nothing }] {
            let g = law.respond(&k, &b).1;
            rest = worse(rest, (g - tau).norm() / bound);
        }
        n += 1;
    }
    report.add("response to no step is kirchhoff", rest, 1e-12, n);
}

/// ∂ψ/∂H (I + H)ᵀ without viscosity, and the stress after the flow.
fn both_stresses<L: Law<f64, D>, const D: usize>(
    law: &L,
    k: &Trial<f64, D>,
    a: &L::State,
) -> (Matrix<f64, D>, Matrix<f64, D>) {
    let mut b = *a;
    let F = law.flow(&end(k), &mut b);
    let g = law.respond(k, a).1 - law.viscous(&k.start(), a, &k.H);
    (g.times_transpose(&k.increment()), law.tau(&F, &b).0)
}

/// A step that relaxes: without motion it has the energy and stress that the flow leaves; with motion their difference
/// is of second order in the length of the step; and from rest the stress of a step as long as it may be is that after
/// the flow.
fn relaxed<L: Law<f64, D>, const D: usize>(law: &L, report: &mut Report) {
    let mut dice = Dice(92);
    let (mut n, mut energy, mut stress, mut second, mut long) = (0, 0.0, 0.0, 0.0, 0.0);
    for (k, a) in all(law, 200) {
        let e = scale(law, &a);
        let still = Trial {
            H: Matrix::zero(),
            ..k
        };
        let mut b = a;
        let F = law.flow(&still.start(), &mut b);
        let slow = law.psi(&Kin { F, ..still.start() }, &b);
        let psi = law.respond(&still, &a).0;
        energy = worse(energy, (psi - slow).abs() / (slow.abs() + 1e-2 * e));
        let (g, slow) = both_stresses(law, &still, &a);
        stress = worse(stress, (g - slow).norm() / (slow.norm() + 1e-2 * e));

        let rate = dice.direction::<D>() * 0.1;
        let off = |h: f64| {
            let (g, slow) = both_stresses(
                law,
                &Trial {
                    H: rate * h,
                    dt: k.dt * h,
                    ..k
                },
                &a,
            );
            (g - slow).norm()
        };
        // Halved, it is a quarter, but for rounding and where it happens to be small.
        let (one, half) = (off(1e-2), off(5e-3));
        let order = (half - 1e-13 * e).max(0.0) / one.max(1e-9 * e);
        second = worse(second, order);

        let tiny = Trial {
            F: Matrix::identity(),
            H: dice.direction::<D>() * 1e-6,
            dt: k.dt * 10f64.powf(dice.between(-2.0, 4.0)),
            ..k
        };
        let (g, slow) = both_stresses(law, &tiny, &law.start());
        long = worse(long, (g - slow).norm() / slow.norm());
        n += 1;
    }
    report.add(
        "response at rest has the energy after the flow",
        energy,
        1e-11,
        n,
    );
    report.add(
        "response at rest is the stress after the flow",
        stress,
        1e-11,
        n,
    );
    report.add("response to half a step: off by a quarter", second, 0.3, n);
    report.add(
        "response to a long step is the stress after it",
        long,
        1e-4,
        n,
    );
}

/// D3: what is left of the energy after its second-order Taylor series falls as h³. Without yield, where the second
/// derivative may jump.
fn taylor<L: Law<f64, D>, const D: usize>(law: &L, report: &mut Report) {
    let mut dice = Dice(94);
    let (mut n, mut worst) = (0, 0.0);
    for (k, a) in trials(law, Kind::Compressed, 20) {
        let k = Trial::elastic(k.F, k.H, k.dt);
        let (psi, g) = law.respond(&k, &a);
        let A = law.tangent(&k, &a, false);
        let rest_of = |d: &Matrix<f64, D>, h: f64| {
            let series = h * g.dot(d) + 0.5 * h * h * A.apply(d).dot(d);
            (law.respond(&moved(&k, d, h), &a).0 - psi - series).abs()
        };
        worst = worse(worst, off_third_order(&mut dice, rest_of));
        n += 1;
    }
    report.add("D3 response and tangent: slope off 3 by", worst, 0.1, n);
}

/// The elastic part as rows.
fn elastic<L: Law<f64, D>, const D: usize>(
    law: &L,
    k: &Trial<f64, D>,
    a: &L::State,
    A: &Tangent<f64>,
) -> Dense {
    let row = |i: usize| {
        let e = basis::<D>(i);
        let mut x = A.apply(&e);
        if L::VISCOUS {
            x -= law.viscous(&k.start(), a, &e);
        }
        x.0.iter().flatten().copied().collect()
    };
    (0..D * D).map(row).collect()
}

fn minus(a: &Dense, b: &Dense) -> Dense {
    let rows = a.iter().zip(b);
    rows.map(|(x, y)| x.iter().zip(y).map(|(x, y)| x - y).collect())
        .collect()
}

fn smallest_eigenvalue(a: &Dense) -> f64 {
    let turned = a.iter().map(|r| r.iter().map(|x| -x).collect());
    -largest_eigenvalue(turned.collect())
}

fn definite<L: Law<f64, D>, const D: usize>(law: &L, report: &mut Report) {
    let (mut n, mut convex, mut below, mut less, mut moved) = (0, 0, 0.0, 0.0, 0.0);
    let moderate = trials(law, Kind::Moderate, 100);
    for (k, a) in all(law, 100).chain(moderate) {
        let A = elastic(law, &k, &a, &law.tangent(&k, &a, false));
        let B = elastic(law, &k, &a, &law.tangent(&k, &a, true));
        let size = norm(&A).max(1e-2 * scale(law, &a));
        below = worse(below, -smallest_eigenvalue(&B) / size);
        less = worse(less, -smallest_eigenvalue(&minus(&B, &A)) / size);
        if smallest_eigenvalue(&A) > 1e-12 * size {
            convex += 1;
            moved = worse(moved, norm(&minus(&B, &A)) / size);
        }
        n += 1;
    }
    report.add(
        "definite tangent has no eigenvalue below 0",
        below,
        1e-10,
        n,
    );
    report.add("definite tangent is not below the tangent", less, 1e-10, n);
    report.add(
        "definite tangent is the tangent if it can",
        moved,
        1e-12,
        convex,
    );
}

/// What the law forbids has no finite energy.
fn forbidden<L: Law<f64, D>, const D: usize>(law: &L, report: &mut Report) {
    let mut dice = Dice(93);
    let (a, mut n, mut wrong) = (law.start(), 0, 0.0);
    let mut nan = Matrix::<f64, D>::identity();
    nan[(0, 1)] = f64::NAN;
    let flipped = (0..50).map(|_| Kind::Inverted.draw(&mut dice));
    for F in flipped.chain([nan, Matrix::identity()]) {
        let k = Trial::elastic(Matrix::identity(), F - Matrix::identity(), 1e-3);
        let psi = law.respond(&k, &a).0;
        let right = match law.fault(&end(&k), &a) {
            Some(_) => psi == f64::INFINITY,
            None => psi.is_finite(),
        };
        wrong += f64::from(u8::from(!right));
        n += 1;
    }
    report.add("what is forbidden has infinite energy", wrong, 0.0, n);
}

/// The law in `f32` gives what it gives in `f64`, but for rounding.
pub(super) fn check_narrow<A: Law<f64, D>, B: Law<f32, D>, const D: usize>(
    wide: &A,
    narrow: &B,
    report: &mut Report,
) {
    let (mut n, mut worst) = (0, 0.0);
    let both = [Kind::Moderate, Kind::Slight].iter();
    for (k, a) in both.flat_map(|&kind| trials(wide, kind, 200)) {
        let k32 = Trial {
            F: Matrix::of(&k.F),
            H: Matrix::of(&k.H),
            dt: k.dt as f32,
            lag: k.lag.map(|x| x as f32),
        };
        let a32 = B::State::from_fn(|n| a.all()[n] as f32);
        let ((psi, g), (psi32, g32)) = (wide.respond(&k, &a), narrow.respond(&k32, &a32));
        let e = scale(wide, &a) + g.norm();
        worst = worse(worst, (f64::from(psi32) - psi).abs() / (e + psi));
        worst = worse(worst, (g32.wide() - g).norm() / e);
        // Next to yield rounding decides which of two second derivatives it is.
        let k = Trial::elastic(k.F, k.H, k.dt);
        let k32 = Trial::elastic(k32.F, k32.H, k32.dt);
        let (t, t32) = (
            wide.tangent(&k, &a, false),
            narrow.tangent(&k32, &a32, false),
        );
        let size = t.0.iter().fold(e, |m, x| m.max(x.abs()));
        for (x, y) in t.0.iter().zip(t32.0) {
            worst = worse(worst, (x - f64::from(y)).abs() / size);
        }
        n += 1;
    }
    report.add("response and tangent in f32 agree with f64", worst, 2e-5, n);
}
