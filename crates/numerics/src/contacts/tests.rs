//! Friction of single points within a solve, against Coulomb's law.

use thixo_math::{Matrix, Vector};
use thixo_shape::{Contact, Touch};

use super::{Contacts, Held};
use crate::integrate::{Accuracy, Workspace, backward_euler};
use crate::{Dynamics, Point};

const STEP: f64 = 0.1;
const MASS: f64 = 2.0;

/// A spring of stiffness k between two points, ½ k dt² ‖v₁ − v₀‖²: quadratic in v.
struct Spring(f64);

impl<const D: usize> Dynamics<f64, D> for Spring {
    fn energy(&mut self, v: &[Point<f64>]) -> f64 {
        let d: f64 = (0..D).map(|a| (v[1][a] - v[0][a]).powi(2)).sum();
        0.5 * self.0 * STEP * STEP * d
    }
    fn gradient(&mut self, v: &[Point<f64>], to: &mut [Point<f64>]) -> f64 {
        self.product_of::<D>(v, to);
        Dynamics::<f64, D>::energy(self, v)
    }
    fn linearise(&mut self, _: &[Point<f64>], _: bool) {}
    fn product(&self, x: &[Point<f64>], to: &mut [Point<f64>]) {
        self.product_of::<D>(x, to);
    }
    fn diagonal(&self, to: &mut [Matrix<f64, D>]) {
        for block in to {
            *block += Matrix::scalar(self.0 * STEP * STEP);
        }
    }
}

impl Spring {
    fn product_of<const D: usize>(&self, x: &[Point<f64>], to: &mut [Point<f64>]) {
        for a in 0..D {
            let f = self.0 * STEP * STEP * (x[1][a] - x[0][a]);
            to[0][a] -= f;
            to[1][a] += f;
        }
    }
}

fn touch<const D: usize>(
    normal: Vector<f64, D>,
    velocity: Vector<f64, D>,
    friction: f64,
) -> Touch<D> {
    Touch {
        normal,
        velocity,
        contact: Contact::Separating { friction },
    }
}

/// The velocities of two points after a step under the acceleration `g`; the first one touches surfaces.
fn step<const D: usize>(
    touches: Vec<Touch<D>>,
    stiffness: f64,
    now: [Point<f64>; 2],
    g: Vector<f64, D>,
) -> Vec<Point<f64>> {
    let mut aim = now;
    for v in &mut aim {
        for a in 0..D {
            v[a] += STEP * g[a];
        }
    }
    let mut contacts = Contacts::new(vec![Held::new(0, touches)], 1e-3);
    let mut work = Workspace::default();
    let accuracy = Accuracy {
        tolerance: 1e-9,
        ..Accuracy::default()
    };
    let effort = backward_euler(
        &[MASS; 2],
        [&now, &aim],
        &mut [Box::new(Spring(stiffness))],
        &mut contacts,
        (&accuracy, 0.0),
        &mut work,
    );
    assert!(effort.converged(), "{effort:?}");
    work.u
}

/// On an incline of slope s: a point that is bound to another one slides as both together, or sticks.
#[test]
fn coulomb_on_an_incline() {
    let mu = 0.5;
    for (slope, slides) in [(0.2f64, false), (0.45, false), (0.55, true), (2.0, true)] {
        let angle = slope.atan();
        let g = Vector([angle.sin(), -angle.cos(), 0.0]) * 10.0;
        let up = touch(Vector([0.0, 1.0, 0.0]), Vector::zero(), mu);
        // So stiff that both move as one: the weight of both presses.
        let v = step::<3>(vec![up], 1e6, [[0.0; 4]; 2], g);
        let expected = if slides {
            STEP * 10.0 * (angle.sin() - mu * angle.cos())
        } else {
            0.0
        };
        for v in &v {
            assert!((v[0] - expected).abs() < 1e-3, "{slope}: {v:?}");
            assert!(v[1].abs() < 1e-3 && v[2] == 0.0);
        }
        // Without friction it would slide in any case: the check can fail.
        let up = touch(Vector([0.0, 1.0, 0.0]), Vector::zero(), 0.0);
        let free = step::<3>(vec![up], 1e6, [[0.0; 4]; 2], g);
        assert!((free[0][0] - expected).abs() > 1e-2);
    }
}

