//! Jelly, rubber, clay and metal.

use std::f64::consts::PI;

use thixo_core::{Result, World};

use super::{G, Of, block, mean, places, slow_gravity, value, wall, world};
use crate::lab::{columns, worst};
use crate::{Bench, Tag};

/// Young's modulus of plane strain, E/(1 − ν²) \[Pa\].
fn plane(preset: &str) -> f64 {
    value(preset, "youngs_modulus") / (1.0 - value(preset, "poissons_ratio").powi(2))
}

/// A column of height `high` on a smooth floor bobs under its weight: the mean shortening over H and the
/// period \[s\].
fn column(of: Of, high: f64, period: f64) -> Result<(f64, f64)> {
    let dx = high / 16.0;
    let wide = 0.4 * high;
    let tables = block([0.0, 0.0], [wide, high]) + &wall([0.0, 0.0], [0.0, 1.0], "\"slip\"");
    let mut world = world(of, &format!("resolution = {dx}"), &tables)?;
    let start = places(&world)?;
    let steps = 40;
    let (mut tops, mut speeds) = (Vec::new(), Vec::new());
    // What is near the top.
    let upper: Vec<usize> = (0..start.len())
        .filter(|&i| start[i][1] > 0.9 * high)
        .collect();
    for n in 1..=4 * steps {
        world.advance(f64::from(n) / f64::from(steps) * period)?;
        let p = columns(&world, "m")?;
        let fall = |&i: &usize| (start[i][1] - p.x[i][1]) / start[i][1];
        tops.push(mean(upper.iter().map(fall)));
        speeds.push(mean(p.v.iter().map(|v| v[1])));
    }
    // From the first to the last time at which it turns upwards, in whole periods.
    let turns: Vec<f64> = (1..speeds.len())
        .filter(|&i| speeds[i - 1] < 0.0 && speeds[i] >= 0.0)
        .map(|i| i as f64 - speeds[i] / (speeds[i] - speeds[i - 1]))
        .collect();
    let (Some(first), Some(last)) = (turns.first(), turns.last()) else {
        return Ok((f64::NAN, f64::NAN));
    };
    let between = &tops[first.round() as usize..last.round() as usize];
    let one = (last - first) / (turns.len() - 1) as f64;
    Ok((
        mean(between.iter().copied()),
        one / f64::from(steps) * period,
    ))
}

/// Speed after a bounce over the speed before.
fn rebound(of: Of) -> Result<f64> {
    let (radius, speed) = (0.04, 4.0);
    let ball = format!(
        "[[bodies]]\nmaterial = \"m\"\nshape = {{ sphere = {{ center = [0, 0.05], radius = {radius} }} }}\nvelocity = [0, -{speed}]\n"
    );
    let tables = ball + &wall([0.0, 0.0], [0.0, 1.0], "\"separating\"");
    let mut world = world(of, "resolution = 0.004\ngravity = [0, 0]", &tables)?;
    world.advance(0.03)?;
    let t = world.totals();
    Ok(t.momentum[1] / t.mass / speed)
}

/// How far a footing that presses with `pressure` \[Pa\] sinks into the ground, over its width.
fn footing(of: Of, pressure: f64) -> Result<f64> {
    let (wide, high) = (0.1, 0.1);
    let load = format!(
        "[materials.load]\nlaw = \"fixed-corotated\"\nyoungs_modulus = \"20 MPa\"\npoissons_ratio = 0.2\ndensity = {}\n",
        pressure / (G * high)
    );
    let foot = block([-0.5 * wide, 0.2], [0.5 * wide, 0.2 + high]).replace("\"m\"", "\"load\"");
    let tables = load
        + &block([-0.3, 0.0], [0.3, 0.2])
        + &foot
        + &wall([-0.3, 0.0], [1.0, 0.0], "\"slip\"")
        + &wall([0.3, 0.0], [-1.0, 0.0], "\"slip\"")
        + &wall([0.0, 0.0], [0.0, 1.0], "\"sticky\"")
        + &slow_gravity(0.07);
    let mut world = world(of, "resolution = 0.016\ngravity = [0, 0]", &tables)?;
    let height =
        |w: &World<f32, 2>| -> Result<f64> { Ok(mean(columns(w, "load")?.x.iter().map(|x| x[1]))) };
    let start = height(&world)?;
    world.advance(0.4)?;
    Ok((start - height(&world)?) / wide)
}

