//! Velocities that obstacles hold, point by point, as constraints of a solve.
//!
//! A sticky surface fixes the velocity, a slip surface its normal part. A separating surface lets nothing in: it is
//! active while the others press on it, and lets go when its multiplier changes sign. Coulomb friction has the potential
//! μ p ‖v_t‖, in which p, the impulse along the normal, is the multiplier at the last iterate.

mod held;

pub use held::Held;

use rayon::prelude::*;
use thixo_grid::{BLOCK, Domain, Layer};
use thixo_math::{Matrix, Real, Vector};
use thixo_shape::{Collider, touches};

use crate::{Constraints, Point};

/// All points that touch something.
#[derive(Clone, Debug, Default)]
pub struct Contacts<const D: usize> {
    held: Vec<Held<D>>,
    /// Speed below which friction does not curve more, and of which a millionth is rest \[m/s\]. It changes the way to
    /// the result, not the result.
    slow: f64,
}

fn read<T: Real, const D: usize>(x: &Point<T>) -> Vector<f64, D> {
    Vector::from_fn(|a| x[a].wide())
}
fn write<T: Real, const D: usize>(x: &Vector<f64, D>, to: &mut Point<T>) {
    for a in 0..D {
        to[a] = T::of(x[a]);
    }
}

impl<const D: usize> Contacts<D> {
    /// These points.
    pub fn new(held: Vec<Held<D>>, slow: f64) -> Self {
        Self { held, slow }
    }
    /// The nodes with mass of a layer that lie in colliders at `t`. Those on the surface count as inside.
    pub fn of_layer<T: Real>(
        domain: &Domain<D>,
        layer: &Layer<T, D>,
        colliders: &[Collider<D>],
        t: f64,
        slow: f64,
    ) -> Self {
        let skin = 1e-6 * domain.dx;
        let half = Vector::splat(0.5 * (BLOCK - 1) as f64 * domain.dx);
        let reach = half.norm() + skin;
        let size = Layer::<T, D>::NODES;
        let of_block = |b: usize| {
            let centre = layer.place(domain, b, 0) + half;
            let far =
                |c: &Collider<D>| c.obstacle.distance(&centre, t) > reach * c.obstacle.slope();
            let nodes = if colliders.iter().all(far) {
                0..0
            } else {
                0..size
            };
            nodes.filter_map(move |n| {
                let point = b * size + n;
                if layer.nodes[point][3] == T::zero() {
                    return None;
                }
                let touches = touches(colliders, &layer.place(domain, b, n), t, skin);
                (!touches.is_empty()).then(|| Held::new(point, touches))
            })
        };
        let blocks = (0..layer.blocks().len()).into_par_iter();
        Self::new(blocks.flat_map_iter(of_block).collect(), slow)
    }
    /// Whether nothing touches anything.
    pub fn is_empty(&self) -> bool {
        self.held.is_empty()
    }

    /// Moves velocities to the nearest that are allowed, and takes what moved out of `d`.
    pub fn project<T: Real>(&self, u: &mut [Point<T>], d: &mut [Point<T>]) {
        for h in &self.held {
            let (at, along) = (&mut u[h.point], &mut d[h.point]);
            let (mut v, mut x) = (read(at), read(along));
            if h.project(&mut v, &mut x) {
                write(&v, at);
                write(&x, along);
            }
        }
    }
    /// Registers what is active at `u`, where the gradient is `g` and the energy `e`. Friction goes by the new
    /// multipliers, which changes `g` and the energy, which is returned. What is held is taken out of `g`.
    pub fn register<T: Real>(&mut self, u: &[Point<T>], g: &mut [Point<T>], e: f64) -> f64 {
        let slow = self.slow;
        self.held.iter_mut().fold(e, |e, h| {
            let mut slope = read(&g[h.point]);
            let gain = h.register(&read(&u[h.point]), &mut slope, slow);
            write(&slope, &mut g[h.point]);
            e + gain
        })
    }
    /// Takes out of `x` what is held.
    pub fn restrict<T: Real>(&self, x: &mut [Point<T>]) {
        for h in self.held.iter().filter(|h| h.is_held()) {
            let mut v = read(&x[h.point]);
            h.restrict(&mut v);
            write(&v, &mut x[h.point]);
        }
    }
    /// The potential of friction \[J\].
    pub fn energy<T: Real>(&self, u: &[Point<T>]) -> f64 {
        let of = |h: &Held<D>| h.rub.map_or(0.0, |r| r.energy(&read(&u[h.point])));
        self.held.iter().map(of).sum()
    }
    /// Adds its gradient.
    pub fn gradient<T: Real>(&self, u: &[Point<T>], to: &mut [Point<T>]) {
        for h in &self.held {
            if let Some(rub) = &h.rub {
                let f = rub.slope(&read(&u[h.point]));
                for a in 0..D {
                    to[h.point][a] += T::of(f[a]);
                }
            }
        }
    }
    /// Calls `f` with every point that rubs and the second derivative of its potential there.
    pub fn curvature<T: Real>(&self, u: &[Point<T>], mut f: impl FnMut(usize, Matrix<f64, D>)) {
        for h in &self.held {
            if let Some(rub) = &h.rub {
                f(h.point, rub.curvature(&read(&u[h.point]), self.slow));
            }
        }
    }
    /// What is held at each held point: the projector onto it.
    pub fn holds(&self) -> impl Iterator<Item = (usize, Matrix<f64, D>)> + '_ {
        let held = self.held.iter().filter(|h| h.is_held());
        held.map(|h| (h.point, h.hold()))
    }
}

impl<T: Real, const D: usize> Constraints<T, D> for Contacts<D> {
    fn project(&self, u: &mut [Point<T>], d: &mut [Point<T>]) {
        self.project(u, d);
    }
    fn register(&mut self, u: &[Point<T>], g: &mut [Point<T>], e: f64) -> f64 {
        self.register(u, g, e)
    }
    fn restrict(&self, x: &mut [Point<T>]) {
        self.restrict(x);
    }
    fn holds(&self, f: &mut dyn FnMut(usize, Matrix<f64, D>)) {
        self.holds().for_each(|(i, held)| f(i, held));
    }
    fn energy(&self, u: &[Point<T>]) -> f64 {
        self.energy(u)
    }
    fn gradient(&self, u: &[Point<T>], to: &mut [Point<T>]) {
        self.gradient(u, to);
    }
    fn curvature(&self, u: &[Point<T>], f: &mut dyn FnMut(usize, Matrix<f64, D>)) {
        self.curvature(u, f);
    }
}

#[cfg(test)]
mod tests;
