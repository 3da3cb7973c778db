//! An obstacle with a contact law.

use std::fmt::Debug;
use std::sync::Arc;

use thixo_math::Vector;

use crate::error::Result;
use crate::known::Known;
use crate::pose::{Pose, Twist};
use crate::{Contact, Motion, Shape};

/// Signed distance of an obstacle that stands still \[m\].
pub type Still<'a, const D: usize> = Box<dyn Fn(&Vector<f64, D>) -> f64 + Send + Sync + 'a>;

/// Something solid that may move: a rigid shape under a motion, or a deforming one.
pub trait Obstacle<const D: usize>: Debug + Send + Sync {
    /// Signed distance at time `t` \[m\], negative inside, as for a [`Shape`].
    fn distance(&self, x: &Vector<f64, D>, t: f64) -> f64;
    /// The distance at one time, for many places: what follows from the time alone is found once.
    fn still(&self, t: f64) -> Still<'_, D> {
        Box::new(move |x| self.distance(x, t))
    }
    /// Unit outward normal at time `t`.
    fn normal(&self, x: &Vector<f64, D>, t: f64) -> Vector<f64, D>;
    /// Velocity of the obstacle's matter at (or nearest to) `x` at time `t` \[m/s\].
    fn velocity(&self, x: &Vector<f64, D>, t: f64) -> Vector<f64, D>;
    /// How fast the distance may change with time \[m/s\], within `radius` of `x` and in [t0, t1].
    /// Unless an obstacle knows better: twice the largest of nine samples of the speed.
    fn speed_bound(&self, x: &Vector<f64, D>, _radius: f64, t0: f64, t1: f64) -> f64 {
        (0..=8)
            .map(|i| self.velocity(x, t0 + (t1 - t0) * f64::from(i) / 8.0))
            .fold(0.0, |m, v| f64::max(m, 2.0 * v.norm()))
    }
    /// Whether the distance is the true one everywhere, as for a [`Shape`].
    fn is_exact(&self) -> bool {
        false
    }
    /// How fast the distance may change with place: 1 for a true distance.
    fn slope(&self) -> f64 {
        1.0
    }
    /// Where a point that moves with the obstacle gets from `x` between t0 and t1. Unless an
    /// obstacle knows better, by four steps of the classical Runge–Kutta method.
    fn carry(&self, x: &Vector<f64, D>, t0: f64, t1: f64) -> Vector<f64, D> {
        let h = 0.25 * (t1 - t0);
        (0..4).fold(*x, |x, i| {
            let t = t0 + h * f64::from(i);
            let a = self.velocity(&x, t);
            let b = self.velocity(&(x + a * (0.5 * h)), t + 0.5 * h);
            let c = self.velocity(&(x + b * (0.5 * h)), t + 0.5 * h);
            let d = self.velocity(&(x + c * h), t + h);
            x + (a + (b + c) * 2.0 + d) * (h / 6.0)
        })
    }
}

/// A shape under a rigid motion.
#[derive(Clone, Debug)]
pub struct Rigid<const D: usize> {
    shape: Arc<dyn Shape<D>>,
    motion: Motion<D>,
    known: Known,
}

impl<const D: usize> Rigid<D> {
    /// `shape` as it is placed when the motion's pose is the identity.
    pub fn new(shape: Arc<dyn Shape<D>>, motion: Motion<D>) -> Result<Self> {
        motion.check()?;
        let known = Known::new();
        Ok(Self {
            shape,
            motion,
            known,
        })
    }
    /// A shape at rest.
    pub fn fixed(shape: Arc<dyn Shape<D>>) -> Self {
        Self {
            shape,
            motion: Motion::Fixed,
            known: Known::new(),
        }
    }
    /// The shape.
    pub fn shape(&self) -> &Arc<dyn Shape<D>> {
        &self.shape
    }
    /// How it moves.
    pub fn motion(&self) -> &Motion<D> {
        &self.motion
    }
    /// Where it is at time `t`, and how fast it moves.
    fn at(&self, t: f64) -> (Pose<D>, Twist<D>) {
        self.known.at(t, || self.motion.moment(t))
    }
}

impl<const D: usize> Obstacle<D> for Rigid<D> {
    fn is_exact(&self) -> bool {
        self.shape.is_exact()
    }
    fn distance(&self, x: &Vector<f64, D>, t: f64) -> f64 {
        match self.motion {
            Motion::Fixed => self.shape.distance(x),
            _ => self.shape.distance(&self.at(t).0.back(x)),
        }
    }
    fn still(&self, t: f64) -> Still<'_, D> {
        let pose = self.motion.pose(t);
        match self.motion {
            Motion::Fixed => Box::new(|x| self.shape.distance(x)),
            _ => Box::new(move |x| self.shape.distance(&pose.back(x))),
        }
    }
    fn normal(&self, x: &Vector<f64, D>, t: f64) -> Vector<f64, D> {
        match self.motion {
            Motion::Fixed => self.shape.normal(x),
            _ => {
                let pose = self.at(t).0;
                pose.rotation * self.shape.normal(&pose.back(x))
            }
        }
    }
    fn velocity(&self, x: &Vector<f64, D>, t: f64) -> Vector<f64, D> {
        match self.motion {
            Motion::Fixed => Vector::zero(),
            _ => {
                let (pose, twist) = self.at(t);
                twist.at(&pose, x)
            }
        }
    }
    fn speed_bound(&self, x: &Vector<f64, D>, radius: f64, t0: f64, t1: f64) -> f64 {
        self.motion
            .speed_bound_by(x, radius, (t0, t1), &|t| self.at(t))
    }
    fn carry(&self, x: &Vector<f64, D>, t0: f64, t1: f64) -> Vector<f64, D> {
        match self.motion {
            Motion::Fixed => *x,
            _ => self.at(t1).0.apply(&self.at(t0).0.back(x)),
        }
    }
}

/// An obstacle with the law by which matter meets it.
#[derive(Debug)]
pub struct Collider<const D: usize> {
    /// Name, for messages.
    pub name: String,
    /// Where and how it moves.
    pub obstacle: Box<dyn Obstacle<D>>,
    /// The law of contact.
    pub contact: Contact,
}

impl<const D: usize> Collider<D> {
    /// A rigid collider.
    pub fn rigid(
        name: &str,
        shape: Arc<dyn Shape<D>>,
        motion: Motion<D>,
        contact: Contact,
    ) -> Result<Self> {
        contact.check()?;
        Ok(Self {
            name: name.into(),
            obstacle: Box::new(Rigid::new(shape, motion)?),
            contact,
        })
    }
}
