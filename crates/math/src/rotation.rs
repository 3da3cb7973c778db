//! Plane rotations and exact scaling: the steps that every decomposition here is made of.
//!
//! Inputs are scaled to order one, so a square below [`tiny`] comes from a number that is far below
//! rounding: such a pair is left alone, which is what keeps 0/0 and subnormals out.

use crate::{Lane, Matrix};

/// Squares below this have lost digits to underflow.
#[inline(always)]
pub(crate) fn tiny<L: Lane>() -> L {
    L::splat(if L::DIGITS <= 24 { 1e-36 } else { 1e-290 })
}

/// −1 where `x < 0`, else 1.
#[inline(always)]
pub(crate) fn sign<L: Lane>(x: L) -> L {
    L::select(x.lt(L::zero()), -L::one(), L::one())
}

/// A mask as the factors 1 and 0. Choosing by product costs no more than by mask, and compilers do not
/// make a branch of it; of a mask they do, and here it would be one that no processor can foresee.
#[derive(Clone, Copy)]
pub(crate) struct Choice<L>(L, L);

impl<L: Lane> Choice<L> {
    /// 1 and 0 where the mask holds, else 0 and 1.
    #[inline(always)]
    pub(crate) fn of(m: L::Mask) -> Self {
        let t = L::select(m, L::one(), L::zero());
        Self(t, L::one() - t)
    }
    /// `a` where the mask holds, else `b`; both finite.
    #[inline(always)]
    pub(crate) fn of_two(self, a: L, b: L) -> L {
        a * self.0 + b * self.1
    }
}

/// (c, s) with c a + s b = √(a² + b²) ≥ 0 and c b − s a = 0.
#[inline(always)]
pub(crate) fn givens<L: Lane>(a: L, b: L) -> (L, L) {
    unit(a, b, a * a + b * b)
}

/// [`givens`] where r² = a² + b² is known.
#[inline(always)]
pub(crate) fn unit<L: Lane>(a: L, b: L, r2: L) -> (L, L) {
    let small = r2.lt(tiny());
    let r = L::one() / L::select(small, L::one(), r2).sqrt();
    (
        L::select(small, sign(a), a * r),
        L::select(small, L::zero(), b * r),
    )
}

/// (c, s) that makes [a g; g b] diagonal with the larger eigenvalue first: columns p ← c p + s q,
/// q ← c q − s p.
///
/// With d = a − b and r = √(d² + 4g²) the first axis is along (d + r, 2g), or the same up to length
/// (2g, r − d); the one that subtracts no like numbers is taken.
#[inline(always)]
pub(crate) fn jacobi<L: Lane>(a: L, b: L, g: L) -> (L, L) {
    let (d, g2) = (a - b, g + g);
    let gg = g2 * g2;
    let r2 = d * d + gg;
    let small = r2.lt(tiny());
    let h = d.abs() + L::select(small, L::one(), r2).sqrt();
    let n = L::one() / (h * h + gg).sqrt();
    let (h, g2) = (
        L::select(small, L::one(), h * n),
        L::select(small, L::zero(), g2 * n),
    );
    let turn = Choice::of(d.lt(L::zero()));
    (turn.of_two(g2, h), turn.of_two(h, g2))
}

impl<L: Lane, const D: usize> Matrix<L, D> {
    /// Columns p ← c p + s q, q ← c q − s p.
    #[inline(always)]
    pub(crate) fn turn_columns(&mut self, p: usize, q: usize, (c, s): (L, L)) {
        for row in &mut self.0 {
            let (x, y) = (row[p], row[q]);
            row[p] = c * x + s * y;
            row[q] = c * y - s * x;
        }
    }
    /// Rows p ← c p + s q, q ← c q − s p.
    #[inline(always)]
    pub(crate) fn turn_rows(&mut self, p: usize, q: usize, (c, s): (L, L)) {
        for j in 0..D {
            let (x, y) = (self.0[p][j], self.0[q][j]);
            self.0[p][j] = c * x + s * y;
            self.0[q][j] = c * y - s * x;
        }
    }
    /// Where the choice holds, the last column becomes the first and the others move up. In 3D this
    /// keeps the determinant.
    #[inline(always)]
    pub(crate) fn last_column_first(&mut self, m: Choice<L>) {
        for row in &mut self.0 {
            let old = *row;
            for j in 0..D {
                row[j] = m.of_two(old[(j + D - 1) % D], old[j]);
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
        let low = m.lt(L::splat(2f64.powi(-64)));
        let lift = L::select(low, L::splat(2f64.powi(64)), L::one());
        let lower = L::select(low, L::splat(2f64.powi(-64)), L::one());
        let b = (m * lift).binade();
        let r = L::one() / b;
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
