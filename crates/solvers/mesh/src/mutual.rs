//! Bodies against each other and against themselves: a vertex in an element that is not its own is pushed to the nearest
//! face of that body's surface, by k d √(d + ε) with d the squared distance. [Jiang15] §A.5.3
//!
//! Whether a vertex is in an element of its own body jumps where the elements around it are left out, and a line search
//! that ends at a jump gets no farther. So who meets its own body, and on which side of which face, is looked at between
//! iterations only. A pair that was found stays one until the step ends, or what has been pushed out would be let in
//! again and again. Between bodies nothing jumps: what enters one does so through its surface.

use rayon::prelude::*;
use thixo_math::{Matrix, Real, Vector};
use thixo_numerics::{Dynamics, Point};

use crate::body::{Bodies, edge_matrix};
use crate::lagrangian::moved;
use crate::matter::WIDTH;
use crate::nearest::{curve, nearest, outward};
use crate::tree::Tree;

/// How bodies of one mesh meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mutual {
    /// Coulomb's μ between them.
    pub friction: f64,
    /// Whether a body also meets itself.
    pub within: bool,
}

/// How often a solve looks who meets whom. There are places where elements push a vertex in and the nearest face pushes it
/// out another way, and so on for ever; who meets then waits for the next step.
const MOST_LOOKS: u32 = 40;

/// Keeps the root from a corner at no distance \[m²\]; [Jiang15] has the same.
const EPSILON: f64 = 1e-15;

/// Trees of the elements and of the boundary faces of each body, and who looks into them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Trees<const D: usize> {
    elements: Vec<Tree<D>>,
    faces: Vec<Tree<D>>,
    /// Vertices of surfaces, and of cloth, with their bodies.
    lookers: Vec<(u32, u32)>,
}

impl<const D: usize> Trees<D> {
    /// Of all bodies at rest.
    pub fn new<T: Real>(bodies: &Bodies<T, D>) -> Self {
        let x = &bodies.rest;
        let middle = |c: &[u32]| {
            let sum = c.iter().fold(Vector::zero(), |s, v| s + x[*v as usize]);
            sum * (1.0 / c.len() as f64)
        };
        let mut trees = Self::default();
        for (n, b) in bodies.list.iter().enumerate() {
            let first = b.chunks.start * WIDTH;
            let cells = (first..first + b.cells).map(|s| middle(&bodies.corners[s][..=D]));
            trees.elements.push(Tree::new(&cells.collect::<Vec<_>>()));
            let solid = b.matter.is_some();
            let own = &bodies.faces[b.faces.clone()];
            let faces = own.iter().filter(|_| solid).map(|f| middle(&f[..D]));
            trees.faces.push(Tree::new(&faces.collect::<Vec<_>>()));
            let mut seen: Vec<u32> = match solid {
                true => own.iter().flat_map(|f| f[..D].to_vec()).collect(),
                false => b.vertices.clone().map(|v| v as u32).collect(),
            };
            seen.sort_unstable();
            seen.dedup();
            trees
                .lookers
                .extend(seen.into_iter().map(|v| (v, n as u32)));
        }
        trees
    }
    fn fit<T: Real>(&mut self, bodies: &Bodies<T, D>, x: &[Vector<f64, D>]) {
        let around = |c: &[u32]| {
            let p = |v: &u32| x[*v as usize];
            let (mut low, mut high) = (p(&c[0]), p(&c[0]));
            for v in &c[1..] {
                let at = p(v);
                low = Vector::from_fn(|a| low[a].min(at[a]));
                high = Vector::from_fn(|a| high[a].max(at[a]));
            }
            (low, high)
        };
        let both = self.elements.par_iter_mut().zip(&mut self.faces);
        both.zip(&bodies.list).for_each(|((elements, faces), b)| {
            let first = b.chunks.start * WIDTH;
            elements.fit(|e| around(&bodies.corners[first + e][..=D]));
            faces.fit(|f| around(&bodies.faces[b.faces.start + f][..D]));
        });
    }
}

/// A vertex that is in another body, the face that it is pushed to, and the weights of the nearest point there.
#[derive(Clone, Debug)]
struct Pair<const D: usize> {
    vertex: usize,
    corners: [usize; 3],
    /// Whether it is in front of the face as long as it is inside: so it is where the nearest face does not count.
    in_front: bool,
    w: [f64; D],
}

impl<const D: usize> Pair<D> {
    /// The vertex and the corners, in the order of blocks.
    fn points(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        let corners = self.corners[..D].iter().zip(&self.w).map(|(c, w)| (*c, -w));
        std::iter::once((self.vertex, 1.0)).chain(corners)
    }
    /// Finds the nearest point of the face anew; whether the vertex is on the side from which it is pushed.
    fn follow(&mut self, x: &[Vector<f64, D>]) -> bool {
        let q: [Vector<f64, D>; D] = std::array::from_fn(|a| x[self.corners[a]]);
        self.w = nearest(&x[self.vertex], &q);
        let out = outward(&q).map_or(0.0, |n| n.dot(&self.gap(x)));
        (out > 0.0) == self.in_front
    }
    /// From the face to the vertex.
    fn gap(&self, x: &[Vector<f64, D>]) -> Vector<f64, D> {
        self.points().fold(Vector::zero(), |r, (i, c)| r + x[i] * c)
    }
}

