//! From momentum and impulse on the nodes to velocity.

mod auto;
mod backward_euler;
mod layer;
mod semi_implicit;
mod symplectic;

pub use auto::Auto;
pub use backward_euler::{Accuracy, BackwardEuler, Workspace, backward_euler, backward_euler_by};
pub use layer::{Forces, implicit_layer};
pub use semi_implicit::semi_implicit;
pub use symplectic::symplectic;

/// How velocities follow from forces.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Integrator {
    /// Forces of the present state.
    #[default]
    Explicit,
    /// One linear solve with the stiffness of the present state; β = 1 is backward Euler, ½ the trapezoidal rule, 0
    /// explicit.
    SemiImplicit {
        /// The share of the new velocity in what the stiffness acts on.
        beta: f64,
    },
    /// Forces of the next state: backward Euler by minimisation.
    Implicit,
    /// Explicit or implicit, whichever costs less.
    Auto,
}
