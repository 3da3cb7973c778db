//! Integrators of a layer's velocity, linear and nonlinear solvers, and the choice of the time step.

mod approach;
mod constraints;
pub mod contacts;
mod dynamics;
pub mod integrate;
pub mod krylov;
pub mod minimise;
mod pace;
pub mod points;

pub use approach::approach;
pub use constraints::Constraints;
pub use dynamics::Dynamics;
pub use pace::{Bound, Bounds, Pace};
pub use points::Point;
