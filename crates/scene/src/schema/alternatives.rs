//! Keys of which a table has exactly one: rules that structs do not show.

use serde_json::{Value, json};

/// A table, and the keys that exclude one another; of keys in one group all are needed.
const ONE_OF: &[(&str, &[&[&str]])] = &[
    (
        "Blend",
        &[&["flip"], &["apic"], &["apic_rpic"], &["apic_flip"]],
    ),
    ("Collider", &[&["shape"], &["deform"]]),
    ("Cuboid", &[&["from", "to"], &["size"]]),
    ("Force", &[&["acceleration"], &["wind"], &["point"]]),
    ("HeightField", &[&["height"], &["heights"]]),
];

/// Adds the rules to the definitions.
pub(super) fn add(schema: &mut Value) {
    for (table, groups) in ONE_OF {
        let groups: Vec<Value> = groups
            .iter()
            .map(|keys| json!({ "required": keys }))
            .collect();
        schema["$defs"][table]["oneOf"] = json!(groups);
    }
    // A mesh may have a shape, too.
    schema["$defs"]["Body"]["anyOf"] = json!([
        { "required": ["material", "shape"] },
        { "required": ["material", "mesh"] },
        { "required": ["cloth"] },
    ]);
}
