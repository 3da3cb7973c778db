//! Motion of an obstacle by formulas of time.

use std::ops::Range;
use std::sync::Arc;

use thixo_math::Vector;
use thixo_shape::{Motion, Pose, Twist, rotation_of, turn_of};

use super::field::Field;
use crate::error::{Checked, Problem};
use crate::spec::{self, Numbers, shape::skew};
use crate::units::{ANGLE, LENGTH, Measure};

/// Formulas are differentiated over this time \[s\].
const H: f64 = 1e-5;
/// How often a path is looked at before a run, to see that it has a value everywhere.
const LOOKS: usize = 1000;

/// The motion along a path, of which the time until `end` \[s\] is looked at.
pub(super) fn path<const D: usize>(
    typed: &spec::Path,
    pivot: Vector<f64, D>,
    end: f64,
    at: &Range<usize>,
) -> Checked<Motion<D>> {
    let Some(any) = typed.translate.as_ref().or(typed.rotate.as_ref()) else {
        return Err(Problem::new(at.clone(), "a path that says nothing")
            .help("add translate = [\"0.1*sin(6*t)\", 0, 0], or `rotate`"));
    };
    let shift = typed
        .translate
        .as_ref()
        .map(|s| Field::<D>::of_time(s, LENGTH));
    let shift = shift.transpose()?;
    let turn = typed.rotate.as_ref().map(axial::<D>).transpose()?;
    let pose = move |t: f64| {
        let shift = shift
            .as_ref()
            .map_or(Vector::zero(), |s| s.at(&Vector::zero(), t));
        let turn = turn.as_ref().map_or([0.0; 3], |turn| turn(t));
        let rotation = rotation_of(&skew(turn));
        Pose {
            rotation,
            translation: pivot - rotation * pivot + shift,
        }
    };
    for k in 0..=LOOKS {
        let t = end * k as f64 / LOOKS as f64;
        let p: Pose<D> = pose(t);
        if !(p.rotation.finite() && p.translation.finite()) {
            return Err(Problem::new(
                any.span.clone(),
                format!("the path has no value at t = {t} s"),
            )
            .help("change the formula so that it has a value at all times"));
        }
    }
    Ok(Motion::Path(Arc::new(move |t| {
        let (before, after) = (pose(t - H), pose(t + H));
        let between = after.rotation * before.rotation.transpose();
        let twist = Twist {
            linear: (after.translation - before.translation) / (2.0 * H),
            spin: turn_of(&between) / (2.0 * H),
        };
        (pose(t), twist)
    })))
}

/// An axial vector as a function of time: one formula in two dimensions, else three.
fn axial<const D: usize>(typed: &Numbers) -> Checked<Box<dyn Fn(f64) -> [f64; 3] + Send + Sync>> {
    let measure: Measure = ANGLE;
    if D == 2 {
        let mut one = typed.clone();
        if one.items.len() == 1 {
            // Read as the first of two.
            one.items.push(one.items[0].clone());
            one.list = true;
        }
        let field = Field::<2>::of_time(&one, measure)?;
        return Ok(Box::new(move |t| {
            [0.0, 0.0, field.at(&Vector::zero(), t)[0]]
        }));
    }
    let field = Field::<3>::of_time(typed, measure)?;
    Ok(Box::new(move |t| field.at(&Vector::zero(), t).0))
}
