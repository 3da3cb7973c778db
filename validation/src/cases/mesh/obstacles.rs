//! O4: vertices never enter obstacles that are constraints; friction slows and does not turn round. [Jiang15] §A.5.1

use std::sync::Arc;

use thixo_core::{Error, Result};
use thixo_math::{Matrix, Real, Vector};
use thixo_mesh::{Mesh, Options, lattice::lattice};
use thixo_shape::{Collider, Contact, Cuboid, HalfSpace, Motion, Shape, ShapeError, Sphere, Union};

use super::{Alone, FRAME, rubber};
use crate::{Bench, Tag};

fn invalid(e: ShapeError) -> Error {
    Error::Invalid(e.to_string())
}

fn collider(name: &str, shape: Arc<dyn Shape<3>>, motion: Motion<3>) -> Result<Collider<3>> {
    let contact = Contact::Separating { friction: 0.3 };
    Collider::rigid(name, shape, motion, contact).map_err(invalid)
}

/// A box falls on the ground, a ball and the corner of a moving block. The least distance of a vertex \[m\], steps
/// that did not converge, and most iterations of a step. `exact` obstacles are constraints; others are penalties.
fn drop<T: Real>(exact: bool) -> Result<[f64; 3]> {
    let (points, cells) = lattice::<3>(Vector([-0.4, 0.75, -0.4]), [6; 3], 0.8 / 6.0);
    let mut mesh = Mesh::<T, 3>::new("mesh", Options::default());
    let body = mesh.add_solid("box", &points, &cells, rubber(3e4)?, 1000.0)?;
    mesh.place(body, |_, x| (*x, Vector([0.0, -4.0, 0.0])))?;
    let mut alone = Alone::new(mesh)?;
    alone.gravity = Vector([0.0, -9.81, 0.0]);
    let ground = HalfSpace::new(Vector::zero(), Vector([0.0, 1.0, 0.0])).map_err(invalid)?;
    let ball = Sphere::new(Vector([0.05, 0.2, 0.0]), 0.3).map_err(invalid)?;
    let block = Cuboid::from_corners(Vector([0.5, -0.1, -0.6]), Vector([0.9, 0.7, 0.6]));
    let block = block.map_err(invalid)?;
    let push = Motion::Moving {
        velocity: Vector([-0.5, 0.0, 0.0]),
        spin: Matrix::zero(),
        pivot: Vector::zero(),
    };
    let shapes: [(Arc<dyn Shape<3>>, Motion<3>); 3] = [
        (Arc::new(ground), Motion::Fixed),
        (Arc::new(ball), Motion::Fixed),
        (Arc::new(block), push),
    ];
    for (n, (shape, motion)) in shapes.into_iter().enumerate() {
        let shape: Arc<dyn Shape<3>> = match exact {
            true => shape,
            false => Arc::new(Union::new(vec![shape]).map_err(invalid)?),
        };
        alone
            .colliders
            .push(collider(&n.to_string(), shape, motion)?);
    }
    let (mut least, mut most) = (f64::INFINITY, 0);
    for _ in 0..24 {
        alone.step(FRAME, true)?;
        most = most.max(alone.mesh.last_effort().iterations);
        for c in &alone.colliders {
            let distance = c.obstacle.still(alone.t);
            let all = alone.mesh.positions().iter().map(&distance);
            least = all.fold(least, f64::min);
        }
    }
    let failed = f64::from(alone.effort.unconverged());
    Ok([least, failed, f64::from(most)])
}

/// A block slides on the ground: its mean deceleration over μ g while it slides, the least velocity of its middle after
/// it has stopped \[m/s\], and the height that it loses \[m\].
fn slide(implicit: bool) -> Result<[f64; 2]> {
    let (points, cells) = lattice::<3>(Vector::zero(), [4, 2, 4], 0.1);
    let mut mesh = Mesh::<f64, 3>::new("mesh", Options::default());
    let body = mesh.add_solid("block", &points, &cells, rubber(1e6)?, 1000.0)?;
    let start = 1.0;
    mesh.place(body, |_, x| (*x, Vector([start, 0.0, 0.0])))?;
    let mut alone = Alone::new(mesh)?;
    alone.gravity = Vector([0.0, -9.81, 0.0]);
    let ground = HalfSpace::new(Vector::zero(), Vector([0.0, 1.0, 0.0])).map_err(invalid)?;
    alone
        .colliders
        .push(collider("ground", Arc::new(ground), Motion::Fixed)?);
    let mean = |a: &Alone<f64, 3>| {
        let all = a.mesh.velocities().iter().zip(a.mesh.masses());
        let (p, m) = all.fold((0.0, 0.0), |(p, s), (v, m)| (p + v[0] * m, s + m));
        p / m
    };
    let dt = if implicit { 2e-3 } else { 2e-4 };
    let (mut slowed, mut least) = (0.0, f64::INFINITY);
    let half = 0.5 * start / (0.3 * 9.81);
    while alone.t < 4.0 * half {
        alone.step(dt, implicit)?;
        if alone.t <= half {
            slowed = (start - mean(&alone)) / alone.t;
        }
        least = least.min(mean(&alone));
    }
    Ok([slowed / (0.3 * 9.81), least])
}

/// O4: constraints are never violated.
pub fn o4(b: &mut Bench) -> Result<()> {
    for (name, [least, failed, most]) in [("f64", drop::<f64>(true)?), ("f32", drop::<f32>(true)?)]
    {
        b.at_least(
            &format!("{name}: least distance [m]"),
            least,
            -1e-12,
            Tag::X,
        );
        b.at_most(
            &format!("{name}: steps that did not converge"),
            failed,
            0.0,
            Tag::X,
        );
        // Vertices that two obstacles squeeze must not be sent into one of them again and again.
        let row = format!("{name}: most iterations of a step");
        b.at_most(&row, most, 30.0, Tag::M);
    }
    let [least, failed, _] = drop::<f64>(false)?;
    b.at_least("penalty: least distance [m]", least, -0.02, Tag::G);
    b.at_most("penalty: steps that did not converge", failed, 0.0, Tag::X);
    b.at_least(
        "control: penalty keeps no vertex out [m]",
        least,
        -1e-12,
        Tag::X,
    );
    b.control();
    for (name, implicit) in [("implicit", true), ("explicit", false)] {
        let [slowed, least] = slide(implicit)?;
        b.absolute(
            &format!("{name}: deceleration over μ g"),
            slowed,
            1.0,
            0.02,
            Tag::X,
        );
        // The block sways a little when it has come to rest.
        b.at_least(
            &format!("{name}: least velocity [m/s]"),
            least,
            -5e-3,
            Tag::X,
        );
    }
    Ok(())
}
