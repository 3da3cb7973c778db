//! P8: a column of sand at rest.

use std::f64::consts::TAU;

use thixo_core::Result;
use thixo_material::Kin;
use thixo_material::Motion;
use thixo_math::Vector;
use thixo_mpm::{Options, Seed};
use thixo_shape::Contact;

use super::ground::{DENSITY, G, NU, sand_of};
use crate::lab::{self, columns, lattice, worst};
use crate::{Bench, Tag};

/// The angle that the sand shows on an incline \[degrees\].
const ANGLE: f64 = 30.0;
const STIFF: f64 = 3.5e6;
const HIGH: f64 = 1.0;
/// Gravity grows smoothly from nothing in this time \[s\], 7 periods of the column's slowest wave, so
/// that next to nothing oscillates.
const RAMP: f64 = 0.5;

/// What is left to see after a long rest.
struct Rest {
    speed: f64,
    /// Farthest way of a particle since gravity is full, in cells.
    creep: f64,
    /// Horizontal over vertical stress, of the middle half.
    k0: f64,
}

/// A column of sand with Poisson's ratio `nu`, whose weight grows in the time `ramp`.
fn rest<const D: usize>(cells: f64, nu: f64, ramp: f64, until: f64) -> Result<Rest> {
    let dx = HIGH / cells;
    let domain = lab::domain::<D>(dx)?;
    let law = sand_of::<f64, D>(STIFF, nu, ANGLE)?;
    let wide = 4.0 * dx;
    let high = Vector::from_fn(|a| if a == 1 { HIGH } else { wide });
    let volume = (0.5 * dx).powi(D as i32);
    let seeds = lattice(dx, 2, Vector::zero(), high).into_iter();
    let seeds = seeds.map(|x| Seed::new(x, volume, DENSITY));
    let mut world = lab::world::<f64, D>(domain, 0)?;
    for axis in 0..D {
        world
            .colliders
            .push(lab::wall(axis, 0.0, 1.0, Contact::Slip));
        if axis != 1 {
            world
                .colliders
                .push(lab::wall(axis, wide, -1.0, Contact::Slip));
        }
    }
    world.add(lab::set("column", &domain, law, Options::default(), seeds)?)?;
    while world.time() < ramp {
        let s = world.time() / ramp;
        let share = s - (TAU * s).sin() / TAU;
        world.gravity = Vector::axis(1) * (-G * share);
        world.step(ramp)?;
    }
    world.gravity = Vector::axis(1) * -G;
    let start = columns(&world, "column")?;
    world.advance(until)?;
    let p = columns(&world, "column")?;
    let way = p.x.iter().zip(&start.x).map(|(a, b)| (*a - *b).norm() / dx);
    let (mut across, mut down) = (0.0, 0.0);
    for (x, f) in p.x.iter().zip(&p.f) {
        if x[1] > 0.25 * HIGH && x[1] < 0.75 * HIGH {
            let tau = law.kirchhoff(&Kin::at(*f), &[0.0]).0;
            across += tau[(0, 0)];
            down += tau[(1, 1)];
        }
    }
    Ok(Rest {
        speed: world.totals().fastest / (G * HIGH).sqrt(),
        creep: worst(way),
        k0: across / down,
    })
}

fn moves(b: &mut Bench, name: &str, r: &Rest) {
    b.at_most(&format!("{name}: speed/√(gH)"), r.speed, 1e-4, Tag::G);
}

fn leans(b: &mut Bench, name: &str, r: &Rest) {
    // Jaky's 1 − sin φ has the angle of Mohr's circle in plane strain: sin φ = tan θ.
    let jaky = 1.0 - ANGLE.to_radians().tan();
    b.between(&format!("{name}: K0 (Jaky … 1)"), r.k0, jaky, 1.0, Tag::G);
    let elastic = NU / (1.0 - NU);
    b.relative(
        &format!("{name}: K0 = ν/(1 − ν)"),
        r.k0,
        elastic,
        0.01,
        Tag::G,
    );
}

/// P8: no speed, no creep, and a believable K₀; a sudden weight and another ν are rejected.
pub fn p8(b: &mut Bench) -> Result<()> {
    let until = if b.long { 10.0 } else { 2.0 };
    let mut show = |name: &str, r: Rest| {
        let name = format!("{name}, {until} s");
        moves(b, &name, &r);
        b.at_most(&format!("{name}: creep/dx"), r.creep, 0.1, Tag::G);
        leans(b, &name, &r);
    };
    show("2D, 64 cells high", rest::<2>(64.0, NU, RAMP, until)?);
    if until > 5.0 {
        show("3D, 32 cells high", rest::<3>(32.0, NU, RAMP, until)?);
    }
    let start = b.rows.len();
    let sudden = rest::<2>(16.0, NU, 0.0, 0.1)?;
    moves(b, "2D, 16 cells high, weight at once, 0.1 s", &sudden);
    // Its elastic K0 is 0.25, below what the angle bears: the sand yields to 0.27.
    let other = rest::<2>(16.0, 0.2, RAMP, RAMP + 0.1)?;
    leans(b, "2D, 16 cells high, ν = 0.2", &other);
    b.controls(start);
    Ok(())
}
