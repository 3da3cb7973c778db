//! The common work, and what differs from it by one thing.
//!
//! 1,000,000 particles, uniform random in a cube of 50³ cells, 8 per cell, dx = 1/128 m, quadratic, APIC
//! with moving least squares, f32, ρ 1000, E 1e6, ν 0.2, dt 1e-4, v = (0, −1, 0), g = 9.8. The cube begins
//! 4 cells above the origin; nodes below the third (j < 3) do not let matter through downwards. So do the
//! kernels in `benches/peers`, whose side walls are never reached.
//!
//! Materials are theirs but for: `nh` (ours has λ ln J where theirs has λ/2 (J² − 1)), `snow` (hardening
//! between 1/5 and 5, theirs below 5), `water` (ours bears no tension).

use thixo::core::World;
use thixo::grid::{Domain, Exec, KernelKind};
use thixo::material::{Values, card};
use thixo::math::{Matrix, Real, Vector};
use thixo::mpm::{Mpm, Options, Seed, named_matter};
use thixo::shape::{Collider, Contact, Obstacle};

use super::measure::{Plan, Row};
use super::work::{Stuff, Variant};
use crate::report::Failure;

/// Spacing of nodes \[m\].
const DX: f64 = 1.0 / 128.0;
/// Step \[s\].
const DT: f64 = 1e-4;
/// \[m/s²\]
const GRAVITY: f64 = 9.8;
/// Particles of the common work.
pub const PARTICLES: usize = 1_000_000;
/// Substeps before the first measurement.
const WARM_UP: u32 = 5;

/// Builds and measures it.
pub fn measure(
    name: &str,
    stuff: &Stuff,
    variant: Variant,
    particles: Option<usize>,
    plan: &Plan,
) -> Result<Row, Failure> {
    let usual = if variant == Variant::Large { 10 } else { 1 } * PARTICLES;
    let n = particles.unwrap_or(usual);
    match variant {
        Variant::Flat => of::<f32, 2>(name, stuff, variant, n, plan),
        Variant::Double => of::<f64, 3>(name, stuff, variant, n, plan),
        _ => of::<f32, 3>(name, stuff, variant, n, plan),
    }
}

fn of<T: Real, const D: usize>(
    name: &str,
    stuff: &Stuff,
    variant: Variant,
    particles: usize,
    plan: &Plan,
) -> Result<Row, Failure> {
    let mut world = world::<T, D>(stuff, variant, particles, plan.exec()?)?;
    Ok(plan.measure(name, &mut world, WARM_UP, f64::INFINITY)?)
}

/// Nothing falls below the third node.
#[derive(Debug)]
struct Floor;

impl<const D: usize> Obstacle<D> for Floor {
    /// Nodes on the surface count as inside: those of j ≤ 2 are.
    fn distance(&self, x: &Vector<f64, D>, _: f64) -> f64 {
        x[1] - 2.0 * DX
    }
    fn normal(&self, _: &Vector<f64, D>, _: f64) -> Vector<f64, D> {
        Vector::axis(1)
    }
    fn velocity(&self, _: &Vector<f64, D>, _: f64) -> Vector<f64, D> {
        Vector::zero()
    }
}

/// The parameters of a law.
fn values<const D: usize>(law: &str) -> Vec<(&'static str, f64)> {
    let mut solid = vec![("youngs_modulus", 1e6), ("poissons_ratio", 0.2)];
    match law {
        "liquid" => return vec![("bulk_modulus", 5e5)],
        "sand" => {
            // Klár's slope of the cone for 35°, as the angle that an incline shows.
            let sin = 35f64.to_radians().sin();
            let alpha = (2f64 / 3.0).sqrt() * 2.0 * sin / (3.0 - sin);
            let angle = (D as f64 * alpha / 2f64.sqrt()).atan();
            solid.push(("friction_angle", angle));
        }
        "snow" => solid.extend([
            ("critical_compression", 2.5e-2),
            ("critical_stretch", 4.5e-3),
            ("hardening", 10.0),
            ("hardening_limit", 5f64.ln()),
        ]),
        _ => {}
    }
    solid
}

fn world<T: Real, const D: usize>(
    stuff: &Stuff,
    variant: Variant,
    particles: usize,
    exec: Exec,
) -> Result<World<T, D>, Failure> {
    let wrong = |e: &dyn std::fmt::Display| Failure::Request(e.to_string());
    let domain = Domain::<D>::new(DX).map_err(|e| wrong(&e))?;
    let card = card(stuff.law).ok_or_else(|| wrong(&stuff.law))?;
    let values = Values::new(card, values::<D>(stuff.law)).map_err(|e| wrong(&e))?;
    let matter = named_matter(stuff.law, &values).ok_or_else(|| wrong(&stuff.law))?;
    let matter = matter.map_err(|e| wrong(&e))?;
    let mut options = Options::default();
    if variant == Variant::Cubic {
        options.kernel = KernelKind::Cubic;
    }
    // The step is part of the work, also where hardened snow would get a shorter one. States that are
    // far from rest need what they need.
    if !matches!(variant, Variant::Inverted | Variant::Strained) {
        options.safety = 2.0;
    }
    let mut set = Mpm::new(stuff.name, &domain, matter, options);
    set.add(seeds(variant, particles))
        .map_err(thixo::Error::from)?;
    let mut world = World::<T, D>::new(domain, exec);
    world.gravity = -Vector::axis(1) * GRAVITY;
    world.colliders = vec![Collider {
        name: "floor".into(),
        obstacle: Box::new(Floor),
        contact: Contact::Separating { friction: 0.0 },
    }];
    world.limit_step(DT);
    world.add(set).map_err(thixo::Error::from)?;
    Ok(world)
}

/// The particles: 2 along each edge of a cell on average.
fn seeds<const D: usize>(variant: Variant, particles: usize) -> impl Iterator<Item = Seed<D>> {
    let per_cell = 2f64.powi(D as i32);
    let side = (particles as f64 / per_cell).powf(1.0 / D as f64) * DX;
    let low = |a: usize, size: f64| if a == 1 { 4.0 * DX } else { 0.5 - 0.5 * size };
    let grains = match variant {
        Variant::Far => 1 << D,
        _ => 0,
    };
    let mut random = random();
    (0..particles).map(move |i| {
        // Grains are in the corners of a box whose edges are 100 times as long.
        let x = match particles - i {
            left if left <= grains => {
                let corner = |a: usize| ((left - 1) >> a & 1) as f64;
                Vector::from_fn(|a| low(a, 100.0 * side) + corner(a) * 100.0 * side)
            }
            _ => Vector::from_fn(|a| low(a, side) + side * random()),
        };
        let mut seed = Seed::new(x, DX.powi(D as i32) / per_cell, 1000.0);
        match variant {
            Variant::Inverted if i % 100 == 0 => seed.F[(0, 0)] = -1.0,
            Variant::Strained => {
                seed.F += Matrix::from_fn(|_, _| 0.2 * (2.0 * random() - 1.0));
            }
            _ => {}
        }
        seed.moving(-Vector::axis(1))
    })
}

/// Numbers in [0, 1) from a fixed start.
fn random() -> impl FnMut() -> f64 {
    let mut state = 1u64;
    move || {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1u64 << 53) as f64
    }
}
