//! The ground under everything: scalars ([`Real`]), lanes of them ([`Lane`]), small vectors and
//! square matrices with the dimension as a constant, and their decompositions.
//!
//! All types are plain arrays without hidden state, so a column of them is a column of numbers.

mod eigen;
mod lane;
mod matrix;
mod pack;
mod polar;
mod prefetch;
mod principal;
mod qr;
mod real;
mod rotation;
mod row;
mod simd;
mod svd;
mod vector;

pub use eigen::Eigen;
pub use fearless_simd::Simd;
pub use lane::{Lane, Mask};
pub use matrix::Matrix;
pub use pack::{Pack, PackMask};
pub use prefetch::prefetch;
pub use principal::{Principal, bounded_ratio, log_secant};
pub use qr::Qr;
pub use real::Real;
pub use row::{Row, Row32, Row64};
pub use simd::{Level, Task, dispatch};
pub use svd::Svd;
pub use vector::Vector;
