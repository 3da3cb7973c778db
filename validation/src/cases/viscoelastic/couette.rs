//! V3: the start of Couette flow of Oldroyd-B. The lower plate rests, the upper one moves from t = 0 on.
//!
//! The data are for D = 3, so this is a slice of space. The plates are planes of nodes. With the default, quadratic kernel
//! nodes behind a plate move with it, too, where a mirror image would move the other way: the first row of particles sees
//! too little shear, and to the liquid the plates seem a part of a cell farther apart. That is of the first order in dx
//! (--long: half as much at 64 cells), and takes most of the gates at 32 cells. With multilinear shape functions, for which
//! no node that matter touches lies behind the plates, it is not there; the rows of backward Euler are then off by its steps.

use thixo_core::Result;
use thixo_math::{Matrix, Vector};
use thixo_mpm::{Mpm, Options};
use thixo_shape::{Collider, Contact};

use super::strip::{by_rows, fill, multilinear, space, velocity};
use super::{gradients, keep_volume, oldroyd, strains, table};
use crate::lab::{self, Plane, Stepping, wall, worst};
use crate::{Bench, Tag};

/// Shear modulus, density, relaxation time and depth are 1; the data's stress μ_N ε with μ_N = 0.2 is 2ηε with this η.
const ETA: f64 = 0.1;
/// λ: waves of volume are seven times as fast as those of shear.
const LAMBDA: f64 = 50.0;
const CELLS: usize = 32;
/// When u(h/2) is compared \[s\].
const TIMES: [f64; 4] = [0.5, 1.0, 2.0, 3.0];
/// When the stress is steady \[s\]: its last hundredth of a per cent is on the way.
const END: f64 = 10.0;
/// How often u(h/2) is looked at for its peak, per second.
const LOOKS: usize = 40;

/// What a run shows.
struct Seen {
    /// u(h/2) at the times asked for.
    u: [f64; 4],
    /// The highest u(h/2).
    peak: f64,
    /// Mean shear stress in the middle half at the end, if that is when it is steady.
    stress: Option<f64>,
}

/// One set of data.
struct Plates {
    name: &'static str,
    speed: f64,
    /// Time, u at h/4, h/2, 3h/4, stress at the lower plate; of the classical model u(h/2) and the stress.
    data: Vec<Vec<f64>>,
    /// The highest u(h/2), by the twin.
    peak: f64,
}

impl Plates {
    fn new(name: &'static str, speed: f64, text: &str) -> Self {
        let (_, peak) = differences(speed, 100);
        Self {
            name,
            speed,
            data: table(text),
            peak,
        }
    }
    /// A number of the data; NaN if there is none.
    fn at(&self, time: f64, column: usize) -> f64 {
        let row = self.data.iter().find(|r| r[0] == time);
        row.map_or(f64::NAN, |r| r[column])
    }
    /// The layer as particles.
    fn run(
        &self,
        time: f64,
        cells: usize,
        options: Options,
        how: Stepping,
        end: f64,
    ) -> Result<Seen> {
        let (dx, rows) = (1.0 / cells as f64, 2 * cells);
        let domain = space::<3>(dx, None)?;
        let matter = oldroyd(1.0, LAMBDA, time, ETA)?;
        let mut set = Mpm::new("liquid", &domain, matter, options);
        set.add(fill(dx, rows))?;
        let mut world = lab::world::<f64, 3>(domain, 1)?;
        world.add(set)?;
        world.colliders.push(wall(1, 0.0, 1.0, Contact::Sticky));
        let plate = Plane {
            point: Vector::axis(1),
            normal: -Vector::axis(1),
            velocity: Vector::axis(0) * self.speed,
        };
        world.colliders.push(Collider {
            name: "plate".into(),
            obstacle: Box::new(plate),
            contact: Contact::Sticky,
        });
        how.set(&mut world);
        let (mut u, mut peak) = ([f64::NAN; 4], 0f64);
        for k in 1..=3 * LOOKS {
            let t = k as f64 / LOOKS as f64;
            world.advance(t)?;
            let now = velocity(&world, "liquid", rows, &[0.5])?[0];
            peak = worst([peak, now]);
            if let Some(n) = TIMES.iter().position(|&at| at == t) {
                u[n] = now;
            }
        }
        let mut stress = None;
        if end == END {
            // Near the steady state how long steps are is of no matter.
            world.limit_step(10.0 * how.longest);
            world.advance(end)?;
            let strain = strains(&world, "liquid")?;
            let motion = gradients(&world, "liquid")?;
            let of = |((b, ratio), l): (&(_, f64), _)| shear_stress(b, *ratio, l);
            let all: Vec<f64> = strain.iter().zip(&motion).map(of).collect();
            let middle = &by_rows(&all, rows)[rows / 4..rows - rows / 4];
            stress = Some(middle.iter().sum::<f64>() / middle.len() as f64);
        }
        Ok(Seen { u, peak, stress })
    }
    /// A run against the data.
    fn compare(&self, b: &mut Bench, how: &str, seen: &Seen, tag: Tag) {
        let name = format!("{}, {how}", self.name);
        for (t, u) in TIMES.into_iter().zip(seen.u) {
            b.relative(
                &format!("{name}: u(h/2) at {t}"),
                u,
                self.at(t, 2),
                0.02,
                tag,
            );
        }
        let over = |peak: f64| peak / (0.5 * self.speed) - 1.0;
        let title = format!("{name}: overshoot of u(h/2)");
        b.relative(&title, over(seen.peak), over(self.peak), 0.03, tag);
        if let Some(stress) = seen.stress {
            let title = format!("{name}: steady stress");
            b.relative(&title, stress, self.at(END, 4), 0.01, tag);
        }
    }
    /// The classical model's stress is another.
    fn classical(&self, b: &mut Bench, seen: &Seen) {
        let title = format!("{}, held to the classical model: steady stress", self.name);
        let stress = seen.stress.unwrap_or(f64::NAN);
        b.relative(&title, stress, self.at(END, 6), 0.01, Tag::G);
        b.control();
    }
    /// Finite differences find the same as the data, which say nothing of the peak.
    fn twin(&self, b: &mut Bench) {
        let (u, _) = differences(self.speed, 100);
        for (model, column) in [("", 2), (", held to the classical model", 5)] {
            let off = |(t, u): (f64, &f64)| (u / self.at(t, column) - 1.0).abs();
            let title = format!("{}, finite differences{model}: u(h/2) off", self.name);
            let most = worst(TIMES.into_iter().zip(&u).map(off));
            b.at_most(&title, most, 1e-3, Tag::M);
        }
        b.control();
    }
}

