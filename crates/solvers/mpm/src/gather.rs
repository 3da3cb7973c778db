//! Grid to particles. [Course16] (175)–(178); [Jiang15] (5.7)–(5.11)

use thixo_core::{Step, System};
use thixo_grid::transfer::{Stencil, gather};
use thixo_grid::{Kernel, Medium, fold_blocks};
use thixo_math::Real;

use crate::{Force, Mpm};

impl<T: Real, const D: usize> Mpm<T, D> {
    /// Velocity, affine velocity and trial position of every particle, into the next state.
    pub(crate) fn take_from_grid<K: Kernel>(&mut self, s: &Step<'_, D>, medium: &Medium<T, D>) {
        let layer = &medium.layers[self.layer().0];
        let Self {
            particles: p,
            next,
            tiles,
            link,
            layout,
            options,
            dx,
            ..
        } = self;
        next.resize(p.len(), p.stores_gradient());
        // Moments are in cells: C = Σ w v (x_i − x_p)ᵀ D⁻¹ = (dx² D⁻¹/dx) Σ v uᵀ.
        let to_affine = K::D_INV.map_or(T::one(), |d| T::of(d / *dx));
        let to_gradient = T::of(1.0 / *dx);
        let way = T::of(s.dt / *dx);
        let flip = T::of(options.scheme.flip);
        let slopes = options.force == Force::Gradient || K::D_INV.is_none();
        fold_blocks(
            &layout.ranges,
            (tiles.as_mut_slice(), K::TILE.pow(D as u32)),
            (
                next.f.as_mut_slice(),
                next.v.as_mut_slice(),
                next.C.as_mut_slice(),
                next.L.as_mut_slice(),
            ),
            &|b, r, tile, (next_f, next_v, next_C, next_L)| {
                link.load_tile::<T, K>(b, &layer.nodes, tile);
                for (j, i) in (r.start..r.end).enumerate() {
                    let f = &p.f[i];
                    let st = Stencil::new::<K>(r.local(&p.cell[i]), f);
                    let (v, M) = gather::<T, K, D>(tile, &st, &st.moments::<K>(f));
                    next_v[j] = v;
                    next_C[j] = M * to_affine;
                    // Every scheme moves its particles with the grid's velocity, FLIP too.
                    next_f[j] = *f + v * way;
                    if let Some(L) = next_L.get_mut(j) {
                        *L = match slopes {
                            true => {
                                gather::<T, K, D>(tile, &st, &st.slopes::<K>(f)).1 * to_gradient
                            }
                            false => next_C[j],
                        };
                    }
                }
                if options.scheme.needs_before() {
                    link.load_tile::<T, K>(b, &layer.before, tile);
                    for (j, i) in (r.start..r.end).enumerate() {
                        let f = &p.f[i];
                        let st = Stencil::new::<K>(r.local(&p.cell[i]), f);
                        let (old, M) = gather::<T, K, D>(tile, &st, &st.moments::<K>(f));
                        next_v[j] += (p.v[i] - old) * flip;
                        if options.scheme.keeps_affine() {
                            next_C[j] += (p.C[i] - M * to_affine) * flip;
                        }
                    }
                }
            },
            &|(), ()| (),
        );
    }
}
