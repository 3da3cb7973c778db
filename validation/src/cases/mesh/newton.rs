//! O3: a stretched cube that is pushed back, and two balls that fall on each other, at one step a frame. The minimiser
//! converges; Newton's method as it is usually written does not. [Jiang15] Figs. A.2–A.4

use std::sync::Arc;

use thixo_core::{Error, Result};
use thixo_math::Vector;
use thixo_mesh::{Mesh, Mutual, Newton, Options, lattice::lattice};
use thixo_numerics::integrate::Accuracy;
use thixo_shape::{Collider, Contact, HalfSpace, Motion};

use super::{Alone, FRAME, rubber};
use crate::{Bench, Tag};

/// Steps that did not converge or left no numbers, linear solves per step, and elements inverted at the end.
struct Found {
    failed: f64,
    solves: f64,
    inverted: f64,
}

fn options(newton: Newton, mutual: Option<Mutual>) -> Options {
    Options {
        newton,
        mutual,
        accuracy: Accuracy {
            // As many as Fig. A.1 allows.
            iterations: if newton == Newton::Plain { 50 } else { 500 },
            ..Options::default().accuracy
        },
        ..Options::default()
    }
}

fn run(mut alone: Alone<f64, 3>, frames: u32) -> Result<Found> {
    let mut failed = 0;
    for _ in 0..frames {
        match alone.step(FRAME, true) {
            Ok(()) => failed += alone.mesh.last_effort().unconverged(),
            // A state without numbers: nothing more can come of it.
            Err(Error::Fault(_)) => {
                failed += 1;
                break;
            }
            Err(e) => return Err(e),
        }
        // One failure says it; plain Newton goes on failing for minutes.
        if failed > 0 {
            break;
        }
    }
    Ok(Found {
        failed: f64::from(failed),
        solves: f64::from(alone.effort.iterations) / f64::from(frames),
        inverted: alone.inverted() as f64,
    })
}

/// A cube whose ends are drawn apart to three times their distance in a second, and then for a moment pushed together
/// by half of it.
fn stretched(newton: Newton) -> Result<Found> {
    let n = 8;
    let h = 1.0 / n as f64;
    let (points, cells) = lattice::<3>(Vector::zero(), [n; 3], h);
    let mut mesh = Mesh::<f64, 3>::new("mesh", options(newton, None));
    let body = mesh.add_solid("cube", &points, &cells, rubber(1e5)?, 1000.0)?;
    let end = |side: f64| -> Vec<usize> {
        let on = |i: &usize| (points[*i][0] - side).abs() < 1e-9;
        (0..points.len()).filter(on).collect()
    };
    let stretch = |t: f64| {
        let drawn = 2.0 * t.min(1.0);
        let pushed = if t > 1.0 + 0.5 * FRAME && t < 1.0 + 2.5 * FRAME {
            -1.0
        } else {
            0.0
        };
        0.5 * (drawn + pushed)
    };
    for side in [0.0, 1.0] {
        let sign = 2.0 * side - 1.0;
        let path = move |t: f64, x: &Vector<f64, 3>| *x + Vector::axis(0) * (sign * stretch(t));
        mesh.script(body, end(side), Arc::new(path))?;
    }
    run(Alone::new(mesh)?, 36)
}

/// Two balls of lattice cells, the one above the other and a little aside, fall to the ground.
fn balls(newton: Newton) -> Result<Found> {
    let n = 8;
    let h = 1.0 / n as f64;
    let (points, cells) = lattice::<3>(Vector::splat(-0.5), [n; 3], h);
    // The cube becomes a ball: each shell of the cube a shell of the ball.
    let round = |x: &Vector<f64, 3>| {
        let long = x.norm();
        if long == 0.0 {
            return *x;
        }
        *x * (x.max_abs() / long)
    };
    let ball: Vec<Vector<f64, 3>> = points.iter().map(round).collect();
    let mutual = Mutual {
        friction: 0.2,
        within: false,
    };
    let mut mesh = Mesh::<f64, 3>::new("mesh", options(newton, Some(mutual)));
    for (name, at) in [
        ("lower", Vector([0.0, 0.6, 0.0])),
        ("upper", Vector([0.3, 1.8, 0.1])),
    ] {
        let placed: Vec<Vector<f64, 3>> = ball.iter().map(|x| *x + at).collect();
        let body = mesh.add_solid(name, &placed, &cells, rubber(1e5)?, 1000.0)?;
        mesh.place(body, |_, x| (*x, Vector([0.0, -3.0, 0.0])))?;
    }
    let mut alone = Alone::new(mesh)?;
    alone.gravity = Vector([0.0, -9.81, 0.0]);
    let invalid = |e: thixo_shape::ShapeError| Error::Invalid(e.to_string());
    let ground = HalfSpace::new(Vector::zero(), Vector([0.0, 1.0, 0.0])).map_err(invalid)?;
    let contact = Contact::Separating { friction: 0.3 };
    let ground = Collider::rigid("ground", Arc::new(ground), Motion::Fixed, contact);
    alone.colliders.push(ground.map_err(invalid)?);
    run(alone, 48)
}

/// O3: what Newton's method alone fails at.
pub fn o3(b: &mut Bench) -> Result<()> {
    for (name, scene, solves) in [
        (
            "stretched cube",
            stretched as fn(Newton) -> Result<Found>,
            2.9,
        ),
        ("two balls", balls, 8.1),
    ] {
        let ours = scene(Newton::Minimise)?;
        b.at_most(
            &format!("{name}: steps that failed"),
            ours.failed,
            0.0,
            Tag::X,
        );
        b.at_most(
            &format!("{name}: inverted at the end"),
            ours.inverted,
            0.0,
            Tag::X,
        );
        b.at_most(
            &format!("{name}: linear solves per step"),
            ours.solves,
            3.0 * solves,
            Tag::G,
        );
        let plain = scene(Newton::Plain)?;
        b.at_most(
            &format!("control: {name}: plain Newton's failures"),
            plain.failed,
            0.0,
            Tag::X,
        );
        b.control();
    }
    Ok(())
}
