//! Holds scenes to the schema, by a validator that is not ours.

use boon::{Compiler, SchemaIndex, Schemas};

/// The schema, ready to be asked.
pub struct Validator {
    schemas: Schemas,
    scene: SchemaIndex,
}

impl Validator {
    /// The schema of a scene; that it is itself a valid schema is checked here.
    pub fn new() -> Self {
        let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
        compiler
            .add_resource("scene.json", thixo_scene::schema())
            .unwrap();
        let scene = compiler
            .compile("scene.json", &mut schemas)
            .unwrap_or_else(|e| panic!("{e:#}"));
        Self { schemas, scene }
    }
    /// What is wrong with a text that is TOML.
    pub fn check(&self, text: &str) -> Result<(), String> {
        let value: serde_json::Value = toml::from_str(text).map_err(|e| format!("{e}\n{text}"))?;
        self.schemas
            .validate(&value, self.scene)
            .map_err(|e| e.to_string())
    }
}
