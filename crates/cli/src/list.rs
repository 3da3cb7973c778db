//! `thixo list`: what there is.

use std::io::{self, Write};
use std::process::ExitCode;

use serde_json::json;
use thixo::io::export;
use thixo::material::{Info, Unit, cards};
use thixo::scene::{Preset, QUALITIES, Scene, registry, units};

use crate::report::Failure;

/// What to list.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// What to list; everything if nothing is named
    #[arg(value_enum)]
    what: Vec<What>,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

/// A kind of thing.
#[derive(Clone, Copy, Debug, PartialEq, clap::ValueEnum)]
enum What {
    /// Built-in scenes
    Scenes,
    /// Materials of the library
    Presets,
    /// Laws of matter with their parameters
    Laws,
    /// Shapes
    Shapes,
    /// Particle formats
    Formats,
    /// Units
    Units,
}

/// Runs the command.
pub fn run(args: Args) -> Result<ExitCode, Failure> {
    let wanted = |w| args.what.is_empty() || args.what.contains(&w);
    let cards = cards();
    let mut scenes = Vec::new();
    for (name, _) in registry::SCENES {
        scenes.push((*name, Scene::load(name).map_err(thixo::Error::from)?.title));
    }
    let out = &mut io::stdout().lock();
    if args.json {
        let mut all = serde_json::Map::new();
        if wanted(What::Scenes) {
            let list = scenes.iter().map(|(n, t)| json!({"name": n, "title": t}));
            all.insert("scenes".into(), list.collect());
        }
        if wanted(What::Presets) {
            let list = Preset::all();
            let list = list.iter().map(|p| {
                json!({"name": p.name, "title": p.title, "text": p.text, "source": p.source, "check": p.check})
            });
            all.insert("presets".into(), list.collect());
        }
        if wanted(What::Formats) {
            let list = |known: Vec<(&str, &str)>| -> serde_json::Value {
                let list = known.iter();
                list.map(|(n, doc)| json!({"name": n, "doc": doc}))
                    .collect()
            };
            let points = list(export::point_formats());
            let surfaces = list(export::surface_formats());
            all.insert(
                "formats".into(),
                json!({"particles": points, "surfaces": surfaces}),
            );
        }
        if wanted(What::Laws) {
            all.insert("laws".into(), cards.iter().map(|c| law_json(c)).collect());
        }
        if wanted(What::Shapes) {
            all.insert("shapes".into(), json!(registry::shape_names()));
        }
        if wanted(What::Units) {
            all.insert(
                "units".into(),
                units::UNITS.iter().map(|u| json!(u.name)).collect(),
            );
        }
        writeln!(out, "{}", serde_json::Value::Object(all))?;
        return Ok(ExitCode::SUCCESS);
    }
    if wanted(What::Scenes) {
        writeln!(out, "Scenes (thixo run NAME):")?;
        for (name, title) in &scenes {
            writeln!(out, "  {name:16} {title}")?;
        }
    }
    if wanted(What::Presets) {
        writeln!(
            out,
            "\nPresets (material = \"NAME\", or preset = \"NAME\" in a [materials.…] table):"
        )?;
        for p in Preset::all() {
            writeln!(out, "  {:16} {}", p.name, p.text)?;
        }
    }
    if wanted(What::Laws) {
        writeln!(out, "\nLaws (law = \"NAME\" in a [materials.…] table):")?;
        for card in &cards {
            writeln!(out, "  {}  {} {}", card.name, card.doc, card.source)?;
            for p in card.params {
                let default = match p.default {
                    None => "required".to_string(),
                    Some(f64::INFINITY) => "optional".to_string(),
                    Some(d) => format!("default {}", value(d, p.unit)),
                };
                writeln!(out, "      {:22} {default}. {}", p.name, p.doc)?;
            }
        }
    }
    if wanted(What::Shapes) {
        writeln!(out, "\nShapes: {}", registry::shape_names().join(", "))?;
        let words: Vec<_> = QUALITIES.iter().map(|q| q.0).collect();
        writeln!(out, "Resolutions in words: {}", words.join(", "))?;
    }
    if wanted(What::Formats) {
        writeln!(
            out,
            "\nFormats of particles (thixo export DIR --format NAME):"
        )?;
        for (name, doc) in export::point_formats() {
            writeln!(out, "  {name:16} {doc}")?;
        }
        writeln!(
            out,
            "\nFormats of surfaces (thixo export DIR --surface --format NAME):"
        )?;
        for (name, doc) in export::surface_formats() {
            writeln!(out, "  {name:16} {doc}")?;
        }
    }
    if wanted(What::Units) {
        let names: Vec<_> = units::UNITS.iter().map(|u| u.name).collect();
        writeln!(
            out,
            "\nUnits: {}; with prefixes such as k, M, c, m",
            names.join(", ")
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

fn value(x: f64, unit: Unit) -> String {
    match unit {
        Unit::Angle => format!("{:.4} deg", x.to_degrees()).replace(".0000", ""),
        Unit::One => format!("{x}"),
        Unit::Pressure => format!("{x} Pa"),
        Unit::Viscosity => format!("{x} Pa s"),
        Unit::Density => format!("{x} kg/m^3"),
        Unit::Time => format!("{x} s"),
        Unit::Speed => format!("{x} m/s"),
    }
}

fn law_json(card: &Info) -> serde_json::Value {
    let finite = |x: f64| x.is_finite().then_some(x);
    let params = card.params.iter().map(|p| {
        let unit = units::Measure::from(p.unit);
        json!({"name": p.name, "unit": unit.dimension.to_string(), "default": p.default.and_then(finite), "required": p.default.is_none(),
               "min": finite(p.min), "max": finite(p.max), "doc": p.doc})
    });
    let params: Vec<_> = params.collect();
    json!({"name": card.name, "doc": card.doc, "source": card.source, "parameters": params})
}
