//! Integrators of a layer's velocity, and the choice of the time step.

pub mod integrate;
mod pace;

pub use pace::{Bound, Pace};
