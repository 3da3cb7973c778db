//! A line search for the strong Wolfe conditions, after Nocedal and Wright 2006, algorithms 3.5 and 3.6.

/// What is asked of a step along a direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LineSearch {
    /// E must fall by this share of what the slope promises.
    pub fall: f64,
    /// The slope must shrink to this share in size.
    pub slope: f64,
    /// Most evaluations.
    pub evaluations: u32,
}

impl Default for LineSearch {
    fn default() -> Self {
        Self {
            fall: 1e-4,
            slope: 0.9,
            evaluations: 40,
        }
    }
}

/// One place along the line: step, E and slope.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Place {
    a: f64,
    e: f64,
    s: f64,
}

/// Finds a step a > 0 where φ(a) ≤ φ(0) + fall a φ′(0) and |φ′(a)| ≤ slope |φ′(0)|, given φ(0) and φ′(0) < 0. The
/// first try is 1. `evaluate` gives (φ, φ′); φ may be infinite or no number, which is as good as infinite. Where E
/// differs by no more than its rounding `noise`, the slope alone decides.
///
/// Returns the step and how often it looked; the last place looked at is the step. `None` if nothing lower was found.
pub fn search(
    rules: &LineSearch,
    (e0, s0): (f64, f64),
    noise: f64,
    mut evaluate: impl FnMut(f64) -> (f64, f64),
) -> (Option<f64>, u32) {
    let start = Place {
        a: 0.0,
        e: e0,
        s: s0,
    };
    let mut count = 0;
    let mut look = |a: f64| {
        count += 1;
        let (e, s) = evaluate(a);
        let e = if e.is_nan() { f64::INFINITY } else { e };
        (Place { a, e, s }, count)
    };
    let enough = |p: &Place| p.e <= e0 + rules.fall * p.a * s0 + noise;
    let flat = |p: &Place| p.s.abs() <= -rules.slope * s0;
    // Grow until a minimum is between two places.
    let (mut low, mut high);
    let mut before = start;
    let mut a = 1.0;
    loop {
        let (here, n) = look(a);
        if !enough(&here) || (before.a > 0.0 && here.e > before.e + noise) {
            (low, high) = (before, here);
            break;
        }
        if flat(&here) {
            return (Some(a), n);
        }
        if here.s >= 0.0 {
            (low, high) = (here, before);
            break;
        }
        if n >= rules.evaluations {
            return (Some(a), n);
        }
        before = here;
        a *= 2.0;
    }
    // Close in on it.
    loop {
        let a = between(&low, &high);
        let (here, n) = look(a);
        if !enough(&here) || here.e > low.e + noise {
            high = here;
        } else {
            if flat(&here) {
                return (Some(a), n);
            }
            if here.s * (high.a - low.a) >= 0.0 {
                high = low;
            }
            low = here;
        }
        let narrow = (high.a - low.a).abs() <= 1e-12 * low.a.max(high.a);
        if n >= rules.evaluations || narrow {
            if low.a > 0.0 {
                // The caller's last look is where it stands.
                if low.a != a {
                    look(low.a);
                }
                return (Some(low.a), n);
            }
            return (None, n);
        }
    }
}

/// A step between two places: the least point of the cubic through both, kept from the ends; the middle where one of
/// them is infinite.
fn between(p: &Place, q: &Place) -> f64 {
    let middle = 0.5 * (p.a + q.a);
    if !(p.e.is_finite() && q.e.is_finite() && p.s.is_finite() && q.s.is_finite()) {
        // Closer to the finite one: what is forbidden may be far away.
        return if q.e.is_finite() {
            middle
        } else {
            0.75 * p.a + 0.25 * q.a
        };
    }
    let d1 = p.s + q.s - 3.0 * (p.e - q.e) / (p.a - q.a);
    let root = d1 * d1 - p.s * q.s;
    if root.is_nan() || root < 0.0 {
        return middle;
    }
    let d2 = (q.a - p.a).signum() * root.sqrt();
    let a = q.a - (q.a - p.a) * (q.s + d2 - d1) / (q.s - p.s + 2.0 * d2);
    let (least, most) = (p.a.min(q.a), p.a.max(q.a));
    let margin = 0.1 * (most - least);
    if a.is_finite() {
        a.clamp(least + margin, most - margin)
    } else {
        middle
    }
}
