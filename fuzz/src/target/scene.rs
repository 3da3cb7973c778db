//! Bytes as a scene file; what can be built small is built, and takes a step.

use std::path::{Path, PathBuf};

use thixo::{Simulation, Threads};
use thixo_scene::Scene;

use super::{Depth, Target};
use crate::rng::Rng;
use crate::{corpus, mutate, text};

/// Scenes of more particles than this are read and measured only.
const MOST: f64 = 5000.0;

/// Mutated scene files.
pub struct Scenes {
    corpus: Vec<Vec<u8>>,
    folder: PathBuf,
}

impl Scenes {
    /// With the files that scenes name put into `folder`.
    pub fn new(folder: &Path) -> Result<Self, String> {
        corpus::files(folder)?;
        Ok(Self {
            corpus: corpus::scenes(),
            folder: folder.into(),
        })
    }
}

impl Target for Scenes {
    fn input(&self, rng: &mut Rng) -> Vec<u8> {
        let mut input = rng.pick(&self.corpus).cloned().unwrap_or_default();
        for _ in 0..mutate::count(rng) {
            if rng.chance(0.2) {
                mutate::bytes(&mut input, &self.corpus, rng);
                continue;
            }
            if rng.chance(0.3) {
                mutate::number(&mut input, rng);
                continue;
            }
            let readable = String::from_utf8_lossy(&input).into_owned();
            input = text::change(&readable, &self.corpus, rng).into_bytes();
            input.truncate(mutate::LONGEST);
        }
        input
    }
    fn take(&mut self, input: &[u8]) -> Result<Depth, String> {
        // As a file is read: what is no text is an error before it is a scene.
        let Ok(text) = std::str::from_utf8(input) else {
            return Ok(Depth::Refused);
        };
        match Scene::parse(text, "fuzz.toml", "fuzz", &self.folder) {
            Ok(scene) => explore(scene),
            Err(e) => told(&e).map(|()| Depth::Refused),
        }
    }
    fn ending(&self) -> &'static str {
        "toml"
    }
}

/// Measures, builds and steps a scene as far as it is small.
pub fn explore(scene: Scene) -> Result<Depth, String> {
    let measured = scene.cell_size().and_then(|_| scene.expected_particles());
    let expected = match measured {
        Ok(n) => n,
        Err(e) => return told(&e).map(|()| Depth::Read),
    };
    if !(0.0..MOST).contains(&expected) {
        return Ok(Depth::Read);
    }
    let mut run = match Simulation::new(scene, Threads::Exactly(1)) {
        Ok(run) => run,
        Err(e) => return told(&e).map(|()| Depth::Read),
    };
    let before = run.totals();
    if before.lost() > 0 {
        return Err(format!("{} particles are lost at the start", before.lost()));
    }
    match run.step() {
        Ok(_) => sound(&run).map(|()| Depth::Used),
        Err(e) => told(&e).map(|()| Depth::Built),
    }
}

/// An error can be shown, and says something.
pub fn told(e: &dyn std::error::Error) -> Result<(), String> {
    match e.to_string().is_empty() {
        true => Err(format!("an error without a word: {e:?}")),
        false => Ok(()),
    }
}

/// Whether all that a run shows after a step is finite and nothing is lost.
pub fn sound(run: &Simulation) -> Result<(), String> {
    let lost = run.totals().lost();
    if lost > 0 {
        return Err(format!("{lost} particles are lost after a step"));
    }
    let sets = run.points().map_err(|e| format!("cannot be shown: {e}"))?;
    for set in &sets {
        // Velocities, masses and volumes are shown in single precision, which a run need not be in.
        let x = set.position.iter().flatten().all(|x| x.is_finite());
        let v = set.velocity.iter().flatten().any(|x| x.is_nan());
        let mass = set.mass.iter().any(|m| m.is_nan() || *m < 0.0);
        let volume = set.volume.iter().any(|v| v.is_nan());
        for (what, ill) in [
            ("position", !x),
            ("velocity", v),
            ("mass", mass),
            ("volume", volume),
        ] {
            if ill {
                let name = &set.name;
                return Err(format!("a {what} in `{name}` is not sound after a step"));
            }
        }
    }
    Ok(())
}
