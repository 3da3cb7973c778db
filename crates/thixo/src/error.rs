//! What can go wrong between a scene and its pictures.

use thiserror::Error;

/// An error of a run.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// The scene is wrong.
    #[error(transparent)]
    Scene(#[from] thixo_scene::SceneError),
    /// The engine stopped.
    #[error(transparent)]
    Engine(#[from] thixo_core::Error),
    /// A file could not be read or written.
    #[error(transparent)]
    Files(#[from] thixo_io::Error),
    /// The threads could not be started.
    #[error("cannot start {threads} threads: {why}")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// Why not.
        why: String,
    },
}

/// The result of a run's verbs.
pub type Result<T, E = Error> = std::result::Result<T, E>;
