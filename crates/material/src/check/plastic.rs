//! Is the flow a projection that keeps volume and does not make energy? Do the short cuts and the
//! short numbers agree with the long ones?
#![allow(non_snake_case)]

use bytemuck::{cast_slice, from_bytes, pod_read_unaligned};
use thixo_math::Matrix;

use super::Report;
use super::derivative::worse;
use super::sample::{Kind, samples};
use crate::{Kin, Law};

/// The numbers of a state.
fn numbers<S: bytemuck::Pod>(a: &S) -> &[f64] {
    cast_slice(std::slice::from_ref(a))
}

fn distance<S: bytemuck::Pod>(a: &S, b: &S) -> f64 {
    numbers(a)
        .iter()
        .zip(numbers(b))
        .fold(0.0, |w, (x, y)| worse(w, (x - y).abs()))
}

pub(super) fn check<L: Law<f64, D>, const D: usize>(law: &L, report: &mut Report) {
    let (mut n, mut again, mut gain, mut volume, mut short) = (0, 0.0, 0.0, 0.0, 0.0);
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
        let psi_after = law.psi(&k1, &s.a);
        gain = worse(gain, (psi_after - psi) / (psi.abs() + 1e-3 * e));
        let (v0, v1) = (law.volume_ratio(&s.k, &s.a), law.volume_ratio(&k1, &a));
        volume = worse(volume, (v1 / v0 - 1.0).abs());
        let mut b = a;
        let F2 = law.flow(&k1, &mut b);
        again = worse(again, (F2 - k1.F).norm() / k1.F.norm());
        again = worse(again, distance(&a, &b));
        n += 1;
    }
    report.add("flow twice is flow once", again, 1e-12, n);
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
    let mut wrong = usize::from(numbers(&a).len() != L::state_names().len());
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
        let words: Vec<f32> = numbers(&s.a).iter().map(|&x| x as f32).collect();
        let mut a32: B::State = *from_bytes(cast_slice(&words));
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
        let words: &[f32] = cast_slice(std::slice::from_ref(&a32));
        for (x, y) in words.iter().zip(numbers(&a)) {
            worst = worse(worst, (f64::from(*x) - y).abs());
        }
        n += 1;
    }
    report.add("f32 agrees with f64", worst, 2e-5, n);
}
