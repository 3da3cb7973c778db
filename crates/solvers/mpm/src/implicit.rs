//! The potential of the particles' stress as a function of the grid's velocity: Φ(v) = Σ V⁰ ψ(F, H), H = dt ∇v.
//! Plastic flow waits for the end of the step. [Course16] §11; [Jiang15] §2.2, §A.6.1
//!
//! ∂Φ/∂v_i = dt Σ V⁰ ∂ψ/∂H g_i and ∂²Φ/∂v² x = dt² Σ V⁰ (∂²ψ/∂H² : Σ x_j g_jᵀ) g_i, where g is the gradient that forces
//! go with: ∇w, or w D⁻¹ (x_i − x_p). What a velocity does to a particle is what the particle does to the nodes, so
//! the force is exactly the slope of the energy.

use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering};

use thixo_core::Step;
use thixo_grid::{ALIGN, Kernel, Link, Node, Range, Rooms, fold_blocks};
use thixo_math::{Level, Matrix, Real};
use thixo_numerics::{Dynamics, Point};

use crate::curvature::{Damp, Diagonal, Product, Push, Rates};
use crate::lines::{Chunks, ChunksMut, Gradient, Lines, Square};
use crate::matter::{Block, Matter};
use crate::particles::Particles;
use crate::tried::LAGS;
use crate::{Force, Mpm};

/// Numbers of the upper triangle of ∂²ψ/∂H².
pub(crate) const fn tangent_count(dimension: usize) -> usize {
    let n = dimension * dimension;
    n * (n + 1) / 2
}

/// Room for the particles of one block: velocities around it, their gradients, stress.
pub(crate) struct Tried<T, const D: usize> {
    tile: Vec<Node<T>>,
    gradient: Vec<Square<T, D>>,
    stress: Vec<Square<T, D>>,
}

impl<T, const D: usize> Default for Tried<T, D> {
    fn default() -> Self {
        let (tile, gradient, stress) = Default::default();
        Self {
            tile,
            gradient,
            stress,
        }
    }
}

/// The potential of a set of particles within one step.
pub(crate) struct Potential<'a, T, K, const D: usize> {
    particles: &'a Particles<T, D>,
    matter: &'a dyn Matter<T, D>,
    ranges: &'a [Range<D>],
    link: &'a Link<D>,
    tangents: &'a mut Lines<T>,
    /// V⁰ ∂²ψ/∂H² at the start of the step, made definite, and what it damps by: k/dt. [Jiang15] §A.4.2
    damping: Option<(&'a Lines<T>, T)>,
    /// What the law keeps of the last iterate, and whether there has been one.
    lags: &'a mut Lines<T>,
    refreshed: bool,
    flow_within: bool,
    tried: &'a Rooms<Tried<T, D>>,
    answers: &'a Rooms<(Vec<Node<T>>, Tried<T, D>)>,
    /// Whether forces go with moments of the weights instead of their slopes.
    moments: bool,
    dx: f64,
    dt: f64,
    kernel: PhantomData<K>,
}

