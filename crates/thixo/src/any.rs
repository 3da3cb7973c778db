//! A world of any precision and dimension: the four instantiations behind one door.

use thixo_core::{Observer, PointSet, Result, Snapshot, Taken, Totals, World};
use thixo_grid::Exec;
use thixo_math::{Real, Vector};
use thixo_scene::{Precision, Probe, Scene, SceneError, View};

/// A signed distance in space.
pub(crate) type Distance<'a> = Box<dyn Fn([f64; 3]) -> f64 + Sync + 'a>;

/// How large a step one set of particles allows.
#[derive(Clone, Debug, PartialEq)]
pub struct Limit {
    /// Name of the set.
    pub set: String,
    /// The step \[s\].
    pub step: f64,
    /// What bounds it.
    pub why: &'static str,
    /// Blocks of the grid that it fills.
    pub blocks: usize,
}

/// What a run asks of a world.
pub(crate) trait AnyWorld: Send + Sync {
    fn step(&mut self, stop: f64) -> Result<Taken>;
    fn time(&self) -> f64;
    fn steps(&self) -> u64;
    fn rejected(&self) -> u64;
    fn bound(&mut self) -> Result<(f64, &'static str)>;
    fn bounds(&mut self) -> Result<Vec<Limit>>;
    fn totals(&self) -> Totals;
    fn observe(&self, observer: &mut dyn Observer) -> Result<()>;
    fn snapshot(&self) -> Snapshot;
    fn restore(&mut self, from: &Snapshot) -> Result<()>;
    fn adopt(&mut self, from: &Snapshot, shown: &[PointSet]) -> Result<()>;
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
    fn bounds(&mut self) -> Result<Vec<Limit>> {
        let all = self.bounds()?.into_iter();
        let limit = |(set, bound, blocks): (String, thixo_numerics::Bound, usize)| Limit {
            set,
            step: bound.dt,
            why: bound.why,
            blocks,
        };
        Ok(all.map(limit).collect())
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
    fn adopt(&mut self, from: &Snapshot, shown: &[PointSet]) -> Result<()> {
        self.adopt(from, shown)
    }
    fn obstacles(&self) -> Vec<Distance<'_>> {
        let t = self.time();
        let distances = self.colliders.iter().map(|c| -> Distance<'_> {
            let still = c.obstacle.still(t);
            Box::new(move |x| still(&Vector::from_fn(|a| x[a])))
        });
        distances.collect()
    }
    fn exec(&self) -> &Exec {
        self.exec()
    }
}

/// A scene's world, how it wants to be seen, and where it is measured.
pub(crate) struct Built {
    pub world: Box<dyn AnyWorld>,
    pub view: View,
    pub probes: Vec<Probe>,
}

/// Builds the world of a scene in its own precision and dimension; not `filled`, it waits for a state.
pub(crate) fn build(scene: &Scene, exec: Exec, filled: bool) -> Result<Built, SceneError> {
    match (scene.precision, scene.dimension) {
        (Precision::F32, 2) => made::<f32, 2>(scene, exec, filled),
        (Precision::F64, 2) => made::<f64, 2>(scene, exec, filled),
        (Precision::F32, _) => made::<f32, 3>(scene, exec, filled),
        (Precision::F64, _) => made::<f64, 3>(scene, exec, filled),
    }
}

fn made<T: Real, const D: usize>(
    scene: &Scene,
    exec: Exec,
    filled: bool,
) -> Result<Built, SceneError> {
    let world = match filled {
        true => scene.build::<T, D>(exec)?,
        false => scene.build_empty::<T, D>(exec)?,
    };
    Ok(Built {
        world: Box::new(world),
        view: scene.view::<D>()?,
        probes: scene.probes::<D>()?,
    })
}
