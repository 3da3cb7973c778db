//! Fixed corotated solid.
#![allow(non_snake_case)]

use thixo_math::{Lane, Mask, Matrix, Principal, Real, Vector};

use super::{
    Lame, POISSONS_RATIO, YOUNGS_MODULUS, by_size, curve, dcofactor, largest_from_norms, others,
    polynomial, volume_stiffness,
};
use crate::{Elastic, Info, Law, Motion, ParamError, Tangent, Trial, Values};

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
/// In principal axes τ = U (2μ (Σ² − Σ) + λ (J − 1) J) Uᵀ. Where C = FᵀF is near I no decomposition is
/// needed: R = F C^−½, and τ = −2μ F (C^−½ − I) Fᵀ + λ (J − 1) J with the binomial series of
/// C^−½ = (I + E)^−½, which also spares the difference F − R its rounding. `stress` is the slow twin.
///
/// The part of δτ that comes from δR is −2μ δR Fᵀ, and δR:δF = Σ (X_ij − X_ji)²/(σ_i + σ_j) ≥ 0, so the
/// largest eigenvalue is at most 2μ σ₁² plus that of the volume part: exact at rest. σ₁² is bounded by
/// tr C/D + √((D−1)/D) ‖dev C‖_F, exact in 2D.
#[derive(Clone, Copy, Debug)]
pub struct FixedCorotated<T> {
    /// The moduli.
    pub lame: Lame<T>,
}

impl<L: Lane> FixedCorotated<L> {
    /// Largest eigenvalue of δτ/δH, from above; `tr` and `dev` are tr C and ‖dev C‖_F of C = FᵀF.
    #[inline(always)]
    fn bound<const D: usize>(&self, tr: L, dev: L, J: L) -> L {
        let Lame { mu, lambda } = self.lame;
        let s1 = largest_from_norms::<L, D>(tr, dev); // ≥ σ₁²
        let volume = volume_stiffness::<L, D>(lambda * (J - J.fill(1.0)) * J, lambda * J * J);
        (mu + mu).mul_add(s1, volume)
    }
    /// τ and the bound: near a rotation by the series, else in principal axes.
    #[inline(always)]
    pub fn tau<const D: usize>(&self, F: &Matrix<L, D>) -> (Matrix<L, D>, L) {
        F[(0, 0)].apart(
            #[inline(always)]
            || self.short(F),
        )
    }

    #[inline(always)]
    fn short<const D: usize>(&self, F: &Matrix<L, D>) -> (Matrix<L, D>, L) {
        let Lame { mu, lambda } = self.lame;
        let c = |x: f64| mu.fill(x);
        let one = c(1.0);
        let C = F.transpose_times(F);
        let J = F.det();
        let e = self.bound::<D>(C.trace(), C.deviator().norm(), J);
        let p = lambda * (J - one) * J;
        let (near, g) = lag(&C, J);
        let mut tau = Matrix::scalar(p);
        if near.any() {
            let series = (*F * g).symmetric_times_transpose(F) * -(mu + mu);
            tau = series + tau;
        }
        if !near.all() {
            let S = F.svd();
            let t = S.sigma.map(|s| ((mu + mu) * s).mul_add(s - one, p));
            let U_t = Matrix::from_fn(|i, j| S.U[(i, j)] * t[j]);
            let axes = U_t.times_transpose(&S.U);
            tau = Matrix::from_fn(|i, j| L::select(near, tau[(i, j)], axes[(i, j)]));
        }
        (tau, e)
    }
}

/// C^−½ − I where C is near I and J > 0, and where that is, by the binomial series. It is found only if a lane
/// needs it.
#[inline(always)]
fn lag<L: Lane, const D: usize>(C: &Matrix<L, D>, J: L) -> (L::Mask, Matrix<L, D>) {
    let c = |x: f64| J.fill(x);
    let E = *C - Matrix::scalar(c(1.0));
    let limit = c(if L::DIGITS <= 24 { 0.09 } else { 0.005 }); // the 7th term is rounding
    // A mirrored F has the same C.
    let size = E.row_sum_norm();
    let near = c(0.0).lt(J) & size.lt(limit);
    if !near.any() {
        return (near, E);
    }
    let (E2, half) = (E.symmetric_times(&E), E * c(-0.5));
    // C^−½ − I = −E/2 + E² (3/8 − 5/16 E + 35/128 E²)
    let terms = [(-5.0 / 16.0, &E), (35.0 / 128.0, &E2)];
    let short = half + E2.symmetric_times(&polynomial(0.375, terms));
    let g = by_size(
        size,
        short,
        #[inline(always)]
        || {
            let E3 = E2.symmetric_times(&E);
            // −E/2 + 3/8 E² + E³ (−5/16 + 35/128 E − 63/256 E² + 231/1024 E³)
            let terms = [
                (35.0 / 128.0, &E),
                (-63.0 / 256.0, &E2),
                (231.0 / 1024.0, &E3),
            ];
            let high = E3.symmetric_times(&polynomial(-5.0 / 16.0, terms));
            half + polynomial(0.0, [(0.375, &E2), (1.0, &high)])
        },
    );
    (near, g)
}

