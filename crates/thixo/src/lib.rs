//! thixo: one engine for snow, sand, jelly and water, in one scene file.
//!
//! A [`Simulation`] runs a scene without asking for its dimension or precision:
//!
//! ```
//! use thixo::prelude::*;
//!
//! let scene = Scene::parse(
//!     r#"
//!     dimension = 2
//!     resolution = "5 cm"
//!     [materials.jelly]
//!     law = "neo-hookean"
//!     density = "1000 kg/m^3"
//!     youngs_modulus = "20 kPa"
//!     poissons_ratio = 0.3
//!     [[bodies]]
//!     material = "jelly"
//!     shape = { sphere = { center = [0, "50 cm"], radius = "20 cm" } }
//!     [[colliders]]
//!     shape = { half_space = { normal = [0, 1] } }
//!     contact = "sticky"
//!     "#,
//!     "example", "example", "".as_ref(),
//! )?;
//! let mut run = Simulation::new(scene, Threads::All)?;
//! let before = run.totals();
//! run.next_frame()?;
//! assert_eq!(run.frame(), 1);
//! assert!(run.totals().momentum[1] < 0.0, "it falls");
//! assert_eq!(run.totals().mass, before.mass);
//! # Ok::<(), thixo::Error>(())
//! ```
//!
//! The parts are there under their own names for those who want to build worlds in code.

mod any;
mod draw;
mod error;
mod estimate;
pub mod record;
mod simulation;

pub use any::Limit;
pub use draw::Look;
pub use error::{Error, Result};
pub use estimate::{Estimate, estimate};
pub use simulation::{Simulation, Threads};

pub use thixo_core as core;
pub use thixo_grid as grid;
pub use thixo_io as io;
pub use thixo_material as material;
pub use thixo_math as math;
pub use thixo_mpm as mpm;
pub use thixo_numerics as numerics;
pub use thixo_scene as scene;
pub use thixo_shape as shape;

/// What most programs need.
pub mod prelude {
    pub use crate::{Error, Result, Simulation, Threads};
    pub use thixo_core::{Observer, PointSet, Snapshot, Taken, Totals, World};
    pub use thixo_scene::{Precision, Scene, SceneError, Setting};
}
