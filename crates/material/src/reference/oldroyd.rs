//! V1: Oldroyd-B of one particle whose motion is given.
#![allow(non_snake_case)]

use thixo_math::{Matrix, Vector};

use super::{Row, number, table};
use crate::flow::{Kept, OldroydB};
use crate::{Kin, Law, Motion};

/// The update of b_OB as the documents print it, [Ram15] (14) and [Jiang15] (4.13), for x = dt/Wi.
pub fn ram_14<const D: usize>(b: &Matrix<f64, D>, H: &Matrix<f64, D>, x: f64) -> Matrix<f64, D> {
    let Hb = *H * *b;
    Hb + Hb.transpose() + Matrix::scalar(x) + *b * (1.0 - x)
}

/// A particle of Oldroyd-B whose motion is given.
#[derive(Clone, Copy, Debug)]
pub struct Element<const D: usize> {
    /// The law.
    pub law: OldroydB<f64>,
    F: Matrix<f64, D>,
    a: Kept<f64, D>,
}

impl<const D: usize> Element<D> {
    /// At rest, with μ = 1 and no viscosity.
    pub fn new(lambda: f64, time: f64) -> Self {
        let (mu, eta) = (1.0, 0.0);
        let law = OldroydB {
            mu,
            lambda,
            time,
            eta,
        };
        let (F, a) = (Matrix::identity(), Law::<f64, D>::start(&law));
        Self { law, F, a }
    }
    /// One step.
    pub fn step(&mut self, H: &Matrix<f64, D>, dt: f64) {
        let k = Kin {
            F: self.F + *H * self.F,
            H: *H,
            dt,
        };
        self.F = self.law.flow(&k, &mut self.a);
    }
    /// b_OB
    pub fn strain(&self) -> Matrix<f64, D> {
        let G = self.a.matrix() + Matrix::identity();
        (self.F * G).times_transpose(&self.F)
    }
    /// b = (J²/det b_OB)^{1/D} b_OB
    pub fn elastic_strain(&self) -> Matrix<f64, D> {
        let (b, J) = (self.strain(), self.F.det());
        b * (J * J / b.det()).powf(1.0 / D as f64)
    }
    /// Cauchy stress.
    pub fn stress(&self) -> Matrix<f64, D> {
        self.law.tau(&self.F, &self.a).0 / self.F.det()
    }
}

/// H of a simple shear.
pub fn shear<const D: usize>(by: f64) -> Matrix<f64, D> {
    Matrix::from_fn(|i, j| if (i, j) == (0, 1) { by } else { 0.0 })
}

/// The start of simple shear, dt/Wi = 1e-4: strain and stress against the closed forms.
pub fn oldroyd_startup() -> Vec<Row> {
    let mut rows = Vec::new();
    let mut at = (f64::NAN, f64::NAN, 0);
    let mut both = (Element::<3>::new(1.0, 1.0), Element::<2>::new(1.0, 1.0));
    for r in table(include_str!(
        "../../../../validation/data/oldroyd_startup_shear.csv"
    )) {
        let (Wi, rate, t) = (number(r[0]), number(r[1]), number(r[2]));
        let dt = 1e-4 * Wi;
        if (Wi, rate) != (at.0, at.1) {
            at = (Wi, rate, 0);
            both = (Element::new(1.0, Wi), Element::new(1.0, Wi));
        }
        while at.2 < (t / dt).round() as usize {
            both.0.step(&shear(rate * dt), dt);
            both.1.step(&shear(rate * dt), dt);
            at.2 += 1;
        }
        let (b, s, plane) = (both.0.strain(), both.0.stress(), both.1.stress());
        let case = format!("start of shear, Wi {Wi}, rate {rate}, t {t}");
        let named = [
            ("b_xy", b[(0, 1)]),
            ("b_xx", b[(0, 0)]),
            ("det b_OB", b.det()),
            ("sigma_xy", s[(0, 1)]),
            ("N1", s[(0, 0)] - s[(1, 1)]),
            ("sigma_yy", s[(1, 1)]),
            ("sigma_xy in the plane", plane[(0, 1)]),
            ("N1 in the plane", plane[(0, 0)] - plane[(1, 1)]),
        ];
        for (i, (name, value)) in named.into_iter().enumerate() {
            rows.push(Row::new(&case, name, value, number(r[3 + i]), 1e-6).relative(1.0));
        }
    }
    rows
}

