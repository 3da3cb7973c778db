//! Is the flow a projection that keeps volume and does not make energy? Do the short cuts and the
//! short numbers agree with the long ones?
#![allow(non_snake_case)]

use bytemuck::pod_read_unaligned;
use thixo_math::Matrix;

use super::Report;
use super::derivative::worse;
use super::sample::{Kind, samples};
use crate::{Kin, Law, Numbers};

fn distance<S: Numbers<f64>>(a: &S, b: &S) -> f64 {
    a.all()
        .iter()
        .zip(b.all())
        .fold(0.0, |w, (x, y)| worse(w, (x - y).abs()))
}

/// The same deformation without a velocity.
fn still<const D: usize>(k: &Kin<f64, D>, dt: f64) -> Kin<f64, D> {
    let H = Matrix::zero();
    Kin { H, dt, ..*k }
}

/// How far one state is from another.
fn apart<S: Numbers<f64>, const D: usize>(x: &(Matrix<f64, D>, S), y: &(Matrix<f64, D>, S)) -> f64 {
    let moved = (x.0 - y.0).norm() / x.0.norm();
    worse(moved, distance(&x.1, &y.1))
}

/// How far flow moves what has flowed.
fn twice<L: Law<f64, D>, const D: usize>(law: &L, k: &Kin<f64, D>, a: &L::State) -> f64 {
    let once = flowed(law, k, a);
    let again = flowed(law, &Kin { F: once.0, ..*k }, &once.1);
    apart(&once, &again)
}

fn flowed<L: Law<f64, D>, const D: usize>(
    law: &L,
    k: &Kin<f64, D>,
    a: &L::State,
) -> (Matrix<f64, D>, L::State) {
    let mut a = *a;
    (law.flow(k, &mut a), a)
}

/// How far what has flowed flows in no time; and how far half the time twice is from it at once, of half the time over
/// of all of it: a quarter where the rate is right.
fn in_time<L: Law<f64, D>, const D: usize>(law: &L, k: &Kin<f64, D>, a: &L::State) -> (f64, f64) {
    let none = apart(&(k.F, *a), &flowed(law, &still(k, 1e-30), a));
    let once = flowed(law, k, a);
    let off = |dt: f64| {
        let half = still(k, 0.5 * dt);
        let first = flowed(law, &half, a);
        let second = flowed(law, &Kin { F: first.0, ..half }, &first.1);
        apart(&flowed(law, &still(k, dt), a), &second)
    };
    // But for rounding, and where it happens to be small.
    let way = apart(&(k.F, *a), &once);
    let left = (off(0.5 * k.dt) - 1e-13).max(0.0);
    (none, left / off(k.dt).max(1e-3 * way).max(1e-300))
}

