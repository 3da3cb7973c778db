//! Neo-Hookean solid with logarithmic volume terms.
#![allow(non_snake_case)]

use thixo_math::{Lane, Matrix, Real};

use super::{Lame, POISSONS_RATIO, YOUNGS_MODULUS, largest_from_norms, upright};
use crate::{Elastic, Info, Law, Motion, ParamError, Values};

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

impl<L: Lane> NeoHookean<L> {
    #[inline(always)]
    fn bound<const D: usize>(&self, b: &Matrix<L, D>, lnJ: L) -> L {
        let Lame { mu, lambda } = self.lame;
        let largest = largest_from_norms::<L, D>(b.trace(), b.deviator().norm());
        let volume = (mu.fill(D as f64) * lambda).max(mu.fill(0.0));
        mu.mul_add(largest, volume) + (mu - lambda * lnJ).abs()
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
}

impl<L: Lane, const D: usize> Motion<L, D> for NeoHookean<L> {
    type State = [L; 0];
    #[inline(always)]
    fn tau(&self, F: &Matrix<L, D>, _a: &[L; 0]) -> (Matrix<L, D>, L) {
        let Lame { mu, lambda } = self.lame;
        let b = F.times_transpose(F);
        let lnJ = F.det().ln();
        let tau = b * mu + Matrix::scalar(lambda * lnJ - mu);
        (tau, self.bound(&b, lnJ))
    }
    #[inline(always)]
    fn allows(&self, F: &Matrix<L, D>) -> L::Mask {
        upright(F)
    }
}

impl<T: Real, const D: usize> Law<T, D> for NeoHookean<T> {
    type Elastic = Self;
    type In<L: Lane<Scalar = T>> = NeoHookean<L>;
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
    #[inline(always)]
    fn lanes<L: Lane<Scalar = T>>(&self, like: L) -> NeoHookean<L> {
        NeoHookean {
            lame: self.lame.lanes(like),
        }
    }
    fn start(&self) -> Self::State {
        []
    }
    #[inline]
    fn elastic(&self, _a: &Self::State) -> Self {
        *self
    }
}
