//! What was asked for, as the folder of a run remembers it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thixo_io::{Error, Result, atomic};
use thixo_scene::{Files, Scene};

/// The file of the request.
const REQUEST: &str = "run.json";
/// The scene as it is run.
const SCENE: &str = "scene.toml";
/// Copies of the files that the scene names.
const FILES: &str = "files";

/// What a run was asked for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// Version of the engine that began it.
    pub version: String,
    /// Name of the scene.
    pub scene: String,
    /// Where the scene came from.
    pub file: String,
    /// The frame to run to.
    pub frames: u64,
    /// Particle formats that are written while it runs.
    pub formats: Vec<String>,
    /// Whether pictures are taken.
    pub pictures: bool,
    /// The state of every so many frames is kept; that of the last always is.
    pub keep: u64,
    /// Where it branched off, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// Files that the scene names, and their copies in the folder.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
}

/// A frame of another run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Origin {
    /// Its folder.
    pub folder: PathBuf,
    /// The frame.
    pub frame: u64,
}

impl Request {
    /// A run of a scene to its own number of frames.
    pub fn new(scene: &Scene) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").into(),
            scene: scene.name.clone(),
            file: scene.file.clone(),
            frames: scene.frames,
            formats: Vec::new(),
            pictures: true,
            keep: 1,
            origin: None,
            files: BTreeMap::new(),
        }
    }
    /// Writes it with the scene and copies of the files that the scene has used so far.
    pub(super) fn write(&mut self, folder: &Path, scene: &Scene) -> Result<()> {
        self.files.clear();
        // Files that differ in their endings alone belong together: their copies do, too.
        let mut stems: Vec<std::path::PathBuf> = Vec::new();
        for (name, path) in scene.files.used() {
            let stem = path.with_extension("");
            let known = stems.iter().position(|s| *s == stem);
            let i = known.unwrap_or(stems.len());
            if known.is_none() {
                stems.push(stem);
            }
            let end = path.file_name().unwrap_or_default().to_string_lossy();
            let copy = format!("{FILES}/{i}-{end}");
            atomic::folder(&folder.join(FILES))?;
            let bytes = fs::read(&path).map_err(|e| Error::read(&path, e))?;
            atomic::write(&folder.join(&copy), |w| w.write_all(&bytes))?;
            self.files.insert(name, copy);
        }
        let text = scene.text.as_bytes();
        atomic::write(&folder.join(SCENE), |w| w.write_all(text))?;
        self.save(folder)
    }
    /// Writes the request alone.
    pub(super) fn save(&self, folder: &Path) -> Result<()> {
        let json = serde_json::to_string_pretty(self).unwrap_or_default();
        atomic::write(&folder.join(REQUEST), |w| writeln!(w, "{json}"))
    }
    /// The request in the folder of a run.
    pub fn read(folder: &Path) -> Result<Self> {
        let path = folder.join(REQUEST);
        if !folder.is_dir() {
            return Err(Error::Foreign {
                path: folder.into(),
                what: "there is no such folder of a run".into(),
            });
        }
        if !path.exists() {
            return Err(Error::Foreign {
                path: folder.into(),
                what: "not the folder of a run: it has no run.json".into(),
            });
        }
        let text = fs::read_to_string(&path).map_err(|e| Error::read(&path, e))?;
        serde_json::from_str(&text).map_err(|e| Error::Damaged {
            path,
            part: "request".into(),
            what: e.to_string(),
        })
    }
    /// The scene in the folder of a run, with the files that it was begun with.
    pub fn scene(&self, folder: &Path, settings: &[thixo_scene::Setting]) -> crate::Result<Scene> {
        let path = folder.join(SCENE);
        let text = fs::read_to_string(&path).map_err(|e| Error::read(&path, e))?;
        let file = path.display().to_string();
        let mut scene = Scene::parse_with(&text, &file, &self.scene, folder, settings)?;
        let copies = self.files.iter();
        let copies = copies.map(|(name, copy)| (name.clone(), folder.join(copy)));
        scene.files = Files::new(folder).kept(copies.collect());
        Ok(scene)
    }
}
