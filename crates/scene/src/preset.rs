//! Presets: materials of the library, one file each in `presets/`.

use serde::Deserialize;

use crate::error::{Checked, Problem};
use crate::registry::PRESETS;
use crate::spec::{Material, Spanned, Spec};

/// A material of the library, with where its numbers come from.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preset {
    /// Its name in scene files; the file's name.
    #[serde(skip)]
    pub name: &'static str,
    /// In a word or two.
    pub title: String,
    /// What it is, and what it is not.
    pub text: String,
    /// Where the numbers come from.
    pub source: String,
    /// What was looked at to see that it behaves, and what came out.
    pub check: String,
    /// Law, density and parameters, as in a scene.
    pub material: Material,
}

impl Preset {
    /// The preset of that name.
    pub fn find(name: &str) -> Option<Self> {
        let (name, text) = PRESETS.iter().find(|(n, _)| *n == name)?;
        // A test reads every file of the library, so that none is missed here.
        let mut preset: Self = toml::from_str(text).ok()?;
        preset.name = name;
        Some(preset)
    }
    /// All presets, in the order of the registry.
    pub fn all() -> Vec<Self> {
        let names = PRESETS.iter().map(|(name, _)| *name);
        names.filter_map(Self::find).collect()
    }
    /// The names of all presets.
    pub fn names() -> impl Iterator<Item = &'static str> + use<> {
        PRESETS.iter().map(|(name, _)| *name)
    }
}

/// Puts what presets say under what the scene itself says. A material that a body names and that the
/// scene does not describe is the preset of that name.
pub(crate) fn resolve(spec: &mut Spec) -> Checked<()> {
    let bodies = spec
        .bodies
        .iter()
        .filter_map(|b| b.get_ref().material.as_ref());
    let emitters = spec.emitters.iter().map(|e| &e.get_ref().material);
    let named: Vec<Spanned<String>> = bodies.chain(emitters).cloned().collect();
    for name in named {
        let known = |k: &Spanned<String>| k.get_ref() == name.get_ref();
        if spec.materials.keys().any(known) {
            continue;
        }
        let Some(preset) = Preset::find(name.get_ref()) else {
            let own = spec.materials.keys().map(|k| k.get_ref().as_str());
            let all: Vec<&str> = own.chain(Preset::names().map(|n| -> &str { n })).collect();
            let (span, word) = (name.span(), name.get_ref());
            return Err(Problem::unknown(span, "material", word, all.into_iter()));
        };
        let material = preset.material.at(&name.span());
        spec.materials.insert(name, material);
    }
    for material in spec.materials.values_mut() {
        let Some(typed) = material.text("preset", "dry-sand")? else {
            continue;
        };
        let span = material.get("preset").map_or(0..0, |v| v.span.clone());
        let Some(preset) = Preset::find(typed) else {
            return Err(Problem::unknown(span, "preset", typed, Preset::names()));
        };
        if let Some(law) = material.get("law") {
            return Err(Problem::new(law.span.clone(), "both a preset and a law")
                .help("a preset has its law: remove one of them"));
        }
        *material = preset.material.at(&span).under(material);
    }
    Ok(())
}
