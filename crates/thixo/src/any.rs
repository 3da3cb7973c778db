//! A world of any precision and dimension: the four instantiations behind one door.

use thixo_core::{Observer, Result, Snapshot, Taken, Totals, World};
use thixo_grid::Exec;
use thixo_math::{Real, Vector};
use thixo_scene::{Precision, Scene, SceneError, View};

/// A signed distance in space.
pub(crate) type Distance<'a> = Box<dyn Fn([f64; 3]) -> f64 + Sync + 'a>;

/// What a run asks of a world.
pub(crate) trait AnyWorld: Send {
    fn step(&mut self, stop: f64) -> Result<Taken>;
    fn time(&self) -> f64;
    fn steps(&self) -> u64;
    fn rejected(&self) -> u64;
    fn bound(&mut self) -> Result<(f64, &'static str)>;
    fn totals(&self) -> Totals;
    fn observe(&self, observer: &mut dyn Observer) -> Result<()>;
    fn snapshot(&self) -> Snapshot;
    fn restore(&mut self, from: &Snapshot) -> Result<()>;
    /// The colliders as they are now.
    fn obstacles(&self) -> Vec<Distance<'_>>;
    fn exec(&self) -> &Exec;
}

impl<T: Real, const D: usize> AnyWorld for World<T, D> {
    fn step(&mut self, stop: f64) -> Result<Taken> {
        self.step(stop)
    }
    fn time(&self) -> f64 {
        self.time()
    }
    fn steps(&self) -> u64 {
        self.steps()
    }
    fn rejected(&self) -> u64 {
        self.rejected()
    }
    fn bound(&mut self) -> Result<(f64, &'static str)> {
        self.bound().map(|b| (b.dt, b.why))
    }
    fn totals(&self) -> Totals {
        self.totals()
    }
    fn observe(&self, observer: &mut dyn Observer) -> Result<()> {
        self.observe(observer)
    }
    fn snapshot(&self) -> Snapshot {
        self.snapshot()
    }
    fn restore(&mut self, from: &Snapshot) -> Result<()> {
        self.restore(from)
    }
    fn obstacles(&self) -> Vec<Distance<'_>> {
        let t = self.time();
        let distances = self.colliders.iter().map(|c| -> Distance<'_> {
            Box::new(move |x| c.obstacle.distance(&Vector::from_fn(|a| x[a]), t))
        });
        distances.collect()
    }
    fn exec(&self) -> &Exec {
        self.exec()
    }
}

/// Builds the world of a scene in its own precision and dimension.
pub(crate) fn build(scene: &Scene, exec: Exec) -> Result<(Box<dyn AnyWorld>, View), SceneError> {
    Ok(match (scene.precision, scene.dimension) {
        (Precision::F32, 2) => (Box::new(scene.build::<f32, 2>(exec)?), scene.view::<2>()?),
        (Precision::F64, 2) => (Box::new(scene.build::<f64, 2>(exec)?), scene.view::<2>()?),
        (Precision::F32, _) => (Box::new(scene.build::<f32, 3>(exec)?), scene.view::<3>()?),
        (Precision::F64, _) => (Box::new(scene.build::<f64, 3>(exec)?), scene.view::<3>()?),
    })
}
