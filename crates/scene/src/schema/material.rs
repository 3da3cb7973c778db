//! The schema of a material: a law with its parameters, or a preset with changes.
//!
//! Each law has a definition `law.NAME` of its own, which a material is held to by `if` and `then`,
//! so that a mistake is reported at its key. Editors that do not look into `then` still complete all
//! keys: they are listed in the material itself.

use std::borrow::Cow;
use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};
use thixo_material::{Info, Param, Unit, cards};

use super::Color;
use crate::Preset;
use crate::spec::{Material, Scalar};
use crate::units::{DENSITY, Measure};

/// The keys that every law has.
fn common(g: &mut SchemaGenerator) -> Map<String, Value> {
    let mut density = g.subschema_for::<Scalar>();
    density.insert(
        "description".into(),
        json!("Mass per volume at rest [kg/m^3]."),
    );
    density.insert("exclusiveMinimum".into(), json!(0));
    density.insert("examples".into(), json!([DENSITY.example]));
    let mut color = g.subschema_for::<Color>();
    let text = "Colour in pictures (default: one that suits the law).";
    color.insert("description".into(), json!(text));
    let keys = [("density", density), ("color", color)];
    keys.map(|(k, s)| (k.to_string(), s.to_value()))
        .into_iter()
        .collect()
}

impl JsonSchema for Material {
    fn schema_name() -> Cow<'static, str> {
        "Material".into()
    }
    fn json_schema(g: &mut SchemaGenerator) -> Schema {
        let (cards, presets) = (cards(), Preset::all());
        let names: Vec<&str> = cards.iter().map(|card| card.name).collect();
        let library: Vec<&str> = Preset::names().collect();
        let mut keys = common(g);
        let law = json!({ "enum": names, "description": "The law that it obeys; or `preset`." });
        keys.insert("law".into(), law);
        let preset = json!({
            "enum": library,
            "description": "A material of the library; what else is said here is put over what it says.",
        });
        keys.insert("preset".into(), preset);
        for (name, text) in meanings(&cards) {
            let mut schema = g.subschema_for::<Scalar>();
            schema.insert("description".into(), json!(text));
            keys.insert(name.into(), schema.to_value());
        }
        let mut rules = Vec::new();
        for card in &cards {
            let definition = format!("law.{}", card.name);
            let schema = law_schema(card, g);
            g.definitions_mut()
                .insert(definition.clone(), schema.to_value());
            rules.push(json!({
                "if": { "required": ["law"], "properties": { "law": { "const": card.name } } },
                "then": { "$ref": format!("#/$defs/{definition}") },
            }));
            let its =
                |p: &&Preset| matches!(p.material.text("law", ""), Ok(Some(l)) if l == card.name);
            let its: Vec<&str> = presets.iter().filter(its).map(|p| p.name).collect();
            if its.is_empty() {
                continue;
            }
            let own = card.params.iter().map(|p| p.name);
            let allowed: Vec<&str> = ["preset", "density", "color"]
                .into_iter()
                .chain(own)
                .collect();
            rules.push(json!({
                "if": { "required": ["preset"], "properties": { "preset": { "enum": its } } },
                "then": { "propertyNames": { "enum": allowed } },
            }));
        }
        json_schema!({
            "description": "A material: a law with its parameters, or a preset.",
            "type": "object",
            "properties": keys,
            "additionalProperties": false,
            "oneOf": [{ "required": ["law"] }, { "required": ["preset"] }],
            "allOf": rules,
        })
    }
}

/// Every parameter of any law, with what it means; where laws differ, by law.
fn meanings(cards: &[&'static Info]) -> BTreeMap<&'static str, String> {
    let mut all: BTreeMap<&str, Vec<(String, Vec<&str>)>> = BTreeMap::new();
    for card in cards {
        for p in card.params {
            let (known, text) = (all.entry(p.name).or_default(), meaning(p));
            match known.iter_mut().find(|(t, _)| *t == text) {
                Some((_, laws)) => laws.push(card.name),
                None => known.push((text, vec![card.name])),
            }
        }
    }
    let joined = |texts: Vec<(String, Vec<&str>)>| match texts.as_slice() {
        [(text, _)] => text.clone(),
        many => {
            let one = |(text, laws): &(String, Vec<&str>)| format!("{}: {text}", laws.join(", "));
            many.iter().map(one).collect::<Vec<_>>().join(" ")
        }
    };
    all.into_iter()
        .map(|(name, texts)| (name, joined(texts)))
        .collect()
}

/// The schema of a material of one law.
fn law_schema(card: &Info, g: &mut SchemaGenerator) -> Schema {
    let mut keys = common(g);
    keys.insert(
        "law".into(),
        json!({ "const": card.name, "description": card.doc }),
    );
    let mut required = vec!["law", "density"];
    for p in card.params {
        keys.insert(p.name.into(), parameter(p, g).to_value());
        if p.default.is_none() {
            required.push(p.name);
        }
    }
    let source = if card.source.is_empty() {
        String::new()
    } else {
        format!(" {}", card.source)
    };
    json_schema!({
        "title": card.name,
        "description": format!("{}{source}", card.doc),
        "type": "object",
        "properties": keys,
        "required": required,
        "additionalProperties": false,
    })
}

fn parameter(p: &Param, g: &mut SchemaGenerator) -> Schema {
    let mut schema = g.subschema_for::<Scalar>();
    schema.insert("description".into(), json!(meaning(p)));
    schema.insert("examples".into(), json!([Measure::from(p.unit).example]));
    if let Some(x) = p.default.filter(|x| x.is_finite()) {
        schema.insert("default".into(), shown(x, p.unit));
    }
    // These hold for bare numbers, which are SI; a text is checked when the scene is built.
    for (bound, open, key, open_key) in [
        (p.min, p.min_open, "minimum", "exclusiveMinimum"),
        (p.max, p.max_open, "maximum", "exclusiveMaximum"),
    ] {
        if bound.is_finite() {
            let key = if open { open_key } else { key };
            schema.insert(key.into(), json!(bound));
        }
    }
    schema
}

fn meaning(p: &Param) -> String {
    match p.unit {
        Unit::One => p.doc.to_string(),
        unit => format!("{} [{}]", p.doc, symbol(unit)),
    }
}

fn symbol(unit: Unit) -> &'static str {
    match unit {
        Unit::One => "",
        Unit::Pressure => "Pa",
        Unit::Viscosity => "Pa s",
        Unit::Angle => "rad",
        Unit::Density => "kg/m^3",
        Unit::Time => "s",
        Unit::Speed => "m/s",
    }
}

/// A default as one may write it.
fn shown(x: f64, unit: Unit) -> Value {
    match unit {
        Unit::One => json!(x),
        Unit::Angle => json!(format!("{} deg", (x.to_degrees() * 1e6).round() / 1e6)),
        _ => json!(format!("{x} {}", symbol(unit))),
    }
}
