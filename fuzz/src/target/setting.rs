//! `--set key=value` put over the built-in scenes.

use std::path::{Path, PathBuf};

use thixo_scene::{Scene, Setting};

use super::scene::{explore, told};
use super::{Depth, Target};
use crate::corpus;
use crate::mutate::{self, NASTY};
use crate::rng::Rng;
use crate::text::{KEYS, WORDS};

/// An input is the number of a scene in its first byte, then one setting per line.
pub struct Settings {
    scenes: Vec<String>,
    keys: Vec<String>,
    folder: PathBuf,
}

impl Settings {
    /// With the files that scenes name put into `folder`.
    pub fn new(folder: &Path) -> Result<Self, String> {
        corpus::files(folder)?;
        let scenes = corpus::coarse();
        let mut keys: Vec<String> = KEYS.iter().map(|k| k.to_string()).collect();
        for list in ["bodies", "colliders", "emitters"] {
            for inner in KEYS {
                keys.push(format!("{list}.0.{inner}"));
                keys.push(format!("{list}[1].{inner}"));
            }
            for inner in [
                "sphere.radius",
                "sphere.center.1",
                "box.size",
                "box.from[0]",
                "rotate",
            ] {
                keys.push(format!("{list}.0.shape.{inner}"));
            }
        }
        for material in ["snow", "sand", "water", "jelly"] {
            keys.extend(KEYS.iter().map(|k| format!("materials.{material}.{k}")));
        }
        Ok(Self {
            scenes,
            keys,
            folder: folder.into(),
        })
    }
}

impl Target for Settings {
    fn input(&self, rng: &mut Rng) -> Vec<u8> {
        let mut input = vec![rng.below(self.scenes.len().max(1)) as u8];
        for _ in 0..mutate::count(rng) {
            let key = rng.pick(&self.keys).map_or("a", |k| k);
            let value = match rng.below(5) {
                0 => rng.word(WORDS).to_string(),
                1 => format!(
                    "[{}, {}, {}]",
                    rng.word(NASTY),
                    rng.word(NASTY),
                    rng.word(NASTY)
                ),
                2 => format!("{:e}", rng.scale(1e-6, 1e6)),
                3 => format!("{{ {} = {} }}", rng.word(KEYS), rng.word(NASTY)),
                _ => rng.word(NASTY).to_string(),
            };
            input.extend(format!("{key}={value}\n").bytes());
        }
        if rng.chance(0.3) {
            mutate::bytes(&mut input, &[], rng);
        }
        input
    }
    fn take(&mut self, input: &[u8]) -> Result<Depth, String> {
        let (Some((which, rest)), n) = (input.split_first(), self.scenes.len()) else {
            return Ok(Depth::Refused);
        };
        let (Ok(text), Some(scene)) = (
            std::str::from_utf8(rest),
            self.scenes.get(usize::from(*which) % n.max(1)),
        ) else {
            return Ok(Depth::Refused);
        };
        let mut settings = Vec::new();
        for line in text.lines() {
            match line.parse::<Setting>() {
                Ok(setting) => settings.push(setting),
                Err(why) if why.is_empty() => return Err("an error without a word".into()),
                Err(_) => return Ok(Depth::Refused),
            }
        }
        match Scene::parse_with(scene, "fuzz.toml", "fuzz", &self.folder, &settings) {
            Ok(scene) => explore(scene),
            Err(e) => told(&e).map(|()| Depth::Refused),
        }
    }
    fn ending(&self) -> &'static str {
        "set"
    }
}
