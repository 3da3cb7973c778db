//! The potential of a free mesh as a function of its vertices' velocities: Φ(xⁿ + dt v), and lagged Rayleigh damping
//! k/(2 dt) (x − xⁿ)ᵀ D (x − xⁿ) with D the stiffness at the start of the step, made definite. [Jiang15] §A.2.1, §A.4.2

use rayon::prelude::*;
use thixo_math::{Matrix, Real, Vector};
use thixo_numerics::points::{add_scaled, dot};
use thixo_numerics::{Dynamics, Point};

use crate::body::Bodies;
use crate::matter::Line;
use crate::potential::{Answers, Look};

/// Places after a step at these velocities.
pub(crate) fn moved<T: Real, const D: usize>(
    x0: &[Vector<f64, D>],
    v: &[Point<T>],
    dt: f64,
    to: &mut Vec<Vector<f64, D>>,
) {
    let all = x0.par_iter().zip(v).with_min_len(1024);
    all.map(|(x, v)| *x + Vector::from_fn(|a| v[a].wide() * dt))
        .collect_into_vec(to);
}

/// Elements and springs within one step.
pub(crate) struct Elastic<'a, T, const D: usize> {
    pub bodies: &'a Bodies<T, D>,
    pub shape: &'a [Vec<Line<T>>],
    pub x0: &'a [Vector<f64, D>],
    pub dt: f64,
    /// k and D, if there is damping.
    pub damping: Option<(f64, &'a [Matrix<T, D>])>,
    pub x: &'a mut Vec<Vector<f64, D>>,
    pub answers: &'a mut Answers<T, D>,
}

impl<T: Real, const D: usize> Elastic<'_, T, D> {
    /// Φ of the vertices at these velocities.
    fn respond(&mut self, v: &[Point<T>]) -> f64 {
        moved(self.x0, v, self.dt, self.x);
        let look = Look {
            x: self.x,
            before: self.x0,
            dt: self.dt,
        };
        self.bodies.respond(look, self.shape, self.answers)
    }
    /// k dt D v
    fn drag(&self, v: &[Point<T>]) -> Option<Vec<Point<T>>> {
        self.damping.map(|(k, blocks)| {
            let mut drag = vec![[T::zero(); 4]; v.len()];
            self.bodies.rows.add_product(blocks, v, &mut drag);
            let scale = T::of(k * self.dt);
            drag.iter_mut().flatten().for_each(|x| *x *= scale);
            drag
        })
    }
}

impl<T: Real, const D: usize> Dynamics<T, D> for Elastic<'_, T, D> {
    fn energy(&mut self, v: &[Point<T>]) -> f64 {
        let e = self.respond(v);
        e + self.drag(v).map_or(0.0, |drag| 0.5 * dot(&drag, v))
    }
    fn gradient(&mut self, v: &[Point<T>], to: &mut [Point<T>]) -> f64 {
        let mut e = self.respond(v);
        self.bodies
            .add_slopes(self.x, self.answers, T::of(self.dt), to);
        if let Some(drag) = self.drag(v) {
            add_scaled(to, 1.0, &drag);
            e += 0.5 * dot(&drag, v);
        }
        e
    }
    fn linearise(&mut self, v: &[Point<T>], definite: bool) {
        moved(self.x0, v, self.dt, self.x);
        let look = Look {
            x: self.x,
            before: self.x0,
            dt: self.dt,
        };
        let how = (definite, self.dt * self.dt);
        self.bodies.linearise(look, self.shape, how, self.answers);
        if let Some((k, lagged)) = self.damping {
            let scale = T::of(k * self.dt);
            let all = self.answers.blocks.par_iter_mut().zip(lagged);
            all.with_min_len(4096).for_each(|(b, l)| *b += *l * scale);
        }
    }
    fn product(&self, x: &[Point<T>], to: &mut [Point<T>]) {
        self.bodies.rows.add_product(&self.answers.blocks, x, to);
    }
    fn diagonal(&self, to: &mut [Matrix<T, D>]) {
        self.bodies.rows.add_diagonal(&self.answers.blocks, to);
    }
}
