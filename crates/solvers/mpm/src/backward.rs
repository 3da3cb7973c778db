//! Backward Euler positions: x = xⁿ + dt v(x), so that a particle comes to where the grid moves as it has moved.
//! Inside an obstacle the grid moves with the obstacle, so nothing can come to be there. [Jiang15] §A.6.2
//!
//! Only particles in blocks near obstacles go so. F goes by I + dt ∇v, as places by x + dt v do; backward places go by
//! (I − dt ∇v)⁻¹, so that what spins draws together while its F says that it does not (case V5).

use thixo_core::Step;
use thixo_grid::{ALIGN, Kernel, Node, Range};
use thixo_math::{Matrix, Real, Vector};
use thixo_shape::constrain_velocity;

use crate::lines::{Motion, Vectors};
use crate::particles::{Particles, put_vector, vector};
use crate::settle::FARTHEST;

/// Most Newton iterations; one is usual.
const MOST: u32 = 8;
/// How exactly the place is found, in cells.
const CLOSE: f64 = 1e-6;

/// The grid's velocity around one particle.
struct Around<'a, T, const D: usize> {
    s: &'a Step<'a, D>,
    tile: &'a [Node<T>],
    /// Anchor, its place in the tile, offset from it.
    cell: [i32; D],
    first: [i32; D],
    f: Vector<f64, D>,
    /// What the particle takes from the grid where it is: v, and C in cells.
    v: Vector<f64, D>,
    C: Matrix<f64, D>,
}

impl<T: Real, const D: usize> Around<'_, T, D> {
    /// Velocity and dx ∇v at the offset `x` from the anchor, which is less than two cells away.
    fn at<K: Kernel>(&self, x: &Vector<f64, D>) -> (Vector<f64, D>, Matrix<f64, D>) {
        let low = if K::NEAREST { -0.5 } else { 0.0 };
        let moved: [i32; D] = std::array::from_fn(|a| ((x[a] - low).floor() as i32).clamp(-1, 1));
        let f: Vector<f64, D> = Vector::from_fn(|a| x[a] - f64::from(moved[a]));
        let (w, u) = (
            Vector::<[f64; 4], D>(std::array::from_fn(|a| K::weights(f[a]))),
            Vector::<[f64; 4], D>(std::array::from_fn(|a| K::slopes(f[a]))),
        );
        let (mut v, mut L) = (Vector::zero(), Matrix::zero());
        let width = K::WIDTH;
        for n in 0..width.pow(D as u32) {
            let o: [usize; D] = std::array::from_fn(|a| n / width.pow((D - 1 - a) as u32) % width);
            // Along each axis a node of the tile, or none.
            let along = |a: usize| usize::try_from(self.first[a] + moved[a] + o[a] as i32).ok();
            let index = (0..D).try_fold(0, |index, a| {
                along(a)
                    .filter(|n| *n < K::TILE)
                    .map(|n| index * K::TILE + n)
            });
            let offset: [i32; D] = std::array::from_fn(|a| moved[a] + K::LOW + o[a] as i32);
            let node = self.node(index.map(|n| &self.tile[n]), &offset);
            let weight: f64 = (0..D).map(|a| w.0[a][o[a]]).product();
            let slope = Vector::from_fn(|d| {
                let factor = |a: usize| if a == d { u.0[a][o[a]] } else { w.0[a][o[a]] };
                (0..D).map(factor).product::<f64>()
            });
            v += node * weight;
            L += node.outer(&slope);
        }
        (v, L)
    }
    /// The velocity of the node at this offset from the anchor. Where there is no matter it is what the particle would
    /// bring there, held by the obstacles.
    fn node(&self, node: Option<&Node<T>>, offset: &[i32; D]) -> Vector<f64, D> {
        match node {
            Some(node) if node[3] != T::zero() => Vector::from_fn(|a| node[a].wide()),
            _ => {
                let away = Vector::from_fn(|a| f64::from(offset[a]) - self.f[a]);
                let v = self.v + self.C * away;
                let mut cell: [i32; D] = std::array::from_fn(|a| self.cell[a] + offset[a]);
                self.s.domain.wrap_cell(&mut cell);
                let x = self.s.domain.place::<f64>(&cell, &Vector::zero());
                let skin = 1e-6 * self.s.domain.dx;
                constrain_velocity(self.s.colliders, &x, self.s.t + self.s.dt, &v, skin)
            }
        }
    }
    /// Solves x = f + dt/dx v(x) by Newton's method, whose step is halved while it makes things worse.
    fn solve<K: Kernel>(&self, start: Vector<f64, D>) -> Vector<f64, D> {
        let way = self.s.dt / self.s.domain.dx;
        let error = |x: &Vector<f64, D>| {
            let (v, L) = self.at::<K>(x);
            (*x - self.f - v * way, L)
        };
        let mut x = start;
        let (mut r, mut L) = error(&x);
        for _ in 0..MOST {
            if r.max_abs() <= CLOSE {
                break;
            }
            let slope = Matrix::identity() - L * way;
            let inverse = slope.inverse();
            let full = if inverse.finite() { -(inverse * r) } else { -r };
            let mut share = 1.0;
            for _ in 0..14 {
                let to = x + full * share;
                let next = error(&to);
                let better = next.0.norm2() <= r.norm2();
                if better || share < 1e-4 {
                    (x, (r, L)) = (to, next);
                    break;
                }
                share *= 0.5;
            }
        }
        x
    }
}

/// Puts the particles of a block to where backward Euler leads them. `tile` has the grid around the block one node
/// farther than its particles reach; they have been sorted for this step.
pub(crate) fn go_backward<T: Real, K: Kernel, const D: usize>(
    s: &Step<'_, D>,
    r: &Range<D>,
    tile: &[Node<T>],
    p: &Particles<T, D>,
    next: &[Motion<T, D>],
    next_f: &mut [Vectors<T, D>],
) {
    for (j, slot) in (r.start..r.end).enumerate() {
        let (chunk, lane) = (j / ALIGN, j % ALIGN);
        let place = p.now.place[slot];
        let around = Around {
            s,
            tile,
            cell: r.cell(place),
            first: std::array::from_fn(|a| i32::from(place >> (4 * (D - 1 - a)) & 15) - 1),
            f: p.f(slot).wide(),
            v: vector(&next[chunk].v, lane).wide(),
            C: match K::D_INV {
                Some(_) => Matrix::from_fn(|a, b| next[chunk].C[a][b][lane].wide() * s.domain.dx),
                None => Matrix::zero(),
            },
        };
        let start: Vector<f64, D> = vector(&next_f[chunk], lane).wide();
        let x = around.solve::<K>(start);
        // What goes farther than a step may is left to be found out.
        if x.finite() && (x - around.f).max_abs() <= FARTHEST {
            put_vector(&Vector::of(&x), &mut next_f[chunk], lane);
        }
    }
    let last = r.len() - 1;
    for line in &mut next_f[last / ALIGN] {
        let x = line[last % ALIGN];
        line[last % ALIGN..].fill(x);
    }
}
