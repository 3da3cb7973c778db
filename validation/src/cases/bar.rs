//! E2: the first mode of a bar that is held at one end.

use std::f64::consts::PI;

use thixo_core::Result;
use thixo_grid::transfer::Scheme;
use thixo_material::elastic::FixedCorotated;
use thixo_math::{Matrix, Vector};
use thixo_mpm::{Options, Seed};
use thixo_numerics::integrate::Integrator;
use thixo_shape::Contact;

use crate::lab::{self, Stepping, columns, lattice, wall, worst};
use crate::{Bench, Tag};

const LENGTH: f64 = 25.0;
const SPEED: f64 = 0.1;
const PERIODS: f64 = 10.0;
const OMEGA: f64 = 2.0 * PI / 10.0;

/// What a run shows: frequency, amplitude of the mean velocity in the first and the tenth period,
/// amplitude of the mean displacement.
struct Heard {
    omega: f64,
    first: f64,
    last: f64,
    way: f64,
}

/// The bar as a strip that is periodic across: with ν = 0 and the fixed corotated law it is the
/// linear bar itself. `cells` along it, 2 × 2 particles per cell.
fn vibrate(scheme: Scheme, young: f64, cells: usize, how: Stepping) -> Result<Heard> {
    let dx = LENGTH / cells as f64;
    let domain = lab::periodic(dx, [0.0, 4.0 * dx])?;
    let k = 0.5 * PI / LENGTH;
    let law: FixedCorotated<f64> =
        lab::law::<f64, 2, _>(&[("youngs_modulus", young), ("poissons_ratio", 0.0)])?;
    let points = lattice(dx, 2, Vector::zero(), Vector([LENGTH, 4.0 * dx]));
    let seeds = points.into_iter().map(|x| {
        let v = Vector([SPEED * (k * x[0]).sin(), 0.0]);
        let c = Matrix([[SPEED * k * (k * x[0]).cos(), 0.0], [0.0, 0.0]]);
        Seed {
            v,
            C: c,
            ..Seed::new(x, 0.25 * dx * dx, 1.0)
        }
    });
    let mut world = lab::world::<f64, 2>(domain, 1)?;
    how.set(&mut world);
    let options = Options {
        scheme,
        ..Options::default()
    };
    world.add(lab::set("bar", &domain, law, options, seeds)?)?;
    world.colliders.push(wall(0, 0.0, 1.0, Contact::Slip));
    let mass = world.totals().mass;
    let centre = |w: &thixo_core::World<f64, 2>| -> Result<f64> {
        let p = columns(w, "bar")?;
        Ok(p.x.iter().zip(&p.m).map(|(x, m)| x[0] * m).sum::<f64>() / mass)
    };
    let start = centre(&world)?;
    let mut heard = Vec::new();
    let mut way = 0f64;
    while world.time() < PERIODS * 10.0 {
        // The scheme's velocities belong to half steps.
        let dt = world.step(PERIODS * 10.0)?.dt;
        heard.push((world.time() - 0.5 * dt, world.totals().momentum[0] / mass));
        if world.time() < 10.0 {
            way = worst([way, (centre(&world)? - start).abs()]);
        }
    }
    let omega = frequency(&heard);
    let first = amplitude(heard.iter().filter(|h| h.0 < 10.0), omega);
    let last = amplitude(heard.iter().filter(|h| h.0 > 10.0 * (PERIODS - 1.0)), omega);
    Ok(Heard {
        omega,
        first,
        last,
        way,
    })
}

/// From the line through the times of the zero crossings.
fn frequency(heard: &[(f64, f64)]) -> f64 {
    let cross = |w: &[(f64, f64)]| {
        let ((t0, v0), (t1, v1)) = (w[0], w[1]);
        (v0 * v1 < 0.0).then(|| t0 + (t1 - t0) * v0 / (v0 - v1))
    };
    let zeros: Vec<f64> = heard.windows(2).filter_map(cross).collect();
    let n = zeros.len() as f64;
    let (mi, mt) = (0.5 * (n - 1.0), zeros.iter().sum::<f64>() / n);
    let (sit, sii) = zeros.iter().enumerate().fold((0.0, 0.0), |(a, b), (i, t)| {
        let i = i as f64 - mi;
        (a + i * (t - mt), b + i * i)
    });
    PI * sii / sit
}

