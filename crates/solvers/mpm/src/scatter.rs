//! Particles to grid. [Course16] (172)–(174), (189); [Jiang15] (5.6)–(5.9)

use thixo_core::{Step, System};
use thixo_grid::transfer::{LANES, Room, Scheme, scatter, scatter_slopes};
use thixo_grid::{Kernel, Medium, Node, Place as TilePlace, Range, stencil_start};
use thixo_math::{Lane, Level, Mask, Matrix, Pack, Real, Simd, Task, Vector, prefetch};

use crate::lines::{
    AHEAD, Chunks, Line, Motion, Vectors, load, load_matrix, load_symmetric, load_vector, registers,
};
use crate::{Force, Mpm, Place};

/// What goes to the grid in one pass.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    /// Momentum and impulse together.
    Whole,
    /// Mass and momentum.
    Momentum,
    /// The impulse of forces.
    Impulse,
}

impl<T: Real, const D: usize> Mpm<T, D> {
    pub(crate) fn give_to_grid<K: Kernel>(&mut self, s: &Step<'_, D>, medium: &mut Medium<T, D>) {
        let layer = &mut medium.layers[self.layer().0];
        let places = &self.particles.now.place;
        self.link
            .refresh::<T, K>(s.domain, layer, &self.layout, places);
        if layer.keeps_before {
            self.add_part::<K>(s, &mut layer.nodes, Part::Momentum);
            self.add_part::<K>(s, &mut layer.impulse, Part::Impulse);
        } else {
            self.add_part::<K>(s, &mut layer.nodes, Part::Whole);
        }
    }

    /// Each block's particles add to a tile of their own, and that to the nodes.
    fn add_part<K: Kernel>(&self, s: &Step<'_, D>, nodes: &mut [Node<T>], part: Part) {
        let level = Level::in_use();
        self.link.add_tiles::<T, K, _>(
            nodes,
            &self.pushed,
            &|range, tile, pushed: &mut Vec<Vector<T, D>>| {
                let r = &self.layout.ranges[range];
                pushed.clear();
                if part != Part::Momentum && !self.forces.is_empty() {
                    pushed.extend((r.start..r.end).map(|i| self.body_force(s, r, i)));
                }
                // The classical force of a kernel with a constant D_p goes a way of its own.
                let apart = part != Part::Momentum
                    && !s.implicit
                    && K::D_INV.is_some()
                    && self.options.force == Force::Gradient;
                let p = &self.particles;
                let place = &p.now.place[r.start..r.end];
                let first = r.chunks().start;
                let (f, motion) = (&p.now.f[first..], &p.now.motion[first..]);
                let body = &p.body[first..];
                let tau = self.tau.from(r.start);
                level.dispatch(Give::<T, K, D> {
                    place,
                    f,
                    motion,
                    body,
                    tau,
                    pushed,
                    tile,
                    momentum: part != Part::Impulse,
                    stress: part != Part::Momentum && !apart && !s.implicit,
                    scheme: &self.options.scheme,
                    dx: self.dx,
                    dt: s.dt,
                    kernel: Default::default(),
                });
                if apart {
                    level.dispatch(Press::<T, K, D> {
                        place,
                        f,
                        tau,
                        tile,
                        dx: self.dx,
                        dt: s.dt,
                        kernel: Default::default(),
                    });
                }
            },
        );
    }

    /// Sum of the acceleration fields at a particle.
    fn body_force(&self, s: &Step<'_, D>, r: &Range<D>, i: usize) -> Vector<T, D> {
        let p = &self.particles;
        let place = Place {
            id: p.id[i],
            x: s.domain.place(&r.cell(p.now.place[i]), &p.f(i)),
            v: p.v(i).wide(),
            t: s.t,
            dt: s.dt,
        };
        let sum = self
            .forces
            .iter()
            .fold(Vector::zero(), |sum, force| sum + force(&place));
        Vector::of(&sum)
    }
}

/// The particles of one block to its tile.
struct Give<'a, T, K, const D: usize> {
    place: &'a [TilePlace],
    f: &'a [Vectors<T, D>],
    motion: &'a [Motion<T, D>],
    /// Mass and rest volume.
    body: &'a [[Line<T>; 2]],
    /// V⁰ τ.
    tau: Chunks<'a, T>,
    /// Accelerations by body forces, if there are any.
    pushed: &'a [Vector<T, D>],
    tile: &'a mut [Node<T>],
    /// Whether mass and momentum go.
    momentum: bool,
    /// Whether the impulse of the stress goes.
    stress: bool,
    scheme: &'a Scheme,
    dx: f64,
    dt: f64,
    kernel: std::marker::PhantomData<K>,
}