/// Steady shear by steps of this many relaxation times.
pub fn oldroyd_steady_shear(x: f64) -> Vec<Row> {
    let mut rows = Vec::new();
    for r in table(include_str!(
        "../../../../validation/data/oldroyd_steady_shear.csv"
    )) {
        let s = number(r[0]);
        let (mut space, mut plane) = (Element::<3>::new(1.0, 1.0), Element::<2>::new(1.0, 1.0));
        for _ in 0..(40.0 / x) as usize {
            space.step(&shear(s * x), x);
            plane.step(&shear(s * x), x);
        }
        let (t, p) = (space.stress(), plane.stress());
        let case = format!("steady shear, dt/Wi {x}, Wi rate {s}");
        let named = [
            ("sigma_xy", t[(0, 1)]),
            ("N1", t[(0, 0)] - t[(1, 1)]),
            ("sigma_yy", t[(1, 1)]),
            ("sigma_xy in the plane", p[(0, 1)]),
        ];
        for (i, (name, value)) in named.into_iter().enumerate() {
            rows.push(Row::new(&case, name, value, number(r[1 + i]), 1e-6).relative(1.0));
        }
    }
    rows
}

/// Uniaxial extension at the rate s/Wi by steps of x = dt/Wi for a time t/Wi; `exact`: the motion of each step is that of
/// the rate, else H = dt ∇v.
pub fn extended(s: f64, x: f64, t: f64, exact: bool) -> Element<3> {
    let grow = |rate: f64| {
        if exact { (rate * x).exp_m1() } else { rate * x }
    };
    let H = Matrix::diagonal(&Vector([grow(s), grow(-0.5 * s), grow(-0.5 * s)]));
    let mut e = Element::new(1.0, 1.0);
    for _ in 0..(t / x).round() as usize {
        e.step(&H, x);
    }
    e
}

/// Steady uniaxial extension, dt/Wi = 1e-4.
pub fn oldroyd_steady_extension() -> Vec<Row> {
    let text = include_str!("../../../../validation/data/oldroyd_steady_uniaxial.csv");
    let row = |r: Vec<&str>| {
        let s = number(r[0]);
        let t = extended(s, 1e-4, 18.0 / (1.0 - 2.0 * s), true).stress();
        let case = format!("steady extension, Wi rate {s}");
        let found = t[(0, 0)] - t[(1, 1)];
        Row::new(&case, "sigma_xx - sigma_yy", found, number(r[4]), 1e-6).relative(1.0)
    };
    table(text).map(row).collect()
}

/// Relaxation after a sudden strain: what is left of the stress, λ = 10.
pub fn oldroyd_relaxation() -> Vec<Row> {
    let mut rows = Vec::new();
    for r in table(include_str!(
        "../../../../validation/data/oldroyd_step_relaxation.csv"
    )) {
        let (kind, t) = (r[0].trim_matches('"'), number(r[1]));
        let F = match kind.split(' ').next() {
            Some("shear") => shear(1.0) + Matrix::identity(),
            Some("uniax") => {
                let thin = 0.5f64.sqrt();
                Matrix::diagonal(&Vector([2.0, thin, thin]))
            }
            _ => Matrix::scalar(1.1),
        };
        let mut e = Element::<3>::new(10.0, 1.0);
        e.step(&(F - Matrix::identity()), 1e-30);
        // In steps of a quarter.
        for _ in 0..(4.0 * t) as usize {
            e.step(&Matrix::zero(), 0.25);
        }
        let (b, s) = (e.strain(), e.stress());
        let case = format!("{kind}, then at rest for {t} Wi");
        let named = [
            ("det b_OB", b.det()),
            ("sigma_xx", s[(0, 0)]),
            ("sigma_xy", s[(0, 1)]),
            ("sigma_yy", s[(1, 1)]),
        ];
        for (i, (name, value)) in named.into_iter().enumerate() {
            rows.push(Row::new(&case, name, value, number(r[2 + i]), 1e-6).relative(1.0));
        }
    }
    rows
}

/// The printed update (14) in simple shear, and ours by the same steps against the closed form, Wi = 1, rate 2, t = 1.
pub fn oldroyd_updates() -> Vec<Row> {
    let mut rows = Vec::new();
    let e1 = (-1f64).exp();
    let exact = [2.0 * (1.0 - e1), 1.0 + 8.0 * (1.0 - 2.0 * e1)];
    for r in table(include_str!(
        "../../../../validation/data/oldroyd_discrete_eq14_order.csv"
    )) {
        let dt = number(r[0]);
        let (mut b, mut e) = (Matrix::<f64, 3>::identity(), Element::<3>::new(1.0, 1.0));
        for _ in 0..(1.0 / dt).round() as usize {
            b = ram_14(&b, &shear(2.0 * dt), dt);
            e.step(&shear(2.0 * dt), dt);
        }
        let case = format!("update (14) as printed, dt/Wi {dt}");
        rows.push(Row::new(&case, "b_xy", b[(0, 1)], number(r[1]), 1e-8));
        rows.push(Row::new(&case, "b_xx", b[(0, 0)], number(r[2]), 1e-8));
        let (case, b) = (format!("Lodge's update, dt/Wi {dt}"), e.strain());
        rows.push(Row::new(&case, "b_xy", b[(0, 1)], exact[0], 1e-12));
        rows.push(Row::new(&case, "b_xx", b[(0, 0)], exact[1], 1e-12));
    }
    rows
}
