//! How a rigid obstacle moves.

use std::fmt;
use std::sync::Arc;

use thixo_math::{Matrix, Vector};

use crate::error::{Result, ShapeError, finite_vector};
use crate::pose::{Pose, Twist, rotation_of, spin_rate, turn_of};

/// A pose and its rate of change as a function of time \[s\].
pub type PathFunction<const D: usize> = Arc<dyn Fn(f64) -> (Pose<D>, Twist<D>) + Send + Sync>;

/// How a rigid obstacle moves.
#[derive(Clone)]
pub enum Motion<const D: usize> {
    /// Not at all.
    Fixed,
    /// At a constant velocity, turning at a constant rate about a pivot that moves along.
    Moving {
        /// Of the pivot \[m/s\].
        velocity: Vector<f64, D>,
        /// Skew matrix, see [`spin_2d`](crate::spin_2d) and [`spin_3d`](crate::spin_3d) \[rad/s\].
        spin: Matrix<f64, D>,
        /// Where the pivot is at t = 0 \[m\].
        pivot: Vector<f64, D>,
    },
    /// Through key poses.
    Keyframed(Keys<D>),
    /// By a function of time, which must give the twist that belongs to the pose.
    Path(PathFunction<D>),
}

impl<const D: usize> fmt::Debug for Motion<D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed => f.write_str("Fixed"),
            Self::Moving {
                velocity,
                spin,
                pivot,
            } => write!(f, "Moving {{ {velocity:?}, {spin:?}, {pivot:?} }}"),
            Self::Keyframed(k) => k.fmt(f),
            Self::Path(_) => f.write_str("Path"),
        }
    }
}

/// Poses at given times. A point of the body, the pivot, moves in straight lines between them, the
/// rotation goes the shortest way at a constant rate (slerp).
#[derive(Clone, Debug, PartialEq)]
pub struct Keys<const D: usize> {
    times: Vec<f64>,
    poses: Vec<Pose<D>>,
    turns: Vec<Matrix<f64, D>>,
    pivot: Vector<f64, D>,
    repeat: bool,
}

impl<const D: usize> Keys<D> {
    /// At increasing times \[s\]. Before the first and after the last the body rests there; with
    /// `repeat` the whole starts anew (from the last pose straight to the first if they differ).
    pub fn new(times: Vec<f64>, poses: Vec<Pose<D>>, repeat: bool) -> Result<Self> {
        let wrong = |why: String| ShapeError::Mismatch {
            what: "key frames do not fit together",
            why,
        };
        if times.len() != poses.len() || times.is_empty() {
            return Err(wrong(format!(
                "{} times for {} poses",
                times.len(),
                poses.len()
            )));
        }
        if !times.iter().all(|t| t.is_finite()) || !times.windows(2).all(|w| w[0] < w[1]) {
            return Err(wrong("times must increase and be finite".into()));
        }
        if let Some(i) = poses.iter().position(|p| !p.is_rigid()) {
            return Err(wrong(format!("pose {i} is no rigid placement")));
        }
        let turns = poses
            .windows(2)
            .map(|p| turn_of(&p[0].rotation.transpose_times(&p[1].rotation)))
            .collect();
        Ok(Self {
            times,
            poses,
            turns,
            pivot: Vector::zero(),
            repeat,
        })
    }
    /// With another pivot than the origin \[m\].
    pub fn about(self, pivot: Vector<f64, D>) -> Self {
        Self { pivot, ..self }
    }
    /// Where the pivot is at a key.
    fn pivot_at(&self, key: usize) -> Vector<f64, D> {
        self.poses[key].apply(&self.pivot)
    }
    /// The interval that `t` is in and the time in it; a key belongs to the interval after it.
    fn locate(&self, t: f64) -> (f64, Option<usize>) {
        let (first, last) = (self.times[0], self.times[self.times.len() - 1]);
        let t = if self.repeat && last > first {
            first + (t - first).rem_euclid(last - first)
        } else {
            t
        };
        let after = self.times.partition_point(|&k| k <= t);
        let interval = (after > 0 && after < self.times.len()).then(|| after - 1);
        (t, interval)
    }
    fn pose(&self, t: f64) -> Pose<D> {
        let (t, interval) = self.locate(t);
        let Some(i) = interval else {
            let end = if t < self.times[0] {
                0
            } else {
                self.poses.len() - 1
            };
            return self.poses[end];
        };
        let g = (t - self.times[i]) / (self.times[i + 1] - self.times[i]);
        let rotation = self.poses[i].rotation * rotation_of(&(self.turns[i] * g));
        let pivot = self.pivot_at(i) * (1.0 - g) + self.pivot_at(i + 1) * g;
        Pose {
            rotation,
            translation: pivot - rotation * self.pivot,
        }
    }
    /// Velocity of the pivot and spin in interval `i`.
    fn rates(&self, i: usize) -> (Vector<f64, D>, Matrix<f64, D>) {
        let dt = self.times[i + 1] - self.times[i];
        let r = self.poses[i].rotation;
        let velocity = (self.pivot_at(i + 1) - self.pivot_at(i)) / dt;
        (velocity, r * self.turns[i].times_transpose(&r) / dt)
    }
    /// The rate of change of the pose: of its origin, which turns about the pivot.
    fn twist(&self, t: f64) -> Twist<D> {
        let Some(i) = self.locate(t).1 else {
            return Twist::zero();
        };
        let (velocity, spin) = self.rates(i);
        Twist {
            linear: velocity - spin * (self.pose(t).rotation * self.pivot),
            spin,
        }
    }
}