pub(super) fn check<L: Law<f64, D>, const D: usize>(law: &L, report: &mut Report) {
    let (mut n, mut again, mut gain, mut volume, mut short) = (0, 0.0, 0.0, 0.0, 0.0);
    let (mut soon, mut split) = (0.0, 0.0);
    for s in Kind::ALL.iter().flat_map(|&kind| samples(law, kind, 250)) {
        let psi = law.psi(&s.k, &s.a);
        let e = law.stiffness(&s.k, &s.a);
        let (tau, bound) = law.kirchhoff(&s.k, &s.a);
        let (P, S) = law.stress(&s.k, &s.a);
        short = worse(short, (P.times_transpose(&s.k.F) + S - tau).norm() / e);
        short = worse(short, (bound - e).abs() / e);

        let mut a = s.a;
        let k1 = Kin {
            F: law.flow(&s.k, &mut a),
            ..s.k
        };
        let (v0, v1) = (law.volume_ratio(&s.k, &s.a), law.volume_ratio(&k1, &a));
        volume = worse(volume, (v1 / v0 - 1.0).abs());
        // Flow that takes time comes to its end only if nothing moves.
        let ends = if law.gradual() { still(&k1, 1e30) } else { k1 };
        again = worse(again, twice(law, &ends, &a));

        // Where the state has the shape, energy after the flow is that of the new state, of no rate.
        let gained = if L::SHAPELESS {
            let (k, mut a) = (still(&s.k, s.k.dt), s.a);
            let psi = law.psi(&k, &a);
            let F = law.flow(&k, &mut a);
            (law.psi(&Kin { F, ..k }, &a) - psi) / (psi.abs() + 1e-3 * e)
        } else {
            (law.psi(&k1, &s.a) - psi) / (psi.abs() + 1e-3 * e)
        };
        gain = worse(gain, gained);

        let (none, halves) = in_time(law, &still(&k1, s.k.dt), &a);
        (soon, split) = (worse(soon, none), worse(split, halves));
        n += 1;
    }
    report.add("flow twice is flow once", again, 1e-12, n);
    report.add("flow again in no time is none", soon, 1e-12, n);
    report.add(
        "flow in halves is at once: off for half by a quarter",
        split,
        0.3,
        n,
    );
    report.add("flow makes no energy", gain, L::FLOW_GAIN, n);
    report.add("flow keeps the volume ratio", volume, 1e-12, n);
    report.add("kirchhoff is stress and stiffness", short, 1e-12, n);

    let (mut a, mut moved) = (law.start(), 0.0);
    for s in [1.0, 1.0 - 1e-4] {
        let F = law.flow(&Kin::at(Matrix::scalar(s)), &mut a);
        moved = worse(moved, (F - Matrix::scalar(s)).norm());
    }
    report.add(
        "flow leaves an admissible deformation alone",
        moved,
        1e-12,
        2,
    );

    let k = Kin::at(Matrix::identity());
    let nan = Kin::at(Matrix::scalar(f64::NAN));
    let silent = law.fault(&nan, &law.start()).is_none();
    let wrong = u8::from(silent) + u8::from(law.fault(&k, &law.start()).is_some());
    report.add("fault tells NaN from rest", f64::from(wrong), 0.0, 2);

    let a = law.start();
    let mut wrong = usize::from(a.all().len() != L::state_names().len());
    let copy: L::State = pod_read_unaligned(bytemuck::bytes_of(&a));
    wrong += usize::from(bytemuck::bytes_of(&copy) != bytemuck::bytes_of(&a));
    report.add(
        "state is named numbers, copied by its bytes",
        wrong as f64,
        0.0,
        1,
    );
}

/// The law in `f32` gives what it gives in `f64`, but for rounding.
pub(super) fn check_narrow<A: Law<f64, D>, B: Law<f32, D>, const D: usize>(
    wide: &A,
    narrow: &B,
    report: &mut Report,
) {
    let (mut n, mut worst) = (0, 0.0);
    for s in [Kind::Well, Kind::Slight]
        .iter()
        .flat_map(|&kind| samples(wide, kind, 250))
    {
        let k32 = Kin {
            F: Matrix::of(&s.k.F),
            H: Matrix::of(&s.k.H),
            dt: s.k.dt as f32,
        };
        let mut a32 = B::State::from_fn(|n| s.a.all()[n] as f32);
        let mut a = s.a;
        let e = wide.stiffness(&s.k, &a);
        let ((tau, bound), (tau32, bound32)) =
            (wide.kirchhoff(&s.k, &a), narrow.kirchhoff(&k32, &a32));
        let psi_error = wide.psi(&s.k, &a) - f64::from(narrow.psi(&k32, &a32));
        worst = worse(worst, (tau32.wide() - tau).norm() / e);
        worst = worse(worst, (f64::from(bound32) / bound - 1.0).abs());
        worst = worse(worst, psi_error.abs() / e);
        let (F, F32) = (wide.flow(&s.k, &mut a), narrow.flow(&k32, &mut a32));
        worst = worse(worst, (F32.wide() - F).norm());
        for (x, y) in a32.all().iter().zip(a.all()) {
            worst = worse(worst, (f64::from(*x) - y).abs());
        }
        n += 1;
    }
    report.add("f32 agrees with f64", worst, 2e-5, n);
}
