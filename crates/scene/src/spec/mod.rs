//! A scene as typed: one struct per table of the file. Nothing here does more than remember what
//! was written and where; unknown keys are refused.

mod collider;
mod force;
pub(crate) mod material;
mod mesh;
mod numerics;
mod probe;
pub(crate) mod shape;
mod spanned;
mod value;
mod word;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;

use crate::schema;

pub use collider::{Collider, DeformKey, Friction, Motion, MotionKey, Path};
pub use force::{Force, Point, Wind};
pub use material::Material;
pub use mesh::{Cloth, Held, Meeting, Meshes, Solid};
pub use numerics::{Blend, Numerics, Plasticity, Transfer};
pub use probe::Probe;
pub use shape::Shape;
pub use spanned::Spanned;
pub use value::{Numbers, Scalar, Typed};
pub use word::{Choice, Word, WordOr};

/// A scene file.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Spec {
    /// Name of the run and its output folder; the file's name if it says nothing.
    pub name: Option<Spanned<String>>,
    /// One sentence about what is to be seen.
    #[serde(default)]
    pub title: String,
    /// 2 or 3 (default 3).
    pub dimension: Option<Scalar>,
    /// Size of a grid cell \[m\], or how fine it is in a word: `"draft"`, `"normal"`, `"fine"` or
    /// `"ultra"`, for about ten thousand, a hundred thousand, one or ten million particles in three
    /// dimensions (a thousand, ten thousand, a hundred thousand, one million in two).
    #[schemars(schema_with = "schema::resolution")]
    pub resolution: Scalar,
    /// Uniform gravity \[m/s²\]; 9.81 against y if it says nothing.
    pub gravity: Option<Numbers>,
    /// Number of frames of a full run (default 48).
    pub frames: Option<Scalar>,
    /// Frames per second of simulated time (default 24).
    pub fps: Option<Scalar>,
    /// Axes that close on themselves, with their periods \[m\]: matter is between 0 and the period, and
    /// colliders, drains and fields act on it where they are there; they are not repeated.
    #[serde(default)]
    #[schemars(schema_with = "schema::periodic")]
    pub periodic: BTreeMap<Spanned<String>, Scalar>,
    /// Numerical choices; the defaults are good.
    #[serde(default)]
    pub numerics: Numerics,
    /// What pictures show.
    #[serde(default)]
    pub picture: Picture,
    /// Materials by name.
    #[serde(default)]
    pub materials: BTreeMap<Spanned<String>, Material>,
    /// What there is at the start.
    #[serde(default)]
    pub bodies: Vec<Spanned<Body>>,
    /// How free meshes meet each other and themselves.
    #[serde(default)]
    pub meshes: Meshes,
    /// What comes in.
    #[serde(default)]
    pub emitters: Vec<Spanned<Emitter>>,
    /// Where matter goes out.
    #[serde(default)]
    pub drains: Vec<Spanned<Drain>>,
    /// Obstacles.
    #[serde(default)]
    pub colliders: Vec<Spanned<Collider>>,
    /// Fields of acceleration.
    #[serde(default)]
    pub forces: Vec<Spanned<Force>>,
    /// Where something is measured, frame by frame.
    #[serde(default)]
    pub probes: Vec<Spanned<Probe>>,
}

/// Matter at the start.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Body {
    /// Name of its files; bodies and emitters of one name (and material) share them. The
    /// material's name if it says nothing.
    pub name: Option<Spanned<String>>,
    /// What it is made of: a material of the scene, or a preset by its name. Cloth has none.
    pub material: Option<Spanned<String>>,
    /// Where it is, filled with particles; or `mesh` with a file, or `cloth`.
    pub shape: Option<Shape>,
    /// Makes it a mesh of cells instead of particles. `mesh = {}` has cells with edges as long as a grid cell.
    pub mesh: Option<Spanned<Solid>>,
    /// Makes it cloth, instead of `material` and `shape`.
    pub cloth: Option<Spanned<Cloth>>,
    /// Whether a mesh or cloth goes through the grid, where it meets all other matter (default false). Else it is free:
    /// it meets colliders, and other free bodies as `meshes` says.
    pub through_grid: Option<Spanned<bool>>,
    /// Parts of a mesh or cloth that rest or move whatever acts on them.
    #[serde(default)]
    pub held: Vec<Spanned<Held>>,
    /// Velocity \[m/s\]: numbers, or formulas of x, y, z.
    pub velocity: Option<Numbers>,
    /// Angular velocity \[rad/s\] about the pivot: one number in two dimensions, else three.
    pub spin: Option<Numbers>,
    /// Centre of the spin \[m\]; the middle of the shape if it says nothing.
    pub pivot: Option<Numbers>,
}

/// Matter that comes in through the cross-section of a shape.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Emitter {
    /// Name of its files, as for a body.
    pub name: Option<Spanned<String>>,
    /// What comes in: a material of the scene, or a preset by its name.
    pub material: Spanned<String>,
    /// The nozzle.
    pub shape: Shape,
    /// Velocity of what comes in \[m/s\], or with `rate` its direction.
    pub velocity: Numbers,
    /// Volume per time \[m³/s\] (in two dimensions \[m²/s\]), instead of the speed.
    pub rate: Option<Scalar>,
    /// From when \[s\] (default 0).
    pub start: Option<Scalar>,
    /// Until when \[s\] (default: always).
    pub stop: Option<Scalar>,
}

/// A region that takes matter away.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Drain {
    /// Where.
    pub shape: Shape,
    /// Which material; all if it says nothing.
    pub material: Option<Spanned<String>>,
    /// From when \[s\] (default 0).
    pub start: Option<Scalar>,
    /// Until when \[s\] (default: always).
    pub stop: Option<Scalar>,
}

/// What pictures show.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Picture {
    /// One corner of what is to be seen \[m\]; all bodies and colliders if it says nothing.
    pub from: Option<Numbers>,
    /// The opposite corner \[m\].
    pub to: Option<Numbers>,
    /// Turn of the camera about the vertical \[rad\] (default 28 degrees); in three dimensions only.
    pub around: Option<Scalar>,
    /// Height of the camera above the horizon \[rad\] (default 19 degrees); in three dimensions only.
    pub above: Option<Scalar>,
    /// `"material"` (default), `"speed"`, `"density"`, `"pressure"`, `"stress"`, a state of a law in use, such as
    /// `"plastic_strain"`, or of meshes `"body"`, the number of the body.
    pub color: Option<Spanned<String>>,
}
