//! What holds vertices in a step: scripts, and obstacles as constraints φ(x) ≥ 0 at its end. [Jiang15] §A.3.2, §A.5.1

use rayon::prelude::*;
use thixo_math::{Matrix, Real, Vector};
use thixo_numerics::{Constraints, Point};
use thixo_shape::{Collider, Contact, MOST_CONTACTS, Obstacle, Still, Touch, nearest_allowed};

/// Vertices that one thread takes at once.
const GRAIN: usize = 512;
/// How often surfaces are taken as flat on the way to the nearest place that they allow.
const ROUNDS: usize = 20;

/// An obstacle at the end of the step.
struct Surface<'a, const D: usize> {
    obstacle: &'a dyn Obstacle<D>,
    distance: Still<'a, D>,
    contact: Contact,
}

/// A vertex that something holds.
#[derive(Clone, Debug)]
pub(crate) struct Held<const D: usize> {
    pub vertex: usize,
    /// What may not move: an orthonormal basis, the first `rank` of them.
    basis: [Vector<f64, D>; D],
    rank: usize,
    /// The surfaces that it presses on, and with which impulse \[kg m/s\].
    pub press: [Option<(usize, f64)>; D],
}

impl<const D: usize> Held<D> {
    fn restrict(&self, x: &mut Vector<f64, D>) {
        if self.rank == D {
            *x = Vector::zero();
        }
        for n in &self.basis[..self.rank.min(D - 1)] {
            *x -= *n * x.dot(n);
        }
    }
}

/// An orthonormal basis of the space of these.
fn basis<const D: usize>(
    normals: impl Iterator<Item = Vector<f64, D>>,
) -> ([Vector<f64, D>; D], usize) {
    let (mut basis, mut rank) = ([Vector::zero(); D], 0);
    for n in normals {
        let rest = basis[..rank]
            .iter()
            .fold(n, |n: Vector<f64, D>, b| n - *b * n.dot(b));
        if rank < D && rest.norm() > 1e-8 {
            basis[rank] = rest * (1.0 / rest.norm());
            rank += 1;
        }
    }
    (basis, rank)
}

/// All that holds the vertices of a mesh in one step.
pub(crate) struct Holds<'a, const D: usize> {
    x0: &'a [Vector<f64, D>],
    dt: f64,
    /// The end of the step.
    t: f64,
    surfaces: Vec<Surface<'a, D>>,
    /// Velocities that are given, by vertex; empty if none are.
    fixed: Vec<Option<Vector<f64, D>>>,
    /// Surfaces that a vertex may not leave, and those that are active, bit by bit.
    always: Vec<u64>,
    active: Vec<u64>,
    pub held: Vec<Held<D>>,
    /// How near counts as touching \[m\].
    near: f64,
}

fn read<T: Real, const D: usize>(x: &Point<T>) -> Vector<f64, D> {
    Vector::from_fn(|a| x[a].wide())
}
fn write<T: Real, const D: usize>(x: &Vector<f64, D>, to: &mut Point<T>) {
    for a in 0..D {
        to[a] = T::of(x[a]);
    }
}

