//! Viscoelastic liquids, foams and sponges.
#![allow(non_snake_case)]

use thixo_math::{Lane, Mask, Matrix, Principal, Real};

use super::fading::{Fading, Kept, cholesky, pivots};
use crate::elastic::{
    POISSONS_RATIO, curve, inverted, largest_from_norms, upright, volume_stiffness,
};
use crate::eos::{beyond_line, root};
use crate::{Elastic, Info, Kin, Law, Motion, Param, ParamError, Tangent, Trial, Unit, Values};

/// Oldroyd-B with a plastic flow that keeps the volume, [Ram15] §3 and [Jiang15] ch. 4.
///
/// Of F only J matters, F = J^{1/D} I; shape is in b_OB, which is kept as E = (C_P)⁻¹ − I with b_OB = F (C_P)⁻¹ Fᵀ,
/// [Ram15] §3.1, so that small strains keep their digits. b = (J²/det b_OB)^{1/D} b_OB, (5), has det b = J², and
///
/// ψ = μ/2 (tr b − D) − μ ln J + λ/2 (J − 1)², (8), τ = μ (b − I) + λ (J − 1) J I, (9).
///
/// At fixed (C_P)⁻¹ b is F Ĝ Fᵀ with Ĝ = (C_P)⁻¹/det^{1/D}: a neo-Hookean solid, P = μ F Ĝ + (λ (J − 1) J − μ) F⁻ᵀ.
/// δτ for δF = δH F is μ δH b and the part of the volume, f′J = λ (J − 1) J − μ and f″J² = λJ² + μ; so the stiffness is
/// at most μ ‖b‖ and that of the volume, exact at rest.
///
/// Flow: D b_OB/Dt = ∇v b_OB + b_OB ∇vᵀ + (I − b_OB)/Wi. Its solution over a step is Lodge's integral over the age s,
/// b ← e⁻ˣ A b Aᵀ + ∫₀^dt e^{−s/Wi}/Wi A_s A_sᵀ ds, x = dt/Wi, A = I + H, where A_s is the deformation since that age. With
/// A_s = I + s/dt H it is, as `first` and `second` of [`Fading`] are the integrals of e^{−xu} and 2u e^{−xu},
///
/// b − I ← e⁻ˣ A (b − I) Aᵀ + first (H + Hᵀ) + second H Hᵀ.
///
/// It is positive definite for any dt and H, being a sum of such; exact in simple shear; and the viscosity μ Wi of slow
/// flow is right for any dt/Wi. (14) is its series up to dt, which is none of these (`reference::ram_14`). Where lone
/// particles are drawn out or crushed without end, b_OB (`bounded`) and J (`within`) end at what numbers hold.
///
/// A step that is tried relaxes, [Ram15] §4. The energy of the new b is no potential of the new stress: its slope in H has
/// a factor `first` too much, and the viscosity of steps ≫ Wi would be too small by that. With b_OB at the start of the
/// step, T = I + e⁻ˣ (b_OB − I), Jₙ and w = J^{2/D},
///
/// W(H) = ½ A:A K + μ′ D/2 w − μ D/2 − μ ln J + λ/2 (J − 1)², K = μ wₙ (T − (1 − first) I)/det T^{1/D},
/// μ′ = μ (1 − first)/det T^{1/D},
///
/// is μ/2 (tr b − D) − … with H Hᵀ by `first` and det b_OB from before the motion. Its energy and slope at H = 0 are ψ and
/// τ of the relaxed state; ∂W/∂H is τ (I + H)⁻ᵀ of the new state but for terms x H × strain; it is exact for Wi = ∞ and,
/// to the first order of strain, for any dt/Wi. T − (1 − first) I is positive definite since first ≥ e⁻ˣ. With K = L Lᵀ,
/// W is isotropic in A L, so that [`curve`] finds its second derivatives, and projects them.
///
/// Viscosity: ψ_v = Jₙ dt η ε:ε, as that of [`Liquid`](crate::eos::Liquid). ([Ram15] (11) lacks the dt.)
#[derive(Clone, Copy, Debug)]
pub struct OldroydB<T> {
    /// Shear modulus μ \[Pa\].
    pub mu: T,
    /// λ \[Pa\].
    pub lambda: T,
    /// Relaxation time Wi \[s\]; infinite, if it never relaxes.
    pub time: T,
    /// Dynamic viscosity η \[Pa s\].
    pub eta: T,
}

