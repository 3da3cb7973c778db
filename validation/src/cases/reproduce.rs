//! X1–X3, X9: restart, restep, threads, invariance.

use thixo_core::{Result, Snapshot, World};
use thixo_grid::transfer::Scheme;
use thixo_math::Real;
use thixo_numerics::integrate::Integrator;

use crate::lab::worst;
use crate::menagerie::{Plan, menagerie};
use crate::{Bench, Tag};

fn run<T: Real, const D: usize>(world: &mut World<T, D>, steps: u64) -> Result<()> {
    for _ in 0..steps {
        world.step(1e9)?;
    }
    Ok(())
}

/// Those that solve, by name.
const SOLVING: [(&str, Integrator); 3] = [
    ("implicit", Integrator::Implicit),
    ("semi-implicit", Integrator::SemiImplicit { beta: 1.0 }),
    ("auto", Integrator::Auto),
];

/// X1: a run that is stopped, saved and restored goes on bit for bit.
pub fn x1(b: &mut Bench) -> Result<()> {
    fn restart<T: Real, const D: usize>(
        b: &mut Bench,
        plan: &Plan,
        at: &[u64],
        all: u64,
    ) -> Result<()> {
        let mut straight = menagerie::<T, D>(plan)?;
        run(&mut straight, all)?;
        let end = straight.state_hash();
        for &n in at {
            let mut first = menagerie::<T, D>(plan)?;
            run(&mut first, n)?;
            let saved = first.snapshot();
            // Through bytes, and into a world that knows nothing of the first.
            let columns = saved.columns.to_vec();
            let mut second = menagerie::<T, D>(plan)?;
            second.restore(&Snapshot::from_columns(columns))?;
            let how = plan.integrator;
            let name = format!("{D}D {} {how:?}: restart after {n} of {all} steps", T::NAME);
            b.holds(
                &format!("{name}, state"),
                second.state_hash() == saved.hash(),
                Tag::X,
            );
            run(&mut second, all - n)?;
            b.holds(&format!("{name}, end"), second.state_hash() == end, Tag::X);
        }
        Ok(())
    }
    let plan = Plan::default();
    restart::<f64, 2>(b, &plan, &[1, 37, 100, 151], 200)?;
    restart::<f32, 2>(
        b,
        &Plan {
            scheme: Scheme::flip(0.95),
            ..plan
        },
        &[73],
        150,
    )?;
    let scheme = Scheme::apic_flip(0.9);
    restart::<f64, 2>(b, &Plan { scheme, ..plan }, &[73], 150)?;
    restart::<f32, 3>(b, &plan, &[30], 60)?;
    for (_, integrator) in SOLVING {
        restart::<f32, 2>(b, &Plan { integrator, ..plan }, &[11], 30)?;
    }
    // A restart that forgets the affine velocity of one particle.
    let mut first = menagerie::<f64, 2>(&plan)?;
    run(&mut first, 50)?;
    let mut saved = first.snapshot();
    let column = saved
        .columns
        .iter_mut()
        .find(|c| c.name.ends_with("snow/C"));
    if let Some(c) = column {
        c.bytes[..32].fill(0);
    }
    let mut second = menagerie::<f64, 2>(&plan)?;
    second.restore(&saved)?;
    run(&mut first, 20)?;
    run(&mut second, 20)?;
    let same = first.state_hash() == second.state_hash();
    b.holds("a restart without one particle's C", same, Tag::X);
    b.control();
    Ok(())
}

/// X2: a step that is tried and undone leaves no trace.
pub fn x2(b: &mut Bench) -> Result<()> {
    let plan = Plan::default();
    let explicit = Integrator::Explicit;
    let apic = [("APIC", Scheme::APIC, explicit, 60)];
    let flip = [("FLIP 0.95", Scheme::flip(0.95), explicit, 60)];
    let solving = SOLVING.map(|(name, how)| (name, Scheme::APIC, how, 15));
    for (name, scheme, integrator, half) in apic.into_iter().chain(flip).chain(solving) {
        let plan = Plan {
            scheme,
            integrator,
            ..plan
        };
        let mut straight = menagerie::<f64, 2>(&plan)?;
        run(&mut straight, 2 * half)?;
        let mut disturbed = menagerie::<f64, 2>(&plan)?;
        run(&mut disturbed, half)?;
        let dt = disturbed.bound()?.dt;
        for factor in [1.0, 0.3, 0.01] {
            // A long implicit step may be refused; that, too, must leave no trace.
            let _ = disturbed.try_and_undo(factor * dt);
        }
        run(&mut disturbed, half)?;
        let same = straight.state_hash() == disturbed.state_hash();
        b.holds(
            &format!("2D {name}: three steps undone in the middle"),
            same,
            Tag::X,
        );
    }
    // Something that does leave a trace: one bit of one particle's velocity, after as many steps.
    let mut straight = menagerie::<f64, 2>(&plan)?;
    run(&mut straight, 60)?;
    let mut saved = straight.snapshot();
    if let Some(c) = saved.columns.iter_mut().find(|c| c.name.ends_with("/v")) {
        c.bytes[5] ^= 1;
    }
    let mut disturbed = menagerie::<f64, 2>(&plan)?;
    disturbed.restore(&saved)?;
    let same = straight.state_hash() == disturbed.state_hash();
    b.holds("2D APIC: one bit of one velocity flipped", same, Tag::X);
    b.control();
    run(&mut straight, 60)?;
    run(&mut disturbed, 60)?;
    let same = straight.state_hash() == disturbed.state_hash();
    b.holds("2D APIC: … and 60 steps on", same, Tag::X);
    b.control();
    Ok(())
}