impl<L: Lane> FixedCorotated<L> {
    /// ψ and ∂ψ/∂H of a step that is tried: F − R = −F (C^−½ − I) near a rotation, which spares it its rounding.
    #[inline(always)]
    pub(crate) fn respond<const D: usize>(&self, k: &Trial<L, D>) -> (L, Matrix<L, D>) {
        k.dt.apart(
            #[inline(always)]
            || {
                let Lame { mu, lambda } = self.lame;
                let F = k.deformed();
                let J = F.det();
                let (near, g) = lag(&F.transpose_times(&F), J);
                let mut off = F;
                if near.any() {
                    off = -(F * g);
                }
                if !near.all() {
                    let far = if D == 2 {
                        F - F.polar().0
                    } else {
                        let S = F.svd();
                        S.compose(&S.sigma.map(|s| s - J.fill(1.0)))
                    };
                    off = Matrix::from_fn(|i, j| L::select(near, off[(i, j)], far[(i, j)]));
                }
                let (more, mu2) = (J - J.fill(1.0), mu + mu);
                let psi = mu.mul_add(off.norm2(), lambda * J.fill(0.5) * more * more);
                let P = off * mu2 + F.cofactor() * (lambda * more);
                (psi, P.times_transpose(&k.F))
            },
        )
    }
    /// Second derivatives in principal axes. With J_i and J_ij the products of all σ but those, J_i − J_j is
    /// J_ij (σ_j − σ_i): ψ_i = 2μ (σ_i − 1) + λ (J − 1) J_i, ψ_ii = 2μ + λ J_i², ψ_ij = λ (2J − 1) J_ij,
    /// m = 2μ − λ (J − 1) J_ij, q = 2μ − 4μ/(σ_i + σ_j) + λ (J − 1) J_ij.
    #[inline(always)]
    fn principal<const D: usize>(&self, s: &Vector<L, D>) -> Principal<L, D> {
        let Lame { mu, lambda } = self.lame;
        let (mu2, one) = (mu + mu, mu.fill(1.0));
        let J = s.product();
        let pull = lambda * (J - one);
        Principal {
            hess: Matrix::from_fn(
                #[inline(always)]
                |i, j| {
                    if i == j {
                        let Ji = others(s, i, i);
                        (lambda * Ji).mul_add(Ji, mu2)
                    } else {
                        lambda * (J + J - one) * others(s, i, j)
                    }
                },
            ),
            minus: Matrix::from_fn(
                #[inline(always)]
                |i, j| {
                    if i == j {
                        one
                    } else {
                        mu2 - pull * others(s, i, j)
                    }
                },
            ),
            plus: Matrix::from_fn(
                #[inline(always)]
                |i, j| {
                    if i == j {
                        return one;
                    }
                    let sum = (s[i] + s[j]).max(mu.fill(1e-6)); // [Course16] after (77)
                    pull.mul_add(others(s, i, j), mu2 - (mu2 + mu2) / sum)
                },
            ),
        }
    }
    /// ∂²ψ/∂H² of a step that is tried.
    #[inline(always)]
    pub(crate) fn tangent<const D: usize>(&self, k: &Trial<L, D>, definite: bool) -> Tangent<L> {
        curve(
            k,
            definite,
            #[inline(always)]
            |S| self.principal(&S.sigma),
        )
    }
}

impl<T: Real, const D: usize> Elastic<T, D> for FixedCorotated<T> {
    #[inline(always)]
    fn energy(&self, F: &Matrix<T, D>) -> T {
        let Lame { mu, lambda } = self.lame;
        let S = F.svd();
        let e = S.sigma - Vector::splat(T::one());
        let j = F.det() - T::one();
        mu * e.norm2() + lambda * T::of(0.5) * j * j
    }
    #[inline(always)]
    fn piola(&self, F: &Matrix<T, D>) -> Matrix<T, D> {
        let Lame { mu, lambda } = self.lame;
        let (R, _) = F.polar();
        (*F - R) * (mu + mu) + F.cofactor() * (lambda * (F.det() - T::one())) // [Course16] (52)
    }
    #[inline(always)]
    fn dpiola(&self, F: &Matrix<T, D>, dF: &Matrix<T, D>) -> Matrix<T, D> {
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
    #[inline(always)]
    fn largest(&self, F: &Matrix<T, D>) -> T {
        let C = F.transpose_times(F);
        self.bound::<D>(C.trace(), C.deviator().norm(), F.det())
    }
    /// It recovers from inversion.
    fn forbids(&self, F: &Matrix<T, D>) -> Option<&'static str> {
        (!F.finite()).then_some("deformation gradient is not finite")
    }
}

impl<L: Lane, const D: usize> Motion<L, D> for FixedCorotated<L> {
    type State = [L; 0];
    #[inline(always)]
    fn tau(&self, F: &Matrix<L, D>, _a: &[L; 0]) -> (Matrix<L, D>, L) {
        self.tau(F)
    }
    /// It recovers from inversion.
    #[inline(always)]
    fn allows(&self, F: &Matrix<L, D>) -> L::Mask {
        F.norm2().finite()
    }
    #[inline(always)]
    fn respond(&self, k: &Trial<L, D>, _a: &Self::State) -> (L, Matrix<L, D>) {
        let (psi, g) = self.respond(k);
        let fit = Motion::<L, D>::allows(self, &k.deformed());
        (L::select(fit, psi, psi.fill(f64::INFINITY)), g)
    }
    #[inline(always)]
    fn tangent(&self, k: &Trial<L, D>, _a: &Self::State, definite: bool) -> Tangent<L> {
        self.tangent(k, definite)
    }
}

impl<T: Real, const D: usize> Law<T, D> for FixedCorotated<T> {
    type Elastic = Self;
    type In<L: Lane<Scalar = T>> = FixedCorotated<L>;
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
    #[inline(always)]
    fn lanes<L: Lane<Scalar = T>>(&self, like: L) -> FixedCorotated<L> {
        FixedCorotated {
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
