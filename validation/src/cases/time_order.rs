//! O6: implicit MPM tends to explicit MPM as the step shrinks, at first order.

use thixo_core::Result;
use thixo_material::elastic::NeoHookean;
use thixo_math::{Matrix, Vector};
use thixo_mpm::{Options, Seed};
use thixo_numerics::integrate::Integrator;

use crate::lab::{self, Stepping, columns, lattice, order};
use crate::{Bench, Tag};

const DX: f64 = 0.1;
/// When positions are compared \[s\]: about a third of a period of the slowest mode.
const END: f64 = 0.08;

/// Positions of a square that starts stretching and turning, after `steps` equal steps.
fn square(integrator: Integrator, steps: u32, young: f64) -> Result<Vec<Vector<f64, 2>>> {
    let domain = lab::domain::<2>(DX)?;
    let law: NeoHookean<f64> =
        lab::law::<f64, 2, _>(&[("youngs_modulus", young), ("poissons_ratio", 0.3)])?;
    let rate = Matrix([[1.5, -2.0], [2.0, -1.0]]);
    let half = Vector::splat(0.5);
    let seeds = lattice(DX, 2, -half, half).into_iter().map(|x| Seed {
        v: rate * x,
        C: rate,
        ..Seed::new(x, 0.25 * DX * DX, 1000.0)
    });
    let mut world = lab::world::<f64, 2>(domain, 1)?;
    world.add(lab::set("square", &domain, law, Options::default(), seeds)?)?;
    let how = Stepping {
        integrator,
        tolerance: 1e-9,
        longest: END / f64::from(steps) * (1.0 + 1e-9),
    };
    how.set(&mut world);
    world.advance(END)?;
    Ok(columns(&world, "square")?.x)
}

/// Root mean square distance \[m\].
fn apart(a: &[Vector<f64, 2>], b: &[Vector<f64, 2>]) -> f64 {
    let sum: f64 = a.iter().zip(b).map(|(a, b)| (*a - *b).norm2()).sum();
    (sum / a.len() as f64).sqrt()
}

/// O6: the distance from the explicit result of as many steps halves with the step. (Of as many: what APIC damps, it
/// damps once in every step, so that the explicit result of other steps is another one.)
pub fn o6(b: &mut Bench) -> Result<()> {
    let young = 5e4;
    let explicit = |steps| square(Integrator::Explicit, steps, young);
    let way = apart(&explicit(64)?, &square(Integrator::Explicit, 64, 1e-3)?);
    for (name, integrator) in [
        ("implicit", Integrator::Implicit),
        (
            "semi-implicit, β = 1",
            Integrator::SemiImplicit { beta: 1.0 },
        ),
        (
            "semi-implicit, β = ½",
            Integrator::SemiImplicit { beta: 0.5 },
        ),
    ] {
        let at = |steps| -> Result<f64> {
            Ok(apart(&square(integrator, steps, young)?, &explicit(steps)?))
        };
        let (coarse, fine) = (at(32)?, at(64)?);
        b.absolute(
            &format!("{name}: order"),
            order(coarse, fine),
            1.0,
            0.1,
            Tag::X,
        );
        b.at_most(
            &format!("{name}, 64 steps: off, of what stress does"),
            fine / way,
            0.1,
            Tag::G,
        );
    }
    // Another matter: what is left does not fall with the step.
    let softer = |steps| -> Result<f64> {
        Ok(apart(
            &square(Integrator::Implicit, steps, 0.8 * young)?,
            &explicit(steps)?,
        ))
    };
    let name = "implicit, E 20 % too low: order";
    b.absolute(name, order(softer(32)?, softer(64)?), 1.0, 0.1, Tag::X);
    b.control();
    Ok(())
}