/// The relaxed state that a step is tried from, over μ.
struct Relaxed<L, const D: usize> {
    /// K
    K: Matrix<L, D>,
    /// μ′
    rest: L,
    /// det(K)^{1/D}/wₙ
    scale: L,
}

impl<L: Lane> OldroydB<L> {
    /// f′J of the part that depends on the volume alone, of b as a solid's: λ (J − 1) J − μ.
    #[inline(always)]
    fn pull(&self, J: L) -> L {
        (self.lambda * (J - J.fill(1.0))).mul_add(J, -self.mu)
    }
    #[inline(always)]
    fn bound<const D: usize>(&self, b: &Matrix<L, D>, J: L) -> L {
        let largest = largest_from_norms::<L, D>(b.trace(), b.deviator().norm());
        let f2 = (self.lambda * J).mul_add(J, self.mu);
        self.mu
            .mul_add(largest, volume_stiffness::<L, D>(self.pull(J), f2))
    }
    #[inline(always)]
    fn relaxed<const D: usize>(&self, k: &Trial<L, D>, a: &Kept<L, D>, wn: L) -> Relaxed<L, D> {
        let one = k.dt.fill(1.0);
        let fading = Fading::new(k.dt / self.time);
        // b_OB − I with F = I + Δ, and what is left of it.
        let B = stretched(&k.F, &a.matrix(), &Matrix::scalar(one));
        let left = B - B * fading.lost;
        let norm = one / beside(&left, one);
        Relaxed {
            K: (left + Matrix::scalar(fading.first)) * (wn * norm),
            rest: (one - fading.first) * norm,
            scale: beside(&left, fading.first) * norm,
        }
    }
}

/// A (b − I) Aᵀ = F (I + E) Fᵀ − A Aᵀ for F = A Fₙ and b = Fₙ (I + E) Fₙᵀ, by what F differs from A.
#[inline(always)]
fn stretched<L: Lane, const D: usize>(
    F: &Matrix<L, D>,
    E: &Matrix<L, D>,
    A: &Matrix<L, D>,
) -> Matrix<L, D> {
    let more = *F - *A;
    let cross = more.times_transpose(A);
    (*F * *E).symmetric_times_transpose(F)
        + (cross + cross.transpose())
        + more.symmetric_times_transpose(&more)
}

/// det(A + s I)^{1/D}
#[inline(always)]
fn beside<L: Lane, const D: usize>(A: &Matrix<L, D>, s: L) -> L {
    root::<L, D>(pivots(&(*A + Matrix::scalar(s))).0, s)
}

/// E, rounder where what G = I + E is short of is lost in rounding: no pivot of G is less than 2⁷ ε of its trace, and det G
/// stays. What is torn and drawn out forever ends there.
#[inline(always)]
fn bounded<L: Lane, const D: usize>(E: &Matrix<L, D>) -> Matrix<L, D> {
    let c = |x: f64| E[(0, 0)].fill(x);
    let G = *E + Matrix::scalar(c(1.0));
    let (det, least) = pivots(&G);
    let short = G.trace() * c(0.5f64.powi(L::DIGITS as i32 - 7)) - least;
    let long = c(0.0).lt(short);
    if !long.any() {
        return *E;
    }
    let rounder = G + Matrix::scalar(short);
    let ratio = det / pivots(&rounder).0;
    let ratio = L::select(c(0.0).lt(ratio), ratio, c(1.0));
    let new = rounder * root::<L, D>(ratio, c(1.0)) - Matrix::scalar(c(1.0));
    Matrix::from_fn(
        #[inline(always)]
        |i, j| L::select(long, new[(i, j)], E[(i, j)]),
    )
}

/// J^{1/D} and J, kept where numbers hold them: −μ ln J holds against being crushed by no more than μ, so that a lone
/// particle whose affine velocity points inwards loses all volume.
#[inline(always)]
fn within<L: Lane, const D: usize>(y: L, J: L) -> (L, L) {
    let (low, high) = (J.fill(1.0 / 16.0), J.fill(16.0));
    let kept = Lane::max(Lane::min(y, high), low);
    let volume = if D == 2 {
        kept * kept
    } else {
        kept * kept * kept
    };
    (kept, L::select(low.le(y) & y.le(high), J, volume))
}

/// J^{1/D} of a trial F.
#[inline(always)]
fn side<L: Lane, const D: usize>(F: &Matrix<L, D>, J: L) -> L {
    root::<L, D>(J, F.trace() * J.fill(1.0 / D as f64))
}

