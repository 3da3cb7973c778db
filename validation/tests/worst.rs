//! Gates do not pass on NaN nor on nothing, and a control is not rejected by them.

use thixo_core::Result;
use thixo_validation::lab::worst;
use thixo_validation::{Bench, Case, Tag, run};

#[test]
fn nan_wins_and_nothing_is_nan() {
    assert_eq!(worst([1.0, 3.0, 2.0]), 3.0);
    assert_eq!(worst([-2.0, -1.0]), -1.0);
    for nan in [[f64::NAN, 1.0], [1.0, f64::NAN]] {
        assert!(worst(nan).is_nan());
    }
    assert!(worst([]).is_nan());
}

/// Whether each row of such a case passes.
fn passes(run_it: fn(&mut Bench) -> Result<()>) -> Vec<bool> {
    let case = Case {
        id: "T",
        title: "a case of this test",
        run: run_it,
    };
    run(&case, false).iter().map(|r| r.pass).collect()
}

#[test]
fn a_case_without_rows_or_controls_fails() {
    assert_eq!(passes(|_| Ok(())), [false]);
    let bare = |b: &mut Bench| {
        b.at_most("fine", 0.0, 1.0, Tag::X);
        Ok(())
    };
    assert_eq!(passes(bare), [true, false]);
}

#[test]
fn a_control_that_was_not_measured_is_not_rejected() {
    let controls = |b: &mut Bench| {
        for value in [2.0, 0.5, f64::NAN, f64::INFINITY] {
            b.at_most("control", value, 1.0, Tag::X);
            b.control();
        }
        b.relative("no reference", 1.0, 0.0, 1.0, Tag::X);
        b.control();
        Ok(())
    };
    assert_eq!(passes(controls), [true, false, false, false, false]);
}
