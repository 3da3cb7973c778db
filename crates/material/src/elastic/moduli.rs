//! Young's modulus and Poisson's ratio at the door, Lamé's constants inside.
#![allow(non_snake_case)]

use thixo_math::{Lane, Real};

use crate::{Param, Unit, Values};

/// Young's modulus, as every elastic law asks for it.
pub(crate) const YOUNGS_MODULUS: Param = Param {
    name: "youngs_modulus",
    unit: Unit::Pressure,
    default: None,
    min: 0.0,
    min_open: true,
    max: f64::INFINITY,
    max_open: true,
    doc: "Stress per strain of a bar that is pulled.",
};

/// Poisson's ratio, as every elastic law asks for it.
pub(crate) const POISSONS_RATIO: Param = Param {
    name: "poissons_ratio",
    unit: Unit::One,
    default: None,
    min: -1.0,
    min_open: true,
    max: 0.5,
    max_open: true,
    doc: "Sideways shrinking per stretch of a bar that is pulled; 0.5 is incompressible.",
};

/// Lamé's constants \[Pa\]. In 2D they are those of plane strain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lame<T> {
    /// Shear modulus μ.
    pub mu: T,
    /// λ; negative for a negative Poisson's ratio.
    pub lambda: T,
}

impl<T: Real> Lame<T> {
    /// From Young's modulus \[Pa\] and Poisson's ratio.
    pub fn new(youngs_modulus: f64, poissons_ratio: f64) -> Self {
        let (E, nu) = (youngs_modulus, poissons_ratio);
        Self {
            mu: T::of(E / (2.0 * (1.0 + nu))),
            lambda: T::of(E * nu / ((1.0 + nu) * (1.0 - 2.0 * nu))),
        }
    }
    /// From `youngs_modulus` and `poissons_ratio` of a law's card.
    pub fn of(values: &Values) -> Self {
        Self::new(
            values.get(YOUNGS_MODULUS.name),
            values.get(POISSONS_RATIO.name),
        )
    }
    /// The same for lanes.
    #[inline(always)]
    pub fn lanes<L: Lane<Scalar = T>>(self, like: L) -> Lame<L> {
        Lame {
            mu: like.spread(self.mu),
            lambda: like.spread(self.lambda),
        }
    }
}

impl<L: Lane> Lame<L> {
    /// Both times `s`.
    #[inline(always)]
    pub fn scaled(self, s: L) -> Self {
        Self {
            mu: self.mu * s,
            lambda: self.lambda * s,
        }
    }
}
