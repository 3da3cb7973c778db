//! E6: two equal bars meet head-on and swap their velocities.

use thixo_core::{Result, World};
use thixo_grid::transfer::Scheme;
use thixo_material::elastic::FixedCorotated;
use thixo_math::Vector;
use thixo_mpm::{Options, Seed};

use crate::lab::{self, Stepping, cauchy, columns, lattice};
use crate::{Bench, Tag};

const SPEED: f64 = 0.1;
const YOUNG: f64 = 1e6;
const RHO: f64 = 1e3;

/// What a run shows.
struct Impact {
    /// Time during which the force is above half of ρcv₀ \[s\].
    duration: f64,
    /// Mean stress of the near third of the left bar in the middle of the contact \[Pa\].
    stress: f64,
    /// Mean stress of all but a tenth of the bar at either end, then \[Pa\].
    whole: f64,
    /// Relative speed after over before.
    restitution: f64,
    /// Drift of total momentum over Σ|mv|.
    drift: f64,
    /// Energy kept.
    energy: f64,
}

/// Mass and momentum along the bar.
fn momentum(world: &World<f64, 2>, bar: &str) -> Result<(f64, f64)> {
    let p = columns(world, bar)?;
    Ok(p.m
        .iter()
        .zip(&p.v)
        .fold((0.0, 0.0), |(m, q), (pm, v)| (m + pm, q + pm * v[0])))
}

/// Bars of `n` cells, periodic across, with ν = 0: the linear bar.
fn collide(scheme: Scheme, n: usize, young: f64, how: Stepping) -> Result<Impact> {
    let dx = 1.0 / n as f64;
    let domain = lab::periodic(dx, [0.0, 4.0 * dx])?;
    let law: FixedCorotated<f64> =
        lab::law::<f64, 2, _>(&[("youngs_modulus", young), ("poissons_ratio", 0.0)])?;
    let options = Options {
        scheme,
        ..Options::default()
    };
    let gap = 2.0 * dx;
    let mut world = lab::world::<f64, 2>(domain, 1)?;
    how.set(&mut world);
    for (name, low, v) in [("left", -1.0 - gap, SPEED), ("right", gap, -SPEED)] {
        let points = lattice(dx, 2, Vector([low, 0.0]), Vector([low + 1.0, 4.0 * dx]));
        let seed = |x| Seed::new(x, 0.25 * dx * dx, RHO).moving(Vector([v, 0.0]));
        world.add(lab::set(
            name,
            &domain,
            law,
            options,
            points.into_iter().map(seed),
        )?)?;
    }
    let start = world.totals();
    let (mass, mut before) = momentum(&world, "left")?;
    let scale = 2.0 * mass * SPEED;
    let c = (YOUNG / RHO).sqrt();
    let plateau = RHO * c * SPEED * 4.0 * dx;
    let end = 2.0 * gap / SPEED + 4.0 / c;
    let (mut duration, mut touched, mut stress) = (0.0, None, None);
    while world.time() < end {
        let dt = world.step(end)?.dt;
        let (_, now) = momentum(&world, "left")?;
        if (before - now) / dt > 0.5 * plateau {
            duration += dt;
            touched = touched.or(Some(world.time()));
        }
        before = now;
        if let (Some(t), None) = (touched, stress)
            && world.time() >= t + 1.0 / c
        {
            let p = columns(&world, "left")?;
            // Particles are numbered along the bar; those of the last two cells are left out.
            let n = p.x.len();
            let mean = |r: std::ops::Range<usize>| {
                let count = r.len() as f64;
                r.map(|i| cauchy(&law, &p.f[i])[(0, 0)] / count)
                    .sum::<f64>()
            };
            stress = Some((mean(n * 2 / 3..n - 2 * 16), mean(n / 10..n - n / 10)));
        }
    }
    let after = world.totals();
    let (_, left) = momentum(&world, "left")?;
    let (_, right) = momentum(&world, "right")?;
    Ok(Impact {
        duration,
        stress: stress.map_or(f64::NAN, |s| s.0),
        whole: stress.map_or(f64::NAN, |s| s.1),
        restitution: (right - left) / scale,
        drift: (after.momentum[0] - start.momentum[0]).abs() / scale,
        energy: (after.kinetic + after.elastic) / start.kinetic,
    })
}

/// E6: duration of contact, stress, restitution, momentum.
///
/// The bars meet through shared nodes: the force rises while the gap closes by a share of a cell at
/// 2 v₀, which on 64 cells is a good part of the 63 ms of contact, and the stress stays below its
/// plateau there; on 128 cells it is reached.
pub fn e6(b: &mut Bench) -> Result<()> {
    let c = (YOUNG / RHO).sqrt();
    for (scheme, name) in [(Scheme::APIC, "APIC"), (Scheme::FLIP, "FLIP")] {
        for n in [64, 128] {
            let i = collide(scheme, n, YOUNG, Stepping::EXPLICIT)?;
            let row = |what: &str| format!("{name}, {n} cells: {what}");
            b.relative(&row("time of contact"), i.duration, 2.0 / c, 0.03, Tag::G);
            let plateau = -RHO * c * SPEED;
            b.relative(&row("stress, near third"), i.stress, plateau, 0.05, Tag::G);
            b.relative(&row("stress, whole bar"), i.whole, plateau, 0.05, Tag::G);
            b.at_least(&row("restitution"), i.restitution, 0.9, Tag::G);
            b.at_most(&row("momentum"), i.drift, 1e-12, Tag::X);
            b.between(&row("energy kept"), i.energy, 0.9, 1.0 + 1e-9, Tag::G);
        }
    }
    // Steps in which a wave goes through half a cell: what is shorter than the bar is damped away.
    let how = Stepping {
        tolerance: 1e-5,
        ..Stepping::implicit(0.5 / (128.0 * c))
    };
    let i = collide(Scheme::APIC, 128, YOUNG, how)?;
    let plateau = -RHO * c * SPEED;
    b.relative(
        "implicit: time of contact",
        i.duration,
        2.0 / c,
        0.06,
        Tag::G,
    );
    b.relative(
        "implicit: stress, near third",
        i.stress,
        plateau,
        0.05,
        Tag::G,
    );
    b.at_least("implicit: restitution", i.restitution, 0.9, Tag::G);
    b.at_most("implicit: momentum", i.drift, 1e-7, Tag::X);
    b.between("implicit: energy kept", i.energy, 0.8, 1.0 + 1e-9, Tag::G);
    let i = collide(Scheme::APIC, 128, 1.4 * YOUNG, Stepping::EXPLICIT)?;
    b.relative(
        "E 40 % too high, 128 cells: stress",
        i.stress,
        -RHO * c * SPEED,
        0.05,
        Tag::G,
    );
    b.control();
    b.relative(
        "E 40 % too high, 128 cells: time of contact",
        i.duration,
        2.0 / c,
        0.03,
        Tag::G,
    );
    b.control();
    Ok(())
}
