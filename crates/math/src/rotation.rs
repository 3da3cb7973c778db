//! Plane rotations and exact scaling: the steps that every decomposition here is made of.
//!
//! Inputs are scaled to order one, so a square below [`tiny`] comes from a number that is far below
//! rounding: such a pair is left alone, which is what keeps 0/0 and subnormals out.

use crate::{Lane, Matrix};

/// Squares below this have lost digits to underflow.
#[inline(always)]
pub(crate) fn tiny<L: Lane>(x: L) -> L {
    x.fill(if L::DIGITS <= 24 { 1e-36 } else { 1e-290 })
}

/// −1 where `x < 0`, else 1.
#[inline(always)]
pub(crate) fn sign<L: Lane>(x: L) -> L {
    L::select(x.lt(x.fill(0.0)), x.fill(-1.0), x.fill(1.0))
}

/// (c, s) with c a + s b = √(a² + b²) ≥ 0 and c b − s a = 0.
#[inline(always)]
pub(crate) fn givens<L: Lane>(a: L, b: L) -> (L, L) {
    unit(a, b, a.mul_add(a, b * b))
}

/// [`givens`] where r² = a² + b² is known.
#[inline(always)]
pub(crate) fn unit<L: Lane>(a: L, b: L, r2: L) -> (L, L) {
    let one = a.fill(1.0);
    let small = r2.lt(tiny(a));
    let r = one / L::select(small, one, r2).sqrt();
    (
        L::select(small, sign(a), a * r),
        L::select(small, a.fill(0.0), b * r),
    )
}

/// (c, s) that makes [a g; g b] diagonal with the larger eigenvalue first: columns p ← c p + s q,
/// q ← c q − s p.
///
/// With d = a − b and r = √(d² + 4g²) the first axis is along (d + r, 2g), or the same up to length
/// (2g, r − d); the one that subtracts no like numbers is taken.
#[inline(always)]
pub(crate) fn jacobi<L: Lane>(a: L, b: L, g: L) -> (L, L) {
    let (zero, one) = (a.fill(0.0), a.fill(1.0));
    let (d, g2) = (a - b, g + g);
    let gg = g2 * g2;
    let r2 = d.mul_add(d, gg);
    let small = r2.lt(tiny(a));
    let h = d.abs() + L::select(small, one, r2).sqrt();
    let n = one / h.mul_add(h, gg).sqrt();
    let (h, g2) = (L::select(small, one, h * n), L::select(small, zero, g2 * n));
    let turn = d.lt(zero);
    (L::select(turn, g2, h), L::select(turn, h, g2))
}

impl<L: Lane, const D: usize> Matrix<L, D> {
    /// Columns p ← c p + s q, q ← c q − s p.
    #[inline(always)]
    pub(crate) fn turn_columns(&mut self, p: usize, q: usize, (c, s): (L, L)) {
        for row in &mut self.0 {
            let (x, y) = (row[p], row[q]);
            row[p] = c.mul_add(x, s * y);
            row[q] = c.mul_add(y, -(s * x));
        }
    }
    /// Rows p ← c p + s q, q ← c q − s p.
    #[inline(always)]
    pub(crate) fn turn_rows(&mut self, p: usize, q: usize, (c, s): (L, L)) {
        for j in 0..D {
            let (x, y) = (self.0[p][j], self.0[q][j]);
            self.0[p][j] = c.mul_add(x, s * y);
            self.0[q][j] = c.mul_add(y, -(s * x));
        }
    }
    /// Where the mask holds, the last column becomes the first and the others move up. In 3D this
    /// keeps the determinant.
    #[inline(always)]
    pub(crate) fn last_column_first(&mut self, m: L::Mask) {
        for row in &mut self.0 {
            let old = *row;
            for j in 0..D {
                row[j] = L::select(m, old[(j + D - 1) % D], old[j]);
            }
        }
    }
    /// The same matrix under another name of its dimension.
    #[inline(always)]
    pub(crate) fn as_dim<const E: usize>(&self) -> Matrix<L, E> {
        Matrix::from_fn(|i, j| self.0[i % D][j % D])
    }
    /// A scaled by a power of two so that its largest entry lies in [1, 2), and the two factors
    /// that undo it, one after the other. Exact but for entries that underflow; 0 stays 0.
    #[inline(always)]
    pub(crate) fn scaled(&self) -> (Self, Scale<L>) {
        // Lift first what could be subnormal, so that neither binade nor its inverse leaves the range.
        let m = self.max_abs();
        let (one, small, large) = (m.fill(1.0), m.fill(2f64.powi(-64)), m.fill(2f64.powi(64)));
        let low = m.lt(small);
        let lift = L::select(low, large, one);
        let lower = L::select(low, small, one);
        let b = (m * lift).binade();
        let r = one / b;
        (self.map(|x| x * lift * r), Scale(b, lower))
    }
}

/// What [`Matrix::scaled`] took out.
#[derive(Clone, Copy)]
pub(crate) struct Scale<L>(L, L);

impl<L: Lane> Scale<L> {
    /// Puts it back.
    #[inline(always)]
    pub(crate) fn undo(self, x: L) -> L {
        x * self.0 * self.1
    }
}
