//! What a mesh is made of: bodies of elements and springs, joined into one list of vertices. It does not change.

use std::ops::Range;

use thixo_core::{Error, Result};
use thixo_math::{Matrix, Real, Vector};

use crate::matter::{Line, Matter, WIDTH};
use crate::rows::Rows;
use crate::springs::Spring;

/// One body.
pub(crate) struct Body<T, const D: usize> {
    pub name: String,
    pub vertices: Range<usize>,
    /// Its elements' chunks among all.
    pub chunks: Range<usize>,
    /// How many elements it has; those of the last chunk beyond are copies of the last.
    pub cells: usize,
    /// Lines of a chunk's shape: B and the state.
    pub lines: usize,
    pub matter: Option<Box<dyn Matter<T, D>>>,
    /// Boundary faces by their vertices, D of them, seen from outside counter-clockwise.
    pub faces: Range<usize>,
    /// What it is shown as, if not as the mesh.
    pub look: Option<Look>,
}

/// What a body is shown as.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Look {
    /// The set that it is part of.
    pub set: String,
    pub material: String,
    pub color: [f32; 3],
}

/// All bodies.
pub(crate) struct Bodies<T, const D: usize> {
    pub list: Vec<Body<T, D>>,
    /// Masses \[kg\].
    pub mass: Vec<T>,
    /// Places at rest \[m\].
    pub rest: Vec<Vector<f64, D>>,
    /// Corners of each slot of an element.
    pub corners: Vec<[u32; 4]>,
    /// Rest volumes of each chunk, 0 in slots without an element.
    pub volume: Vec<Line<T>>,
    pub springs: Vec<Spring>,
    pub faces: Vec<[u32; 3]>,
    pub rows: Rows,
    /// Mean length of an edge at rest \[m\].
    pub edge: f64,
}

impl<T, const D: usize> Default for Bodies<T, D> {
    fn default() -> Self {
        Self {
            list: Vec::new(),
            mass: Vec::new(),
            rest: Vec::new(),
            corners: Vec::new(),
            volume: Vec::new(),
            springs: Vec::new(),
            faces: Vec::new(),
            rows: Rows::default(),
            edge: 0.0,
        }
    }
}

fn wrong(body: &str, what: String) -> Error {
    Error::Invalid(format!("`{body}`: {what}"))
}

/// The edges of an element from its first corner.
pub(crate) fn edge_matrix<const D: usize>(c: &[u32; 4], x: &[Vector<f64, D>]) -> Matrix<f64, D> {
    Matrix::from_fn(|i, a| x[c[a + 1] as usize][i] - x[c[0] as usize][i])
}

