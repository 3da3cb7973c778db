//! A step that an implicit integrator tries, and how its energy curves.
#![allow(non_snake_case)]

use thixo_math::{Lane, Matrix};

use crate::Kin;

/// A step that is tried: F at its start, H = dt ∇v, dt. Its energy is a function of H alone.
#[derive(Clone, Copy, Debug)]
pub struct Trial<L, const D: usize> {
    /// Deformation gradient at the start of the step.
    pub F: Matrix<L, D>,
    /// dt ∇v, dimensionless.
    pub H: Matrix<L, D>,
    /// Time step \[s\].
    pub dt: L,
    /// What the law keeps of the last iterate, [`Motion::lag`](crate::Motion::lag).
    pub lag: [L; 2],
}

impl<L: Lane, const D: usize> Trial<L, D> {
    /// A step in which nothing yields before its end.
    #[inline(always)]
    pub fn elastic(F: Matrix<L, D>, H: Matrix<L, D>, dt: L) -> Self {
        let lag = [dt.fill(f64::NEG_INFINITY), dt.fill(f64::INFINITY)];
        Self { F, H, dt, lag }
    }
    /// I + H
    #[inline(always)]
    pub fn increment(&self) -> Matrix<L, D> {
        self.H + Matrix::scalar(self.dt.fill(1.0))
    }
    /// (I + H) F, as the solvers find it.
    #[inline(always)]
    pub fn deformed(&self) -> Matrix<L, D> {
        self.F + self.H * self.F
    }
    /// The start of the step, seen by a law.
    #[inline(always)]
    pub fn start(&self) -> Kin<L, D> {
        Kin {
            F: self.F,
            H: self.H,
            dt: self.dt,
        }
    }
}

/// ∂²ψ/∂H²: the upper triangle, row by row, of the symmetric matrix of D² rows; H_ij is number i D + j. In the plane
/// the first 10 numbers count, and the others are 0.
#[derive(Clone, Copy, Debug)]
pub struct Tangent<L>(pub [L; 45]);

impl<L: Lane> Tangent<L> {
    /// How many numbers count: 10 in the plane, 45 in space.
    pub const fn count<const D: usize>() -> usize {
        D * D * (D * D + 1) / 2
    }
    /// Where the entry in row r and column c ≥ r is.
    #[inline(always)]
    pub const fn place<const D: usize>(r: usize, c: usize) -> usize {
        r * (2 * D * D - r - 1) / 2 + c
    }
    /// No curvature.
    #[inline(always)]
    pub fn zero(like: L) -> Self {
        Self([like.fill(0.0); 45])
    }
    /// δH ↦ δ(∂ψ/∂H)
    #[inline(always)]
    pub fn apply<const D: usize>(&self, dH: &Matrix<L, D>) -> Matrix<L, D> {
        Matrix::from_fn(
            #[inline(always)]
            |i, j| {
                let n = i * D + j;
                let mut s = self.0[Self::place::<D>(0, n)] * dH[(0, 0)];
                for m in 1..D * D {
                    let at = Self::place::<D>(n.min(m), n.max(m));
                    s = self.0[at].mul_add(dH[(m / D, m % D)], s);
                }
                s
            },
        )
    }
    /// Adds that of the viscous energy c sym(H):sym(H): c (δ_ik δ_jl + δ_il δ_jk) for H_ij and H_kl.
    #[inline(always)]
    pub fn add_viscous<const D: usize>(&mut self, c: L) {
        for i in 0..D {
            self.0[Self::place::<D>(i * D + i, i * D + i)] += c + c;
            for j in i + 1..D {
                let (n, m) = (i * D + j, j * D + i);
                self.0[Self::place::<D>(n, n)] += c;
                self.0[Self::place::<D>(n, m)] += c;
                self.0[Self::place::<D>(m, m)] += c;
            }
        }
    }
}
