//! What holds points during a solve, as the minimiser asks for it.

use thixo_math::Matrix;

use crate::Point;

/// Constraints that hold point by point on the velocities `u` of a step, perhaps with forces that go with them:
/// [contacts of grid nodes](crate::contacts::Contacts), vertices that obstacles or scripts hold.
pub trait Constraints<T, const D: usize> {
    /// Moves velocities to the nearest that are allowed, those that are active hold, and takes what moved out of `d`.
    fn project(&self, u: &mut [Point<T>], d: &mut [Point<T>]);
    /// Registers what is active at `u`, where the gradient is `g` and the energy `e`, and takes what is held out of `g`.
    /// The energy after it is returned. [Jiang15] §A.3.2
    fn register(&mut self, u: &[Point<T>], g: &mut [Point<T>], e: f64) -> f64;
    /// Takes out of `x` what is held.
    fn restrict(&self, x: &mut [Point<T>]);
    /// Calls `f` with what is held at each held point: the projector onto it.
    fn holds(&self, f: &mut dyn FnMut(usize, Matrix<f64, D>));
    /// The potential of forces that go with constraints \[J\].
    fn energy(&self, _u: &[Point<T>]) -> f64 {
        0.0
    }
    /// Adds its gradient.
    fn gradient(&self, _u: &[Point<T>], _to: &mut [Point<T>]) {}
    /// Calls `f` with points and second derivatives there, of that potential and of the surfaces that hold.
    fn curvature(&self, _u: &[Point<T>], _f: &mut dyn FnMut(usize, Matrix<f64, D>)) {}
}
