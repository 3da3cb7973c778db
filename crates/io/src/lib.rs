//! Files and pictures of thixo: particle formats, checkpoints, a software rasteriser,
//! films, frames.
//!
//! Every file is written atomically. A new particle format is one file and one line in
//! [`frames::FORMATS`].

pub mod atomic;
pub mod checkpoint;
mod error;
pub mod film;
pub mod frames;
pub mod picture;
pub mod ply;
pub mod sample;
mod table;
pub mod vtk;

pub use error::{Error, Result};
