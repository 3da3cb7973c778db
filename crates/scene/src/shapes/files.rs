//! Shapes from files.

use std::ops::Range;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;
use thixo_shape::{self as shape, MeshData, Shape};

use super::{Figure, Files, only, refused};
use crate::error::{Checked, Problem};
use crate::spec::{Scalar, Spanned};
use crate::units::NUMBER;

/// A closed triangle mesh from an OBJ or STL file, named relative to the scene's folder; in three
/// dimensions only.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Mesh {
    /// The file.
    file: Spanned<String>,
    /// How much larger than in the file (default 1).
    scale: Option<Scalar>,
}

impl Figure for Mesh {
    fn figure<const D: usize>(
        &self,
        files: &Files,
        span: &Range<usize>,
    ) -> Checked<Arc<dyn Shape<D>>> {
        only::<3, D>(span, || {
            let mut data = read(files, &self.file)?;
            if let Some(scale) = &self.scale {
                let s = scale.positive("scale", NUMBER)?;
                data.vertices.iter_mut().for_each(|v| *v = *v * s);
            }
            let made = shape::Mesh::new(self.file.get_ref(), &data);
            Ok(Arc::new(made.map_err(refused(&self.file.span()))?))
        })
    }
}

/// The triangles of a mesh file.
pub(crate) fn read(files: &Files, file: &Spanned<String>) -> Checked<MeshData> {
    let path = files.path(file.get_ref());
    if !path.is_file() {
        return Err(Problem::new(
            file.span(),
            format!("there is no mesh file {}", path.display()),
        )
        .help("files are looked for in the scene's own folder"));
    }
    shape::read_mesh(&path).map_err(refused(&file.span()))
}
