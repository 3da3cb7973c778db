//! Triangles from files: OBJ and STL.

use std::collections::HashMap;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use thixo_math::Vector;

use crate::error::{Result, ShapeError};

/// Vertices and the triangles between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshData {
    /// Places of the vertices \[m\].
    pub vertices: Vec<Vector<f64, 3>>,
    /// Three vertices each, counter-clockwise as seen from outside.
    pub triangles: Vec<[u32; 3]>,
}

/// Reads the triangles of a Wavefront OBJ or an STL (text or binary) file, told apart by the ending
/// of the name. All objects of a file become one; vertices in the same place become one.
pub fn read_mesh(path: impl AsRef<Path>) -> Result<MeshData> {
    let path = path.as_ref();
    let fail = |why: String| ShapeError::File {
        path: path.into(),
        why,
    };
    let ending = path.extension().and_then(|e| e.to_str()).unwrap_or("");
    let file = File::open(path).map_err(|e| fail(format!("{e}; check the path")))?;
    let mut file = BufReader::new(file);
    let mut welder = Welder::default();
    match ending.to_ascii_lowercase().as_str() {
        "obj" => {
            let options = tobj::LoadOptions {
                triangulate: true,
                ignore_points: true,
                ignore_lines: true,
                ..Default::default()
            };
            // Materials do not matter here, so a missing .mtl file does not either.
            let none = |_: &Path| Ok(Default::default());
            let (models, _) =
                tobj::load_obj_buf(&mut file, &options, none).map_err(|e| fail(e.to_string()))?;
            for m in &models {
                for t in m.mesh.indices.chunks_exact(3) {
                    let mut corners = [Vector::zero(); 3];
                    for (c, &i) in corners.iter_mut().zip(t) {
                        let p = m.mesh.positions.get(3 * i as usize..3 * i as usize + 3);
                        let p = p.ok_or_else(|| fail(format!("vertex {i} is missing")))?;
                        *c = Vector([p[0], p[1], p[2]]);
                    }
                    welder.add(corners);
                }
            }
        }
        "stl" => {
            let broken = |e: std::io::Error| fail(e.to_string());
            for t in stl_io::create_stl_reader(&mut file).map_err(broken)? {
                let t = t.map_err(broken)?;
                welder.add(t.vertices.map(|v| Vector(v.0.map(f64::from))));
            }
        }
        _ => {
            return Err(fail(
                "its kind is unknown; meshes end in .obj or .stl".into(),
            ));
        }
    }
    if welder.mesh.triangles.is_empty() {
        return Err(ShapeError::Empty {
            what: format!("mesh {}", path.display()),
            advice: "the file holds no triangle; export the faces too".into(),
        });
    }
    Ok(welder.mesh)
}

/// Joins corners that are in the same place, bit for bit.
#[derive(Default)]
pub(crate) struct Welder {
    pub(crate) mesh: MeshData,
    known: HashMap<[u64; 3], u32>,
}

impl Welder {
    /// Adds a triangle; one that has lost its area because corners coincide is left out.
    pub(crate) fn add(&mut self, corners: [Vector<f64, 3>; 3]) {
        let t = corners.map(|c| {
            let fresh = self.mesh.vertices.len() as u32;
            // −0 is 0.
            let key = c.0.map(|x| (x + 0.0).to_bits());
            let i = *self.known.entry(key).or_insert(fresh);
            if i == fresh {
                self.mesh.vertices.push(c);
            }
            i
        });
        if t[0] != t[1] && t[1] != t[2] && t[2] != t[0] {
            self.mesh.triangles.push(t);
        }
    }
}
