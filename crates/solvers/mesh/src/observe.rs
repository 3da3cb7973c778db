//! Sums over the vertices, and what they show.

use thixo_core::{PointSet, Result, Totals, shown, three};
use thixo_grid::Domain;
use thixo_math::{Matrix, Real, Vector};

use crate::body::{Look, edge_matrix};
use crate::matter::WIDTH;
use crate::{BodyId, Mesh};

impl<T: Real, const D: usize> Mesh<T, D> {
    /// Deformation gradient (its elastic part) and state of an element by its slot.
    pub(crate) fn element(&self, body: usize, n: usize) -> (Matrix<T, D>, Vec<T>) {
        let b = &self.bodies.list[body];
        let (chunk, lane) = (n / WIDTH, n % WIDTH);
        let lines = &self.now.shape[body][chunk * b.lines..][..b.lines];
        let B = Matrix::from_fn(|i, j| lines[i * D + j][lane]);
        let corners = &self.bodies.corners[b.chunks.start * WIDTH + n];
        let Ds = Matrix::of(&edge_matrix(corners, &self.now.x));
        let a = lines[D * D..].iter().map(|l| l[lane]).collect();
        (Ds * B, a)
    }
    /// Deformation gradients (elastic parts) of all elements, body by body.
    pub fn deformations(&self) -> Vec<Matrix<T, D>> {
        let bodies = self.bodies.list.iter().enumerate();
        let all = bodies.flat_map(|(b, body)| (0..body.cells).map(move |n| self.element(b, n).0));
        all.collect()
    }
    /// Energy of elements and springs \[J\], and volume \[m³\] of elements around each vertex.
    fn energy_and_volumes(&self) -> (f64, Vec<f64>) {
        let mut volumes = vec![0.0; self.len()];
        let mut energy = 0.0;
        for (b, body) in self.bodies.list.iter().enumerate() {
            let Some(matter) = &body.matter else { continue };
            for n in 0..body.cells {
                let (F, a) = self.element(b, n);
                let (psi, J) = matter.energy_and_ratio(&F, &a);
                let slot = body.chunks.start * WIDTH + n;
                let V0 = self.bodies.volume[slot / WIDTH][slot % WIDTH].wide();
                energy += V0 * psi;
                for c in &self.bodies.corners[slot][..=D] {
                    volumes[*c as usize] += V0 * J / (D + 1) as f64;
                }
            }
        }
        let springs = self.bodies.springs.iter();
        energy += springs.map(|s| s.energy(&self.now.x)).sum::<f64>();
        (energy, volumes)
    }
    /// Sums in `f64`, in the fixed order of the vertices.
    pub(crate) fn sum(&self, gravity: &Vector<f64, D>) -> Totals {
        let (elastic, volumes) = self.energy_and_volumes();
        let mut all = Totals {
            particles: self.len() as u64,
            added: self.len() as u64,
            elastic,
            volume: volumes.iter().sum(),
            ..Totals::default()
        };
        for ((x, v), m) in self.now.x.iter().zip(&self.now.v).zip(&self.bodies.mass) {
            let (v, m) = (v.wide(), m.wide());
            let spin = |a: usize, b: usize| m * (x[a] * v[b] - x[b] * v[a]);
            let angular = match D {
                2 => [0.0, 0.0, spin(0, 1)],
                _ => [spin(1, 2), spin(2, 0), spin(0, 1)],
            };
            let one = Totals {
                mass: m,
                momentum: three(&(v * m)),
                angular,
                kinetic: 0.5 * m * v.norm2(),
                potential: -m * gravity.dot(x),
                fastest: v.norm(),
                ..Totals::default()
            };
            all = all + one;
        }
        all
    }
    /// Shows a body as part of a set of that name, instead of that of the whole mesh.
    pub fn show_as(
        &mut self,
        body: BodyId,
        set: impl Into<String>,
        material: impl Into<String>,
        color: [f32; 3],
    ) -> Result<()> {
        self.range(body)?;
        self.bodies.list[body.0].look = Some(Look {
            set: set.into(),
            material: material.into(),
            color,
        });
        Ok(())
    }
    fn look(&self, body: usize) -> Look {
        let own = self.bodies.list[body].look.clone();
        own.unwrap_or_else(|| Look {
            set: self.name.clone(),
            material: self.material.clone(),
            color: self.color,
        })
    }
    /// The bodies of each set, in the order in which sets appear.
    pub(crate) fn sets(&self) -> Vec<(Look, Vec<usize>)> {
        let mut sets: Vec<(Look, Vec<usize>)> = Vec::new();
        for b in 0..self.bodies.list.len() {
            let look = self.look(b);
            match sets.iter_mut().find(|(l, _)| l.set == look.set) {
                Some((_, bodies)) => bodies.push(b),
                None => sets.push((look, vec![b])),
            }
        }
        sets
    }
    /// The vertices of some bodies as points, with their boundaries.
    pub(crate) fn points(
        &self,
        domain: &Domain<D>,
        (look, bodies): &(Look, Vec<usize>),
    ) -> PointSet {
        let mut set = PointSet {
            name: look.set.clone(),
            material: look.material.clone(),
            dimension: D,
            cell: domain.dx,
            color: look.color,
            ..PointSet::default()
        };
        let law = bodies.iter().find_map(|b| {
            let matter = self.bodies.list[*b].matter.as_ref()?;
            Some(matter.names())
        });
        let names = law.map(|names| {
            ["pressure", "stress"]
                .into_iter()
                .chain(names.iter().copied())
        });
        let names: Vec<&str> = names.into_iter().flatten().collect();
        let mut scalars = vec![Vec::new(); names.len()];
        let mut own = Vec::new();
        for b in bodies {
            let (body, first) = (&self.bodies.list[*b], set.position.len() as u32);
            let range = body.vertices.clone();
            let shift = |v: u32| v - range.start as u32 + first;
            let faces = &self.bodies.faces[body.faces.clone()];
            set.faces.extend(faces.iter().map(|f| f.map(shift)));
            set.id.extend(range.clone().map(|i| i as u64));
            set.position
                .extend(self.now.x[range.clone()].iter().map(three));
            let velocity = |v: &Vector<T, D>| three(&v.wide()).map(shown);
            set.velocity
                .extend(self.now.v[range.clone()].iter().map(velocity));
            let mass = self.bodies.mass[range.clone()].iter();
            set.mass.extend(mass.map(|m| shown(m.wide())));
            let (volume, means) = self.around(*b, names.len());
            set.volume.extend(volume.iter().map(|v| shown(*v)));
            for (column, mean) in scalars.iter_mut().zip(means) {
                column.extend(mean.iter().map(|x| shown(*x)));
            }
            own.extend(range.map(|_| *b as f32));
        }
        let named = names.iter().map(|n| n.to_string()).zip(scalars);
        set.scalars = named.chain([("body".into(), own)]).collect();
        set.spacing = self.mean_edge(bodies);
        set
    }
    /// Volume \[m³\] of the elements around each vertex of a body, and means over them: pressure and equivalent stress
    /// \[Pa\], then the numbers of the state.
    fn around(&self, b: usize, count: usize) -> (Vec<f64>, Vec<Vec<f64>>) {
        let body = &self.bodies.list[b];
        let n = body.vertices.len();
        let (mut volume, mut sums) = (vec![0.0; n], vec![vec![0.0; n]; count]);
        let Some(matter) = &body.matter else {
            return (volume, sums);
        };
        for e in 0..body.cells {
            let (F, a) = self.element(b, e);
            let (_, J) = matter.energy_and_ratio(&F, &a);
            let stress = matter.pressure_and_shear(&F, &a);
            let slot = body.chunks.start * WIDTH + e;
            let V0 = self.bodies.volume[slot / WIDTH][slot % WIDTH].wide();
            let share = V0 * J / (D + 1) as f64;
            for c in &self.bodies.corners[slot][..=D] {
                let i = *c as usize - body.vertices.start;
                volume[i] += share;
                let all = stress.into_iter().chain(a.iter().map(|x| x.wide()));
                sums.iter_mut()
                    .zip(all)
                    .for_each(|(s, x)| s[i] += share * x);
            }
        }
        for s in &mut sums {
            s.iter_mut().zip(&volume).for_each(|(s, v)| *s /= v);
        }
        (volume, sums)
    }
    /// Mean length at rest of the edges of the boundaries of bodies \[m\].
    fn mean_edge(&self, bodies: &[usize]) -> f64 {
        let (mut sum, mut n) = (0.0, 0.0);
        for b in bodies {
            for f in &self.bodies.faces[self.bodies.list[*b].faces.clone()] {
                for k in 0..D {
                    let [i, j] = [f[k], f[(k + 1) % D]].map(|v| self.bodies.rest[v as usize]);
                    sum += (j - i).norm();
                    n += 1.0;
                }
            }
        }
        if n > 0.0 { sum / n } else { self.bodies.edge }
    }
}