impl<T: Real, K: Kernel, const D: usize> Task for Give<'_, T, K, D> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let Self {
            place,
            tau,
            tile,
            scheme,
            momentum,
            stress,
            ..
        } = self;
        let like = Pack::<T, S>::splat(s, T::zero());
        let (dt, dx) = (like.fill(self.dt), like.fill(self.dx));
        // Impulse of the stress: −dt V⁰ τ D⁻¹ (x_i − x_p) w, or −dt V⁰ τ ∇w; moments and slopes
        // are in cells, hence one dx.
        let by_moment = like.fill(K::D_INV.map_or(0.0, |d| -self.dt * d / self.dx));
        let by_slope = like.fill(-self.dt / self.dx);
        let mut room = Room::new();
        for at in registers::<T, S>(place.len()) {
            let starts = starts::<K, D>(&place[at.range()]);
            let starts = &starts[..at.count];
            let (now, chunk) = (&self.motion[at.chunk], at.chunk);
            if at.lane == 0 {
                prefetch(self.f, chunk + AHEAD);
                prefetch(self.motion, chunk + AHEAD);
                prefetch(self.body, chunk + AHEAD);
                tau.prefetch(chunk + AHEAD);
            }
            let f = load_vector(s, &self.f[chunk], at);
            let m = load(s, &self.body[chunk][0], at);
            let mut q = [like; 4];
            if momentum {
                let v = load_vector(s, &now.v, at);
                q[3] = m;
                for a in 0..D {
                    q[a] = m * v[a];
                }
            }
            if let Some(pushed) = self.pushed.get(at.range()) {
                let mut b = [[T::zero(); LANES]; D];
                for (l, x) in pushed.iter().enumerate() {
                    for a in 0..D {
                        b[a][l] = x[a];
                    }
                }
                for a in 0..D {
                    q[a] = (m * dt).mul_add(Pack::load(s, &b[a]), q[a]);
                }
            }
            if K::D_INV.is_none() {
                // Multilinear: D_p may be singular, but B D⁻¹ (x_i − x_p) w = B ∇w.
                let mut a = Matrix::scalar(like);
                if momentum {
                    a += load_matrix(s, &now.C, at) * (m * like.fill(scheme.strain));
                }
                if stress {
                    a += load_symmetric(s, tau.at(chunk), at) * by_slope;
                }
                scatter_slopes::<T, K, S, D>(s, &mut room, tile, starts, &f, &q, &a);
                if momentum && scheme.rotation != scheme.strain {
                    let spin = spin_of_moment(&load_matrix(s, &now.C, at), &f);
                    let a = spin * (m * like.fill(scheme.rotation - scheme.strain));
                    scatter::<T, K, S, D>(s, &mut room, tile, starts, &f, &[like; 4], &a);
                }
            } else {
                let mut a = Matrix::scalar(like);
                if momentum {
                    a = scheme.affine(&load_matrix(s, &now.C, at)) * (m * dx);
                }
                if stress {
                    let tau = load_symmetric::<T, S, D>(s, tau.at(chunk), at);
                    a = Matrix::from_fn(
                        #[inline(always)]
                        |i, j| tau[(i, j)].mul_add(by_moment, a[(i, j)]),
                    );
                }
                scatter::<T, K, S, D>(s, &mut room, tile, starts, &f, &q, &a);
            }
        }
    }
}

/// The classical force of the particles of one block to its tile: −dt V⁰ τ ∇w.
struct Press<'a, T, K, const D: usize> {
    place: &'a [TilePlace],
    f: &'a [Vectors<T, D>],
    tau: Chunks<'a, T>,
    tile: &'a mut [Node<T>],
    dx: f64,
    dt: f64,
    kernel: std::marker::PhantomData<K>,
}

impl<T: Real, K: Kernel, const D: usize> Task for Press<'_, T, K, D> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let like = Pack::<T, S>::splat(s, T::zero());
        let by_slope = like.fill(-self.dt / self.dx);
        let mut room = Room::new();
        for at in registers::<T, S>(self.place.len()) {
            let starts = starts::<K, D>(&self.place[at.range()]);
            let starts = &starts[..at.count];
            let (f, q) = (load_vector(s, &self.f[at.chunk], at), [like; 4]);
            let a = load_symmetric(s, self.tau.at(at.chunk), at) * by_slope;
            scatter_slopes::<T, K, S, D>(s, &mut room, self.tile, starts, &f, &q, &a);
        }
    }
}

/// Where the stencils of these particles start in their tile.
#[inline(always)]
pub(crate) fn starts<K: Kernel, const D: usize>(places: &[TilePlace]) -> [usize; LANES] {
    let mut starts = [0; LANES];
    for (start, p) in starts.iter_mut().zip(places) {
        *start = stencil_start::<K, D>(*p);
    }
    starts
}

/// dx times the angular velocity (as a skew matrix) whose moment is the skew part of B/dx:
/// Ω_ab = (B_ab − B_ba)/(D_a + D_b), with D_a = dx² f_a (1 − f_a) for the multilinear kernel.
/// [Jiang15] (5.4)–(5.6), with K_p = m (tr D − D)
#[inline(always)]
fn spin_of_moment<L: Lane, const D: usize>(M: &Matrix<L, D>, f: &Vector<L, D>) -> Matrix<L, D> {
    let (zero, one) = (f[0].fill(0.0), f[0].fill(1.0));
    let d = f.map(|f| f * (one - f));
    Matrix::from_fn(|a, b| {
        let sum = d[a] + d[b];
        let there = zero.lt(sum);
        if a == b || !there.any() {
            return zero;
        }
        let spin = (M[(a, b)] - M[(b, a)]) / L::select(there, sum, one);
        L::select(there, spin, zero)
    })
}
