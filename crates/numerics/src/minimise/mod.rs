//! Minimisation by an inexact Newton method that cannot be thrown off: [Jiang15] §A.3.
//!
//! Each iteration registers the active constraints, asks conjugate gradients for a direction, no more exact than the
//! gradient deserves, makes sure that it leads downhill, and searches along it for a point that satisfies the strong
//! Wolfe conditions. The energy never rises.

mod line_search;
mod newton;
mod plain;

pub use line_search::{LineSearch, search};
pub use newton::{Minimiser, minimise};
pub use plain::plain_newton;

use crate::Point;
use crate::krylov::{Operator, Room};

/// What is minimised over the points `u`, perhaps within constraints that hold point by point.
///
/// E may be infinite where `u` must not be. Products and preconditioner are those of the last `linearise`, on what
/// the constraints of the last `register` leave.
pub trait Objective<T>: Operator<T> {
    /// E(u)
    fn energy(&mut self, u: &[Point<T>]) -> f64;
    /// E(u), and ∇E in `g`.
    fn gradient(&mut self, u: &[Point<T>], g: &mut [Point<T>]) -> f64;
    /// How far E may be off by rounding where it is `e`.
    fn noise(&self, e: f64) -> f64;
    /// Makes products with the Hessian at `u` and its preconditioner ready.
    fn linearise(&mut self, u: &[Point<T>]);
    /// The same with a matrix near the Hessian that is nowhere negative, if there is one.
    fn linearise_definite(&mut self, u: &[Point<T>]) {
        self.linearise(u);
    }
    /// The size of a gradient, in the same measure as [`Minimiser::tolerance`]; it may use the preconditioner.
    fn size(&self, g: &[Point<T>]) -> f64;
    /// The length of a direction and, dual to it, that of a gradient, for the test that a direction leads downhill.
    fn lengths(&self, d: &[Point<T>], g: &[Point<T>]) -> [f64; 2];

    /// Looks at `u` anew where E keeps something of an iterate, so that E may change. Whether it may.
    fn refresh(&mut self, _u: &[Point<T>]) -> bool {
        false
    }
    /// Moves `u` to where no constraint is violated. Active ones hold, and what moved is taken out of `d`.
    fn project(&self, _u: &mut [Point<T>], _d: &mut [Point<T>]) {}
    /// Registers which constraints are active at `u`, and takes out of `g` what they hold against. Forces that go with
    /// constraints may change by it: E is `e` before, and what is returned after.
    fn register(&mut self, _u: &[Point<T>], _g: &mut [Point<T>], e: f64) -> f64 {
        e
    }
    /// Until the next `register`, nothing above `e` will be accepted: there E may be any number above it.
    fn bounded_by(&mut self, _e: f64) {}
}

/// How a minimisation went, or several together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Effort {
    /// Minimisations.
    pub solves: u32,
    /// Newton iterations.
    pub iterations: u32,
    /// Products with the Hessian.
    pub products: u32,
    /// Directions that ended at negative curvature.
    pub curvature_stops: u32,
    /// Linear solves that ended at their cap.
    pub linear_caps: u32,
    /// Directions that had to give way to the gradient.
    pub turned: u32,
    /// Evaluations of E within line searches, beyond the first of each.
    pub line_steps: u32,
    /// Minimisations that ended at their cap of iterations.
    pub caps: u32,
    /// Minimisations that were given up since they cost more than they were worth.
    pub dear: u32,
    /// Minimisations that could not lower E any more before the gradient was small.
    pub stuck: u32,
    /// The worst share of the last gradient in the tolerance: at most 1 if all converged.
    pub worst: f64,
}

impl Effort {
    /// Whether every minimisation reached its tolerance.
    pub fn converged(&self) -> bool {
        self.unconverged() == 0
    }
    /// How many did not.
    pub fn unconverged(&self) -> u32 {
        self.caps + self.stuck + self.dear
    }
    /// About what it cost, in products: looks at E, linearisations and products, by rough weights.
    pub fn cost(&self) -> f64 {
        let looks = 3 * self.solves + self.iterations + self.line_steps;
        2.0 * f64::from(looks) + 5.0 * f64::from(self.iterations) + f64::from(self.products)
    }
}

impl std::ops::AddAssign for Effort {
    fn add_assign(&mut self, o: Self) {
        self.solves += o.solves;
        self.iterations += o.iterations;
        self.products += o.products;
        self.curvature_stops += o.curvature_stops;
        self.linear_caps += o.linear_caps;
        self.turned += o.turned;
        self.line_steps += o.line_steps;
        self.caps += o.caps;
        self.stuck += o.stuck;
        self.dear += o.dear;
        self.worst = self.worst.max(o.worst);
    }
}

/// Vectors to work in, kept from one minimisation to the next.
#[derive(Clone, Debug, Default)]
pub struct Space<T> {
    pub(crate) g: Vec<Point<T>>,
    pub(crate) d: Vec<Point<T>>,
    pub(crate) trial: Vec<Point<T>>,
    pub(crate) along: Vec<Point<T>>,
    pub(crate) right: Vec<Point<T>>,
    pub(crate) room: Room<T>,
}

#[cfg(test)]
mod tests;
