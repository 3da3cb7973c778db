//! V1: one particle of Oldroyd-B whose motion is given.

use thixo_core::Result;
use thixo_material::reference::{
    self, Element, Row, extended, oldroyd_relaxation, oldroyd_startup, oldroyd_steady_extension,
    oldroyd_steady_shear, oldroyd_updates, ram_14, shear,
};
use thixo_math::{Matrix, Vector};

use crate::lab::{order, worst};
use crate::{Bench, Tag};

/// The step of the gates, in relaxation times.
const STEP: f64 = 1e-4;

/// The worst of a group of rows of one tolerance.
fn group(b: &mut Bench, name: &str, rows: &[Row], wanted: usize) {
    let title = format!("{name}: worst of {}", rows.len());
    let tolerance = worst(rows.iter().map(|r| r.tolerance));
    b.at_most(
        &title,
        worst(rows.iter().map(|r| r.error)),
        tolerance,
        Tag::X,
    );
    if rows.len() < wanted {
        b.broken(&format!("{name}: data are missing"));
    }
}

/// V1: shear, extension and relaxation against closed forms, in the plane and in space; orders in time.
pub fn v1(b: &mut Bench) -> Result<()> {
    let startup = oldroyd_startup();
    for plane in [false, true] {
        let of = |r: &&Row| r.quantity.ends_with("in the plane") == plane;
        let rows: Vec<Row> = startup.iter().filter(of).cloned().collect();
        let name = if plane { "2D" } else { "3D" };
        group(b, &format!("{name}, start of shear"), &rows, 48);
    }
    group(b, "steady shear", &oldroyd_steady_shear(STEP), 32);
    group(
        b,
        "steady shear by steps of a relaxation time",
        &oldroyd_steady_shear(1.0),
        32,
    );
    group(b, "3D, steady extension", &oldroyd_steady_extension(), 6);
    group(b, "3D, relaxation", &oldroyd_relaxation(), 60);
    steady(b);
    relaxation(b);
    orders(b);
    Ok(())
}

/// A particle that has been sheared at Wi γ̇ = 1 for `t`.
fn sheared<const D: usize>(time: f64, t: f64) -> Element<D> {
    let mut e = Element::new(1.0, time);
    for _ in 0..(t / STEP).round() as usize {
        e.step(&shear(STEP), STEP);
    }
    e
}

/// The classical model: τ = μ (b_OB − I) + …, which forgets volume, too.
fn classical<const D: usize>(e: &Element<D>, ratio: f64) -> Matrix<f64, D> {
    let pressure = e.law.lambda * (ratio - 1.0);
    (e.strain() - Matrix::identity()) * (e.law.mu / ratio) + Matrix::scalar(pressure)
}

/// Steady flow, number by number, and what must be told from it.
fn steady(b: &mut Bench) {
    let e = sheared::<3>(1.0, 40.0);
    let s = e.stress();
    let third = 2f64.powf(-1.0 / 3.0);
    let name = "3D, Wi rate 1";
    b.relative(&format!("{name}: σ_xy/μ"), s[(0, 1)], third, 1e-6, Tag::X);
    let n1 = s[(0, 0)] - s[(1, 1)];
    b.relative(&format!("{name}: N1/μ"), n1, 2.0 * third, 1e-6, Tag::X);
    let n2 = s[(1, 1)] - s[(2, 2)];
    b.absolute(&format!("{name}: N2/μ"), n2, 0.0, 1e-6, Tag::X);
    let c = classical(&e, 1.0);
    b.relative(
        &format!("{name}, classical: σ_xy/μ"),
        c[(0, 1)],
        third,
        1e-6,
        Tag::X,
    );
    b.control();
    let p = sheared::<2>(1.0, 40.0).stress();
    let half = 0.5f64.sqrt();
    let name = "2D, Wi rate 1";
    b.relative(&format!("{name}: σ_xy/μ"), p[(0, 1)], half, 1e-6, Tag::X);
    let n1 = p[(0, 0)] - p[(1, 1)];
    b.relative(&format!("{name}: N1/μ"), n1, 2.0 * half, 1e-6, Tag::X);
    b.relative(
        "… by the exponent of space: σ_xy/μ",
        p[(0, 1)],
        third,
        1e-6,
        Tag::X,
    );
    b.control();
    // The table at Wi = 1, rate 0.5, t = 1: sigma_xy is 0.31274.
    let startup = |time: f64| {
        let mut e = Element::<3>::new(1.0, time);
        for _ in 0..(1.0 / STEP).round() as usize {
            e.step(&shear(0.5 * STEP), STEP);
        }
        e.stress()[(0, 1)]
    };
    for (name, time) in [("start of shear", 1.0), ("… Wi 0.1 % too long", 1.001)] {
        let title = format!("3D, {name}, rate 0.5, t = Wi: σ_xy/μ");
        b.relative(&title, startup(time), 0.3127362739, 1e-6, Tag::X);
    }
    b.control();
    // In the plane at the rate e/Wi: b_xx = 1/(1 − 2e), b_yy = 1/(1 + 2e), σ_xx − σ_yy = 4e/√(1 − 4e²).
    for rate in [0.1, 0.3, 0.45] {
        let grow = |r: f64| (r * STEP).exp_m1();
        let h = Matrix::diagonal(&Vector([grow(rate), grow(-rate)]));
        let mut e = Element::<2>::new(1.0, 1.0);
        for _ in 0..(18.0 / (1.0 - 2.0 * rate) / STEP) as usize {
            e.step(&h, STEP);
        }
        let s = e.stress();
        let exact = 4.0 * rate / (1.0 - 4.0 * rate * rate).sqrt();
        let title = format!("2D, steady extension, Wi rate {rate}: σ_xx − σ_yy");
        b.relative(&title, s[(0, 0)] - s[(1, 1)], exact, 1e-6, Tag::X);
    }
    let e = extended(0.2, STEP, 30.0, true);
    for (name, s) in [("", e.stress()), (", classical", classical(&e, 1.0))] {
        let title = format!("3D, steady extension, Wi rate 0.2{name}: σ_xx − σ_yy");
        b.relative(&title, s[(0, 0)] - s[(1, 1)], 0.793700526, 1e-6, Tag::X);
    }
    b.control();
    // Beyond ½ there is no steady extension: b_xx grows as e^{(2ε̇ − 1/Wi) t}.
    for (rate, is_wrong) in [(0.75, false), (0.76, true)] {
        let [early, late] = [30.0, 32.0].map(|t| extended(rate, 1e-3, t, true).strain()[(0, 0)]);
        let title = format!("3D, extension, Wi rate {rate}: growth of b_xx · Wi");
        b.relative(&title, 0.5 * (late / early).ln(), 0.5, 1e-4, Tag::X);
        if is_wrong {
            b.control();
        }
    }
}