/// Length after over length before of a bar that flies against a smooth wall, and its speed afterwards
/// over that before.
fn taylor(of: Of, speed: f64) -> Result<(f64, f64)> {
    let (long, wide) = (0.1, 0.03);
    let bar = block([0.0, 0.0], [wide, long]) + &format!("velocity = [0, -{speed}]\n");
    let tables = bar + &wall([0.0, 0.0], [0.0, 1.0], "\"separating\"");
    let mut world = world(of, "resolution = 0.0025\ngravity = [0, 0]", &tables)?;
    world.advance(2.0 * long / speed)?;
    let x = places(&world)?;
    let length = worst(x.iter().map(|x| x[1])) + worst(x.iter().map(|x| -x[1]));
    let t = world.totals();
    // Particles end half their spacing inside.
    Ok(((length + 0.00125) / long, t.momentum[1] / t.mass / speed))
}

pub(super) fn rows(b: &mut Bench) -> Result<()> {
    jelly(b)?;
    rubber(b)?;
    clay(b)?;
    metal(b)
}

fn jelly(b: &mut Bench) -> Result<()> {
    let high = 0.08;
    let (rho, e) = (value("jelly", "density"), plane("jelly"));
    let period = 4.0 * high * (rho / e).sqrt();
    // At height y the point has sunk by ρg (H y − y²/2)/E′; near the top that is y ρgH/2E′.
    let sag = rho * G * high / (2.0 * e);
    for (name, changed) in [
        ("jelly", ""),
        ("… twice as stiff", "youngs_modulus = \"12 kPa\""),
    ] {
        let start = b.rows.len();
        let (found, time) = column(Of("jelly", changed), high, period)?;
        b.relative(&format!("{name}: sag/H"), found, sag, 0.1, Tag::P);
        b.relative(&format!("{name}: period/s"), time, period, 0.1, Tag::P);
        if !changed.is_empty() {
            b.controls(start);
        }
    }
    Ok(())
}

fn rubber(b: &mut Bench) -> Result<()> {
    let (rubber, clay) = (rebound(Of("rubber", ""))?, rebound(Of("clay", ""))?);
    b.between(
        "rubber: rebound of a ball at 4 m/s",
        rubber,
        0.75,
        1.0,
        Tag::G,
    );
    b.between("rubber's gate, clay in its place", clay, 0.75, 1.0, Tag::G);
    b.control();
    b.at_most("clay: rebound of a ball at 4 m/s", clay, 0.2, Tag::G);
    b.at_most("clay's gate, rubber in its place", rubber, 0.2, Tag::G);
    b.control();
    Ok(())
}

/// Prandtl's bearing capacity of a strip on soil of the shear strength s is (2 + π) s.
fn clay(b: &mut Bench) -> Result<()> {
    let bears = (2.0 + PI) * value("clay", "yield_stress") / 3f64.sqrt();
    let below = footing(Of("clay", ""), 0.7 * bears)?;
    b.at_most(
        "clay: footing at 0.7 (2+π)s sinks/width",
        below,
        0.03,
        Tag::G,
    );
    let above = footing(Of("clay", ""), 1.5 * bears)?;
    b.at_least("clay: … at 1.5 (2+π)s", above, 0.08, Tag::G);
    let weak = Of("clay", "yield_stress = \"17.3 kPa\"");
    let below = footing(weak, 0.7 * bears)?;
    b.at_most("… half as strong, at 0.7 (2+π)s", below, 0.03, Tag::G);
    b.control();
    Ok(())
}

/// Wilkins and Guinan 1973: L/L₀ = 0.88 exp(−ρv²/2Y) + 0.12. Y is between the yield stress of lead and
/// its tensile strength, up to 17 MPa, which it reaches by hardening; in plane strain 2/√3 times as much.
fn metal(b: &mut Bench) -> Result<()> {
    let speed = 20.0;
    let shortened = |strength: f64| {
        let y = 2.0 / 3f64.sqrt() * strength;
        0.88 * (-value("metal", "density") * speed * speed / (2.0 * y)).exp() + 0.12
    };
    let (low, high) = (shortened(value("metal", "yield_stress")), shortened(17e6));
    for (name, changed) in [
        ("metal", ""),
        ("… that does not yield", "yield_stress = \"1 GPa\""),
    ] {
        let start = b.rows.len();
        let (length, after) = taylor(Of("metal", changed), speed)?;
        let title = format!("{name}: L/L0 of a bar after 20 m/s");
        b.between(&title, length, low, high, Tag::P);
        b.at_most(&format!("{name}: its rebound"), after, 0.25, Tag::G);
        if !changed.is_empty() {
            b.controls(start);
        }
    }
    let weak = "yield_stress = \"1.5 MPa\"\nhardening_modulus = \"0 Pa\"";
    let (length, _) = taylor(Of("metal", weak), speed)?;
    b.between("… as weak as 1.5 MPa: L/L0", length, low, high, Tag::P);
    b.control();
    Ok(())
}
