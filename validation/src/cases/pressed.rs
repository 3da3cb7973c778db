//! O8: a block of stiff rubber is pressed slowly: the force is that of explicit steps, at a fraction of their cost.

use std::time::Instant;

use thixo_core::{Result, World};
use thixo_material::elastic::NeoHookean;
use thixo_math::Vector;
use thixo_mpm::{Options, Seed};
use thixo_numerics::integrate::Integrator;
use thixo_shape::{Collider, Contact};

use crate::lab::{self, Plane, cauchy, columns, lattice, wall};
use crate::{Bench, Tag};

/// A cell \[m\].
const DX: f64 = 0.02;
const YOUNG: f64 = 50e6;
const RHO: f64 = 1100.0;
/// Speed of the upper plate \[m/s\].
const SPEED: f64 = 0.05;
/// A fifth of a second, in steps as long as they may be.
const SHORT: (f64, f64) = (0.2, f64::INFINITY);
/// A second, in which the plate passes nodes: which of them it holds is looked at once a step, so that steps in which
/// it goes 1/50 of a cell are what the force needs.
const SECOND: (f64, f64) = (1.0, 0.008);
/// How often the force is looked at.
const LOOKS: usize = 20;

/// What a press of one second showed.
struct Pressed {
    /// Force on a cross-section \[N\], in two dimensions per depth.
    force: Vec<f64>,
    steps: u64,
    rejected: u64,
    /// Newton iterations.
    newton: u32,
    /// Seconds.
    took: f64,
}

/// A block of so many cells' height and twice the breadth, between plates to which it sticks; `time` \[s\] of it, in
/// implicit steps of at most `longest` \[s\].
fn press<const D: usize>(
    integrator: Integrator,
    cells: f64,
    young: f64,
    (time, longest): (f64, f64),
) -> Result<Pressed> {
    let domain = lab::domain::<D>(DX)?;
    let values = [("youngs_modulus", young), ("poissons_ratio", 0.45)];
    let law: NeoHookean<f32> = lab::law::<f32, D, _>(&values)?;
    let wide: NeoHookean<f64> = lab::law::<f64, D, _>(&values)?;
    let half = cells * DX;
    let low = Vector::from_fn(|a| if a == 1 { 0.0 } else { -half });
    let high = Vector::splat(half);
    let volume = (0.5 * DX).powi(D as i32);
    let seeds = lattice(DX, 2, low, high);
    let seeds = seeds.into_iter().map(|x| Seed::new(x, volume, RHO));
    let cfl = if integrator == Integrator::Explicit {
        0.5
    } else {
        0.6
    };
    let options = Options {
        cfl,
        ..Options::default()
    };
    let mut world: World<f32, D> = lab::world(domain, 0)?;
    world.integrator = integrator;
    world.limit_step(longest);
    world.accuracy.tolerance = 3e-3;
    world.add(lab::set("block", &domain, law, options, seeds)?)?;
    world.colliders.push(wall(1, 0.0, 1.0, Contact::Sticky));
    world.colliders.push(Collider {
        name: "plate".into(),
        obstacle: Box::new(Plane {
            point: Vector::axis(1) * half,
            normal: -Vector::axis(1),
            velocity: Vector::axis(1) * -SPEED,
        }),
        contact: Contact::Sticky,
    });
    let mut force = Vec::new();
    let (mut took, mut newton) = (0.0, 0);
    for k in 1..=LOOKS {
        let start = Instant::now();
        let stop = time * k as f64 / LOOKS as f64;
        while world.time() < stop {
            newton += world.step(stop)?.effort.iterations;
        }
        took += start.elapsed().as_secs_f64();
        // The mean over all cross-sections, ∫ σ_yy dV over the height.
        let p = columns(&world, "block")?;
        let sum: f64 = (0..p.x.len())
            .map(|i| p.volume[i] * p.f[i].det() * cauchy(&wide, &p.f[i])[(1, 1)])
            .sum();
        force.push(-sum / (half - SPEED * world.time()));
    }
    Ok(Pressed {
        force,
        steps: world.steps(),
        rejected: world.rejected(),
        newton,
        took,
    })
}

/// The largest share by which two curves differ.
fn apart(a: &Pressed, b: &Pressed) -> f64 {
    lab::worst(
        a.force
            .iter()
            .zip(&b.force)
            .map(|(a, b)| (a - b).abs() / b.abs()),
    )
}

/// O8: the force on the plates at twenty times.
pub fn o8(b: &mut Bench) -> Result<()> {
    let explicit = press::<2>(Integrator::Explicit, 6.0, YOUNG, SHORT)?;
    for (name, integrator) in [
        ("implicit", Integrator::Implicit),
        ("auto", Integrator::Auto),
    ] {
        let other = press::<2>(integrator, 6.0, YOUNG, SHORT)?;
        let row = format!("2D, {name}: force apart from explicit");
        b.at_most(&row, apart(&other, &explicit), 0.03, Tag::G);
        let row = format!("2D, {name}: rejected steps");
        b.at_most(&row, other.rejected as f64, 0.0, Tag::G);
        if integrator == Integrator::Implicit {
            let fewer = explicit.steps as f64 / other.steps as f64;
            b.at_least(
                "2D, explicit steps for each implicit one",
                fewer,
                30.0,
                Tag::G,
            );
            // A press is nearly linear: its model is soon trusted.
            let newton = f64::from(other.newton) / other.steps as f64;
            b.at_most("2D, Newton iterations a step", newton, 4.0, Tag::M);
        }
    }
    let soft = press::<2>(Integrator::Implicit, 6.0, 0.9 * YOUNG, SHORT)?;
    let row = "2D, implicit, E 10 % too low: force apart from explicit";
    b.at_most(row, apart(&soft, &explicit), 0.03, Tag::G);
    b.control();
    if b.long {
        let explicit = press::<3>(Integrator::Explicit, 10.0, YOUNG, SECOND)?;
        for (name, integrator, faster) in [
            ("implicit", Integrator::Implicit, 3.0),
            ("auto", Integrator::Auto, 2.0),
        ] {
            let other = press::<3>(integrator, 10.0, YOUNG, SECOND)?;
            let row = format!("3D, {name}: force apart from explicit");
            b.at_most(&row, apart(&other, &explicit), 0.03, Tag::G);
            let row = format!("3D, {name}: explicit time over its own");
            b.at_least(&row, explicit.took / other.took, faster, Tag::G);
        }
    }
    Ok(())
}