/// Friction stops what slides and does not turn it round; it acts against the velocity relative to the surface.
#[test]
fn friction_stops_and_carries() {
    let g = Vector([0.0, -10.0, 0.0]);
    let at = |w: f64, mu: f64| touch(Vector([0.0, 1.0, 0.0]), Vector([0.0, 0.0, w]), mu);
    // μ g dt = 0.5 m/s of each.
    let sliding = [[0.0, 0.0, 2.0, 0.0]; 2];
    let v = step::<3>(vec![at(0.0, 0.5)], 1e6, sliding, g);
    assert!((v[0][2] - 1.5).abs() < 1e-3, "{v:?}");
    let slow = [[0.0, 0.0, 0.3, 0.0]; 2];
    let v = step::<3>(vec![at(0.0, 0.5)], 1e6, slow, g);
    assert!(v[0][2].abs() < 1e-9 && v[1][2].abs() < 1e-3, "{v:?}");
    // A belt takes along.
    let v = step::<3>(vec![at(4.0, 0.5)], 1e6, slow, g);
    assert!((v[0][2] - 0.8).abs() < 1e-3, "{v:?}");
    let v = step::<3>(vec![at(0.4, 0.5)], 1e6, slow, g);
    assert!((v[0][2] - 0.4).abs() < 1e-9, "{v:?}");
}

/// A surface that is left does not hold, nor rub; in a corner both normals hold and what is along both slides.
#[test]
fn leaves_and_corners() {
    let up = touch(Vector([0.0, 1.0, 0.0]), Vector::zero(), 0.9);
    let rising = [[1.0, 3.0, 0.0, 0.0]; 2];
    let v = step::<3>(vec![up], 10.0, rising, Vector([0.0, -10.0, 0.0]));
    assert!((v[0][1] - 2.0).abs() < 1e-9 && (v[0][0] - 1.0).abs() < 1e-9);
    let side = touch(Vector([1.0, 0.0, 0.0]), Vector::zero(), 0.1);
    let up = touch(Vector([0.0, 1.0, 0.0]), Vector::zero(), 0.1);
    let v = step::<3>(
        vec![up, side],
        1e6,
        [[-1.0, -1.0, 1.0, 0.0]; 2],
        Vector::zero(),
    );
    // Both press with 2 m each: 2 × 0.1 × 1 m/s along the edge, for each of the two points.
    assert!(v[0][0].abs() < 1e-3 && v[0][1].abs() < 1e-3);
    assert!((v[0][2] - 0.8).abs() < 1e-3, "{v:?}");
    // In the plane a corner holds all.
    let side = touch(Vector([1.0, 0.0]), Vector::zero(), 0.1);
    let up = touch(Vector([0.0, 1.0]), Vector::zero(), 0.1);
    let v = step::<2>(vec![up, side], 10.0, [[-1.0; 4]; 2], Vector::zero());
    assert_eq!([v[0][0], v[0][1]], [0.0; 2]);
}

/// Many points that hit surfaces at once, each for itself: every one follows Coulomb's law, however long the step that
/// `slow` was taken from.
#[test]
fn impacts_of_many_points() {
    let mut state = 1u64;
    let mut random = || {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 40) as f64 / (1u64 << 24) as f64 * 2.0 - 1.0
    };
    let mu = 0.4;
    let n = 300;
    let mut vector = || Vector::<f64, 3>::from_fn(|_| random());
    let normals: Vec<_> = (0..n).map(|_| vector().unit().unwrap()).collect();
    let aims: Vec<_> = (0..n).map(|_| vector() * 5.0).collect();
    let others: Vec<_> = (0..n).map(|_| vector() * 5.0).collect();
    let held = |i: usize| Held::new(i, vec![touch(normals[i], Vector::zero(), mu)]);
    let point = |v: &Vector<f64, 3>| [v[0], v[1], v[2], 0.0];
    let mass: Vec<f64> = (0..n).map(|i| 10f64.powi(i as i32 % 4)).collect();
    // From velocities near those that are aimed at, and from any.
    for (slow, share) in [(1e-6, 0.99), (1e-3, 0.99), (1e-3, 0.0), (1e-6, 0.0)] {
        let mut contacts = Contacts::new((0..n).map(held).collect(), slow);
        let now: Vec<Point<f64>> = (0..n)
            .map(|i| point(&(aims[i] * share + others[i] * (1.0 - share))))
            .collect();
        let aim: Vec<Point<f64>> = aims.iter().map(point).collect();
        let mut work = Workspace::default();
        let accuracy = Accuracy {
            tolerance: 1e-6,
            ..Accuracy::default()
        };
        let none: &mut [Box<dyn Dynamics<f64, 3>>] = &mut [];
        let effort = backward_euler(
            &mass,
            [&now, &aim],
            none,
            &mut contacts,
            (&accuracy, 0.0),
            &mut work,
        );
        assert!(effort.converged(), "slow {slow}: {effort:?}");
        assert!(effort.iterations <= 12, "slow {slow}: {effort:?}");
        for i in 0..n {
            let into = aims[i].dot(&normals[i]);
            let along = aims[i] - normals[i] * into;
            let expected = match into < 0.0 {
                true => along * (1.0 + mu * into / along.norm()).max(0.0),
                false => aims[i],
            };
            let u = Vector::<f64, 3>::from_fn(|a| work.u[i][a]);
            assert!(
                (u - expected).norm() < 1e-3,
                "slow {slow}, {i}: {u:?} {expected:?}"
            );
        }
    }
}
