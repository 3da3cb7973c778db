//! Sets with faces: drawn as surfaces instead of grains.

use thixo_core::PointSet;

use super::vec::wide::{W, cross, dot, sub, unit};
use super::{Coloring, Surface};

/// Faces that meet at more than this look like an edge: the cosine of 60°.
const CREASE: f64 = 0.5;

/// Whether a set is drawn as a surface (in two dimensions an area or lines).
pub(super) fn has_faces(set: &PointSet) -> bool {
    !set.faces.is_empty()
}

/// The surface of a set in three dimensions. A point where faces meet at an edge is there several
/// times, with a normal for each side.
pub(super) struct Body {
    origin: [f64; 3],
    positions: Vec<[f32; 3]>,
    normals: Vec<[f32; 3]>,
    values: Vec<f32>,
    triangles: Vec<[u32; 3]>,
    color: [f32; 3],
}

impl Body {
    /// Those of all sets that have faces in space. Faces of points that do not exist are left out.
    pub fn of(sets: &[PointSet], coloring: &Coloring) -> Vec<Self> {
        sets.iter()
            .filter(|s| has_faces(s) && s.dimension != 2)
            .map(|s| Self::new(s, coloring))
            .collect()
    }

    fn new(set: &PointSet, coloring: &Coloring) -> Self {
        let x = &set.position;
        let whole = |f: &&[u32; 3]| f.iter().all(|&k| (k as usize) < x.len());
        let faces: Vec<[u32; 3]> = set.faces.iter().filter(whole).copied().collect();
        // As long as twice the area.
        let long = |f: &[u32; 3]| -> W {
            let [a, b, c] = f.map(|k| x[k as usize]);
            cross(sub(b, a), sub(c, a))
        };
        let long: Vec<W> = faces.iter().map(long).collect();
        let (starts, around) = around(&faces, x.len());
        let origin = *x
            .iter()
            .find(|x| x.iter().all(|c| c.is_finite()))
            .unwrap_or(&[0.0; 3]);
        let mut body = Self {
            origin,
            positions: x
                .iter()
                .map(|x| sub(*x, origin).map(|c| c as f32))
                .collect(),
            normals: vec![[0.0; 3]; x.len()],
            values: coloring.values(set),
            triangles: faces.clone(),
            color: set.color,
        };
        for k in 0..x.len() {
            let near = &around[starts[k]..starts[k + 1]];
            let alike = |f: usize, g: usize| {
                let (a, b) = (long[f], long[g]);
                dot(a, b) > CREASE * (dot(a, a) * dot(b, b)).sqrt()
            };
            // Sides of the point: faces that agree with the first that belongs to no side yet.
            let mut sides: Vec<(usize, u32)> = Vec::new();
            for &(f, corner) in near {
                let known = sides.iter().find(|(g, _)| alike(*g, f)).map(|s| s.1);
                let number = known.unwrap_or_else(|| {
                    let number = if sides.is_empty() {
                        k as u32
                    } else {
                        body.again(k)
                    };
                    sides.push((f, number));
                    number
                });
                body.triangles[f][corner] = number;
            }
            for &(f, number) in &sides {
                let sum = near.iter().filter(|(g, _)| alike(f, *g));
                let sum = sum.fold([0.0; 3], |s: W, (g, _)| {
                    [0, 1, 2].map(|i| s[i] + long[*g][i])
                });
                body.normals[number as usize] = unit(sum).map(|c| c as f32);
            }
        }
        body
    }

    /// Repeats a point.
    fn again(&mut self, k: usize) -> u32 {
        self.positions.push(self.positions[k]);
        self.normals.push([0.0; 3]);
        if let Some(&v) = self.values.get(k) {
            self.values.push(v);
        }
        self.positions.len() as u32 - 1
    }

    /// As it is drawn.
    pub fn surface(&self) -> Surface<'_> {
        Surface {
            origin: self.origin,
            values: &self.values,
            color: self.color,
            gloss: 0.1,
            ..Surface::new(&self.positions, &self.normals, &self.triangles)
        }
    }
}

/// For every point the faces around it and which corner of them it is: where its list starts, and
/// all lists.
fn around(faces: &[[u32; 3]], points: usize) -> (Vec<usize>, Vec<(usize, usize)>) {
    let mut starts = vec![0; points + 1];
    faces
        .iter()
        .flatten()
        .for_each(|&k| starts[k as usize + 1] += 1);
    (0..points).for_each(|k| starts[k + 1] += starts[k]);
    let mut next = starts.clone();
    let mut list = vec![(0, 0); starts[points]];
    for (f, face) in faces.iter().enumerate() {
        for (corner, &k) in face.iter().enumerate() {
            list[next[k as usize]] = (f, corner);
            next[k as usize] += 1;
        }
    }
    (starts, list)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn edges_are_sharp_and_round_things_round() {
        // A cube of 12 triangles: three sides at every corner.
        let mut cube = sample::block(2, 3);
        cube.faces = vec![
            [0, 2, 1],
            [1, 2, 3],
            [4, 5, 6],
            [5, 7, 6],
            [0, 1, 4],
            [1, 5, 4],
            [2, 6, 3],
            [3, 6, 7],
            [0, 4, 2],
            [2, 4, 6],
            [1, 3, 5],
            [3, 7, 5],
        ];
        let bodies = Body::of(&[cube.clone()], &Coloring::Speed(None));
        let body = &bodies[0];
        assert_eq!((body.positions.len(), body.values.len()), (24, 24));
        for (t, f) in body.triangles.iter().zip(&cube.faces) {
            for (&a, &b) in t.iter().zip(f) {
                let place = body.surface().place(&body.positions[a as usize]);
                let off = sub(place, cube.position[b as usize]);
                assert!(off.iter().all(|c| c.abs() < 1e-7), "{off:?}");
            }
            let normals = t.map(|k| body.normals[k as usize]);
            assert!(
                normals[0] == normals[1] && normals[1] == normals[2],
                "{normals:?}"
            );
            assert_eq!(normals[0].iter().filter(|c| c.abs() > 0.999).count(), 1);
        }
        let (positions, normals, faces) = sample::sphere([0.0; 3], 1.0, 24);
        let wide = positions.iter().map(|x| x.map(f64::from)).collect();
        let mut ball = sample::from_positions("ball", 3, 0.1, wide);
        ball.faces = faces;
        ball.faces.push([0, 1, 9999]);
        let body = &Body::of(&[ball], &Coloring::Material)[0];
        assert_eq!(body.triangles.len(), 2 * 24 * 24);
        for t in &body.triangles {
            for &k in t {
                let a = body.normals[k as usize];
                let x = body.surface().place(&body.positions[k as usize]);
                let out: f64 = (0..3).map(|i| f64::from(a[i]) * x[i]).sum();
                // Triangles at the poles have no area and no normal.
                assert!(out > 0.97 || x[1].abs() > 0.98, "{a:?} at {x:?}");
            }
        }
        assert_eq!(normals.len(), positions.len());
    }
}
