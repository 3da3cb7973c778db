//! Quadratic forms of the weights' gradients: what a stiffness matrix has on its diagonal.

use thixo_math::{Lane, Pack, Real, Simd, Vector};

use super::stencil::{LANES, slopes, weights};
use crate::{Kernel, Node};

/// The numbers of a symmetric form: xx, yy, xy in the plane; xx, yy, zz, xy, xz, yz in space.
pub type Form<L> = [L; 6];

/// Adds Σ_{b ≤ d} F_bd g_b g_d to the nodes of each particle, a form for each of the first three numbers of a node. g is dx
/// times the gradient that forces go with: slopes of the weights, or `w dx² D⁻¹ (x_i − x_p)/dx` if `moments`.
#[inline(always)]
pub fn scatter_forms<T: Real, K: Kernel, S: Simd, const D: usize>(
    tile: &mut [Node<T>],
    starts: &[usize],
    f: &Vector<Pack<T, S>, D>,
    forms: &[Form<Pack<T, S>>; 3],
    moments: bool,
) {
    let (w, u) = (weights::<_, K, D>(f), slopes::<_, K, D>(f));
    let zero = f[0].fill(0.0);
    let inverse = f[0].fill(K::D_INV.unwrap_or(1.0));
    // Along each axis: the weight, and what stands for its slope.
    let partner = |a: usize, i: usize| {
        if moments {
            (f[0].fill(f64::from(K::LOW) + i as f64) - f[a]) * inverse * w[a][i]
        } else {
            u[a][i]
        }
    };
    let mut quads = [[T::zero(); 4]; LANES];
    for i in 0..K::WIDTH {
        let (wx, ux) = (w[0][i], partner(0, i));
        for j in 0..K::WIDTH {
            let (wy, uy) = (w[1][j], partner(1, j));
            for k in 0..if D == 2 { 1 } else { K::WIDTH } {
                let mut numbers = [zero; 4];
                if D == 2 {
                    let (x, y) = (ux * wy, wx * uy);
                    let (xx, yy, xy) = (x * x, y * y, x * y);
                    for (n, q) in numbers[..3].iter_mut().zip(forms) {
                        *n = q[0].mul_add(xx, q[1].mul_add(yy, q[2] * xy));
                    }
                } else {
                    let (wz, uz) = (w[D - 1][k], partner(D - 1, k));
                    let (x, y, z) = (ux * wy * wz, wx * uy * wz, wx * wy * uz);
                    let products = [x * x, y * y, z * z, x * y, x * z, y * z];
                    for (n, q) in numbers[..3].iter_mut().zip(forms) {
                        for (q, p) in q.iter().zip(products) {
                            *n = q.mul_add(p, *n);
                        }
                    }
                }
                Pack::to_quads(&numbers, &mut quads);
                let node = match D {
                    2 => i * K::TILE + j,
                    _ => (i * K::TILE + j) * K::TILE + k,
                };
                for (start, quad) in starts.iter().zip(&quads) {
                    let to = &mut tile[start + node];
                    for c in 0..3 {
                        to[c] += quad[c];
                    }
                }
            }
        }
    }
}
