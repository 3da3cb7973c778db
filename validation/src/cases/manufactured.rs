//! E3: a solution made by hand, held by its body force (Wallstedt & Guilkey's form).

use std::f64::consts::PI;
use std::sync::Arc;

use thixo_core::Result;
use thixo_grid::KernelKind;
use thixo_grid::transfer::Scheme;
use thixo_material::elastic::{FixedCorotated, Hencky, NeoHookean};
use thixo_material::{Kin, Law};
use thixo_math::{Matrix, Vector};
use thixo_mpm::{Options, Place, Seed};
use thixo_numerics::integrate::Integrator;

use crate::lab::{self, Stepping, columns, lattice, order, worst};
use crate::{Bench, Tag};

const YOUNG: f64 = 1e7;
const POISSON: f64 = 0.3;
const RHO: f64 = 1e3;
const AMPLITUDE: f64 = 0.05;
const PHASE: [f64; 3] = [0.0, PI, 0.0];
const MU: f64 = YOUNG / (2.0 * (1.0 + POISSON));
const LAMBDA: f64 = YOUNG * POISSON / ((1.0 + POISSON) * (1.0 - 2.0 * POISSON));
/// √(E/ρ) \[m/s\]; the period is 2/c.
const C: f64 = 100.0;

/// A law with its body force.
trait Held<const D: usize>: Law<f64, D> {
    const NAME: &'static str;
    /// ρ b_i/(π² u_i) + E, from the stretches F_ii.
    fn stiffness_along(f: &Vector<f64, D>, i: usize) -> f64;
}

impl<const D: usize> Held<D> for NeoHookean<f64> {
    const NAME: &'static str = "neo-Hookean";
    fn stiffness_along(f: &Vector<f64, D>, i: usize) -> f64 {
        MU + (MU + LAMBDA * (1.0 - f.product().ln())) / (f[i] * f[i])
    }
}
impl<const D: usize> Held<D> for FixedCorotated<f64> {
    const NAME: &'static str = "fixed corotated";
    fn stiffness_along(f: &Vector<f64, D>, i: usize) -> f64 {
        let others = f.product() / f[i];
        2.0 * MU + LAMBDA * others * others
    }
}
impl<const D: usize> Held<D> for Hencky<f64> {
    const NAME: &'static str = "Hencky";
    fn stiffness_along(f: &Vector<f64, D>, i: usize) -> f64 {
        let t = 2.0 * MU * f[i].ln() + LAMBDA * f.product().ln();
        (2.0 * MU + LAMBDA - t) / (f[i] * f[i])
    }
}

/// u_i = A sin πX_i sin(cπt + φ_i)
fn u<const D: usize>(x: &Vector<f64, D>, t: f64) -> Vector<f64, D> {
    Vector::from_fn(|i| AMPLITUDE * (PI * x[i]).sin() * (C * PI * t + PHASE[i]).sin())
}
/// F_ii
fn stretches<const D: usize>(x: &Vector<f64, D>, t: f64) -> Vector<f64, D> {
    Vector::from_fn(|i| 1.0 + AMPLITUDE * PI * (PI * x[i]).cos() * (C * PI * t + PHASE[i]).sin())
}
/// b_i
fn force<const D: usize, L: Held<D>>(x: &Vector<f64, D>, t: f64) -> Vector<f64, D> {
    let (u, f) = (u(x, t), stretches(x, t));
    Vector::from_fn(|i| PI * PI * u[i] / RHO * (L::stiffness_along(&f, i) - YOUNG))
}

fn law<const D: usize, L: Law<f64, D>>(young: f64) -> Result<L> {
    lab::law::<f64, D, _>(&[("youngs_modulus", young), ("poissons_ratio", POISSON)])
}

/// Largest difference of ρ b from ρ ü − Div P, with fourth-order differences, over E.
fn force_error<const D: usize, L: Held<D>>() -> Result<f64> {
    let law: L = law(YOUNG)?;
    let mut random = lab::random(7);
    let mut errors = Vec::new();
    for _ in 0..200 {
        let x = Vector::from_fn(|_| 2.0 * random());
        let t = 2.0 / C * random();
        for i in 0..D {
            let p = |s: f64| {
                let f = stretches(&(x + Vector::axis(i) * s), t);
                law.stress(&Kin::at(Matrix::diagonal(&f)), &law.start()).0[(i, i)]
            };
            let h = 1e-3;
            let slope = (8.0 * (p(h) - p(-h)) - (p(2.0 * h) - p(-2.0 * h))) / (12.0 * h);
            let inertia = -YOUNG * PI * PI * u(&x, t)[i];
            errors.push((RHO * force::<D, L>(&x, t)[i] - inertia + slope).abs());
        }
    }
    Ok(worst(errors) / YOUNG)
}

