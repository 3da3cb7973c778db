//! Constitutive laws: one file per law, each with its energy, stress, stress derivative and flow,
//! the derivation in its documentation, and one line in the [`registry`](laws).

pub mod check;
pub mod elastic;
pub mod eos;
pub mod flow;
mod info;
mod law;
pub mod reference;
mod registry;
mod trial;

pub use info::{Info, Param, ParamError, Unit, Values, nearest};
pub use law::{Elastic, Kin, Law, Motion, Numbers};
pub use registry::{Build, Entry, card, cards, law, laws};
pub use trial::{Tangent, Trial};