/// k d √(d + ε), and its first and second derivative in d.
fn profile(k: f64, d: f64) -> [f64; 3] {
    let root = (d + EPSILON).sqrt();
    [
        k * d * root,
        k * (root + 0.5 * d / root),
        k * (1.0 / root - 0.25 * d / (root * root * root)),
    ]
}

/// The potential of all such pairs.
pub(crate) struct Collisions<'a, T, const D: usize> {
    pub bodies: &'a Bodies<T, D>,
    pub trees: &'a mut Trees<D>,
    pub how: Mutual,
    pub x0: &'a [Vector<f64, D>],
    /// k of each vertex \[J/m³\].
    pub k: &'a [f64],
    pub dt: f64,
    x: Vec<Vector<f64, D>>,
    /// Those that meet their own body in this step, by vertex, and all that push at the last place looked at.
    known: Vec<Pair<D>>,
    pairs: Vec<Pair<D>>,
    looks: u32,
    /// The pairs of the last linearisation with their second derivatives.
    blocks: Vec<(Pair<D>, [[Matrix<f64, D>; 4]; 4])>,
}

impl<'a, T: Real, const D: usize> Collisions<'a, T, D> {
    pub fn new(
        bodies: &'a Bodies<T, D>,
        trees: &'a mut Trees<D>,
        how: Mutual,
        (x0, k): (&'a [Vector<f64, D>], &'a [f64]),
        dt: f64,
    ) -> Self {
        Self {
            bodies,
            trees,
            how,
            x0,
            k,
            dt,
            x: Vec::new(),
            known: Vec::new(),
            pairs: Vec::new(),
            looks: 0,
            blocks: Vec::new(),
        }
    }
    /// Moves all; whether they are anywhere.
    fn place(&mut self, v: &[Point<T>]) -> bool {
        moved(self.x0, v, self.dt, &mut self.x);
        self.x.iter().all(|x| x.finite())
    }
    /// Finds who is in its own body, or who is in another.
    fn find(&mut self, within: bool) -> Vec<Pair<D>> {
        self.trees.fit(self.bodies, &self.x);
        let this = &*self;
        let each = this.trees.lookers.par_iter().with_min_len(64);
        let pairs = each.flat_map_iter(|(vertex, own)| {
            let (vertex, own) = (*vertex as usize, *own as usize);
            let all = 0..this.bodies.list.len();
            let others = all.filter(move |b| (*b == own) == within);
            others.filter_map(move |b| this.meets(vertex, own, b))
        });
        pairs.collect()
    }
    /// Finds which pairs push.
    fn look(&mut self, v: &[Point<T>]) {
        self.pairs.clear();
        if !self.place(v) {
            return;
        }
        if self.bodies.list.len() > 1 {
            self.pairs = self.find(false);
        }
        let mut own = self.known.clone();
        own.retain_mut(|p| p.follow(&self.x));
        self.pairs.append(&mut own);
    }
    /// The pair of a vertex of one body with a face of another, or of its own, if it is in there.
    fn meets(&self, vertex: usize, own: usize, other: usize) -> Option<Pair<D>> {
        let body = &self.bodies.list[other];
        let p = self.x[vertex];
        // Around itself a body is never far enough from a vertex to be met.
        let rows = &self.bodies.rows;
        let near = &rows.columns[rows.of_blocks(vertex)];
        let strange = |c: &[u32]| own != other || c.iter().all(|v| near.binary_search(v).is_err());
        let first = body.chunks.start * WIDTH;
        let mut inside = false;
        self.trees.elements[other].around(&p, |e| {
            let c = &self.bodies.corners[first + e];
            inside = strange(&c[..=D]) && contains(&p, c, &self.x);
            inside
        });
        if !inside {
            return None;
        }
        let face = |f: usize| &self.bodies.faces[body.faces.start + f];
        let corners = |f: usize| -> [Vector<f64, D>; D] {
            std::array::from_fn(|a| self.x[face(f)[a] as usize])
        };
        let found = self.trees.faces[other].nearest(&p, |f| {
            if !strange(&face(f)[..D]) {
                return None;
            }
            let q = corners(f);
            let w = nearest(&p, &q);
            let at = (0..D).fold(Vector::zero(), |s, i| s + q[i] * w[i]);
            Some((p - at).norm2())
        })?;
        let mut pair = Pair {
            vertex,
            corners: face(found).map(|v| v as usize),
            in_front: false,
            w: [0.0; D],
        };
        pair.in_front = !pair.follow(&self.x);
        Some(pair)
    }
    /// Friction after the solve, which makes no kinetic energy and takes at most what slides. [Jiang15] §A.5.3
    pub fn rub(&mut self, u: &[Point<T>], v: &mut [Vector<T, D>]) {
        self.refresh(u);
        self.look(u);
        let mass = &self.bodies.mass;
        for p in &self.pairs {
            let r = p.gap(&self.x);
            let Some(n) = r.unit() else { continue };
            let push = profile(self.k[p.vertex], r.norm2())[1] * 2.0 * r.norm() * self.dt;
            let (mut slide, mut inverse) = (Vector::zero(), 0.0);
            for (i, c) in p.points() {
                slide += v[i].wide() * c;
                inverse += c * c / mass[i].wide();
            }
            let along = slide - n * slide.dot(&n);
            // The impulse that would end the sliding, or what friction has.
            let full = along.norm() / inverse;
            if full > 0.0 {
                let j = along * (-(self.how.friction * push / full).min(1.0) / inverse);
                for (i, c) in p.points() {
                    v[i] += Vector::of(&(j * (c / mass[i].wide())));
                }
            }
        }
    }
}

