//! Fixed corotated solid.
#![allow(non_snake_case)]

use thixo_math::{Matrix, Real, Vector};

use super::{Lame, POISSONS_RATIO, YOUNGS_MODULUS, dcofactor, volume_stiffness};
use crate::{Info, Kin, Law, ParamError, Values};

/// Fixed corotated, [Jiang15] §3.1.3 and [Course16] §6.3.
///
/// ψ = μ‖F − R‖² + λ/2 (J − 1)², with F = R S the polar decomposition. Since R:δR S = 0,
///
/// P = 2μ (F − R) + λ (J − 1) cof F, where cof F = J F⁻ᵀ exists for a singular F too.
///
/// δP = 2μ (δF − δR) + λ (cof F:δF) cof F + λ (J − 1) δ(cof F).
///
/// With F = U Σ Vᵀ and X = Uᵀ δF V, δR = U W Vᵀ with W_ij = (X_ij − X_ji)/(σ_i + σ_j): the only place
/// where equal or small singular values matter. U and V are rotations and |σ| descends, so
/// σ_i + σ_j ≥ 0 even for an inverted F; it is kept from 0, where ψ itself has a kink.
///
/// In principal axes τ = U (2μ (Σ² − Σ) + λ (J − 1) J) Uᵀ.
///
/// The part of δτ that comes from δR is −2μ δR Fᵀ, and δR:δF = Σ (X_ij − X_ji)²/(σ_i + σ_j) ≥ 0, so the
/// largest eigenvalue is at most 2μ σ₁² plus that of the volume part: exact at rest.
#[derive(Clone, Copy, Debug)]
pub struct FixedCorotated<T> {
    /// The moduli.
    pub lame: Lame<T>,
}

impl<T: Real> FixedCorotated<T> {
    /// ψ from the singular values.
    #[inline(always)]
    pub(crate) fn energy<const D: usize>(&self, F: &Matrix<T, D>) -> T {
        let Lame { mu, lambda } = self.lame;
        let S = F.svd();
        let e = S.sigma - Vector::splat(T::one());
        let j = F.det() - T::one();
        mu * e.norm2() + lambda * T::of(0.5) * j * j
    }
    /// P
    #[inline(always)]
    pub(crate) fn piola<const D: usize>(&self, F: &Matrix<T, D>) -> Matrix<T, D> {
        let Lame { mu, lambda } = self.lame;
        let (R, _) = F.polar();
        (*F - R) * (mu + mu) + F.cofactor() * (lambda * (F.det() - T::one())) // [Course16] (52)
    }
    /// δP
    #[inline(always)]
    pub(crate) fn dpiola<const D: usize>(
        &self,
        F: &Matrix<T, D>,
        dF: &Matrix<T, D>,
    ) -> Matrix<T, D> {
        let Lame { mu, lambda } = self.lame;
        let S = F.svd();
        let X = S.U.transpose_times(&(*dF * S.V));
        let W = Matrix::from_fn(|i, j| {
            let s = (S.sigma[i] + S.sigma[j]).max(T::of(1e-6)); // [Course16] after (77)
            (X[(i, j)] - X[(j, i)]) / s
        });
        let dR = (S.U * W).times_transpose(&S.V);
        let cof = F.cofactor();
        (*dF - dR) * (mu + mu)
            + cof * (lambda * cof.dot(dF))
            + dcofactor(F, dF) * (lambda * (F.det() - T::one()))
    }
    /// Largest eigenvalue of δτ/δH, from above.
    #[inline(always)]
    pub(crate) fn bound<const D: usize>(&self, sigma: &Vector<T, D>, J: T) -> T {
        let Lame { mu, lambda } = self.lame;
        let volume = volume_stiffness::<T, D>(lambda * (J - T::one()) * J, lambda * J * J);
        (mu + mu) * sigma[0] * sigma[0] + volume
    }
    /// τ and the bound, from one decomposition.
    #[inline(always)]
    pub(crate) fn tau<const D: usize>(&self, F: &Matrix<T, D>) -> (Matrix<T, D>, T) {
        let Lame { mu, lambda } = self.lame;
        let S = F.svd();
        let J = F.det();
        let p = lambda * (J - T::one()) * J;
        let tau = S.sigma.map(|s| (mu + mu) * s * (s - T::one()) + p);
        let U_tau = Matrix::from_fn(|i, j| S.U[(i, j)] * tau[j]);
        (U_tau.times_transpose(&S.U), self.bound(&S.sigma, J))
    }
}

impl<T: Real, const D: usize> Law<T, D> for FixedCorotated<T> {
    type State = [T; 0];
    const INFO: &'static Info = &Info {
        name: "fixed-corotated",
        doc: "Robust elastic solid that recovers even from inversion.",
        source: "[Jiang15] §3.1.3",
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
    fn psi(&self, k: &Kin<T, D>, _a: &Self::State) -> T {
        self.energy(&k.F)
    }
    #[inline]
    fn stress(&self, k: &Kin<T, D>, _a: &Self::State) -> (Matrix<T, D>, Matrix<T, D>) {
        (self.piola(&k.F), Matrix::zero())
    }
    #[inline]
    fn dstress(
        &self,
        k: &Kin<T, D>,
        _a: &Self::State,
        dF: &Matrix<T, D>,
        _dH: &Matrix<T, D>,
    ) -> (Matrix<T, D>, Matrix<T, D>) {
        (self.dpiola(&k.F, dF), Matrix::zero())
    }
    #[inline]
    fn flow(&self, k: &Kin<T, D>, _a: &mut Self::State) -> Matrix<T, D> {
        k.F
    }
    #[inline]
    fn stiffness(&self, k: &Kin<T, D>, _a: &Self::State) -> T {
        self.bound(&k.F.svd().sigma, k.F.det())
    }
    #[inline]
    fn kirchhoff(&self, k: &Kin<T, D>, _a: &Self::State) -> (Matrix<T, D>, T) {
        self.tau(&k.F)
    }
}
