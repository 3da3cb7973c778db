//! A scene: its text, what it says, and what can be asked of it before anything is built.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use thixo_material::nearest;

use crate::edit::{self, Setting};
use crate::error::{Checked, Problem, SceneError};
use crate::preset;
use crate::registry::SCENES;
use crate::shapes::Files;
use crate::spec::Spec;
use crate::units::{FREQUENCY, NUMBER};

/// Scenes larger than this are not read \[bytes\].
const LARGEST: u64 = 64 << 20;

/// The numbers that a run computes with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Precision {
    /// Single precision.
    #[default]
    F32,
    /// Double precision.
    F64,
}

impl Precision {
    /// As in a scene file.
    pub fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::F64 => "f64",
        }
    }
}

/// A scene that was read: well-formed, its basic values checked.
#[derive(Debug)]
pub struct Scene {
    /// Name of the run.
    pub name: String,
    /// One sentence about it.
    pub title: String,
    /// 2 or 3.
    pub dimension: usize,
    /// Precision of the numbers.
    pub precision: Precision,
    /// Frames of a full run.
    pub frames: u64,
    /// Frames per second.
    pub fps: f64,
    /// As typed.
    pub spec: Spec,
    /// The text itself, for the record of a run.
    pub text: String,
    /// What its errors call it.
    pub file: String,
    /// Where its files are.
    pub files: Files,
    /// The size of a cell, once it is known.
    pub(crate) cell: OnceLock<f64>,
}

/// How an obstacle looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drawn {
    /// sRGB, 0 to 1, if it has a colour of its own.
    pub color: Option<[f32; 3]>,
    /// 1 hides what is behind.
    pub opacity: f32,
}

/// What pictures of a scene show.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// Lowest corner \[m\].
    pub low: [f64; 3],
    /// Highest corner \[m\].
    pub high: [f64; 3],
    /// Against gravity.
    pub up: [f64; 3],
    /// Turn of the camera about `up` \[degrees\].
    pub around: f64,
    /// Height of the camera above the horizon \[degrees\].
    pub above: f64,
    /// What colours tell: `material`, `speed` or a column.
    pub color: String,
    /// The colliders, in the order of the world.
    pub colliders: Vec<Drawn>,
}

impl Scene {
    /// A built-in scene by name, or a file by path.
    pub fn load(path_or_name: &str) -> Result<Self, SceneError> {
        Self::load_with(path_or_name, &[])
    }
    /// The same, with values put over its own.
    pub fn load_with(path_or_name: &str, settings: &[Setting]) -> Result<Self, SceneError> {
        if let Some((name, text)) = SCENES.iter().find(|(n, _)| *n == path_or_name) {
            let (file, folder) = (format!("{name} (built-in)"), Path::new(""));
            return Self::parse_with(text, &file, name, folder, settings);
        }
        let path = Path::new(path_or_name);
        let is_path = path.extension().is_some() || path_or_name.contains(['/', '\\']);
        if !is_path && !path.exists() {
            let help = match nearest(path_or_name, SCENES.iter().map(|s| s.0)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!(
                    "there are: {}",
                    SCENES.iter().map(|s| s.0).collect::<Vec<_>>().join(", ")
                ),
            };
            return Err(SceneError::NoSuchScene {
                name: path_or_name.into(),
                help,
            });
        }
        Self::read(path, settings)
    }
    /// A scene file, with values put over its own.
    pub fn read(path: &Path, settings: &[Setting]) -> Result<Self, SceneError> {
        let fail = |why: String| SceneError::Read {
            path: path.into(),
            why,
        };
        let meta = fs::metadata(path).map_err(|e| fail(e.to_string()))?;
        if !meta.is_file() {
            return Err(fail(
                "it is not a file; give a .toml file or the name of a built-in scene".into(),
            ));
        }
        if meta.len() > LARGEST {
            return Err(fail("it is too large to be a scene file".into()));
        }
        let bytes = fs::read(path).map_err(|e| fail(e.to_string()))?;
        let text = String::from_utf8(bytes)
            .map_err(|_| fail("it is not UTF-8 text; is it a scene file?".into()))?;
        let stem = path
            .file_stem()
            .map(|s| s.to_string_lossy().into_owned())
            .unwrap_or_default();
        let folder = path.parent().map(PathBuf::from).unwrap_or_default();
        let file = path.display().to_string();
        Self::parse_with(&text, &file, &stem, &folder, settings)
    }
    /// A scene from its text. `file` is what errors call it, `name` what it is called if it does
    /// not say so itself, `folder` where its files are.
    pub fn parse(text: &str, file: &str, name: &str, folder: &Path) -> Result<Self, SceneError> {
        let mut spec: Spec = toml::from_str(text).map_err(|e| SceneError::toml(file, text, &e))?;
        preset::resolve(&mut spec).map_err(|p| SceneError::place(file, text, p))?;
        Self::check(spec, text, file, name, folder).map_err(|p| SceneError::place(file, text, p))
    }

