//! St Venant–Kirchhoff solid on Hencky strain.
#![allow(non_snake_case)]

use thixo_math::{Lane, Matrix, Real, Vector, log_secant};

use super::{
    Lame, POISSONS_RATIO, Split, YOUNGS_MODULUS, hencky_strain, inverted, respond_split,
    tangent_split, upright,
};
use crate::{Elastic, Info, Law, Motion, ParamError, Tangent, Trial, Values};

/// Quadratic energy of the logarithmic strain, [Klar16] as cited by [Han19] §3.2.
///
/// F = U Σ Vᵀ, ε = ln Σ: ψ = μ tr ε² + λ/2 (tr ε)². ([Han19] (8) and (9) misprint both λ terms.)
///
/// P = U (t/Σ) Vᵀ with t = 2μ ε + λ tr ε 1, and so τ = U t Uᵀ: linear in ε.
///
/// δP = U Y Vᵀ with X = Uᵀ δF V, [Course16] (69), (75)–(76). On the diagonal
/// Y_ii = (Σ_j (2μ δ_ij + λ) X_jj/σ_j − t_i X_ii/σ_i)/σ_i. Off it, with δ = ε_i − ε_j and m = μ δ coth δ,
/// Y_ij = 2m/(σ_i² + σ_j²) X_ij + (m − (t_i + t_j)/2)/(σ_i σ_j) X_ji,
/// where 2m/(σ_i² + σ_j²) = μ (ln σ_i² − ln σ_j²)/(σ_i² − σ_j²) is smooth at σ_i = σ_j.
///
/// δH ↦ δτ in principal axes: on the diagonal 2μ I + λ 11ᵀ − diag t, at most 2μ + Dλ − min t; for each
/// pair a 2×2 block of largest eigenvalue m + √(μ²δ² + (m − (t_i + t_j)/2)²), with
/// m ≤ μ min(1 + δ²/3, 1 + |δ|). The bound is made of the trace and the norm n of the deviator ε̂ alone:
/// ε̂_i ≥ −√((D−1)/D) n, |δ| ≤ √2 n, and |ε̂_i + ε̂_j| ≤ √(2/3) n in 3D, 0 in 2D. Exact at rest.
///
/// ln Σ needs J > 0; an inverted F is a fault.
#[derive(Clone, Copy, Debug)]
pub struct Hencky<T> {
    /// The moduli.
    pub lame: Lame<T>,
}

impl<L: Lane> Hencky<L> {
    /// t = 2μ ε + λ tr ε: principal Kirchhoff stresses of principal strains.
    #[inline(always)]
    pub fn principal_stress<const D: usize>(&self, e: &Vector<L, D>) -> Vector<L, D> {
        let Lame { mu, lambda } = self.lame;
        *e * (mu + mu) + Vector::splat(lambda * e.sum())
    }
    /// Largest eigenvalue of δτ/δH at the strain ε, from above.
    #[inline(always)]
    fn bound<const D: usize>(&self, e: &Matrix<L, D>) -> L {
        let Lame { mu, lambda } = self.lame;
        let (c, d) = (|x: f64| mu.fill(x), D as f64);
        let n = e.deviator().norm();
        let mean = (mu + mu).mul_add(c(1.0 / d), lambda) * e.trace();
        let least = mean - (mu + mu) * c((1.0 - 1.0 / d).sqrt()) * n;
        let axial = mu + mu + (lambda * c(d)).max(c(0.0)) - least;
        let gap = c(2f64.sqrt()) * n;
        let m = mu * (c(1.0) + (gap * gap * c(1.0 / 3.0)).min(gap));
        let mut off = (m - mean).abs();
        if D > 2 {
            off = (mu * n).mul_add(c((2.0f64 / 3.0).sqrt()), off);
        }
        let pair = m + off.mul_add(off, mu * mu * gap * gap).sqrt();
        axial.max(pair)
    }
    /// τ and the bound.
    #[inline(always)]
    pub fn tau<const D: usize>(&self, F: &Matrix<L, D>) -> (Matrix<L, D>, L) {
        let Lame { mu, lambda } = self.lame;
        let e = hencky_strain(F);
        let tau = e * (mu + mu) + Matrix::scalar(lambda * e.trace());
        (tau, self.bound(&e))
    }
    /// Of a strain with this trace: f = κ/2 (tr ε)² with its derivatives, κ = λ + 2μ/D.
    #[inline(always)]
    pub(crate) fn volume<const D: usize>(&self, tr: L) -> [L; 3] {
        let Lame { mu, lambda } = self.lame;
        let bulk = (mu + mu).mul_add(mu.fill(1.0 / D as f64), lambda);
        [mu.fill(0.5) * bulk * tr * tr, bulk * tr, bulk]
    }
    /// ψ = κ/2 (tr ε)² + μ ‖ε̂‖²
    #[inline(always)]
    fn split<const D: usize>(&self, tr: L, n: L) -> Split<L> {
        let mu = self.lame.mu;
        let [f, df, ddf] = self.volume::<D>(tr);
        let (h, g, ddh) = (mu * n * n, mu + mu, mu + mu);
        Split {
            f,
            df,
            ddf,
            h,
            g,
            ddh,
        }
    }
    /// Where F may be: upright, and not so flat that its least singular value may round to 0.
    #[inline(always)]
    pub(crate) fn allows<const D: usize>(&self, F: &Matrix<L, D>) -> L::Mask {
        let (norm, eps) = (F.norm(), self.lame.mu.fill(L::Scalar::EPSILON));
        let cube = if D == 2 {
            norm * norm
        } else {
            norm * norm * norm
        };
        upright(F) & (eps * cube).lt(F.det())
    }
}

