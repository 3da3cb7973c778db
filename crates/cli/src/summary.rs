//! The outcome of a run, in words and as JSON.

use std::io::{self, Write};

use serde::{Deserialize, Serialize};
use thixo::prelude::*;
use thixo::record::Recorder;

use crate::progress::duration;

/// The outcome of a run.
#[derive(Debug, Serialize, Deserialize)]
pub struct Summary {
    scene: String,
    dimension: usize,
    precision: String,
    particles: u64,
    frames: u64,
    steps: u64,
    rejected_steps: u64,
    lost_particles: u64,
    sim_seconds: f64,
    wall_seconds: f64,
    state_hash: String,
    mass: f64,
    momentum: Vec<f64>,
    energy: Energy,
    threads: usize,
    pictures: bool,
    formats: Vec<String>,
    out: String,
}

/// Energies \[J\].
#[derive(Debug, Serialize, Deserialize)]
struct Energy {
    kinetic: f64,
    elastic: f64,
    potential: f64,
    total: f64,
}

impl Summary {
    /// Of a run that is complete.
    pub fn of(run: &Simulation, recorder: &Recorder) -> Self {
        let (scene, totals) = (run.scene(), run.totals());
        let energy = [totals.kinetic, totals.elastic, totals.potential];
        let request = recorder.request();
        Self {
            scene: scene.name.clone(),
            dimension: scene.dimension,
            precision: scene.precision.name().into(),
            particles: totals.particles,
            frames: request.frames,
            steps: run.steps(),
            rejected_steps: run.rejected(),
            lost_particles: totals.lost(),
            sim_seconds: run.time(),
            wall_seconds: recorder.seconds(),
            state_hash: run.state_hash(),
            mass: totals.mass,
            momentum: totals.momentum[..scene.dimension].to_vec(),
            energy: Energy {
                kinetic: energy[0],
                elastic: energy[1],
                potential: energy[2],
                total: energy.iter().sum(),
            },
            threads: run.threads(),
            pictures: request.pictures,
            formats: request.formats.clone(),
            out: recorder.folder().display().to_string(),
        }
    }
    /// As one line of JSON.
    pub fn json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
    /// Says it; with `json` the words go to standard error.
    pub fn print(&self, json: bool) -> io::Result<()> {
        let out = &self.out;
        let mut words = format!(
            "{} frames ({} steps, {:.3} s simulated) in {}",
            self.frames,
            self.steps,
            self.sim_seconds,
            duration(self.wall_seconds)
        );
        let mut places = vec![format!("states in {out}/states")];
        if !self.formats.is_empty() {
            places.push(format!(
                "particles ({}) in {out}/particles",
                self.formats.join(", ")
            ));
        }
        if self.pictures {
            places.push(format!("pictures in {out}/pictures"));
        }
        words += &format!("\n{}", places.join(", "));
        words += &format!("\nlook: thixo render {out}; curves: thixo plot {out}");
        let stdout = &mut io::stdout().lock();
        if json {
            say!("{words}");
            return writeln!(stdout, "{}", self.json());
        }
        writeln!(stdout, "{words}")
    }
}