/// Of the best a cos ωt + b sin ωt.
fn amplitude<'a>(heard: impl Iterator<Item = &'a (f64, f64)>, omega: f64) -> f64 {
    let mut n = Matrix::<f64, 2>::zero();
    let mut r = Vector::<f64, 2>::zero();
    for (t, v) in heard {
        let f = Vector([(omega * t).cos(), (omega * t).sin()]);
        n += f.outer(&f);
        r += f * *v;
    }
    (n.inverse() * r).norm()
}

/// E2: frequency and amplitude of the first mode over ten periods.
pub fn e2(b: &mut Bench) -> Result<()> {
    let exact = SPEED * 2.0 / PI;
    let mut seen = OMEGA;
    for (scheme, name) in [(Scheme::APIC, "APIC"), (Scheme::FLIP, "FLIP")] {
        let h = vibrate(scheme, 100.0, 50, Stepping::EXPLICIT)?;
        b.relative(&format!("{name}: frequency"), h.omega, OMEGA, 5e-3, Tag::G);
        if scheme == Scheme::APIC {
            seen = h.omega;
        }
        b.at_most(
            &format!("{name}: amplitude lost in 9 periods"),
            1.0 - h.last / h.first,
            0.01,
            Tag::G,
        );
        b.relative(
            &format!("{name}: v amplitude, tenth period"),
            h.last,
            exact,
            0.01,
            Tag::G,
        );
        b.relative(
            &format!("{name}: u amplitude, first period"),
            h.way,
            exact / OMEGA,
            0.01,
            Tag::G,
        );
    }
    let h = vibrate(Scheme::PIC, 100.0, 50, Stepping::EXPLICIT)?;
    b.at_most(
        "PIC: amplitude lost in 9 periods",
        1.0 - h.last / h.first,
        0.01,
        Tag::G,
    );
    b.control();
    let h = vibrate(Scheme::APIC, 103.0, 50, Stepping::EXPLICIT)?;
    b.relative("E 3 % too high: frequency", h.omega, OMEGA, 5e-3, Tag::G);
    b.control();
    implicit(b, seen)
}

/// Implicit steps have closed forms, too: with w = ω dt and β, a step takes (x, v) to
/// v' = (v − ω² dt x)/(1 + β w²), x' = x + dt v'. Its determinant says what is lost, its trace how far it turns.
fn closed_form(omega: f64, beta: f64, dt: f64) -> (f64, f64) {
    let w2 = (omega * dt) * (omega * dt);
    let d = 1.0 + beta * w2;
    let turn = (0.5 * (2.0 + (beta - 1.0) * w2) / d.sqrt()).acos();
    (turn / dt, d.powf(-0.5))
}

/// The mode of the same grid, whose frequency `seen` short explicit steps have shown.
fn implicit(b: &mut Bench, seen: f64) -> Result<()> {
    let dt = 0.1;
    let backward = Stepping::implicit(dt);
    for (name, integrator, beta) in [
        ("implicit", Integrator::Implicit, 1.0),
        ("semi-implicit", Integrator::SemiImplicit { beta: 1.0 }, 1.0),
        ("β = ½", Integrator::SemiImplicit { beta: 0.5 }, 0.5),
    ] {
        let how = Stepping {
            integrator,
            ..backward
        };
        let h = vibrate(Scheme::APIC, 100.0, 50, how)?;
        let (omega, kept) = closed_form(seen, beta, dt);
        b.relative(&format!("{name}: frequency"), h.omega, omega, 1e-3, Tag::X);
        let share = kept.powf(9.0 * 10.0 / dt);
        b.relative(
            &format!("{name}: amplitude kept in 9 periods"),
            h.last / h.first,
            share,
            0.02,
            Tag::X,
        );
        if beta < 1.0 {
            let wrong = closed_form(seen, 1.0, dt).1.powf(9.0 * 10.0 / dt);
            let name = format!("{name}: amplitude as of backward Euler");
            b.relative(&name, h.last / h.first, wrong, 0.02, Tag::X);
            b.control();
        }
    }
    Ok(())
}
