//! Conformance: what every law must satisfy, measured on random deformations.
//!
//! One call of [`check_law`] tests one law in one dimension; [`check_all`] has one line per law. A
//! [`Report`] keeps the number that each check reached next to its tolerance.

mod dense;
mod derivative;
mod implicit;
mod plastic;
mod report;
mod sample;

use crate::{Law, Values, elastic, eos, flow};

pub use report::{Check, Failure, Report};

/// What a law under test has where its card has no default and the line says nothing.
const USUAL: &[(&str, f64)] = &[
    ("youngs_modulus", 1e4),
    ("poissons_ratio", 0.3),
    ("bulk_modulus", 1e4),
    ("shear_modulus", 3e3),
];

/// Checks every law in 2D and 3D.
pub fn check_all() -> Vec<Report> {
    [
        both::<elastic::FixedCorotated<f64>, elastic::FixedCorotated<f32>>(&[]),
        both::<elastic::NeoHookean<f64>, elastic::NeoHookean<f32>>(&[]),
        both::<elastic::Hencky<f64>, elastic::Hencky<f32>>(&[]),
        both::<flow::Snow<f64>, flow::Snow<f32>>(&[]),
        both::<flow::Sand<f64>, flow::Sand<f32>>(&[("cohesion", 500.0)]),
        both::<flow::ClampSand<f64>, flow::ClampSand<f32>>(&[]),
        both::<eos::Liquid<f64>, eos::Liquid<f32>>(&[("viscosity", 100.0)]),
        both::<flow::VonMises<f64>, flow::VonMises<f32>>(&[("yield_stress", 500.0)]),
        both::<flow::OldroydB<f64>, flow::OldroydB<f32>>(&[
            ("relaxation_time", 0.01),
            ("viscosity", 100.0),
        ]),
        // That never relaxes, and so has its slow forms as twins.
        both::<flow::OldroydB<f64>, flow::OldroydB<f32>>(&[("viscosity", 100.0)]),
        both::<flow::Viscoplastic<f64>, flow::Viscoplastic<f32>>(&[
            ("yield_stress", 500.0),
            ("relaxation_time", 0.01),
            ("hardening_modulus", 1e3),
        ]),
    ]
    .concat()
}

fn both<A, B>(given: &[(&str, f64)]) -> Vec<Report>
where
    A: Law<f64, 2> + Law<f64, 3>,
    B: Law<f32, 2> + Law<f32, 3>,
{
    vec![check_law::<A, B, 2>(given), check_law::<A, B, 3>(given)]
}

/// Checks a law, given its `f64` and `f32` forms and its parameters. Elastic moduli may be left out.
pub fn check_law<A: Law<f64, D>, B: Law<f32, D>, const D: usize>(given: &[(&str, f64)]) -> Report {
    let mut report = Report::new(A::INFO.name, D);
    let open = |name: &str| {
        A::INFO
            .params
            .iter()
            .any(|p| p.name == name && p.default.is_none())
    };
    let usual = USUAL.iter().filter(|(name, _)| open(name));
    let made = Values::new(A::INFO, usual.chain(given).copied())
        .and_then(|values| Ok((A::new(&values)?, B::new(&values)?)));
    let (wide, narrow) = match made {
        Ok(both) => both,
        Err(_) => {
            report.add("parameters are accepted", 1.0, 0.0, 1);
            return report;
        }
    };
    derivative::check(&wide, &mut report);
    implicit::check(&wide, &mut report);
    plastic::check(&wide, &mut report);
    plastic::check_narrow(&wide, &narrow, &mut report);
    implicit::check_narrow(&wide, &narrow, &mut report);
    report
}
