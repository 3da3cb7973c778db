//! An obstacle that changes its shape, by key frames. [Course16] §12.1

use std::sync::Arc;

use thixo_math::Vector;

use crate::error::{Result, ShapeError};
use crate::shapes::{LevelSet, Mesh, MeshData};
use crate::{Bounds, Lattice, Obstacle, Shape};

/// A velocity at every node of a lattice, multilinear between them and constant beyond.
#[derive(Clone, Debug, PartialEq)]
pub struct VelocityField<const D: usize> {
    lattice: Lattice<D>,
    values: Vec<Vector<f64, D>>,
}

impl<const D: usize> VelocityField<D> {
    /// By values at the nodes \[m/s\], last axis fastest.
    pub fn new(lattice: Lattice<D>, values: Vec<Vector<f64, D>>) -> Result<Self> {
        if values.len() != lattice.len() {
            return Err(ShapeError::Mismatch {
                what: "velocity field",
                why: format!("{} values for {} nodes", values.len(), lattice.len()),
            });
        }
        if let Some(index) = values.iter().position(|v| !v.finite()) {
            return Err(ShapeError::NotFinite {
                what: "velocity field".into(),
                index,
            });
        }
        Ok(Self { lattice, values })
    }
    /// By a function of place.
    pub fn sample(
        lattice: Lattice<D>,
        v: impl Fn(&Vector<f64, D>) -> Vector<f64, D>,
    ) -> Result<Self> {
        let values = (0..lattice.len()).map(|i| v(&lattice.node(i))).collect();
        Self::new(lattice, values)
    }
    fn at(&self, x: &Vector<f64, D>) -> Vector<f64, D> {
        self.lattice.value(&self.values, Vector::zero(), x)
    }
    fn fastest(&self) -> f64 {
        self.values.iter().fold(0.0, |m, v| f64::max(m, v.norm()))
    }
    /// Largest difference between neighbours per distance, summed over the axes.
    fn steepest(&self) -> f64 {
        let mut most: f64 = 0.0;
        for i in 0..self.values.len() {
            let sum = (0..D).filter_map(|a| {
                let next = self.values.get(i + self.lattice.stride(a))?;
                let wraps = self.lattice.node(i)[a] >= self.lattice.bounds().high[a];
                (!wraps).then(|| (*next - self.values[i]).norm2())
            });
            most = most.max(sum.sum::<f64>().sqrt());
        }
        most / self.lattice.cell()
    }
}

/// One key of a deforming obstacle.
#[derive(Clone, Debug)]
pub struct LevelSetKey<const D: usize> {
    /// When \[s\].
    pub time: f64,
    /// Its shape then.
    pub shape: LevelSet<D>,
    /// How its matter moves then.
    pub velocity: VelocityField<D>,
}

/// Between two keys: shapes and velocities at both ends.
#[derive(Clone, Debug)]
struct Span<const D: usize> {
    t: [f64; 2],
    shape: [Arc<LevelSet<D>>; 2],
    velocity: [Arc<VelocityField<D>>; 2],
}

/// A deforming obstacle. Between keys, with γ the fraction of the interval Δt that is over,
/// φ(x) = (1 − γ) φ₀(x − γ Δt v) + γ φ₁(x + (1 − γ) Δt v) and v = (1 − γ) v₀(x) + γ v₁(x).
/// Before the first and after the last key it rests.
#[derive(Clone, Debug)]
pub struct Deforming<const D: usize> {
    spans: Vec<Span<D>>,
    fastest: f64,
    slope: f64,
}

impl<const D: usize> Deforming<D> {
    /// From level sets and velocities at increasing times, two at least.
    pub fn new(keys: Vec<LevelSetKey<D>>) -> Result<Self> {
        let times: Vec<f64> = keys.iter().map(|k| k.time).collect();
        check_times(&times)?;
        let parts: Vec<_> = keys
            .into_iter()
            .map(|k| (Arc::new(k.shape), Arc::new(k.velocity)))
            .collect();
        let spans = parts.windows(2).zip(times.windows(2)).map(|(p, t)| Span {
            t: [t[0], t[1]],
            shape: [p[0].0.clone(), p[1].0.clone()],
            velocity: [p[0].1.clone(), p[1].1.clone()],
        });
        Ok(Self::of(spans.collect()))
    }
    fn of(spans: Vec<Span<D>>) -> Self {
        let (mut fastest, mut bend): (f64, f64) = (0.0, 0.0);
        for s in &spans {
            for v in &s.velocity {
                fastest = fastest.max(v.fastest());
                bend = bend.max(v.steepest() * (s.t[1] - s.t[0]));
            }
        }
        Self {
            spans,
            fastest,
            slope: (1.0 + bend).min(4.0),
        }
    }
    /// The span at `t` and how much of it is over.
    fn locate(&self, t: f64) -> (&Span<D>, f64) {
        let last = self.spans.len() - 1;
        let i = self.spans.partition_point(|s| s.t[1] <= t).min(last);
        let s = &self.spans[i];
        (s, ((t - s.t[0]) / (s.t[1] - s.t[0])).clamp(0.0, 1.0))
    }
    fn flow(&self, s: &Span<D>, g: f64, x: &Vector<f64, D>) -> Vector<f64, D> {
        s.velocity[0].at(x) * (1.0 - g) + s.velocity[1].at(x) * g
    }
}