/// Root mean square error of the displacement, per component, over A at 0.4 periods, with `n` cells
/// per unit length on a periodic square (cube) of side 2 and dt ∝ dx².
fn error<const D: usize, L: Held<D>>(
    options: Options,
    n: usize,
    per_edge: usize,
    young: f64,
    integrator: Integrator,
) -> Result<f64> {
    let dx = 1.0 / n as f64;
    let domain = lab::periodic(dx, [2.0; D])?;
    let points = lattice(dx, per_edge, Vector::zero(), Vector::splat(2.0));
    let rate = |x: &Vector<f64, D>, slope: bool| {
        Vector::<f64, D>::from_fn(|i| {
            let s = if slope {
                PI * (PI * x[i]).cos()
            } else {
                (PI * x[i]).sin()
            };
            AMPLITUDE * C * PI * PHASE[i].cos() * s
        })
    };
    let seeds = points.iter().map(|x| Seed {
        v: rate(x, false),
        C: Matrix::diagonal(&rate(x, true)),
        ..Seed::new(*x, (dx / per_edge as f64).powi(D as i32), RHO)
    });
    let mut set = lab::set("body", &domain, law::<D, L>(young)?, options, seeds)?;
    let at = points.clone();
    set.add_force(Arc::new(move |p: &Place<D>| {
        force::<D, L>(&at[p.id as usize], p.t)
    }));
    let mut world = lab::world::<f64, D>(domain, 0)?;
    world.add(set)?;
    let end = 0.8 / C;
    let longest = end / 25.0 * (16.0 / n as f64).powi(2);
    let how = Stepping {
        integrator,
        ..Stepping::implicit(longest)
    };
    how.set(&mut world);
    world.advance(end)?;
    let p = columns(&world, "body")?;
    let sum: f64 = p.x.iter().zip(&points).fold(0.0, |sum, (x, start)| {
        let e = *x - *start - u(start, end);
        sum + e.map(|e| e - 2.0 * (0.5 * e).round()).norm2()
    });
    Ok((sum / (D * points.len()) as f64).sqrt() / AMPLITUDE)
}

/// What the reference code reached on 32, 64, 128 cells per wavelength: mms_1d_reached_errors.csv.
const APIC: [f64; 3] = [7.660334163e-3, 2.455459055e-3, 1.129554808e-3];
const FLIP: [f64; 3] = [1.45449668e-2, 4.208224258e-3, 1.873599166e-3];

/// One study: how, the particles along a cell's edge, and what the reference code reached, if it has
/// the like of it.
struct Study {
    name: &'static str,
    options: Options,
    per_edge: usize,
    peer: Option<[f64; 3]>,
}

/// Errors on three grids next to the reference code's, and the order.
fn study<L: Held<2>>(b: &mut Bench, s: &Study) -> Result<()> {
    let mut found = [0.0; 3];
    for (i, n) in [16, 32, 64].into_iter().enumerate() {
        found[i] = error::<2, L>(s.options, n, s.per_edge, YOUNG, Integrator::Explicit)?;
        let (gate, tag) = s.peer.map_or((APIC[i], Tag::G), |p| (p[i], Tag::M));
        b.at_most(
            &format!("{} {}, {n} cells: L2(u)/A", L::NAME, s.name),
            found[i],
            gate,
            tag,
        );
    }
    let whole = 0.5 * order(found[0], found[2]);
    b.at_least(
        &format!("{} {}, 16 to 64 cells: order", L::NAME, s.name),
        whole,
        1.8,
        Tag::G,
    );
    Ok(())
}