impl<L: Lane, const D: usize> Motion<L, D> for OldroydB<L> {
    /// E and Jₙ
    type State = Kept<L, D>;
    const VISCOUS: bool = true;
    const SHAPELESS: bool = true;
    #[inline(always)]
    fn tau(&self, F: &Matrix<L, D>, a: &Kept<L, D>) -> (Matrix<L, D>, L) {
        let (J, one) = (F.det(), self.mu.fill(1.0));
        let E = a.matrix();
        let G = E + Matrix::scalar(one);
        let norm = one / beside(&E, one);
        let b = (*F * G).symmetric_times_transpose(F) * norm;
        (
            b * self.mu + Matrix::scalar(self.pull(J)),
            self.bound(&b, J),
        )
    }
    #[inline(always)]
    fn flow(&self, k: &Kin<L, D>, a: &mut Kept<L, D>) -> Matrix<L, D> {
        let fit = upright(&k.F);
        let one = k.dt.fill(1.0);
        let fading = Fading::new(k.dt / self.time);
        let J = k.F.det();
        let (y, J) = within::<L, D>(side(&k.F, J), J);
        let B = stretched(&k.F, &a.matrix(), &(k.H + Matrix::scalar(one)));
        let new = (k.H + k.H.transpose()) * fading.first
            + k.H.symmetric_times_transpose(&k.H) * fading.second;
        let B = B - B * fading.lost + new;
        let E = bounded(&((B - Matrix::scalar((y - one) * (y + one))) / (y * y)));
        let (E, old) = (Kept::new(&E, J), *a);
        *a = crate::Numbers::from_fn(
            #[inline(always)]
            |n| L::select(fit, E.number(n), old.number(n)),
        );
        let round = Matrix::<L, D>::scalar(y);
        Matrix::from_fn(
            #[inline(always)]
            |i, j| L::select(fit, round[(i, j)], k.F[(i, j)]),
        )
    }
    #[inline(always)]
    fn viscosity(&self, _k: &Kin<L, D>, a: &Kept<L, D>) -> L {
        self.eta * a.last()
    }
    #[inline(always)]
    fn allows(&self, F: &Matrix<L, D>) -> L::Mask {
        upright(F)
    }
    /// ∂W/∂H = A K + (μ′ w − μ + λ (J − 1) J) A⁻ᵀ. What W is near rest is a difference of like numbers; with P = A K Aᵀ,
    /// a = tr P/D, S = P/a − I and c = det(P)^{1/D}/a, tr P − D det(P)^{1/D} = D a (½ S:S − det S)/(1 + c + c²), and
    /// D a ½ S:S/(1 + c) in the plane.
    #[inline(always)]
    fn respond(&self, k: &Trial<L, D>, a: &Kept<L, D>) -> (L, Matrix<L, D>) {
        let c = |x: f64| k.dt.fill(x);
        let (one, half, d) = (c(1.0), c(0.5), D as f64);
        let (F, A, Jn) = (k.deformed(), k.increment(), k.F.det());
        let (yn, J) = (side(&k.F, Jn), Jn * A.det());
        let y = side(&F, J);
        let w = y * y;
        let r = self.relaxed(k, a, yn * yn);
        let AK = A * r.K;
        let P = AK.times_transpose(&A);
        let mean = P.trace() * c(1.0 / d);
        let S = P.deviator() / mean;
        let least = r.scale * w; // det(P)^{1/D}
        let ratio = least / mean;
        let shape = if D == 2 {
            S.norm2() * half / (one + ratio)
        } else {
            (S.norm2() * half - S.det()) / (ratio + one).mul_add(ratio, one)
        };
        let offset = (r.scale + r.rest - one) * w;
        let m = J.ln() * c(2.0 / d);
        let elastic = (shape.mul_add(mean, offset) + beyond_line(m)) * c(0.5 * d);
        let more = J - one;
        let (viscous, g) = self.respond_viscous(k, a);
        let psi = self.mu.mul_add(elastic, self.lambda * half * more * more) + viscous;
        let pull = (self.mu * r.rest).mul_add(w, self.pull(J));
        let fit = upright(&F);
        (
            L::select(fit, psi, c(f64::INFINITY)),
            AK * self.mu + A.inverse().transpose() * pull + g,
        )
    }
    /// In the principal axes of A L: with f₁ = f′J and f₂ = f″J² of what depends on J, f₁ + f₂ = 2/D μ′ w + λ (2J − 1) J,
    /// ψ_ii = μ + f₂/σ_i², ψ_ij = (f₁ + f₂)/(σ_i σ_j), m = μ − f₁/(σ_i σ_j), q = μ + f₁/(σ_i σ_j).
    #[inline(always)]
    fn tangent(&self, k: &Trial<L, D>, a: &Kept<L, D>, definite: bool) -> Tangent<L> {
        let c = |x: f64| k.dt.fill(x);
        let (mu, Jn) = (self.mu, k.F.det());
        let yn = side(&k.F, Jn);
        let r = self.relaxed(k, a, yn * yn);
        let F = k.deformed();
        let J = Jn * k.increment().det();
        let y = side(&F, J);
        let (rest, one) = (mu * r.rest * y * y, c(1.0));
        let f1 = rest + self.pull(J);
        let both = rest.mul_add(c(2.0 / D as f64), self.lambda * (J + J - one) * J);
        let from = Trial {
            F: cholesky(&r.K),
            ..*k
        };
        let mut out = curve(
            &from,
            definite,
            #[inline(always)]
            |S| {
                let s = S.sigma.map(
                    #[inline(always)]
                    |x| one / x,
                );
                let entry = |i: usize, j: usize| s[i] * s[j];
                Principal {
                    hess: Matrix::from_fn(
                        #[inline(always)]
                        |i, j| match i == j {
                            true => (both - f1).mul_add(entry(i, j), mu),
                            false => both * entry(i, j),
                        },
                    ),
                    minus: Matrix::from_fn(
                        #[inline(always)]
                        |i, j| mu - f1 * entry(i, j),
                    ),
                    plus: Matrix::from_fn(
                        #[inline(always)]
                        |i, j| f1.mul_add(entry(i, j), mu),
                    ),
                }
            },
        );
        out.add_viscous::<D>(self.viscosity(&k.start(), a) / k.dt);
        out
    }
}