impl<T: Real, const D: usize> Mpm<T, D> {
    /// The potential of the present state in this step, after its scatter.
    pub(crate) fn potential<K: Kernel>(&mut self, s: &Step<'_, D>) -> Potential<'_, T, K, D> {
        let mut potential = Potential {
            particles: &self.particles,
            matter: &*self.matter,
            ranges: &self.layout.ranges,
            link: &self.link,
            tangents: &mut self.tangents,
            damping: None,
            lags: &mut self.lags,
            refreshed: false,
            flow_within: self.options.flow_within && self.matter.lags(),
            tried: &self.tried,
            answers: &self.answers,
            moments: self.options.force == Force::LeastSquares && K::D_INV.is_some(),
            dx: self.dx,
            dt: s.dt,
            kernel: PhantomData,
        };
        if self.options.damping > 0.0 {
            potential.find_tangents(&mut self.lagged, None, true);
            let share = T::of(self.options.damping / s.dt);
            potential.damping = Some((&self.lagged, share));
        }
        potential
    }
}

impl<T: Real, K: Kernel, const D: usize> Potential<'_, T, K, D> {
    /// What takes a velocity in cells to dt g: dt dx² D⁻¹/dx, or dt/dx.
    fn reach(&self) -> f64 {
        match K::D_INV {
            Some(d) if self.moments => self.dt * d / self.dx,
            _ => self.dt / self.dx,
        }
    }
    /// ∇v at the particles of a range, into its room.
    fn look(&self, range: usize, v: &[Point<T>], room: &mut Tried<T, D>) {
        let r = &self.ranges[range];
        let chunks = r.len().div_ceil(ALIGN);
        room.tile.resize(K::tile_size(D), [T::zero(); 4]);
        self.link.load_tile::<T, K>(range, v, &mut room.tile);
        let zero = [[[T::zero(); ALIGN]; D]; D];
        room.gradient.resize(chunks, zero);
        room.stress.resize(chunks, zero);
        Level::in_use().dispatch(Rates::<T, K, D> {
            tile: &room.tile,
            place: &self.particles.now.place[r.start..r.end],
            f: &self.particles.now.f[r.chunks()],
            to: &mut room.gradient,
            moments: self.moments,
            scale: self.reach() / self.dt,
            kernel: PhantomData,
        });
    }
    /// The particles of a range with the ∇v that is in their room.
    fn block<'b>(&'b self, r: &Range<D>, gradient: &'b [Square<T, D>]) -> Block<'b, T, D> {
        let p = self.particles;
        Block {
            count: r.len(),
            shape: p.now.shape.from(r.start),
            gradient: Gradient::Apart(gradient),
            body: &p.body[r.chunks()],
        }
    }
    /// Energy of a range, and its V⁰ ∂ψ/∂H in the room.
    fn respond(&self, range: usize, v: &[Point<T>], room: &mut Tried<T, D>) -> f64 {
        self.look(range, v, room);
        let Tried {
            gradient, stress, ..
        } = room;
        let r = &self.ranges[range];
        let block = self.block(r, gradient);
        let energy = self
            .matter
            .respond(block, self.lag(r), T::of(self.dt), stress);
        let damped = self.damping.map(|(lagged, share)| {
            Level::in_use().dispatch_narrow(Damp {
                count: r.len(),
                gradient,
                lagged: lagged.from(r.start),
                stress,
                share,
                dt: T::of(self.dt),
            })
        });
        energy + damped.unwrap_or(0.0)
    }
    /// What the particles of a range keep of the last iterate.
    fn lag(&self, r: &Range<D>) -> Option<Chunks<'_, T>> {
        self.refreshed.then(|| self.lags.from(r.start))
    }
    /// V⁰ ∂²ψ/∂H² of every particle where the nodes move at `v`, or stand still.
    fn find_tangents(&self, to: &mut Lines<T>, v: Option<&[Point<T>]>, definite: bool) {
        to.resize(self.particles.slots());
        let work = |range: usize, r: &Range<D>, to: ChunksMut<'_, T>, room: &mut Tried<T, D>| {
            match v {
                Some(v) => self.look(range, v, room),
                None => {
                    room.gradient.clear();
                    let zero = [[[T::zero(); ALIGN]; D]; D];
                    room.gradient.resize(r.len().div_ceil(ALIGN), zero);
                }
            }
            let block = self.block(r, &room.gradient);
            self.matter
                .tangent(block, self.lag(r), T::of(self.dt), definite, to);
        };
        fold_blocks(self.ranges, to.all_mut(), self.tried, &work, &|(), ()| ());
    }
}

