//! The contract: a [`World`] steps [`System`]s that meet in the medium. No system names another.

mod error;
mod observe;
mod phases;
mod snapshot;
mod step;
mod system;
mod world;

pub use error::{Error, Fault, Result};
pub use observe::{Observer, PointSet, Totals, shown, three};
pub use phases::Phases;
pub use snapshot::{Column, Snapshot};
pub use step::Step;
pub use system::System;
pub use world::{Taken, World};
