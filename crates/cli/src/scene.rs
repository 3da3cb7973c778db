//! Arguments that several commands share.

use std::path::PathBuf;

use thixo::prelude::*;

use crate::report::Failure;

/// Which scene, with values put over its own.
#[derive(Debug, clap::Args)]
pub struct SceneArgs {
    /// A built-in scene (see `thixo list`) or a scene file
    pub scene: String,
    #[command(flatten)]
    pub settings: Settings,
}

/// Values put over a scene's own.
#[derive(Debug, clap::Args)]
pub struct Settings {
    /// Put a value over the scene's own; may be given several times
    ///
    /// Keys have dots between them, list items are counted from 0:
    /// --set resolution="1 cm" --set 'bodies[0].velocity=[0, "-2 m/s", 0]'
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub set: Vec<Setting>,
}

/// How many threads.
#[derive(Debug, clap::Args)]
pub struct ThreadArgs {
    /// Number of threads [default: one per core]; results have the same bits for any number
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl SceneArgs {
    /// The scene.
    pub fn load(&self) -> Result<Scene, Failure> {
        let scene = Scene::load_with(&self.scene, &self.settings.set);
        Ok(scene.map_err(thixo::Error::from)?)
    }
}

impl ThreadArgs {
    /// As the engine takes it.
    pub fn threads(&self) -> Threads {
        self.threads
            .map_or(Threads::All, |n| Threads::Exactly(n.into()))
    }
}

/// Where a run of this name goes if nothing is said.
pub fn usual_folder(name: &str) -> PathBuf {
    PathBuf::from("out").join(name)
}
