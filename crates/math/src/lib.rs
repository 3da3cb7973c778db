//! The ground under everything: scalars ([`Real`]), lanes of them ([`Lane`]), small vectors and
//! square matrices with the dimension as a constant, and their decompositions.
//!
//! All types are plain arrays without hidden state, so a column of them is a column of numbers.

mod eigen;
mod lane;
mod matrix;
mod polar;
mod principal;
mod qr;
mod real;
mod rotation;
mod svd;
mod vector;

pub use eigen::Eigen;
pub use lane::{Lane, Wide};
pub use matrix::Matrix;
pub use principal::{Principal, bounded_ratio, log_secant};
pub use qr::Qr;
pub use real::Real;
pub use svd::Svd;
pub use vector::Vector;
