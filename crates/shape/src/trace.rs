//! The first touch of a moving point with a moving obstacle.

use thixo_math::Vector;

use crate::Obstacle;

/// Steps into which a path is cut where it runs along a surface.
const COARSE: f64 = 128.0;
/// Distance evaluations after which a path that creeps along a surface counts as a touch.
const BUDGET: usize = 1024;
/// Angle below which a path runs along a surface, not into it.
const GRAZING: f64 = 1e-7;

/// Where a path first touches an obstacle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit<const D: usize> {
    /// Place \[m\].
    pub x: Vector<f64, D>,
    /// Time \[s\].
    pub t: f64,
    /// Unit normal of the obstacle there and then.
    pub normal: Vector<f64, D>,
    /// Fraction of the path before it, 0 to 1.
    pub s: f64,
}

/// The first touch of a point that goes straight from `x0` at `t0` to `x1` at `t1`. A point that
/// starts on the surface touches it only if it moves in; one that starts inside touches at once.
///
/// The path is followed in steps by which neither the point nor the obstacle can have reached each
/// other, so a wall of no thickness at all is seen. Where the path runs along a surface nearer than
/// 1/128 of its length, such steps would be without number; there a second point, raised by that
/// much, is followed instead, and what stands out less than that is not seen by it.
pub fn sweep<const D: usize>(
    o: &dyn Obstacle<D>,
    x0: &Vector<f64, D>,
    t0: f64,
    x1: &Vector<f64, D>,
    t1: f64,
) -> Option<Hit<D>> {
    march(o, x0, t0, x1, t1, 1e-9 * (*x1 - *x0).norm())
}

/// How far point and obstacle can come nearer to each other along a path.
pub(crate) fn closing<const D: usize>(
    o: &dyn Obstacle<D>,
    x0: &Vector<f64, D>,
    t0: f64,
    x1: &Vector<f64, D>,
    t1: f64,
) -> f64 {
    let path = (*x1 - *x0).norm();
    let speed = o.speed_bound(&((*x0 + *x1) * 0.5), 0.5 * path, t0, t1);
    o.slope() * path + speed * (t1 - t0).max(0.0)
}

/// [`sweep`] with touch meaning a distance of `fine` or less.
pub(crate) fn march<const D: usize>(
    o: &dyn Obstacle<D>,
    x0: &Vector<f64, D>,
    t0: f64,
    x1: &Vector<f64, D>,
    t1: f64,
    fine: f64,
) -> Option<Hit<D>> {
    let path = *x1 - *x0;
    let dt = (t1 - t0).max(0.0);
    let at = |s: f64| (*x0 + path * s, t0 + dt * s);
    let hit = |s: f64, normal: Vector<f64, D>| {
        let (x, t) = at(s);
        Some(Hit { x, t, normal, s })
    };
    let phi0 = o.distance(x0, t0);
    let length = closing(o, x0, t0, x1, t1);
    if !phi0.is_finite() || !length.is_finite() || phi0 > length + fine {
        return None;
    }
    let fine = fine.max(1e-13 * (length + x0.max_abs()));
    if phi0 < -fine {
        return hit(0.0, o.normal(x0, t0));
    }
    if length <= fine {
        return None;
    }
    let coarse = (length / COARSE).max(4.0 * fine);
    // How fast the path goes against a normal, per unit of s; positive is into the surface.
    let into =
        |n: &Vector<f64, D>, x: &Vector<f64, D>, t: f64| -(path - o.velocity(x, t) * dt).dot(n);
    let (mut s, mut before, mut phi) = (0.0, 0.0, phi0);
    for _ in 0..BUDGET {
        let (x, t) = at(s);
        if phi < -fine {
            let s = back_out(o, &at, before, s);
            let (x, t) = at(s);
            return hit(s, o.normal(&x, t));
        }
        let step = if phi > coarse {
            phi
        } else {
            let n = o.normal(&x, t);
            let inward = into(&n, &x, t);
            let soon = if inward > GRAZING * length {
                phi * length / inward
            } else {
                f64::INFINITY
            };
            if soon < f64::INFINITY && phi <= fine {
                return hit(s, n);
            }
            if soon < coarse {
                phi.max(fine)
            } else {
                // Along the surface, or nearly: follow the raised point.
                let above = x + n * coarse;
                let clear = o.distance(&above, t);
                if clear >= 0.75 * coarse {
                    clear.min(coarse).min(0.5 * soon)
                } else if clear <= 0.0 {
                    phi.max(fine)
                } else {
                    let m = o.normal(&above, t);
                    if into(&m, &above, t) <= GRAZING * length {
                        clear.max(0.25 * coarse)
                    } else if clear <= 2.0 * fine {
                        return hit(s, m);
                    } else {
                        clear
                    }
                }
            }
        };
        before = s;
        s += step / length;
        if s >= 1.0 {
            let end = o.distance(x1, t0 + dt);
            if end >= -fine {
                return None;
            }
            let s = back_out(o, &at, before, 1.0);
            let (x, t) = at(s);
            return hit(s, o.normal(&x, t));
        }
        let (x, t) = at(s);
        phi = o.distance(&x, t);
        if !phi.is_finite() {
            return None;
        }
    }
    let (x, t) = at(s);
    hit(s, o.normal(&x, t))
}

/// The last point outside between one outside and one inside.
fn back_out<const D: usize>(
    o: &dyn Obstacle<D>,
    at: &impl Fn(f64) -> (Vector<f64, D>, f64),
    mut outside: f64,
    mut inside: f64,
) -> f64 {
    for _ in 0..40 {
        let middle = 0.5 * (outside + inside);
        let (x, t) = at(middle);
        if o.distance(&x, t) < 0.0 {
            inside = middle;
        } else {
            outside = middle;
        }
    }
    outside
}
