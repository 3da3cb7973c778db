//! Trial positions become anchors and offsets; what bounds the next step is looked at on the way.

use thixo_grid::{Domain, Kernel, Place, Range};
use thixo_math::{Lane, Mask, Matrix, Pack, Real, Simd, Task, Vector};

use crate::lines::{
    At, Gradient, Motion, Square, Vectors, load_matrix, load_vector, registers, store_vector,
};

/// What went wrong with a particle's motion.
#[derive(Clone, Copy)]
pub(crate) enum Wrong {
    NotFinite,
    TooFar,
    OutOfReach,
}

/// Farthest way of a particle in one step, in cells; a longer one rejects the step.
pub(crate) const FARTHEST: f64 = 1.0;

/// What all particles say together.
#[derive(Clone, Copy)]
pub(crate) struct Settled<T> {
    /// Whether one is farther from its block than the slack of the tiles.
    pub strayed: bool,
    /// Largest square of a speed.
    pub speed2: T,
    /// Largest ‖∇v‖.
    pub strain: T,
    /// Largest shape factor of the kernel's slopes: Σ (dx ∇w)²/w along an axis.
    pub shape: T,
}

impl<T: Real> Settled<T> {
    pub fn none() -> Self {
        let (speed2, strain, shape) = (T::zero(), T::zero(), T::zero());
        Self {
            strayed: false,
            speed2,
            strain,
            shape,
        }
    }
    pub fn and(self, o: Self) -> Self {
        Self {
            strayed: self.strayed || o.strayed,
            speed2: Lane::max(self.speed2, o.speed2),
            strain: Lane::max(self.strain, o.strain),
            shape: Lane::max(self.shape, o.shape),
        }
    }
}

/// Some particles of one block.
pub(crate) struct Settle<'a, T, K, const D: usize> {
    pub domain: &'a Domain<D>,
    pub range: &'a Range<D>,
    pub place: &'a [Place],
    pub f: &'a [Vectors<T, D>],
    /// A longer way, in cells, is wrong.
    pub farthest: f64,
    pub next_place: &'a mut [Place],
    /// In: from the old anchor. Out: from the new one.
    pub next_f: &'a mut [Vectors<T, D>],
    pub next: &'a [Motion<T, D>],
    /// ∇v, if it is not C.
    pub next_L: Option<&'a [Square<T, D>]>,
    /// Whether the shape of the kernel's slopes matters.
    pub slopes: bool,
    pub kernel: std::marker::PhantomData<K>,
}

impl<T: Real, K: Kernel, const D: usize> Task for Settle<'_, T, K, D> {
    type Out = (Settled<T>, Option<(usize, Wrong)>);
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Self::Out {
        let like = Pack::<T, S>::splat(s, T::zero());
        let low = like.fill(if K::NEAREST { -0.5 } else { 0.0 });
        let (one, farthest) = (like.fill(1.0), like.fill(self.farthest));
        let mut measures = Measures::none(like);
        let (mut strayed, mut wrong) = (false, None);
        // Only blocks at the end of what can be addressed need to look.
        let brink = !self.domain.contains_around(&self.range.block);
        for at in registers::<T, S>(self.place.len()) {
            let (next, next_f) = (&self.next[at.chunk], &mut self.next_f[at.chunk]);
            let v = load_vector(s, &next.v, at);
            let before = load_vector(s, &self.f[at.chunk], at);
            let mut f = load_vector(s, next_f, at);
            let way = (f - before).max_abs();
            if wrong.is_none() {
                wrong = unfit(at, &f, &v, way, farthest);
            }
            // Whole cells go from the offset to the anchor, so that the offset is the kernel's.
            let mut moved = like;
            for a in 0..D {
                let n = (f[a] - low).floor();
                let rest = f[a] - n;
                // A tiny negative offset plus one rounds to one.
                let over = (low + one).le(rest);
                let n = Pack::select(over, n + one, n);
                f[a] = Pack::select(over, low, rest);
                moved = moved.mul_add(like.fill(16.0), n);
            }
            let gradient = self.next_L.map_or(&next.C, |L| &L[at.chunk]);
            let gradient = load_matrix(s, gradient, at);
            measures.take::<K, D>(&v, &gradient, &f, self.slopes);
            store_vector(&f, next_f, at);
            let to = &mut self.next_place[at.range()];
            to.copy_from_slice(&self.place[at.range()]);
            let still = moved.le(like) & like.le(moved);
            if !still.all() {
                for (l, place) in to.iter_mut().enumerate() {
                    *place = place.wrapping_add(moved.at(l).to_i32() as Place);
                    strayed |= !self.range.holds(&self.range.cell(*place));
                }
            }
            if brink && wrong.is_none() {
                let outside = |p: &Place| !self.domain.contains(&self.range.cell(*p));
                let lane = to.iter().position(outside);
                wrong = lane.map(|l| (at.first() + l, Wrong::OutOfReach));
            }
        }
        (measures.settled(strayed), wrong)
    }
}

