//! Cloth: a sheet of masses joined by structural, shear and bend springs. [Jiang15] §3.1.1

use std::collections::HashMap;

use thixo_core::{Error, Result};
use thixo_math::Vector;

use crate::Spring;

/// What a spring of a sheet is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Duty {
    Stretch,
    Shear,
    Bend,
}

/// A sheet in space, or a band in the plane.
#[derive(Clone, Debug)]
pub struct Sheet<const D: usize> {
    /// Vertices \[m\].
    pub points: Vec<Vector<f64, D>>,
    /// Triangles; in the plane segments, whose second vertex stands twice.
    pub faces: Vec<[u32; 3]>,
    springs: Vec<(Duty, [u32; 2])>,
}

/// What cloth is made of. Stiffnesses belong to the material: a spring of length l gets c A/l², where A is its share of
/// the sheet, so that a finer sheet is as stiff.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cloth {
    /// Mass per area \[kg/m²\]; in the plane per length and metre of depth.
    pub density: f64,
    /// Tension per width and strain along the threads \[N/m\].
    pub stretch: f64,
    /// The same across them.
    pub shear: f64,
    /// The same of springs over a fold.
    pub bend: f64,
}

impl<const D: usize> Sheet<D> {
    /// A sheet of faces: D corners each. Edges are structural springs; between the corners that two faces do not share is
    /// a bend spring.
    pub fn new(points: Vec<Vector<f64, D>>, faces: Vec<[u32; 3]>) -> Result<Self> {
        if faces.iter().flatten().any(|v| *v as usize >= points.len()) {
            return Err(Error::Invalid(
                "a face has a corner that is no vertex".into(),
            ));
        }
        let mut springs = Vec::new();
        let mut sides: HashMap<[u32; 2], u32> = HashMap::new();
        for f in &faces {
            let edges: &[[usize; 3]] = match D {
                2 => &[[0, 1, 1]],
                _ => &[[0, 1, 2], [1, 2, 0], [2, 0, 1]],
            };
            for [a, b, c] in edges {
                let (a, b, c) = (f[*a], f[*b], f[*c]);
                let key = [a.min(b), a.max(b)];
                match sides.get(&key) {
                    None => springs.push((Duty::Stretch, key)),
                    Some(other) if D == 3 && *other != c => springs.push((Duty::Bend, [*other, c])),
                    Some(_) => {}
                }
                sides.insert(key, c);
            }
            if D == 2 {
                // Over a vertex that two segments share.
                for (end, other) in [(f[0], f[1]), (f[1], f[0])] {
                    if let Some(before) = sides.insert([end, u32::MAX], other) {
                        springs.push((Duty::Bend, [before, other]));
                    }
                }
            }
        }
        Ok(Self {
            points,
            faces,
            springs,
        })
    }
    /// n × m vertices by a map from (i, j), with structural springs along both directions, shear springs along both
    /// diagonals of each cell, and bend springs over every second vertex. In the plane a band has m = 1.
    pub fn grid(n: usize, m: usize, map: impl Fn(usize, usize) -> Vector<f64, D>) -> Result<Self> {
        if n < 2 || m == 0 || (D == 2) != (m == 1) {
            return Err(Error::Invalid(format!("a sheet of {n} × {m} vertices")));
        }
        let number = |i: usize, j: usize| (i * m + j) as u32;
        let mut points = Vec::new();
        let (mut faces, mut springs) = (Vec::new(), Vec::new());
        for i in 0..n {
            for j in 0..m {
                points.push(map(i, j));
                let here = number(i, j);
                let mut join = |duty, di: usize, dj: usize| {
                    if i + di < n && j + dj < m {
                        springs.push((duty, [here, number(i + di, j + dj)]));
                    }
                };
                join(Duty::Stretch, 1, 0);
                join(Duty::Stretch, 0, 1);
                join(Duty::Shear, 1, 1);
                join(Duty::Bend, 2, 0);
                join(Duty::Bend, 0, 2);
                if i + 1 < n && j + 1 < m {
                    let (a, b) = (number(i + 1, j), number(i, j + 1));
                    springs.push((Duty::Shear, [a, b]));
                    faces.push([here, a, number(i + 1, j + 1)]);
                    faces.push([here, number(i + 1, j + 1), b]);
                } else if D == 2 && i + 1 < n {
                    faces.push([here, number(i + 1, 0), number(i + 1, 0)]);
                }
            }
        }
        Ok(Self {
            points,
            faces,
            springs,
        })
    }
    /// The area of a face; in the plane the length of a segment \[m\].
    fn measure(&self, f: &[u32; 3]) -> f64 {
        let p = f.map(|v| self.points[v as usize]);
        let (a, b) = (p[1] - p[0], p[2] - p[0]);
        match D {
            2 => a.norm(),
            // Lagrange's identity, which knows no dimension.
            _ => 0.5 * (a.norm2() * b.norm2() - a.dot(&b).powi(2)).max(0.0).sqrt(),
        }
    }
    /// Masses and springs of a sheet of this cloth.
    pub(crate) fn made_of(&self, cloth: &Cloth) -> Result<(Vec<f64>, Vec<Spring>)> {
        let all = [cloth.stretch, cloth.shear, cloth.bend];
        if !(cloth.density > 0.0 && all.iter().all(|x| *x >= 0.0 && x.is_finite())) {
            return Err(Error::Invalid(format!("cloth cannot be: {cloth:?}")));
        }
        let mut mass = vec![0.0; self.points.len()];
        let mut total = 0.0;
        for f in &self.faces {
            let measure = self.measure(f);
            total += measure;
            for v in &f[..D] {
                mass[*v as usize] += cloth.density * measure / D as f64;
            }
        }
        // Threads of one duty share the area: each has what is around it.
        let around = |duty: Duty| self.springs.iter().filter(move |(d, _)| *d == duty);
        let length = |ends: &[u32; 2]| {
            (self.points[ends[0] as usize] - self.points[ends[1] as usize]).norm()
        };
        let mut springs = Vec::new();
        for (duty, c) in [
            (Duty::Stretch, cloth.stretch),
            (Duty::Shear, cloth.shear),
            (Duty::Bend, cloth.bend),
        ] {
            let count = around(duty).count().max(1);
            // Each thread carries a strip of the sheet; threads go two ways, so each has twice its share.
            let ways = if D == 2 { 1.0 } else { 2.0 };
            let share = ways * total / count as f64;
            for (_, ends) in around(duty) {
                let l = length(ends);
                if c > 0.0 && l > 0.0 {
                    springs.push(Spring {
                        ends: *ends,
                        stiffness: c * share / (l * l),
                        length: l,
                    });
                }
            }
        }
        Ok((mass, springs))
    }
}
