//! B1: every preset of the library does what its name says.
//!
//! The scenes are texts that name the preset, built as those of users are: what is tested is what they
//! get, single precision and default numerics included. All are in plane strain and coarse. The controls
//! are the same scenes with a value of the preset changed, or with a preset of another kind.

mod ground;
mod liquids;
mod snow;
mod solids;
mod viscoelastic;

use std::path::Path;

use thixo_core::{Error, Result, World};
use thixo_grid::Exec;
use thixo_math::Vector;
use thixo_scene::{Preset, Scene, units};

use crate::Bench;
use crate::lab::columns;

const G: f64 = 9.81;

/// A preset by name, and what of it is changed.
#[derive(Clone, Copy)]
struct Of<'a>(&'a str, &'a str);

/// A scene in two dimensions: keys of its own such as the resolution, the material `m`, other tables.
fn world(Of(preset, changed): Of, top: &str, tables: &str) -> Result<World<f32, 2>> {
    let text = format!(
        "dimension = 2\n{top}\n[materials.m]\npreset = \"{preset}\"\n{changed}\n{tables}\n"
    );
    let invalid = |e: thixo_scene::SceneError| Error::Invalid(e.to_string());
    let scene = Scene::parse(&text, preset, "b1", Path::new("")).map_err(invalid)?;
    let exec = Exec::new(0).map_err(|e| Error::Invalid(e.to_string()))?;
    scene.build::<f32, 2>(exec).map_err(invalid)
}

/// A value of a preset's own, in SI units.
fn value(preset: &str, key: &str) -> f64 {
    let measure = match key {
        "density" => units::DENSITY,
        "friction_angle" => units::ANGLE,
        "poissons_ratio" => units::NUMBER,
        "viscosity" => units::VISCOSITY,
        "relaxation_time" => units::TIME,
        _ => units::PRESSURE,
    };
    let found = Preset::find(preset);
    let typed = found.as_ref().and_then(|p| p.material.get(key));
    let number = typed.and_then(|n| n.single(key).ok()?.value(measure).ok());
    // What is missing fails every gate.
    number.unwrap_or(f64::NAN)
}

/// A box of `m` between two corners \[m\].
fn block(from: [f64; 2], to: [f64; 2]) -> String {
    let shape = format!("{{ box = {{ from = {from:?}, to = {to:?} }} }}");
    format!("[[bodies]]\nmaterial = \"m\"\nshape = {shape}\n")
}

/// A wall through a point, free on the side of its normal.
fn wall(point: [f64; 2], normal: [f64; 2], contact: &str) -> String {
    let shape = format!("{{ half_space = {{ point = {point:?}, normal = {normal:?} }} }}");
    format!("[[colliders]]\nshape = {shape}\ncontact = {contact}\n")
}

/// Gravity that comes up smoothly within about three times `rise` \[s\], so that nothing is thrown.
fn slow_gravity(rise: f64) -> String {
    format!("[[forces]]\nacceleration = [0, \"-{G}*tanh(t/{rise})\"]\n")
}

/// Where the particles of `m` are.
fn places(world: &World<f32, 2>) -> Result<Vec<Vector<f64, 2>>> {
    Ok(columns(world, "m")?.x)
}

/// Mean of some numbers.
fn mean(values: impl IntoIterator<Item = f64>) -> f64 {
    let (sum, n) = values
        .into_iter()
        .fold((0.0, 0.0), |(s, n), x| (s + x, n + 1.0));
    sum / n
}

/// B1: presets behave.
pub fn b1(b: &mut Bench) -> Result<()> {
    snow::rows(b)?;
    ground::rows(b)?;
    solids::rows(b)?;
    liquids::rows(b)?;
    viscoelastic::rows(b)
}
