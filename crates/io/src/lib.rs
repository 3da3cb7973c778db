//! Files and pictures of thixo: particle formats, checkpoints, a software rasteriser,
//! films, frames.
//!
//! Every file is written atomically. A new particle format is one file and one line in
//! [`frames::FORMATS`].
//! [`export`] puts whole runs into files, particles or their [`surface`]s.

pub mod atomic;
pub mod checkpoint;
pub mod csv;
mod error;
pub mod export;
pub mod film;
pub mod frames;
pub mod npz;
pub mod picture;
pub mod ply;
pub mod sample;
pub mod surface;
mod table;
mod text;
pub mod usd;
pub mod vdb;
pub mod vtk;

pub use error::{Error, Result};
