//! X6: bad numbers, degenerate scenes and violent steps end in an error value that names what is
//! wrong, or in a step that is undone and repeated; never in a panic or a NaN that spreads.
#![allow(non_snake_case)]

use std::sync::Arc;

use thixo_core::{Error, Result, World};
use thixo_grid::{Domain, KernelKind};
use thixo_material::elastic::{FixedCorotated, NeoHookean};
use thixo_math::{Matrix, Vector};
use thixo_mpm::{Mpm, Options, Seed, matter};

use crate::lab;
use crate::menagerie::{Plan, menagerie};
use crate::{Bench, Tag};

type World2 = World<f64, 2>;

fn rubber() -> Result<NeoHookean<f64>> {
    lab::law::<f64, 2, _>(&[("youngs_modulus", 1e4), ("poissons_ratio", 0.3)])
}

fn world_of(seeds: Vec<Seed<2>>, options: Options) -> Result<World2> {
    let domain = lab::domain::<2>(0.1)?;
    let mut w = lab::world::<f64, 2>(domain, 1)?;
    w.gravity = Vector([0.0, -9.81]);
    w.add(lab::set("body", &domain, rubber()?, options, seeds)?)?;
    Ok(w)
}

fn seed(x: f64, y: f64) -> Seed<2> {
    Seed::new(Vector([x, y]), 0.0025, 1000.0)
}

fn block() -> Vec<Seed<2>> {
    let points = lab::lattice(0.1, 2, Vector([0.0, 0.0]), Vector([0.5, 0.5]));
    points
        .into_iter()
        .map(|x| Seed::new(x, 0.0025, 1000.0))
        .collect()
}

/// Whether an error is a fault of this system.
fn names(error: &Error, system: &str) -> bool {
    matches!(error, Error::Fault(fault) if fault.system == system)
}

/// Runs every check.
pub fn x6(b: &mut Bench) -> Result<()> {
    poisoned(b)?;
    unusable(b);
    degenerate(b)?;
    violent(b)
}

/// A NaN or infinity in any number of any column is found before it spreads, and named.
fn poisoned(b: &mut Bench) -> Result<()> {
    let plan = Plan::default();
    let mut healthy = menagerie::<f64, 2>(&plan)?;
    for _ in 0..20 {
        healthy.step(1e9)?;
    }
    let clean = healthy.snapshot();
    let (mut tried, mut named) = (0, 0);
    for c in 0..clean.columns.len() {
        let name = clean.columns[c].name.clone();
        let short = name.rsplit('/').next().unwrap_or_default();
        if !["offset", "v", "C", "L", "F", "state", "mass", "rest_volume"].contains(&short) {
            continue;
        }
        let count = clean.columns[c].bytes.len() / 8;
        for (n, poison) in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY]
            .iter()
            .enumerate()
        {
            if count == 0 {
                continue;
            }
            let mut ill = clean.clone();
            let at = (count / 2 + n) % count * 8;
            ill.columns[c].bytes[at..at + 8].copy_from_slice(&poison.to_le_bytes());
            let mut w = menagerie::<f64, 2>(&plan)?;
            let outcome = w.restore(&ill).and_then(|()| w.step(1e9).map(|_| ()));
            tried += 1;
            let system = name.split('/').next().unwrap_or_default();
            let told = match &outcome {
                Err(Error::Fault(f)) => f.system == system,
                Err(Error::Step { fault, .. }) => names(fault, system),
                _ => false,
            };
            if told {
                named += 1;
            } else {
                b.holds(&format!("{name} = {poison}: {outcome:?}"), false, Tag::X);
            }
        }
    }
    // Relative, so that none tried is not a pass.
    b.relative(
        "poisoned columns found and named",
        named.into(),
        tried.into(),
        0.0,
        Tag::X,
    );
    // The same check on a healthy state finds nothing.
    let mut w = menagerie::<f64, 2>(&plan)?;
    let fine = w.restore(&clean).and_then(|()| w.step(1e9)).is_ok();
    b.holds("a healthy state is rejected", !fine, Tag::X);
    b.control();
    Ok(())
}

