//! A run of a scene, frame by frame.

use std::path::Path;

use thixo_core::{Observer, PointSet, Snapshot, Taken, Totals};
use thixo_grid::Exec;
use thixo_io::checkpoint::{self, Meta};
use thixo_io::picture::{self, Image};
use thixo_io::surface::{Mesh, Surfacing, surface};
use thixo_numerics::minimise::Effort;
use thixo_scene::{Probe, Scene, View};

use crate::any::{AnyWorld, Built, Limit, build};
use crate::draw::{self, Look};
use crate::{Error, Result};

/// Where a checkpoint keeps the text of its scene.
const TEXT: &str = "scene_text";

/// How many threads a run uses. Results have the same bits for any number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Threads {
    /// One per core.
    #[default]
    All,
    /// This many.
    Exactly(usize),
}

/// A scene that runs.
pub struct Simulation {
    scene: Scene,
    view: View,
    world: Box<dyn AnyWorld>,
    probes: Vec<Probe>,
    frame: u64,
    effort: Effort,
}

impl Simulation {
    /// A built-in scene by name or a file by path, on all cores, at time 0.
    pub fn load(path_or_name: &str) -> Result<Self> {
        Self::new(Scene::load(path_or_name)?, Threads::All)
    }
    /// A scene at time 0.
    pub fn new(scene: Scene, threads: Threads) -> Result<Self> {
        Self::made(scene, threads, true)
    }
    /// A scene without what is there at the start, into which a saved state is to be put.
    pub fn empty(scene: Scene, threads: Threads) -> Result<Self> {
        Self::made(scene, threads, false)
    }
    fn made(scene: Scene, threads: Threads, filled: bool) -> Result<Self> {
        let threads = match threads {
            Threads::All => 0,
            Threads::Exactly(n) => n,
        };
        let exec = Exec::new(threads).map_err(|e| Error::Threads {
            threads,
            why: e.to_string(),
        })?;
        let built = exec.clone().run(|| build(&scene, exec, filled))?;
        let Built {
            world,
            view,
            probes,
        } = built;
        Ok(Self {
            scene,
            view,
            world,
            probes,
            frame: 0,
            effort: Effort::default(),
        })
    }

    /// Takes one step towards the end of the next frame, which is hit exactly: frame k ends at
    /// k/fps, whatever the number of frames asked for.
    pub fn step(&mut self) -> Result<Taken> {
        let stop = self.scene.frame_time(self.frame + 1);
        if self.world.time() <= self.scene.frame_time(self.frame) {
            self.effort = Effort::default();
        }
        let taken = self.world.step(stop)?;
        self.effort += taken.effort;
        if self.world.time() >= stop {
            self.frame += 1;
        }
        Ok(taken)
    }
    /// Steps to the end of the next frame; the number of steps is returned.
    pub fn next_frame(&mut self) -> Result<u64> {
        let (frame, mut steps) = (self.frame, 0);
        while self.frame == frame {
            self.step()?;
            steps += 1;
        }
        Ok(steps)
    }

