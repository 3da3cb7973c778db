//! One step, as systems see it: read-only.

use thixo_grid::Domain;
use thixo_math::Vector;
use thixo_shape::Collider;

/// What every verb of a step may know.
#[derive(Clone, Copy)]
pub struct Step<'a, const D: usize> {
    /// Time at the start \[s\].
    pub t: f64,
    /// Length \[s\].
    pub dt: f64,
    /// Space.
    pub domain: &'a Domain<D>,
    /// Uniform gravity \[m/s²\].
    pub gravity: &'a Vector<f64, D>,
    /// Obstacles, in fixed order.
    pub colliders: &'a [Collider<D>],
    /// Whether the layer asks for [potentials](crate::System::dynamics), instead of impulses of the present forces.
    pub implicit: bool,
}
