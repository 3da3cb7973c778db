//! T6: a mass on a spring in time: symplectic and backward Euler are of first order, and backward Euler shrinks and turns
//! by 1/√(1 + ω²dt²) and atan(ω dt) per step.

use thixo_core::Result;
use thixo_math::Vector;
use thixo_mesh::{Mesh, Options, Spring};
use thixo_numerics::integrate::Accuracy;

use super::Alone;
use crate::{Bench, Tag};

/// ω² = c/m.
const OMEGA: f64 = 3.0;
const LENGTH: f64 = 1.0;
const START: f64 = 0.25;

/// A mass on a spring along an axis, stretched at the start: displacement and velocity over ω after n steps.
fn swing(dt: f64, n: u32, implicit: bool) -> Result<[f64; 2]> {
    let options = Options {
        accuracy: Accuracy {
            tolerance: 1e-13,
            ..Options::default().accuracy
        },
        ..Options::default()
    };
    let mut mesh = Mesh::<f64, 2>::new("mesh", options);
    let points = [Vector([0.0, 0.0]), Vector([LENGTH + START, 0.0])];
    let mass = 2.0;
    let spring = Spring {
        ends: [0, 1],
        stiffness: mass * OMEGA * OMEGA,
        length: LENGTH,
    };
    let body = mesh.add_springs("swing", &points, &[1.0, mass], &[spring])?;
    mesh.pin(body, [0])?;
    let mut alone = Alone::new(mesh)?;
    for _ in 0..n {
        alone.step(dt, implicit)?;
    }
    let x = alone.mesh.positions()[1][0] - LENGTH;
    Ok([x, alone.mesh.velocities()[1][0] / OMEGA])
}

/// T6: orders in time.
pub fn t6(b: &mut Bench) -> Result<()> {
    let time = 2.0;
    for (name, implicit) in [("symplectic Euler", false), ("backward Euler", true)] {
        let error = |n: u32| -> Result<f64> {
            let [x, _] = swing(time / f64::from(n), n, implicit)?;
            Ok((x - START * (OMEGA * time).cos()).abs())
        };
        let order = (error(1000)? / error(2000)?).log2();
        b.absolute(&format!("{name}: order"), order, 1.0, 0.05, Tag::X);
        b.absolute(
            &format!("control: {name}: order 2"),
            order,
            2.0,
            0.05,
            Tag::X,
        );
        b.control();
    }
    for dt in [0.02, 0.1, 0.5] {
        let n = 12;
        let [x, y] = swing(dt, n, true)?;
        let shrink = (x.hypot(y) / START).powf(1.0 / f64::from(n));
        let exact = 1.0 / (1.0 + (OMEGA * dt).powi(2)).sqrt();
        b.absolute(
            &format!("backward Euler, dt = {dt}: shrinks"),
            shrink,
            exact,
            1e-10,
            Tag::X,
        );
        // From (1, 0) clockwise; the whole turn, in units of the exact one.
        let angle = f64::from(n) * (OMEGA * dt).atan();
        let off = (-y / START - shrink.powi(n as i32) * angle.sin())
            .hypot(x / START - shrink.powi(n as i32) * angle.cos());
        b.at_most(
            &format!("backward Euler, dt = {dt}: turns, off by"),
            off,
            1e-10,
            Tag::X,
        );
    }
    let [x, y] = swing(0.02, 12, false)?;
    let shrink = (x.hypot(y) / START).powf(1.0 / 12.0);
    let exact = 1.0 / (1.0 + (OMEGA * 0.02f64).powi(2)).sqrt();
    b.absolute(
        "control: symplectic Euler shrinks",
        shrink,
        exact,
        1e-10,
        Tag::X,
    );
    b.control();
    Ok(())
}