/// Whether a point is in an element that is not turned inside out.
fn contains<const D: usize>(p: &Vector<f64, D>, c: &[u32; 4], x: &[Vector<f64, D>]) -> bool {
    let edges = edge_matrix(c, x);
    if edges.det() <= 0.0 {
        return false;
    }
    let w = edges.inverse() * (*p - x[c[0] as usize]);
    (0..D).all(|a| w[a] >= 0.0) && w.sum() <= 1.0
}

impl<T: Real, const D: usize> Dynamics<T, D> for Collisions<'_, T, D> {
    fn energy(&mut self, v: &[Point<T>]) -> f64 {
        self.look(v);
        let of = |p: &Pair<D>| profile(self.k[p.vertex], p.gap(&self.x).norm2())[0];
        self.pairs.iter().map(of).sum()
    }
    fn gradient(&mut self, v: &[Point<T>], to: &mut [Point<T>]) -> f64 {
        self.look(v);
        let mut e = 0.0;
        for p in &self.pairs {
            let r = p.gap(&self.x);
            let [energy, slope, _] = profile(self.k[p.vertex], r.norm2());
            e += energy;
            for (i, c) in p.points() {
                let f = r * (2.0 * c * slope * self.dt);
                for a in 0..D {
                    to[i][a] += T::of(f[a]);
                }
            }
        }
        e
    }
    fn refresh(&mut self, v: &[Point<T>]) -> bool {
        if !self.how.within || self.looks == MOST_LOOKS || !self.place(v) {
            return false;
        }
        self.looks += 1;
        let mut now = self.find(true);
        // What has come out is kept where the nearest point is within its face: at the rim no side can be told.
        let who = |p: &Pair<D>| p.vertex;
        let is_out = |p: &&Pair<D>| now.binary_search_by_key(&p.vertex, who).is_err();
        let mut out: Vec<Pair<D>> = self.known.iter().filter(is_out).cloned().collect();
        out.retain_mut(|p| {
            p.follow(&self.x);
            p.w.iter().all(|w| *w > 0.0)
        });
        now.append(&mut out);
        now.sort_by_key(who);
        let face = |p: &Pair<D>| (p.vertex, p.corners, p.in_front);
        let same = now.iter().map(face).eq(self.known.iter().map(face));
        self.known = now;
        !same
    }
    fn linearise(&mut self, v: &[Point<T>], definite: bool) {
        self.look(v);
        let of = |p: &Pair<D>| {
            let r = p.gap(&self.x);
            let [_, slope, bend] = profile(self.k[p.vertex], r.norm2());
            let c: Vec<f64> = p.points().map(|(_, c)| c).collect();
            let q: [Vector<f64, D>; D] = std::array::from_fn(|a| self.x[p.corners[a]]);
            let mut H = match definite {
                false => curve(&r, &q, &p.w),
                true => [[Matrix::zero(); 4]; 4],
            };
            // With a normal that does not turn: nowhere negative.
            let across = r.unit().map_or(Matrix::zero(), |n| n.outer(&n));
            for s in 0..=D {
                for t in 0..=D {
                    if definite {
                        H[s][t] = across * (2.0 * c[s] * c[t]);
                    }
                    H[s][t] = H[s][t] * slope + r.outer(&r) * (4.0 * c[s] * c[t] * bend);
                    H[s][t] = H[s][t] * (self.dt * self.dt);
                }
            }
            (p.clone(), H)
        };
        self.blocks = self.pairs.iter().map(of).collect();
    }
    fn waits(&self) -> bool {
        true
    }
    fn product(&self, x: &[Point<T>], to: &mut [Point<T>]) {
        for (p, H) in &self.blocks {
            for (s, (i, _)) in p.points().enumerate() {
                let mut f = Vector::zero();
                for (t, (j, _)) in p.points().enumerate() {
                    f += H[s][t] * Vector::from_fn(|a| x[j][a].wide());
                }
                for a in 0..D {
                    to[i][a] += T::of(f[a]);
                }
            }
        }
    }
    fn diagonal(&self, to: &mut [Matrix<T, D>]) {
        for (p, H) in &self.blocks {
            for (s, (i, _)) in p.points().enumerate() {
                to[i] += Matrix::of(&H[s][s]);
            }
        }
    }
}
