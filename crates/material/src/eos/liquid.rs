//! Weakly compressible liquid.
#![allow(non_snake_case)]

use thixo_math::{Lane, Mask, Matrix, Principal, Real};

use crate::elastic::{curve, dcofactor, inverted, others, upright, volume_stiffness};
use crate::{Elastic, Info, Kin, Law, Motion, Param, ParamError, Tangent, Trial, Unit, Values};

/// Tait's pressure p = K/γ (J^−γ − 1) and a real viscosity η.
///
/// Pressure: ψ_p = K/γ (J^{1−γ}/(γ − 1) + J − γ/(γ − 1)) for J < 1, so that dψ_p/dJ = −p, and
/// P = −p cof F, δP = K J^{−γ−1} (cof F:δF) cof F − p δ(cof F). A liquid bears no tension: for J ≥ 1
/// ψ_p = 0 and p = 0. J itself goes on counting, so that a spray that comes together again meets
/// pressure at its rest volume and not before: no volume is gained.
///
/// Viscosity: ψ_v = J_n dt η ε:ε with ε = sym(H)/dt, so that S = ∂ψ_v/∂H = 2 J_n η ε, and Cauchy
/// stress 2ηε whatever dt is. ([Ram15] (11) lacks the dt: as printed, its stress is 2 μ_N ε/dt.) J_n is
/// the volume ratio after the last flow; being a state, it adds nothing to P.
/// δS = 2 J_n η sym(δH)/dt.
///
/// Flow: a liquid forgets its shape. F becomes J^{1/D} I with J = det F of the trial F.
///
/// The stiffness is that of the volume alone, f′ = −p and f″ = K J^{−γ−1}, exact for J ≤ 1; DK at rest.
/// For J > 1 it stays at DK, above the true 0: the next step may compress.
///
/// K = ρc² with c the speed of sound; ten times the highest speed expected keeps J within 1 %.
#[derive(Clone, Copy, Debug)]
pub struct Liquid<T> {
    /// Bulk modulus K \[Pa\].
    pub bulk_modulus: T,
    /// Exponent γ.
    pub gamma: T,
    /// Dynamic viscosity η \[Pa s\].
    pub eta: T,
}

impl<T: Real> Liquid<T> {
    /// From density \[kg/m³\] and speed of sound \[m/s\], γ = 7.
    pub fn with_speed_of_sound(density: f64, speed: f64, viscosity: f64) -> Self {
        let K = density * speed * speed;
        Self {
            bulk_modulus: T::of(K),
            gamma: T::of(7.0),
            eta: T::of(viscosity),
        }
    }
}

impl<L: Lane> Liquid<L> {
    /// p \[Pa\] at the volume ratio J.
    #[inline(always)]
    pub fn pressure(&self, J: L) -> L {
        let (one, seven) = (J.fill(1.0), J.fill(7.0));
        // The usual γ is 7, and J⁻⁷ needs no logarithm.
        let power = if (self.gamma.le(seven) & seven.le(self.gamma)).all() {
            let J2 = J * J;
            one / (J2 * J2 * J2 * J)
        } else {
            J.powf(-self.gamma)
        };
        let p = self.bulk_modulus / self.gamma * (power - one);
        L::select(J.lt(one), p, J.fill(0.0))
    }
    /// ψ_p \[Pa\] at the volume ratio J. Near 1 it is a difference of like numbers: with c = −ln J, g = γ − 1 and
    /// φ(x) = eˣ − 1 − x it is K/γ (φ(g c)/g + φ(−c)), where the first powers of c cancel beforehand.
    #[inline(always)]
    pub fn stored(&self, J: L) -> L {
        let (one, zero) = (J.fill(1.0), J.fill(0.0));
        let tight = J.lt(one);
        if !tight.any() {
            return zero;
        }
        let (c, g) = (-J.ln(), self.gamma - one);
        let psi = self.bulk_modulus / self.gamma * (beyond_line(g * c) / g + beyond_line(-c));
        L::select(tight, psi, zero)
    }
    #[inline(always)]
    fn bound<const D: usize>(&self, J: L, p: L) -> L {
        let J = J.min(J.fill(1.0));
        // K J^{1−γ} = J (γ p + K)
        volume_stiffness::<L, D>(-p * J, J * self.gamma.mul_add(p, self.bulk_modulus))
    }
}