    /// The same, with values put over its own.
    pub fn parse_with(
        text: &str,
        file: &str,
        name: &str,
        folder: &Path,
        settings: &[Setting],
    ) -> Result<Self, SceneError> {
        let edited = edit::apply(text, file, settings)?;
        let file = match settings {
            [] => file.to_string(),
            _ => format!("{file} with --set"),
        };
        Self::parse(&edited, &file, name, folder)
    }

    fn check(spec: Spec, text: &str, file: &str, name: &str, folder: &Path) -> Checked<Self> {
        let name = match &spec.name {
            None => name.to_string(),
            Some(n) if plain(n.get_ref()) => n.get_ref().clone(),
            Some(n) => {
                return Err(Problem::new(
                    n.span(),
                    format!("`{}` cannot name a folder", n.get_ref()),
                )
                .help("use letters, digits, `-`, `_` and `.`, and start with a letter or digit"));
            }
        };
        let name = if plain(&name) { name } else { "scene".into() };
        let dimension = match &spec.dimension {
            None => 3,
            Some(d) => match d.value(NUMBER)? {
                2.0 => 2,
                3.0 => 3,
                x => {
                    return Err(
                        Problem::new(d.span.clone(), format!("a scene of {x} dimensions"))
                            .help("write dimension = 2 or dimension = 3"),
                    );
                }
            },
        };
        let frames = match &spec.frames {
            None => 48,
            Some(n) => n.count("frames", 1, 1_000_000)?,
        };
        let fps = match &spec.fps {
            None => 24.0,
            Some(f) => f.positive("fps", FREQUENCY)?,
        };
        let precision = spec.numerics.precision.map_or(Precision::F32, |c| c.0);
        let title = spec.title.clone();
        Ok(Self {
            name,
            title,
            dimension,
            precision,
            frames,
            fps,
            spec,
            text: text.into(),
            file: file.into(),
            files: Files::new(folder),
            cell: OnceLock::new(),
        })
    }
    /// The same scene with cells of another size \[m\].
    pub fn at_resolution(&self, cell: f64) -> Result<Self, SceneError> {
        let setting = Setting::number("resolution", cell);
        let text = edit::apply(&self.text, &self.file, &[setting])?;
        let mut scene = Self::parse(&text, &self.file, &self.name, Path::new(""))?;
        scene.files = self.files.clone();
        Ok(scene)
    }
    /// The size of a cell \[m\].
    pub fn cell_size(&self) -> Result<f64, SceneError> {
        let cell = match self.dimension {
            2 => self.cell::<2>(),
            _ => self.cell::<3>(),
        };
        cell.map_err(|p| SceneError::place(&self.file, &self.text, p))
    }
    /// About how many particles a full run has, counted by the volume of its bodies and inflows.
    pub fn expected_particles(&self) -> Result<f64, SceneError> {
        let amount = || -> Checked<f64> {
            let (dx, amount, per_cell) = match self.dimension {
                2 => (
                    self.cell::<2>()?,
                    self.amount::<2>()?,
                    self.per_cell::<2>()?,
                ),
                _ => (
                    self.cell::<3>()?,
                    self.amount::<3>()?,
                    self.per_cell::<3>()?,
                ),
            };
            Ok(amount / dx.powi(self.dimension as i32) * per_cell as f64)
        };
        amount().map_err(|p| SceneError::place(&self.file, &self.text, p))
    }
    /// The law of a material.
    pub fn law_of(&self, material: &str) -> Option<&str> {
        let all = &self.spec.materials;
        let (_, typed) = all.iter().find(|(name, _)| name.get_ref() == material)?;
        typed.text("law", "").ok().flatten()
    }
    /// When a frame ends \[s\]. It depends on nothing but the frame's number.
    pub fn frame_time(&self, frame: u64) -> f64 {
        frame as f64 / self.fps
    }
}

/// Fit to name a folder or a file anywhere.
pub(crate) fn plain(name: &str) -> bool {
    let letter = |c: char| c.is_alphanumeric() || "-_.".contains(c);
    name.chars().all(letter) && name.starts_with(|c: char| c.is_alphanumeric()) && name.len() <= 100
}
