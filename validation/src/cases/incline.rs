//! P5: an infinite slope of sand. It rests below its friction angle and slides as Coulomb says above.
//!
//! What bounds the accuracy: above the sticky floor the velocity has a kink, which APIC's transfers
//! smooth like a fourth-order diffusion (they keep affine fields). The sheared zone is therefore not one
//! cell thick but δ ~ dx n^¼ after n steps, and what it drags along below, the block above gains: its
//! acceleration is too high by a few per cent, the less the deeper the slab. So the slab is 32 cells deep, and
//! the window is early; at 16 cells the error is 3.7 % (--long shows it).

use thixo_core::Result;
use thixo_material::flow::Sand;
use thixo_material::reference;
use thixo_math::Vector;
use thixo_mpm::{Options, Seed};
use thixo_shape::Contact;

use super::ground::{DENSITY, G, sand, sheared};
use crate::lab::{self, columns, lattice, worst};
use crate::{Bench, Tag};

/// The angle that the sand is to show \[degrees\].
const ANGLE: f64 = 30.0;
/// Young's modulus \[Pa\]: strains stay below 0.3 %.
const STIFF: f64 = 1e6;
const DX: f64 = 0.01;
/// Depth of the slab in cells.
const DEEP: f64 = 32.0;
/// The window in which acceleration is measured \[s\].
const WINDOW: [f64; 2] = [0.05, 0.2];

/// How a slab moved.
struct Slid {
    /// Mean acceleration of the upper half along the slope \[m/s²\].
    acceleration: f64,
    /// Farthest way along the slope of any particle, in cells.
    way: f64,
    /// Largest speed at the end \[m/s\].
    speed: f64,
}

/// A slab on a sticky floor, periodic along the slope, with gravity tilted by `tilt` \[degrees\]. It
/// starts with equal normal stresses and with the shear that balances gravity, as far as the friction
/// `shown` \[degrees\] bears it: nothing has to settle.
fn slide<const D: usize>(law: Sand<f64>, shown: f64, tilt: f64, deep: f64) -> Result<Slid> {
    let (tilt, shown) = (tilt.to_radians(), shown.to_radians());
    let lengths: [f64; D] = std::array::from_fn(|a| [8.0 * DX, 0.0, 4.0 * DX][a]);
    let domain = lab::periodic::<D>(DX, lengths)?;
    let high = Vector::from_fn(|a| if a == 1 { deep * DX } else { lengths[a] });
    let volume = (0.5 * DX).powi(D as i32);
    let lame = law.elastic.lame;
    let starts = lattice(DX, 2, Vector::zero(), high);
    let seeds = starts.iter().map(|&x| {
        let weight = DENSITY * G * (deep * DX - x[1]);
        let normal = weight * tilt.cos();
        let shear = (weight * tilt.sin()).min(normal * shown.tan());
        Seed {
            F: sheared(&lame, normal, shear),
            ..Seed::new(x, volume, DENSITY)
        }
    });
    let mut world = lab::world::<f64, D>(domain, 0)?;
    world.gravity = Vector::from_fn(|a| [G * tilt.sin(), -G * tilt.cos(), 0.0][a]);
    world
        .colliders
        .push(lab::wall(1, 0.0, 1.0, Contact::Sticky));
    world.add(lab::set("slab", &domain, law, Options::default(), seeds)?)?;
    let mut mean = [0.0; 2];
    for (mean, t) in mean.iter_mut().zip(WINDOW) {
        world.advance(t)?;
        let p = columns(&world, "slab")?;
        let upper = (0..starts.len()).filter(|&i| starts[i][1] > 0.5 * deep * DX);
        *mean = upper.clone().map(|i| p.v[i][0]).sum::<f64>() / upper.count() as f64;
    }
    let p = columns(&world, "slab")?;
    let way = p.x.iter().zip(&starts).map(|(x, s)| {
        let d = x[0] - s[0];
        (d - (d / lengths[0]).round() * lengths[0]).abs() / DX
    });
    Ok(Slid {
        acceleration: (mean[1] - mean[0]) / (WINDOW[1] - WINDOW[0]),
        way: worst(way),
        speed: world.totals().fastest,
    })
}

/// g (sin θ − tan θ_f cos θ)
fn coulomb(tilt: f64) -> f64 {
    let (s, c) = tilt.to_radians().sin_cos();
    G * (s - ANGLE.to_radians().tan() * c)
}

fn dimension<const D: usize>(b: &mut Bench, tilts: &[f64]) -> Result<()> {
    let wave = (G * DEEP * DX).sqrt();
    let below = ANGLE - 0.5;
    let rest = slide::<D>(sand::<f64, D>(STIFF, ANGLE)?, ANGLE, below, DEEP)?;
    let name = format!("{D}D, θ_f = {ANGLE}°, slope {below}°");
    b.at_most(&format!("{name}: way along it/dx"), rest.way, 0.1, Tag::G);
    b.at_most(
        &format!("{name}: speed/√(gH)"),
        rest.speed / wave,
        1e-3,
        Tag::G,
    );
    for &tilt in tilts {
        let slid = slide::<D>(sand::<f64, D>(STIFF, ANGLE)?, ANGLE, tilt, DEEP)?;
        let name = format!("{D}D, θ_f = {ANGLE}°, slope {tilt}°: acceleration");
        b.relative(&name, slid.acceleration, coulomb(tilt), 0.03, Tag::G);
    }
    if b.long {
        let slid = slide::<D>(sand::<f64, D>(STIFF, ANGLE)?, ANGLE, 35.0, 0.5 * DEEP)?;
        let name = format!("{D}D, θ_f = {ANGLE}°, slope 35°, half as deep: acceleration");
        b.relative(&name, slid.acceleration, coulomb(35.0), 0.03, Tag::G);
    }
    // Klár's α with φ = 30°, which shows 24.8° in 2D and 34.7° in 3D.
    let alpha = reference::textbook_slope(ANGLE.to_radians());
    let shown = (D as f64 * alpha / 2f64.sqrt()).atan().to_degrees();
    let textbook = Sand {
        alpha,
        ..sand::<f64, D>(STIFF, ANGLE)?
    };
    let slid = slide::<D>(textbook, shown, 40.0, DEEP)?;
    let name = format!("{D}D, the textbook's α(30°), slope 40°: acceleration");
    b.relative(&name, slid.acceleration, coulomb(40.0), 0.03, Tag::G);
    b.control();
    let wrong = ANGLE - 2.0;
    let slid = slide::<D>(sand::<f64, D>(STIFF, wrong)?, wrong, below, DEEP)?;
    b.at_most(
        &format!("{D}D, θ_f = {wrong}°, slope {below}°: way along it/dx"),
        slid.way,
        0.1,
        Tag::G,
    );
    b.control();
    Ok(())
}

/// P5: rest below θ_f − ½°, acceleration g (sin θ − tan θ_f cos θ) above.
pub fn p5(b: &mut Bench) -> Result<()> {
    dimension::<2>(b, &[32.0, 35.0, 40.0])?;
    dimension::<3>(b, if b.long { &[32.0, 35.0, 40.0] } else { &[35.0] })
}
