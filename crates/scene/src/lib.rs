//! Scene files: physical values as people write them, mistakes named with their place and a remedy.
//!
//! [`spec`] is a scene as typed; [`Scene::build`] makes a world of it. [`registry`] has one line per
//! shape and per built-in scene; laws and their parameters come from the laws' own cards.
//!
//! ```
//! use thixo_scene::Scene;
//!
//! let scene = Scene::load("water-block").unwrap();
//! assert_eq!(scene.name, "water-block");
//! ```

mod build;
mod edit;
mod error;
mod expression;
mod preset;
mod reference;
pub mod registry;
mod scene;
mod schema;
mod shapes;
pub mod spec;
pub mod units;

pub use build::{Probe, QUALITIES};
pub use edit::Setting;
pub use error::{Checked, Mistake, Problem, SceneError};
pub use expression::Expression;
pub use preset::Preset;
pub use reference::{preset_pages, reference};
pub use scene::{Drawn, Precision, Scene, View};
pub use schema::schema;
pub use shapes::{Figure, Files, Make};
