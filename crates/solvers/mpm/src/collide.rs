//! Particles out of obstacles. What lies too far from all of them is left alone: first whole blocks, then cells.

use thixo_core::Step;
use thixo_grid::{ALIGN, Kernel, Place, Range};
use thixo_math::{Lane, Level, Real, Vector};
use thixo_shape::{is_clear, resolve};

use crate::lines::{Motion, Vectors};
use crate::particles::{Particles, put_vector, vector};
use crate::settle::{FARTHEST, Way, Wrong};

/// How deep in an obstacle a particle may be, in cells.
const SKIN: f64 = 1e-3;

/// Whether any collider is within reach of a block's particles in this step.
pub(crate) fn near_colliders<const D: usize>(s: &Step<'_, D>, r: &Range<D>) -> bool {
    let dx = s.domain.dx;
    // The box of their anchors, one cell of slack, and the offset from the anchor.
    let [low, high] = &r.cells;
    let half = Vector::<f64, D>::from_fn(|a| 0.5 * f64::from(high[a] - low[a]) + 2.0);
    let centre = Vector::from_fn(|a| 0.5 * (f64::from(low[a]) + f64::from(high[a])) * dx);
    let (radius, reach) = (half.norm() * dx, FARTHEST * (D as f64).sqrt() * dx);
    // What has crossed a seam is at the other end of the period.
    let seam = s.domain.at_seam(&r.block) && !s.colliders.is_empty();
    seam || !is_clear(s.colliders, &centre, radius, reach, (s.t, s.dt), SKIN * dx)
}

/// Takes the particles of a block out of every obstacle. The first whose way cannot be followed is told,
/// counted from the first of the block; then all stay where they are.
pub(crate) fn collide<T: Real, K: Kernel, const D: usize>(
    s: &Step<'_, D>,
    r: &Range<D>,
    p: &Particles<T, D>,
    next_f: &mut [Vectors<T, D>],
    next: &mut [Motion<T, D>],
) -> Option<(usize, Wrong)> {
    let (way, wrong) = Level::in_use().dispatch(Way {
        count: r.len(),
        f: &p.now.f[r.chunks()],
        next_f,
        next,
    });
    if wrong.is_some() {
        return wrong;
    }
    let mut cells = Cells::<D>::new(way.wide());
    for (j, slot) in (r.start..r.end).enumerate() {
        let place = p.now.place[slot];
        if cells.is_clear::<K>(s, r, place) {
            continue;
        }
        let (lane, next_f, next_v) = (j % ALIGN, &mut next_f[j / ALIGN], &mut next[j / ALIGN].v);
        let (mut x, mut v) = (vector(next_f, lane), vector(next_v, lane));
        if meet(s, r.cell(place), &p.f(slot), &mut x, &mut v) {
            put_vector(&x, next_f, lane);
            put_vector(&v, next_v, lane);
        }
    }
    // Empty slots stay copies of the last particle.
    let (chunk, lane) = ((r.len() - 1) / ALIGN, (r.len() - 1) % ALIGN);
    for line in next_f[chunk].iter_mut().chain(&mut next[chunk].v) {
        let x = line[lane];
        line[lane..].fill(x);
    }
    None
}

/// Which cells of a block and around it are far from all obstacles, as far as that has been asked for.
struct Cells<const D: usize> {
    /// By three bits of each digit of a place, which no two cells of a tile share.
    known: [Option<bool>; 512],
    /// The longest way of a particle along an axis, in cells.
    way: f64,
}

impl<const D: usize> Cells<D> {
    fn new(way: f64) -> Self {
        let known = [None; 512];
        Self { known, way }
    }
    /// Whether no particle of the cell can touch anything.
    #[inline(always)]
    fn is_clear<K: Kernel>(&mut self, s: &Step<'_, D>, r: &Range<D>, place: Place) -> bool {
        let index = (0..D).fold(0, |i, a| i << 3 | usize::from(place >> (4 * a) & 7));
        if let Some(clear) = self.known[index] {
            return clear;
        }
        let dx = s.domain.dx;
        let middle = Vector::from_fn(|_| if K::NEAREST { 0.0 } else { 0.5 });
        let x = s.domain.place::<f64>(&r.cell(place), &middle);
        // A little more than half a cell: offsets are rounded.
        let [radius, reach] = [0.501, self.way].map(|c| c * (D as f64).sqrt() * dx);
        let clear = is_clear(s.colliders, &x, radius, reach, (s.t, s.dt), SKIN * dx);
        self.known[index] = Some(clear);
        clear
    }
}

/// Takes one particle out of every obstacle; its velocity follows the contact laws. Whether it met any.
fn meet<T: Real, const D: usize>(
    s: &Step<'_, D>,
    mut cell: [i32; D],
    f: &Vector<T, D>,
    next_f: &mut Vector<T, D>,
    next_v: &mut Vector<T, D>,
) -> bool {
    let dx = s.domain.dx;
    s.domain.wrap_cell(&mut cell);
    let x0 = s.domain.place(&cell, f);
    let mut x1 = s.domain.place(&cell, next_f);
    let mut v = next_v.wide();
    let met = resolve(s.colliders, &x0, s.t, &mut x1, &mut v, s.dt, SKIN * dx).hits > 0;
    if met {
        // What starts deep inside comes out over several steps: no way is longer than a place can tell.
        *next_f = Vector::from_fn(|a| {
            let way = T::of(x1[a] / dx - f64::from(cell[a])) - f[a];
            f[a] + Lane::max(Lane::min(way, T::of(FARTHEST)), T::of(-FARTHEST))
        });
        *next_v = Vector::of(&v);
    }
    met
}
