//! Sand and soil: angles of repose, banks that stand or fall.

use thixo_core::Result;

use super::{G, Of, block, mean, places, slow_gravity, value, wall, world};
use crate::lab::worst;
use crate::{Bench, Tag};

/// The slope \[degrees\] that is left when the wall in front of a bed draws back slowly.
fn repose(of: Of) -> Result<f64> {
    let (wide, high, dx, speed) = (0.1, 0.08, 0.005, 0.1);
    let gate = wall([wide, 0.0], [-1.0, 0.0], "\"slip\"")
        + &format!("motion = {{ velocity = [{speed}, 0] }}\n");
    let tables = block([0.0, 0.0], [wide, high])
        + &wall([0.0, 0.0], [1.0, 0.0], "\"slip\"")
        + &wall([0.0, 0.0], [0.0, 1.0], "{ friction = 0.7 }")
        + &gate;
    let mut world = world(of, &format!("resolution = {dx}"), &tables)?;
    world.advance(1.5)?;
    let x = places(&world)?;
    // The highest particle in every column of cells; the line through those of middle height.
    let mut tops = vec![0f64; 64];
    for x in &x {
        let n = (x[0] / dx).max(0.0) as usize;
        if let Some(top) = tops.get_mut(n) {
            *top = top.max(x[1]);
        }
    }
    let peak = worst(tops.iter().copied());
    let middle = |top: &f64| (0.15 * peak..0.8 * peak).contains(top);
    let line: Vec<(f64, f64)> = (0..64)
        .filter(|&n| middle(&tops[n]))
        .map(|n| (n as f64 * dx, tops[n]))
        .collect();
    let (x0, y0) = (
        mean(line.iter().map(|p| p.0)),
        mean(line.iter().map(|p| p.1)),
    );
    let xy = mean(line.iter().map(|p| (p.0 - x0) * (p.1 - y0)));
    let xx = mean(line.iter().map(|p| (p.0 - x0).powi(2)));
    Ok((-xy / xx).atan().to_degrees())
}

/// The speed \[m/s\] along a tilted bed of 8 cm that starts from rest, after 0.7 s.
///
/// The bed repeats itself after twice its depth. What yields first are planes across the slope, since
/// the stress along it is the lower one (the elastic K0); they travel as waves until the two stresses are
/// equal. In a bed that repeats after half its depth such a wave never ends, and a slope of 28° creeps.
fn tilted(of: Of, degrees: f64) -> Result<f64> {
    let (deep, dx) = (0.08, 0.005);
    let (s, c) = degrees.to_radians().sin_cos();
    let pull = |part: f64| format!("\"{}*tanh(t/0.05)\"", G * part);
    let tables = format!("[periodic]\nx = {}\n", 2.0 * deep)
        + &block([0.0, 0.0], [2.0 * deep, deep])
        + &wall([0.0, 0.0], [0.0, 1.0], "\"sticky\"")
        + &format!("[[forces]]\nacceleration = [{}, {}]\n", pull(s), pull(-c));
    let top = format!("resolution = {dx}\ngravity = [0, 0]");
    let mut world = world(of, &top, &tables)?;
    world.advance(0.7)?;
    let t = world.totals();
    Ok(t.momentum[0] / t.mass)
}

/// How far the crest of a vertical bank comes down, over its height.
fn bank(of: Of, high: f64) -> Result<f64> {
    let dx = high / 14.0;
    let unit = (high / G).sqrt();
    let tables = block([0.0, 0.0], [1.5 * high, high])
        + &wall([0.0, 0.0], [1.0, 0.0], "\"slip\"")
        + &wall([0.0, 0.0], [0.0, 1.0], "{ friction = 0.7 }")
        + &slow_gravity(unit);
    let top = format!("resolution = {dx}\ngravity = [0, 0]");
    let mut world = world(of, &top, &tables)?;
    let start = places(&world)?;
    world.advance(6.0 * unit)?;
    let end = places(&world)?;
    let crest = |i: &usize| start[*i][0] > 1.2 * high && start[*i][1] > 0.9 * high;
    let fall = (0..start.len())
        .filter(crest)
        .map(|i| start[i][1] - end[i][1]);
    Ok(mean(fall) / high)
}

/// The critical height of a vertical bank by Rankine's wedge \[m\]. In plane strain the law's circle of
/// stress has the radius c + p tan θ, so that 4 c/(ρ g (1 − tan θ)) takes the place of Terzaghi's
/// (4 c/γ) tan(45° + φ/2).
fn critical(preset: &str) -> f64 {
    let tan = value(preset, "friction_angle").tan();
    4.0 * value(preset, "cohesion") / (value(preset, "density") * G * (1.0 - tan))
}

pub(super) fn rows(b: &mut Bench) -> Result<()> {
    let speed = tilted(Of("dry-sand", ""), 31.0)?;
    b.at_most(
        "dry-sand: speed on a slope of 31°/(m/s)",
        speed.abs(),
        0.005,
        Tag::P,
    );
    let speed = tilted(Of("dry-sand", ""), 35.0)?;
    b.at_least("dry-sand: … of 35°", speed, 0.05, Tag::P);
    let wrong = Of("dry-sand", "friction_angle = \"29 deg\"");
    b.at_most(
        "… with 29°, on 31°",
        tilted(wrong, 31.0)?.abs(),
        0.005,
        Tag::P,
    );
    b.control();
    let angle = repose(Of("dry-sand", ""))?;
    b.between("dry-sand: slope of a heap/°", angle, 25.0, 35.0, Tag::G);
    let wrong = Of("dry-sand", "friction_angle = \"25 deg\"");
    b.between("… with 25°: slope/°", repose(wrong)?, 25.0, 35.0, Tag::G);
    b.control();
    for (name, high) in [("wet-sand", 0.25), ("soil", 1.2)] {
        let limit = critical(name);
        let stands = bank(Of(name, ""), high)?;
        let title = format!("{name}: crest of a bank of {high} m falls/H");
        b.at_most(&title, stands, 0.03, Tag::G);
        let stands = bank(Of(name, ""), 0.6 * limit)?;
        let title = format!("{name}: … of 0.6 of its critical {limit:.2} m");
        b.at_most(&title, stands, 0.03, Tag::G);
        let falls = bank(Of(name, ""), 2.0 * limit)?;
        b.at_least(&format!("{name}: … of twice that"), falls, 0.1, Tag::G);
        let falls = bank(Of(name, "cohesion = 0"), high)?;
        let title = format!("… of {high} m without cohesion");
        b.at_most(&title, falls, 0.03, Tag::G);
        b.control();
    }
    Ok(())
}
