//! `thixo bench`: how fast this machine is on the common work.
//!
//! 1,000,000 particles, uniform random in a cube of 50³ cells, 8 per cell, dx = 1/128, quadratic, APIC
//! with moving least squares, f32, ρ 1000, E 1e6, ν 0.2, dt 1e-4, v = (0, −1, 0), gravity, a floor. A
//! substep is everything from one particle state to the next, by the code of `run`.

use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;

use serde_json::json;
use thixo::core::World;
use thixo::grid::{Domain, Exec};
use thixo::material::{Values, card};
use thixo::math::Vector;
use thixo::mpm::{Mpm, Options, Seed, named_matter};
use thixo::shape::{Collider, Contact, Obstacle};

use crate::report::Failure;

/// Which work, and how.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  thixo bench
  thixo bench snow sand --threads 1 --json")]
pub struct Args {
    /// Work: jelly, nh, snow, sand, water [default: all]
    #[arg(value_parser = WORKS.map(|w| w.0))]
    work: Vec<String>,
    /// Number of threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Substeps of one measurement
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u32).range(1..))]
    steps: u32,
    /// Measurements; the best counts
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,
    /// Write a JSON array
    #[arg(long)]
    json: bool,
}

/// Names of the common work and the laws of it.
const WORKS: [(&str, &str); 5] = [
    ("jelly", "fixed-corotated"),
    ("nh", "neo-hookean"),
    ("snow", "snow"),
    ("sand", "sand"),
    ("water", "liquid"),
];
const PARTICLES: usize = 1_000_000;
/// Step \[s\].
const DT: f64 = 1e-4;

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
fn values(law: &str) -> Vec<(&'static str, f64)> {
    match law {
        "liquid" => vec![("bulk_modulus", 5e5)],
        "sand" => vec![
            ("youngs_modulus", 1e6),
            ("poissons_ratio", 0.2),
            ("friction_angle", 35f64.to_radians()),
        ],
        _ => vec![("youngs_modulus", 1e6), ("poissons_ratio", 0.2)],
    }
}

/// Runs the command.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let mut rows = Vec::new();
    let out = &mut std::io::stdout().lock();
    for (work, law) in WORKS {
        if !args.work.is_empty() && !args.work.iter().any(|w| w == work) {
            continue;
        }
        let (mut world, threads) = common(law, args.threads)?;
        let step = |world: &mut World<f32, 3>, n: u32| -> thixo::Result<f64> {
            let (clock, stop) = (Instant::now(), world.time() + f64::from(n) * DT);
            let taken = world.advance(stop)?;
            Ok(clock.elapsed().as_secs_f64() / taken as f64)
        };
        step(&mut world, 5)?;
        let mut best = f64::INFINITY;
        for _ in 0..args.repeat {
            best = best.min(step(&mut world, args.steps)?);
        }
        let totals = world.totals();
        let (rate, each) = (PARTICLES as f64 / best / 1e6, best / PARTICLES as f64 * 1e9);
        let height = totals.potential / totals.mass / 9.8;
        if !args.json {
            writeln!(
                out,
                "{work:6} {rate:6.2} M particles/s  {each:6.1} ns a particle  {threads} threads"
            )?;
        }
        rows.push(
            json!({"work": work, "threads": threads, "particles": PARTICLES, "mps": rate,
                         "ns_per_particle": each, "mean_height": height}),
        );
    }
    if args.json {
        writeln!(out, "{}", serde_json::Value::Array(rows))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn common(law: &str, threads: Option<u16>) -> Result<(World<f32, 3>, usize), Failure> {
    let wrong = |e: &dyn std::fmt::Display| Failure::Request(e.to_string());
    let dx = 1.0 / 128.0;
    let domain = Domain::<3>::new(dx).map_err(|e| wrong(&e))?;
    let card = card(law).ok_or_else(|| wrong(&law))?;
    let values = Values::new(card, values(law)).map_err(|e| wrong(&e))?;
    let matter = named_matter(law, &values).ok_or_else(|| wrong(&law))?;
    let matter = matter.map_err(|e| wrong(&e))?;
    let mut set = Mpm::new(law, &domain, matter, Options::default());
    let mut random = random();
    let seeds = (0..PARTICLES).map(|_| {
        let x = Vector::from_fn(|a| ([39.0, 20.0, 39.0][a] + 50.0 * random()) * dx);
        Seed::new(x, (0.5 * dx).powi(3), 1000.0).moving(Vector([0.0, -1.0, 0.0]))
    });
    set.add(seeds).map_err(thixo::Error::from)?;
    let threads = threads.map_or(0, usize::from);
    let exec = Exec::new(threads).map_err(|e| wrong(&e))?;
    let threads = exec.threads();
    let mut world = World::<f32, 3>::new(domain, exec);
    world.gravity = Vector([0.0, -9.8, 0.0]);
    world.colliders = vec![Collider {
        name: "floor".into(),
        obstacle: Box::new(Floor),
        contact: Contact::Separating { friction: 0.0 },
    }];
    world.limit_step(DT);
    world.add(set).map_err(thixo::Error::from)?;
    Ok((world, threads))
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
