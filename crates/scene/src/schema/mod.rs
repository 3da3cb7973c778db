//! The schema of a scene file, for editors that complete and check while one types.
//!
//! Tables come from the structs in [`spec`](crate::spec), whose doc comments become descriptions;
//! shapes from the registry, laws from their cards, presets from their files. So nothing is said
//! twice, and the [reference](crate::reference()) is made from the schema in turn.

mod alternatives;
mod material;
mod shape;
mod tidy;
mod value;

use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

use crate::spec::Spec;

pub(crate) use tidy::unit_of;
pub(crate) use value::{Color, periodic, resolution};

/// The JSON Schema (draft 2020-12) of a scene file.
///
/// What a schema cannot say is left to [`Scene::build`](crate::Scene::build): whether a unit fits,
/// whether names are known, whether vectors have the scene's dimension.
pub fn schema() -> Value {
    let generator = SchemaSettings::draft2020_12().into_generator();
    let mut schema = generator.into_root_schema_for::<Spec>().to_value();
    alternatives::add(&mut schema);
    tidy::tidy(&mut schema);
    schema["title"] = json!("thixo scene");
    schema
}