impl<'a, const D: usize> Holds<'a, D> {
    /// The colliders that constrain, at most 64, for vertices that start at `x0`; `fixed` by their velocities.
    pub fn new(
        x0: &'a [Vector<f64, D>],
        colliders: &[&'a Collider<D>],
        (t, dt): (f64, f64),
        fixed: impl IntoIterator<Item = (usize, Vector<f64, D>)>,
        edge: f64,
    ) -> Self {
        let surfaces: Vec<Surface<'a, D>> = colliders
            .iter()
            .take(64)
            .map(|c| Surface {
                obstacle: &*c.obstacle,
                distance: c.obstacle.still(t + dt),
                contact: c.contact,
            })
            .collect();
        let mut given = Vec::new();
        let near = 1e-9 * edge;
        // What touches a sticky surface goes with it, what touches a slip surface stays on it.
        let mut always = vec![0; if surfaces.is_empty() { 0 } else { x0.len() }];
        for (s, c) in colliders.iter().take(64).enumerate() {
            if matches!(c.contact, Contact::Separating { .. }) {
                continue;
            }
            let now = c.obstacle.still(t);
            for (i, x) in x0.iter().enumerate().filter(|(_, x)| now(x) <= near) {
                match c.contact {
                    Contact::Sticky => {
                        let to = c.obstacle.carry(x, t, t + dt);
                        given.push((i, (to - *x) * (1.0 / dt)));
                    }
                    _ => always[i] |= 1 << s,
                }
            }
        }
        let mut all = Vec::new();
        for (i, v) in given.into_iter().chain(fixed) {
            all.resize(x0.len(), None);
            all[i] = Some(v);
        }
        Self {
            x0,
            dt,
            t: t + dt,
            active: always.clone(),
            always,
            surfaces,
            fixed: all,
            held: Vec::new(),
            near,
        }
    }
    pub fn is_fixed(&self, i: usize) -> bool {
        self.fixed.get(i).is_some_and(Option::is_some)
    }
    /// What the numbers of a position can tell \[m\].
    fn tolerance(&self, x: &Vector<f64, D>, way: f64, digits: u32) -> f64 {
        4.0 * (x.max_abs() * 0.5f64.powi(52) + way * 0.5f64.powi(digits as i32))
    }
    /// The nearest place to `x` that no surface forbids, the active ones being kept, and the surfaces that push. Where
    /// the nearest is not found, as between obstacles that leave no room, any that is allowed will do.
    fn settle(
        &self,
        i: usize,
        x: &Vector<f64, D>,
        tolerance: f64,
    ) -> Option<(Vector<f64, D>, u64)> {
        let (found, there) = self.approach(i, x, tolerance, true);
        if there {
            return found;
        }
        self.approach(i, x, tolerance, false).0
    }
    /// Takes surfaces as flat, again and again where that led, and goes to the place nearest to `x`, or to where it
    /// stands; whether it got there. In the first case what pushed stays in touch: a vertex that two obstacles squeeze
    /// would else be left a little off one, count as free there, and be sent into it by every direction.
    fn approach(
        &self,
        i: usize,
        x: &Vector<f64, D>,
        tolerance: f64,
        nearest: bool,
    ) -> (Option<(Vector<f64, D>, u64)>, bool) {
        let kept = self.active[i];
        let (mut at, mut all, mut pushing) = (*x, kept, 0u64);
        let mut there = false;
        for _ in 0..ROUNDS {
            let mut list = [Touch {
                normal: Vector::zero(),
                velocity: Vector::zero(),
                contact: Contact::Slip,
            }; MOST_CONTACTS];
            let (mut which, mut n, mut off) = ([0; MOST_CONTACTS], 0, 0.0);
            for (s, surface) in self.surfaces.iter().enumerate() {
                let phi = (surface.distance)(&at);
                let bit = 1 << s;
                if all & bit == 0 && phi >= -tolerance || n == MOST_CONTACTS {
                    continue;
                }
                all |= bit;
                let touches = kept & bit != 0 || (nearest && pushing & bit != 0);
                off = f64::max(off, if touches { phi.abs() } else { -phi });
                let normal = surface.obstacle.normal(&at, self.t);
                // The way w to go has n·w ≥ −φ.
                list[n] = Touch {
                    normal,
                    velocity: normal * -phi,
                    contact: match kept & bit {
                        0 => Contact::Separating { friction: 0.0 },
                        _ => Contact::Slip,
                    },
                };
                which[n] = s;
                n += 1;
            }
            there = n == 0 || off <= tolerance;
            if there {
                break;
            }
            let mut back = Vector::zero();
            if nearest {
                (back, pushing) = (*x - at, 0);
            }
            let (way, push) = nearest_allowed(&list[..n], &back);
            push.iter()
                .flatten()
                .for_each(|(k, _)| pushing |= 1 << which[*k]);
            at += way;
        }
        ((all != 0).then_some((at, pushing | kept)), there)
    }
    /// Takes a place out of all obstacles, exactly.
    pub fn clear(&self, i: usize, x: &Vector<f64, D>) -> Vector<f64, D> {
        if self.surfaces.is_empty() || self.is_fixed(i) {
            return *x;
        }
        let tolerance = x.max_abs() * 0.5f64.powi(50);
        self.settle(i, x, tolerance).map_or(*x, |(x, _)| x)
    }
    /// Which surfaces are touched at `x`, and how.
    fn touching(&self, i: usize, x: &Vector<f64, D>, near: f64) -> Vec<(usize, Touch<D>)> {
        let all = self.surfaces.iter().enumerate();
        all.filter(|(s, surface)| self.always[i] >> s & 1 == 1 || (surface.distance)(x) <= near)
            .take(MOST_CONTACTS)
            .map(|(s, surface)| {
                let touch = Touch {
                    normal: surface.obstacle.normal(x, self.t),
                    velocity: Vector::zero(),
                    contact: match self.always[i] >> s & 1 {
                        1 => Contact::Slip,
                        _ => Contact::Separating { friction: 0.0 },
                    },
                };
                (s, touch)
            })
            .collect()
    }
    /// The normal of a surface and the velocity of its obstacle, and its law.
    pub fn surface(&self, s: usize, x: &Vector<f64, D>) -> Touch<D> {
        let surface = &self.surfaces[s];
        Touch {
            normal: surface.obstacle.normal(x, self.t),
            velocity: surface.obstacle.velocity(x, self.t),
            contact: surface.contact,
        }
    }
    fn idle(&self) -> bool {
        self.surfaces.is_empty() && self.fixed.is_empty()
    }
}

impl<T: Real, const D: usize> Constraints<T, D> for Holds<'_, D> {
    fn project(&self, u: &mut [Point<T>], d: &mut [Point<T>]) {
        if self.idle() {
            return;
        }
        let all = u.par_iter_mut().zip(d).enumerate();
        all.with_min_len(GRAIN).for_each(|(i, (u, d))| {
            if let Some(Some(v)) = self.fixed.get(i) {
                write(v, u);
                write(&Vector::<f64, D>::zero(), d);
                return;
            }
            if self.surfaces.is_empty() {
                return;
            }
            let way = read(u) * self.dt;
            let x = self.x0[i] + way;
            let tolerance = self.tolerance(&x, way.max_abs(), T::DIGITS);
            if let Some((to, pushing)) = self.settle(i, &x, tolerance) {
                write(&((to - self.x0[i]) * (1.0 / self.dt)), u);
                let on = (0..self.surfaces.len()).filter(|s| pushing >> s & 1 == 1);
                let normals = on.map(|s| self.surfaces[s].obstacle.normal(&to, self.t));
                let (basis, rank) = basis(normals);
                let mut along = read(d);
                basis[..rank]
                    .iter()
                    .for_each(|n| along -= *n * along.dot(n));
                write(&along, d);
            }
        });
    }
    fn register(&mut self, u: &[Point<T>], g: &mut [Point<T>], e: f64) -> f64 {
        self.held.clear();
        if self.idle() {
            return e;
        }
        let look = |i: usize, u: &Point<T>, g: &mut Point<T>| {
            if self.is_fixed(i) {
                write(&Vector::<f64, D>::zero(), g);
                return Some((
                    0,
                    Held {
                        vertex: i,
                        basis: std::array::from_fn(Vector::axis),
                        rank: D,
                        press: [None; D],
                    },
                ));
            }
            if self.surfaces.is_empty() {
                return None;
            }
            let way = read(u) * self.dt;
            let x = self.x0[i] + way;
            let near = self.near + 4.0 * self.tolerance(&x, way.max_abs(), T::DIGITS);
            let touching = self.touching(i, &x, near);
            if touching.is_empty() {
                return None;
            }
            let list: Vec<Touch<D>> = touching.iter().map(|t| t.1).collect();
            let mut slope = read(g);
            let (_, pushing) = nearest_allowed(&list, &-slope);
            let mut held = Held {
                vertex: i,
                basis: [Vector::zero(); D],
                rank: 0,
                press: pushing.map(|p| p.map(|(k, press)| (touching[k].0, press.max(0.0)))),
            };
            let normals = pushing.iter().flatten().map(|(k, _)| list[*k].normal);
            (held.basis, held.rank) = basis(normals);
            held.restrict(&mut slope);
            write(&slope, g);
            let mask = held.press.iter().flatten().fold(0, |m, (s, _)| m | 1 << s);
            (held.rank > 0).then_some((mask, held))
        };
        let all = u.par_iter().zip(g).enumerate().with_min_len(GRAIN);
        let held: Vec<(u64, Held<D>)> = all.filter_map(|(i, (u, g))| look(i, u, g)).collect();
        self.active.copy_from_slice(&self.always);
        for (mask, h) in held {
            if mask != 0 {
                self.active[h.vertex] |= mask;
            }
            self.held.push(h);
        }
        e
    }
    fn restrict(&self, x: &mut [Point<T>]) {
        for h in &self.held {
            let mut v = read(&x[h.vertex]);
            h.restrict(&mut v);
            write(&v, &mut x[h.vertex]);
        }
    }
    fn holds(&self, f: &mut dyn FnMut(usize, Matrix<f64, D>)) {
        for h in &self.held {
            let span = h.basis[..h.rank].iter();
            f(h.vertex, span.fold(Matrix::zero(), |m, n| m + n.outer(n)));
        }
    }
    /// Along a curved surface the slope turns: −(g·n) dt ∇∇φ, across the normal. The distance has no third derivatives
    /// to offer, and they are not needed: φ = 0. [Jiang15] §A.3.2
    fn curvature(&self, u: &[Point<T>], f: &mut dyn FnMut(usize, Matrix<f64, D>)) {
        for h in self.held.iter().filter(|h| h.rank < D) {
            let x = self.x0[h.vertex] + read(&u[h.vertex]) * self.dt;
            let mut sum = Matrix::<f64, D>::zero();
            for (s, press) in h.press.iter().flatten() {
                let obstacle = self.surfaces[*s].obstacle;
                let step = 1e4 * self.near;
                let turn = |a: usize| {
                    let e = Vector::axis(a) * step;
                    let [more, less] = [x + e, x - e].map(|x| obstacle.normal(&x, self.t));
                    (more - less) * (0.5 / step)
                };
                let columns: [Vector<f64, D>; D] = std::array::from_fn(turn);
                let bend = Matrix::from_fn(|i, j| 0.5 * (columns[j][i] + columns[i][j]));
                sum += bend * (-press * self.dt);
            }
            if sum.norm() > 0.0 && sum.finite() {
                f(h.vertex, sum);
            }
        }
    }
}