/// A neo-Hookean solid whose shape at rest is given by Ĝ.
#[derive(Clone, Copy, Debug)]
pub struct Shaped<T, const D: usize> {
    law: OldroydB<T>,
    G: Matrix<T, D>,
}

impl<T: Real, const D: usize> Elastic<T, D> for Shaped<T, D> {
    fn energy(&self, F: &Matrix<T, D>) -> T {
        let OldroydB { mu, lambda, .. } = self.law;
        let (half, J) = (T::of(0.5), F.det());
        let b = (*F * self.G).times_transpose(F);
        let more = J - T::one();
        mu * half * (b.trace() - T::of(D as f64)) - mu * J.ln() + lambda * half * more * more // [Ram15] (8)
    }
    fn piola(&self, F: &Matrix<T, D>) -> Matrix<T, D> {
        let J = F.det();
        *F * self.G * self.law.mu + F.cofactor() * (self.law.pull(J) / J) // [Ram15] (9)
    }
    fn dpiola(&self, F: &Matrix<T, D>, dF: &Matrix<T, D>) -> Matrix<T, D> {
        let OldroydB { mu, lambda, .. } = self.law;
        let (J, two) = (F.det(), T::of(2.0));
        let R = F.cofactor() / J; // F⁻ᵀ
        let dR = R.times_transpose(dF) * R; // −δ(F⁻ᵀ)
        *dF * self.G * mu + R * (lambda * (two * J - T::one()) * J * R.dot(dF))
            - dR * self.law.pull(J)
    }
    fn largest(&self, F: &Matrix<T, D>) -> T {
        self.law.bound(&(*F * self.G).times_transpose(F), F.det())
    }
}

