//! V5: a blob that turns, with strain that it never forgets.
//!
//! The blob is held on circles by an acceleration −ω² x, and its stress is next to nothing: so all that changes b is the
//! motion. Explicit steps take velocity and position in turn, v at half steps. A blob that starts with the velocities of
//! t = 0 goes on ellipses, 1 ± ω dt/2 as wide, and its strain is off by as much and no more.
//!
//! Implicit steps move particles by x = xⁿ + dt v(x), [Jiang15] §A.6.2, and deform them by F = (I + dt ∇v) Fⁿ. Of a turn
//! the first makes a spiral inwards and the second one outwards, each by (ω dt)²/2 per step: the drift is of the first
//! order, as the gate says, but so large that 360 steps miss the gate.

use std::f64::consts::TAU;
use std::sync::Arc;

use thixo_core::{Error, Result, World};
use thixo_material::Numbers;
use thixo_material::flow::Kept;
use thixo_material::reference::{Element, ram_14};
use thixo_math::{Matrix, Vector};
use thixo_mpm::{Mpm, Options, Place, Seed};

use super::{oldroyd, strains};
use crate::lab::{self, Stepping, lattice, order, worst};
use crate::{Bench, Tag};

const DX: f64 = 0.1;
/// One turn takes one second.
const OMEGA: f64 = TAU;

/// b_OB at the start: stretched in the plane, and turned by a radian.
fn start<const D: usize>() -> Matrix<f64, D> {
    let stretch = Matrix::diagonal(&Vector::from_fn(|a| [2.0, 0.5, 1.0][a]));
    let turn = rotation::<D>(1.0);
    (turn * stretch).times_transpose(&turn)
}

/// A turn about z by an angle.
fn rotation<const D: usize>(angle: f64) -> Matrix<f64, D> {
    let (s, c) = angle.sin_cos();
    Matrix::from_fn(|i, j| match (i, j) {
        (0, 0) | (1, 1) => c,
        (0, 1) => -s,
        (1, 0) => s,
        _ => f64::from(u8::from(i == j)),
    })
}

/// ω × x as a matrix.
fn spin<const D: usize>() -> Matrix<f64, D> {
    Matrix::from_fn(|i, j| match (i, j) {
        (0, 1) => -OMEGA,
        (1, 0) => OMEGA,
        _ => 0.0,
    })
}

/// How far det b_OB and its eigenvalues are from what they were at the start, in share of it.
fn off<const D: usize>(b: &Matrix<f64, D>) -> f64 {
    let (now, then) = (
        b.symmetric_eigen().values,
        start::<D>().symmetric_eigen().values,
    );
    let values = (0..D).map(|a| (now[a] / then[a] - 1.0).abs());
    worst(values.chain([(b.det() / start::<D>().det() - 1.0).abs()]))
}

/// Gives every particle the strain b_OB.
fn strain<const D: usize>(world: &mut World<f64, D>, b: &Matrix<f64, D>) -> Result<()> {
    let kept = Kept::new(&(*b - Matrix::identity()), 1.0);
    let numbers = kept.all().iter();
    let bytes: Vec<u8> = numbers.flat_map(|x: &f64| x.to_le_bytes()).collect();
    let mut all = world.snapshot();
    let state = all.columns.iter_mut().find(|c| c.name == "blob/state");
    let state = state.ok_or_else(|| Error::Invalid("no state".into()))?;
    for one in state.bytes.chunks_mut(bytes.len()) {
        one.copy_from_slice(&bytes);
    }
    world.restore(&all)
}

/// How a blob turns.
#[derive(Clone, Copy)]
struct Turn {
    /// Steps in the turn.
    steps: u32,
    /// Relaxation time \[s\].
    time: f64,
    /// The part of a step before t = 0 at which the velocities are those of the start.
    before: f64,
    how: Stepping,
}