/// X3: the same bits for any number of threads, and every bit counts in the hash.
pub fn x3(b: &mut Bench) -> Result<()> {
    fn threads<T: Real, const D: usize>(b: &mut Bench, plan: Plan, steps: u64) -> Result<()> {
        let hash = |threads: usize| -> Result<String> {
            let mut w = menagerie::<T, D>(&Plan { threads, ..plan })?;
            run(&mut w, steps)?;
            Ok(w.state_hash())
        };
        let one = hash(1)?;
        for n in [2, 3, 4, 7] {
            let how = plan.integrator;
            let name = format!("{D}D {} {how:?}: {steps} steps, {n} threads as 1", T::NAME);
            b.holds(&name, hash(n)? == one, Tag::X);
        }
        Ok(())
    }
    let (apic, scheme) = (Plan::default(), Scheme::apic_flip(0.9));
    threads::<f32, 2>(b, apic, 300)?;
    threads::<f64, 2>(b, Plan { scheme, ..apic }, 300)?;
    threads::<f32, 3>(b, apic, if b.long { 300 } else { 40 })?;
    for (_, integrator) in SOLVING {
        let plan = Plan { integrator, ..apic };
        threads::<f32, 2>(b, plan, if b.long { 300 } else { 25 })?;
    }
    let integrator = Integrator::Implicit;
    let steps = if b.long { 100 } else { 4 };
    threads::<f32, 3>(b, Plan { integrator, ..apic }, steps)?;
    // One flipped bit in any field of any particle changes the hash.
    let mut w = menagerie::<f32, 2>(&Plan::default())?;
    run(&mut w, 30)?;
    let snapshot = w.snapshot();
    let hash = snapshot.hash();
    let (mut seen, mut changed) = (0u32, 0u32);
    let mut copy = snapshot.clone();
    for c in 0..copy.columns.len() {
        for i in (0..copy.columns[c].bytes.len()).step_by(61) {
            let bit = 1 << (i % 8);
            copy.columns[c].bytes[i] ^= bit;
            seen += 1;
            changed += u32::from(copy.hash() != hash);
            copy.columns[c].bytes[i] ^= bit;
        }
    }
    // Relative, so that none seen is not a pass.
    b.relative(
        "flipped bits that change the hash",
        f64::from(changed),
        f64::from(seen),
        0.0,
        Tag::X,
    );
    // Another scene, the same but for the turning bar, has another hash after as many steps.
    let mut other = menagerie::<f32, 2>(&Plan {
        turning: false,
        ..Plan::default()
    })?;
    run(&mut other, 30)?;
    b.holds(
        "the scene without its turning bar: same hash",
        other.state_hash() == hash,
        Tag::X,
    );
    b.control();
    Ok(())
}

/// Largest difference of momentum, energy and angular momentum, relative to their size.
fn apart<const D: usize>(a: &World<f64, D>, c: &World<f64, D>) -> f64 {
    let (a, c) = (a.totals(), c.totals());
    let rel = |x: f64, y: f64| (x - y).abs() / x.abs().max(1e-30);
    let p = (0..D).map(|i| (a.momentum[i] - c.momentum[i]).abs() / a.mass);
    worst(p.chain([rel(a.kinetic, c.kinetic), rel(a.elastic, c.elastic)]))
}