impl<T: Real, K: Kernel, const D: usize> Dynamics<T, D> for Potential<'_, T, K, D> {
    fn energy(&mut self, v: &[Point<T>]) -> f64 {
        let this = &*self;
        let work = |b: usize, _: &Range<D>, (), room: &mut Tried<T, D>| this.respond(b, v, room);
        fold_blocks(self.ranges, (), self.tried, &work, &|a, b| a + b).unwrap_or(0.0)
    }
    fn gradient(&mut self, v: &[Point<T>], to: &mut [Point<T>]) -> f64 {
        let this = &*self;
        let energies: Vec<AtomicU64> = self.ranges.iter().map(|_| AtomicU64::new(0)).collect();
        let fill = |range: usize, tile: &mut [Node<T>], room: &mut Tried<T, D>| {
            let energy = this.respond(range, v, room);
            energies[range].store(energy.to_bits(), Ordering::Relaxed);
            let r = &this.ranges[range];
            Level::in_use().dispatch(Push::<T, K, D> {
                place: &this.particles.now.place[r.start..r.end],
                f: &this.particles.now.f[r.chunks()],
                stress: &room.stress,
                tile,
                moments: this.moments,
                scale: this.reach(),
                kernel: PhantomData,
            });
        };
        self.link.add_tiles::<T, K, _>(to, self.answers, &fill);
        let all = energies
            .iter()
            .map(|e| f64::from_bits(e.load(Ordering::Relaxed)));
        all.sum()
    }
    fn refresh(&mut self, v: &[Point<T>]) -> bool {
        if !self.flow_within {
            return false;
        }
        let mut lags = std::mem::replace(self.lags, Lines::new(LAGS));
        lags.resize(self.particles.slots());
        let work = |range: usize, r: &Range<D>, to: ChunksMut<'_, T>, room: &mut Tried<T, D>| {
            self.look(range, v, room);
            let block = self.block(r, &room.gradient);
            self.matter.lag(block, T::of(self.dt), to);
        };
        fold_blocks(self.ranges, lags.all_mut(), self.tried, &work, &|(), ()| ());
        *self.lags = lags;
        self.refreshed = true;
        true
    }
    fn linearise(&mut self, v: &[Point<T>], definite: bool) {
        let mut tangents = std::mem::replace(self.tangents, Lines::new(tangent_count(D)));
        self.find_tangents(&mut tangents, Some(v), definite);
        if let Some((lagged, share)) = self.damping {
            tangents.add_scaled(share, lagged);
        }
        *self.tangents = tangents;
    }
    fn product(&self, x: &[Point<T>], to: &mut [Point<T>]) {
        let fill = |range: usize, tile: &mut [Node<T>], room: &mut Tried<T, D>| {
            let r = &self.ranges[range];
            room.tile.resize(K::tile_size(D), [T::zero(); 4]);
            self.link.load_tile::<T, K>(range, x, &mut room.tile);
            Level::in_use().dispatch(Product::<T, K, D> {
                from: &room.tile,
                place: &self.particles.now.place[r.start..r.end],
                f: &self.particles.now.f[r.chunks()],
                tangent: self.tangents.from(r.start),
                to: tile,
                moments: self.moments,
                scale: self.reach(),
                kernel: PhantomData,
            });
        };
        self.link.add_tiles::<T, K, _>(to, self.answers, &fill);
    }
    fn diagonal(&self, to: &mut [Matrix<T, D>]) {
        // A node has room for three numbers at a time.
        let mut nodes = vec![[T::zero(); 4]; to.len()];
        let entries: &[[(usize, usize); 3]] = match D {
            2 => &[[(0, 0), (1, 1), (0, 1)]],
            _ => &[[(0, 0), (1, 1), (2, 2)], [(0, 1), (0, 2), (1, 2)]],
        };
        for three in entries {
            nodes.fill([T::zero(); 4]);
            let fill = |range: usize, tile: &mut [Node<T>], _: &mut Tried<T, D>| {
                let r = &self.ranges[range];
                Level::in_use().dispatch_narrow(Diagonal::<T, K, D> {
                    place: &self.particles.now.place[r.start..r.end],
                    f: &self.particles.now.f[r.chunks()],
                    tangent: self.tangents.from(r.start),
                    tile,
                    three: *three,
                    moments: self.moments,
                    // The form takes gradients in cells, D⁻¹ included.
                    scale: (self.dt / self.dx).powi(2),
                    kernel: PhantomData,
                });
            };
            self.link
                .add_tiles::<T, K, _>(&mut nodes, self.answers, &fill);
            for (block, node) in to.iter_mut().zip(&nodes) {
                for (x, (i, j)) in node.iter().zip(three) {
                    block[(*i, *j)] += *x;
                    if i != j {
                        block[(*j, *i)] += *x;
                    }
                }
            }
        }
    }
}
