//! Linear systems by products with their matrix alone.

mod conjugate_gradient;
mod minres;

pub use conjugate_gradient::conjugate_gradient;
pub use minres::minres;

use crate::Point;

/// A symmetric matrix, known by its products, and an approximate inverse of it that is symmetric and positive definite.
pub trait Operator<T> {
    /// to ← A x
    fn apply(&self, x: &[Point<T>], to: &mut [Point<T>]);
    /// to ← P⁻¹ r
    fn precondition(&self, r: &[Point<T>], to: &mut [Point<T>]);
}

/// Why a solve came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The residual is as small as was asked.
    Converged,
    /// A direction of negative curvature: the matrix is not positive definite.
    Curvature,
    /// The most iterations that were allowed.
    Cap,
}

/// How a solve went.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solved {
    /// Products with the matrix.
    pub iterations: u32,
    /// ‖b − A x‖/‖b‖ in the norm of P⁻¹.
    pub residual: f64,
    /// Why it ended.
    pub end: End,
}

/// When a solve is to end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Until {
    /// ‖b − A x‖/‖b‖ in the norm of P⁻¹.
    pub residual: f64,
    /// Most products.
    pub iterations: u32,
}

/// Vectors to work in, kept from one solve to the next.
#[derive(Clone, Debug, Default)]
pub struct Room<T>(pub(crate) [Vec<Point<T>>; 7]);

#[cfg(test)]
mod tests;