/// After a sudden dilation nothing relaxes, in space and in the plane.
fn relaxation(b: &mut Bench) {
    fn rest<const D: usize>(b: &mut Bench) {
        let by = 0.1;
        let ratio = (1.0f64 + by).powi(D as i32);
        let mut e = Element::<D>::new(10.0, 1.0);
        e.step(&Matrix::scalar(by), 1e-30);
        let at_once = e.stress()[(0, 0)];
        for _ in 0..20 {
            e.step(&Matrix::zero(), 0.25);
        }
        let name = format!("{D}D, dilation, then at rest for 5 Wi");
        let kept = e.stress()[(0, 0)];
        b.relative(&format!("{name}: σ_xx"), kept, at_once, 1e-12, Tag::X);
        let title = format!("{name}, classical: σ_xx");
        b.relative(&title, classical(&e, ratio)[(0, 0)], at_once, 1e-6, Tag::X);
        b.control();
    }
    rest::<2>(b);
    rest::<3>(b);
}

/// Lodge's update is exact in simple shear, of second order where motion is not linear in time, and of the first where a
/// step's motion is I + dt ∇v, as on the grid. The printed update (14) is of the first order.
fn orders(b: &mut Bench) {
    let rows = oldroyd_updates();
    let of = |what: &str| -> Vec<reference::Row> {
        let found = rows.iter().filter(|r| r.case.contains(what));
        found.cloned().collect()
    };
    group(b, "Lodge's update in shear, any step", &of("Lodge"), 8);
    group(b, "(14) as printed, held to its data", &of("(14)"), 8);
    let exact = 2.0 * (1.0 - (-1f64).exp());
    let printed: Vec<f64> = of("(14)")
        .iter()
        .filter(|r| r.quantity == "b_xy")
        .map(|r| (r.value - exact).abs())
        .collect();
    for w in printed.windows(2) {
        b.absolute(
            "(14): error of dt over dt/2",
            w[0] / w[1],
            2.0,
            0.05,
            Tag::X,
        );
    }
    let end = |x: f64, exact: bool| extended(0.3, x, 1.0, exact).stress();
    let gap = |s: Matrix<f64, 3>| s[(0, 0)] - s[(1, 1)];
    let truth = gap(end(STEP, true));
    for (name, exact, wanted) in [("e^{dt ∇v}", true, 2.0), ("I + dt ∇v", false, 1.0)] {
        let [coarse, fine] = [0.1, 0.05].map(|x| (gap(end(x, exact)) - truth).abs());
        let title = format!("3D, start of extension, motion {name}: order");
        b.absolute(&title, order(coarse, fine), wanted, 0.1, Tag::X);
    }
    let first = of("(14)").into_iter().find(|r| r.quantity == "b_xy");
    let found = first.map_or(f64::NAN, |r| r.value);
    let title = "(14), steps of 0.1 Wi, held to the closed form: b_xy";
    b.absolute(title, found, exact, 1e-12, Tag::X);
    b.control();
    let mut slow = Matrix::<f64, 3>::identity();
    for _ in 0..10 {
        slow = ram_14(&slow, &shear(0.2), 0.11);
    }
    let data = of("(14)").first().map_or(f64::NAN, |r| r.reference);
    let title = "(14), Wi 10 % too short, held to its data: b_xy";
    b.absolute(title, slow[(0, 1)], data, 1e-8, Tag::X);
    b.control();
}
