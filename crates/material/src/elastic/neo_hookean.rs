//! Neo-Hookean solid with logarithmic volume terms.
#![allow(non_snake_case)]

use thixo_math::{Matrix, Real};

use super::{Lame, POISSONS_RATIO, YOUNGS_MODULUS};
use crate::{Elastic, Info, Law, ParamError, Values};

/// Neo-Hookean, [Jiang15] §3.1.2 and [Course16] §6.2.
///
/// ψ = μ/2 (tr FᵀF − D) − μ ln J + λ/2 ln²J. (The text prints F_ij F_ji, which is not objective.)
///
/// P = μ F + (λ ln J − μ) F⁻ᵀ, and with δ ln J = F⁻ᵀ:δF and δ(F⁻ᵀ) = −F⁻ᵀ δFᵀ F⁻ᵀ
///
/// δP = μ δF + λ (F⁻ᵀ:δF) F⁻ᵀ + (μ − λ ln J) F⁻ᵀ δFᵀ F⁻ᵀ.
///
/// δF = δH F gives δτ = δP Fᵀ = μ δH b + λ tr δH I + (μ − λ ln J) δHᵀ, whose largest eigenvalue is
/// at most μ ‖b‖ + Dλ + |μ − λ ln J|: exact at rest. ‖b‖ is bounded by its trace and deviator,
/// tr b/D + √((D−1)/D) ‖dev b‖_F, exact in 2D.
///
/// ln J needs J > 0; an inverted F is a fault.
#[derive(Clone, Copy, Debug)]
pub struct NeoHookean<T> {
    /// The moduli.
    pub lame: Lame<T>,
}

impl<T: Real> NeoHookean<T> {
    #[inline(always)]
    fn bound<const D: usize>(&self, b: &Matrix<T, D>, lnJ: T) -> T {
        let Lame { mu, lambda } = self.lame;
        let d = T::of(D as f64);
        let largest =
            b.trace() / d + T::of((D as f64 - 1.0) / D as f64).sqrt() * b.deviator().norm();
        mu * largest + (d * lambda).max(T::zero()) + (mu - lambda * lnJ).abs()
    }
}

impl<T: Real, const D: usize> Elastic<T, D> for NeoHookean<T> {
    #[inline(always)]
    fn energy(&self, F: &Matrix<T, D>) -> T {
        let Lame { mu, lambda } = self.lame;
        let (half, d) = (T::of(0.5), T::of(D as f64));
        let lnJ = F.det().ln();
        mu * half * (F.norm2() - d) - mu * lnJ + lambda * half * lnJ * lnJ
    }
    #[inline(always)]
    fn piola(&self, F: &Matrix<T, D>) -> Matrix<T, D> {
        let Lame { mu, lambda } = self.lame;
        let J = F.det();
        *F * mu + F.cofactor() * ((lambda * J.ln() - mu) / J) // [Course16] (48)
    }
    #[inline(always)]
    fn dpiola(&self, F: &Matrix<T, D>, dF: &Matrix<T, D>) -> Matrix<T, D> {
        let Lame { mu, lambda } = self.lame;
        let J = F.det();
        let G = F.cofactor() / J; // F⁻ᵀ
        let dG = G.times_transpose(dF) * G; // −δ(F⁻ᵀ)
        *dF * mu + G * (lambda * G.dot(dF)) + dG * (mu - lambda * J.ln())
    }
    #[inline(always)]
    fn largest(&self, F: &Matrix<T, D>) -> T {
        self.bound(&F.times_transpose(F), F.det().ln())
    }
    #[inline(always)]
    fn tau(&self, F: &Matrix<T, D>) -> (Matrix<T, D>, T) {
        let Lame { mu, lambda } = self.lame;
        let b = F.times_transpose(F);
        let lnJ = F.det().ln();
        let tau = b * mu + Matrix::scalar(lambda * lnJ - mu);
        (tau, self.bound(&b, lnJ))
    }
}

impl<T: Real, const D: usize> Law<T, D> for NeoHookean<T> {
    type State = [T; 0];
    type Elastic = Self;
    const INFO: &'static Info = &Info {
        name: "neo-hookean",
        doc: "Rubber-like solid that resists collapse without limit; it must not invert.",
        source: "[Jiang15] §3.1.2",
        params: &[YOUNGS_MODULUS, POISSONS_RATIO],
    };
    fn new(values: &Values) -> Result<Self, ParamError> {
        Ok(Self {
            lame: Lame::of(values),
        })
    }
    fn start(&self) -> Self::State {
        []
    }
    #[inline]
    fn elastic(&self, _a: &Self::State) -> Self {
        *self
    }
}
