//! The two kernels: one particle to its nodes, and back.

use thixo_math::{Matrix, Real, Vector};

use crate::{Kernel, Node};

/// Weights of one particle along each axis, and where its nodes begin in the tile.
#[derive(Clone, Copy, Debug)]
pub struct Stencil<T, const D: usize> {
    /// w along each axis, padded with zeros.
    pub w: [[T; 4]; D],
    start: usize,
}

/// What goes with the weights along each axis: first moments or slopes.
pub type Moment<T, const D: usize> = [[T; 4]; D];

impl<T: Real, const D: usize> Stencil<T, D> {
    /// The weights of a particle at offset `f` from its anchor; `local` is the anchor's place in
    /// the tile, see [`Range::local`](crate::Range::local).
    #[inline(always)]
    pub fn new<K: Kernel>(local: [usize; D], f: &Vector<T, D>) -> Self {
        let start = local.iter().fold(0, |s, &c| s * K::TILE + c);
        Self {
            w: std::array::from_fn(|a| K::weights(f[a])),
            start,
        }
    }
    /// w (x_i − x_p)/dx along each axis.
    #[inline(always)]
    pub fn moments<K: Kernel>(&self, f: &Vector<T, D>) -> Moment<T, D> {
        std::array::from_fn(|a| {
            std::array::from_fn(|i| self.w[a][i] * (T::of((K::LOW + i as i32) as f64) - f[a]))
        })
    }
    /// dx ∂w/∂x along each axis.
    #[inline(always)]
    pub fn slopes<K: Kernel>(&self, f: &Vector<T, D>) -> Moment<T, D> {
        std::array::from_fn(|a| K::slopes(f[a]))
    }
}

#[inline(always)]
fn axpy<T: Real>(s: T, x: &Node<T>, y: &Node<T>) -> Node<T> {
    std::array::from_fn(|c| s * x[c] + y[c])
}

#[inline(always)]
fn scale<T: Real>(s: T, x: &Node<T>) -> Node<T> {
    std::array::from_fn(|c| s * x[c])
}

/// Adds `w q + Σ_d u_d a_d` to the particle's nodes, where `q` is (vector, mass) and `a_d` is
/// column d of `a`.
#[inline(always)]
pub fn scatter<T: Real, K: Kernel, const D: usize>(
    tile: &mut [Node<T>],
    s: &Stencil<T, D>,
    u: &Moment<T, D>,
    q: &Node<T>,
    a: &Matrix<T, D>,
) {
    let column = |d: usize| -> Node<T> {
        std::array::from_fn(|c| if c < D { a[(c, d)] } else { T::zero() })
    };
    let n = K::TILE;
    // Along the last axis: node += w_k α + u_k β.
    let row = |tile: &mut [Node<T>], start: usize, alpha: &Node<T>, beta: &Node<T>| {
        let nodes = &mut tile[start..start + K::WIDTH];
        for (k, node) in nodes.iter_mut().enumerate() {
            let (w, u) = (s.w[D - 1][k], u[D - 1][k]);
            for c in 0..4 {
                node[c] += w * alpha[c] + u * beta[c];
            }
        }
    };
    match D {
        2 => {
            let (a0, a1) = (column(0), column(1));
            for i in 0..K::WIDTH {
                let alpha = axpy(u[0][i], &a0, &scale(s.w[0][i], q));
                row(tile, s.start + i * n, &alpha, &scale(s.w[0][i], &a1));
            }
        }
        3 => {
            let (a0, a1, a2) = (column(0), column(1), column(2));
            for i in 0..K::WIDTH {
                let qi = axpy(u[0][i], &a0, &scale(s.w[0][i], q));
                let bi = scale(s.w[0][i], &a1);
                let ci = scale(s.w[0][i], &a2);
                for j in 0..K::WIDTH {
                    let alpha = axpy(u[1][j], &bi, &scale(s.w[1][j], &qi));
                    row(
                        tile,
                        s.start + (i * n + j) * n,
                        &alpha,
                        &scale(s.w[1][j], &ci),
                    );
                }
            }
        }
        _ => unreachable!("the engine has two and three dimensions"),
    }
}

/// (Σ w v_i, Σ v_i ⊗ u): the value at the particle, and the first moment or the gradient times dx.
#[inline(always)]
pub fn gather<T: Real, K: Kernel, const D: usize>(
    tile: &[Node<T>],
    s: &Stencil<T, D>,
    u: &Moment<T, D>,
) -> (Vector<T, D>, Matrix<T, D>) {
    let n = K::TILE;
    let zero = [T::zero(); 4];
    // Along the last axis: (Σ w_k v, Σ u_k v).
    let row = |start: usize| -> (Node<T>, Node<T>) {
        let nodes = &tile[start..start + K::WIDTH];
        let (mut value, mut moment) = (zero, zero);
        for (k, node) in nodes.iter().enumerate() {
            value = axpy(s.w[D - 1][k], node, &value);
            moment = axpy(u[D - 1][k], node, &moment);
        }
        (value, moment)
    };
    let mut v = zero;
    let mut m = [zero; D];
    match D {
        2 => {
            for i in 0..K::WIDTH {
                let (r, r1) = row(s.start + i * n);
                v = axpy(s.w[0][i], &r, &v);
                m[0] = axpy(u[0][i], &r, &m[0]);
                m[1] = axpy(s.w[0][i], &r1, &m[1]);
            }
        }
        3 => {
            for i in 0..K::WIDTH {
                let (mut p, mut p1, mut p2) = (zero, zero, zero);
                for j in 0..K::WIDTH {
                    let (r, r2) = row(s.start + (i * n + j) * n);
                    p = axpy(s.w[1][j], &r, &p);
                    p1 = axpy(u[1][j], &r, &p1);
                    p2 = axpy(s.w[1][j], &r2, &p2);
                }
                v = axpy(s.w[0][i], &p, &v);
                m[0] = axpy(u[0][i], &p, &m[0]);
                m[1] = axpy(s.w[0][i], &p1, &m[1]);
                m[2] = axpy(s.w[0][i], &p2, &m[2]);
            }
        }
        _ => unreachable!("the engine has two and three dimensions"),
    }
    (Vector::from_fn(|c| v[c]), Matrix::from_fn(|c, d| m[d][c]))
}
