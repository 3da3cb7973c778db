//! Schemas of single values: numbers with units, vectors, colours, words.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::json;

use crate::build::QUALITIES;
use crate::spec::{Choice, Numbers, Scalar, Spanned, Word, WordOr};

/// How a text with a unit begins.
const NUMBER: &str = r"^\s*[-+]?(\d|\.\d)";

/// Writes `JsonSchema` for values that stand where they are used, instead of being named.
macro_rules! inline {
    ([$($generic:tt)*] $type:ty, $name:literal, |$g:ident| $schema:expr) => {
        impl<$($generic)*> JsonSchema for $type {
            fn inline_schema() -> bool {
                true
            }
            fn schema_name() -> Cow<'static, str> {
                $name.into()
            }
            fn json_schema($g: &mut SchemaGenerator) -> Schema {
                $schema
            }
        }
    };
}

inline!([T: JsonSchema] Spanned<T>, "Spanned", |g| g.subschema_for::<T>());
inline!([] Scalar, "Scalar", |_g| json_schema!({
    "type": ["number", "string"],
    "pattern": NUMBER,
}));
// Texts of a list may be formulas.
inline!([] Numbers, "Numbers", |_g| json_schema!({
    "type": ["number", "string", "array"],
    "items": { "type": ["number", "string"] },
}));
inline!([W: Word] Choice<W>, "Choice", |_g| words::<W>());
inline!([W: Word, B: JsonSchema] WordOr<W, B>, "WordOr", |g| json_schema!({
    "anyOf": [words::<W>(), g.subschema_for::<B>()],
}));

/// A colour.
pub(crate) struct Color;

inline!([] Color, "Color", |_g| json_schema!({
    "type": ["string", "array"],
    "pattern": "^#[0-9a-fA-F]{6}$",
    "items": { "type": "number", "minimum": 0, "maximum": 1 },
    "minItems": 3,
    "maxItems": 3,
    "examples": ["#4f88c6"],
}));

fn words<W: Word>() -> Schema {
    let all: Vec<&str> = W::all().into_iter().map(|(name, _)| name).collect();
    json_schema!({ "type": "string", "enum": all })
}

/// A length, or one of the words for how fine a scene is.
pub(crate) fn resolution(_: &mut SchemaGenerator) -> Schema {
    let words: Vec<&str> = QUALITIES.iter().map(|(name, _)| *name).collect();
    json_schema!({
        "anyOf": [
            { "enum": words },
            { "type": "number", "exclusiveMinimum": 0 },
            { "type": "string", "pattern": NUMBER },
        ],
    })
}

/// Axes with their periods.
pub(crate) fn periodic(g: &mut SchemaGenerator) -> Schema {
    let mut schema = json_schema!({ "type": "object", "additionalProperties": false });
    let axes = ["x", "y", "z"].map(|axis| {
        let mut period = g.subschema_for::<Scalar>();
        period.insert(
            "description".into(),
            json!(format!("Period along {axis} [m].")),
        );
        (axis.to_string(), period.to_value())
    });
    schema.insert("properties".into(), axes.into_iter().collect());
    schema
}
