//! `[[probes]]`: where something is measured.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Shape, Spanned};

/// A region in which matter is measured at the end of every frame: mass, volume, centre, velocity,
/// pressure.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Probe {
    /// Name of its file.
    pub name: Spanned<String>,
    /// The region.
    pub shape: Shape,
    /// Which material; all if it says nothing.
    pub material: Option<Spanned<String>>,
}
