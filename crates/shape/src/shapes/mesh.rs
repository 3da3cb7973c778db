//! The solid within a closed triangle mesh.

use std::collections::HashMap;
use std::fmt;
use std::path::Path;

use parry3d_f64::math::Vector as Point;
use parry3d_f64::query::PointQueryWithLocation;
use parry3d_f64::shape::{TriMesh, TriMeshFlags, TrianglePointLocation};
use thixo_math::Vector;

use super::mesh_file::{MeshData, Welder, read_mesh};
use crate::error::{Result, ShapeError};
use crate::{Bounds, Shape};

/// A closed triangle mesh. The distance is exact; the sign comes from the angle-weighted
/// pseudo-normal of the nearest face, edge or vertex.
#[derive(Clone)]
pub struct Mesh {
    name: String,
    mesh: TriMesh,
    bounds: Bounds<3>,
}

impl fmt::Debug for Mesh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mesh")
            .field("name", &self.name)
            .field("triangles", &self.mesh.num_triangles())
            .field("bounds", &self.bounds)
            .finish()
    }
}

/// The nearest point of the surface, and whether the query is inside.
struct Nearest {
    point: Vector<f64, 3>,
    inside: bool,
    triangle: u32,
    location: TrianglePointLocation,
}

impl Mesh {
    /// From an OBJ or STL file.
    pub fn load(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        Self::new(&path.display().to_string(), &read_mesh(path)?)
    }
    /// From vertices and triangles that close a solid. Vertices in the same place are joined. A
    /// mesh that is inside out as a whole is turned.
    pub fn new(name: &str, data: &MeshData) -> Result<Self> {
        let mut data = check(name, data)?;
        if volume(&data) < 0.0 {
            data.triangles.iter_mut().for_each(|t| t.swap(1, 2));
        }
        let bounds = Bounds::of(data.vertices.iter().copied()).ok_or_else(|| empty(name))?;
        let vertices = data.vertices.iter().map(to_parry).collect();
        let flags = TriMeshFlags::ORIENTED | TriMeshFlags::HALF_EDGE_TOPOLOGY;
        let mesh = TriMesh::with_flags(vertices, data.triangles, flags).map_err(|e| {
            ShapeError::Mismatch {
                what: "mesh",
                why: format!("{name}: {e}"),
            }
        })?;
        Ok(Self {
            name: name.into(),
            mesh,
            bounds,
        })
    }
    fn nearest(&self, x: &Vector<f64, 3>) -> Nearest {
        let (p, (triangle, location)) = self
            .mesh
            .project_local_point_and_get_location(to_parry(x), false);
        Nearest {
            point: Vector(p.point.to_array()),
            inside: p.is_inside,
            triangle,
            location,
        }
    }
    /// The pseudo-normal of the feature that the nearest point is on.
    fn feature_normal(&self, near: &Nearest) -> Option<Vector<f64, 3>> {
        let t = near.triangle as usize;
        let n = match (near.location, self.mesh.pseudo_normals()) {
            (TrianglePointLocation::OnVertex(i), Some(p)) => {
                let v = *self.mesh.indices().get(t)?.get(i as usize)?;
                *p.vertices_pseudo_normal.get(v as usize)?
            }
            (TrianglePointLocation::OnEdge(i, _), Some(p)) => {
                *p.edges_pseudo_normal.get(t)?.get(i as usize)?
            }
            _ => self.mesh.triangle_normal(near.triangle)?,
        };
        Vector(n.to_array()).unit()
    }
}

/// Triangles as they are given, for the nearest point with the caller's own vertex numbers.
pub(crate) struct Soup(TriMesh);