impl<L: Lane, const D: usize> Motion<L, D> for Liquid<L> {
    /// J_n
    type State = [L; 1];
    const VISCOUS: bool = true;
    const SHAPELESS: bool = true;
    #[inline(always)]
    fn tau(&self, F: &Matrix<L, D>, _a: &[L; 1]) -> (Matrix<L, D>, L) {
        let J = F.det();
        let p = self.pressure(J);
        (Matrix::scalar(-p * J), self.bound::<D>(J, p))
    }
    #[inline(always)]
    fn flow(&self, k: &Kin<L, D>, a: &mut [L; 1]) -> Matrix<L, D> {
        let fit = upright(&k.F);
        let J = k.F.det();
        a[0] = L::select(fit, J, a[0]);
        let guess = k.F.trace() * J.fill(1.0 / D as f64);
        let round = Matrix::<L, D>::scalar(root::<L, D>(J, guess));
        Matrix::from_fn(|i, j| L::select(fit, round[(i, j)], k.F[(i, j)]))
    }
    #[inline(always)]
    fn viscosity(&self, _k: &Kin<L, D>, a: &[L; 1]) -> L {
        self.eta * a[0]
    }
    #[inline(always)]
    fn allows(&self, F: &Matrix<L, D>) -> L::Mask {
        let J = F.det();
        let crushed = self.gamma * self.pressure(J) / J;
        upright(F) & (J.fill(0.5).le(J) | crushed.finite())
    }
    /// ∂ψ_p/∂H = −p J (I + H)⁻ᵀ = −p Jₙ cof(I + H).
    #[inline(always)]
    fn respond(&self, k: &Trial<L, D>, a: &[L; 1]) -> (L, Matrix<L, D>) {
        let F = k.deformed();
        let J = F.det();
        let (psi, g) = self.respond_viscous(k, a);
        let pull = -self.pressure(J) * k.F.det();
        let psi = L::select(self.allows(&F), psi + self.stored(J), J.fill(f64::INFINITY));
        (psi, k.increment().cofactor() * pull + g)
    }
    /// In principal axes, with f′ = −p, f″ = K J^{−γ−1} and J_i, J_ij the products of all σ but those,
    /// ψ_ii = f″ J_i², ψ_ij = f″ J_i J_j + f′ J_ij, m = −f′ J_ij, q = f′ J_ij.
    #[inline(always)]
    fn tangent(&self, k: &Trial<L, D>, a: &[L; 1], definite: bool) -> Tangent<L> {
        let zero = k.dt.fill(0.0);
        let J = k.deformed().det();
        let mut out = Tangent::zero(zero);
        let tight = J.le(zero.fill(1.0));
        if tight.any() {
            let p = self.pressure(J);
            let stiff = self.gamma.mul_add(p, self.bulk_modulus) / J;
            let stiff = L::select(tight, stiff, zero);
            out = curve(
                k,
                definite,
                #[inline(always)]
                |S| {
                    let s = &S.sigma;
                    let off = Matrix::from_fn(
                        #[inline(always)]
                        |i, j| if i == j { zero } else { p * others(s, i, j) },
                    );
                    Principal {
                        hess: Matrix::from_fn(
                            #[inline(always)]
                            |i, j| (stiff * others(s, i, i)).mul_add(others(s, j, j), -off[(i, j)]),
                        ),
                        minus: off,
                        plus: -off,
                    }
                },
            );
        }
        out.add_viscous::<D>(self.viscosity(&k.start(), a) / k.dt);
        out
    }
}

/// eˣ − 1 − x, by its series where x is small.
#[inline(always)]
pub(crate) fn beyond_line<L: Lane>(x: L) -> L {
    let one = x.fill(1.0);
    let mut s = one;
    for k in (3..if L::DIGITS <= 24 { 9 } else { 15 }).rev() {
        s = (s * x).mul_add(x.fill(1.0 / k as f64), one);
    }
    let near = x.abs().lt(x.fill(0.25));
    L::select(near, x * x * x.fill(0.5) * s, x.exp() - one - x)
}

