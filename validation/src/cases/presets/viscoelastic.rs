//! Foam, pastes, creams, a sponge, a crust and frozen yogurt.

use thixo_core::Result;
use thixo_numerics::integrate::Integrator;

use super::{G, Of, block, mean, value, wall, world};
use crate::lab::columns;
use crate::{Bench, Tag};

const SLOPE: f64 = 30.0;

/// A push along the slope per volume \[N/m³\].
fn push(preset: &str) -> f64 {
    value(preset, "density") * G * SLOPE.to_radians().sin()
}

/// A layer of depth `deep` on a slope to which it sticks, by implicit steps: the speed of its surface \[m/s\] and how far
/// it has come \[m\].
fn layer(of: Of, deep: f64, time: f64, dt: f64) -> Result<(f64, f64)> {
    let dx = deep / 16.0;
    let length = 8.0 * dx;
    let (s, c) = SLOPE.to_radians().sin_cos();
    let top = format!("resolution = {dx}\ngravity = [{}, {}]", G * s, -G * c);
    let tables = format!("[periodic]\nx = {length}\n")
        + &block([0.0, 0.0], [length, deep])
        + &wall([0.0, 0.0], [0.0, 1.0], "\"sticky\"");
    let mut world = world(of, &top, &tables)?;
    world.integrator = Integrator::Implicit;
    world.limit_step(dt);
    let start = columns(&world, "m")?.x;
    world.advance(time)?;
    let p = columns(&world, "m")?;
    let upper: Vec<usize> = (0..p.x.len())
        .filter(|&i| start[i][1] > deep - 2.0 * dx)
        .collect();
    let way = |i: &usize| {
        let d = p.x[*i][0] - start[*i][0];
        d - (d / length).round() * length
    };
    let speed = mean(upper.iter().map(|&i| p.v[i][0]));
    Ok((speed, mean(upper.iter().map(way))))
}

/// Slow flow has the viscosity η + μ Wi, and the surface of a layer runs at ρ g sin θ h²/2(η + μ Wi).
fn creeps(
    b: &mut Bench,
    preset: &str,
    deep: f64,
    (time, dt): (f64, f64),
    wrong: &str,
) -> Result<()> {
    let (mu, wi) = (
        value(preset, "shear_modulus"),
        value(preset, "relaxation_time"),
    );
    let eta = value(preset, "viscosity") + mu * wi;
    let reference = push(preset) * deep * deep / (2.0 * eta);
    for changed in ["", wrong] {
        let (speed, _) = layer(Of(preset, changed), deep, time, dt)?;
        let name = if changed.is_empty() {
            preset.to_string()
        } else {
            format!("… with {}", changed.replace('"', ""))
        };
        let title = format!("{name}: surface of {} cm on 30°/(mm/s)", 100.0 * deep);
        b.relative(&title, 1e3 * speed, 1e3 * reference, 0.1, Tag::P);
        if !changed.is_empty() {
            b.control();
        }
    }
    Ok(())
}

pub(super) fn rows(b: &mut Bench) -> Result<()> {
    creeps(
        b,
        "shaving-foam",
        0.05,
        (2.5, 0.02),
        "relaxation_time = \"1 s\"",
    )?;
    creeps(
        b,
        "toothpaste",
        0.02,
        (1.5, 0.02),
        "viscosity = \"50 Pa s\"",
    )?;
    creeps(
        b,
        "ice-cream",
        0.02,
        (0.5, 0.005),
        "relaxation_time = \"0.2 s\"",
    )?;
    creeps(
        b,
        "pie-cream",
        0.01,
        (0.1, 0.001),
        "relaxation_time = \"1 ms\"",
    )?;
    creeps(
        b,
        "pie-crust-scored",
        0.05,
        (5.0, 0.04),
        "relaxation_time = \"2 s\"",
    )?;
    solids(b)?;
    yogurt(b)
}

/// The surface of a layer of a solid comes ρ g sin θ h²/2μ far, and stays there.
fn solids(b: &mut Bench) -> Result<()> {
    let deep = 0.2;
    let reference = push("sponge") * deep * deep / (2.0 * value("sponge", "shear_modulus"));
    for (name, changed) in [
        ("sponge", ""),
        ("… that relaxes in 0.1 s", "relaxation_time = \"0.1 s\""),
    ] {
        let (_, way) = layer(Of("sponge", changed), deep, 0.5, 0.005)?;
        let title = format!("{name}: way of the surface of 20 cm on 30°/mm");
        b.relative(&title, 1e3 * way, 1e3 * reference, 0.1, Tag::P);
        if !changed.is_empty() {
            b.control();
        }
    }
    for preset in ["pie-crust", "pie-crust-scored"] {
        let (_, way) = layer(Of(preset, ""), 0.05, 0.1, 0.001)?;
        let title = format!("{preset}: way of the surface of 5 cm on 30°/h");
        b.at_most(&title, way.abs() / 0.05, 1e-4, Tag::G);
    }
    b.control();
    Ok(())
}

/// A Bingham fluid of the viscosity μ t: a layer flows where it is deeper than h₀ = τ_y/ρ g sin θ, and its surface then runs
/// at ρ g sin θ (h − h₀)²/2μt.
fn yogurt(b: &mut Bench) -> Result<()> {
    let preset = "frozen-yogurt";
    let mu = value(preset, "youngs_modulus") / (2.0 * (1.0 + value(preset, "poissons_ratio")));
    let eta = mu * value(preset, "relaxation_time");
    let critical = value(preset, "yield_stress") / 3f64.sqrt() / push(preset);
    let reference = push(preset) * critical * critical / (2.0 * eta);
    let thin = 0.7 * critical;
    for (name, changed) in [
        (preset, ""),
        ("… half as strong", "yield_stress = \"400 Pa\""),
    ] {
        let (speed, _) = layer(Of(preset, changed), thin, 1.0, 0.005)?;
        let title = format!("{name}: speed of a thin layer on 30°/(mm/s)");
        b.at_most(&title, 1e3 * speed.abs(), 1.0, Tag::G);
        if !changed.is_empty() {
            b.control();
        }
    }
    for (name, changed) in [
        (preset, ""),
        ("… twice as slow", "relaxation_time = \"0.1 s\""),
    ] {
        let (speed, _) = layer(Of(preset, changed), 2.0 * critical, 1.5, 0.005)?;
        let title = format!("{name}: … of one twice as deep as it bears/(mm/s)");
        b.relative(&title, 1e3 * speed, 1e3 * reference, 0.15, Tag::P);
        if !changed.is_empty() {
            b.control();
        }
    }
    Ok(())
}
