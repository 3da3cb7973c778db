//! Shapes as typed, one struct each, and how to make them.

mod combined;
mod files;
mod height_field;
mod round;
mod straight;

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use thixo_math::Vector;
use thixo_shape::{Shape, ShapeError};

pub use combined::{Difference, Intersection, Shell, Union};
pub use files::Mesh;
pub(crate) use files::read;
pub use height_field::HeightField;
pub use round::{Capsule, Cylinder, Sphere, Torus};
pub use straight::{Cuboid, HalfSpace, Polygon};

use crate::error::{Checked, Problem};
use crate::spec::Numbers;
use crate::units::LENGTH;

/// Where files named in a scene are looked for.
#[derive(Clone, Debug, Default)]
pub struct Files {
    folder: PathBuf,
    /// Files that are elsewhere than they are named: copies that a run keeps.
    kept: BTreeMap<String, PathBuf>,
    /// The names that were asked for.
    used: Arc<Mutex<BTreeSet<String>>>,
}

impl Files {
    /// Relative to a folder.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
            ..Self::default()
        }
    }
    /// With copies of some of them, by the names that the scene uses.
    pub fn kept(mut self, copies: BTreeMap<String, PathBuf>) -> Self {
        self.kept = copies;
        self
    }
    /// The path of a file as named in a scene.
    pub fn path(&self, name: &str) -> PathBuf {
        if let Ok(mut used) = self.used.lock() {
            used.insert(name.into());
        }
        let kept = self.kept.get(name).cloned();
        kept.unwrap_or_else(|| self.folder.join(Path::new(name)))
    }
    /// The names that were asked for so far, and where they are.
    pub fn used(&self) -> Vec<(String, PathBuf)> {
        let names: Vec<String> = match self.used.lock() {
            Ok(used) => used.iter().cloned().collect(),
            Err(_) => Vec::new(),
        };
        let at = |name: String| {
            let path = self.path(&name);
            (name, path)
        };
        names.into_iter().map(at).collect()
    }
}

/// A shape as typed: what one line of the registry names.
pub trait Figure: Debug + Send + Sync + 'static {
    /// The shape in `D` dimensions. `span` is where it is named.
    fn figure<const D: usize>(
        &self,
        files: &Files,
        span: &Range<usize>,
    ) -> Checked<Arc<dyn Shape<D>>>;
    /// Whether it is its own bounding box.
    fn is_box(&self) -> bool {
        false
    }
}

/// A [`Figure`] of which the type is forgotten.
pub trait Make: Debug + Send + Sync {
    /// In two dimensions.
    fn plane(&self, files: &Files, span: &Range<usize>) -> Checked<Arc<dyn Shape<2>>>;
    /// In three.
    fn space(&self, files: &Files, span: &Range<usize>) -> Checked<Arc<dyn Shape<3>>>;
    /// Whether it is its own bounding box.
    fn is_box(&self) -> bool;
}

impl<F: Figure> Make for F {
    fn plane(&self, files: &Files, span: &Range<usize>) -> Checked<Arc<dyn Shape<2>>> {
        self.figure(files, span)
    }
    fn space(&self, files: &Files, span: &Range<usize>) -> Checked<Arc<dyn Shape<3>>> {
        self.figure(files, span)
    }
    fn is_box(&self) -> bool {
        Figure::is_box(self)
    }
}

/// The same shape, if `A` and `B` are the same dimension.
pub(crate) fn cast<const A: usize, const B: usize>(
    shape: Arc<dyn Shape<A>>,
) -> Option<Arc<dyn Shape<B>>> {
    let any: Box<dyn Any> = Box::new(shape);
    any.downcast::<Arc<dyn Shape<B>>>().ok().map(|b| *b)
}

/// A shape that exists in `A` dimensions only.
fn only<const A: usize, const D: usize>(
    span: &Range<usize>,
    make: impl FnOnce() -> Checked<Arc<dyn Shape<A>>>,
) -> Checked<Arc<dyn Shape<D>>> {
    let other = || {
        Problem::new(
            span.clone(),
            format!("this shape exists in {A} dimensions only, the scene has {D}"),
        )
        .help("choose another shape, or change `dimension`")
    };
    if A == D {
        cast(make()?).ok_or_else(other)
    } else {
        Err(other())
    }
}

/// Places what the shape crate refuses.
pub(crate) fn refused(span: &Range<usize>) -> impl Fn(ShapeError) -> Problem + '_ {
    |e| {
        let text = e.to_string();
        // Its errors end with the remedy.
        match text
            .split_once(": ")
            .filter(|(what, _)| !what.contains("cannot read"))
        {
            Some((what, help)) if !help.contains("it must be") => {
                Problem::new(span.clone(), what).help(help)
            }
            _ => Problem::new(span.clone(), text),
        }
    }
}

/// A place, the origin if it says nothing.
fn place<const D: usize>(x: &Option<Numbers>) -> Checked<Vector<f64, D>> {
    x.as_ref()
        .map_or_else(|| Ok(Vector::zero()), |x| x.vector(LENGTH))
}
