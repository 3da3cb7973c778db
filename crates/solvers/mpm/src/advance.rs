//! From the grid to the next state, block by block: velocity, position, obstacles, deformation, stress.

use thixo_core::{Result, Step, System};
use thixo_grid::{ALIGN, BLOCK, Domain, Kernel, Medium, Range, fold_blocks};
use thixo_math::{Level, Real, Vector};
use thixo_shape::{Collider, resolve};

use crate::gather::{Keep, Slope, Take};
use crate::lines::{Gradient, Motion, PerChunk, Vectors};
use crate::matter::{Block, Deformed, Stiffness};
use crate::particles::{Particles, put_vector, vector};
use crate::settle::{Settle, Settled, Wrong};
use crate::{Force, Mpm};

/// Farthest way of a particle in one step, in cells; a longer one rejects the step.
pub(crate) const FARTHEST: f64 = 1.0;

/// What became of some blocks of particles.
#[derive(Clone, Copy)]
struct Outcome<T> {
    settled: Settled<T>,
    wrong: Option<(usize, Wrong)>,
    stiffness: Stiffness<T>,
}

impl<T: Real> Outcome<T> {
    fn none() -> Self {
        Self {
            settled: Settled::none(),
            wrong: None,
            stiffness: Stiffness::none(),
        }
    }
    fn and(self, o: Self) -> Self {
        Self {
            settled: self.settled.and(o.settled),
            wrong: self.wrong.or(o.wrong),
            stiffness: self.stiffness.and(o.stiffness),
        }
    }
}

impl<T: Real, const D: usize> Mpm<T, D> {
    /// The next state of every particle. What must not spread is reported.
    pub(crate) fn move_on<K: Kernel>(
        &mut self,
        s: &Step<'_, D>,
        medium: &Medium<T, D>,
    ) -> Result<()> {
        let layer = &medium.layers[self.layer().0];
        let level = Level::in_use();
        let Self {
            particles: p,
            next,
            tau,
            link,
            layout,
            options,
            matter,
            around,
            dx,
            ..
        } = self;
        let (dx, kind) = (*dx, p.kind());
        next.resize(p.slots(), kind);
        let slopes = options.force == Force::Gradient || K::D_INV.is_none();
        let outcome = fold_blocks(
            &layout.ranges,
            (&mut [] as &mut [()], 0),
            (
                next.place.as_mut_slice(),
                PerChunk(&mut next.f),
                PerChunk(&mut next.motion),
                PerChunk(&mut next.L),
                Deformed {
                    shape: next.shape.all_mut(),
                    tau: tau.all_mut(),
                },
            ),
            around,
            &|b, r, _, to, [tile, before]| {
                let (next_place, next_f, next, next_L, deformed) = to;
                let (PerChunk(next_f), PerChunk(next), PerChunk(next_L)) = (next_f, next, next_L);
                let place = &p.now.place[r.start..r.end];
                let first = r.chunks().start;
                let (f, apart) = (&p.now.f[first..], kind.gradient && slopes);
                tile.resize(K::tile_size(D), [T::zero(); 4]);
                link.load_tile::<T, K>(b, &layer.nodes, tile);
                level.dispatch(Take::<T, K, D> {
                    tile,
                    place,
                    f,
                    next_f,
                    next,
                    next_L: if apart { &mut [] } else { next_L },
                    dx,
                    dt: s.dt,
                    kernel: Default::default(),
                });
                if apart {
                    level.dispatch(Slope::<T, K, D> {
                        tile,
                        place,
                        f,
                        next_L,
                        dx,
                        kernel: Default::default(),
                    });
                }
                if options.scheme.needs_before() {
                    before.resize(K::tile_size(D), [T::zero(); 4]);
                    link.load_tile::<T, K>(b, &layer.before, before);
                    level.dispatch(Keep::<T, K, D> {
                        tile: before,
                        place,
                        f,
                        now: &p.now.motion[first..],
                        next,
                        scheme: &options.scheme,
                        dx,
                        kernel: Default::default(),
                    });
                }
                let near = near_colliders(s, r, dx);
                let mut early = None;
                if near {
                    early = collide_block(s, r, p, next_f, next);
                }
                let (settled, late) = level.dispatch(Settle::<T, K, D> {
                    domain: s.domain,
                    range: r,
                    place,
                    f,
                    // What obstacles have moved has been looked at before.
                    farthest: if near { f64::INFINITY } else { FARTHEST },
                    next_place,
                    next_f,
                    next,
                    next_L: kind.gradient.then_some(&*next_L),
                    slopes,
                    kernel: Default::default(),
                });
                let block = Block {
                    count: r.len(),
                    shape: p.now.shape.from(r.start),
                    gradient: match kind.gradient {
                        true => Gradient::Apart(next_L),
                        false => Gradient::Affine(next),
                    },
                    body: &p.body[first..],
                };
                let mut stiffness = matter.deform(block, Some(T::of(s.dt)), deformed);
                stiffness.bad = stiffness.bad.map(|i| r.start + i);
                Outcome {
                    settled,
                    wrong: early.or(late).map(|(i, why)| (r.start + i, why)),
                    stiffness,
                }
            },
            &|a, b| a.and(b),
        );
        let outcome = outcome.unwrap_or(Outcome::none());
        self.next_strayed = outcome.settled.strayed;
        match outcome.wrong {
            None => {}
            Some((i, Wrong::NotFinite)) => {
                return Err(self.fault(i, "velocity", "is not finite".into()).into());
            }
            Some((i, Wrong::TooFar)) => {
                let v = self.next.v(i).norm();
                let what = format!("of {v:e} m/s moves it more than one cell");
                return Err(self.fault(i, "velocity", what).into());
            }
            Some((i, Wrong::OutOfReach)) => {
                let what = "is farther than the grid can address; add a drain".to_string();
                return Err(self.fault(i, "position", what).into());
            }
        }
        if let Some(i) = outcome.stiffness.bad {
            let why = self.why_bad(&self.next, i);
            return Err(self.fault(i, "deformation", why.into()).into());
        }
        self.next_bound = Some(self.largest_step(&outcome.stiffness, &outcome.settled));
        Ok(())
    }

