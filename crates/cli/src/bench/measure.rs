//! Measuring a world: warm-up, then the best of several measurements.

use std::fs;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use thixo::core::{Phases, World};
use thixo::grid::Exec;
use thixo::math::{Level, Real};

use crate::report::Failure;

/// What was measured.
#[derive(Debug, Deserialize, Serialize)]
pub struct Row {
    pub work: String,
    pub threads: usize,
    pub particles: u64,
    /// Million particles a second.
    pub mps: f64,
    pub ns_per_particle: f64,
    /// Memory that the work took at its peak; unknown where there is no `/proc`.
    pub bytes_per_particle: Option<f64>,
    /// Of the mass, above the origin \[m\].
    pub mean_height: f64,
    /// Which instructions the kernels use.
    pub simd: String,
    /// Of the best measurement.
    pub phases: Seconds,
    /// From the start of the process \[s\].
    pub first_substep: f64,
    /// For scenes: the rate over that of their materials in the common work.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub share_of_bare: Option<f64>,
}

/// Where the time of a substep goes \[s\].
#[derive(Debug, Deserialize, Serialize)]
pub struct Seconds {
    pub sort: f64,
    pub stress: f64,
    pub scatter: f64,
    pub grid: f64,
    pub gather: f64,
}

/// How to measure.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    threads: usize,
    steps: u32,
    repeat: u32,
    begun: Instant,
    /// Memory when it began \[bytes\].
    memory: Option<u64>,
}

impl Plan {
    pub fn new(threads: Option<u16>, steps: u32, repeat: u32, begun: Instant) -> Self {
        let (threads, memory) = (threads.map_or(0, usize::from), peak_memory());
        Self {
            threads,
            steps,
            repeat,
            begun,
            memory,
        }
    }
    /// The threads to measure with.
    pub fn exec(&self) -> Result<Exec, Failure> {
        Exec::new(self.threads).map_err(|e| Failure::Request(e.to_string()))
    }
    /// Measures a world whose frames come `fps` times a second (never if that is infinite).
    pub fn measure<T: Real, const D: usize>(
        &self,
        work: &str,
        world: &mut World<T, D>,
        warm_up: u32,
        fps: f64,
    ) -> thixo::Result<Row> {
        step(world, 1, fps)?;
        let first_substep = self.begun.elapsed().as_secs_f64();
        step(world, warm_up.saturating_sub(1), fps)?;
        let mut best = (f64::INFINITY, Phases::default());
        for _ in 0..self.repeat {
            world.reset_phases();
            let clock = Instant::now();
            step(world, self.steps, fps)?;
            let each = clock.elapsed().as_secs_f64() / f64::from(self.steps);
            if each < best.0 {
                best = (each, world.phases());
            }
        }
        let (each, phases) = best;
        let memory = peak_memory().zip(self.memory);
        let totals = world.totals();
        let n = totals.particles as f64;
        let share = |sum: f64| sum / f64::from(self.steps);
        Ok(Row {
            work: work.into(),
            threads: world.exec().threads(),
            particles: totals.particles,
            mps: n / each / 1e6,
            ns_per_particle: each / n * 1e9,
            bytes_per_particle: memory.map(|(now, then)| now.saturating_sub(then) as f64 / n),
            mean_height: totals.potential / (totals.mass * world.gravity.norm()),
            simd: simd().into(),
            phases: Seconds {
                sort: share(phases.sort),
                stress: share(phases.stress),
                scatter: share(phases.scatter),
                grid: share(phases.grid),
                gather: share(phases.gather),
            },
            first_substep,
            share_of_bare: None,
        })
    }
}

/// Takes `n` steps, as a run does: the ends of frames are hit.
fn step<T: Real, const D: usize>(world: &mut World<T, D>, n: u32, fps: f64) -> thixo::Result<()> {
    for _ in 0..n {
        let mut stop = f64::INFINITY;
        if fps.is_finite() {
            let frame = (world.time() * fps).floor();
            let ends = [frame + 1.0, frame + 2.0].map(|k| k / fps);
            stop = if ends[0] > world.time() {
                ends[0]
            } else {
                ends[1]
            };
        }
        world.step(stop)?;
    }
    Ok(())
}

/// Which instructions the kernels use.
fn simd() -> &'static str {
    Level::in_use().name()
}

/// The most memory that this process ever had \[bytes\], where the system tells.
fn peak_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}
