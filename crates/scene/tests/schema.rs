//! The schema accepts what the engine accepts, refuses misspelt keys and wrong types, and names
//! everything that there is.

mod validator;

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;
use thixo_material::cards;
use thixo_scene::registry::{SCENES, shape_names};
use thixo_scene::{Preset, QUALITIES, Scene, schema};
use validator::Validator;

const GOOD: &str = include_str!("good.toml");

#[test]
fn every_built_in_scene_is_valid() {
    let validator = Validator::new();
    for (name, text) in SCENES {
        assert_eq!(validator.check(text), Ok(()), "{name}");
    }
}

#[test]
fn mistakes_that_a_schema_can_see_are_refused() {
    let validator = Validator::new();
    assert_eq!(validator.check(GOOD), Ok(()));
    let material = "law = \"snow\"\n";
    for (from, to) in [
        // Keys
        ("gravity", "gravty"),
        ("velocity =", "speed ="),
        ("youngs_modulus", "young_modulus"),
        ("sphere", "sphre"),
        ("radius", "radus"),
        ("resolution = \"10 cm\"\n", ""),
        ("density = \"400 kg/m^3\"\n", ""),
        (material, ""),
        (", radius = \"40 cm\"", ""),
        ("contact = { friction = 0.4 }\n", ""),
        ("friction", "fraction"),
        ("material = \"snow\"\n", ""),
        ("[materials.snow]", "[materils.snow]"),
        ("poissons_ratio", "friction_angle"),
        // Types
        ("\"10 cm\"", "true"),
        ("\"10 cm\"", "\"coarse\""),
        ("\"10 cm\"", "-0.1"),
        ("\"10 cm\"", "nan"),
        ("frames = 2", "frames = \"two\""),
        ("law = \"snow\"", "law = 3"),
        ("0.2\n", "[0.2]\n"),
        ("[0, -9.81]", "{ y = -9.81 }"),
        ("[0, -9.81]", "[0, inf]"),
        ("name = \"ground\"", "name = 3"),
        // Values
        ("0.2\n", "0.5\n"),
        ("\"400 kg/m^3\"", "-400"),
        // Words
        ("law = \"snow\"", "law = \"snwo\""),
        ("{ friction = 0.4 }", "\"stiky\""),
        ("frames = 2", "numerics = { kernel = \"quartic\" }"),
        // Alternatives
        (material, "law = \"snow\"\npreset = \"dry-sand\"\n"),
        (material, "preset = \"dry-sand\"\nhardening = 3\n"),
        ("{ sphere", "{ torus = { radius = 1, tube = 0.1 }, sphere"),
        (
            "sphere = { center = [0, 1], radius = \"40 cm\" }",
            "box = { from = [0, 1] }",
        ),
        ("shape = { half_space = { normal = [0, 1] } }\n", ""),
        ("frames = 2", "forces = [{ start = 1 }]"),
        (
            "frames = 2",
            "numerics = { transfer = { flip = 0.9, apic = 0.1 } }",
        ),
        ("frames = 2", "periodic = { w = 1 }"),
        ("contact", "color = \"red\"\ncontact"),
    ] {
        assert!(GOOD.contains(from), "{from}");
        let text = GOOD.replacen(from, to, 1);
        let _: toml::Table = toml::from_str(&text).unwrap();
        assert!(
            validator.check(&text).is_err(),
            "`{from}` → `{to}` is accepted by the schema"
        );
    }
}

#[test]
fn what_may_be_written_in_several_ways_is_accepted() {
    let validator = Validator::new();
    for (from, to) in [
        ("\"10 cm\"", "0.1"),
        ("\"10 cm\"", "\"fine\""),
        ("{ friction = 0.4 }", "\"slip\""),
        ("law = \"snow\"\n", "law = \"snow\"\ncolor = [0.5, 1, 0]\n"),
        ("poissons_ratio = 0.2", "poissons_ratio = \"20 %\""),
        (
            "frames = 2",
            "numerics = { transfer = { flip = 0.9 }, precision = \"f64\" }",
        ),
        ("frames = 2", "periodic = { x = \"4 m\" }"),
        (
            "name = \"ground\"",
            "motion = { path = { translate = [\"sin(t)\", 0] } }",
        ),
        (
            "shape = { sphere",
            "spin = \"90 deg/s\"\nshape = { rotate = \"3 deg\", sphere",
        ),
    ] {
        assert!(GOOD.contains(from), "{from}");
        let text = GOOD.replacen(from, to, 1);
        assert_eq!(validator.check(&text), Ok(()), "`{from}` → `{to}`");
    }
    for name in Preset::names() {
        let text = format!(
            "resolution = \"draft\"\n[materials.mine]\npreset = \"{name}\"\ndensity = 1000\n\
             [[bodies]]\nmaterial = \"mine\"\nshape = {{ sphere = {{ radius = 1 }} }}\n"
        );
        assert_eq!(validator.check(&text), Ok(()), "{name}");
    }
}

