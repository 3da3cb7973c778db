//! `[[colliders]]`: obstacles, how matter meets them, how they move.

use schemars::JsonSchema;
use serde::Deserialize;
use thixo_shape::Contact;

use super::{Numbers, Scalar, Shape, Spanned, Word, WordOr};
use crate::schema;

/// An obstacle.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Collider {
    /// Name, for messages.
    pub name: Option<Spanned<String>>,
    /// Where it is; or `deform`.
    pub shape: Option<Shape>,
    /// A mesh that deforms from file to file, instead of `shape`.
    pub deform: Option<Vec<DeformKey>>,
    /// `"sticky"`, `"slip"`, `"separating"`, or `{ friction = 0.5 }` (separating, with friction).
    pub contact: WordOr<Contact, Friction>,
    /// How it moves; it rests if it says nothing.
    pub motion: Option<Motion>,
    /// Colour in pictures.
    #[schemars(with = "Option<schema::Color>")]
    pub color: Option<Numbers>,
    /// Opacity in pictures from 0 to 1 (default 1).
    pub opacity: Option<Scalar>,
}

/// Separating contact with friction.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Friction {
    /// Coulomb's coefficient.
    pub friction: Scalar,
}

/// A rigid motion: steady, through keys, or by formulas.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Motion {
    /// Velocity \[m/s\].
    pub velocity: Option<Numbers>,
    /// Angular velocity \[rad/s\].
    pub spin: Option<Numbers>,
    /// The point about which it turns \[m\], at the start (default: the origin). It needs `spin`, or a
    /// key or path with `rotate`.
    pub pivot: Option<Numbers>,
    /// Places at given times, instead of a steady motion.
    pub keys: Option<Spanned<Vec<MotionKey>>>,
    /// Whether the keys start anew after the last.
    pub repeat: Option<Spanned<bool>>,
    /// Place as formulas of the time t, instead of a steady motion.
    pub path: Option<Path>,
}

/// A place as a function of time.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Path {
    /// How far from where the shape was drawn \[m\]: numbers, or formulas of t.
    pub translate: Option<Numbers>,
    /// Turned by how much about the pivot \[rad\]: numbers, or formulas of t.
    pub rotate: Option<Numbers>,
}

/// A place at a time.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MotionKey {
    /// When \[s\].
    pub time: Scalar,
    /// How far from where the shape was drawn \[m\].
    pub translate: Option<Numbers>,
    /// Turned by how much about the pivot \[rad\].
    pub rotate: Option<Numbers>,
}

/// A mesh at a time.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeformKey {
    /// When \[s\].
    pub time: Scalar,
    /// File, with the same triangles as the others.
    pub mesh: Spanned<String>,
}

impl Word for Contact {
    const WHAT: &'static str = "contact";
    fn all() -> Vec<(&'static str, Self)> {
        vec![
            ("sticky", Self::Sticky),
            ("slip", Self::Slip),
            ("separating", Self::Separating { friction: 0.0 }),
        ]
    }
}
