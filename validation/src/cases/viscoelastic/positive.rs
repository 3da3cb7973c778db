//! V2: b_OB stays positive definite, however long the step is and however violent the motion.
//!
//! (14) needs dt < Wi, and is indefinite for violent motion even then. Lodge's integral needs neither: no step is divided,
//! no number is clamped.

use thixo_core::Result;
use thixo_material::reference::{Element, ram_14};
use thixo_math::{Matrix, Vector};
use thixo_mpm::{Mpm, Options, Seed};
use thixo_shape::Contact;

use super::{gradients, oldroyd, strains};
use crate::lab::{self, Stepping, lattice, random, random_matrix, wall, worst};
use crate::{Bench, Tag};

/// Relaxation time of pie cream \[s\], [Ram15] table 1.
const TIME: f64 = 1e-4;

/// The least eigenvalue over the largest; NaN if there is none.
fn least<const D: usize>(b: &Matrix<f64, D>) -> f64 {
    let values = b.symmetric_eigen().values;
    values[D - 1] / values[0].abs()
}

/// The smallest number; NaN if one is NaN.
fn smallest(all: impl IntoIterator<Item = f64>) -> f64 {
    -worst(all.into_iter().map(|x| -x))
}

/// Random motions that turn nothing inside out, by steps of `x` relaxation times: the least eigenvalue that Lodge's update leaves,
/// over the largest, and that of (14).
fn tossed<const D: usize>(x: f64, violence: f64) -> (f64, f64) {
    let mut next = random(7 + D as u64);
    let (mut ours, mut printed) = (Vec::new(), Vec::new());
    for _ in 0..2000 {
        let mut e = Element::<D>::new(1.0, 1.0);
        let mut b = Matrix::<f64, D>::identity();
        for _ in 0..4 {
            let h = random_matrix::<D>(&mut next) * violence;
            if (h + Matrix::identity()).det() < 0.05 {
                continue;
            }
            e.step(&h, x);
            ours.push(least(&e.strain()));
            b = ram_14(&b, &h, x);
            printed.push(least(&b));
        }
    }
    (smallest(ours), smallest(printed))
}

/// What a thrown block showed.
struct Thrown {
    /// The least eigenvalue of b_OB over the largest, of all particles after all steps.
    least: f64,
    /// Share of the particles whose b_OB would not have stayed positive definite by (14) and the same motion.
    printed: f64,
    /// The longest step over Wi.
    step: f64,
    /// The largest |sym H| of a step.
    strain: f64,
}

/// A block of pie cream of 20 × 20 cm that hits a sticky wall and a floor at 10 m/s.
fn throw<const D: usize>(how: Stepping, dx: f64, until: f64) -> Result<Thrown> {
    let domain = lab::domain::<D>(dx)?;
    let low = Vector::from_fn(|a| if a == 2 { 0.0 } else { dx });
    let high = Vector::from_fn(|a| low[a] + if a == 2 { 4.0 * dx } else { 0.2 });
    let v = Vector::from_fn(|a| if a == 2 { 0.0 } else { -10.0 });
    let points = lattice(dx, 2, low, high).into_iter();
    let seeds = points.map(|x| Seed::new(x, (0.5 * dx).powi(D as i32), 200.0).moving(v));
    let mut set = Mpm::new(
        "cream",
        &domain,
        oldroyd(5e3, 5e4, TIME, 0.5)?,
        Options::default(),
    );
    set.add(seeds)?;
    let mut world = lab::world::<f64, D>(domain, 0)?;
    world.add(set)?;
    for axis in [0, 1] {
        world.colliders.push(wall(axis, 0.0, 1.0, Contact::Sticky));
    }
    how.set(&mut world);
    let mut b = vec![Some(Matrix::<f64, D>::identity()); strains(&world, "cream")?.len()];
    let (mut low, mut step, mut strain) = (1f64, 0f64, 0f64);
    while world.time() < until {
        let dt = world.step(until)?.dt;
        let now = strains(&world, "cream")?;
        low = smallest([low, smallest(now.iter().map(|(b, _)| least(b)))]);
        let motion = gradients(&world, "cream")?;
        for (b, l) in b.iter_mut().zip(&motion) {
            let h = *l * dt;
            strain = worst([strain, h.sym().norm()]);
            *b = b.map(|b| ram_14(&b, &h, dt / TIME));
            *b = b.filter(|b| least(b) > 0.0);
        }
        step = step.max(dt / TIME);
    }
    let lost = b.iter().filter(|b| b.is_none()).count();
    Ok(Thrown {
        least: low,
        printed: lost as f64 / b.len() as f64,
        step,
        strain,
    })
}

/// V2: random motions of one particle; pie cream thrown at a wall.
pub fn v2(b: &mut Bench) -> Result<()> {
    for x in [0.1, 1.0, 10.0, 1e4] {
        for (dimension, (ours, printed)) in
            [("2D", tossed::<2>(x, 1.5)), ("3D", tossed::<3>(x, 1.5))]
        {
            let name = format!(
                "{dimension}, violent motion, dt = {x} Wi: least eigenvalue of b_OB/largest"
            );
            b.at_least(&name, ours, f64::MIN_POSITIVE, Tag::X);
            b.at_least(&format!("… by (14), dt = {x} Wi"), printed, 0.0, Tag::X);
            b.control();
        }
    }
    let long = Stepping::implicit(100.0 * TIME);
    let mut runs = vec![
        ("2D, explicit", throw::<2>(Stepping::EXPLICIT, 0.02, 0.03)?),
        ("2D, implicit", throw::<2>(long, 0.02, 0.03)?),
    ];
    if b.long {
        runs.push(("3D, explicit", throw::<3>(Stepping::EXPLICIT, 0.02, 0.03)?));
        runs.push(("3D, implicit", throw::<3>(long, 0.02, 0.03)?));
    }
    for (name, seen) in runs {
        let name = format!("{name}, thrown pie cream");
        b.at_least(&format!("{name}: longest dt/Wi"), seen.step, 5.0, Tag::X);
        b.at_least(
            &format!("{name}: largest strain in a step"),
            seen.strain,
            0.1,
            Tag::X,
        );
        b.at_least(
            &format!("{name}: least eigenvalue of b_OB/largest"),
            seen.least,
            f64::MIN_POSITIVE,
            Tag::X,
        );
        b.at_most(
            &format!("{name}: share not positive definite by (14)"),
            seen.printed,
            0.0,
            Tag::X,
        );
        b.control();
    }
    Ok(())
}
