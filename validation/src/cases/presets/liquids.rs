//! Water, honey and mud.

use thixo_core::{Observer, PointSet, Result};

use super::{G, Of, block, mean, places, slow_gravity, value, wall, world};
use crate::lab::{columns, worst};
use crate::{Bench, Tag};

/// Keeps the pressures of what it is shown.
struct Pressures(Vec<([f64; 3], f64)>);

impl Observer for Pressures {
    fn points(&mut self, set: &PointSet) -> Result<()> {
        let found = set.scalars.iter().find(|s| s.0 == "pressure");
        let values = found.map(|s| s.1.as_slice()).unwrap_or_default();
        let all = set.position.iter().zip(values);
        self.0.extend(all.map(|(x, p)| (*x, f64::from(*p))));
        Ok(())
    }
}

/// Pressure \[Pa\] at depth `deep` below the surface of a tank 0.3 m deep.
fn tank(of: Of, deep: f64) -> Result<f64> {
    let (high, wide) = (0.3, 0.2);
    let tables = block([0.0, 0.0], [wide, high])
        + &wall([0.0, 0.0], [0.0, 1.0], "\"separating\"")
        + &wall([0.0, 0.0], [1.0, 0.0], "\"separating\"")
        + &wall([wide, 0.0], [-1.0, 0.0], "\"separating\"")
        + &slow_gravity(0.1);
    let mut world = world(of, "resolution = 0.0125\ngravity = [0, 0]", &tables)?;
    let mut found = Vec::new();
    for n in 0..10 {
        world.advance(0.4 + 0.01 * f64::from(n))?;
        let mut seen = Pressures(Vec::new());
        world.observe(&mut seen)?;
        let near = seen
            .0
            .iter()
            .filter(|(x, _)| (x[1] - (high - deep)).abs() < 0.0125);
        found.push(mean(near.map(|p| p.1)));
    }
    Ok(mean(found))
}

/// How far the front has run from the back wall, over the width a of a column of height 2a, at the time
/// T √(a/2g).
fn dam(of: Of, time: f64) -> Result<f64> {
    let a = 0.1;
    let tables = block([0.0, 0.0], [a, 2.0 * a])
        + &wall([0.0, 0.0], [0.0, 1.0], "\"separating\"")
        + &wall([0.0, 0.0], [1.0, 0.0], "\"separating\"");
    let mut world = world(of, "resolution = 0.005", &tables)?;
    world.advance(time * (a / (2.0 * G)).sqrt())?;
    let mut x: Vec<f64> = places(&world)?.iter().map(|x| x[0]).collect();
    x.sort_by(f64::total_cmp);
    // Drops that fly ahead do not count.
    Ok(x[x.len() - 1 - x.len() / 200] / a)
}

/// The speed \[m/s\] of the surface of a film of depth `deep` on a slope.
fn film(of: Of, deep: f64, degrees: f64, time: f64) -> Result<f64> {
    let dx = deep / 16.0;
    let length = 8.0 * dx;
    let (s, c) = degrees.to_radians().sin_cos();
    let top = format!("resolution = {dx}\ngravity = [{}, {}]", G * s, -G * c);
    let tables = format!("[periodic]\nx = {length}\n")
        + &block([0.0, 0.0], [length, deep])
        + &wall([0.0, 0.0], [0.0, 1.0], "\"sticky\"");
    let mut world = world(of, &top, &tables)?;
    world.advance(time)?;
    let p = columns(&world, "m")?;
    let upper = (0..p.x.len()).filter(|&i| p.x[i][1] > deep - 2.0 * dx);
    Ok(mean(upper.map(|i| p.v[i][0])))
}

/// How far a column on a smooth floor slumps when gravity comes up slowly, over its height.
fn slump(of: Of, high: f64) -> Result<f64> {
    let (dx, unit) = (high / 20.0, (high / G).sqrt());
    let tables = block([0.0, 0.0], [0.5 * high, high])
        + &wall([0.0, 0.0], [0.0, 1.0], "\"slip\"")
        + &wall([0.0, 0.0], [1.0, 0.0], "\"slip\"")
        + &slow_gravity(5.0 * unit);
    let top = format!("resolution = {dx}\ngravity = [0, 0]");
    let mut world = world(of, &top, &tables)?;
    world.advance(18.0 * unit)?;
    let top = worst(places(&world)?.iter().map(|x| x[1]));
    Ok(1.0 - (top + 0.25 * dx) / high)
}

