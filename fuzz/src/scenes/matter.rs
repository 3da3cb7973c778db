//! Random materials: every preset, every law with parameters from a range in which things are seen.

use thixo::material::{Param, Unit, cards};
use thixo_scene::Preset;

use crate::rng::Rng;

/// The table of a material.
pub(crate) fn material(name: &str, rng: &mut Rng, law: Option<&str>) -> String {
    let head = format!("[materials.{name}]\n");
    let presets: Vec<&str> = Preset::names().collect();
    if law.is_none() && rng.chance(0.3) {
        let preset = rng.word(&presets);
        return format!("{head}preset = \"{preset}\"\n");
    }
    let all = cards();
    let wanted = all.iter().find(|c| Some(c.name) == law);
    let Some(card) = wanted.or(rng.pick(&all)) else {
        return head;
    };
    let mut text = format!("{head}law = \"{}\"\n", card.name);
    text += &format!("density = {:.2}\n", rng.scale(80.0, 8000.0));
    for param in card.params {
        if param.default.is_none() || rng.chance(0.6) {
            text += &format!("{} = {}\n", param.name, value(param, rng));
        }
    }
    text
}

/// A value that the parameter may have.
fn value(p: &Param, rng: &mut Rng) -> f64 {
    let (low, high) = match p.name {
        "youngs_modulus" => (1e3, 3e6),
        "bulk_modulus" => (1e4, 3e6),
        "poissons_ratio" => return rng.between(p.min.max(-0.2), 0.45),
        "friction_angle" => return rng.between(0.1, 0.75),
        "cohesion" | "viscosity" | "hardening_modulus" if rng.chance(0.5) => return p.min.max(0.0),
        "cohesion" => (1.0, 1e4),
        "viscosity" => (1e-3, 20.0),
        "yield_stress" => (1e2, 1e6),
        "hardening_modulus" => (1e2, 1e6),
        "critical_compression" | "critical_stretch" => (1e-3, 0.1),
        "exponent" => return rng.between(1.2, 9.0),
        "hardening" => return rng.between(0.0, 20.0),
        "hardening_limit" => return rng.between(0.0, 8.0),
        _ => usual(p),
    };
    let x = rng.scale(low, high);
    // Kept off the ends, which may be excluded.
    match (p.min.is_finite(), p.max.is_finite()) {
        (true, true) => x.clamp(
            p.min + 1e-3 * (p.max - p.min),
            p.max - 1e-3 * (p.max - p.min),
        ),
        (true, false) => x.max(p.min),
        (false, true) => x.min(p.max),
        _ => x,
    }
}

/// A range about the default, or one usual for the unit, for parameters that are not named above.
fn usual(p: &Param) -> (f64, f64) {
    match (p.default, p.unit) {
        (Some(x), _) if x > 0.0 && x.is_finite() => (0.5 * x, 2.0 * x),
        (_, Unit::Pressure) => (1e2, 1e6),
        (_, Unit::Viscosity) => (1e-2, 20.0),
        (_, Unit::Angle) => (0.1, 0.7),
        (_, Unit::Density) => (100.0, 3000.0),
        (_, Unit::Time) => (1e-3, 1.0),
        (_, Unit::Speed) => (0.1, 100.0),
        _ => (0.05, 0.9),
    }
}
