//! How matter meets a surface.

use thixo_math::Vector;

use crate::error::{Result, ShapeError};

/// The law of contact at a surface. All contacts are inelastic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Contact {
    /// Matter takes the velocity of the surface.
    Sticky,
    /// No relative velocity along the normal, free along the surface; it cannot leave.
    Slip,
    /// May leave freely; while pressed on, Coulomb friction with this coefficient.
    Separating {
        /// Coulomb's μ.
        friction: f64,
    },
}

impl Contact {
    /// Refuses a friction that is negative or not a number.
    pub fn check(&self) -> Result<()> {
        match *self {
            Self::Separating { friction } if friction.is_nan() || friction < 0.0 => {
                Err(ShapeError::Parameter {
                    what: "friction",
                    value: friction,
                    must: "zero or more",
                })
            }
            _ => Ok(()),
        }
    }
    /// The velocity after contact of matter at velocity `v` with a surface that moves at `v_b` and
    /// has the unit normal `n`. \[Course16\] §12.1: friction takes at most what slides, so it never
    /// turns the sliding round.
    #[inline]
    pub fn apply<const D: usize>(
        &self,
        v: &Vector<f64, D>,
        v_b: &Vector<f64, D>,
        n: &Vector<f64, D>,
    ) -> Vector<f64, D> {
        let rel = *v - *v_b;
        let vn = rel.dot(n);
        let vt = rel - *n * vn;
        match *self {
            Contact::Sticky => *v_b,
            Contact::Slip => *v_b + vt,
            Contact::Separating { .. } if vn >= 0.0 => *v,
            Contact::Separating { friction } => {
                let t = vt.norm();
                if t <= -friction * vn {
                    *v_b
                } else {
                    *v_b + vt * (1.0 + friction * vn / t)
                }
            }
        }
    }
}