impl<T: Real, const D: usize> Bodies<T, D> {
    /// Elements of a slot that are really there, with their slots.
    fn elements(&self) -> impl Iterator<Item = (u32, [u32; 4])> + '_ {
        self.list.iter().flat_map(|b| {
            let first = b.chunks.start * WIDTH;
            (first..first + b.cells).map(|s| (s as u32, self.corners[s]))
        })
    }
    /// Adds a body of simplices; its lines of B and state are returned.
    pub fn add_solid<C: AsRef<[u32]>>(
        &mut self,
        name: &str,
        points: &[Vector<f64, D>],
        cells: impl IntoIterator<Item = C>,
        matter: Box<dyn Matter<T, D>>,
        density: f64,
    ) -> Result<Vec<Line<T>>> {
        if !(density > 0.0 && density.is_finite()) {
            return Err(wrong(name, format!("a density of {density} kg/m³")));
        }
        let base = self.room_for(name, points)?;
        let mut mass = vec![0.0; points.len()];
        let (start, lines) = (matter.start(), D * D + matter.start().len());
        let chunk_from = self.volume.len();
        let (mut own, mut volumes) = (Vec::new(), Vec::new());
        let mut inverses = Vec::new();
        for (n, cell) in cells.into_iter().enumerate() {
            let cell = cell.as_ref();
            if cell.len() != D + 1 || cell.iter().any(|c| *c as usize >= points.len()) {
                let what = format!(
                    "element {n} has corners {cell:?}, of {} points",
                    points.len()
                );
                return Err(wrong(name, what));
            }
            let mut c = [0; 4];
            c[..=D].copy_from_slice(cell);
            let mut edges = edge_matrix(&c, points);
            if edges.det() < 0.0 {
                // A mirrored order of corners means the same element.
                c.swap(0, 1);
                edges = edge_matrix(&c, points);
            }
            let volume = edges.det() / (1..=D).product::<usize>() as f64;
            let inverse = edges.inverse();
            if !(volume > 0.0 && inverse.finite()) {
                return Err(wrong(name, format!("element {n} has no volume")));
            }
            for corner in &c[..=D] {
                mass[*corner as usize] += density * volume / (D + 1) as f64;
            }
            own.push(c);
            volumes.push(volume);
            inverses.push(inverse);
        }
        if own.is_empty() {
            return Err(wrong(name, "it has no elements".into()));
        }
        if let Some(i) = mass.iter().position(|m| *m == 0.0) {
            return Err(wrong(name, format!("vertex {i} is in no element")));
        }
        let faces = boundary::<D>(&own);
        let mut shape = Vec::new();
        for chunk in 0..own.len().div_ceil(WIDTH) {
            let at = |l: usize| (chunk * WIDTH + l).min(own.len() - 1);
            let there = |l: usize| chunk * WIDTH + l < own.len();
            for l in 0..WIDTH {
                self.corners.push(own[at(l)].map(|c| c + base));
            }
            self.volume.push(std::array::from_fn(|l| {
                T::of(if there(l) { volumes[at(l)] } else { 0.0 })
            }));
            for n in 0..D * D {
                shape.push(std::array::from_fn(|l| {
                    T::of(inverses[at(l)][(n / D, n % D)])
                }));
            }
            shape.extend(start.iter().map(|x| [*x; WIDTH]));
        }
        let faces_from = self.faces.len();
        self.faces.extend(faces.iter().map(|f| f.map(|v| v + base)));
        self.list.push(Body {
            name: name.into(),
            vertices: base as usize..base as usize + points.len(),
            chunks: chunk_from..self.volume.len(),
            cells: own.len(),
            lines,
            matter: Some(matter),
            faces: faces_from..self.faces.len(),
            look: None,
        });
        self.finish(points, &mass);
        Ok(shape)
    }
    /// Adds a body of springs with these masses \[kg\]; `faces` are for pictures.
    pub fn add_springs(
        &mut self,
        name: &str,
        points: &[Vector<f64, D>],
        mass: &[f64],
        springs: &[Spring],
        faces: &[[u32; 3]],
    ) -> Result<()> {
        let base = self.room_for(name, points)?;
        if mass.len() != points.len() {
            let what = format!("{} masses for {} points", mass.len(), points.len());
            return Err(wrong(name, what));
        }
        if let Some((i, m)) = mass
            .iter()
            .enumerate()
            .find(|(_, m)| !(**m > 0.0 && m.is_finite()))
        {
            return Err(wrong(name, format!("vertex {i} has a mass of {m} kg")));
        }
        for (n, s) in springs.iter().enumerate() {
            let ends =
                s.ends.iter().all(|e| (*e as usize) < points.len()) && s.ends[0] != s.ends[1];
            let sound = s.stiffness >= 0.0 && s.stiffness.is_finite() && s.length >= 0.0;
            if !(ends && sound && s.length.is_finite()) {
                return Err(wrong(name, format!("spring {n} cannot be: {s:?}")));
            }
        }
        if faces.iter().flatten().any(|v| *v as usize >= points.len()) {
            return Err(wrong(name, "a face has a corner that is no vertex".into()));
        }
        let of = |s: &Spring| Spring {
            ends: s.ends.map(|e| e + base),
            ..*s
        };
        self.springs.extend(springs.iter().map(of));
        let faces_from = self.faces.len();
        self.faces.extend(faces.iter().map(|f| f.map(|v| v + base)));
        let chunks = self.volume.len()..self.volume.len();
        self.list.push(Body {
            name: name.into(),
            vertices: base as usize..base as usize + points.len(),
            chunks,
            cells: 0,
            lines: 0,
            matter: None,
            faces: faces_from..self.faces.len(),
            look: None,
        });
        self.finish(points, mass);
        Ok(())
    }
    /// The number of the first vertex of a body to be.
    fn room_for(&self, name: &str, points: &[Vector<f64, D>]) -> Result<u32> {
        if self.list.iter().any(|b| b.name == name) {
            return Err(wrong(name, "there is a body of that name".into()));
        }
        if let Some(i) = points.iter().position(|x| !x.finite()) {
            return Err(wrong(name, format!("vertex {i} is nowhere")));
        }
        let all = self.mass.len() + points.len();
        if all > u32::MAX as usize / 8 || points.is_empty() {
            return Err(wrong(name, format!("{} vertices", points.len())));
        }
        Ok(self.mass.len() as u32)
    }
    fn finish(&mut self, points: &[Vector<f64, D>], mass: &[f64]) {
        self.rest.extend_from_slice(points);
        self.mass.extend(mass.iter().map(|m| T::of(*m)));
    }
    /// Makes the lists of neighbours, when all bodies are there.
    pub fn seal(&mut self) -> Result<()> {
        let elements: Vec<_> = self.elements().collect();
        let rows = Rows::new::<D>(self.mass.len(), &elements, &self.springs);
        self.rows = rows.ok_or_else(|| {
            Error::Invalid("a vertex has more neighbours than can be counted".into())
        })?;
        let (mut sum, mut n) = (0.0, 0.0);
        for i in 0..self.rows.len() {
            let row = &self.rows.columns[self.rows.of_blocks(i)];
            for j in row.iter().filter(|j| (**j as usize) > i) {
                sum += (self.rest[*j as usize] - self.rest[i]).norm();
                n += 1.0;
            }
        }
        self.edge = if n > 0.0 { sum / n } else { 1.0 };
        Ok(())
    }
    /// The body of a vertex.
    pub fn body_of(&self, vertex: usize) -> usize {
        self.list.partition_point(|b| b.vertices.end <= vertex)
    }
}