/// The first particle of a register that a step must not move like this.
#[inline(always)]
fn unfit<L: Lane, const D: usize>(
    at: At,
    f: &Vector<L, D>,
    v: &Vector<L, D>,
    way: L,
    farthest: L,
) -> Option<(usize, Wrong)> {
    let finite = (v.norm2() + f.norm2()).finite();
    let fit = finite & way.le(farthest);
    if fit.all() {
        return None;
    }
    let lane = (0..at.count).find(|l| !fit.at(*l));
    lane.map(|l| match finite.at(l) {
        true => (at.first() + l, Wrong::TooFar),
        false => (at.first() + l, Wrong::NotFinite),
    })
}

/// How far particles have come, before obstacles are looked at.
pub(crate) struct Way<'a, T, const D: usize> {
    pub count: usize,
    pub f: &'a [Vectors<T, D>],
    pub next_f: &'a [Vectors<T, D>],
    pub next: &'a [Motion<T, D>],
}

impl<T: Real, const D: usize> Task for Way<'_, T, D> {
    /// The longest way along an axis, in cells, and the first particle that must not go on.
    type Out = (T, Option<(usize, Wrong)>);
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Self::Out {
        let like = Pack::<T, S>::splat(s, T::zero());
        let (mut longest, mut wrong) = (like, None);
        for at in registers::<T, S>(self.count) {
            let f = load_vector(s, &self.next_f[at.chunk], at);
            let v = load_vector(s, &self.next[at.chunk].v, at);
            let way = (f - load_vector(s, &self.f[at.chunk], at)).max_abs();
            if wrong.is_none() {
                wrong = unfit(at, &f, &v, way, like.fill(FARTHEST));
            }
            longest = longest.max(way);
        }
        (longest.highest(), wrong)
    }
}

/// What bounds the next step, in lanes.
struct Measures<L> {
    speed2: L,
    strain: L,
    shape: L,
}

impl<L: Lane> Measures<L> {
    #[inline(always)]
    fn none(zero: L) -> Self {
        Self {
            speed2: zero,
            strain: zero,
            shape: zero,
        }
    }
    #[inline(always)]
    fn take<K: Kernel, const D: usize>(
        &mut self,
        v: &Vector<L, D>,
        gradient: &Matrix<L, D>,
        f: &Vector<L, D>,
        slopes: bool,
    ) {
        self.speed2 = self.speed2.max(v.norm2());
        self.strain = self.strain.max(gradient.row_sum_norm());
        if slopes {
            for a in 0..D {
                self.shape = self.shape.max(slope_factor::<K, _>(f[a]));
            }
        }
    }
    #[inline(always)]
    fn settled(&self, strayed: bool) -> Settled<L::Scalar> {
        Settled {
            strayed,
            speed2: self.speed2.highest(),
            strain: self.strain.highest(),
            shape: self.shape.highest(),
        }
    }
}

/// The same of particles that stay where they are.
pub(crate) struct Measure<'a, T, K, const D: usize> {
    pub count: usize,
    pub f: &'a [Vectors<T, D>],
    pub now: &'a [Motion<T, D>],
    pub gradient: Gradient<'a, T, D>,
    pub slopes: bool,
    pub kernel: std::marker::PhantomData<K>,
}

impl<T: Real, K: Kernel, const D: usize> Task for Measure<'_, T, K, D> {
    type Out = Settled<T>;
    #[inline(always)]
    fn run<S: Simd>(self, s: S) -> Settled<T> {
        let mut measures = Measures::none(Pack::<T, S>::splat(s, T::zero()));
        for at in registers::<T, S>(self.count) {
            let v = load_vector(s, &self.now[at.chunk].v, at);
            let f = load_vector(s, &self.f[at.chunk], at);
            let gradient = load_matrix(s, self.gradient.at(at.chunk), at);
            measures.take::<K, D>(&v, &gradient, &f, self.slopes);
        }
        measures.settled(false)
    }
}

/// Σ (dx ∇w)²/w along one axis. For the multilinear kernel it has no bound; it is cut at a place
/// 5 % of a cell from a node.
#[inline(always)]
fn slope_factor<K: Kernel, L: Lane>(f: L) -> L {
    let f = if K::NEAREST {
        f
    } else {
        f.max(f.fill(0.05)).min(f.fill(0.95))
    };
    let (w, s) = (K::weights(f), K::slopes(f));
    let (zero, two) = (f.fill(0.0), f.fill(2.0));
    let mut sum = zero;
    for i in 0..K::WIDTH {
        let there = zero.lt(w[i]);
        let share = s[i] * s[i] / L::select(there, w[i], two);
        sum += L::select(there, share, two);
    }
    sum
}