fn check_times(times: &[f64]) -> Result<()> {
    if times.len() < 2
        || !times
            .windows(2)
            .all(|t| t[0] < t[1] && t[1] - t[0] < f64::INFINITY)
    {
        return Err(ShapeError::Mismatch {
            what: "key frames of a deforming obstacle",
            why: "give two keys or more, at increasing finite times".into(),
        });
    }
    Ok(())
}

impl Deforming<3> {
    /// From a mesh whose vertices are given at increasing times and move straight between them.
    /// Each key becomes a level set with this spacing \[m\]; the velocity at a node is that of the
    /// nearest point of the mesh.
    pub fn from_meshes(
        name: &str,
        triangles: &[[u32; 3]],
        times: &[f64],
        vertices: &[Vec<Vector<f64, 3>>],
        cell: f64,
    ) -> Result<Self> {
        check_times(times)?;
        let count = vertices.first().map_or(0, Vec::len);
        if vertices.len() != times.len() || vertices.iter().any(|v| v.len() != count) {
            return Err(ShapeError::Mismatch {
                what: "key frames of a mesh",
                why: "every time needs one list of vertices, all of one length".into(),
            });
        }
        let mut shapes = Vec::new();
        for (v, t) in vertices.iter().zip(times) {
            let data = MeshData {
                vertices: v.clone(),
                triangles: triangles.to_vec(),
            };
            let mesh = Mesh::new(&format!("{name} at {t} s"), &data)?;
            let level_set = LevelSet::sample(&mesh, cell)?;
            shapes.push((Arc::new(level_set), NearestVertices::new(&data, cell)?));
        }
        let mut spans = Vec::new();
        for k in 0..times.len() - 1 {
            let dt = times[k + 1] - times[k];
            let velocity: Vec<_> = (0..count)
                .map(|i| (vertices[k + 1][i] - vertices[k][i]) / dt)
                .collect();
            spans.push(Span {
                t: [times[k], times[k + 1]],
                shape: [shapes[k].0.clone(), shapes[k + 1].0.clone()],
                velocity: [
                    Arc::new(shapes[k].1.field(&velocity)?),
                    Arc::new(shapes[k + 1].1.field(&velocity)?),
                ],
            });
        }
        Ok(Self::of(spans))
    }
}

/// For every node of a lattice, the nearest point of a mesh as a blend of three vertices.
struct NearestVertices {
    lattice: Lattice<3>,
    blends: Vec<([u32; 3], [f64; 3])>,
}

impl NearestVertices {
    fn new(data: &MeshData, cell: f64) -> Result<Self> {
        let empty = || ShapeError::Empty {
            what: "mesh".into(),
            advice: "give vertices".into(),
        };
        let b = Bounds::of(data.vertices.iter().copied()).ok_or_else(empty)?;
        let lattice = Lattice::cover(&b.grow(2.0 * cell), cell)?;
        let soup = crate::shapes::Soup::new(data).ok_or_else(empty)?;
        let blends = (0..lattice.len()).map(|i| soup.nearest(&lattice.node(i)));
        Ok(Self {
            blends: blends.collect(),
            lattice,
        })
    }
    fn field(&self, velocity: &[Vector<f64, 3>]) -> Result<VelocityField<3>> {
        let blend = |(i, w): &([u32; 3], [f64; 3])| {
            (0..3).fold(Vector::zero(), |s, k| s + velocity[i[k] as usize] * w[k])
        };
        VelocityField::new(self.lattice, self.blends.iter().map(blend).collect())
    }
}

impl<const D: usize> Obstacle<D> for Deforming<D> {
    fn distance(&self, x: &Vector<f64, D>, t: f64) -> f64 {
        let (s, g) = self.locate(t);
        let v = self.flow(s, g, x) * (s.t[1] - s.t[0]);
        (1.0 - g) * s.shape[0].distance(&(*x - v * g))
            + g * s.shape[1].distance(&(*x + v * (1.0 - g)))
    }
    fn normal(&self, x: &Vector<f64, D>, t: f64) -> Vector<f64, D> {
        let (s, g) = self.locate(t);
        let v = self.flow(s, g, x) * (s.t[1] - s.t[0]);
        let n = s.shape[0].normal(&(*x - v * g)) * (1.0 - g)
            + s.shape[1].normal(&(*x + v * (1.0 - g))) * g;
        n.unit().unwrap_or_else(|| Vector::axis(D - 1))
    }
    fn velocity(&self, x: &Vector<f64, D>, t: f64) -> Vector<f64, D> {
        let (s, g) = self.locate(t);
        let (first, last) = (&self.spans[0], &self.spans[self.spans.len() - 1]);
        if t < first.t[0] || t > last.t[1] {
            return Vector::zero();
        }
        self.flow(s, g, x)
    }
    fn speed_bound(&self, _: &Vector<f64, D>, _: f64, t0: f64, t1: f64) -> f64 {
        let (first, last) = (&self.spans[0], &self.spans[self.spans.len() - 1]);
        if t1 < first.t[0] || t0 > last.t[1] {
            0.0
        } else {
            2.0 * self.slope * self.fastest
        }
    }
    fn slope(&self) -> f64 {
        self.slope
    }
}
