//! What can be wrong with a shape, a mesh, a motion or a sampling, and what to do about it.

use std::path::PathBuf;

/// Everything that this crate refuses.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ShapeError {
    /// A number that makes no sense.
    #[error("{what} is {value}: it must be {must}")]
    Parameter {
        /// The quantity.
        what: &'static str,
        /// What was given.
        value: f64,
        /// What is allowed.
        must: &'static str,
    },
    /// A coordinate that is NaN or infinite.
    #[error("{what}: number {index} is not finite; repair or leave out that entry")]
    NotFinite {
        /// Whose coordinates.
        what: String,
        /// Which one, from zero.
        index: usize,
    },
    /// A shape without an end where one with an end is needed.
    #[error("{what} has no end: intersect the shape with a box")]
    Unbounded {
        /// What was to be done with it.
        what: &'static str,
    },
    /// Nothing inside.
    #[error("{what} is empty: {advice}")]
    Empty {
        /// What is empty.
        what: String,
        /// What to do.
        advice: String,
    },
    /// More than fits in memory.
    #[error(
        "{what} would need {count:.3e} points, more than {limit:.0e}: use a larger spacing or a smaller region"
    )]
    TooMany {
        /// What was asked for.
        what: &'static str,
        /// How many it takes.
        count: f64,
        /// How many are allowed.
        limit: f64,
    },
    /// Lists that do not fit together.
    #[error("{what}: {why}")]
    Mismatch {
        /// Whose lists.
        what: &'static str,
        /// What does not fit.
        why: String,
    },
    /// A file that cannot be read or understood.
    #[error("cannot read mesh {path}: {why}", path = path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        why: String,
    },
    /// A mesh with holes.
    #[error(
        "mesh {name} is open: {edges} edges have one triangle; close it (fill the holes in the modeller), or use it as a thin shell by giving it thickness"
    )]
    OpenMesh {
        /// Name or file.
        name: String,
        /// Edges with one triangle.
        edges: usize,
    },
    /// A mesh whose triangles do not agree which side is out.
    #[error(
        "mesh {name} is not oriented: {edges} edges are run in the same direction by both triangles; make the winding consistent (\"recalculate normals\" in the modeller); a one-sided surface has no inside"
    )]
    NotOriented {
        /// Name or file.
        name: String,
        /// Edges on which the triangles disagree.
        edges: usize,
    },
    /// A mesh in which sheets meet in one edge.
    #[error(
        "mesh {name} is not a surface: {edges} edges have more than two triangles; separate the sheets that touch there or remove double triangles"
    )]
    NonManifold {
        /// Name or file.
        name: String,
        /// Edges with three triangles or more.
        edges: usize,
    },
}

/// A result of this crate.
pub type Result<T> = std::result::Result<T, ShapeError>;

/// Passes a positive finite number.
pub(crate) fn positive(what: &'static str, value: f64) -> Result<f64> {
    if value > 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err(ShapeError::Parameter {
            what,
            value,
            must: "a positive number",
        })
    }
}

/// Passes a finite number.
pub(crate) fn finite(what: &'static str, value: f64) -> Result<f64> {
    if value.is_finite() {
        Ok(value)
    } else {
        Err(ShapeError::Parameter {
            what,
            value,
            must: "a finite number",
        })
    }
}

/// Passes a vector of finite numbers.
pub(crate) fn finite_vector<const D: usize>(
    what: &'static str,
    x: thixo_math::Vector<f64, D>,
) -> Result<thixo_math::Vector<f64, D>> {
    match x.0.iter().position(|c| !c.is_finite()) {
        None => Ok(x),
        Some(index) => Err(ShapeError::NotFinite {
            what: what.into(),
            index,
        }),
    }
}

/// Passes the unit vector along `x`.
pub(crate) fn direction<const D: usize>(
    what: &'static str,
    x: thixo_math::Vector<f64, D>,
) -> Result<thixo_math::Vector<f64, D>> {
    finite_vector(what, x)?.unit().ok_or(ShapeError::Parameter {
        what,
        value: 0.0,
        must: "a vector of some length",
    })
}