impl<const D: usize> Motion<D> {
    /// Refuses what is not finite.
    pub fn check(&self) -> Result<()> {
        if let Self::Moving {
            velocity,
            spin,
            pivot,
        } = self
        {
            finite_vector("velocity of the obstacle", *velocity)?;
            finite_vector("pivot of the obstacle", *pivot)?;
            if !spin.finite() || spin.sym().max_abs() > 1e-9 * spin.max_abs() {
                return Err(ShapeError::Mismatch {
                    what: "spin of the obstacle",
                    why: "it must be finite and skew: use spin_2d or spin_3d".into(),
                });
            }
        }
        Ok(())
    }
    /// Where the body is at time `t`.
    pub fn pose(&self, t: f64) -> Pose<D> {
        match self {
            Self::Fixed => Pose::identity(),
            Self::Moving {
                velocity,
                spin,
                pivot,
            } => {
                let rotation = rotation_of(&(*spin * t));
                Pose {
                    rotation,
                    translation: *pivot + *velocity * t - rotation * *pivot,
                }
            }
            Self::Keyframed(k) => k.pose(t),
            Self::Path(f) => f(t).0,
        }
    }
    /// The exact rate of change of the pose; at a key, that after it.
    pub fn twist(&self, t: f64) -> Twist<D> {
        match self {
            Self::Fixed => Twist::zero(),
            Self::Moving {
                velocity,
                spin,
                pivot,
            } => Twist {
                linear: *velocity - *spin * (rotation_of(&(*spin * t)) * *pivot),
                spin: *spin,
            },
            Self::Keyframed(k) => k.twist(t),
            Self::Path(f) => f(t).1,
        }
    }
    /// Pose and its rate of change at time `t`.
    pub fn moment(&self, t: f64) -> (Pose<D>, Twist<D>) {
        match self {
            Self::Path(f) => f(t),
            _ => (self.pose(t), self.twist(t)),
        }
    }
    /// Largest speed \[m/s\] in [t0, t1] of the body's frame within `radius` of `x`. Exact bounds,
    /// but for a path: there half as much again as the largest of 17 samples.
    pub fn speed_bound(&self, x: &Vector<f64, D>, radius: f64, t0: f64, t1: f64) -> f64 {
        self.speed_bound_by(x, radius, (t0, t1), &|t| self.moment(t))
    }
    /// The same by someone who may know the moments already.
    pub(crate) fn speed_bound_by(
        &self,
        x: &Vector<f64, D>,
        radius: f64,
        (t0, t1): (f64, f64),
        at: &dyn Fn(f64) -> (Pose<D>, Twist<D>),
    ) -> f64 {
        match self {
            Self::Fixed => 0.0,
            Self::Moving {
                velocity,
                spin,
                pivot,
            } => {
                let far = |t: f64| (*x - *pivot - *velocity * t).norm();
                velocity.norm() + spin_rate(spin) * (radius + far(t0).max(far(t1)))
            }
            Self::Keyframed(k) => (0..k.turns.len())
                .filter(|&i| k.repeat || (k.times[i] <= t1 && t0 <= k.times[i + 1]))
                .map(|i| {
                    let (velocity, spin) = k.rates(i);
                    let far = |j: usize| (*x - k.pivot_at(j)).norm();
                    velocity.norm() + spin_rate(&spin) * (radius + far(i).max(far(i + 1)))
                })
                .fold(0.0, f64::max),
            Self::Path(_) => (0..=16)
                .map(|i| {
                    let (pose, w) = at(t0 + (t1 - t0) * f64::from(i) / 16.0);
                    w.at(&pose, x).norm() + spin_rate(&w.spin) * radius
                })
                .fold(0.0, |m, s| f64::max(m, 1.5 * s)),
        }
    }
}