    /// What forbids the deformation, state or stress of particle `i` in these columns.
    pub(crate) fn why_bad(&self, of: &crate::particles::Moved<T, D>, i: usize) -> &'static str {
        let (F, a) = of.shape(self.particles.kind(), i);
        let why = self.matter.fault(&F, &a);
        why.unwrap_or("or its stress is not finite")
    }
}

/// Whether any collider is within reach of a block's particles in this step.
fn near_colliders<const D: usize>(s: &Step<'_, D>, r: &Range<D>, dx: f64) -> bool {
    // The block, one cell of slack, and the farthest way in one step.
    let half = 0.5 * BLOCK as f64;
    let reach = (half + 1.5 + FARTHEST) * dx * (D as f64).sqrt();
    let centre = Vector::from_fn(|a| ((r.block[a] * BLOCK) as f64 + half - 0.5) * dx);
    let close =
        |c: &Collider<D>, t: f64| c.obstacle.distance(&centre, t) <= reach * c.obstacle.slope();
    // What has crossed a seam is at the other end of the period.
    let any = s.domain.at_seam(&r.block);
    s.colliders
        .iter()
        .any(|c| any || close(c, s.t) || close(c, s.t + s.dt))
}

/// Takes the particles of a block out of every obstacle. The first whose way cannot be followed is told,
/// counted from the first of the block.
fn collide_block<T: Real, const D: usize>(
    s: &Step<'_, D>,
    r: &Range<D>,
    p: &Particles<T, D>,
    next_f: &mut [Vectors<T, D>],
    next: &mut [Motion<T, D>],
) -> Option<(usize, Wrong)> {
    let (farthest, mut wrong, n) = (T::of(FARTHEST), None, r.len());
    for (j, slot) in (r.start..r.end).enumerate() {
        let (next_f, next_v) = (&mut next_f[j / ALIGN], &mut next[j / ALIGN].v);
        let lane = j % ALIGN;
        let f = p.f(slot);
        let (mut x, mut v) = (vector(next_f, lane), vector(next_v, lane));
        let what = if !(v.finite() && x.finite()) {
            Some(Wrong::NotFinite)
        } else if (x - f).max_abs() > farthest {
            Some(Wrong::TooFar)
        } else {
            None
        };
        if what.is_some() {
            wrong = wrong.or(what.map(|what| (j, what)));
            continue;
        }
        if collide(s, &r.cell(p.now.place[slot]), &f, &mut x, &mut v) {
            put_vector(&x, next_f, lane);
            put_vector(&v, next_v, lane);
        }
    }
    // Empty slots stay copies of the last particle.
    let (chunk, lane) = ((n - 1) / ALIGN, (n - 1) % ALIGN);
    for line in next_f[chunk].iter_mut().chain(&mut next[chunk].v) {
        let x = line[lane];
        line[lane..].fill(x);
    }
    wrong
}

/// Takes one particle out of every obstacle; its velocity follows the contact laws. Whether it met any.
fn collide<T: Real, const D: usize>(
    s: &Step<'_, D>,
    cell: &[i32; D],
    f: &Vector<T, D>,
    next_f: &mut Vector<T, D>,
    next_v: &mut Vector<T, D>,
) -> bool {
    let domain: &Domain<D> = s.domain;
    let mut cell = *cell;
    domain.wrap_cell(&mut cell);
    let cell = &cell;
    let x0 = domain.place(cell, f);
    let mut x1 = domain.place(cell, next_f);
    let mut v = next_v.wide();
    let skin = 1e-3 * domain.dx;
    let met = resolve(s.colliders, &x0, s.t, &mut x1, &mut v, s.dt, skin).hits > 0;
    if met {
        *next_f = Vector::from_fn(|a| T::of(x1[a] / domain.dx - cell[a] as f64));
        *next_v = Vector::of(&v);
    }
    met
}
