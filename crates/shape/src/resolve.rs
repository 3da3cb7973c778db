//! Keeps a moving point out of all obstacles.

use thixo_math::Vector;

use crate::Collider;
use crate::constrain::{Touch, meet};
use crate::trace::{Hit, closing, march};

/// Touches that are followed one after the other before the point is put down where it is safe.
const ROUNDS: usize = 8;

/// What [`resolve`] met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Resolution {
    /// Touches on the way.
    pub hits: u32,
}

/// The rest of a way: from a safe place and time to a goal.
struct Walk<const D: usize> {
    x: Vector<f64, D>,
    t: f64,
    end: f64,
    goal: Vector<f64, D>,
    /// The obstacle that was met last, and the goal as seen from it now: in its frame the way is
    /// straight, however it moves.
    frame: Option<(usize, Vector<f64, D>)>,
    fine: f64,
    skin: f64,
}

/// Takes a point that goes from `x0` at `t0` to `x1` in `dt` past the colliders: at each touch the
/// rest of the way is bent by the contact laws of all that it touches there (and goes along with
/// the obstacle), and so is the velocity `v`. The end `x1` is then no deeper in any obstacle than
/// `skin` \[m\], and on the side on which the point started, if there is such a place: between
/// closing jaws it is the least deep place found. A point that is inside at the start is first
/// moved out the shortest way.
pub fn resolve<const D: usize>(
    colliders: &[Collider<D>],
    x0: &Vector<f64, D>,
    t0: f64,
    x1: &mut Vector<f64, D>,
    v: &mut Vector<f64, D>,
    dt: f64,
    skin: f64,
) -> Resolution {
    let mut out = Resolution::default();
    let end = t0 + dt;
    if !(x0.finite() && x1.finite() && end.is_finite() && dt >= 0.0) {
        return out;
    }
    let near = |c: &Collider<D>| {
        c.obstacle.distance(x0, t0) <= closing(&*c.obstacle, x0, t0, x1, end) + skin
    };
    if !colliders.iter().any(near) {
        return out;
    }
    let skin = skin.max(1e-12 * (1.0 + x0.max_abs()));
    let mut walk = Walk {
        x: *x0,
        t: t0,
        end,
        goal: *x1,
        frame: None,
        fine: 0.25 * skin,
        skin,
    };
    let mut touches: Vec<Touch<D>> = Vec::new();
    let mut clear = false;
    for _ in 0..ROUNDS {
        let Some((i, hit)) = walk.first(colliders) else {
            clear = true;
            break;
        };
        out.hits += 1;
        let o = &*colliders[i].obstacle;
        let x = walk.out_of(&colliders[i], &hit.x, hit.t);
        // Earlier touches still hold in a corner, but not when the point has moved on.
        if (x - walk.x).norm() > 8.0 * walk.fine {
            touches.clear();
        }
        for (j, c) in colliders.iter().enumerate() {
            if j == i || c.obstacle.distance(&x, hit.t) <= 2.0 * walk.fine {
                let normal = if j == i {
                    hit.normal
                } else {
                    c.obstacle.normal(&x, hit.t)
                };
                let touch = Touch {
                    normal,
                    velocity: c.obstacle.velocity(&x, hit.t),
                    contact: c.contact,
                };
                let same = |t: &Touch<D>| t.normal.dot(&normal) > 1.0 - 1e-9;
                match touches
                    .iter_mut()
                    .find(|t| same(t) && t.contact == c.contact)
                {
                    Some(t) if j == i => *t = touch,
                    Some(_) => {}
                    None => touches.push(touch),
                }
            }
        }
        *v = meet(&touches, v);
        let left = end - hit.t;
        let wall = o.velocity(&x, hit.t);
        let rest = if left > 0.0 {
            meet(&touches, &((walk.goal - hit.x) / left)) - wall
        } else {
            Vector::zero()
        };
        walk.x = x;
        walk.t = hit.t;
        let seen = x + rest * left;
        walk.goal = o.carry(&seen, hit.t, end);
        walk.frame = Some((i, seen));
    }
    *x1 = walk.settle(colliders, clear);
    if out.hits > 0 || *x1 != walk.goal {
        leave(colliders, x1, end, v, walk.skin);
    }
    out
}

/// Whether no way that starts within `radius` of `x` at `t0` and is no longer than `reach` touches any of the
/// colliders within `dt`: [`resolve`] would change none of them.
pub fn is_clear<const D: usize>(
    colliders: &[Collider<D>],
    x: &Vector<f64, D>,
    radius: f64,
    reach: f64,
    (t0, dt): (f64, f64),
    skin: f64,
) -> bool {
    let around = radius + reach;
    colliders.iter().all(|c| {
        let o = &*c.obstacle;
        let speed = o.speed_bound(x, around, t0, t0 + dt);
        o.distance(x, t0) > o.slope() * around + speed * dt + skin
    })
}

