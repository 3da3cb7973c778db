//! The common work: 1,000,000 particles, uniform random in a cube of 50³ cells, 8 per cell,
//! dx = 1/128, quadratic, APIC with moving least squares, f32, ρ 1000, E 1e6, ν 0.2, dt 1e-4,
//! v = (0, −1, 0), gravity, a floor. A substep is everything from one particle state to the next.
//!
//! `common-work [LAW] [THREADS] [STEPS] [REPETITIONS]` prints the best of the repetitions.

use std::time::Instant;

use thixo_core::World;
use thixo_grid::{Domain, Exec};
use thixo_material::{Values, card};
use thixo_math::Vector;
use thixo_mpm::{Mpm, Options, Seed, named_matter};
use thixo_shape::{Collider, Contact, Obstacle};

/// The floor of the common work: three cells above the origin.
#[derive(Debug)]
struct Floor;

impl Obstacle<3> for Floor {
    fn distance(&self, x: &Vector<f64, 3>, _: f64) -> f64 {
        x[1] - 3.0 / 128.0
    }
    fn normal(&self, _: &Vector<f64, 3>, _: f64) -> Vector<f64, 3> {
        Vector::axis(1)
    }
    fn velocity(&self, _: &Vector<f64, 3>, _: f64) -> Vector<f64, 3> {
        Vector::zero()
    }
}

/// The parameters of the common work for a law.
fn values(name: &str) -> Vec<(&'static str, f64)> {
    match name {
        "liquid" => vec![("bulk_modulus", 5e5)],
        "sand" => vec![
            ("youngs_modulus", 1e6),
            ("poissons_ratio", 0.2),
            ("friction_angle", 35f64.to_radians()),
        ],
        _ => vec![("youngs_modulus", 1e6), ("poissons_ratio", 0.2)],
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let name = args.first().map_or("neo-hookean", String::as_str);
    let number = |i: usize, default: usize| args.get(i).map_or(Ok(default), |s| s.parse());
    let (threads, steps, reps) = (number(1, 1)?, number(2, 20)?, number(3, 3)?);

    let dx = 1.0 / 128.0;
    let domain = Domain::<3>::new(dx)?;
    let card = card(name).ok_or("no such law")?;
    let matter = named_matter(name, &Values::new(card, values(name))?).ok_or("no such law")??;
    let mut set = Mpm::new(name, &domain, matter, Options::default());
    let n = 1_000_000;
    let mut random = random();
    set.add((0..n).map(|_| {
        let x = Vector::from_fn(|a| ([39.0, 20.0, 39.0][a] + 50.0 * random()) * dx);
        Seed::new(x, (0.5 * dx).powi(3), 1000.0).moving(Vector([0.0, -1.0, 0.0]))
    }))?;
    let mut world = World::<f32, 3>::new(domain, Exec::new(threads)?);
    world.gravity = Vector([0.0, -9.8, 0.0]);
    world.colliders = vec![Collider {
        name: "floor".into(),
        obstacle: Box::new(Floor),
        contact: Contact::Separating { friction: 0.0 },
    }];
    world.limit_step(1e-4);
    world.add(set)?;

    world.advance(5e-4)?;
    let mut best = f64::INFINITY;
    for r in 0..reps {
        let start = Instant::now();
        let stop = 5e-4 + (r + 1) as f64 * steps as f64 * 1e-4;
        let taken = world.advance(stop)?;
        best = best.min(start.elapsed().as_secs_f64() / taken as f64);
    }
    let rate = n as f64 / best / 1e6;
    println!(
        "{name}: {rate:.2} M particles/s, {:.1} ns a particle, {threads} threads",
        1e3 / rate
    );
    Ok(())
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
