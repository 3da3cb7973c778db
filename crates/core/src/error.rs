//! What can go wrong in a run, as values.

use thiserror::Error;

/// A state that must not spread: which particle, which quantity, how it is.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("system `{system}`, particle {particle}: {quantity} {what}")]
pub struct Fault {
    /// The system's name.
    pub system: String,
    /// The particle's lasting number.
    pub particle: u64,
    /// The quantity.
    pub quantity: &'static str,
    /// What is wrong with it.
    pub what: String,
}

/// An error of the engine.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// A step failed at every step size that was tried. The state is the last good one.
    #[error("step {step} at t = {t} s failed {tries} times, last with dt = {dt:e} s: {fault}")]
    Step {
        /// Number of the step.
        step: u64,
        /// Time at its start \[s\].
        t: f64,
        /// How often it was tried.
        tries: u32,
        /// The last step size \[s\].
        dt: f64,
        /// What went wrong.
        fault: Box<Error>,
    },
    /// The step has become too small to move time on.
    #[error(
        "step {step} at t = {t} s: the step size {dt:e} s, bounded by {why}, no longer moves time on"
    )]
    Stalled {
        /// Number of the step.
        step: u64,
        /// Time \[s\].
        t: f64,
        /// Step size \[s\].
        dt: f64,
        /// What bounds it.
        why: &'static str,
    },
    /// A system rejects the present step; the world undoes it and tries a smaller one.
    #[error("{0}")]
    Fault(#[from] Fault),
    /// An implicit solve did not come near a solution; the world undoes the step and tries a smaller one.
    #[error("an implicit solve ended with {0:.1e} of its forces out of balance")]
    Unsolved(f64),
    /// A snapshot does not fit.
    #[error("snapshot: {0}")]
    Snapshot(String),
    /// A world that cannot be built.
    #[error("{0}")]
    Invalid(String),
    /// An observer failed.
    #[error("output: {0}")]
    Output(String),
}

/// The result of the engine's verbs.
pub type Result<T, E = Error> = std::result::Result<T, E>;
