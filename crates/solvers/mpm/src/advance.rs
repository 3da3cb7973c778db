//! Positions, obstacles, deformation.

use thixo_core::{Result, Step};
use thixo_grid::{BLOCK, Domain, Kernel, Range, fold_blocks};
use thixo_math::{Real, Vector};
use thixo_shape::{Collider, resolve};

use crate::Mpm;
use crate::particles::anchor;

/// Farthest way of a particle in one step, in cells; a longer one rejects the step.
const FARTHEST: f64 = 1.0;

/// What went wrong with a particle's motion.
#[derive(Clone, Copy)]
enum Wrong {
    NotFinite,
    TooFar,
    OutOfReach,
}

impl<T: Real, const D: usize> Mpm<T, D> {
    /// Takes the trial positions out of obstacles and makes them anchors and offsets.
    pub(crate) fn travel<K: Kernel>(&mut self, s: &Step<'_, D>) -> Result<()> {
        let Self {
            particles: p,
            next,
            layout,
            dx,
            ..
        } = self;
        let dx = *dx;
        let farthest = T::of(FARTHEST);
        let outcome = fold_blocks(
            &layout.ranges,
            (&mut [] as &mut [()], 0),
            (
                next.cell.as_mut_slice(),
                next.f.as_mut_slice(),
                next.v.as_mut_slice(),
            ),
            &|_, r, _, (next_cell, next_f, next_v)| {
                let near = near_colliders(s, r, dx);
                let (mut strayed, mut wrong) = (false, None);
                for (j, i) in (r.start..r.end).enumerate() {
                    let way = next_f[j] - p.f[i];
                    let finite = next_v[j].finite() && next_f[j].finite();
                    let what = if !finite {
                        Some(Wrong::NotFinite)
                    } else if way.max_abs() > farthest {
                        Some(Wrong::TooFar)
                    } else {
                        None
                    };
                    if let (None, Some(what)) = (wrong, what) {
                        wrong = Some((i, what));
                    }
                    let mut cell = p.cell[i];
                    if near && what.is_none() {
                        collide(s, &p.cell[i], &p.f[i], &mut next_f[j], &mut next_v[j]);
                    }
                    anchor::<T, K, D>(&mut cell, &mut next_f[j]);
                    if wrong.is_none() && !s.domain.contains(&cell) {
                        wrong = Some((i, Wrong::OutOfReach));
                    }
                    strayed |= !r.holds(&cell);
                    next_cell[j] = cell;
                }
                (strayed, wrong)
            },
            &|a, b| (a.0 || b.0, a.1.or(b.1)),
        );
        let (strayed, wrong) = outcome.unwrap_or((false, None));
        self.next_strayed = strayed;
        match wrong {
            None => Ok(()),
            Some((i, Wrong::NotFinite)) => {
                Err(self.fault(i, "velocity", "is not finite".into()).into())
            }
            Some((i, Wrong::TooFar)) => {
                let v = self.next.v[i].norm();
                let what = format!("of {v:e} m/s moves it more than one cell");
                Err(self.fault(i, "velocity", what).into())
            }
            Some((i, Wrong::OutOfReach)) => {
                let what = "is farther than the grid can address; add a drain".to_string();
                Err(self.fault(i, "position", what).into())
            }
        }
    }

    /// Deforms by the new velocity gradient and flows.
    pub(crate) fn deform(&mut self, s: &Step<'_, D>) -> Result<()> {
        let gradient = if self.particles.stores_gradient() {
            &self.next.L
        } else {
            &self.next.C
        };
        match self.matter.deform(&self.layout, gradient, T::of(s.dt)) {
            None => Ok(()),
            Some((i, why)) => Err(self.fault(i, "deformation", why.into()).into()),
        }
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

/// Takes one particle out of every obstacle; its velocity follows the contact laws.
fn collide<T: Real, const D: usize>(
    s: &Step<'_, D>,
    cell: &[i32; D],
    f: &Vector<T, D>,
    next_f: &mut Vector<T, D>,
    next_v: &mut Vector<T, D>,
) {
    let domain: &Domain<D> = s.domain;
    let mut cell = *cell;
    domain.wrap_cell(&mut cell);
    let cell = &cell;
    let x0 = domain.place(cell, f);
    let mut x1 = domain.place(cell, next_f);
    let mut v = next_v.wide();
    let skin = 1e-3 * domain.dx;
    if resolve(s.colliders, &x0, s.t, &mut x1, &mut v, s.dt, skin).hits > 0 {
        *next_f = Vector::from_fn(|a| T::of(x1[a] / domain.dx - cell[a] as f64));
        *next_v = Vector::of(&v);
    }
}