/// σ_xy = μ b_xy/J + 2η ε_xy
fn shear_stress(b: &Matrix<f64, 3>, ratio: f64, l: &Matrix<f64, 3>) -> f64 {
    keep_volume(b, ratio)[(0, 1)] / ratio + ETA * (l[(0, 1)] + l[(1, 0)])
}

/// u(h/2) at the four times and its highest value by staggered differences on `n` cells and explicit steps:
/// ∂u/∂t = ∂/∂y (b_xy (b_xx − b_xy²)^{−1/3} + η ∂u/∂y), ∂b_xy/∂t = ∂u/∂y − b_xy, ∂b_xx/∂t = 2 b_xy ∂u/∂y − (b_xx − 1).
fn differences(speed: f64, n: usize) -> ([f64; 4], f64) {
    let dy = 1.0 / n as f64;
    // A quarter of the stable step, of those that divide a second evenly.
    let steps = (2.0 * ETA / (0.25 * dy * dy)).ceil() as usize;
    let dt = 1.0 / steps as f64;
    let mut u = vec![0.0; n + 1];
    u[n] = speed;
    let (mut xy, mut xx, mut stress) = (vec![0.0; n], vec![1.0; n], vec![0.0; n]);
    let (mut seen, mut peak) = ([f64::NAN; 4], 0f64);
    for k in 1..=3 * steps {
        for i in 0..n {
            let rate = (u[i + 1] - u[i]) / dy;
            let det: f64 = xx[i] - xy[i] * xy[i];
            stress[i] = xy[i] / det.cbrt() + ETA * rate;
            xx[i] += dt * (2.0 * rate * xy[i] - (xx[i] - 1.0));
            xy[i] += dt * (rate - xy[i]);
        }
        for i in 1..n {
            u[i] += dt * (stress[i] - stress[i - 1]) / dy;
        }
        peak = worst([peak, u[n / 2]]);
        let t = k as f64 / steps as f64;
        if let Some(n_t) = TIMES.iter().position(|&at| at == t) {
            seen[n_t] = u[n / 2];
        }
    }
    (seen, peak)
}

/// Backward Euler, solved to what does not show in the rows.
fn backward(dt: f64) -> Stepping {
    Stepping {
        tolerance: 1e-4,
        ..Stepping::implicit(dt)
    }
}

/// V3: u(h/2), its overshoot and the steady stress for two speeds of the plate.
pub fn v3(b: &mut Bench) -> Result<()> {
    let a = Plates::new(
        "A",
        0.5,
        include_str!("../../../data/oldroyd_couette_startup_A.csv"),
    );
    let fast = Plates::new(
        "B",
        2.0,
        include_str!("../../../data/oldroyd_couette_startup_B.csv"),
    );
    for case in [&a, &fast] {
        case.twin(b);
        let seen = case.run(1.0, CELLS, Options::default(), Stepping::EXPLICIT, END)?;
        case.compare(b, "explicit", &seen, Tag::G);
        case.classical(b, &seen);
    }
    let quick = a.run(0.5, CELLS, Options::default(), Stepping::EXPLICIT, 3.0)?;
    let from = b.rows.len();
    a.compare(b, "Wi half as long", &quick, Tag::G);
    b.controls(from);
    // Steps for which backward Euler itself is good enough: with twice as long ones the overshoot is missed.
    let seen = a.run(1.0, CELLS, multilinear(), backward(0.005), END)?;
    a.compare(b, "implicit, multilinear", &seen, Tag::M);
    if !b.long {
        return Ok(());
    }
    for (case, dt) in [(&a, 0.005), (&fast, 0.0025)] {
        let seen = case.run(1.0, CELLS, multilinear(), Stepping::EXPLICIT, END)?;
        case.compare(b, "explicit, multilinear", &seen, Tag::M);
        let seen = case.run(1.0, CELLS, Options::default(), backward(dt), END)?;
        case.compare(b, "implicit", &seen, Tag::G);
    }
    let seen = fast.run(1.0, CELLS, multilinear(), backward(0.0025), END)?;
    fast.compare(b, "implicit, multilinear", &seen, Tag::M);
    let seen = a.run(1.0, 2 * CELLS, Options::default(), Stepping::EXPLICIT, END)?;
    a.compare(b, "explicit, 64 cells", &seen, Tag::G);
    Ok(())
}
