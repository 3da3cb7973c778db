//! Sums over the particles, and what they show.

use rayon::prelude::*;
use thixo_core::{PointSet, Totals, shown, three};
use thixo_grid::{Domain, KernelKind, Rooms, fold_blocks};
use thixo_math::{Matrix, Real, Vector};

use crate::Mpm;

impl<T: Real, const D: usize> Mpm<T, D> {
    /// Sums in `f64`, in the fixed order of the particles.
    pub(crate) fn sum(&self, domain: &Domain<D>, gravity: &Vector<f64, D>) -> Totals {
        let p = &self.particles;
        let one = |i: usize, cell: &[i32; D]| {
            let (m, V0) = (p.m(i).wide(), p.V0(i).wide());
            let x = domain.place(cell, &p.f(i));
            let v = p.v(i).wide();
            let (F, a) = p.shape(i);
            let (psi, J) = self.matter.energy_and_ratio(&F, &a);
            let (A, B) = self.affine(i);
            // Σ_i w (x_i − x_p) × m A (x_i − x_p) = m ε : (A D)ᵀ, [Jiang15] (5.5), (5.11)
            let spin = |a: usize, b: usize| x[a] * v[b] - x[b] * v[a] + B[(b, a)] - B[(a, b)];
            Totals {
                particles: 1,
                mass: m,
                momentum: three(&(v * m)),
                angular: match D {
                    2 => [0.0, 0.0, m * spin(0, 1)],
                    _ => [m * spin(1, 2), m * spin(2, 0), m * spin(0, 1)],
                },
                kinetic: 0.5 * m * (v.norm2() + A.dot(&B)),
                elastic: V0 * psi,
                potential: -m * gravity.dot(&x),
                volume: V0 * J,
                fastest: v.norm(),
                ..Totals::default()
            }
        };
        let all = if self.strayed {
            let (slots, cells) = (p.each(&self.layout), p.cells(&self.layout));
            let slots = slots.iter().map(|i| *i as usize);
            slots
                .zip(&cells)
                .map(|(i, c)| one(i, c))
                .reduce(|a, b| a + b)
        } else {
            fold_blocks(
                &self.layout.ranges,
                (),
                &Rooms::default(),
                &|_, r, (), _: &mut ()| {
                    (r.start..r.end)
                        .map(|i| one(i, &r.cell(p.now.place[i])))
                        .fold(Totals::default(), |a, b| a + b)
                },
                &|a, b| a + b,
            )
        };
        let all = all.unwrap_or_default();
        Totals {
            added: self.next_id,
            removed: self.removed,
            emitted: self.emitted,
            drained: self.drained,
            ..all
        }
    }

    /// The affine velocity that particle `i` gives to the grid, and its moment A D.
    fn affine(&self, i: usize) -> (Matrix<f64, D>, Matrix<f64, D>) {
        let p = &self.particles;
        let scheme = &self.options.scheme;
        let C = p.C(i).wide();
        let dx2 = self.dx * self.dx;
        if self.options.kernel != KernelKind::Linear {
            let A = scheme.affine(&C);
            return (A, A * (dx2 / self.d_inv()));
        }
        // Multilinear: the column is B/dx and D = dx² f (1 − f) along each axis.
        let f = p.f(i).wide();
        let D_p = f.map(|f| dx2 * f * (1.0 - f));
        let B = C * self.dx;
        let A = Matrix::from_fn(|a, b| {
            let full = if D_p[b] > 0.0 {
                B[(a, b)] / D_p[b]
            } else {
                0.0
            };
            let both = D_p[a] + D_p[b];
            let spin = if a != b && both > 0.0 {
                (B[(a, b)] - B[(b, a)]) / both
            } else {
                0.0
            };
            scheme.strain * full + (scheme.rotation - scheme.strain) * spin
        });
        (A, Matrix::from_fn(|a, b| A[(a, b)] * D_p[b]))
    }

    /// The particles as points.
    pub(crate) fn points(&self, domain: &Domain<D>) -> PointSet {
        let p = &self.particles;
        fn each<X: Send>(slots: &[u32], f: impl Fn(usize) -> X + Send + Sync) -> Vec<X> {
            slots.par_iter().map(|i| f(*i as usize)).collect()
        }
        let (slots, cells) = (&p.each(&self.layout), p.cells(&self.layout));
        let stress = each(slots, |i| {
            let (F, a) = p.shape(i);
            self.matter.pressure_and_shear(&F, &a)
        });
        let part = |k: usize| stress.iter().map(|s| shown(s[k])).collect();
        let mut scalars = vec![("pressure".into(), part(0)), ("stress".into(), part(1))];
        for (k, name) in self.matter.names().iter().enumerate() {
            let column = each(slots, |i| shown(p.shape(i).1[k].wide()));
            scalars.push((name.to_string(), column));
        }
        let positions = slots.par_iter().zip(&cells);
        let positions = positions.map(|(i, c)| three(&domain.place(c, &p.f(*i as usize))));
        let volume = |i: usize| {
            let (F, a) = p.shape(i);
            p.V0(i).wide() * self.matter.energy_and_ratio(&F, &a).1
        };
        let volumes = slots.iter().map(|i| p.V0(*i as usize).wide());
        PointSet {
            name: self.name.clone(),
            material: self.material.clone(),
            dimension: D,
            id: each(slots, |i| p.id[i]),
            position: positions.collect(),
            velocity: each(slots, |i| three(&p.v(i).wide()).map(shown)),
            mass: each(slots, |i| shown(p.m(i).wide())),
            volume: each(slots, |i| shown(volume(i))),
            faces: Vec::new(),
            scalars,
            cell: self.dx,
            spacing: (volumes.sum::<f64>() / p.len().max(1) as f64).powf(1.0 / D as f64),
            color: self.color,
        }
    }
}
