//! From a material as typed to particles of its law.

use thixo_material::{Param, ParamError, Unit, Values, cards};
use thixo_math::Real;
use thixo_mpm::Matter;

use crate::error::{Checked, Problem};
use crate::spec::{Material, Spanned, material::color};
use crate::units::{DENSITY, Measure};

/// Keys of a material that are not its law's.
const OWN: [&str; 3] = ["law", "density", "color"];

/// A material, checked.
pub(super) struct Made<M> {
    pub density: f64,
    pub color: [f32; 3],
    pub matter: M,
}

/// What a material says, checked.
struct Told {
    law: &'static str,
    values: Values,
    density: f64,
    color: [f32; 3],
}

/// Makes empty matter of a material.
pub(super) fn make<T: Real, const D: usize>(
    name: &Spanned<String>,
    typed: &Material,
) -> Checked<Made<Box<dyn Matter<T, D>>>> {
    made(name, typed, thixo_mpm::named_matter::<T, D>)
}

/// The same for meshes.
pub(super) fn make_cells<T: Real, const D: usize>(
    name: &Spanned<String>,
    typed: &Material,
) -> Checked<Made<Box<dyn thixo_mesh::Matter<T, D>>>> {
    made(name, typed, thixo_mesh::named_matter::<T, D>)
}

fn made<M>(
    name: &Spanned<String>,
    typed: &Material,
    named: impl Fn(&str, &Values) -> Option<Result<M, ParamError>>,
) -> Checked<Made<M>> {
    let Told {
        law,
        values,
        density,
        color,
    } = told(name, typed)?;
    let Some(matter) = named(law, &values) else {
        return Err(Problem::new(
            name.span(),
            format!("no matter of the law `{law}`"),
        ));
    };
    let matter = matter.map_err(|e| at_key(name, typed, &e))?;
    Ok(Made {
        density,
        color,
        matter,
    })
}

fn told(name: &Spanned<String>, typed: &Material) -> Checked<Told> {
    let missing = |key: &str, example: &str| {
        Problem::new(
            name.span(),
            format!("material `{}` has no `{key}`", name.get_ref()),
        )
        .help(format!("add {key} = {example}"))
    };
    let cards = cards();
    let Some(law) = typed.text("law", "snow")? else {
        // A misspelt key is named, not missed.
        let params = cards.iter().flat_map(|c| c.params).map(|p| p.name);
        let known: Vec<&str> = OWN.into_iter().chain(["preset"]).chain(params).collect();
        let mut keys = typed.entries().map(|(key, _)| key);
        if let Some(key) = keys.find(|k| !known.contains(&k.get_ref().as_str())) {
            let known = known.into_iter();
            return Err(Problem::unknown(key.span(), "key", key.get_ref(), known));
        }
        return Err(missing("law", "\"snow\", or preset = \"dry-sand\""));
    };
    let Some(&card) = cards.iter().find(|c| c.name == law) else {
        let span = typed.get("law").map_or(name.span(), |v| v.span.clone());
        return Err(Problem::unknown(
            span,
            "law",
            law,
            cards.iter().map(|c| c.name),
        ));
    };
    let params = card.params;
    let mut given = Vec::new();
    for (key, value) in typed.entries() {
        let word = key.get_ref().as_str();
        if OWN.contains(&word) {
            continue;
        }
        let Some(param) = params.iter().find(|p| p.name == word) else {
            let known = params.iter().map(|p| p.name).chain(OWN);
            let mut problem = Problem::unknown(key.span(), "parameter", word, known);
            problem.message += &format!(" of `{law}`");
            return Err(problem);
        };
        let value = value.single(word)?;
        let x = value.value(Measure::from(param.unit))?;
        if param.check(x).is_err() {
            return Err(Problem::new(value.span.clone(), range(param, x)).help(param.doc));
        }
        given.push((word, x));
    }
    // After the other keys: a misspelt one is then named, not missed.
    let density = typed
        .get("density")
        .ok_or_else(|| missing("density", "\"400 kg/m^3\""))?;
    let density = density.single("density")?.positive("density", DENSITY)?;
    let values = Values::new(card, given).map_err(|e| match e {
        ParamError::Missing { name: key, doc, .. } => {
            let unit = params
                .iter()
                .find(|p| p.name == key)
                .map(|p| Measure::from(p.unit));
            let example = unit.map_or(String::new(), |u| {
                format!("add {key} = \"{}\". ", u.example)
            });
            Problem::new(
                name.span(),
                format!("material `{}`: law `{law}` needs `{key}`", name.get_ref()),
            )
            .help(format!("{example}{doc}"))
        }
        other => at_key(name, typed, &other),
    })?;
    let color = match typed.get("color") {
        Some(c) => color(c)?,
        None => usual_color(law),
    };
    Ok(Told {
        law: card.name,
        values,
        density,
        color,
    })
}

fn at_key(name: &Spanned<String>, typed: &Material, e: &ParamError) -> Problem {
    let span = typed.get(e.key()).map_or(name.span(), |v| v.span.clone());
    Problem::new(span, e)
}

/// Why a value is not allowed, in the units that people use.
fn range(param: &Param, x: f64) -> String {
    let (scale, unit) = match param.unit {
        Unit::Angle => (180.0 / std::f64::consts::PI, " deg"),
        _ => (1.0, ""),
    };
    let shown = |v: f64| format!("{}{unit}", (v * scale * 1e6).round() / 1e6);
    let (x, low, high) = (shown(x), shown(param.min), shown(param.max));
    let low = match (param.min == f64::NEG_INFINITY, param.min_open) {
        (true, _) => None,
        (_, true) => Some(format!("above {low}")),
        (_, false) => Some(format!("at least {low}")),
    };
    let high = match (param.max == f64::INFINITY, param.max_open) {
        (true, _) => None,
        (_, true) => Some(format!("below {high}")),
        (_, false) => Some(format!("at most {high}")),
    };
    let both: Vec<String> = [low, high].into_iter().flatten().collect();
    format!("`{}` is {x}: it must be {}", param.name, both.join(" and "))
}

/// A colour that lets one guess the material.
fn usual_color(law: &str) -> [f32; 3] {
    match law {
        "snow" => [0.93, 0.95, 0.98],
        "sand" | "clamp-sand" => [0.82, 0.66, 0.42],
        "liquid" => [0.22, 0.47, 0.78],
        "von-mises" => [0.62, 0.64, 0.68],
        "oldroyd-b" | "viscoplastic" => [0.94, 0.90, 0.80],
        _ => [0.80, 0.36, 0.33],
    }
}
