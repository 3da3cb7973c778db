//! Laws that flow: elastic up to a yield surface, then plastic.

mod clamp_sand;
mod sand;
mod snow;
mod von_mises;

pub use clamp_sand::ClampSand;
pub use sand::Sand;
pub use snow::Snow;
pub use von_mises::VonMises;
