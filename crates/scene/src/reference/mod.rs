//! The reference of scene files as Markdown, made from the [schema](crate::schema()), and a page per
//! preset. `book/src` has both as files; `tests/pages.rs` holds them to what is made here.

mod preset;
mod row;

use std::collections::BTreeMap;
use std::fmt::Write;

use serde_json::{Map, Value};

use crate::units::{PREFIXES, UNITS};

pub use preset::preset_pages;

const INTRODUCTION: &str = "# Scene reference

Made from the reader itself by `thixo_scene::reference()`; do not edit.

A scene is a TOML file. Unknown keys are refused, with a suggestion.

- **A number** is in SI units. A text with a unit says the same: `0.25` and `\"25 cm\"`, `0.524` and `\"30 deg\"`. The
  *Unit* column says what a bare number means.
- **A list** is a vector: two numbers in two dimensions, three in three. Its elements may have units.
- **Formulas** are allowed where the meaning says so: texts such as `\"0.1*sin(6*t)\"`, in SI units.
- **A colour** is `\"#4f88c6\"`, or `[red, green, blue]` from 0 to 1.
- **Files** are looked for in the scene's own folder.

";

/// The reference of scene files as Markdown: every table, shape, law, preset and unit.
pub fn reference() -> String {
    let schema = crate::schema();
    let mut page = Page {
        schema: &schema,
        text: INTRODUCTION.into(),
        sections: BTreeMap::new(),
    };
    page.name_sections("", &schema);
    page.table("The scene", 2, &schema);
    page.tables_of("", 2, &schema);
    page.materials();
    page.shapes();
    page.units();
    page.text
}

/// A page in the making.
struct Page<'a> {
    schema: &'a Value,
    text: String,
    /// The headings of definitions: one that is used in several tables is described where it is first.
    sections: BTreeMap<String, String>,
}

impl<'a> Page<'a> {
    fn line(&mut self, text: impl AsRef<str>) {
        self.text += text.as_ref();
        self.text.push('\n');
    }

    /// The definition of that name.
    fn definition(&self, name: &str) -> &'a Value {
        &self.schema["$defs"][name]
    }

    /// A heading, what it is about, and a row per key.
    fn table(&mut self, heading: &str, level: usize, schema: &Value) {
        self.line(format!("{} {heading}\n", "#".repeat(level)));
        if let Some(text) = schema["description"].as_str() {
            self.line(format!("{text}\n"));
        }
        let groups = row::groups(schema);
        if !groups.is_empty() {
            self.line(format!("Exactly one of: {}.\n", groups.join("; ")));
        }
        let Some(keys) = schema["properties"].as_object() else {
            return;
        };
        self.line("| Key | Value | Unit | Default | Meaning |\n|---|---|---|---|---|");
        for (key, of) in ordered(keys, schema) {
            let names = row::definitions(of);
            let section = names.iter().find_map(|name| self.sections.get(name));
            let row = row::row(key, of, schema, section.map_or("", String::as_str));
            self.line(row);
        }
        self.line("");
    }

    /// Gives every table within a table its heading.
    fn name_sections(&mut self, heading: &str, schema: &Value) {
        let Some(keys) = schema["properties"].as_object() else {
            return;
        };
        for (key, of) in ordered(keys, schema) {
            for name in row::definitions(of) {
                let known = name == "Shape" || name == "Material";
                if known || self.sections.contains_key(&name) {
                    continue;
                }
                let title = row::section(key, heading);
                let table = self.definition(&name);
                self.sections.insert(name, title.clone());
                self.name_sections(&title, table);
            }
        }
    }

    /// The sections of the tables within a table.
    fn tables_of(&mut self, heading: &str, level: usize, schema: &Value) {
        let Some(keys) = schema["properties"].as_object() else {
            return;
        };
        for (key, of) in ordered(keys, schema) {
            for name in row::definitions(of) {
                let title = row::section(key, heading);
                if self.sections.get(&name) != Some(&title) {
                    continue;
                }
                let table = self.definition(&name);
                self.table(&title, level, table);
                self.tables_of(&title, level + 1, table);
            }
        }
    }

    fn materials(&mut self) {
        let material = self.definition("Material");
        self.line(
            "## materials\n\n`[materials.NAME]` has either a `law`, with that law's parameters, or a `preset`, with \
             changes to it. A body may also name a preset directly.\n",
        );
        let presets = material["properties"]["preset"]["enum"].as_array();
        let links: Vec<String> = presets
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .map(|name| format!("[{name}](presets/{name}.md)"))
            .collect();
        self.line(format!("Presets: {}.\n", links.join(", ")));
        let laws = material["properties"]["law"]["enum"].as_array();
        for law in laws.into_iter().flatten().filter_map(Value::as_str) {
            let table = self.definition(&format!("law.{law}"));
            self.table(&format!("Law {law}"), 3, table);
        }
    }

    fn shapes(&mut self) {
        let shape = self.definition("Shape");
        self.line(
            "## shapes\n\nA shape is a table with exactly one of the names below, and where it is moved to: \
             `{ sphere = { radius = \"10 cm\" }, translate = [0, \"50 cm\", 0] }`.\n",
        );
        self.line("| Key | Value | Unit | Default | Meaning |\n|---|---|---|---|---|");
        for key in ["rotate", "translate"] {
            let row = row::row(key, &shape["properties"][key], shape, "");
            self.line(row);
        }
        self.line("");
        let Some(keys) = shape["properties"].as_object() else {
            return;
        };
        for (key, of) in ordered(keys, &Value::Null) {
            for name in row::definitions(of).into_iter().filter(|n| n != "Shape") {
                let table = self.definition(&name);
                self.table(&format!("Shape {key}"), 3, table);
                if table["properties"].is_null() {
                    self.line(format!("`{key} = [ … ]`: {}.\n", row::value(table, "")));
                }
            }
        }
    }

    fn units(&mut self) {
        self.line(
            "## units\n\nUnits are joined by spaces, `*` and `/`, with powers: `\"400 kg/m^3\"`, `\"14 Pa s\"`, \
             `\"9.81 m/s²\"`.\n\n| Unit | In SI units | Prefixes |\n|---|---|---|",
        );
        for unit in UNITS {
            let prefixes = if unit.prefixes { "yes" } else { "" };
            let (name, size, of) = (unit.name, unit.size, unit.dimension);
            let of = match of.to_string() {
                pure if pure == "a pure number" => String::new(),
                other => format!(" {other}"),
            };
            self.line(format!("| `{name}` | {size}{of} | {prefixes} |"));
        }
        let mut list = String::new();
        for (name, factor) in PREFIXES {
            let comma = if list.is_empty() { "" } else { ", " };
            // Writing to a text does not fail.
            let _ = write!(list, "{comma}`{name}` {factor:e}");
        }
        self.line(format!("\nPrefixes: {list}."));
    }
}

/// The keys of a table: those that must be there first, then by name.
fn ordered<'a>(keys: &'a Map<String, Value>, of: &Value) -> Vec<(&'a String, &'a Value)> {
    let mut all: Vec<_> = keys.iter().collect();
    all.sort_by_key(|(key, _)| (!row::required(key, of), key.as_str()));
    all
}
