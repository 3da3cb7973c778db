//! Runs of random scenes, and what must hold in every run.

use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::time::{Duration, Instant};

use thixo::math::Vector;
use thixo::{Simulation, Threads};
use thixo_io::checkpoint;
use thixo_scene::Scene;

use crate::target::reseal;

/// Steps of a run, at most.
const STEPS: u64 = 3000;
/// How deep a particle may be in an obstacle that does not move, in cells.
const DEEP: f64 = 0.1;

/// How a scene is run.
#[derive(Clone, Copy, Debug)]
pub struct Play {
    /// Wall time after which it is broken off.
    pub patience: Duration,
    /// Whether it is run again on three threads, to the same bits.
    pub threads: bool,
    /// Whether it is saved in the middle, and goes on from there to the same bits.
    pub halves: bool,
}

/// What a run has shown.
#[derive(Clone, Debug, Default)]
pub struct Played {
    /// Particles at the end.
    pub particles: u64,
    /// Steps.
    pub steps: u64,
    /// Rejected steps.
    pub rejected: u64,
    /// Frames that were finished.
    pub frames: u64,
    /// Deepest place in an obstacle that does not move, in cells; above 0 is outside.
    pub depth: f64,
    /// Mass that does not add up, relative.
    pub mass: f64,
    /// What must not be, each with its kind first.
    pub findings: Vec<(&'static str, String)>,
}

/// Runs the scene of a text.
pub fn play(text: &str, how: &Play) -> Played {
    let mut played = Played::default();
    let outcome = panic::catch_unwind(AssertUnwindSafe(|| whole(text, how, &mut played)));
    match outcome {
        Ok(Ok(())) => {}
        Ok(Err((kind, what))) => played.findings.push((kind, what)),
        Err(cause) => {
            let said = cause.downcast_ref::<String>().cloned();
            let said = said.or(cause.downcast_ref::<&str>().map(|s| s.to_string()));
            played.findings.push(("panic", said.unwrap_or_default()));
        }
    }
    played
}

type Outcome<T> = Result<T, (&'static str, String)>;

fn begin(text: &str, threads: usize) -> Outcome<Simulation> {
    let scene = Scene::parse(text, "random", "random", Path::new(""));
    let scene = scene.map_err(|e| ("refused", e.to_string()))?;
    Simulation::new(scene, Threads::Exactly(threads)).map_err(|e| ("refused", e.to_string()))
}

fn step(run: &mut Simulation) -> Outcome<()> {
    run.step().map(|_| ()).map_err(|e| ("error", e.to_string()))
}

fn whole(text: &str, how: &Play, played: &mut Played) -> Outcome<()> {
    let begun = Instant::now();
    let mut run = begin(text, 1)?;
    let start = run.totals();
    let frames = run.scene().frames;
    let mut failed = Ok(());
    while run.frame() < frames && run.steps() < STEPS && begun.elapsed() < how.patience {
        let frame = run.frame();
        failed = step(&mut run);
        if failed.is_err() {
            break;
        }
        if run.frame() > frame {
            check(&run, &start, played)?;
        }
    }
    played.steps = run.steps();
    played.rejected = run.rejected();
    played.frames = run.frame();
    check(&run, &start, played)?;
    failed?;
    let (steps, hash) = (run.steps(), run.state_hash());
    drop(run);
    if how.threads {
        let mut again = begin(text, 3)?;
        for _ in 0..steps {
            step(&mut again)?;
        }
        if again.state_hash() != hash {
            return Err(("threads", "three threads have other bits than one".into()));
        }
    }
    if how.halves {
        let mut first = begin(text, 1)?;
        for _ in 0..steps / 2 {
            step(&mut first)?;
        }
        let bytes = reseal(&first.snapshot(), &Default::default());
        let bytes = bytes.map_err(|e| ("checkpoint", e))?;
        let read = checkpoint::read_from(&bytes[..], bytes.len() as u64, Path::new("half"));
        let (snapshot, _) = read.map_err(|e| ("checkpoint", e.to_string()))?;
        let scene = Scene::parse(text, "random", "random", Path::new(""));
        let scene = scene.map_err(|e| ("refused", e.to_string()))?;
        let second = Simulation::empty(scene, Threads::Exactly(1));
        let mut second = second.map_err(|e| ("refused", e.to_string()))?;
        let restored = second.restore(&snapshot);
        restored.map_err(|e| ("checkpoint", e.to_string()))?;
        for _ in steps / 2..steps {
            step(&mut second)?;
        }
        if second.state_hash() != hash {
            return Err(("checkpoint", "it goes on to other bits".into()));
        }
    }
    Ok(())
}

/// What holds at any time.
fn check(run: &Simulation, start: &thixo::core::Totals, played: &mut Played) -> Outcome<()> {
    let now = run.totals();
    played.particles = now.particles;
    if now.lost() > 0 {
        return Err(("lost", format!("{} particles are lost", now.lost())));
    }
    let sums = [now.mass, now.kinetic, now.elastic, now.volume, now.fastest];
    let all = sums.iter().chain(&now.momentum).chain(&now.angular);
    if !all.clone().all(|x| x.is_finite()) {
        return Err(("nan", format!("sums that are not finite: {now:?}")));
    }
    let expected = start.mass + now.emitted - now.drained;
    let scale = (start.mass + now.emitted).max(f64::MIN_POSITIVE);
    played.mass = played.mass.max((now.mass - expected).abs() / scale);
    if played.mass > 1e-12 {
        let what = format!("{} kg where {expected} kg should be", now.mass);
        return Err(("mass", what));
    }
    let sets = run.points().map_err(|e| ("error", e.to_string()))?;
    for set in &sets {
        let x = set.position.iter().flatten().all(|x| x.is_finite());
        let v = set.velocity.iter().flatten().all(|x| x.is_finite());
        let rest = set.mass.iter().chain(&set.volume).all(|x| x.is_finite());
        let more = set
            .scalars
            .iter()
            .flat_map(|(_, s)| s)
            .all(|x| x.is_finite());
        if !(x && v && rest && more) {
            return Err((
                "nan",
                format!("numbers in `{}` that are not finite", set.name),
            ));
        }
    }
    let scene = run.scene();
    let cell = scene.cell_size().map_err(|e| ("error", e.to_string()))?;
    let places = || sets.iter().flat_map(|s| &s.position);
    let deepest = match scene.dimension {
        2 => deepest::<2>(scene, places()),
        _ => deepest::<3>(scene, places()),
    };
    played.depth = played.depth.min(deepest / cell);
    if played.depth < -DEEP {
        let what = format!(
            "a particle is {:.3} cells inside an obstacle that rests, after {} steps",
            -played.depth,
            run.steps()
        );
        return Err(("inside", what));
    }
    Ok(())
}

/// The smallest distance of a place to an obstacle that does not move \[m\], or 0.
fn deepest<'a, const D: usize>(scene: &Scene, places: impl Iterator<Item = &'a [f64; 3]>) -> f64 {
    let fixed = scene.spec.colliders.iter().map(|c| c.get_ref());
    let fixed = fixed.filter(|c| c.motion.is_none());
    let shapes = fixed.filter_map(|c| c.shape.as_ref()?.make::<D>(&scene.files).ok());
    let shapes: Vec<_> = shapes.collect();
    let mut least = 0.0f64;
    for x in places {
        let x = Vector::from_fn(|a| x[a]);
        for shape in &shapes {
            least = least.min(shape.distance(&x));
        }
    }
    least
}