impl Turn {
    /// The worst that strain is off, of all particles within one turn.
    fn run<const D: usize>(self) -> Result<f64> {
        let dt = 1.0 / f64::from(self.steps);
        let domain = lab::domain::<D>(DX)?;
        let (low, high) = (Vector::splat(-0.5), Vector::splat(0.5));
        let rate = spin::<D>() * rotation(-OMEGA * self.before * dt);
        let inside = |x: &Vector<f64, D>| x.norm() < 0.5;
        let points = lattice(DX, 2, low, high).into_iter().filter(inside);
        let seeds = points.map(|x| Seed {
            v: rate * x,
            C: rate,
            ..Seed::new(x, (0.5 * DX).powi(D as i32), 1000.0)
        });
        let matter = oldroyd(1e-6, 1e-6, self.time, 0.0)?;
        let mut set = Mpm::new("blob", &domain, matter, Options::default());
        set.add(seeds)?;
        let hold = |p: &Place<D>| spin::<D>() * (spin::<D>() * p.x);
        set.add_force(Arc::new(hold));
        let mut world = lab::world::<f64, D>(domain, 1)?;
        world.add(set)?;
        strain(&mut world, &start())?;
        let how = Stepping {
            longest: dt * (1.0 + 1e-9),
            ..self.how
        };
        how.set(&mut world);
        let mut most = 0f64;
        for k in 1..=12 {
            world.advance(f64::from(k) / 12.0)?;
            let all = strains(&world, "blob")?;
            most = worst([most, worst(all.iter().map(|(b, _)| off(b)))]);
        }
        Ok(most)
    }
}

/// One particle that turns by exact rotations, and what (14) and I + dt ∇v make of it.
fn alone<const D: usize>(b: &mut Bench) {
    let (steps, angle) = (360, TAU / 360.0);
    let exact = rotation::<D>(angle) - Matrix::identity();
    let rough = spin::<D>() * (angle / OMEGA);
    let stretch = Matrix::diagonal(&Vector::from_fn(|a| [2f64, 0.5, 1.0][a].sqrt()));
    let first = rotation::<D>(1.0) * stretch - Matrix::identity();
    let around = |h: &Matrix<f64, D>| {
        let mut e = Element::<D>::new(1.0, f64::INFINITY);
        e.step(&first, 1.0);
        (0..steps).for_each(|_| e.step(h, 1.0));
        off(&e.strain())
    };
    let name = format!("{D}D, one particle, 360 rotations");
    b.at_most(
        &format!("{name}: strain off"),
        around(&exact),
        1e-11,
        Tag::X,
    );
    let printed = (0..steps).fold(start::<D>(), |s, _| ram_14(&s, &exact, 0.0));
    b.at_most(
        &format!("{name} by (14): strain off"),
        off(&printed),
        0.01,
        Tag::G,
    );
    b.control();
    let title = format!("{D}D, one particle, 360 times I + dt ∇v: strain off");
    b.at_most(&title, around(&rough), 0.01, Tag::G);
    b.control();
}

/// V5: det b and the eigenvalues within one turn.
pub fn v5(b: &mut Bench) -> Result<()> {
    alone::<2>(b);
    alone::<3>(b);
    let explicit = Turn {
        steps: 360,
        time: f64::INFINITY,
        before: 0.5,
        how: Stepping::EXPLICIT,
    };
    b.at_most(
        "2D, explicit, 360 steps: strain off",
        explicit.run::<2>()?,
        0.01,
        Tag::G,
    );
    if b.long {
        b.at_most(
            "3D, explicit, 360 steps: strain off",
            explicit.run::<3>()?,
            0.01,
            Tag::G,
        );
    }
    let relaxing = Turn {
        time: 1.0,
        ..explicit
    };
    b.at_most(
        "2D, explicit, Wi of a turn: strain off",
        relaxing.run::<2>()?,
        0.01,
        Tag::G,
    );
    b.control();
    let implicit = Turn {
        how: Stepping::implicit(1.0),
        ..explicit
    };
    for (name, how) in [
        ("explicit, velocities of t = −dt/2", explicit),
        (
            "explicit, velocities of t = 0",
            Turn {
                before: 0.0,
                ..explicit
            },
        ),
        ("implicit", implicit),
    ] {
        let [coarse, fine] = [180, 360].map(|steps| Turn { steps, ..how }.run::<2>());
        let (coarse, fine) = (coarse?, fine?);
        b.at_least(
            &format!("2D, {name}: order"),
            order(coarse, fine),
            0.9,
            Tag::G,
        );
        if how.before == 0.0 {
            let title = format!("2D, {name}, 360 steps: strain off/ω dt");
            b.at_most(&title, fine * 360.0 / TAU, 1.1, Tag::G);
        }
    }
    b.at_most(
        "2D, implicit, 360 steps: strain off",
        implicit.run::<2>()?,
        0.01,
        Tag::G,
    );
    // What relaxes does not come nearer by shorter steps.
    let [coarse, fine] = [180, 360].map(|steps| Turn { steps, ..relaxing }.run::<2>());
    b.at_least(
        "2D, explicit, Wi of a turn: order",
        order(coarse?, fine?),
        0.9,
        Tag::G,
    );
    b.control();
    Ok(())
}
