//! From the grid to the next state, block by block: velocity, position, obstacles, deformation, stress.

use thixo_core::{Result, Step, System};
use thixo_grid::{BLOCK, Domain, Kernel, Medium, Range, fold_blocks};
use thixo_math::{Level, Real, Vector};
use thixo_shape::{Collider, resolve};

use crate::columns::{matrices_mut, slices, slices_mut, vector};
use crate::gather::{Keep, Slope, Take};
use crate::matter::{Block, Deformed, Stiffness};
use crate::particles::{matrix_part, part};
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
            dx,
            ..
        } = self;
        let (dx, kind) = (*dx, p.kind());
        next.resize(p.len(), kind);
        let slopes = options.force == Force::Gradient || K::D_INV.is_none();
        let outcome = fold_blocks(
            &layout.ranges,
            (&mut [] as &mut [()], 0),
            (
                next.place.as_mut_slice(),
                slices_mut(&mut next.f),
                slices_mut(&mut next.v),
                matrices_mut(&mut next.C),
                matrices_mut(&mut next.L),
                Deformed {
                    F: matrices_mut(&mut next.F),
                    a: slices_mut(&mut next.a),
                    tau: slices_mut(tau),
                },
            ),
            &|| vec![[T::zero(); 4]; K::tile_size(D)],
            &|b,
              r,
              _,
              (next_place, mut next_f, mut next_v, mut next_C, mut next_L, deformed),
              tile| {
                let place = &p.now.place[r.start..r.end];
                let f = part(&p.now.f, r);
                link.load_tile::<T, K>(b, &layer.nodes, tile);
                let mut none = std::array::from_fn(|_| std::array::from_fn(|_| Default::default()));
                level.dispatch(Take::<T, K, D> {
                    tile,
                    place,
                    f,
                    next_f: &mut next_f,
                    next_v: &mut next_v,
                    next_C: &mut next_C,
                    next_L: if slopes { &mut none } else { &mut next_L },
                    dx,
                    dt: s.dt,
                    kernel: Default::default(),
                });
                if kind.gradient && slopes {
                    level.dispatch(Slope::<T, K, D> {
                        tile,
                        place,
                        f,
                        next_L: &mut next_L,
                        dx,
                        kernel: Default::default(),
                    });
                }
                if options.scheme.needs_before() {
                    link.load_tile::<T, K>(b, &layer.before, tile);
                    level.dispatch(Keep::<T, K, D> {
                        tile,
                        place,
                        f,
                        v: part(&p.now.v, r),
                        C: matrix_part(&p.now.C, r),
                        next_v: &mut next_v,
                        next_C: &mut next_C,
                        scheme: &options.scheme,
                        dx,
                        kernel: Default::default(),
                    });
                }
                let near = near_colliders(s, r, dx);
                let mut early = None;
                if near {
                    early = collide_block(s, r, p, &mut next_f, &mut next_v);
                }
                let gradient = if kind.gradient { &next_L } else { &next_C };
                let gradient = gradient.each_ref().map(|row| row.each_ref().map(|c| &**c));
                let (settled, late) = level.dispatch(Settle::<T, K, D> {
                    domain: s.domain,
                    range: r,
                    place,
                    f,
                    // What obstacles have moved has been looked at before.
                    farthest: if near { f64::INFINITY } else { FARTHEST },
                    next_place,
                    next_f: &mut next_f,
                    v: slices_of(&next_v),
                    gradient,
                    slopes,
                    kernel: Default::default(),
                });
                let block = Block {
                    count: r.len(),
                    F: matrix_part(&p.now.F, r),
                    a: part(&p.now.a, r),
                    gradient,
                    m: &p.m[r.start..],
                    V0: &p.V0[r.start..],
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
        let none = Outcome {
            settled: Settled::none(),
            wrong: None,
            stiffness: Stiffness::none(),
        };
        let outcome = outcome.unwrap_or(none);
        self.next_strayed = outcome.settled.strayed;
        match outcome.wrong {
            None => {}
            Some((i, Wrong::NotFinite)) => {
                return Err(self.fault(i, "velocity", "is not finite".into()).into());
            }
            Some((i, Wrong::TooFar)) => {
                let v = vector(&self.next.v, i).norm();
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

fn slices_of<'a, T, const N: usize>(columns: &'a [&mut [T]; N]) -> [&'a [T]; N] {
    columns.each_ref().map(|c| &**c)
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
    p: &crate::particles::Particles<T, D>,
    next_f: &mut [&mut [T]; D],
    next_v: &mut [&mut [T]; D],
) -> Option<(usize, Wrong)> {
    let (farthest, mut wrong) = (T::of(FARTHEST), None);
    let (f, places) = (slices(&p.now.f), &p.now.place[r.start..r.end]);
    for (j, place) in places.iter().enumerate() {
        let f = vector(&f, r.start + j);
        let mut x = Vector::from_fn(|a| next_f[a][j]);
        let mut v = Vector::from_fn(|a| next_v[a][j]);
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
        if collide(s, &r.cell(*place), &f, &mut x, &mut v) {
            for a in 0..D {
                next_f[a][j] = x[a];
                next_v[a][j] = v[a];
            }
        }
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
