//! The velocity of matter that touches one obstacle or several at once.

use thixo_math::{Matrix, Vector};

use crate::{Collider, Contact};

/// Most contacts that are met at once; more are left out.
pub const MOST: usize = 8;

/// One contact: a surface with its velocity and law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch<const D: usize> {
    /// Unit normal, out of the obstacle.
    pub normal: Vector<f64, D>,
    /// Velocity of the obstacle there \[m/s\].
    pub velocity: Vector<f64, D>,
    /// The law.
    pub contact: Contact,
}

/// The velocity of matter at `x` (a grid node, say) after it has met every collider whose distance
/// is `tolerance` \[m\] or less.
pub fn constrain_velocity<const D: usize>(
    colliders: &[Collider<D>],
    x: &Vector<f64, D>,
    t: f64,
    v: &Vector<f64, D>,
    tolerance: f64,
) -> Vector<f64, D> {
    meet(&touches(colliders, x, t, tolerance), v)
}

/// The colliders whose distance at `x` is `tolerance` \[m\] or less.
pub fn touches<const D: usize>(
    colliders: &[Collider<D>],
    x: &Vector<f64, D>,
    t: f64,
    tolerance: f64,
) -> Vec<Touch<D>> {
    let near = colliders
        .iter()
        .filter(|c| c.obstacle.distance(x, t) <= tolerance);
    let touch = |c: &Collider<D>| Touch {
        normal: c.obstacle.normal(x, t),
        velocity: c.obstacle.velocity(x, t),
        contact: c.contact,
    };
    near.map(touch).collect()
}

/// The velocity after contact with several surfaces.
///
/// Without friction it is the nearest velocity to `v` that all of them allow: none of a slip
/// surface's normal velocity, none into a separating one. (Two slip planes leave the motion along
/// their edge, three none.) Friction then takes from the sliding that is left at most μ times what
/// each surface took along its normal, and never more than all: it does not turn sliding round. A
/// sticky surface has the last word. If the surfaces leave no way (closing jaws), the velocity that
/// least offends the worst of them.
pub fn meet<const D: usize>(touches: &[Touch<D>], v: &Vector<f64, D>) -> Vector<f64, D> {
    let touches = &touches[..touches.len().min(MOST)];
    if let Some(t) = touches.iter().find(|t| t.contact == Contact::Sticky) {
        return t.velocity;
    }
    match touches {
        [] => return *v,
        [t] => return t.contact.apply(v, &t.velocity, &t.normal),
        _ => {}
    }
    // Friction may push against a surface that was not pressed before: go round again for that
    // one, but let each surface rub once only.
    let mut u = *v;
    let mut rubbed = [false; MOST];
    for _ in 0..4 {
        let (free, active) = nearest_allowed(touches, &u);
        u = free;
        let mut again = false;
        for &(i, push) in active.iter().flatten() {
            let Contact::Separating { friction } = touches[i].contact else {
                continue;
            };
            if rubbed[i] || push <= 0.0 {
                continue;
            }
            rubbed[i] = true;
            let slide = slide(touches, &active, &(u - touches[i].velocity));
            let s = slide.norm();
            if s > 0.0 && friction > 0.0 {
                u -= slide * (friction * push / s).min(1.0);
                again = true;
            }
        }
        if !again {
            break;
        }
    }
    u
}

/// Contacts that act and how much normal velocity each takes.
pub type Active<const D: usize> = [Option<(usize, f64)>; D];

/// The nearest velocity that slip and separating surfaces allow, without friction: of all sets of up to D surfaces
/// that may act, the one in which each pushes and the others are respected.
pub fn nearest_allowed<const D: usize>(
    touches: &[Touch<D>],
    v: &Vector<f64, D>,
) -> (Vector<f64, D>, Active<D>) {
    if touches.is_empty() {
        return (*v, [None; D]);
    }
    let speed = touches
        .iter()
        .fold(v.norm(), |m, t| m.max(t.velocity.norm()));
    let tolerance = 1e-10 * speed;
    let mut best: (f64, Vector<f64, D>, Active<D>) = (f64::INFINITY, *v, [None; D]);
    for set in 0u32..1 << touches.len() {
        if set.count_ones() as usize > D {
            continue;
        }
        let Some((u, active)) = act(touches, set, v) else {
            continue;
        };
        let offence = offence(touches, &u);
        let pushes = active
            .iter()
            .flatten()
            .all(|&(i, p)| p >= -tolerance || touches[i].contact == Contact::Slip);
        if pushes && offence <= tolerance {
            return (u, active);
        }
        if offence < best.0 {
            best = (offence, u, active);
        }
    }
    // No way out: also try to go with their mean.
    let n = touches.len() as f64;
    let mean = touches
        .iter()
        .fold(Vector::zero(), |s, t| s + t.velocity / n);
    if offence(touches, &mean) < best.0 {
        return (mean, [None; D]);
    }
    (best.1, best.2)
}

/// How much `u` offends the worst of the surfaces.
fn offence<const D: usize>(touches: &[Touch<D>], u: &Vector<f64, D>) -> f64 {
    touches.iter().fold(0.0, |worst, t| {
        let vn = (*u - t.velocity).dot(&t.normal);
        worst.max(match t.contact {
            Contact::Slip => vn.abs(),
            _ => -vn,
        })
    })
}

/// Takes away the normal velocity relative to every surface of the set: u = v + N p with
/// NᵀN p = Nᵀ(v_b − v), by elimination. `None` if normals depend on each other.
fn act<const D: usize>(
    touches: &[Touch<D>],
    set: u32,
    v: &Vector<f64, D>,
) -> Option<(Vector<f64, D>, Active<D>)> {
    let mut chosen = (0..touches.len()).filter(|i| set >> i & 1 == 1);
    let index: [Option<usize>; D] = std::array::from_fn(|_| chosen.next());
    let n = index.iter().flatten().count();
    let at = |k: usize| &touches[index[k].unwrap_or(0)];
    let mut g = Matrix::<f64, D>::from_fn(|i, j| at(i).normal.dot(&at(j).normal));
    let mut p: [f64; D] = std::array::from_fn(|i| (at(i).velocity - *v).dot(&at(i).normal));
    // The matrix is symmetric and positive: no pivoting.
    for k in 0..n {
        if g[(k, k)] < 1e-10 {
            return None;
        }
        for i in k + 1..n {
            let f = g[(i, k)] / g[(k, k)];
            for j in k..n {
                g[(i, j)] -= f * g[(k, j)];
            }
            p[i] -= f * p[k];
        }
    }
    for k in (0..n).rev() {
        for j in k + 1..n {
            p[k] -= g[(k, j)] * p[j];
        }
        p[k] /= g[(k, k)];
    }
    let u = (0..n).fold(*v, |u, k| u + at(k).normal * p[k]);
    Some((u, std::array::from_fn(|k| index[k].map(|i| (i, p[k])))))
}

/// The part of a relative velocity along all surfaces that act.
fn slide<const D: usize>(
    touches: &[Touch<D>],
    active: &Active<D>,
    rel: &Vector<f64, D>,
) -> Vector<f64, D> {
    let mut basis: [Vector<f64, D>; D] = [Vector::zero(); D];
    let mut s = *rel;
    for (k, &(i, _)) in active.iter().flatten().enumerate() {
        let n = touches[i].normal;
        let n = basis[..k].iter().fold(n, |n, b| n - *b * n.dot(b));
        basis[k] = n.unit().unwrap_or_else(Vector::zero);
        s -= basis[k] * s.dot(&basis[k]);
    }
    s
}
