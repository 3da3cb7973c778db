//! A page per preset, and one that lists them.

use thixo_material::{Info, card};

use crate::Preset;
use crate::spec::{Numbers, Typed};

/// The pages of all presets as file names and Markdown, the list `index.md` first.
pub fn preset_pages() -> Vec<(String, String)> {
    let presets = Preset::all();
    let mut pages = vec![("index.md".to_string(), index(&presets))];
    let own = presets.iter().map(|p| (format!("{}.md", p.name), page(p)));
    pages.extend(own);
    pages
}

fn index(presets: &[Preset]) -> String {
    let example = presets.first().map_or("", |p| p.name);
    let mut text = format!(
        "# Presets\n\nMaterials of the library, each with the source of its numbers and with what was checked. A body \
         names one directly, `material = \"{example}\"`, or a material starts from one and changes it, \
         `preset = \"{example}\"`.\n\n| Preset | What | Law | Density |\n|---|---|---|---|\n",
    );
    for p in presets {
        let [law, density] = ["law", "density"].map(|key| shown(p.material.get(key)));
        text += &format!(
            "| [`{0}`]({0}.md) | {1} | [{law}](../reference.md#law-{law}) | {density} |\n",
            p.name, p.title
        );
    }
    text
}

fn page(p: &Preset) -> String {
    let law = shown(p.material.get("law"));
    let card = card(&law);
    let mut text = format!(
        "# {}\n\n{}\n\n```toml,fragment\n[materials.mine]\npreset = \"{}\"\n```\n\n\
         Law: [{law}](../reference.md#law-{law}).\n\n| Parameter | Value | Meaning |\n|---|---|---|\n",
        p.title, p.text, p.name
    );
    for (key, value) in p.material.entries() {
        let key = key.get_ref();
        if key != "law" {
            let meaning = card.map_or("", |card| meaning(card, key));
            text += &format!("| `{key}` | {} | {meaning} |\n", shown(Some(value)));
        }
    }
    text += &format!("\n**Source.** {}\n\n**Checked.** {}\n", p.source, p.check);
    text
}

fn meaning(card: &'static Info, key: &str) -> &'static str {
    match key {
        "density" => "Mass per volume at rest.",
        "color" => "Colour in pictures.",
        _ => {
            let param = card.params.iter().find(|p| p.name == key);
            param.map_or("", |p| p.doc)
        }
    }
}

/// A value as typed.
fn shown(value: Option<&Numbers>) -> String {
    let one = |typed: &Typed| match typed {
        Typed::Number(x) => x.to_string(),
        Typed::Text(text) => text.clone(),
    };
    let items = value.map_or(&[][..], |v| &v.items);
    let items: Vec<String> = items.iter().map(|item| one(&item.typed)).collect();
    items.join(", ")
}
