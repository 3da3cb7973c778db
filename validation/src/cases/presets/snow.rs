//! Snow: how far a load sinks in, and whether a ball stays one.

use thixo_core::{Result, World};

use super::{G, Of, block, mean, places, slow_gravity, wall, world};
use crate::lab::columns;
use crate::{Bench, Tag};

/// How deep a block that presses with 10 kPa, half a foot's pressure, sinks into 30 cm of snow \[m\].
fn sinks(of: Of) -> Result<f64> {
    let (deep, dx, pressure, high) = (0.3, 0.02, 1e4, 0.1);
    let load = format!(
        "[materials.load]\nlaw = \"fixed-corotated\"\nyoungs_modulus = \"2 MPa\"\npoissons_ratio = 0.2\ndensity = {}\n",
        pressure / (G * high)
    );
    let foot = block([-0.1, deep], [0.1, deep + high]).replace("\"m\"", "\"load\"");
    let tables = load
        + &block([-0.5, 0.0], [0.5, deep])
        + &foot
        + &wall([-0.5, 0.0], [1.0, 0.0], "\"slip\"")
        + &wall([0.5, 0.0], [-1.0, 0.0], "\"slip\"")
        + &wall([0.0, 0.0], [0.0, 1.0], "\"sticky\"")
        + &slow_gravity(0.08);
    let top = format!("resolution = {dx}\ngravity = [0, 0]");
    let mut world = world(of, &top, &tables)?;
    let height =
        |w: &World<f32, 2>| -> Result<f64> { Ok(mean(columns(w, "load")?.x.iter().map(|x| x[1]))) };
    let start = height(&world)?;
    world.advance(0.5)?;
    Ok(start - height(&world)?)
}

/// How wide a ball of 10 cm across is, over its diameter, after it has hit the ground: the middle 94 %
/// of its particles.
fn spread(of: Of, speed: f64) -> Result<f64> {
    let radius = 0.05;
    let ball = format!(
        "[[bodies]]\nmaterial = \"m\"\nshape = {{ sphere = {{ center = [0, {}], radius = {radius} }} }}\nvelocity = [0, -{speed}]\n",
        1.1 * radius
    );
    let tables = ball + &wall([0.0, 0.0], [0.0, 1.0], "{ friction = 0.5 }");
    let mut world = world(of, "resolution = 0.005", &tables)?;
    let width = |w: &World<f32, 2>| -> Result<f64> {
        let mut x: Vec<f64> = places(w)?.iter().map(|x| x[0]).collect();
        x.sort_by(f64::total_cmp);
        let edge = 3 * x.len() / 100;
        Ok(x[x.len() - 1 - edge] - x[edge])
    };
    let before = width(&world)?;
    world.advance(0.25)?;
    Ok(width(&world)? / before)
}

pub(super) fn rows(b: &mut Bench) -> Result<()> {
    let powder = sinks(Of("powder-snow", ""))?;
    let wet = sinks(Of("wet-snow", ""))?;
    let packed = sinks(Of("packed-snow", ""))?;
    let title = "powder-snow: 10 kPa sinks into 30 cm by/m";
    b.at_least(title, powder, 0.1, Tag::G);
    b.between("wet-snow: …", wet, 0.01, 0.1, Tag::G);
    b.at_most("packed-snow: …", packed, 0.005, Tag::G);
    b.at_most(
        "packed-snow's gate, powder in its place",
        powder,
        0.005,
        Tag::G,
    );
    b.control();
    b.at_least(
        "powder-snow's gate, packed snow in its place",
        packed,
        0.1,
        Tag::G,
    );
    b.control();
    // As if dropped by 5 cm.
    let (wet, powder) = (
        spread(Of("wet-snow", ""), 1.0)?,
        spread(Of("powder-snow", ""), 1.0)?,
    );
    b.at_most(
        "wet-snow: width of a ball dropped at 1 m/s",
        wet,
        1.2,
        Tag::G,
    );
    b.at_least("powder-snow: …", powder, 2.0, Tag::G);
    b.at_most("wet-snow's gate, powder in its place", powder, 1.2, Tag::G);
    b.control();
    b.at_least(
        "powder-snow's gate, wet snow in its place",
        wet,
        2.0,
        Tag::G,
    );
    b.control();
    Ok(())
}