impl<T: Real, const D: usize> Elastic<T, D> for Hencky<T> {
    #[inline(always)]
    fn energy(&self, F: &Matrix<T, D>) -> T {
        let Lame { mu, lambda } = self.lame;
        let e = F.svd().sigma.map(T::ln);
        mu * e.norm2() + lambda * T::of(0.5) * e.sum() * e.sum()
    }
    #[inline(always)]
    fn piola(&self, F: &Matrix<T, D>) -> Matrix<T, D> {
        let S = F.svd();
        let t = self.principal_stress(&S.sigma.map(T::ln));
        S.compose(&Vector::from_fn(|i| t[i] / S.sigma[i]))
    }
    #[inline(always)]
    fn dpiola(&self, F: &Matrix<T, D>, dF: &Matrix<T, D>) -> Matrix<T, D> {
        let mu = self.lame.mu;
        let S = F.svd();
        let s = S.sigma;
        let e = s.map(T::ln);
        let t = self.principal_stress(&e);
        let X = S.U.transpose_times(&(*dF * S.V));
        let de = Vector::<T, D>::from_fn(|i| X[(i, i)] / s[i]);
        let dt = self.principal_stress(&de);
        let Y = Matrix::from_fn(|i, j| {
            if i == j {
                return (dt[i] - t[i] * de[i]) / s[i];
            }
            let (si, sj) = (s[i] * s[i], s[j] * s[j]);
            let A = mu * log_secant(si, sj); // 2m/(σ_i² + σ_j²)
            let c = (A * (si + sj) - t[i] - t[j]) * T::of(0.5);
            X[(i, j)] * A + X[(j, i)] * (c / (s[i] * s[j]))
        });
        (S.U * Y).times_transpose(&S.V)
    }
    #[inline(always)]
    fn largest(&self, F: &Matrix<T, D>) -> T {
        self.bound(&hencky_strain(F))
    }
    /// Also what is so flat that its least singular value may round to 0.
    fn forbids(&self, F: &Matrix<T, D>) -> Option<&'static str> {
        let flat = !self.allows(F);
        inverted(F).or(flat.then_some("deformation gradient is singular"))
    }
}

impl<L: Lane, const D: usize> Motion<L, D> for Hencky<L> {
    type State = [L; 0];
    #[inline(always)]
    fn tau(&self, F: &Matrix<L, D>, _a: &[L; 0]) -> (Matrix<L, D>, L) {
        self.tau(F)
    }
    #[inline(always)]
    fn allows(&self, F: &Matrix<L, D>) -> L::Mask {
        self.allows(F)
    }
    #[inline(always)]
    fn respond(&self, k: &Trial<L, D>, _a: &Self::State) -> (L, Matrix<L, D>) {
        let (psi, g) = respond_split(
            k,
            #[inline(always)]
            |tr, n| self.split::<D>(tr, n),
        );
        let fit = Motion::<L, D>::allows(self, &k.deformed());
        (L::select(fit, psi, psi.fill(f64::INFINITY)), g)
    }
    #[inline(always)]
    fn tangent(&self, k: &Trial<L, D>, _a: &Self::State, definite: bool) -> Tangent<L> {
        tangent_split(
            k,
            definite,
            #[inline(always)]
            |tr, n| self.split::<D>(tr, n),
        )
    }
}

impl<T: Real, const D: usize> Law<T, D> for Hencky<T> {
    type Elastic = Self;
    type In<L: Lane<Scalar = T>> = Hencky<L>;
    const INFO: &'static Info = &Info {
        name: "hencky",
        doc: "Elastic solid whose stress is linear in logarithmic strain; it must not invert.",
        source: "[Han19] (8), after [Klar16]",
        params: &[YOUNGS_MODULUS, POISSONS_RATIO],
    };
    fn new(values: &Values) -> Result<Self, ParamError> {
        Ok(Self {
            lame: Lame::of(values),
        })
    }
    #[inline(always)]
    fn lanes<L: Lane<Scalar = T>>(&self, like: L) -> Hencky<L> {
        Hencky {
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
