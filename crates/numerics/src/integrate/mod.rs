//! From momentum and impulse on the nodes to velocity.

mod symplectic;

pub use symplectic::symplectic;
