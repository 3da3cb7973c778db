//! `[[forces]]`: fields of acceleration.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Numbers, Scalar, Spanned};

/// A field of acceleration.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Force {
    /// Acceleration \[m/s²\]: numbers, or formulas of x, y, z, t.
    pub acceleration: Option<Numbers>,
    /// Air that takes matter along.
    pub wind: Option<Wind>,
    /// A point that draws matter to it.
    pub point: Option<Point>,
    /// Which material; all if it says nothing.
    pub material: Option<Spanned<String>>,
    /// From when \[s\] (default 0).
    pub start: Option<Scalar>,
    /// Until when \[s\] (default: always).
    pub stop: Option<Scalar>,
}

/// Wind: matter takes on its velocity in a time of its own.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Wind {
    /// Velocity of the air \[m/s\]: numbers, or formulas of x, y, z, t.
    pub velocity: Numbers,
    /// The time in which a difference of speed falls to 37 % \[s\].
    pub response: Scalar,
}

/// A point that draws matter to it, or drives it away.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Point {
    /// Where \[m\].
    pub at: Numbers,
    /// Acceleration at the distance `radius` \[m/s²\]; below zero it drives away.
    pub acceleration: Scalar,
    /// The acceleration falls with the square of the distance beyond this radius, and grows evenly
    /// from the centre to it \[m\].
    pub radius: Scalar,
}
