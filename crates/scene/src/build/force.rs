//! Fields of acceleration.

use std::sync::Arc;

use thixo_math::Vector;
use thixo_mpm::{BodyForce, Place};

use super::bodies::span;
use super::field::Field;
use crate::error::{Checked, Problem};
use crate::spec;
use crate::units::{ACCELERATION, LENGTH, SPEED, TIME};

/// The field of one `[[forces]]` table, which stands at `at`.
pub(super) fn force<const D: usize>(
    f: &spec::Force,
    at: std::ops::Range<usize>,
) -> Checked<BodyForce<D>> {
    let field: BodyForce<D> = match (&f.acceleration, &f.wind, &f.point) {
        (Some(a), None, None) => {
            let field = Field::<D>::read(a, ACCELERATION, true)?;
            Arc::new(move |p| field.at(&p.x, p.t))
        }
        (None, Some(wind), None) => {
            let air = Field::<D>::read(&wind.velocity, SPEED, true)?;
            let tau = wind.response.positive("response", TIME)?;
            // v̇ = (u − v)/τ over the step, exactly: no step is too long for it.
            Arc::new(move |p| (air.at(&p.x, p.t) - p.v) * (-(-p.dt / tau).exp_m1() / p.dt))
        }
        (None, None, Some(point)) => {
            let center: Vector<f64, D> = point.at.vector(LENGTH)?;
            let strength = point.acceleration.value(ACCELERATION)?;
            let radius = point.radius.positive("radius", LENGTH)?;
            Arc::new(move |p: &Place<D>| {
                let r = center - p.x;
                // The field of an even ball: linear inside, inverse square outside.
                r * (strength * radius.powi(2) / r.norm().max(radius).powi(3))
            })
        }
        _ => {
            return Err(
                Problem::new(at, "a force has one of `acceleration`, `wind` and `point`").help(
                    "write acceleration = [0, \"-2 m/s^2\", 0] or the like; several forces add up",
                ),
            );
        }
    };
    let [start, stop] = span(&f.start, &f.stop)?;
    if start == 0.0 && stop == f64::INFINITY {
        return Ok(field);
    }
    Ok(Arc::new(move |p| {
        if (start..stop).contains(&p.t) {
            field(p)
        } else {
            Vector::zero()
        }
    }))
}