/// E3: second order in space for three laws; PIC and a wrong modulus are found out.
///
/// With the quadratic kernel and two particles along a cell's edge the order falls to one: the sum
/// over a lattice of spacing s = λ dx/2 misses a share (sin(2π/λ)/(2π/λ))³ of the integral at
/// stretch λ, whatever dx is. That noise strains the body by as much times σ/E and moves it by that
/// times dx. Four along an edge, or the cubic kernel (fourth power), put it below the error of the
/// kernel, and the order is two.
pub fn e3(b: &mut Bench) -> Result<()> {
    let exact = [
        (
            <NeoHookean<f64> as Held<2>>::NAME,
            force_error::<2, NeoHookean<f64>>()?,
        ),
        (
            <FixedCorotated<f64> as Held<2>>::NAME,
            force_error::<2, FixedCorotated<f64>>()?,
        ),
        (
            <Hencky<f64> as Held<3>>::NAME,
            force_error::<3, Hencky<f64>>()?,
        ),
    ];
    for (name, e) in exact {
        b.at_most(
            &format!("{name}: body force against Div P"),
            e,
            1e-9,
            Tag::X,
        );
    }
    let base = Options::default();
    let apic = Study {
        name: "APIC",
        options: base,
        per_edge: 2,
        peer: Some(APIC),
    };
    study::<NeoHookean<f64>>(b, &apic)?;
    let other = Study { peer: None, ..apic };
    study::<FixedCorotated<f64>>(b, &other)?;
    study::<Hencky<f64>>(b, &other)?;
    let flip = Options {
        scheme: Scheme::FLIP,
        ..base
    };
    study::<NeoHookean<f64>>(
        b,
        &Study {
            name: "FLIP",
            options: flip,
            peer: Some(FLIP),
            ..apic
        },
    )?;
    let dense = Study {
        name: "APIC, 16 per cell",
        per_edge: 4,
        ..other
    };
    study::<NeoHookean<f64>>(b, &dense)?;
    let cubic = Options {
        kernel: KernelKind::Cubic,
        ..base
    };
    let cubic = Study {
        name: "APIC, cubic",
        options: cubic,
        peer: None,
        ..apic
    };
    study::<NeoHookean<f64>>(b, &cubic)?;
    if b.long {
        study::<FixedCorotated<f64>>(b, &cubic)?;
        study::<Hencky<f64>>(b, &cubic)?;
    }
    let start = b.rows.len();
    let pic = Options {
        scheme: Scheme::PIC,
        ..base
    };
    study::<NeoHookean<f64>>(
        b,
        &Study {
            name: "PIC",
            options: pic,
            ..apic
        },
    )?;
    b.controls(start);
    let e = error::<2, NeoHookean<f64>>(base, 64, 2, 1.02 * YOUNG, Integrator::Explicit)?;
    b.at_most(
        "neo-Hookean, E 2 % too high, 64 cells: L2(u)/A",
        e,
        APIC[2],
        Tag::M,
    );
    b.control();
    // Backward Euler is of first order in time: with dt ∝ dx² of second order in dx.
    let smooth = Options {
        kernel: KernelKind::Cubic,
        ..base
    };
    let implicit =
        |n, young| error::<2, NeoHookean<f64>>(smooth, n, 2, young, Integrator::Implicit);
    let (coarse, fine) = (implicit(16, YOUNG)?, implicit(32, YOUNG)?);
    let name = "neo-Hookean APIC, cubic, implicit, 16 to 32 cells: order";
    b.at_least(name, order(coarse, fine), 1.8, Tag::G);
    if b.long {
        let name = "neo-Hookean APIC, cubic, implicit, 32 to 64 cells: order";
        b.at_least(name, order(fine, implicit(64, YOUNG)?), 1.8, Tag::G);
    }
    // Theirs, and what backward Euler loses in 0.4 periods: ω² dt t/4 of the amplitude, in the mean of two components.
    let (omega, t) = (C * PI, 0.8 / C);
    let lost = 0.5 * omega * omega * t * t / 100.0;
    let name = "neo-Hookean APIC, cubic, implicit, 32 cells: L2(u)/A";
    b.at_most(name, fine, APIC[1] + lost, Tag::G);
    let wrong = implicit(32, 1.2 * YOUNG)?;
    let name = "neo-Hookean APIC, cubic, implicit, E 20 % too high, 32 cells: L2(u)/A";
    b.at_most(name, wrong, APIC[1] + lost, Tag::G);
    b.control();
    if b.long {
        let solid = |n| error::<3, NeoHookean<f64>>(base, n, 2, YOUNG, Integrator::Explicit);
        let (coarse, fine) = (solid(8)?, solid(32)?);
        b.at_most(
            "3D neo-Hookean APIC, 32 cells: L2(u)/A",
            fine,
            APIC[1],
            Tag::M,
        );
        b.at_least(
            "3D neo-Hookean APIC, 8 to 32 cells: order",
            0.5 * order(coarse, fine),
            1.8,
            Tag::G,
        );
    }
    Ok(())
}
