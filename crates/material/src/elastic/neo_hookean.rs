//! Neo-Hookean solid with logarithmic volume terms.
#![allow(non_snake_case)]

use thixo_math::{Lane, Matrix, Principal, Real, Vector};

use super::{Lame, POISSONS_RATIO, YOUNGS_MODULUS, curve, largest_from_norms, upright};
use crate::{Elastic, Info, Law, Motion, ParamError, Tangent, Trial, Values};

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

impl<L: Lane> NeoHookean<L> {
    /// ½ (tr b − D) − ln J and ln J. Near b = I the first is a difference of like numbers: with B = b − I, whose
    /// invariants are I₁, I₂, I₃, and y = J² − 1 = I₁ + I₂ + I₃, it is ½ (y − ln(1 + y) − I₂ − I₃).
    #[inline(always)]
    fn excess<const D: usize>(F: &Matrix<L, D>) -> (L, L) {
        let J = F.det();
        let c = |x: f64| J.fill(x);
        let half = c(0.5);
        let B = F.symmetric_times_transpose(F) - Matrix::scalar(c(1.0));
        let (I1, det) = (B.trace(), B.det());
        let higher = if D == 2 {
            det
        } else {
            (I1 * I1 - B.norm2()) * half + det
        };
        let y = I1 + higher;
        let near = y.abs().lt(c(0.06)) & c(0.0).lt(J);
        // ln(1 + y) = 2 artanh z with z = y/(2 + y); y − 2z = y z, and |z| < 0.031.
        let z = y / (y + c(2.0));
        let z2 = z * z;
        let mut s = c(1.0 / 11.0);
        for k in (1..5).rev() {
            s = s.mul_add(z2, c(1.0 / (2 * k + 1) as f64));
        }
        let tail = (z + z) * z2 * s; // 2 artanh z − 2z
        let (ln, left) = (z + z + tail, y * z - tail - higher);
        let far = J.ln();
        let direct = I1 * half - far;
        (
            L::select(near, left * half, direct),
            L::select(near, ln * half, far),
        )
    }
    /// Second derivatives in principal axes: ψ_i = μ σ_i − g/σ_i with g = μ − λ ln J, so that
    /// ψ_ii = μ + (λ + g)/σ_i², ψ_ij = λ/(σ_i σ_j), m = μ + g/(σ_i σ_j), q = μ − g/(σ_i σ_j).
    #[inline(always)]
    fn principal<const D: usize>(&self, s: &Vector<L, D>) -> Principal<L, D> {
        let Lame { mu, lambda } = self.lame;
        let g = mu - lambda * s.product().ln();
        let r = s.map(
            #[inline(always)]
            |x| x.fill(1.0) / x,
        );
        Principal {
            hess: Matrix::from_fn(
                #[inline(always)]
                |i, j| {
                    let rr = r[i] * r[j];
                    if i == j {
                        (lambda + g).mul_add(rr, mu)
                    } else {
                        lambda * rr
                    }
                },
            ),
            minus: Matrix::from_fn(
                #[inline(always)]
                |i, j| g.mul_add(r[i] * r[j], mu),
            ),
            plus: Matrix::from_fn(
                #[inline(always)]
                |i, j| mu - g * (r[i] * r[j]),
            ),
        }
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
    #[inline(always)]
    fn respond(&self, k: &Trial<L, D>, _a: &Self::State) -> (L, Matrix<L, D>) {
        let Lame { mu, lambda } = self.lame;
        let F = k.deformed();
        let (shape, lnJ) = Self::excess(&F);
        let psi = mu.mul_add(shape, lambda * mu.fill(0.5) * lnJ * lnJ);
        // P Fₙᵀ = μ F Fₙᵀ + (λ ln J − μ) (I + H)⁻ᵀ
        let g = k.increment().inverse().transpose() * (lambda * lnJ - mu);
        let g = F.times_transpose(&k.F) * mu + g;
        (L::select(upright(&F), psi, psi.fill(f64::INFINITY)), g)
    }
    #[inline(always)]
    fn tangent(&self, k: &Trial<L, D>, _a: &Self::State, definite: bool) -> Tangent<L> {
        curve(
            k,
            definite,
            #[inline(always)]
            |S| self.principal(&S.sigma),
        )
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
