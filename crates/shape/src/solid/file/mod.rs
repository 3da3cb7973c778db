//! Solid meshes from files, as text: Gmsh, TetGen and Triangle, legacy VTK. One file per format.

mod elements;
mod gmsh;
mod gmsh4;
mod tetgen;
mod vtk;
mod words;

use std::collections::BTreeMap;
use std::path::Path;

use thixo_math::Vector;

use super::SolidMesh;
use crate::error::{Result, ShapeError};
use elements::Kind;
use words::{Spot, Words};

/// A solid mesh and what of its file is not in it.
#[derive(Clone, Debug, PartialEq)]
pub struct SolidFile<const D: usize> {
    /// The mesh.
    pub mesh: SolidMesh<D>,
    /// Elements that were left out, kind by kind: points, lines and faces, and what the reader does
    /// not know.
    pub skipped: Vec<Skipped>,
}

/// Elements of one kind that were left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// What they are.
    pub kind: String,
    /// How many there are.
    pub count: usize,
}

/// Reads the tetrahedra (in two dimensions the triangles, which must be in the plane z = 0) of a mesh
/// file, told by the ending of its name: `.msh` (Gmsh 2.2 or 4.1), `.node` or `.ele` (TetGen, Triangle;
/// both files are needed) or `.vtk`. Of elements of second order the corners are taken. Elements that
/// fill space but are no tetrahedra are refused, as there would be holes; others are counted.
pub fn read_solid<const D: usize>(path: impl AsRef<Path>) -> Result<SolidFile<D>> {
    let path = path.as_ref();
    let ending = path.extension().and_then(|e| e.to_str()).unwrap_or("");
    let found = match ending.to_ascii_lowercase().as_str() {
        "msh" => gmsh::read(&mut Words::open(path)?)?,
        "vtk" => vtk::read(&mut Words::open(path)?)?,
        "node" | "ele" => tetgen::read(path)?,
        _ => {
            return Err(failed(
                path,
                "its kind is unknown; solid meshes end in .msh, .node, .ele or .vtk",
            ));
        }
    };
    found.finish(path)
}

fn failed(path: &Path, why: impl Into<String>) -> ShapeError {
    ShapeError::File {
        path: path.into(),
        why: why.into(),
    }
}

/// What a reader has found: points, and elements by the numbers of their points.
#[derive(Default)]
struct Found {
    points: Vec<[f64; 3]>,
    elements: Vec<Element>,
    /// Elements whose kind the reader does not know, by what the file calls it.
    unknown: BTreeMap<String, usize>,
}

struct Element {
    kind: Kind,
    corners: [u32; 4],
    line: usize,
}

impl Found {
    /// Takes an element; `point` turns what the file calls a point into its place in the list.
    fn add(
        &mut self,
        at: Spot,
        kind: Kind,
        named: &[u64],
        point: impl Fn(u64) -> Option<u32>,
    ) -> Result<()> {
        let mut corners = [0; 4];
        for (k, name) in named.iter().enumerate() {
            let place = point(*name).ok_or_else(|| {
                at.wrong(format!("it names point {name}, which is not in the file"))
            })?;
            if let Some(c) = corners.get_mut(k) {
                *c = place;
            }
        }
        if named.len() < kind.corners {
            return Err(at.wrong(format!(
                "a {} has {} points, here are {}",
                kind.name,
                kind.corners,
                named.len()
            )));
        }
        self.elements.push(Element {
            kind,
            corners,
            line: at.line(),
        });
        Ok(())
    }

    /// Counts an element of a kind that is not known.
    fn skip(&mut self, kind: String) {
        *self.unknown.entry(kind).or_default() += 1;
    }

    fn finish<const D: usize>(self, path: &Path) -> Result<SolidFile<D>> {
        let mut skipped = self.unknown;
        let (mut cells, mut lines) = (Vec::new(), Vec::new());
        for e in &self.elements {
            if e.kind.dimension == D && e.kind.simplex {
                cells.push(e.corners);
                lines.push(e.line);
            } else if e.kind.dimension >= D {
                let (name, line) = (e.kind.name, e.line);
                let only = if D == 3 { "tetrahedra" } else { "triangles" };
                return Err(failed(
                    path,
                    format!("line {line}: it holds a {name}; mesh it with {only} only"),
                ));
            } else {
                *skipped.entry(e.kind.name.into()).or_default() += 1;
            }
        }
        if cells.is_empty() {
            let (none, advice) = if D == 3 {
                ("tetrahedron", "mesh the volume too and save all elements")
            } else {
                ("triangle", "mesh the surface too and save all elements")
            };
            return Err(failed(path, format!("it holds no {none}; {advice}")));
        }
        if let Some(k) = flat::<D>(&cells, &self.points) {
            let line = lines[k];
            return Err(failed(
                path,
                format!("line {line}: a triangle is not in the plane z = 0; put the mesh there"),
            ));
        }
        let points = self.points.iter().map(|x| Vector::from_fn(|a| x[a]));
        let mesh = SolidMesh::build(points.collect(), cells).map_err(|d| {
            let line = d.cell.and_then(|k| lines.get(k));
            let at = line.map_or(String::new(), |line| format!("line {line}: "));
            failed(path, format!("{at}{}", d.error))
        })?;
        let skipped = skipped
            .into_iter()
            .map(|(kind, count)| Skipped { kind, count })
            .collect();
        Ok(SolidFile { mesh, skipped })
    }
}

/// The first cell that is not in the plane, in two dimensions.
fn flat<const D: usize>(cells: &[[u32; 4]], points: &[[f64; 3]]) -> Option<usize> {
    let off = |i: &u32| points[*i as usize][2] != 0.0;
    (D == 2)
        .then(|| cells.iter().position(|c| c[..3].iter().any(off)))
        .flatten()
}