#[test]
fn the_schema_names_everything() {
    let schema = schema();
    let keys = |at: &str| -> BTreeSet<String> {
        let table = schema.pointer(at).and_then(Value::as_object);
        let table = table.unwrap_or_else(|| panic!("nothing at {at}"));
        table.keys().cloned().collect()
    };
    // The reader itself lists what it knows when a key is none of it.
    let known = |text: &str| -> BTreeSet<String> {
        let e = Scene::parse(text, "a.toml", "a", Path::new(""))
            .unwrap_err()
            .to_string();
        let (_, list) = e.split_once("there are: ").unwrap_or_else(|| panic!("{e}"));
        list.split(", ").map(String::from).collect()
    };
    assert_eq!(keys("/properties"), known("qqqqqqqqqq = 1\n"));
    for (at, text) in [
        ("Body", "[[bodies]]\nqqqqqqqqqq = 1\n"),
        ("Emitter", "[[emitters]]\nqqqqqqqqqq = 1\n"),
        ("Drain", "[[drains]]\nqqqqqqqqqq = 1\n"),
        ("Collider", "[[colliders]]\nqqqqqqqqqq = 1\n"),
        ("Motion", "[[colliders]]\nmotion.qqqqqqqqqq = 1\n"),
        ("Force", "[[forces]]\nqqqqqqqqqq = 1\n"),
        ("Probe", "[[probes]]\nqqqqqqqqqq = 1\n"),
        ("Numerics", "numerics.qqqqqqqqqq = 1\n"),
        ("Picture", "picture.qqqqqqqqqq = 1\n"),
    ] {
        assert_eq!(
            keys(&format!("/$defs/{at}/properties")),
            known(text),
            "{at}"
        );
    }
    let mut shapes: BTreeSet<String> = shape_names().iter().map(|n| n.to_string()).collect();
    shapes.extend(["translate", "rotate"].map(String::from));
    assert_eq!(keys("/$defs/Shape/properties"), shapes);
    let words = |at: &str| schema.pointer(at).cloned().unwrap_or_default();
    let mut all = Vec::new();
    for card in cards() {
        let law = format!("/$defs/law.{}/properties", card.name);
        let mut params: BTreeSet<String> = card.params.iter().map(|p| p.name.to_string()).collect();
        params.extend(["law", "density", "color"].map(String::from));
        assert_eq!(keys(&law), params);
        assert!(params.is_subset(&keys("/$defs/Material/properties")));
        all.push(Value::from(card.name));
    }
    assert_eq!(
        words("/$defs/Material/properties/law/enum"),
        Value::from(all)
    );
    let presets: Vec<&str> = Preset::names().collect();
    assert_eq!(
        words("/$defs/Material/properties/preset/enum"),
        Value::from(presets)
    );
    let words = words("/properties/resolution/anyOf/0/enum");
    assert_eq!(words, Value::from(QUALITIES.map(|(name, _)| name).to_vec()));
}

/// Every key has a description, every table refuses what it does not know, nothing may be null.
#[test]
fn the_schema_is_complete() {
    fn walk(at: &str, value: &Value, wrong: &mut Vec<String>) {
        if let Some(keys) = value.get("properties").and_then(Value::as_object) {
            // The conditions of a material hold no more than what they ask.
            if value.get("type").is_some() {
                if value["additionalProperties"] != Value::Bool(false) {
                    wrong.push(format!("{at} takes any key"));
                }
                for (key, of) in keys {
                    if of.get("description").is_none() && of.get("$ref").is_none() {
                        wrong.push(format!("{at}/{key} has no description"));
                    }
                }
            }
        }
        match value {
            Value::Null => wrong.push(format!("{at} is null")),
            Value::String(text) if text == "null" => wrong.push(format!("{at} may be null")),
            Value::String(text) if text.contains("\\[") => wrong.push(format!("{at}: {text}")),
            Value::Array(all) => {
                for (i, v) in all.iter().enumerate() {
                    walk(&format!("{at}/{i}"), v, wrong);
                }
            }
            Value::Object(all) => {
                for (k, v) in all {
                    walk(&format!("{at}/{k}"), v, wrong);
                }
            }
            _ => {}
        }
    }
    let mut wrong = Vec::new();
    walk("", &schema(), &mut wrong);
    assert_eq!(wrong, [""; 0]);
}