    /// The scene.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }
    /// Number of the last frame that was finished; 0 is the start.
    pub fn frame(&self) -> u64 {
        self.frame
    }
    /// Time \[s\].
    pub fn time(&self) -> f64 {
        self.world.time()
    }
    /// Accepted steps so far.
    pub fn steps(&self) -> u64 {
        self.world.steps()
    }
    /// Steps that were undone so far.
    pub fn rejected(&self) -> u64 {
        self.world.rejected()
    }
    /// What implicit solves have taken since the last frame that was finished before this one.
    pub fn effort(&self) -> Effort {
        self.effort
    }
    /// The largest step that the present state allows \[s\], and what bounds it.
    pub fn bound(&mut self) -> Result<(f64, &'static str)> {
        Ok(self.world.bound()?)
    }
    /// The same for each set of particles.
    pub fn limits(&mut self) -> Result<Vec<Limit>> {
        Ok(self.world.bounds()?)
    }
    /// Number of threads.
    pub fn threads(&self) -> usize {
        self.world.exec().threads()
    }
    /// Sums over all that is simulated.
    pub fn totals(&self) -> Totals {
        self.world.totals()
    }
    /// Where the scene is measured.
    pub fn probes(&self) -> &[Probe] {
        &self.probes
    }
    /// Shows every set of particles to an observer.
    pub fn observe(&self, observer: &mut (dyn Observer + Send)) -> Result<()> {
        Ok(self.world.exec().run(|| self.world.observe(observer))?)
    }
    /// Every set of particles.
    pub fn points(&self) -> Result<Vec<PointSet>> {
        let mut all = Vec::new();
        self.observe(&mut all)?;
        Ok(all)
    }
    /// The exact state.
    pub fn snapshot(&self) -> Snapshot {
        self.world.snapshot()
    }
    /// A hash of every bit of the state.
    pub fn state_hash(&self) -> String {
        self.snapshot().hash()
    }
    /// Takes the state from a snapshot of the same scene.
    pub fn restore(&mut self, from: &Snapshot) -> Result<()> {
        self.world.restore(from)?;
        self.count_frames();
        Ok(())
    }
    /// Goes on from the present state of another scene: one with other materials, obstacles or forces,
    /// but of the same resolution. Matter of another law than before starts free of stress; bodies that
    /// the other scene does not have are where this one puts them.
    pub fn adopt(&mut self, other: &Self) -> Result<()> {
        self.world.adopt(&other.snapshot(), &other.points()?)?;
        self.count_frames();
        Ok(())
    }
    fn count_frames(&mut self) {
        // A state between two frames belongs to the frame that is not finished.
        let frames = self.world.time() * self.scene.fps;
        let near = frames.round();
        let whole = self.scene.frame_time(near as u64) <= self.world.time();
        self.frame = if whole { near } else { (near - 1.0).max(0.0) } as u64;
    }
    /// Writes the exact state to a file, whole or not at all.
    pub fn save(&self, path: &Path) -> Result<()> {
        let meta = Meta {
            scene: self.scene.name.clone(),
            step: self.steps(),
            time: self.time(),
            user: [
                ("frame".to_string(), self.frame.to_string()),
                (TEXT.to_string(), self.scene.text.clone()),
            ]
            .into(),
        };
        let snapshot = self.snapshot();
        Ok(self
            .world
            .exec()
            .run(|| checkpoint::write(path, &snapshot, &meta))?)
    }
    /// Goes on from a file that [`Simulation::save`] wrote, of this very scene.
    pub fn open(&mut self, path: &Path) -> Result<()> {
        let (snapshot, meta) = checkpoint::read(path)?;
        if meta.user.get(TEXT) != Some(&self.scene.text) {
            let what = format!(
                "{} belongs to another scene than `{}`, or to an edited one",
                path.display(),
                self.scene.name
            );
            return Err(thixo_core::Error::Snapshot(what).into());
        }
        self.restore(&snapshot)
    }

    /// Signed distances of the colliders as they are now.
    pub(crate) fn obstacles(&self) -> Vec<crate::any::Distance<'_>> {
        self.world.obstacles()
    }
    /// A picture of these sets of particles and the colliders as they are now.
    pub fn picture(&self, sets: &[PointSet], look: &Look) -> Result<Image> {
        let distances = self.world.obstacles();
        self.world.exec().run(|| {
            let mut view = draw::view(&self.view, look, &distances, self.time(), sets);
            if !look.surface {
                return Ok(picture::render(sets, &view));
            }
            let shown = look.color.as_deref().unwrap_or(&self.view.color);
            match shown {
                "material" => {}
                "speed" => {
                    let range = look.range.unwrap_or_else(|| self.color_range(sets, look));
                    view.coloring = picture::Coloring::Speed(Some(range));
                }
                other => {
                    let what = format!("surfaces show `material` or `speed`, not `{other}`");
                    return Err(thixo_io::Error::Invalid(what).into());
                }
            }
            // What has faces is drawn with them anyway.
            let (flat, deep): (Vec<&PointSet>, Vec<&PointSet>) = sets
                .iter()
                .partition(|s| s.dimension == 2 || !s.faces.is_empty());
            let how = Surfacing::default();
            let meshes = deep.iter().map(|s| surface(s, &how));
            let meshes = meshes.collect::<thixo_io::Result<Vec<Mesh>>>()?;
            let drawn: Vec<draw::Vertices> = meshes.iter().map(draw::Vertices::of).collect();
            for (mesh, drawn) in meshes.iter().zip(&drawn) {
                let liquid = self.scene.law_of(&mesh.material) == Some("liquid");
                view.surfaces.push(drawn.surface(mesh, liquid));
            }
            let flat: Vec<PointSet> = flat.into_iter().cloned().collect();
            Ok(picture::render(&flat, &view))
        })
    }
    /// Is seen from now on as another scene wants it: its `picture` table and the looks of its colliders.
    pub fn show_as(&mut self, scene: &Scene) -> Result<()> {
        self.view = match scene.dimension {
            2 => scene.view::<2>()?,
            _ => scene.view::<3>()?,
        };
        Ok(())
    }
    /// The ends of the colour map that hold these sets.
    pub fn color_range(&self, sets: &[PointSet], look: &Look) -> [f32; 2] {
        look.coloring(&self.view).range(sets)
    }
}
