//! Obstacles whose distance is no formula, as a potential −k φ³ where φ < 0. The printed +k φ³ would attract.
//! [Jiang15] §A.5.2

use rayon::prelude::*;
use thixo_math::{Matrix, Real, Vector};
use thixo_numerics::{Dynamics, Point};
use thixo_shape::{Collider, Contact, Obstacle, Still};

/// An obstacle at the end of the step.
struct Surface<'a, const D: usize> {
    obstacle: &'a dyn Obstacle<D>,
    distance: Still<'a, D>,
    contact: Contact,
}

/// The potential of all vertices in all such obstacles.
pub(crate) struct Penalty<'a, const D: usize> {
    surfaces: Vec<Surface<'a, D>>,
    x0: &'a [Vector<f64, D>],
    /// k of each vertex \[J/m³\].
    k: &'a [f64],
    t: f64,
    dt: f64,
    /// Length over which distances are differentiated twice \[m\].
    step: f64,
    /// Second derivatives, where there are any.
    blocks: Vec<(usize, Matrix<f64, D>)>,
}

impl<'a, const D: usize> Penalty<'a, D> {
    pub fn new(
        colliders: &[&'a Collider<D>],
        (x0, k): (&'a [Vector<f64, D>], &'a [f64]),
        (t, dt): (f64, f64),
        edge: f64,
    ) -> Self {
        let surface = |c: &&'a Collider<D>| Surface {
            obstacle: &*c.obstacle,
            distance: c.obstacle.still(t + dt),
            contact: c.contact,
        };
        Self {
            surfaces: colliders.iter().map(surface).collect(),
            x0,
            k,
            t: t + dt,
            dt,
            step: 1e-4 * edge,
            blocks: Vec::new(),
        }
    }
    fn place<T: Real>(&self, i: usize, v: &Point<T>) -> Vector<f64, D> {
        self.x0[i] + Vector::from_fn(|a| v[a].wide() * self.dt)
    }
    /// ∇φ, of the distance as it is: its normal may be that of another.
    fn slope(&self, s: &Surface<'_, D>, x: &Vector<f64, D>) -> Vector<f64, D> {
        let h = self.step;
        Vector::from_fn(|a| {
            let at = |k: f64| (s.distance)(&(*x + Vector::axis(a) * (k * h)));
            (8.0 * (at(1.0) - at(-1.0)) - (at(2.0) - at(-2.0))) / (12.0 * h)
        })
    }
    /// ∇∇φ
    fn bend(&self, s: &Surface<'_, D>, x: &Vector<f64, D>) -> Matrix<f64, D> {
        let h = self.step;
        let at = |a: f64, b: f64, i: usize, j: usize| {
            (s.distance)(&(*x + Vector::axis(i) * (a * h) + Vector::axis(j) * (b * h)))
        };
        Matrix::from_fn(|i, j| {
            (at(1.0, 1.0, i, j) - at(1.0, -1.0, i, j) - at(-1.0, 1.0, i, j) + at(-1.0, -1.0, i, j))
                / (4.0 * h * h)
        })
    }
    /// Energy and slope of one vertex.
    fn of(&self, i: usize, x: &Vector<f64, D>, sloped: bool) -> (f64, Vector<f64, D>) {
        let (mut e, mut g) = (0.0, Vector::zero());
        for s in &self.surfaces {
            let phi = (s.distance)(x);
            if phi < 0.0 {
                e -= self.k[i] * phi.powi(3);
                if sloped {
                    g -= self.slope(s, x) * (3.0 * self.k[i] * phi * phi);
                }
            }
        }
        (e, g)
    }
    /// Friction after the solve: it takes at most μ times the impulse of the force, and never more than what slides.
    pub fn rub<T: Real>(&self, x: &[Vector<f64, D>], v: &mut [Vector<T, D>], mass: &[T]) {
        for (i, v) in v.iter_mut().enumerate() {
            for s in &self.surfaces {
                let phi = (s.distance)(&x[i]);
                if phi >= 0.0 {
                    continue;
                }
                let push = 3.0 * self.k[i] * phi * phi * self.dt;
                let most = match s.contact {
                    Contact::Sticky => f64::INFINITY,
                    Contact::Slip => 0.0,
                    Contact::Separating { friction } => friction * push / mass[i].wide(),
                };
                let n = s.obstacle.normal(&x[i], self.t);
                let rel = v.wide() - s.obstacle.velocity(&x[i], self.t);
                let along = rel - n * rel.dot(&n);
                let slide = along.norm();
                if slide > 0.0 && most > 0.0 {
                    *v -= Vector::of(&(along * (most / slide).min(1.0)));
                }
            }
        }
    }
}

impl<T: Real, const D: usize> Dynamics<T, D> for Penalty<'_, D> {
    fn energy(&mut self, v: &[Point<T>]) -> f64 {
        let this = &*self;
        let each = v.par_iter().enumerate().with_min_len(256);
        let all: Vec<f64> = each
            .map(|(i, v)| this.of(i, &this.place(i, v), false).0)
            .collect();
        all.iter().sum()
    }
    fn gradient(&mut self, v: &[Point<T>], to: &mut [Point<T>]) -> f64 {
        let this = &*self;
        let each = v.par_iter().zip(to).enumerate().with_min_len(256);
        let all: Vec<f64> = each
            .map(|(i, (v, to))| {
                let (e, g) = this.of(i, &this.place(i, v), true);
                for a in 0..D {
                    to[a] += T::of(g[a] * this.dt);
                }
                e
            })
            .collect();
        all.iter().sum()
    }
    /// −6kφ ∇φ ∇φᵀ − 3kφ² ∇∇φ, of which the first part is nowhere negative.
    fn linearise(&mut self, v: &[Point<T>], definite: bool) {
        let this = &*self;
        let each = v.par_iter().enumerate().with_min_len(256);
        let blocks = each
            .filter_map(|(i, v)| {
                let x = this.place(i, v);
                let mut sum = Matrix::zero();
                for s in &this.surfaces {
                    let phi = (s.distance)(&x);
                    if phi < 0.0 {
                        let n = this.slope(s, &x);
                        sum += n.outer(&n) * (-6.0 * this.k[i] * phi);
                        if !definite {
                            sum -= this.bend(s, &x) * (3.0 * this.k[i] * phi * phi);
                        }
                    }
                }
                (sum.norm2() > 0.0).then_some((i, sum * (this.dt * this.dt)))
            })
            .collect();
        self.blocks = blocks;
    }
    fn product(&self, x: &[Point<T>], to: &mut [Point<T>]) {
        for (i, block) in &self.blocks {
            let f = *block * Vector::from_fn(|a| x[*i][a].wide());
            for a in 0..D {
                to[*i][a] += T::of(f[a]);
            }
        }
    }
    fn diagonal(&self, to: &mut [Matrix<T, D>]) {
        for (i, block) in &self.blocks {
            to[*i] += Matrix::of(block);
        }
    }
}
