//! The ground under everything: scalars ([`Real`]), lanes of them ([`Lane`]), small vectors and
//! square matrices with the dimension as a constant, and their decompositions.
//!
//! All types are plain arrays without hidden state, so a column of them is a column of numbers.

mod lane;
mod matrix;
mod real;
mod vector;

pub use lane::{Lane, Wide};
pub use matrix::Matrix;
pub use real::Real;
pub use vector::Vector;
