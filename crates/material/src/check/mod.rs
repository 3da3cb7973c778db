//! Conformance: what every law must satisfy, measured on random deformations.
//!
//! One call of [`check_law`] tests one law in one dimension; [`check_all`] has one line per law. A
//! [`Report`] keeps the number that each check reached next to its tolerance.

mod dense;
mod derivative;
mod plastic;
mod report;
mod sample;

use crate::elastic::{FixedCorotated, Hencky, NeoHookean};
use crate::eos::Liquid;
use crate::flow::{ClampSand, Sand, Snow};
use crate::{Law, Values};

pub use report::{Check, Failure, Report};

/// Young's modulus and Poisson's ratio of the elastic laws under test.
const SOLID: &[(&str, f64)] = &[("youngs_modulus", 1e4), ("poissons_ratio", 0.3)];

/// Checks every law in 2D and 3D.
pub fn check_all() -> Vec<Report> {
    [
        both::<FixedCorotated<f64>, FixedCorotated<f32>>(SOLID),
        both::<NeoHookean<f64>, NeoHookean<f32>>(SOLID),
        both::<Hencky<f64>, Hencky<f32>>(SOLID),
        both::<Snow<f64>, Snow<f32>>(&[]),
        both::<Sand<f64>, Sand<f32>>(&[("cohesion", 500.0)]),
        both::<ClampSand<f64>, ClampSand<f32>>(&[]),
        both::<Liquid<f64>, Liquid<f32>>(&[("bulk_modulus", 1e4), ("viscosity", 100.0)]),
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

/// Checks a law, given its `f64` and `f32` forms and the parameters that have no default.
pub fn check_law<A: Law<f64, D>, B: Law<f32, D>, const D: usize>(given: &[(&str, f64)]) -> Report {
    let mut report = Report::new(A::INFO.name, D);
    let made = Values::new(A::INFO, given.iter().copied())
        .and_then(|values| Ok((A::new(&values)?, B::new(&values)?)));
    let (wide, narrow) = match made {
        Ok(both) => both,
        Err(_) => {
            report.add("parameters are accepted", 1.0, 0.0, 1);
            return report;
        }
    };
    derivative::check(&wide, &mut report);
    plastic::check(&wide, &mut report);
    plastic::check_narrow(&wide, &narrow, &mut report);
    report
}
