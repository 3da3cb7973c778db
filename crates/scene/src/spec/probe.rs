//! `[[probes]]`: where something is measured.

use serde::Deserialize;
use toml::Spanned;

use super::Shape;

/// A region in which matter is measured at the end of every frame: mass, volume, centre, velocity,
/// pressure.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Probe {
    /// Name of its file.
    pub name: Spanned<String>,
    /// The region.
    pub shape: Shape,
    /// Which material; all if it says nothing.
    pub material: Option<Spanned<String>>,
}