impl Soup {
    pub(crate) fn new(data: &MeshData) -> Option<Self> {
        let vertices = data.vertices.iter().map(to_parry).collect();
        TriMesh::new(vertices, data.triangles.clone())
            .ok()
            .map(Self)
    }
    /// The vertices of the nearest triangle and their weights at the point nearest to `x`.
    pub(crate) fn nearest(&self, x: &Vector<f64, 3>) -> ([u32; 3], [f64; 3]) {
        let (_, (triangle, location)) = self
            .0
            .project_local_point_and_get_location(to_parry(x), false);
        let corners = self.0.indices().get(triangle as usize);
        let weights = location.barycentric_coordinates();
        (
            corners.copied().unwrap_or([0; 3]),
            weights.unwrap_or([1.0 / 3.0; 3]),
        )
    }
}

fn to_parry(x: &Vector<f64, 3>) -> Point {
    Point::new(x[0], x[1], x[2])
}

fn empty(name: &str) -> ShapeError {
    ShapeError::Empty {
        what: format!("mesh {name}"),
        advice: "give at least four triangles".into(),
    }
}

/// Six times the enclosed volume, divided by six; negative if inside out.
fn volume(m: &MeshData) -> f64 {
    let v = |i: u32| m.vertices[i as usize] - m.vertices[0];
    let six = |t: &[u32; 3]| v(t[0]).dot(&v(t[1]).cross(&v(t[2])));
    m.triangles.iter().map(six).sum::<f64>() / 6.0
}

/// Joins vertices and refuses what has no inside.
fn check(name: &str, data: &MeshData) -> Result<MeshData> {
    if let Some(index) = data.vertices.iter().position(|v| !v.finite()) {
        return Err(ShapeError::NotFinite {
            what: format!("vertices of mesh {name}"),
            index,
        });
    }
    let mut welder = Welder::default();
    for t in &data.triangles {
        let mut corners = [Vector::zero(); 3];
        for (c, &i) in corners.iter_mut().zip(t) {
            *c = *data
                .vertices
                .get(i as usize)
                .ok_or_else(|| ShapeError::Mismatch {
                    what: "mesh",
                    why: format!(
                        "{name}: a triangle names vertex {i} of {}",
                        data.vertices.len()
                    ),
                })?;
        }
        welder.add(corners);
    }
    let mesh = welder.mesh;
    if mesh.triangles.is_empty() {
        return Err(empty(name));
    }
    // For each edge, how often it is run upwards and downwards.
    let mut edges: HashMap<(u32, u32), [usize; 2]> = HashMap::new();
    for t in &mesh.triangles {
        for (a, b) in [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])] {
            edges.entry((a.min(b), a.max(b))).or_default()[usize::from(a > b)] += 1;
        }
    }
    let count = |f: fn(&[usize; 2]) -> bool| edges.values().filter(|e| f(e)).count();
    let name = name.to_string();
    match (
        count(|e| e[0] + e[1] == 1),
        count(|e| e[0] + e[1] > 2),
        count(|e| e[0] + e[1] == 2 && e[0] != 1),
    ) {
        (0, 0, 0) => Ok(mesh),
        (0, 0, edges) => Err(ShapeError::NotOriented { name, edges }),
        (0, edges, _) => Err(ShapeError::NonManifold { name, edges }),
        (edges, ..) => Err(ShapeError::OpenMesh { name, edges }),
    }
}

impl Shape<3> for Mesh {
    fn distance(&self, x: &Vector<f64, 3>) -> f64 {
        let near = self.nearest(x);
        let d = (*x - near.point).norm();
        if near.inside { -d } else { d }
    }
    fn bounds(&self) -> Option<Bounds<3>> {
        Some(self.bounds)
    }
    fn normal(&self, x: &Vector<f64, 3>) -> Vector<f64, 3> {
        let near = self.nearest(x);
        let out = *x - near.point;
        // Too near to tell by the difference: the normal of the feature itself.
        let far = out.norm() > 1e-9 * (1.0 + x.max_abs());
        let away = if near.inside { -out } else { out };
        far.then(|| away.unit())
            .flatten()
            .or_else(|| self.feature_normal(&near))
            .unwrap_or_else(|| Vector::axis(2))
    }
}
