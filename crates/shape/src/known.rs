//! What motions were last asked for: distances are asked for at many places, but at few times.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};

use thixo_math::{Matrix, Vector};

use crate::pose::{Pose, Twist};

/// Moments that a thread remembers, of all motions together.
const MOMENTS: usize = 512;

/// The number of a motion, by which threads remember it.
#[derive(Clone, Debug)]
pub(crate) struct Known(u64);

/// A pose and its rate of change, in as many dimensions as there are.
#[derive(Clone, Copy)]
struct Moment {
    who: u64,
    time: u64,
    rotation: [[f64; 3]; 3],
    spin: [[f64; 3]; 3],
    translation: [f64; 3],
    linear: [f64; 3],
}

/// No motion has the number 0.
const NONE: Moment = Moment {
    who: 0,
    time: 0,
    rotation: [[0.0; 3]; 3],
    spin: [[0.0; 3]; 3],
    translation: [0.0; 3],
    linear: [0.0; 3],
};

thread_local! {
    static LAST: RefCell<Vec<Moment>> = RefCell::new(vec![NONE; MOMENTS]);
}

fn wide<const D: usize>(m: &Matrix<f64, D>) -> [[f64; 3]; 3] {
    std::array::from_fn(|i| std::array::from_fn(|j| if i < D && j < D { m[(i, j)] } else { 0.0 }))
}
fn long<const D: usize>(v: &Vector<f64, D>) -> [f64; 3] {
    std::array::from_fn(|i| if i < D { v[i] } else { 0.0 })
}

impl Known {
    /// Of a motion that nobody has asked for yet.
    pub fn new() -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(1);
        Self(COUNT.fetch_add(1, Ordering::Relaxed))
    }
    /// What `find` finds for time `t`, of which it must be a function. It is not asked again soon.
    pub fn at<const D: usize>(
        &self,
        t: f64,
        find: impl FnOnce() -> (Pose<D>, Twist<D>),
    ) -> (Pose<D>, Twist<D>) {
        let (who, time) = (self.0, t.to_bits());
        let mixed = (time ^ who.rotate_left(32)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let place = (mixed >> 32) as usize % MOMENTS;
        let known =
            LAST.with_borrow(|last| Some(last[place]).filter(|m| (m.who, m.time) == (who, time)));
        if let Some(m) = known {
            let pose = Pose {
                rotation: Matrix::from_fn(|i, j| m.rotation[i][j]),
                translation: Vector::from_fn(|i| m.translation[i]),
            };
            let twist = Twist {
                linear: Vector::from_fn(|i| m.linear[i]),
                spin: Matrix::from_fn(|i, j| m.spin[i][j]),
            };
            return (pose, twist);
        }
        let (pose, twist) = find();
        LAST.with_borrow_mut(|last| {
            last[place] = Moment {
                who,
                time,
                rotation: wide(&pose.rotation),
                spin: wide(&twist.spin),
                translation: long(&pose.translation),
                linear: long(&twist.linear),
            };
        });
        (pose, twist)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remembers_each_motion_and_time_apart() {
        let (a, b) = (Known::new(), Known::new());
        let at = |x: f64| {
            let translation = Vector([x, 1.0, -x]);
            let pose = Pose {
                rotation: Matrix::scalar(x),
                translation,
            };
            (
                pose,
                Twist {
                    linear: translation,
                    spin: Matrix::scalar(-x),
                },
            )
        };
        let asked = std::cell::Cell::new(0);
        let ask = |who: &Known, t: f64, x: f64| {
            who.at::<3>(t, || {
                asked.set(asked.get() + 1);
                at(x)
            })
        };
        // More moments than are remembered, again and again.
        for round in 0..3 {
            for k in 0..2 * MOMENTS {
                let t = k as f64 * 0.1;
                assert_eq!(ask(&a, t, t), at(t), "round {round}");
                assert_eq!(ask(&b, t, -t), at(-t), "round {round}");
            }
        }
        let before = asked.get();
        for _ in 0..10 {
            assert_eq!(ask(&a, 7.0, 7.0), at(7.0));
        }
        assert!(asked.get() <= before + 1);
    }
}