/// The velocity at the end goes into nothing that is touched there.
fn leave<const D: usize>(
    colliders: &[Collider<D>],
    x: &Vector<f64, D>,
    t: f64,
    v: &mut Vector<f64, D>,
    skin: f64,
) {
    *v = crate::constrain_velocity(colliders, x, t, v, 0.5 * skin);
}

impl<const D: usize> Walk<D> {
    /// The first touch on the way to the goal; of two at once, that of the earlier collider.
    fn first(&self, colliders: &[Collider<D>]) -> Option<(usize, Hit<D>)> {
        let mut best: Option<(usize, Hit<D>)> = None;
        for (i, c) in colliders.iter().enumerate() {
            if let Some(h) = self.touch(i, c)
                && best.as_ref().is_none_or(|(_, b)| h.s < b.s)
            {
                best = Some((i, h));
            }
        }
        best
    }
    /// The first touch with one collider. Free flight is straight in the world; after a touch the
    /// way is taken as straight in the frame of the collider that is asked, so that what moves
    /// together does not run into itself.
    fn touch(&self, i: usize, c: &Collider<D>) -> Option<Hit<D>> {
        let o = &*c.obstacle;
        let seen = match self.frame {
            None => return march(o, &self.x, self.t, &self.goal, self.end, self.fine),
            Some((j, seen)) if i == j => seen,
            Some(_) => o.carry(&self.goal, self.end, self.t),
        };
        let h = march(o, &self.x, self.t, &seen, self.t, self.fine)?;
        let t = self.t + h.s * (self.end - self.t);
        let x = o.carry(&h.x, self.t, t);
        let normal = if t > self.t {
            o.normal(&x, t)
        } else {
            h.normal
        };
        Some(Hit { x, t, normal, ..h })
    }
    /// Moved out of one obstacle, the shortest way.
    fn out_of(&self, c: &Collider<D>, x: &Vector<f64, D>, t: f64) -> Vector<f64, D> {
        let mut x = *x;
        for _ in 0..16 {
            let phi = c.obstacle.distance(&x, t);
            if phi >= 0.0 || !phi.is_finite() {
                break;
            }
            x += c.obstacle.normal(&x, t) * (0.5 * self.fine - phi);
        }
        x
    }
    /// The least distance to any obstacle at the end.
    fn clearance(&self, colliders: &[Collider<D>], x: &Vector<f64, D>) -> f64 {
        colliders.iter().fold(f64::INFINITY, |m, c| {
            m.min(c.obstacle.distance(x, self.end))
        })
    }
    /// Whether the way to `x`, straight in the frame of each obstacle, goes through one.
    fn crosses(&self, colliders: &[Collider<D>], x: &Vector<f64, D>) -> bool {
        colliders.iter().any(|c| {
            let seen = c.obstacle.carry(x, self.end, self.t);
            march(&*c.obstacle, &self.x, self.t, &seen, self.t, self.fine)
                .is_some_and(|h| (h.x - seen).norm() > 4.0 * self.skin)
        })
    }
    /// The goal if the way there is clear; else the goal moved out, unless that is through a wall;
    /// else the last safe point, carried along by the obstacle that it met last, or by another.
    fn settle(&self, colliders: &[Collider<D>], clear: bool) -> Vector<f64, D> {
        let depth = self.clearance(colliders, &self.goal);
        if clear && depth >= -self.skin {
            return self.goal;
        }
        let mut pushed = self.goal;
        for _ in 0..ROUNDS {
            for c in colliders {
                pushed = self.out_of(c, &pushed, self.end);
            }
        }
        let mut best = (f64::NEG_INFINITY, self.x);
        let mut consider = |x: Vector<f64, D>| {
            let depth = self.clearance(colliders, &x);
            if depth > best.0 && x.finite() && !self.crosses(colliders, &x) {
                best = (depth, x);
            }
            best.0 >= -self.skin
        };
        if consider(pushed) {
            return best.1;
        }
        let last = self.frame.map(|f| f.0);
        for i in last.into_iter().chain(0..colliders.len()) {
            let carried = colliders[i].obstacle.carry(&self.x, self.t, self.end);
            if consider(carried) {
                return best.1;
            }
        }
        consider(self.x);
        best.1
    }
}
