//! Bodies that are meshes: how they are cut, cloth, what holds them, and how they meet.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Friction, Motion, Numbers, Scalar, Shape, Spanned, Word, WordOr};
use crate::schema;

/// A body as tetrahedra, in two dimensions triangles: its shape cut into cells, or cells from a file.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Solid {
    /// Length of the edges of its cells \[m\]; the size of a grid cell if it says nothing. A box is cut into a
    /// lattice whose edges are as near to it as fits.
    pub edge: Option<Scalar>,
    /// A file with cells, instead of `shape`: Gmsh (`.msh`), legacy VTK (`.vtk`), TetGen or Triangle (`.node` with
    /// `.ele`), as text.
    pub file: Option<Spanned<String>>,
    /// How much larger than in the file (default 1).
    pub scale: Option<Scalar>,
    /// Turned by how much about the origin of the file \[rad\]: one number in two dimensions, else three.
    pub rotate: Option<Numbers>,
    /// Moved by how much from where it is in the file \[m\], after turning.
    pub translate: Option<Numbers>,
}

/// A flat sheet of masses joined by springs; in two dimensions a band, seen from its edge. Stiffnesses do not depend
/// on how fine it is.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Cloth {
    /// A corner \[m\].
    pub from: Numbers,
    /// Its two sides from there, vectors \[m\]; in two dimensions one.
    pub sides: Spanned<Vec<Numbers>>,
    /// Distance of the masses along the sides, or nearly \[m\]; the size of a grid cell if it says nothing.
    pub spacing: Option<Scalar>,
    /// Mass per area \[kg/m²\].
    pub density: Scalar,
    /// Tension per width and strain along the sides \[N/m\].
    pub stretch: Scalar,
    /// The same across, along the diagonals \[N/m\].
    pub shear: Scalar,
    /// The same of springs over every second mass, which resist folds \[N/m\] (default 0).
    pub bend: Option<Scalar>,
    /// Colour in pictures.
    #[schemars(with = "Option<schema::Color>")]
    pub color: Option<Numbers>,
}

/// A part of a mesh that something holds.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Held {
    /// Vertices in it at the start are held.
    pub shape: Shape,
    /// How they move; they rest if it says nothing.
    pub motion: Option<Motion>,
}

/// How free meshes meet. Those that go through the grid meet all matter there, and heed nothing of this.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Meshes {
    /// How free bodies meet each other: `"separating"` (default), `{ friction = 0.5 }` (separating, with friction), or
    /// `"none"`, they go through each other. Vertices are kept out of solids; cloth does not meet cloth.
    pub contact: Option<Spanned<WordOr<Meeting, Friction>>>,
    /// Whether solids also meet themselves, as bodies meet each other (default false). Most cannot reach themselves, and
    /// looking for it costs. What is one edge thick or less, and what goes through in one step, is not noticed: give
    /// `max_step`.
    pub self_contact: Option<Spanned<bool>>,
}

/// Whether free bodies meet each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Meeting {
    /// They keep out of each other, and slide.
    Separating,
    /// They do not.
    None,
}

impl Word for Meeting {
    const WHAT: &'static str = "contact";
    fn all() -> Vec<(&'static str, Self)> {
        vec![("separating", Self::Separating), ("none", Self::None)]
    }
}
