//! A shape: one name of the registry with its table, and where it is moved to.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use thixo_math::Vector;
use thixo_shape::{Bounds, Pose, Transformed, rotation_of, spin_2d, spin_3d};

use super::{Numbers, Spanned};
use crate::error::{Checked, Problem};
use crate::registry;
use crate::shapes::{Files, Make, cast};
use crate::units::{ANGLE, LENGTH};

/// A shape as typed: `{ sphere = { radius = "10 cm" }, translate = [0, 1, 0] }`.
#[derive(Debug)]
pub struct Shape {
    parts: Parts,
    /// Where it stands.
    pub span: Range<usize>,
}

#[derive(Debug, Default)]
struct Parts {
    kinds: Vec<(Range<usize>, Box<dyn Make>)>,
    translate: Option<Numbers>,
    rotate: Option<Numbers>,
    unknown: Option<Spanned<String>>,
}

impl Shape {
    /// The shape in the scene's dimension.
    pub fn make<const D: usize>(&self, files: &Files) -> Checked<Arc<dyn thixo_shape::Shape<D>>> {
        let Parts {
            translate, rotate, ..
        } = &self.parts;
        let shape = self.unmoved(files)?;
        if translate.is_none() && rotate.is_none() {
            return Ok(shape);
        }
        Ok(Arc::new(Transformed::new(shape, pose(translate, rotate)?)))
    }
    /// The box that it is before it is moved, and where it is moved to; `None` if it is another shape.
    pub(crate) fn block<const D: usize>(
        &self,
        files: &Files,
    ) -> Checked<Option<(Bounds<D>, Pose<D>)>> {
        let shape = self.unmoved::<D>(files)?;
        match (self.parts.kinds.as_slice(), shape.bounds()) {
            ([(_, kind)], Some(bounds)) if kind.is_box() => {
                let pose = pose(&self.parts.translate, &self.parts.rotate)?;
                Ok(Some((bounds, pose)))
            }
            _ => Ok(None),
        }
    }
    /// The shape before it is moved.
    fn unmoved<const D: usize>(&self, files: &Files) -> Checked<Arc<dyn thixo_shape::Shape<D>>> {
        if let Some(key) = &self.parts.unknown {
            let known = registry::shape_names()
                .into_iter()
                .chain(["translate", "rotate"]);
            return Err(Problem::unknown(key.span(), "shape", key.get_ref(), known));
        }
        let [(span, kind)] = self.parts.kinds.as_slice() else {
            let n = self.parts.kinds.len();
            let message = if n == 0 {
                "no shape is named here"
            } else {
                "two shapes are named here"
            };
            return Err(Problem::new(self.span.clone(), message)
                .help("name one, such as { sphere = { radius = \"10 cm\" } }; join several by union = [ … ]"));
        };
        match D {
            2 => cast(kind.plane(files, span)?),
            _ => cast(kind.space(files, span)?),
        }
        .ok_or_else(|| Problem::new(span.clone(), "this shape has another dimension"))
    }
}

/// Turned about the origin, then moved.
pub(crate) fn pose<const D: usize>(
    translate: &Option<Numbers>,
    rotate: &Option<Numbers>,
) -> Checked<Pose<D>> {
    let mut pose = Pose::identity();
    if let Some(r) = rotate {
        pose.rotation = rotation_of(&skew(r.axial::<D>(ANGLE)?));
    }
    if let Some(t) = translate {
        pose.translation = t.vector(LENGTH)?;
    }
    Ok(pose)
}

/// The skew matrix of an axial vector.
pub(crate) fn skew<const D: usize>(w: [f64; 3]) -> thixo_math::Matrix<f64, D> {
    let (plane, space) = (spin_2d(w[2]), spin_3d(Vector(w)));
    thixo_math::Matrix::from_fn(|i, j| if D == 2 { plane[(i, j)] } else { space[(i, j)] })
}

impl<'de> Deserialize<'de> for Parts {
    fn deserialize<R: Deserializer<'de>>(d: R) -> Result<Self, R::Error> {
        struct V;
        impl<'de> Visitor<'de> for V {
            type Value = Parts;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a shape such as { sphere = { radius = \"10 cm\" } }")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Parts, A::Error> {
                let mut parts = Parts::default();
                while let Some(key) = map.next_key::<Spanned<String>>()? {
                    match key.get_ref().as_str() {
                        "translate" => parts.translate = Some(map.next_value()?),
                        "rotate" => parts.rotate = Some(map.next_value()?),
                        name => match registry::shape::<A>(name) {
                            Some(read) => parts.kinds.push((key.span(), read(&mut map)?)),
                            None => {
                                map.next_value::<IgnoredAny>()?;
                                parts.unknown.get_or_insert(key);
                            }
                        },
                    }
                }
                Ok(parts)
            }
        }
        d.deserialize_map(V)
    }
}

impl<'de> Deserialize<'de> for Shape {
    fn deserialize<R: Deserializer<'de>>(d: R) -> Result<Self, R::Error> {
        let parts = Spanned::<Parts>::deserialize(d)?;
        Ok(Self {
            span: parts.span(),
            parts: parts.into_inner(),
        })
    }
}
