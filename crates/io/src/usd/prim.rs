//! What of a point set or a mesh becomes which attribute of a prim.

use std::f64::consts::PI;
use std::io::{self, Write};
use std::sync::Arc;

use thixo_core::PointSet;

use super::{Label, identifier};
use crate::frames::unique;
use crate::surface::Mesh;
use crate::surface::smooth::normals;
use crate::table::{Values, faces, fields};
use crate::{Error, Result, text};

/// An attribute whose value may change from frame to frame. Every one is an array.
pub(crate) struct Attribute<'a> {
    pub kind: &'static str,
    pub name: String,
    pub interpolation: Option<&'static str>,
    /// Writes the value.
    pub value: Box<dyn Fn(&mut dyn Write) -> io::Result<()> + 'a>,
}

impl<'a> Attribute<'a> {
    fn new<T: 'a>(
        kind: &'static str,
        name: &str,
        items: impl Fn() -> Box<dyn Iterator<Item = T> + 'a> + 'a,
        put: fn(&mut Vec<u8>, T),
    ) -> Self {
        let value = move |w: &mut dyn Write| {
            w.write_all(b"[")?;
            text::items(w, b", ", items(), put)?;
            w.write_all(b"]")
        };
        Self {
            kind,
            name: name.into(),
            interpolation: None,
            value: Box::new(value),
        }
    }
    fn per_vertex(mut self) -> Self {
        self.interpolation = Some("vertex");
        self
    }
    fn floats(name: &str, v: &'a [f32]) -> Self {
        Self::new("float[]", name, || Box::new(v.iter().copied()), text::real).per_vertex()
    }
    fn vectors(kind: &'static str, name: &str, v: &'a [[f32; 3]]) -> Self {
        Self::new(kind, name, || Box::new(v.iter().copied()), text::triple)
    }
    fn points(x: &'a [[f64; 3]]) -> Self {
        let single = || Box::new(x.iter().map(|x| x.map(|c| c as f32))) as Box<_>;
        Self::new("point3f[]", "points", single, text::triple)
    }
    /// How many corners faces have, and which.
    fn topology(triangles: &'a [[u32; 3]]) -> [Self; 2] {
        let whole = |o: &mut Vec<u8>, i: u32| text::whole(o, i);
        let counts = || Box::new(triangles.iter().map(|_| 3u32)) as Box<_>;
        let indices = || Box::new(triangles.iter().flatten().copied()) as Box<_>;
        [
            Self::new("int[]", "faceVertexCounts", counts, whole),
            Self::new("int[]", "faceVertexIndices", indices, whole),
        ]
    }
    /// The box around `x`, `margin` wider on every side; USD's empty range if there is nothing.
    fn extent(x: &[[f64; 3]], margin: f32) -> Self {
        let mut ends = [[f32::MAX; 3], [f32::MIN; 3]];
        for x in x {
            for i in 0..3 {
                ends[0][i] = ends[0][i].min(x[i] as f32 - margin);
                ends[1][i] = ends[1][i].max(x[i] as f32 + margin);
            }
        }
        Self::new(
            "float3[]",
            "extent",
            move || Box::new(ends.into_iter()),
            text::triple,
        )
    }
    /// Its type and name.
    pub fn declaration(&self) -> String {
        format!("{} {}", self.kind, self.name)
    }
    /// What follows its value or, in a series, its declaration.
    pub fn metadata(&self, indent: &str) -> String {
        self.interpolation.map_or(String::new(), |i| {
            format!(" (\n{indent}    interpolation = \"{i}\"\n{indent})")
        })
    }
}

/// The type of a prim, and a line that every prim of the type has.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Schema {
    pub name: &'static str,
    pub fixed: &'static str,
}

const POINTS: Schema = Schema {
    name: "Points",
    fixed: "",
};
const MESH: Schema = Schema {
    name: "Mesh",
    fixed: "uniform token subdivisionScheme = \"none\"",
};