/// What cannot be built is refused with a reason.
fn unusable(b: &mut Bench) {
    let mut refused = |what: &str, outcome: Result<()>| {
        let told = matches!(&outcome, Err(e) if !e.to_string().is_empty());
        b.holds(&format!("refused: {what}"), told, Tag::X);
    };
    let with = |s: Seed<2>| world_of(vec![s], Options::default()).map(|_| ());
    refused(
        "zero mass",
        with(Seed {
            mass: 0.0,
            ..seed(0.0, 0.0)
        }),
    );
    refused(
        "negative mass",
        with(Seed {
            mass: -1.0,
            ..seed(0.0, 0.0)
        }),
    );
    refused(
        "zero volume",
        with(Seed {
            volume: 0.0,
            ..seed(0.0, 0.0)
        }),
    );
    refused("position that is not finite", with(seed(f64::NAN, 0.0)));
    refused("position beyond 2^31 cells", with(seed(1e12, 0.0)));
    refused(
        "velocity that is not finite",
        with(seed(0.0, 0.0).moving(Vector([f64::NAN, 0.0]))),
    );
    refused("cell size 0", lab::domain::<2>(0.0).map(|_| ()));
    refused("cell size NaN", lab::domain::<2>(f64::NAN).map(|_| ()));
    refused(
        "period of 5 cells",
        lab::periodic::<2>(0.1, [0.5, 0.0]).map(|_| ()),
    );
    let poisson = |nu: f64| {
        lab::law::<f64, 2, NeoHookean<f64>>(&[("youngs_modulus", 1e4), ("poissons_ratio", nu)])
    };
    refused("Poisson's ratio 0.5", poisson(0.5).map(|_| ()));
    refused("Poisson's ratio NaN", poisson(f64::NAN).map(|_| ()));
    refused("two systems of one name", {
        let twice = || -> Result<()> {
            let mut w = world_of(block(), Options::default())?;
            let domain = *w.domain();
            w.add(lab::set(
                "body",
                &domain,
                rubber()?,
                Options::default(),
                block(),
            )?)
        };
        twice()
    });
    let stalled = || -> Result<()> {
        let mut w = world_of(block(), Options::default())?;
        w.limit_step(0.0);
        w.step(1.0).map(|_| ())
    };
    refused("step size 0", stalled());
    let flat = Matrix([[1.0, 0.0], [0.0, -1.0]]);
    let inverted = || -> Result<()> {
        let mut w = world_of(
            vec![Seed {
                F: flat,
                ..seed(0.0, 0.0)
            }],
            Options::default(),
        )?;
        w.step(1.0).map(|_| ())
    };
    refused("inverted neo-Hookean matter", inverted());
    refused("healthy matter", with(seed(0.0, 0.0)));
    b.control();
}

