//! W1: sand and water in a cup whose walls are one cell thick.

use std::f64::consts::TAU;
use std::sync::Arc;

use thixo_core::{Error, Result, World};
use thixo_material::Law;
use thixo_material::eos::Liquid;
use thixo_math::Vector;
use thixo_mpm::{Options, Seed};
use thixo_shape::{
    Collider, Contact, Cuboid, Motion, Pose, Shape, ShapeError, Transformed, Twist, Union,
};

use super::ground::{DENSITY, sand};
use crate::lab::{self, columns, lattice, worst};
use crate::{Bench, Tag};

const DX: f64 = 0.02;
/// Height \[m\].
const HIGH: f64 = 24.0 * DX;
/// Half the inner width \[m\].
const fn half<const D: usize>() -> f64 {
    if D == 2 { 8.0 * DX } else { 5.0 * DX }
}
/// How high it is filled \[m\].
const fn full<const D: usize>() -> f64 {
    if D == 2 { 10.0 * DX } else { 6.0 * DX }
}

/// How the cup stands.
#[derive(Clone, Copy, PartialEq)]
enum Stand {
    /// Upright, its walls between the nodes.
    Still,
    /// Turned by 20°.
    Tilted,
    /// Moved to and fro, 2 cm at 2 Hz.
    Shaken,
    /// Upright, with a hole in the floor.
    Leaking,
}

/// What got where it must not be.
#[derive(Default)]
struct Found {
    lost: f64,
    /// Deepest in the wall, in cells.
    depth: f64,
}

fn invalid(e: ShapeError) -> Error {
    Error::Invalid(e.to_string())
}

/// Floor and walls; the inside stands on y = 0 around the y axis.
fn cup<const D: usize>(leaks: bool) -> Result<Arc<dyn Shape<D>>> {
    let half = half::<D>();
    let out = half + DX;
    let part = |low: Vector<f64, D>, high: Vector<f64, D>| -> Result<Arc<dyn Shape<D>>> {
        Ok(Arc::new(Cuboid::from_corners(low, high).map_err(invalid)?))
    };
    let low = Vector::from_fn(|a| if a == 1 { -DX } else { -out });
    let mut high = Vector::from_fn(|a| if a == 1 { 0.0 } else { out });
    if leaks {
        high[0] = 0.4 * half;
    }
    let mut parts = vec![part(low, high)?];
    for axis in (0..D).filter(|&a| a != 1) {
        for side in [-1.0, 1.0] {
            let mut low = Vector::from_fn(|a| if a == 1 { -DX } else { -out });
            let mut high = Vector::from_fn(|a| if a == 1 { HIGH } else { out });
            low[axis] = if side < 0.0 { -out } else { half };
            high[axis] = if side < 0.0 { -half } else { out };
            parts.push(part(low, high)?);
        }
    }
    Ok(Arc::new(Union::new(parts).map_err(invalid)?))
}

/// The cup's pose and how it changes.
fn placed<const D: usize>(stand: Stand, t: f64) -> (Pose<D>, Twist<D>) {
    let mut pose = Pose::at(Vector::from_fn(|a| [0.37, 0.21, 0.43][a] * DX));
    let mut twist = Twist::zero();
    match stand {
        Stand::Tilted => {
            let (s, c) = 20f64.to_radians().sin_cos();
            pose.rotation[(0, 0)] = c;
            pose.rotation[(1, 1)] = c;
            pose.rotation[(0, 1)] = -s;
            pose.rotation[(1, 0)] = s;
        }
        Stand::Shaken => {
            let (s, c) = (TAU * 2.0 * t).sin_cos();
            pose.translation[0] += 0.02 * s;
            twist.linear[0] = 0.02 * TAU * 2.0 * c;
        }
        Stand::Still | Stand::Leaking => {}
    }
    (pose, twist)
}

/// The cup as an obstacle.
fn collider<const D: usize>(stand: Stand, friction: f64) -> Result<Collider<D>> {
    let shape = cup::<D>(stand == Stand::Leaking)?;
    let contact = Contact::Separating { friction };
    let collider = if stand == Stand::Shaken {
        let motion = Motion::Path(Arc::new(move |t| placed(stand, t)));
        Collider::rigid("cup", shape, motion, contact)
    } else {
        let (start, _) = placed::<D>(stand, 0.0);
        let shape = Arc::new(Transformed::new(shape, start));
        Collider::rigid("cup", shape, Motion::Fixed, contact)
    };
    collider.map_err(invalid)
}

