//! What the derived schema still needs: no nulls, which TOML does not have, descriptions as plain
//! text, and an example for every value of which the description names the unit.

use serde_json::{Value, json};

use crate::units::{self, MEASURES};

/// Tidies a schema and all that is in it.
pub(super) fn tidy(schema: &mut Value) {
    match schema {
        Value::Array(all) => all.iter_mut().for_each(tidy),
        Value::Object(_) => {
            without_null(schema);
            let Value::Object(keys) = schema else {
                return;
            };
            keys.values_mut().for_each(tidy);
            let Some(Value::String(text)) = keys.get_mut("description") else {
                return;
            };
            *text = plain(text);
            let measured = unit_of(text).and_then(units::dimension);
            let measure = MEASURES.iter().find(|m| Some(m.dimension) == measured);
            let value = keys.contains_key("type") || keys.contains_key("anyOf");
            if let (true, Some(measure)) = (value, measure) {
                let example = json!([measure.example]);
                keys.entry("examples").or_insert(example);
            }
        }
        _ => {}
    }
}

/// An optional value as what it may be, not as what it may be or null.
fn without_null(schema: &mut Value) {
    if let Some(Value::Array(words)) = schema.get_mut("enum") {
        words.retain(|word| !word.is_null());
    }
    if let Some(types) = schema.get_mut("type") {
        if let Value::Array(all) = types {
            all.retain(|t| t != "null");
        }
        let single = types.as_array().filter(|all| all.len() == 1);
        if let Some(one) = single.map(|all| all[0].clone()) {
            *types = one;
        }
    }
    if let Some(Value::Array(any)) = schema.get_mut("anyOf") {
        any.retain(|s| s["type"] != "null");
        let single = (any.len() == 1).then(|| any[0].take());
        if let (Some(Value::Object(one)), Value::Object(keys)) = (single, schema) {
            keys.remove("anyOf");
            for (key, value) in one {
                keys.entry(key).or_insert(value);
            }
        }
    }
}

/// A doc comment as plain text: lines are joined, brackets need no escape.
fn plain(text: &str) -> String {
    let lines = text.replace("\\[", "[").replace("\\]", "]");
    let words: Vec<&str> = lines.split_whitespace().collect();
    words.join(" ")
}

/// The first unit that a description names in brackets.
pub(crate) fn unit_of(text: &str) -> Option<&str> {
    let opened = text.split('[').skip(1);
    let mut inside = opened.filter_map(|rest| rest.split_once(']').map(|(unit, _)| unit));
    inside.find(|unit| units::dimension(unit).is_some())
}
