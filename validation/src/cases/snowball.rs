//! P2: a snowball flies at a sticky wall above sticky ground. [Jiang15] §3.2, Fig. 2.1

use thixo_core::{Result, World};
use thixo_material::flow::Snow;
use thixo_math::{Real, Vector};
use thixo_mpm::{Options, Seed};
use thixo_numerics::integrate::Integrator;
use thixo_shape::{Contact, Method, Sphere, fill};

use super::ground::{G, pieces, states};
use crate::lab::{self, columns, worst};
use crate::{Bench, Tag};

const RADIUS: f64 = 0.2;
const DENSITY: f64 = 400.0;
/// Height of the centre above the ground \[m\].
const HIGH: f64 = 5.0 * RADIUS;
/// Gap between ball and wall at the start \[m\].
const GAP: f64 = 0.5 * RADIUS;

struct Throw {
    /// Particles, before and after; mass, before and after.
    kept: bool,
    /// Largest error of the mean velocity before the impact, relative to its speed.
    flight: f64,
    /// Speed away from the wall after the impact over that before.
    restitution: f64,
    /// Mean J_P of the packed core: the tenth of the mass that is packed most, at its worst.
    core: f64,
    /// Pieces of at least one cell's worth.
    pieces: f64,
    /// Share of the mass that still hangs on the wall.
    stuck: f64,
    /// Deepest particle in wall or ground, in cells.
    depth: f64,
}

/// Throws a ball of snow; `values` are the parameters that differ from the document's.
fn throw<T: Real, const D: usize>(
    cells: f64,
    speed: f64,
    until: f64,
    values: &[(&str, f64)],
    (integrator, walls): (Integrator, bool),
) -> Result<Throw> {
    let dx = RADIUS / cells;
    let domain = lab::domain::<D>(dx)?;
    let snow: Snow<T> = lab::law::<T, D, _>(values)?;
    let centre = Vector::from_fn(|a| [-GAP - RADIUS, HIGH, 0.0][a]);
    let invalid = |e: thixo_shape::ShapeError| thixo_core::Error::Invalid(e.to_string());
    let ball = Sphere::new(centre, RADIUS).map_err(invalid)?;
    let per_cell = if D == 2 { 4 } else { 8 };
    let samples = fill(&ball, Method::Jittered, dx, per_cell, 7).map_err(invalid)?;
    let v0 = Vector::axis(0) * speed;
    let seeds = samples
        .iter()
        .map(|s| Seed::new(s.x, s.volume, DENSITY).moving(v0));
    let mut world = lab::world::<T, D>(domain, 0)?;
    world.gravity = Vector::axis(1) * -G;
    world.integrator = integrator;
    if walls {
        let both = [(0, -1.0), (1, 1.0)].map(|(axis, side)| (axis, 0.0, side, Contact::Sticky));
        let both = both.map(|(axis, at, side, contact)| lab::wall(axis, at, side, contact));
        world.colliders.extend(both);
    }
    let options = Options {
        cfl: 0.6,
        ..Options::default()
    };
    world.add(lab::set("ball", &domain, snow, options, seeds)?)?;
    let before = world.totals();
    let mut out = Throw {
        kept: true,
        flight: 0.0,
        restitution: 0.0,
        core: 1.0,
        pieces: 0.0,
        stuck: 0.0,
        depth: 0.0,
    };
    // A node of the wall is touched two cells before the surface is.
    let touch = (GAP - 2.0 * dx) / speed;
    world.advance(0.9 * touch)?;
    let m = before.mass;
    let p = world.totals().momentum;
    let fall = Vector([p[0] / m - speed, p[1] / m + G * world.time()]);
    out.flight = fall.norm() / speed;
    while world.time() < until {
        world.advance((world.time() + 0.005).min(until))?;
        look(&world, &mut out, (m, speed), dx)?;
    }
    let after = world.totals();
    out.kept = after.particles == before.particles
        && (after.mass - before.mass).abs() <= 1e-15 * before.mass * before.particles as f64;
    let x = columns(&world, "ball")?;
    let hangs = |i: &usize| x.x[*i][0] > -RADIUS && x.x[*i][1] > HIGH - 3.0 * RADIUS;
    out.stuck = (0..x.x.len()).filter(hangs).map(|i| x.m[i]).sum::<f64>() / m;
    let whole = pieces(&x.x, dx);
    out.pieces = whole.iter().filter(|p| p.len() >= per_cell).count() as f64;
    Ok(out)
}