/// X9: the answer does not depend on where the scene lies, nor on its units.
pub fn x9(b: &mut Bench) -> Result<()> {
    let plan = Plan {
        flowing: false,
        ..Plan::default()
    };
    let mut here = menagerie::<f64, 2>(&plan)?;
    run(&mut here, 50)?;
    let mut far = menagerie::<f64, 2>(&Plan {
        shift: 1000,
        ..plan
    })?;
    run(&mut far, 50)?;
    b.at_most("2D: moved by 1000 cells", apart(&here, &far), 1e-10, Tag::X);
    let mut here = menagerie::<f32, 2>(&Plan {
        flowing: false,
        turning: false,
        ..plan
    })?;
    let mut far = menagerie::<f32, 2>(&Plan {
        shift: 1 << 20,
        flowing: false,
        turning: false,
        ..plan
    })?;
    run(&mut here, 50)?;
    run(&mut far, 50)?;
    let kinetic = (here.totals().kinetic, far.totals().kinetic);
    b.relative(
        "2D f32: moved by 2^20 cells, kinetic energy",
        kinetic.1,
        kinetic.0,
        1e-4,
        Tag::X,
    );
    // Lengths and times by 4, densities and stresses unchanged: the same numbers, bit for bit.
    // `weight`: gravity over what belongs to the scale.
    let exact = |scale: f64, weight: f64| -> Result<(World<f64, 2>, Vec<u8>)> {
        let mut w = menagerie::<f64, 2>(&Plan {
            scale,
            flowing: false,
            turning: false,
            ..plan
        })?;
        w.gravity = w.gravity * weight;
        run(&mut w, 50)?;
        let s = w.snapshot();
        let mine = s.columns.iter().filter(|c| {
            ["cell", "offset", "/v", "/F", "state", "id"]
                .iter()
                .any(|e| c.name.ends_with(e))
        });
        let bytes = mine.flat_map(|c| c.bytes.clone()).collect();
        Ok((w, bytes))
    };
    let (one, bytes) = exact(1.0, 1.0)?;
    let same = |other: Vec<u8>| !bytes.is_empty() && bytes == other;
    let name = "2D: lengths and times by 4";
    let (_, four) = exact(4.0, 1.0)?;
    b.holds(&format!("{name}, same bits"), same(four), Tag::X);
    let (_, four) = exact(4.0, 4.0)?;
    b.holds(
        &format!("{name}, gravity not, same bits"),
        same(four),
        Tag::X,
    );
    b.control();
    let (thousand, _) = exact(1000.0, 1.0)?;
    let speed = |w: &World<f64, 2>| {
        let t = w.totals();
        (2.0 * t.kinetic / t.mass).sqrt()
    };
    b.relative(
        "2D: lengths and times by 1000",
        speed(&thousand),
        speed(&one),
        1e-9,
        Tag::X,
    );
    let (other, _) = exact(1.001, 1.001)?;
    b.relative(
        "2D: lengths and times by 1.001, gravity not",
        speed(&other),
        speed(&one),
        1e-9,
        Tag::X,
    );
    b.control();
    quarter_turn(b)
}

/// A scene turned by 90° gives the same answer, turned.
fn quarter_turn(b: &mut Bench) -> Result<()> {
    use crate::lab::{self, random};
    use thixo_material::elastic::FixedCorotated;
    use thixo_math::Vector;
    use thixo_mpm::{Options, Seed};
    use thixo_shape::Contact;
    let blob = |turned: bool, reversed: bool| -> Result<Vec<Vector<f64, 2>>> {
        let turn = |v: [f64; 2]| Vector(if turned { [-v[1], v[0]] } else { v });
        let domain = lab::domain::<2>(0.1)?;
        let law: FixedCorotated<f64> =
            lab::law::<f64, 2, _>(&[("youngs_modulus", 1e4), ("poissons_ratio", 0.3)])?;
        let mut random = random(9);
        let mut seeds: Vec<Seed<2>> = (0..500)
            .map(|_| {
                let x = turn([random() * 0.8 - 0.4, random() * 0.8 + 0.05]);
                Seed::new(x, 0.0025, 1000.0).moving(turn([0.5, -1.0]))
            })
            .collect();
        if reversed {
            seeds.reverse();
        }
        let mut w = lab::world::<f64, 2>(domain, 1)?;
        w.gravity = turn([0.0, -9.81]);
        let (axis, sign) = if turned { (0, -1.0) } else { (1, 1.0) };
        w.colliders = vec![lab::wall(
            axis,
            0.0,
            sign,
            Contact::Separating { friction: 0.3 },
        )];
        w.add(lab::set("blob", &domain, law, Options::default(), seeds)?)?;
        run(&mut w, 50)?;
        let mut x = lab::columns(&w, "blob")?.x;
        if reversed {
            x.reverse();
        }
        Ok(x.iter()
            .map(|x| if turned { Vector([x[1], -x[0]]) } else { *x })
            .collect())
    };
    let far = |a: &[Vector<f64, 2>], c: &[Vector<f64, 2>]| {
        let each = a.iter().zip(c).map(|(x, y)| (*x - *y).0.map(f64::abs));
        worst(each.flatten())
    };
    let plain = blob(false, false)?;
    b.at_most(
        "2D: turned by 90°",
        far(&plain, &blob(true, false)?),
        1e-10,
        Tag::X,
    );
    b.at_most(
        "2D: particles in reverse order",
        far(&plain, &blob(false, true)?),
        1e-12,
        Tag::X,
    );
    Ok(())
}