/// Scenes at the edge of what is sensible run.
fn degenerate(b: &mut Bench) -> Result<()> {
    let mut runs = |what: &str, world: Result<World2>| -> Result<()> {
        let mut w = world?;
        for _ in 0..20 {
            w.step(w.time() + 1.0)?;
        }
        let t = w.totals();
        let sane = t.kinetic.is_finite() && t.elastic.is_finite() && w.time() > 0.0;
        b.holds(&format!("runs: {what}"), sane, Tag::X);
        Ok(())
    };
    let domain: Domain<2> = lab::domain(0.1)?;
    runs("empty world", lab::world(domain, 1))?;
    runs(
        "set without particles",
        world_of(Vec::new(), Options::default()),
    )?;
    runs(
        "one particle",
        world_of(vec![seed(0.03, 0.04)], Options::default()),
    )?;
    let pair = vec![seed(0.03, 0.04), seed(0.03, 0.04)];
    runs(
        "two particles in one place",
        world_of(pair, Options::default()),
    )?;
    let exact = || {
        vec![
            seed(0.0, 0.0),
            seed(0.1, 0.05),
            seed(-0.2, 0.3),
            seed(0.05, 0.05),
        ]
    };
    for kernel in [KernelKind::Quadratic, KernelKind::Cubic] {
        let options = Options {
            kernel,
            ..Options::default()
        };
        let what = format!("on node, face and corner, {kernel:?}");
        runs(&what, world_of(exact(), options))?;
    }
    let mut capped = world_of(block(), Options::default())?;
    capped.limit_step(1e300);
    runs("step limit 1e300", Ok(capped))?;
    let stiff: FixedCorotated<f64> =
        lab::law::<f64, 2, _>(&[("youngs_modulus", 1e4), ("poissons_ratio", 0.499999)])?;
    let mut w = lab::world::<f64, 2>(domain, 1)?;
    w.add(lab::set(
        "body",
        &domain,
        stiff,
        Options::default(),
        block(),
    )?)?;
    runs("Poisson's ratio 0.499999", Ok(w))?;
    // Inverted matter of a law that admits it recovers.
    let soft: FixedCorotated<f64> =
        lab::law::<f64, 2, _>(&[("youngs_modulus", 1e4), ("poissons_ratio", 0.3)])?;
    let flipped = block().into_iter().enumerate().map(|(i, s)| {
        let F = if i % 50 == 0 {
            Matrix([[1.0, 0.0], [0.0, -0.5]])
        } else {
            s.F
        };
        Seed { F, ..s }
    });
    let mut w = lab::world::<f64, 2>(domain, 1)?;
    w.add(lab::set(
        "body",
        &domain,
        soft,
        Options::default(),
        flipped,
    )?)?;
    runs("inverted fixed-corotated matter", Ok(w))?;
    // The multilinear kernel's ∇w does not vanish with w: a node that a particle barely touches is
    // thrown far, and the bound on the step says so. It may stop, by name; it may not spread.
    let options = Options {
        kernel: KernelKind::Linear,
        ..Options::default()
    };
    let mut w = world_of(exact(), options)?;
    let outcome = (0..20).try_for_each(|_| w.step(w.time() + 1.0).map(|_| ()));
    let clean = match outcome {
        Ok(()) => true,
        Err(Error::Stalled { .. } | Error::Step { .. }) => true,
        Err(_) => false,
    };
    let sane = clean && w.totals().kinetic.is_finite();
    b.holds(
        "on node, face and corner, Linear: runs or stops by name",
        sane,
        Tag::X,
    );
    Ok(())
}

/// A force too violent for the step is met with smaller steps; one that is not a number ends the
/// run with the last good state.
fn violent(b: &mut Bench) -> Result<()> {
    let domain: Domain<2> = lab::domain(0.1)?;
    let with_force = |force: fn(f64) -> f64| -> Result<World2> {
        let mut set = Mpm::new("body", &domain, matter(rubber()?), Options::default());
        set.add(block())?;
        set.add_force(Arc::new(move |p| Vector([force(p.t), 0.0])));
        let mut w = lab::world::<f64, 2>(domain, 1)?;
        w.add(set)?;
        Ok(w)
    };
    let mut w = with_force(|t| {
        if (0.01..0.0102).contains(&t) {
            1e9
        } else {
            0.0
        }
    })?;
    w.advance(0.01)?;
    w.advance(0.0102)?;
    b.at_least(
        "steps undone under 1e9 m/s²",
        w.rejected() as f64,
        1.0,
        Tag::X,
    );
    b.holds(
        "the run survives it",
        w.totals().kinetic.is_finite(),
        Tag::X,
    );
    let mut w = with_force(|t| if t > 0.02 { f64::NAN } else { 0.0 })?;
    let mut last = w.state_hash();
    let error = loop {
        match w.step(1.0) {
            Ok(_) => last = w.state_hash(),
            Err(e) => break e,
        }
    };
    let named = matches!(&error, Error::Step { fault, .. } if names(fault, "body"));
    b.holds(
        "a force that is not a number ends the run by name",
        named,
        Tag::X,
    );
    let text = error.to_string();
    let says = ["step", "particle", "velocity", "dt"]
        .iter()
        .all(|w| text.contains(w));
    b.holds(
        "the error says step, particle, quantity and dt",
        says,
        Tag::X,
    );
    let same = |a: &World2| {
        // All but the counter of rejected steps.
        let s = a.snapshot();
        s.columns
            .into_iter()
            .filter(|c| c.name != "steps")
            .collect::<Vec<_>>()
    };
    let mut replay = with_force(|_| 0.0)?;
    while replay.steps() < w.steps() {
        replay.step(1.0)?;
    }
    b.holds(
        "the last good state is kept",
        same(&replay) == same(&w) && !last.is_empty(),
        Tag::X,
    );
    replay.step(1.0)?;
    b.holds(
        "a state one step on is the same",
        same(&replay) == same(&w),
        Tag::X,
    );
    b.control();
    Ok(())
}
