//! Elastic laws.

mod curve;
mod fixed_corotated;
mod hencky;
mod logarithmic;
mod moduli;
mod neo_hookean;
mod strain;
mod tensor;

pub use fixed_corotated::FixedCorotated;
pub use hencky::Hencky;
pub use moduli::Lame;
pub use neo_hookean::NeoHookean;

pub(crate) use curve::{curve, log_quotient, others};
pub(crate) use logarithmic::{Split, principal, respond_split, tangent_split, within};
pub(crate) use moduli::{POISSONS_RATIO, YOUNGS_MODULUS};
pub(crate) use strain::{by_size, deform, hencky_strain, polynomial};
pub(crate) use tensor::{dcofactor, inverted, largest_from_norms, upright, volume_stiffness};
