//! Integrators of a layer's velocity, and the choice of the time step.

mod approach;
pub mod integrate;
mod pace;

pub use approach::approach;
pub use pace::{Bound, Pace};