/// J^{1/D} near a guess. Halley's method takes the error e of a cube root to ⅔ e³; where the guess is off by
/// more than a tenth, logarithms find it. It is set right by one step of Newton's method: an error that is
/// always on one side would add up from step to step.
#[inline(always)]
pub(crate) fn root<L: Lane, const D: usize>(J: L, guess: L) -> L {
    if D == 2 {
        return J.sqrt();
    }
    let mut y = guess;
    let close = ((y * y).mul_add(y, -J)).abs().le(J * J.fill(0.3));
    for _ in 0..if L::DIGITS <= 24 { 2 } else { 3 } {
        let y3 = y * y * y;
        y *= (y3 + J + J) / (y3 + y3 + J);
    }
    let third = J.fill(1.0 / 3.0);
    if !close.all() {
        y = L::select(close, y, J.powf(third));
    }
    let rest = (y * y).mul_add(y, -J);
    y - rest * third / (y * y)
}

impl<T: Real, const D: usize> Elastic<T, D> for Liquid<T> {
    #[inline(always)]
    fn energy(&self, F: &Matrix<T, D>) -> T {
        let (K, gamma, one) = (self.bulk_modulus, self.gamma, T::one());
        let J = F.det();
        if J < one {
            let g = gamma - one;
            K / gamma * (J.powf(-g) / g + J - gamma / g)
        } else {
            T::zero()
        }
    }
    #[inline(always)]
    fn piola(&self, F: &Matrix<T, D>) -> Matrix<T, D> {
        F.cofactor() * -self.pressure(F.det())
    }
    #[inline(always)]
    fn dpiola(&self, F: &Matrix<T, D>, dF: &Matrix<T, D>) -> Matrix<T, D> {
        let J = F.det();
        let p = self.pressure(J);
        let dp = if J <= T::one() {
            (self.gamma * p + self.bulk_modulus) / J
        } else {
            T::zero()
        };
        let cof = F.cofactor();
        cof * (dp * cof.dot(dF)) - dcofactor(F, dF) * p
    }
    #[inline(always)]
    fn largest(&self, F: &Matrix<T, D>) -> T {
        let J = F.det();
        self.bound::<D>(J, self.pressure(J))
    }
    fn forbids(&self, F: &Matrix<T, D>) -> Option<&'static str> {
        let J = F.det();
        let crushed = J < T::of(0.5) && !(self.gamma * self.pressure(J) / J).finite();
        inverted(F).or(crushed.then_some("pressure is not finite"))
    }
}

impl<T: Real, const D: usize> Law<T, D> for Liquid<T> {
    type Elastic = Self;
    type In<L: Lane<Scalar = T>> = Liquid<L>;
    const INFO: &'static Info = &Info {
        name: "liquid",
        doc: "Weakly compressible liquid with viscosity; it bears no tension.",
        source: "Tait's equation of state; viscosity after [Jiang15] (4.1)",
        params: &[
            Param {
                name: "bulk_modulus",
                unit: Unit::Pressure,
                default: None,
                min: 0.0,
                min_open: true,
                max: f64::INFINITY,
                max_open: true,
                doc: "Density times the square of the speed of sound.",
            },
            Param {
                name: "exponent",
                unit: Unit::One,
                default: Some(7.0),
                min: 1.0,
                min_open: true,
                max: 20.0,
                max_open: false,
                doc: "How fast pressure rises with density.",
            },
            Param {
                name: "viscosity",
                unit: Unit::Viscosity,
                default: Some(0.0),
                min: 0.0,
                min_open: false,
                max: f64::INFINITY,
                max_open: true,
                doc: "Dynamic viscosity; water has 0.001.",
            },
        ],
    };
    fn new(values: &Values) -> Result<Self, ParamError> {
        Ok(Self {
            bulk_modulus: T::of(values.get("bulk_modulus")),
            gamma: T::of(values.get("exponent")),
            eta: T::of(values.get("viscosity")),
        })
    }
    #[inline(always)]
    fn lanes<L: Lane<Scalar = T>>(&self, like: L) -> Liquid<L> {
        Liquid {
            bulk_modulus: like.spread(self.bulk_modulus),
            gamma: like.spread(self.gamma),
            eta: like.spread(self.eta),
        }
    }
    fn start(&self) -> Self::State {
        [T::one()]
    }
    #[inline]
    fn elastic(&self, _a: &Self::State) -> Self {
        *self
    }
    fn state_names() -> &'static [&'static str] {
        &["volume_ratio"]
    }
}
