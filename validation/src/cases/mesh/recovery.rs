//! O1, O2: a cube recovers from random places, and from one point, at one step a frame. [Jiang15] §A.7, table A.1

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use thixo_core::Result;
use thixo_math::Vector;
use thixo_mesh::{Mesh, Options, lattice::lattice};
use thixo_numerics::integrate::Accuracy;

use super::{Alone, FRAME, rubber};
use crate::lab::random;
use crate::{Bench, Tag};

/// What became of a cube.
struct Found {
    /// The first step after which no element is inverted; infinite if there is none.
    upright: f64,
    inverted: f64,
    off: f64,
    /// Linear solves per step, over as many steps as the document took to recover.
    solves: f64,
    /// Largest rise of E from one iterate to the next, over E.
    rise: f64,
    unconverged: f64,
    curvature: f64,
    seconds: f64,
}

/// A cube of side 1 m, 1000 kg/m³, of n³ cells.
fn cube(n: usize, young: f64, scatter: bool, steps: u32, counted: u32) -> Result<Found> {
    let (points, cells) = lattice::<3>(Vector::zero(), [n; 3], 1.0 / n as f64);
    let options = Options {
        accuracy: Accuracy {
            tolerance: 1e-2,
            iterations: 2000,
            products: 2000,
            ..Accuracy::default()
        },
        ..Options::default()
    };
    // E before each iterate; a new step begins anew.
    let trace: Arc<Mutex<(f64, f64)>> = Arc::new(Mutex::new((f64::INFINITY, 0.0)));
    let told = trace.clone();
    let watch = move |e: f64, _: f64| {
        let mut t = told.lock().unwrap_or_else(PoisonError::into_inner);
        if e > t.0 {
            t.1 = f64::max(t.1, (e - t.0) / e);
        }
        t.0 = e;
    };
    let mut mesh = Mesh::<f64, 3>::new("cube", options).watched(Box::new(watch));
    let body = mesh.add_solid("cube", &points, &cells, rubber(young)?, 1000.0)?;
    let mut random = random(7);
    mesh.place(body, |_, _| {
        let x = Vector::from_fn(|_| if scatter { random() } else { 0.5 });
        (x, Vector::zero())
    })?;
    let mut alone = Alone::new(mesh)?;
    let (mut upright, mut solves) = (f64::INFINITY, 0);
    let start = Instant::now();
    let mut seconds = 0.0;
    for k in 1..=steps {
        trace.lock().unwrap_or_else(PoisonError::into_inner).0 = f64::INFINITY;
        alone.step(FRAME, true)?;
        if k <= counted {
            solves += alone.mesh.last_effort().iterations;
            seconds = start.elapsed().as_secs_f64();
        }
        if upright.is_infinite() && alone.inverted() == 0 {
            upright = f64::from(k);
        }
    }
    let counted = f64::from(counted.min(steps).max(1));
    let rise = trace.lock().unwrap_or_else(PoisonError::into_inner).1;
    Ok(Found {
        upright,
        inverted: alone.inverted() as f64,
        off: alone.off(),
        solves: f64::from(solves) / counted,
        rise,
        unconverged: f64::from(alone.effort.unconverged()),
        curvature: f64::from(alone.effort.curvature_stops),
        seconds: seconds / counted,
    })
}

/// A stiffness \[Pa\], the steps in which the document's cube recovers, its solves per step, and how long to go on.
type Kind = (&'static str, f64, u32, f64, u32);

fn rows(b: &mut Bench, scatter: bool, n: usize, kinds: &[Kind]) -> Result<()> {
    for (name, young, recovery, solves, steps) in kinds {
        let f = cube(n, *young, scatter, *steps, *recovery)?;
        let row = |what: &str| format!("{}³, {name}: {what}", n + 1);
        // What the document calls soft or stiff is not printed; these are near it. Its figures are those of 65³.
        b.at_most(
            &row("upright after steps"),
            f.upright,
            1.2 * f64::from(*recovery),
            Tag::G,
        );
        b.at_most(&row("inverted at the end"), f.inverted, 0.0, Tag::X);
        b.at_most(&row("from rest at the end [L]"), f.off, 1e-3, Tag::X);
        b.at_most(
            &row("linear solves per step"),
            f.solves,
            1.5 * solves,
            Tag::G,
        );
        b.at_most(&row("rise of E between iterates"), f.rise, 1e-12, Tag::X);
        b.at_most(
            &row("steps that did not converge"),
            f.unconverged,
            0.0,
            Tag::X,
        );
        if b.long {
            b.at_least(&row("seconds per frame"), f.seconds, 0.0, Tag::G);
            b.at_least(
                &row("directions that met negative curvature"),
                f.curvature,
                0.0,
                Tag::G,
            );
        }
    }
    Ok(())
}

/// O1: from random places.
pub fn o1(b: &mut Bench) -> Result<()> {
    let kinds: &[Kind] = &[
        // Backward Euler takes e⁻¹ of its slowest swing in some 250 steps.
        ("soft", 1.5e3, 100, 12.3, 1200),
        ("medium", 3e4, 40, 236.8, 120),
        ("stiff", 1e8, 1, 109.6, 1),
    ];
    rows(b, true, 8, kinds)?;
    rows(b, true, 16, &kinds[2..])?;
    if b.long {
        rows(b, true, 16, &kinds[..2])?;
        // Softer ones end upright in every place and folded as a whole: 1.5 kPa did.
        rows(b, true, 64, &[("soft", 8e3, 100, 12.3, 180)])?;
    }
    let none = cube(8, 1.5e3, true, 0, 1)?;
    b.at_most(
        "control: without a step, inverted",
        none.inverted,
        0.0,
        Tag::X,
    );
    b.control();
    b.at_most(
        "control: without a step, from rest [L]",
        none.off,
        1e-3,
        Tag::X,
    );
    b.control();
    Ok(())
}

/// O2: from one point.
pub fn o2(b: &mut Bench) -> Result<()> {
    let kinds: &[Kind] = &[
        ("soft", 3e3, 120, 10.7, 1500),
        ("medium", 1e5, 5, 155.9, 20),
        ("stiff", 1e8, 1, 88.8, 1),
    ];
    rows(b, false, 8, kinds)?;
    rows(b, false, 16, &kinds[1..])?;
    if b.long {
        rows(b, false, 64, &kinds[2..])?;
    }
    let none = cube(8, 1e5, false, 0, 1)?;
    b.at_most(
        "control: without a step, inverted",
        none.inverted,
        0.0,
        Tag::X,
    );
    b.control();
    Ok(())
}
