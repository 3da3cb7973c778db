//! Particles to grid. [Course16] (172)–(174), (189); [Jiang15] (5.6)–(5.9)

use thixo_core::Step;
use thixo_grid::transfer::{Stencil, scatter};
use thixo_grid::{Kernel, Medium, Node, fold_blocks};
use thixo_math::{Matrix, Real, Vector};

use crate::{Force, Mpm, Place};
use thixo_core::System;

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
        let cells = &self.particles.cell;
        self.link
            .refresh::<T, K>(s.domain, layer, &self.layout, cells);
        let size = K::TILE.pow(D as u32);
        let zero = [T::zero(); 4];
        let mut tiles = std::mem::take(&mut self.tiles);
        tiles.resize(self.layout.ranges.len() * size, zero);
        if layer.keeps_before {
            self.fill_tiles::<K>(s, &mut tiles, Part::Momentum);
            self.link.add_tiles::<T, K>(&tiles, &mut layer.nodes);
            self.fill_tiles::<K>(s, &mut tiles, Part::Impulse);
            self.link.add_tiles::<T, K>(&tiles, &mut layer.impulse);
        } else {
            self.fill_tiles::<K>(s, &mut tiles, Part::Whole);
            self.link.add_tiles::<T, K>(&tiles, &mut layer.nodes);
        }
        self.tiles = tiles;
    }

    /// Each block's particles add to the block's own tile.
    fn fill_tiles<K: Kernel>(&self, s: &Step<'_, D>, tiles: &mut [Node<T>], part: Part) {
        let p = &self.particles;
        let (momentum, impulse) = (part != Part::Impulse, part != Part::Momentum);
        let scheme = &self.options.scheme;
        let dt = T::of(s.dt);
        let dx = T::of(self.dx);
        // Impulse of the stress: −dt V⁰ τ D⁻¹ (x_i − x_p) w, or −dt V⁰ τ ∇w; moments and slopes
        // are in cells, hence one dx.
        let by_moment = T::of(-s.dt * self.d_inv() / self.dx);
        let by_slope = T::of(-s.dt / self.dx);
        let classical = self.options.force == Force::Gradient && K::D_INV.is_some();
        fold_blocks(
            &self.layout.ranges,
            (tiles, K::TILE.pow(D as u32)),
            (),
            &|b, r, tile, ()| {
                self.link.clear_tile::<T, K>(b, tile);
                for i in r.start..r.end {
                    let f = &p.f[i];
                    let st = Stencil::new::<K>(r.local(&p.cell[i]), f);
                    let m = p.m[i];
                    let mut q = [T::zero(); 4];
                    if momentum {
                        q[3] = m;
                        for a in 0..D {
                            q[a] = m * p.v[i][a];
                        }
                    }
                    if impulse && !self.forces.is_empty() {
                        let b = self.body_force(s, i);
                        for a in 0..D {
                            q[a] += m * dt * b[a];
                        }
                    }
                    if K::D_INV.is_none() {
                        // Multilinear: D_p may be singular, but B D⁻¹ (x_i − x_p) w = B ∇w.
                        let mut a = Matrix::zero();
                        if momentum {
                            a += p.C[i] * (m * T::of(scheme.strain));
                        }
                        if impulse {
                            a += self.tau[i] * by_slope;
                        }
                        scatter::<T, K, D>(tile, &st, &st.slopes::<K>(f), &q, &a);
                        if momentum && scheme.rotation != scheme.strain {
                            let spin = spin_of_moment(&p.C[i], f);
                            let a = spin * (m * T::of(scheme.rotation - scheme.strain));
                            scatter::<T, K, D>(tile, &st, &st.moments::<K>(f), &[T::zero(); 4], &a);
                        }
                        continue;
                    }
                    let mut a = Matrix::zero();
                    if momentum {
                        a = scheme.affine(&p.C[i]) * (m * dx);
                    }
                    if impulse && !classical {
                        a += self.tau[i] * by_moment;
                    }
                    scatter::<T, K, D>(tile, &st, &st.moments::<K>(f), &q, &a);
                    if impulse && classical {
                        let a = self.tau[i] * by_slope;
                        scatter::<T, K, D>(tile, &st, &st.slopes::<K>(f), &[T::zero(); 4], &a);
                    }
                }
            },
            &|(), ()| (),
        );
    }

    /// Sum of the acceleration fields at a particle.
    fn body_force(&self, s: &Step<'_, D>, i: usize) -> Vector<T, D> {
        let p = &self.particles;
        let x = s.domain.place(&p.cell[i], &p.f[i]);
        let place = Place {
            id: p.id[i],
            x,
            v: p.v[i].wide(),
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

/// dx times the angular velocity (as a skew matrix) whose moment is the skew part of B/dx:
/// Ω_ab = (B_ab − B_ba)/(D_a + D_b), with D_a = dx² f_a (1 − f_a) for the multilinear kernel.
/// [Jiang15] (5.4)–(5.6), with K_p = m (tr D − D)
fn spin_of_moment<T: Real, const D: usize>(M: &Matrix<T, D>, f: &Vector<T, D>) -> Matrix<T, D> {
    let d = f.map(|f| f * (T::one() - f));
    Matrix::from_fn(|a, b| {
        let sum = d[a] + d[b];
        if a != b && sum > T::zero() {
            (M[(a, b)] - M[(b, a)]) / sum
        } else {
            T::zero()
        }
    })
}
