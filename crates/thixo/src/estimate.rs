//! What a run will take, before it is run.
//!
//! The scene is rehearsed with coarser cells, from the first frame to the last: that shows how the step
//! and the number of particles change. A few steps at its own resolution show how fast the machine is.
//! A rehearsal that takes too long is broken off and the rest taken to be like its end.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use thixo_io::frames::{FORMATS, format};
use thixo_io::{checkpoint, picture};
use thixo_scene::Scene;

use crate::any::Limit;
use crate::record::{Request, SIZE};
use crate::{Look, Result, Simulation, Threads};

/// Particle-steps that a rehearsal should take.
const REHEARSAL: f64 = 4e6;
/// Wall time after which a rehearsal is broken off.
const PATIENCE: Duration = Duration::from_secs(8);
/// Particles of the trial that shows how fast the machine is, at most.
const TRIAL: f64 = 600_000.0;
/// Wall time of the trial's steps.
const TRIAL_TIME: Duration = Duration::from_millis(1500);

/// With fewer particles than this a scene is probably too coarse.
const FEW: f64 = 200.0;

/// What a run will take.
#[derive(Clone, Debug)]
pub struct Estimate {
    /// Size of a cell \[m\].
    pub cell: f64,
    /// Particles at the start.
    pub particles: f64,
    /// Most particles at any time.
    pub most_particles: f64,
    /// The first step \[s\].
    pub first_step: f64,
    /// The mean step \[s\].
    pub mean_step: f64,
    /// Number of steps.
    pub steps: f64,
    /// What allows the first step, set by set; the smallest counts.
    pub limits: Vec<Limit>,
    /// What bounded the step, and for which share of the steps.
    pub reasons: Vec<(&'static str, f64)>,
    /// Particles of each set at the start.
    pub sets: Vec<(String, u64)>,
    /// Memory \[bytes\].
    pub memory: f64,
    /// Exact states on disk \[bytes\].
    pub states: f64,
    /// Particle files \[bytes\].
    pub files: f64,
    /// Pictures \[bytes\].
    pub pictures: f64,
    /// Wall time of the steps \[s\].
    pub stepping: f64,
    /// Wall time of writing and drawing \[s\].
    pub writing: f64,
    /// What is allowed, but probably not meant.
    pub doubts: Vec<String>,
    /// How many times larger the cells of the rehearsal were, and which share of the run it saw.
    pub rehearsal: (f64, f64),
}

impl Estimate {
    /// Bytes on disk.
    pub fn disk(&self) -> f64 {
        self.states + self.files + self.pictures
    }
    /// Wall time \[s\].
    pub fn seconds(&self) -> f64 {
        self.stepping + self.writing
    }
}

/// Estimates a run of a scene as it was asked for.
pub fn estimate(scene: &Scene, request: &Request, threads: Threads) -> Result<Estimate> {
    let cell = scene.cell_size()?;
    let expected = scene.expected_particles()?;
    let (mut trial, trial_ratio) = coarser(scene, cell, expected / TRIAL, threads)?;
    let machine = Trial::of(&mut trial, request)?;
    let size = trial_ratio.powi(scene.dimension as i32);
    drop(trial);

    let end = scene.frame_time(request.frames);
    let dimension = scene.dimension as f64;
    let first = machine.first.step / trial_ratio;
    let work = expected * end / first;
    let wanted = (work / REHEARSAL).powf(1.0 / (dimension + 1.0)).max(1.0);
    let (small, ratio) = coarser(scene, cell, wanted.powf(dimension), threads)?;
    let seen = rehearse(small, ratio, request)?;

    let particles = machine.particles * size;
    let grow = |k: usize| seen.frames[k].particles * ratio.powi(scene.dimension as i32);
    // At the start both are counted, which tells how much the rehearsal's coarse bodies are off.
    let scale = if grow(0) > 0.0 {
        particles / grow(0)
    } else {
        1.0
    };
    let frames = seen.frames.len() - 1;
    let at = |k: usize| k.min(frames);
    let (mut steps, mut stepping, mut writing) = (0.0, 0.0, 0.0);
    let (mut states, mut files, mut most) = (0.0, 0.0, particles);
    for k in 0..=request.frames as usize {
        let here = &seen.frames[at(k)];
        let n = (grow(at(k)) * scale).max(1.0);
        most = f64::max(most, n);
        if k > 0 {
            steps += here.steps;
            stepping += here.steps * n * machine.per_particle * seen.slower(at(k), machine.blocks);
        }
        states += machine.state_bytes * n * here.packs / request.keep as f64;
        files += machine.file_bytes * n;
        writing += machine.writing * n + machine.drawing;
    }
    let mut doubts = machine.doubts;
    if scene.spec.emitters.is_empty() && particles < FEW {
        doubts.push(format!(
            "only {particles:.0} particles: the cells of {cell} m are coarse for these bodies"
        ));
    }
    if seen.falls {
        doubts.push("it falls freely to the end: is there a ground?".into());
    }
    let drawing = match request.pictures {
        true => picture::memory(SIZE[0], SIZE[1]),
        false => 0.0,
    };
    Ok(Estimate {
        cell,
        particles,
        most_particles: most,
        first_step: first,
        mean_step: end / steps.max(1.0),
        steps,
        limits: machine.limits,
        reasons: seen.reasons,
        sets: machine.sets,
        memory: machine.memory * most + drawing + 30e6,
        states,
        files,
        pictures: machine.picture_bytes * (request.frames + 1) as f64,
        stepping,
        writing,
        doubts,
        rehearsal: (ratio, seen.share),
    })
}

/// The scene with cells so much larger that it has `less` times fewer particles, or nearly, and how much
/// larger they are: what coarse cells cannot hold is tried with finer ones.
fn coarser(scene: &Scene, cell: f64, less: f64, threads: Threads) -> Result<(Simulation, f64)> {
    let mut ratio = less.max(1.0).powf(1.0 / scene.dimension as f64);
    // Whole multiples keep a period a whole number of blocks.
    let whole = !scene.spec.periodic.is_empty();
    while ratio > 1.0 {
        ratio = if whole { ratio.floor() } else { ratio };
        let small = scene.at_resolution(cell * ratio)?;
        if let Ok(run) = Simulation::new(small, threads) {
            return Ok((run, ratio));
        }
        ratio = if whole { ratio - 1.0 } else { 0.7 * ratio };
    }
    let run = Simulation::new(scene.at_resolution(cell)?, threads)?;
    Ok((run, 1.0))
}

/// What a few steps at full resolution, or nearly, show.
struct Trial {
    particles: f64,
    sets: Vec<(String, u64)>,
    first: Limit,
    limits: Vec<Limit>,
    doubts: Vec<String>,
    /// Blocks of the grid to a particle.
    blocks: f64,
    /// Wall time of a step \[s\], bytes of memory, of a state and of particle files, wall time of
    /// writing these \[s\]: all per particle.
    per_particle: f64,
    memory: f64,
    state_bytes: f64,
    file_bytes: f64,
    writing: f64,
    /// Of a picture.
    drawing: f64,
    picture_bytes: f64,
}

impl Trial {
    fn of(run: &mut Simulation, request: &Request) -> Result<Self> {
        let doubts = inside(run)?;
        // A scene of emitters has no matter yet: it is run until there is some.
        let (begun, end) = (Instant::now(), run.scene().frame_time(request.frames));
        while run.totals().particles < 1000 && run.time() < end && begun.elapsed() < TRIAL_TIME {
            run.step()?;
        }
        let limits = run.limits()?;
        let least = limits.iter().min_by(|a, b| a.step.total_cmp(&b.step));
        let first = match least {
            Some(limit) if limit.step.is_finite() => limit.clone(),
            _ => Limit {
                set: String::new(),
                step: run.bound()?.0.min(1.0 / run.scene().fps),
                why: "a frame",
                blocks: 0,
            },
        };
        let n = (run.totals().particles as f64).max(1.0);
        // Packed before it moves, as that of the rehearsal is: a state at rest packs better.
        let snapshot = run.snapshot();
        let raw: usize = snapshot.columns.iter().map(|c| c.bytes.len()).sum();
        let mut state = Counter::default();
        checkpoint::write_to(&mut state, &snapshot, &checkpoint::Meta::default())?;
        let mut times = Vec::new();
        let begun = Instant::now();
        while times.len() < 3 || (begun.elapsed() < TRIAL_TIME && times.len() < 60) {
            let step = Instant::now();
            run.step()?;
            times.push(step.elapsed().as_secs_f64());
        }
        times.sort_by(f64::total_cmp);
        let per_particle = times[times.len() / 2] / n;

        let mut files = Counter::default();
        let writing = Instant::now();
        let sets = run.points()?;
        let mut again = Counter::default();
        checkpoint::write_to(&mut again, &run.snapshot(), &checkpoint::Meta::default())?;
        for name in &request.formats {
            for set in &sets {
                (format(FORMATS, name)?.write)(&mut files, set, 0.0)?;
            }
        }
        let writing = writing.elapsed().as_secs_f64();
        let (mut drawing, mut picture_bytes) = (0.0, 0.0);
        if request.pictures {
            let begun = Instant::now();
            let image = run.picture(&sets, &Look::new(SIZE[0], SIZE[1]))?;
            let mut counter = Counter::default();
            image.encode(&mut counter)?;
            (drawing, picture_bytes) = (begun.elapsed().as_secs_f64(), counter.0);
        }
        let names = sets.iter().map(|s| (s.name.clone(), s.id.len() as u64));
        Ok(Self {
            particles: n,
            sets: names.collect(),
            first,
            doubts,
            blocks: blocks(&limits) / n,
            limits,
            per_particle,
            // Present and next state, stress, tiles, and what is shown and packed for a frame.
            memory: 2.0 * raw as f64 / n + 150.0,
            state_bytes: state.0 / n,
            file_bytes: files.0 / n,
            writing: writing / n,
            drawing,
            picture_bytes,
        })
    }
}

/// Says which colliders hold particles at the start.
fn inside(run: &Simulation) -> Result<Vec<String>> {
    let deep = 0.25 * run.scene().cell_size()?;
    let sets = run.points()?;
    let all = sets.iter().flat_map(|s| &s.position);
    let mut doubts = Vec::new();
    for (i, distance) in run.obstacles().iter().enumerate() {
        let held = all.clone().filter(|x| distance(**x) < -deep).count();
        if held > 0 {
            let typed = run.scene().spec.colliders.get(i);
            let name = typed.and_then(|c| c.get_ref().name.as_ref());
            let name = name.map_or(format!("collider {}", i + 1), |n| {
                format!("`{}`", n.get_ref())
            });
            doubts.push(format!(
                "{held} particles start inside {name} and are pushed out: leave them room"
            ));
        }
    }
    Ok(doubts)
}

/// One frame of the rehearsal.
struct Seen {
    particles: f64,
    /// Steps at full resolution.
    steps: f64,
    /// Blocks of the grid to a particle.
    blocks: f64,
    /// Wall time of a particle-step \[s\].
    each: f64,
    /// Bytes of a packed state over those of the first frame.
    packs: f64,
}

struct Rehearsal {
    frames: Vec<Seen>,
    reasons: Vec<(&'static str, f64)>,
    share: f64,
    /// Whether most of it fell freely at the end.
    falls: bool,
}

impl Rehearsal {
    /// Wall time of a particle-step in a frame over that of the start, at full resolution, where a particle
    /// has `start` blocks at the start.
    ///
    /// What spreads out has more blocks to a particle, and what is compact has fewer the finer its cells: with
    /// the line that time follows over blocks, the ratio seen here is carried over.
    fn slower(&self, frame: usize, start: f64) -> f64 {
        let (first, here) = (
            &self.frames[1.min(self.frames.len() - 1)],
            &self.frames[frame],
        );
        if first.each <= 0.0 || here.each <= 0.0 {
            return 1.0;
        }
        let (base, slope) = self.line();
        let ratio = |from: f64, to: f64| (base + slope * to) / (base + slope * from);
        let fine = ratio(start, start + here.blocks - first.blocks);
        let seen = ratio(first.blocks, here.blocks);
        (here.each / first.each * fine / seen).clamp(0.7, 10.0)
    }
    /// The least-squares line of wall time over blocks, both to a particle: value at 0 and slope, none below 0.
    fn line(&self) -> (f64, f64) {
        let frames = &self.frames[1..];
        let count = (frames.len() as f64).max(1.0);
        let mean = |of: &dyn Fn(&Seen) -> f64| frames.iter().map(of).sum::<f64>() / count;
        let (x, y) = (mean(&|f| f.blocks), mean(&|f| f.each));
        let xx = mean(&|f| (f.blocks - x).powi(2));
        let xy = mean(&|f| (f.blocks - x) * (f.each - y));
        let slope = if xx > 1e-6 * x * x {
            (xy / xx).max(0.0)
        } else {
            0.0
        };
        if slope * x < y {
            (y - slope * x, slope)
        } else {
            (0.0, y / x)
        }
    }
}

/// Blocks of the grid that hold particles.
fn blocks(limits: &[Limit]) -> f64 {
    limits.iter().map(|l| l.blocks as f64).sum()
}

fn rehearse(mut run: Simulation, ratio: f64, request: &Request) -> Result<Rehearsal> {
    let begun = Instant::now();
    let mut reasons: Vec<(&'static str, f64)> = Vec::new();
    let packed = |run: &Simulation| -> Result<f64> {
        let mut state = Counter::default();
        checkpoint::write_to(&mut state, &run.snapshot(), &checkpoint::Meta::default())?;
        Ok(state.0 / (run.totals().particles as f64).max(1.0))
    };
    let first = packed(&run)?.max(1.0);
    let mut frames = vec![Seen {
        particles: run.totals().particles as f64,
        steps: 0.0,
        blocks: 0.0,
        each: 0.0,
        packs: 1.0,
    }];
    let mut moves = Vec::new();
    while run.frame() < request.frames && begun.elapsed() < PATIENCE {
        let (next, mut steps, mut taken) = (run.frame() + 1, 0.0, 0u32);
        let clock = Instant::now();
        while run.frame() < next {
            let (bound, why) = run.bound()?;
            let dt = run.step()?.dt;
            // Steps shrink with the cell, under viscosity with its square.
            let finer = if why == "viscosity" {
                ratio * ratio
            } else {
                ratio
            };
            let n = dt / bound * finer;
            steps += n;
            taken += 1;
            match reasons.iter_mut().find(|(w, _)| *w == why) {
                Some((_, sum)) => *sum += n,
                None => reasons.push((why, n)),
            }
        }
        let totals = run.totals();
        moves.push((run.time(), totals.momentum.map(|p| p / totals.mass)));
        let particles = totals.particles as f64;
        let each = clock.elapsed().as_secs_f64() / (f64::from(taken) * particles.max(1.0));
        frames.push(Seen {
            particles,
            // The last step of a frame is cut short.
            steps: steps + 0.5,
            blocks: blocks(&run.limits()?) / particles.max(1.0),
            each,
            packs: packed(&run)? / first,
        });
    }
    // Faster and faster through the last quarter, and fast by then: more than half of it falls.
    let falls = moves.len() >= 8 && {
        let ((t0, v0), (t1, v1)) = (moves[moves.len() * 3 / 4], moves[moves.len() - 1]);
        let norm = |v: [f64; 3]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
        let gained = norm(std::array::from_fn(|a| v1[a] - v0[a])) / (t1 - t0);
        gained > 5.0 && norm(v1) > 0.5 * gained * t1
    };
    let all: f64 = reasons.iter().map(|(_, n)| n).sum();
    reasons.iter_mut().for_each(|(_, n)| *n /= all.max(1.0));
    reasons.sort_by(|a, b| b.1.total_cmp(&a.1));
    let share = run.frame() as f64 / (request.frames as f64).max(1.0);
    Ok(Rehearsal {
        frames,
        reasons,
        share,
        falls,
    })
}

/// Counts what is written to it.
#[derive(Default)]
struct Counter(f64);

impl Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as f64;
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
