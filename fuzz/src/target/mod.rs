//! What is fed: one file per target. A target makes inputs and takes them; it never judges itself.

mod checkpoint;
mod control;
mod mesh;
mod scene;
mod setting;
mod solid;

use std::path::Path;

use crate::rng::Rng;

pub use checkpoint::{Checkpoint, reseal};
pub use control::Control;
pub use mesh::Mesh;
pub use scene::{Scenes, explore};
pub use setting::Settings;
pub use solid::Solid;

/// How far an input got.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// An error value.
    Refused,
    /// It was read.
    Read,
    /// Something was made of it: a world, a solid.
    Built,
    /// It was used: a step was taken, distances were asked for.
    Used,
}

/// All depths, in order.
pub const DEPTHS: [Depth; 4] = [Depth::Refused, Depth::Read, Depth::Built, Depth::Used];

/// Makes inputs and takes them.
pub trait Target {
    /// A mutated input; the same for the same numbers.
    fn input(&self, rng: &mut Rng) -> Vec<u8>;
    /// Takes an input. Errors are values; a panic is a finding, and so is a wrong result, which is
    /// told as a text.
    fn take(&mut self, input: &[u8]) -> Result<Depth, String>;
    /// What a saved input's name ends with.
    fn ending(&self) -> &'static str;
}

/// Makes a target; the folder is its own.
type Make = fn(&Path) -> Result<Box<dyn Target>, String>;

/// The targets, with how many of twelve cases each one gets.
pub const TARGETS: &[(&str, usize, Make)] = &[
    ("scene", 4, |folder| Ok(Box::new(Scenes::new(folder)?))),
    ("setting", 1, |folder| Ok(Box::new(Settings::new(folder)?))),
    ("checkpoint", 1, |_| Ok(Box::new(Checkpoint::new(false)?))),
    ("state", 2, |_| Ok(Box::new(Checkpoint::new(true)?))),
    ("obj", 1, |folder| Ok(Box::new(Mesh::new(folder, "obj")))),
    ("stl", 1, |folder| Ok(Box::new(Mesh::new(folder, "stl")))),
    ("msh", 1, |folder| Ok(Box::new(Solid::new(folder, "msh")))),
    ("vtk", 1, |folder| Ok(Box::new(Solid::new(folder, "vtk")))),
];

/// The negative control: it fails in every way that must be noticed. Run only when asked for.
pub const CONTROL: (&str, usize, Make) = ("control", 1, |_| Ok(Box::new(Control)));

/// The target of a name.
pub fn make(name: &str, folder: &Path) -> Result<Box<dyn Target>, String> {
    let mut all = TARGETS.iter().chain([&CONTROL]);
    let found = all.find(|(n, ..)| *n == name);
    let (.., make) = found.ok_or_else(|| format!("no target is called `{name}`"))?;
    make(folder)
}

/// The targets' names in the order in which their cases come; `only` leaves the others out.
pub fn schedule(only: Option<&str>) -> Vec<&'static str> {
    if only == Some(CONTROL.0) {
        return vec![CONTROL.0];
    }
    let wanted = TARGETS
        .iter()
        .filter(|(name, ..)| only.is_none_or(|o| o == *name));
    wanted
        .flat_map(|(name, share, _)| std::iter::repeat_n(*name, *share))
        .collect()
}
