//! A triangle mesh, and the order that makes it the same on every run.

use rayon::prelude::*;
use splashsurf_lib::nalgebra::Vector3;
use thixo_core::PointSet;

use super::voids::fill;
use crate::{Error, Result};

/// A surface of triangles.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    /// Name of the body in the scene.
    pub name: String,
    /// Name of its material.
    pub material: String,
    /// Colour hint: sRGB, 0 to 1.
    pub color: [f32; 3],
    /// Vertices \[m\].
    pub position: Vec<[f64; 3]>,
    /// Unit normals of the vertices, out of the body.
    pub normal: Vec<[f32; 3]>,
    /// Velocities of the vertices \[m/s\].
    pub velocity: Vec<[f32; 3]>,
    /// Three vertices each, counter-clockwise seen from outside.
    pub triangle: Vec<[u32; 3]>,
}

impl Mesh {
    /// A mesh without triangles, named like a set of points.
    pub(super) fn named(set: &PointSet) -> Self {
        Self {
            name: set.name.clone(),
            material: set.material.clone(),
            color: set.color,
            position: Vec::new(),
            normal: Vec::new(),
            velocity: Vec::new(),
            triangle: Vec::new(),
        }
    }

    /// Volume enclosed by the surface \[m³\].
    pub fn volume(&self) -> f64 {
        let from = *self.position.first().unwrap_or(&[0.0; 3]);
        let part = |t: &[u32; 3]| tetrahedron(corners(&self.position, t, from));
        self.triangle.iter().map(part).sum()
    }

    /// Whether every vertex has its columns and every triangle its vertices, in 31 bits as most
    /// formats have them.
    pub(crate) fn check(&self) -> Result<()> {
        let n = self.position.len();
        let whole = self.normal.len() == n && self.velocity.len() == n;
        let inside = |t: &[u32; 3]| t.iter().all(|&k| (k as usize) < n);
        if whole && n <= i32::MAX as usize && self.triangle.iter().all(inside) {
            return Ok(());
        }
        let what = format!("mesh of `{}`: columns and triangles do not fit", self.name);
        Err(Error::Invalid(what))
    }
}

/// The corners of a triangle, seen from a point near: far from the origin no digits are lost.
pub(super) fn corners(x: &[[f64; 3]], t: &[u32; 3], from: [f64; 3]) -> [[f64; 3]; 3] {
    t.map(|k| std::array::from_fn(|i| x[k as usize][i] - from[i]))
}

/// Volume between a triangle and the origin, positive when it is seen from inside.
pub(super) fn tetrahedron([a, b, c]: [[f64; 3]; 3]) -> f64 {
    let cross = |i: usize, j: usize| b[i] * c[j] - b[j] * c[i];
    (a[0] * cross(1, 2) + a[1] * cross(2, 0) + a[2] * cross(0, 1)) / 6.0
}

/// The mesh with vertices in the order of their coordinates and triangles in that of their
/// vertices, each from its smallest on. Vertices at the same place become one, triangles that
/// thereby lose their area are left out: what remains depends on the surface alone. Bubbles that
/// hold less than `bubble` are filled.
pub(super) fn ordered(
    vertices: &[Vector3<f32>],
    triangles: &[[usize; 3]],
    bubble: f64,
) -> Result<(Vec<Vector3<f32>>, Vec<[u32; 3]>)> {
    if vertices.len() > i32::MAX as usize {
        return Err(Error::Invalid(
            "a surface of more than two thousand million vertices; choose larger cubes".into(),
        ));
    }
    // Adding zero makes one of the two zeros.
    let key = |k: u32| <[f32; 3]>::from(vertices[k as usize]).map(|c| c + 0.0);
    let before = |a: &[f32; 3], b: &[f32; 3]| {
        let mut axes = a.iter().zip(b).map(|(a, b)| a.total_cmp(b));
        axes.find(|o| o.is_ne())
            .unwrap_or(std::cmp::Ordering::Equal)
    };
    let mut order: Vec<u32> = (0..vertices.len() as u32).collect();
    order.par_sort_unstable_by(|&a, &b| before(&key(a), &key(b)));
    let mut place = vec![0u32; vertices.len()];
    let mut welded: Vec<[f32; 3]> = Vec::with_capacity(vertices.len());
    for &k in &order {
        if welded.last() != Some(&key(k)) {
            welded.push(key(k));
        }
        place[k as usize] = welded.len() as u32 - 1;
    }
    let mut kept: Vec<[u32; 3]> = triangles
        .iter()
        .map(|t| t.map(|k| place[k]))
        .filter(|[a, b, c]| a != b && b != c && c != a)
        .collect();
    for t in &mut kept {
        let least = (0..3).min_by_key(|&i| t[i]).unwrap_or(0);
        t.rotate_left(least);
    }
    kept.par_sort_unstable();
    let wide: Vec<_> = welded.iter().map(|x| x.map(f64::from)).collect();
    let mut kept = fill(&wide, kept, bubble);
    // Numbers without the vertices that no triangle is left of; their order stays.
    let mut number = vec![u32::MAX; welded.len()];
    kept.iter().flatten().for_each(|&k| number[k as usize] = 0);
    let mut used = Vec::with_capacity(welded.len());
    for (k, n) in number.iter_mut().enumerate().filter(|(_, n)| **n == 0) {
        *n = used.len() as u32;
        used.push(Vector3::from(welded[k]));
    }
    for t in &mut kept {
        *t = t.map(|k| number[k as usize]);
    }
    Ok((used, kept))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbering_does_not_matter_and_flat_triangles_go() {
        let v = |x: f32, y: f32| Vector3::new(x, y, 0.0);
        let one = [
            v(0.0, 0.0),
            v(1.0, 0.0),
            v(1.0, 1.0),
            v(0.0, 1.0),
            v(-0.0, 1.0),
            v(9.0, 9.0),
        ];
        let mesh = ordered(&one, &[[0, 1, 2], [2, 3, 0], [3, 4, 2], [5, 5, 5]], 0.0).unwrap();
        assert_eq!(mesh.0, [v(0.0, 0.0), v(0.0, 1.0), v(1.0, 0.0), v(1.0, 1.0)]);
        assert_eq!(mesh.1, [[0, 2, 3], [0, 3, 1]]);
        let other = [v(1.0, 1.0), v(0.0, 1.0), v(0.0, 0.0), v(1.0, 0.0)];
        assert_eq!(ordered(&other, &[[1, 2, 0], [3, 0, 2]], 0.0).unwrap(), mesh);
    }
}
