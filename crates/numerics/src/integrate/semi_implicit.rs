//! The semi-implicit step: one linear system, with the forces and the stiffness at the start of the step.
//! (M + β dt² ∂²Φ/∂x²) v = M v*, v* the explicit result. [Course16] §11; [Jiang15] §2.2, step 7

use thixo_math::{Matrix, Real};

use super::backward_euler::{Accuracy, Workspace, backward_euler};
use crate::contacts::Contacts;
use crate::minimise::Effort;
use crate::points::{add_scaled, dot};
use crate::{Dynamics, Point};

/// The model of second order of potentials about points that stand still: Φ(0) + ∂Φ·v + β/2 v·∂²Φ v. Its curvature
/// is projected to be nowhere negative, so that the system has a solution and the model a minimum: the same one.
struct Linearised<'a, 'b, T, const D: usize> {
    forces: &'a mut [Box<dyn Dynamics<T, D> + 'b>],
    beta: f64,
    start: f64,
    slope: Vec<Point<T>>,
}

impl<T: Real, const D: usize> Linearised<'_, '_, T, D> {
    /// ∂²Φ x
    fn curvature(&self, x: &[Point<T>]) -> Vec<Point<T>> {
        let mut to = vec![[T::zero(); 4]; x.len()];
        if self.beta > 0.0 {
            self.forces.iter().for_each(|f| f.product(x, &mut to));
        }
        to
    }
    fn at(&self, v: &[Point<T>], curve: &[Point<T>]) -> f64 {
        self.start + dot(&self.slope, v) + 0.5 * self.beta * dot(v, curve)
    }
}

impl<T: Real, const D: usize> Dynamics<T, D> for Linearised<'_, '_, T, D> {
    fn energy(&mut self, v: &[Point<T>]) -> f64 {
        self.at(v, &self.curvature(v))
    }
    fn gradient(&mut self, v: &[Point<T>], to: &mut [Point<T>]) -> f64 {
        let curve = self.curvature(v);
        add_scaled(to, 1.0, &self.slope);
        add_scaled(to, self.beta, &curve);
        self.at(v, &curve)
    }
    /// It is linear already.
    fn linearise(&mut self, _: &[Point<T>], _: bool) {}
    fn product(&self, x: &[Point<T>], to: &mut [Point<T>]) {
        add_scaled(to, self.beta, &self.curvature(x));
    }
    fn diagonal(&self, to: &mut [Matrix<T, D>]) {
        let mut blocks = vec![Matrix::zero(); to.len()];
        self.forces.iter().for_each(|f| f.diagonal(&mut blocks));
        let beta = T::of(self.beta);
        for (to, block) in to.iter_mut().zip(&blocks) {
            *to += *block * beta;
        }
    }
}

/// Solves for the velocities, which are in `work.u`. β = 0 is the explicit step, ½ the trapezoidal rule, 1 backward
/// Euler. Obstacles and friction act within the solve, as in [`backward_euler`].
pub fn semi_implicit<T: Real, const D: usize>(
    mass: &[T],
    [now, aim]: [&[Point<T>]; 2],
    beta: f64,
    forces: &mut [Box<dyn Dynamics<T, D> + '_>],
    contacts: &mut Contacts<D>,
    (accuracy, grain): (&Accuracy, f64),
    work: &mut Workspace<T, D>,
) -> Effort {
    let still = vec![[T::zero(); 4]; mass.len()];
    let mut slope = still.clone();
    let start = forces
        .iter_mut()
        .map(|f| f.gradient(&still, &mut slope))
        .sum();
    forces.iter_mut().for_each(|f| f.linearise(&still, true));
    let model = Linearised {
        forces,
        beta,
        start,
        slope,
    };
    backward_euler(
        mass,
        [now, aim],
        &mut [Box::new(model)],
        contacts,
        (accuracy, grain),
        work,
    )
}