/// The faces that belong to one element only, in the order of elements, seen from outside counter-clockwise; in the
/// plane edges with the inside on their left.
fn boundary<const D: usize>(cells: &[[u32; 4]]) -> Vec<[u32; 3]> {
    let sides: &[[usize; 3]] = match D {
        2 => &[[0, 1, 1], [1, 2, 2], [2, 0, 0]],
        _ => &[[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]],
    };
    let key = |f: &[u32; 3]| {
        let mut k = *f;
        k.sort_unstable();
        k
    };
    let mut all: Vec<([u32; 3], usize)> = Vec::new();
    let mut faces = Vec::new();
    for c in cells {
        for s in sides {
            let face = s.map(|a| c[a]);
            all.push((key(&face), faces.len()));
            faces.push(face);
        }
    }
    // In the plane the second vertex stands twice; a key tells which two they are all the same.
    if D == 2 {
        for (k, n) in &mut all {
            let [a, b, _] = faces[*n];
            *k = [a.min(b), a.max(b), 0];
        }
    }
    all.sort_unstable();
    let mut own: Vec<usize> = all
        .chunk_by(|a, b| a.0 == b.0)
        .filter(|same| same.len() == 1)
        .map(|same| same[0].1)
        .collect();
    own.sort_unstable();
    own.into_iter().map(|n| faces[n]).collect()
}