/// Something that is a prim.
pub(crate) trait Prim {
    /// The folder of its files, and the prim above it in a series.
    const FOLDER: &'static str;
    /// The type of the prim.
    fn schema(&self) -> Schema;
    /// Its name and looks.
    fn label(&self) -> Label;
    /// Its attributes.
    fn attributes(&self) -> Result<Vec<Attribute<'_>>>;
}

impl Prim for PointSet {
    const FOLDER: &'static str = "particles";

    /// Points; those with faces in space are a mesh. For segments there is no schema that shares points.
    fn schema(&self) -> Schema {
        if self.faces.is_empty() || self.dimension == 2 {
            POINTS
        } else {
            MESH
        }
    }

    fn label(&self) -> Label {
        Label {
            name: self.name.clone(),
            material: self.material.clone(),
            color: self.color,
        }
    }

    fn attributes(&self) -> Result<Vec<Attribute<'_>>> {
        let mesh = self.schema() == MESH;
        let round = self.dimension == 3;
        let width = move |v: f32| diameter(f64::from(v), round);
        let largest = self.volume.iter().map(|&v| width(v)).fold(0.0, f32::max);
        let margin = if mesh { 0.0 } else { 0.5 * largest };
        let mut all = vec![
            Attribute::extent(&self.position, margin),
            Attribute::points(&self.position),
        ];
        if mesh {
            let triangles = faces(self)?;
            let normals: Arc<[[f32; 3]]> = normals(&self.position, triangles).into();
            all.extend(Attribute::topology(triangles));
            let each = move || {
                let normals = normals.clone();
                Box::new((0..normals.len()).map(move |k| normals[k])) as Box<_>
            };
            all.push(Attribute::new("normal3f[]", "normals", each, text::triple).per_vertex());
        }
        let mut names = vec!["displayColor".to_string()];
        names.extend(mesh.then(|| "id".to_string()));
        for f in fields(self, &[], |_| true)? {
            match f.values {
                Values::Id(v) => {
                    if v.iter().any(|&i| i64::try_from(i).is_err()) {
                        let what = format!("`{}`: a number above 2⁶³ is no USD id", self.name);
                        return Err(Error::Invalid(what));
                    }
                    let ids = || Box::new(v.iter().copied()) as Box<_>;
                    // Meshes have no numbers of their own for points.
                    let (name, place) = match mesh {
                        true => ("primvars:id", Some("vertex")),
                        false => ("ids", None),
                    };
                    let mut ids = Attribute::new("int64[]", name, ids, text::whole);
                    ids.interpolation = place;
                    all.push(ids);
                }
                Values::Vector(v) => all.push(Attribute::vectors("vector3f[]", "velocities", v)),
                Values::Scalar(v) => {
                    let name = unique(identifier(&f.name), &names, '_');
                    all.push(Attribute::floats(&format!("primvars:{name}"), v));
                    names.push(name);
                }
            }
        }
        if !mesh && self.volume.len() == self.position.len() {
            let widths = move || Box::new(self.volume.iter().map(move |&v| width(v))) as Box<_>;
            all.push(Attribute::new("float[]", "widths", widths, text::real).per_vertex());
        }
        Ok(all)
    }
}

/// Diameter of the ball (in two dimensions the circle) of a volume.
fn diameter(volume: f64, round: bool) -> f32 {
    let radius = if round {
        (0.75 / PI * volume).cbrt()
    } else {
        (volume / PI).sqrt()
    };
    (2.0 * radius) as f32
}

impl Prim for Mesh {
    const FOLDER: &'static str = "surfaces";

    fn schema(&self) -> Schema {
        MESH
    }

    fn label(&self) -> Label {
        Label {
            name: self.name.clone(),
            material: self.material.clone(),
            color: self.color,
        }
    }

    fn attributes(&self) -> Result<Vec<Attribute<'_>>> {
        self.check()?;
        let [counts, indices] = Attribute::topology(&self.triangle);
        Ok(vec![
            Attribute::extent(&self.position, 0.0),
            counts,
            indices,
            Attribute::vectors("normal3f[]", "normals", &self.normal).per_vertex(),
            Attribute::points(&self.position),
            Attribute::vectors("vector3f[]", "velocities", &self.velocity),
        ])
    }
}
