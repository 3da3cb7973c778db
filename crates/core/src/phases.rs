//! Where the time of a step goes.

use std::time::Instant;

/// Wall time of the verbs of a step, summed over steps \[s\]. Tries that were rejected count. It is
/// measured, so it is no part of the state.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Phases {
    /// Putting particles in order.
    pub sort: f64,
    /// Looking at the state: stress and the largest step.
    pub stress: f64,
    /// Particles to grid.
    pub scatter: f64,
    /// The grid itself: what it covers, clearing, forces, colliders.
    pub grid: f64,
    /// Grid to particles, up to the next state, which becomes the present one.
    pub gather: f64,
}

/// A clock that is read between verbs.
pub(crate) struct Clock(Instant);

impl Clock {
    pub fn start() -> Self {
        Self(Instant::now())
    }
    /// Time since the last reading \[s\].
    pub fn lap(&mut self) -> f64 {
        let now = Instant::now();
        let lap = now - std::mem::replace(&mut self.0, now);
        lap.as_secs_f64()
    }
}
