//! Forces that come from a potential, as an implicit integrator asks for them.

use thixo_math::Matrix;

use crate::Point;

/// The potential Φ(v) of some matter after a step in which its points move at `v`: grid nodes, vertices of a mesh,
/// points of a strand. The length of the step is known to it. Everything is *added*, so that several share the points.
pub trait Dynamics<T, const D: usize> {
    /// Φ(v) \[J\]; infinite where the matter cannot be.
    fn energy(&mut self, v: &[Point<T>]) -> f64;
    /// Φ(v), and adds ∂Φ/∂v = −dt f.
    fn gradient(&mut self, v: &[Point<T>], to: &mut [Point<T>]) -> f64;
    /// Looks at `v` anew where Φ keeps something of an iterate, such as the pressure by which matter yields: Φ may be
    /// another function then. Whether it may.
    fn refresh(&mut self, _v: &[Point<T>]) -> bool {
        false
    }
    /// Makes products with ∂²Φ/∂v² at `v` ready; with one near it that is nowhere negative, if it is to be `definite`.
    fn linearise(&mut self, v: &[Point<T>], definite: bool);
    /// Adds ∂²Φ/∂v² x.
    fn product(&self, x: &[Point<T>], to: &mut [Point<T>]);
    /// Whether it is nowhere negative and dear to find, so that it is not looked at where all others together are
    /// already more than what a line search can accept. [Jiang15] §A.3.3
    fn waits(&self) -> bool {
        false
    }
    /// Adds what ∂²Φ/∂v² has on the diagonal, one block for each point.
    fn diagonal(&self, to: &mut [Matrix<T, D>]);
}
