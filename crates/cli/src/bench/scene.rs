//! Works that are scenes: what obstacles, emitters and several materials cost beside the bare materials.

use std::collections::BTreeMap;
use std::path::Path;

use thixo::core::{Observer, PointSet, World};
use thixo::grid::Exec;
use thixo::prelude::Scene;

use super::common;
use super::measure::{Plan, Row};
use super::work::{STUFFS, Variant};
use crate::report::Failure;

/// Substeps before the first measurement, after which everything touches and moves.
const WARM_UP: u32 = 40;

/// Builds and measures a scene, and after it the common work of its materials.
pub fn measure(
    name: &str,
    text: &str,
    particles: Option<usize>,
    plan: &Plan,
) -> Result<Row, Failure> {
    let (mut row, amounts) = scene(name, text, particles, plan, plan.exec()?)?;
    // Nanoseconds that the particles would take, each in the common work of its material.
    let (mut all, mut bare) = (0.0, 0.0);
    for stuff in &STUFFS {
        if let Some(&n) = amounts.0.get(stuff.name) {
            let own = common::measure(stuff.name, stuff, Variant::Plain, particles, plan)?;
            all += n as f64;
            bare += n as f64 * own.ns_per_particle;
        }
    }
    row.share_of_bare = Some(bare / all / row.ns_per_particle);
    Ok(row)
}

/// The scene alone: it is gone when its materials are measured.
fn scene(
    name: &str,
    text: &str,
    particles: Option<usize>,
    plan: &Plan,
    exec: Exec,
) -> thixo::Result<(Row, Amounts)> {
    let mut scene = Scene::parse(text, name, name, Path::new(""))?;
    if let Some(n) = particles {
        let ratio = scene.expected_particles()? / n as f64;
        scene = scene.at_resolution(scene.cell_size()? * ratio.cbrt())?;
    }
    let mut world: World<f32, 3> = exec.clone().run(|| scene.build(exec))?;
    let row = plan.measure(name, &mut world, WARM_UP, scene.fps)?;
    let mut amounts = Amounts::default();
    world.observe(&mut amounts)?;
    Ok((row, amounts))
}

/// Particles of each material.
#[derive(Default)]
struct Amounts(BTreeMap<String, usize>);

impl Observer for Amounts {
    fn points(&mut self, set: &PointSet) -> thixo::core::Result<()> {
        *self.0.entry(set.material.clone()).or_default() += set.id.len();
        Ok(())
    }
}
