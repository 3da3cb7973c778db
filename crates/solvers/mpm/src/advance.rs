//! From the grid to the next state, block by block: velocity, position, obstacles, deformation, stress.

use thixo_core::{Result, Step, System};
use thixo_grid::{Kernel, Medium, fold_blocks};
use thixo_math::{Level, Real};

use crate::backward::go_backward;
use crate::collide::{collide, near_colliders};
use crate::gather::{Keep, Slope, Take};
use crate::lines::{Gradient, PerChunk};
use crate::matter::{Block, Deformed, Stiffness};
use crate::settle::{FARTHEST, Settle, Settled, Wrong};
use crate::survey::Limits;
use crate::{Force, Mpm};

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
            &|b, r, to, [tile, before]| {
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
                let near = near_colliders(s, r);
                if s.implicit && near {
                    link.load_wider_tile::<T, K>(b, &layer.nodes, tile);
                    go_backward::<T, K, D>(s, r, tile, p, next, next_f);
                }
                let mut early = None;
                if near {
                    early = collide::<T, K, D>(s, r, p, next_f, next);
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
        self.next_limits = Some(Limits {
            stiffness: outcome.stiffness,
            settled: outcome.settled,
        });
        Ok(())
    }

    /// What forbids the deformation, state or stress of particle `i` in these columns.
    pub(crate) fn why_bad(&self, of: &crate::particles::Moved<T, D>, i: usize) -> &'static str {
        let (F, a) = of.shape(self.particles.kind(), i);
        let why = self.matter.fault(&F, &a);
        why.unwrap_or("or its stress is not finite")
    }
}