pub(super) fn rows(b: &mut Bench) -> Result<()> {
    water(b)?;
    honey(b)?;
    mud(b)
}

fn water(b: &mut Bench) -> Result<()> {
    let deep = 0.25;
    let reference = 998.2 * G * deep;
    let found = tank(Of("water", ""), deep)?;
    b.relative(
        "water: pressure 25 cm deep/Pa",
        found,
        reference,
        0.03,
        Tag::P,
    );
    let found = tank(Of("water", "density = \"1100 kg/m^3\""), deep)?;
    b.relative("… of brine: pressure/Pa", found, reference, 0.03, Tag::P);
    b.control();
    // Martin and Moyce 1952, column of height 2a.
    let (time, front) = (2.32, 2.78);
    let found = dam(Of("water", ""), time)?;
    b.relative("water: front of a broken dam/a", found, front, 0.15, Tag::P);
    let found = dam(Of("water", "viscosity = \"20 Pa s\""), time)?;
    b.relative("… with 20 Pa s: front/a", found, front, 0.15, Tag::P);
    b.control();
    Ok(())
}

/// Nusselt's film: the surface runs at ρ g sin θ h²/2η.
fn honey(b: &mut Bench) -> Result<()> {
    let (deep, degrees) = (0.02, 30.0f64);
    let (rho, eta) = (value("honey", "density"), value("honey", "viscosity"));
    let reference = rho * G * degrees.to_radians().sin() * deep * deep / (2.0 * eta);
    // Three times the slowest time of its start, 4ρh²/π²η, and more.
    let time = 2.5 * rho * deep * deep / eta;
    for (name, changed) in [("honey", ""), ("… at 40 °C", "viscosity = \"2 Pa s\"")] {
        let found = film(Of("honey", changed), deep, degrees, time)?;
        let title = format!("{name}: surface of 2 cm on a slope of 30°/(m/s)");
        b.relative(&title, found, reference, 0.1, Tag::P);
        if !changed.is_empty() {
            b.control();
        }
    }
    Ok(())
}

/// A layer on a slope flows where ρ g h sin θ exceeds the yield stress in shear, and then gains
/// g sin θ − τ/ρh. A column slumps by 1 − 2τ′ (1 − ln 2τ′), τ′ = τ/ρgH (Pashias et al. 1996).
fn mud(b: &mut Bench) -> Result<()> {
    let degrees = 15.0f64;
    let sin = degrees.to_radians().sin();
    let (rho, tau) = (
        value("mud", "density"),
        value("mud", "yield_stress") / 3f64.sqrt(),
    );
    let critical = tau / (rho * G * sin);
    let time = 0.3;
    let stands = film(Of("mud", ""), 0.7 * critical, degrees, time)?;
    b.at_most(
        "mud: speed of a thin layer on 15°/(m/s)",
        stands.abs(),
        0.02,
        Tag::G,
    );
    let flows = film(Of("mud", ""), 2.0 * critical, degrees, time)?;
    let reference = time * (G * sin - tau / (2.0 * critical * rho));
    b.relative(
        "mud: … of one twice as deep as it bears",
        flows,
        reference,
        0.15,
        Tag::P,
    );
    let wrong = film(
        Of("mud", "yield_stress = \"100 Pa\""),
        0.7 * critical,
        degrees,
        time,
    )?;
    b.at_most(
        "… thinned: speed of the thin layer/(m/s)",
        wrong.abs(),
        0.02,
        Tag::G,
    );
    b.control();
    let high = 0.1;
    let t = tau / (rho * G * high);
    let reference = 1.0 - 2.0 * t * (1.0 - (2.0 * t).ln());
    for (name, changed) in [
        ("mud", ""),
        ("… twice as stiff", "yield_stress = \"692 Pa\""),
    ] {
        let found = slump(Of("mud", changed), high)?;
        b.relative(
            &format!("{name}: slump of 10 cm/H"),
            found,
            reference,
            0.15,
            Tag::P,
        );
        if !changed.is_empty() {
            b.control();
        }
    }
    Ok(())
}
