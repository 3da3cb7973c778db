//! Elastic laws.

mod fixed_corotated;
mod hencky;
mod moduli;
mod neo_hookean;
mod tensor;

pub use fixed_corotated::FixedCorotated;
pub use hencky::Hencky;
pub use moduli::Lame;
pub use neo_hookean::NeoHookean;

pub(crate) use moduli::{POISSONS_RATIO, YOUNGS_MODULUS};
pub(crate) use tensor::{dcofactor, inverted, volume_stiffness};
