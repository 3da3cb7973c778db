//! The schema of a shape: exactly one name of the registry, and where it is moved to.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

use crate::registry;
use crate::spec::{Numbers, Shape};

impl JsonSchema for Shape {
    fn schema_name() -> Cow<'static, str> {
        "Shape".into()
    }
    fn json_schema(g: &mut SchemaGenerator) -> Schema {
        let kinds = registry::shape_schemas(g);
        let one: Vec<Value> = kinds
            .iter()
            .map(|(name, _)| json!({ "required": [name] }))
            .collect();
        let mut keys: Map<String, Value> = kinds
            .into_iter()
            .map(|(name, schema)| (name.into(), schema.to_value()))
            .collect();
        for (name, doc) in [
            ("translate", "Moved by how much [m], after turning."),
            (
                "rotate",
                "Turned by how much about the origin [rad]: one number in two dimensions, else three.",
            ),
        ] {
            let mut schema = g.subschema_for::<Numbers>();
            schema.insert("description".into(), json!(doc));
            keys.insert(name.into(), schema.to_value());
        }
        json_schema!({
            "description": "A shape by its name, such as { sphere = { radius = \"10 cm\" } }.",
            "type": "object",
            "properties": keys,
            "additionalProperties": false,
            "oneOf": one,
        })
    }
}