/// How deep the deepest of the points is in the wall, in cells.
fn deepest<const D: usize>(cup: &Collider<D>, x: &[Vector<f64, D>], t: f64) -> f64 {
    worst(x.iter().map(|x| -cup.obstacle.distance(x, t) / DX))
}

fn hold<const D: usize, L: Law<f64, D>>(
    law: L,
    density: f64,
    friction: f64,
    stand: Stand,
    until: f64,
) -> Result<Found> {
    let domain = lab::domain::<D>(DX)?;
    let mut world: World<f64, D> = lab::world(domain, 0)?;
    world.gravity = Vector::axis(1) * -9.81;
    world.colliders.push(collider(stand, friction)?);
    let (start, _) = placed::<D>(stand, 0.0);
    let half = half::<D>();
    let low = Vector::from_fn(|a| if a == 1 { 0.0 } else { -half });
    let high = Vector::from_fn(|a| if a == 1 { full::<D>() } else { half });
    let volume = (0.5 * DX).powi(D as i32);
    let seeds = lattice(DX, 2, low, high).into_iter();
    let seeds = seeds.map(|x| Seed::new(start.apply(&x), volume, density));
    world.add(lab::set(
        "filling",
        &domain,
        law,
        Options::default(),
        seeds,
    )?)?;
    let mut found = Found::default();
    while world.time() < until {
        world.advance((world.time() + 0.02).min(until))?;
        let (pose, _) = placed::<D>(stand, world.time());
        let p = columns(&world, "filling")?;
        let depth = deepest(&world.colliders[0], &p.x, world.time());
        found.depth = worst([found.depth, depth]);
        let mut lost = 0.0;
        for x in &p.x {
            let x = pose.back(x);
            let beside = (0..D).any(|a| a != 1 && x[a].abs() > half + 0.1 * DX);
            lost += f64::from(u8::from(beside || x[1] < -0.1 * DX));
        }
        found.lost = lost;
    }
    Ok(found)
}

fn both<const D: usize>(b: &mut Bench, stand: Stand, name: &str, until: f64) -> Result<()> {
    let water: Liquid<f64> = Liquid::with_speed_of_sound(1000.0, 20.0, 1e-3);
    let found = [
        (
            "sand",
            hold::<D, _>(sand::<f64, D>(3.537e5, 30.0)?, DENSITY, 0.4, stand, until)?,
        ),
        ("water", hold::<D, _>(water, 1000.0, 0.0, stand, until)?),
    ];
    for (what, found) in found {
        b.at_most(
            &format!("{D}D {name}, {what}, {until} s: particles lost"),
            found.lost,
            0.0,
            Tag::X,
        );
        if stand == Stand::Leaking {
            b.control();
            continue;
        }
        depth(b, &format!("{D}D {name}, {what}, {until} s"), found.depth);
    }
    Ok(())
}

fn depth(b: &mut Bench, name: &str, found: f64) {
    b.at_most(&format!("{name}: depth in the wall/dx"), found, 0.1, Tag::X);
}

/// W1: not one particle is lost, nor deeper than 0.1 dx in the wall.
pub fn w1(b: &mut Bench) -> Result<()> {
    let until = if b.long { 10.0 } else { 1.0 };
    both::<2>(b, Stand::Still, "cup", until)?;
    both::<2>(b, Stand::Tilted, "tilted cup", until)?;
    both::<2>(b, Stand::Shaken, "shaken cup", until)?;
    both::<2>(b, Stand::Leaking, "leaking cup", 1.0)?;
    if b.long {
        both::<3>(b, Stand::Still, "cup", until)?;
    }
    // Of two particles in the still cup, one is moved into the floor or a wall.
    let (pose, _) = placed::<2>(Stand::Still, 0.0);
    let half = half::<2>();
    for (name, x) in [
        ("floor", [0.0, -0.2 * DX]),
        ("left wall", [-half - 0.2 * DX, 0.5 * HIGH]),
        ("right wall", [half + 0.2 * DX, 0.5 * HIGH]),
    ] {
        let x = [Vector([0.0, 0.5 * HIGH]), Vector(x)].map(|x| pose.apply(&x));
        let found = deepest(&collider(Stand::Still, 0.0)?, &x, 0.0);
        depth(
            b,
            &format!("2D cup, a particle 0.2 dx in the {name}"),
            found,
        );
        b.control();
    }
    Ok(())
}