impl<T: Real, const D: usize> Law<T, D> for OldroydB<T> {
    type Elastic = Shaped<T, D>;
    type In<L: Lane<Scalar = T>> = OldroydB<L>;
    const INFO: &'static Info = &Info {
        name: "oldroyd-b",
        doc: "Foam, paste, cream or sponge: elastic at once, and its shape is forgotten with time.",
        source: "[Ram15], [Jiang15] ch. 4",
        params: &[
            Param {
                name: "shear_modulus",
                unit: Unit::Pressure,
                default: None,
                min: 0.0,
                min_open: true,
                max: f64::INFINITY,
                max_open: true,
                doc: "Shear stress per shear at once; times the relaxation time, the viscosity of slow flow.",
            },
            Param {
                min: 0.0,
                min_open: false,
                doc: "How little its volume gives, which it does not forget: 0.5 is not at all, 0 as much as its shape.",
                ..POISSONS_RATIO
            },
            Param {
                name: "relaxation_time",
                unit: Unit::Time,
                default: Some(f64::INFINITY),
                min: 0.0,
                min_open: true,
                max: f64::INFINITY,
                max_open: false,
                doc: "Time in which strain at rest falls to 1/e; without it, it never does.",
            },
            Param {
                name: "viscosity",
                unit: Unit::Viscosity,
                default: Some(0.0),
                min: 0.0,
                min_open: false,
                max: f64::INFINITY,
                max_open: true,
                doc: "Dynamic viscosity besides that of the relaxing strain.",
            },
        ],
    };
    fn new(values: &Values) -> Result<Self, ParamError> {
        let (mu, nu) = (values.get("shear_modulus"), values.get("poissons_ratio"));
        Ok(Self {
            mu: T::of(mu),
            lambda: T::of(2.0 * mu * nu / (1.0 - 2.0 * nu)),
            time: T::of(values.get("relaxation_time")),
            eta: T::of(values.get("viscosity")),
        })
    }
    #[inline(always)]
    fn lanes<L: Lane<Scalar = T>>(&self, like: L) -> OldroydB<L> {
        OldroydB {
            mu: like.spread(self.mu),
            lambda: like.spread(self.lambda),
            time: like.spread(self.time),
            eta: like.spread(self.eta),
        }
    }
    fn start(&self) -> Self::State {
        Kept::new(&Matrix::zero(), T::one())
    }
    fn elastic(&self, a: &Self::State) -> Shaped<T, D> {
        let G = a.matrix() + Matrix::identity();
        let G = G / pivots(&G).0.powf(T::of(1.0 / D as f64));
        Shaped { law: *self, G }
    }
    fn fault(&self, k: &Kin<T, D>, a: &Self::State) -> Option<&'static str> {
        let G = a.matrix() + Matrix::identity();
        let positive = cholesky(&G).finite();
        inverted(&k.F).or((!positive).then_some("strain is not positive definite"))
    }
    fn gradual(&self) -> bool {
        self.time.finite()
    }
    fn relaxes(&self) -> bool {
        self.time.finite()
    }
    fn state_names() -> &'static [&'static str] {
        match D {
            2 => &["strain_xx", "strain_yy", "strain_xy", "volume_ratio"],
            _ => &[
                "strain_xx",
                "strain_yy",
                "strain_zz",
                "strain_xy",
                "strain_xz",
                "strain_yz",
                "volume_ratio",
            ],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Oldroyd = OldroydB<f32>;

    /// What becomes of the scores of the pie in twenty thousand steps of this motion, `after` each of which F is changed.
    fn moved(H: Matrix<f32, 3>, after: impl Fn(Matrix<f32, 3>) -> Matrix<f32, 3>) -> Kept<f32, 3> {
        let given = [
            ("shear_modulus", 50.0),
            ("poissons_ratio", 0.3333),
            ("relaxation_time", 1.0),
        ];
        let values = Values::new(<Oldroyd as Law<f32, 3>>::INFO, given).unwrap();
        let law = <Oldroyd as Law<f32, 3>>::new(&values).unwrap();
        let mut a = <Oldroyd as Law<f32, 3>>::start(&law);
        let mut F = Matrix::identity();
        for _ in 0..20_000 {
            let k = Kin {
                F: (Matrix::identity() + H) * F,
                H,
                dt: 3e-6,
            };
            F = after(Motion::flow(&law, &k, &mut a));
            assert!(Law::<f32, 3>::fault(&law, &Kin::at(F), &a).is_none());
            assert!(Motion::tau(&law, &F, &a).0.finite());
        }
        a
    }

    /// A seam that is torn, and drawn out with its particles forever, keeps a strain that numbers can hold.
    #[test]
    fn what_is_drawn_out_forever_stays_finite() {
        let slide = Matrix([
            [0.01, 0.004, -0.003],
            [0.002, -0.006, 0.001],
            [0.0, 0.003, -0.004],
        ]);
        // Its volume is not what this is about.
        let a = moved(slide, |F| F * (1.0 / F[(0, 0)]));
        let (det, least) = pivots(&(a.matrix() + Matrix::identity()));
        // It is at its limit, and was long before.
        assert!(
            det > 0.0 && least < 1e-4 * a.matrix().trace(),
            "{det} {least}"
        );
    }

    /// So does what is crushed forever.
    #[test]
    fn what_is_crushed_forever_keeps_a_volume() {
        let inwards = Matrix([[-0.01, 0.002, 0.0], [0.001, -0.02, 0.0], [0.0, 0.0, 0.005]]);
        assert_eq!(moved(inwards, |F| F).last(), 0.5f32.powi(12));
    }
}
