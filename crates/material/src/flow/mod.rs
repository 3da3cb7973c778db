//! Laws that flow: elastic up to a yield surface, then plastic.

mod bargteil;
mod clamp_sand;
mod clamped;
mod fading;
mod oldroyd_b;
mod sand;
mod snow;
mod von_mises;

pub use bargteil::Viscoplastic;
pub use clamp_sand::ClampSand;
pub use fading::Kept;
pub use oldroyd_b::{OldroydB, Shaped};
pub use sand::Sand;
pub use snow::Snow;
pub use von_mises::VonMises;