/// Keeps the worst of what is watched during the throw.
fn look<T: Real, const D: usize>(
    world: &World<T, D>,
    out: &mut Throw,
    (mass, speed): (f64, f64),
    dx: f64,
) -> Result<()> {
    let p = columns(world, "ball")?;
    let away = -world.totals().momentum[0] / mass / speed;
    out.restitution = worst([out.restitution, away]);
    let deepest = worst(p.x.iter().flat_map(|x| [x[0] / dx, -x[1] / dx]));
    out.depth = worst([out.depth, deepest]);
    let mut packed = states(world, "ball")?;
    packed.sort_by(f64::total_cmp);
    let tenth = packed.len() / 10;
    let core = packed[..tenth].iter().sum::<f64>() / tenth as f64;
    // The smallest; NaN stays.
    out.core = -worst([-out.core, -core]);
    Ok(())
}

fn show(b: &mut Bench, name: &str, t: &Throw, exact: f64) {
    b.holds(&format!("{name}: particles and mass kept"), t.kept, Tag::X);
    b.at_most(
        &format!("{name}: momentum in flight"),
        t.flight,
        exact,
        Tag::X,
    );
    plastic(b, name, t);
    b.at_least(
        &format!("{name}: share that hangs on the wall"),
        t.stuck,
        0.3,
        Tag::G,
    );
    b.at_most(
        &format!("{name}: deepest in wall or ground/dx"),
        t.depth,
        2e-3,
        Tag::X,
    );
}

/// What makes it snow: it does not bounce, is packed and breaks.
fn plastic(b: &mut Bench, name: &str, t: &Throw) {
    b.at_most(&format!("{name}: restitution"), t.restitution, 0.1, Tag::G);
    b.at_most(
        &format!("{name}: J_P of the packed tenth"),
        t.core,
        0.9,
        Tag::G,
    );
    b.at_least(&format!("{name}: pieces"), t.pieces, 5.0, Tag::G);
}

const EXPLICIT: (Integrator, bool) = (Integrator::Explicit, true);

/// O7: implicit steps of 0.6 cells' way: nothing comes to be in wall or ground. [Jiang15] §A.6.2
pub fn o7(b: &mut Bench) -> Result<()> {
    for (name, integrator) in [
        ("implicit", Integrator::Implicit),
        ("semi-implicit", Integrator::SemiImplicit { beta: 1.0 }),
    ] {
        let t = throw::<f64, 2>(12.0, 8.0, 0.3, &[], (integrator, true))?;
        b.at_most(
            &format!("{name}: deepest particle, cells"),
            t.depth,
            1e-6,
            Tag::X,
        );
        b.holds(&format!("{name}: particles and mass kept"), t.kept, Tag::X);
        b.at_most(&format!("{name}: restitution"), t.restitution, 0.1, Tag::G);
    }
    let t = throw::<f64, 2>(12.0, 8.0, 0.1, &[], (Integrator::Implicit, false))?;
    b.at_most(
        "implicit, without walls: deepest particle, cells",
        t.depth,
        1e-6,
        Tag::X,
    );
    b.control();
    Ok(())
}

/// P2: what a snowball must do, in numbers; a ball that never yields is rejected.
pub fn p2(b: &mut Bench) -> Result<()> {
    show(
        b,
        "2D, 8 m/s",
        &throw::<f64, 2>(20.0, 8.0, 0.6, &[], EXPLICIT)?,
        1e-12,
    );
    if b.long {
        show(
            b,
            "2D, 5 m/s",
            &throw::<f64, 2>(20.0, 5.0, 0.6, &[], EXPLICIT)?,
            1e-12,
        );
        show(
            b,
            "2D, 10 m/s",
            &throw::<f64, 2>(20.0, 10.0, 0.6, &[], EXPLICIT)?,
            1e-12,
        );
        show(
            b,
            "3D, R = 12 dx, 8 m/s",
            &throw::<f32, 3>(12.0, 8.0, 0.6, &[], EXPLICIT)?,
            1e-5,
        );
    }
    // So stiff that the impact strains it by about a tenth, and it yields far beyond that only.
    let elastic = [
        ("youngs_modulus", 16.0 * 1.4e5),
        ("critical_compression", 0.9),
        ("critical_stretch", 10.0),
    ];
    let start = b.rows.len();
    let ball = throw::<f64, 2>(10.0, 8.0, 0.1, &elastic, EXPLICIT)?;
    plastic(b, "2D, 8 m/s, 16 E, never yields", &ball);
    b.controls(start);
    Ok(())
}
