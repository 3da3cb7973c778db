//! Soft solids that creep above a yield stress.
#![allow(non_snake_case)]

use thixo_math::{Lane, Matrix, Real};

use super::VonMises;
use super::fading::Fading;
use super::von_mises::YIELD_STRESS;
use crate::elastic::{Hencky, POISSONS_RATIO, YOUNGS_MODULUS};
use crate::{Info, Kin, Law, Motion, Param, ParamError, Tangent, Trial, Unit, Values};

/// The viscoplastic flow of Bargteil et al. 2007, which [Jiang15] §3.3 takes for frozen yogurt and [Gerszewski] §4.3
/// for dough.
///
/// F_P takes the power γ of the part F* = J^{−1/D} F_E that keeps the volume, in principal axes, with
/// γ(P, P_Y, ν, α, K) = ν (‖P‖ − P_Y − α K)/‖P‖ where that is positive. The power of a matrix is a multiple of its
/// logarithm: with ε̂ the deviator of ε = ½ ln b, F_E ← exp(−γ ε̂) F_E, and det F_P = 1 exactly.
///
/// Energy and stress are those of [`Hencky`] in F_E, so that the deviator of τ is s = 2μ ε̂, and it yields like
/// [`VonMises`]: P_Y + α K is Y = √(2/3) (σ_y + h κ), κ the plastic strain so far.
///
/// As printed ν is a share per step, so that more steps are more flow. Here it is a rate, the inverse of a relaxation
/// time t: ε̂′ = −(1 − Y/‖s‖) ε̂/t and κ′ = √(2/3) ‖ε̂′‖. Then u = ‖s‖ − Y falls as u′ = −(1 + h/3μ) u/t, and a step takes of
/// ‖ε̂‖ the share 1 − e⁻ˣ, x = (1 + h/3μ) dt/t, of what von Mises' return mapping takes, u/(2μ + 2h/3): exactly, whatever
/// dt is, and never below the yield stress. Without hardening that is γ above with ν = 1 − e^{−dt/t}.
///
/// In slow flow it is a Bingham fluid, whose stress exceeds Y by that of the viscosity μ t.
#[derive(Clone, Copy, Debug)]
pub struct Viscoplastic<T> {
    /// What it comes to in the end.
    pub solid: VonMises<T>,
    /// t \[s\].
    pub time: T,
}

impl<L: Lane> Viscoplastic<L> {
    /// What a step takes of the flow.
    #[inline(always)]
    fn share(&self, dt: L) -> L {
        let VonMises {
            elastic, hardening, ..
        } = self.solid;
        let third = hardening * dt.fill(1.0 / 3.0) / elastic.lame.mu;
        Fading::new((third + dt.fill(1.0)) * dt / self.time).lost
    }
}

impl<L: Lane, const D: usize> Motion<L, D> for Viscoplastic<L> {
    /// κ
    type State = [L; 1];
    #[inline(always)]
    fn tau(&self, F: &Matrix<L, D>, _a: &[L; 1]) -> (Matrix<L, D>, L) {
        self.solid.elastic.tau(F)
    }
    #[inline(always)]
    fn flow(&self, k: &Kin<L, D>, a: &mut [L; 1]) -> Matrix<L, D> {
        self.solid.yielded(&k.F, a, self.share(k.dt))
    }
    #[inline(always)]
    fn allows(&self, F: &Matrix<L, D>) -> L::Mask {
        self.solid.elastic.allows(F)
    }
    const LAGS: bool = true;
    #[inline(always)]
    fn lag(&self, k: &Trial<L, D>, a: &[L; 1]) -> [L; 2] {
        self.solid.lag(k, a)
    }
    #[inline(always)]
    fn respond(&self, k: &Trial<L, D>, _a: &[L; 1]) -> (L, Matrix<L, D>) {
        self.solid.respond_to(k, self.share(k.dt))
    }
    #[inline(always)]
    fn tangent(&self, k: &Trial<L, D>, _a: &[L; 1], definite: bool) -> Tangent<L> {
        self.solid.tangent_to(k, self.share(k.dt), definite)
    }
}

impl<T: Real, const D: usize> Law<T, D> for Viscoplastic<T> {
    type Elastic = Hencky<T>;
    type In<L: Lane<Scalar = T>> = Viscoplastic<L>;
    const INFO: &'static Info = &Info {
        name: "viscoplastic",
        doc: "Frozen yogurt or dough: elastic up to a yield stress in shear, above it creeps at constant volume.",
        source: "Bargteil et al. 2007, as in [Jiang15] §3.3 and [Gerszewski] §4.3",
        params: &[
            YOUNGS_MODULUS,
            POISSONS_RATIO,
            YIELD_STRESS,
            Param {
                name: "relaxation_time",
                unit: Unit::Time,
                default: None,
                min: 0.0,
                min_open: true,
                max: f64::INFINITY,
                max_open: true,
                doc: "Time in which stress above yield falls to 1/e; the inverse of the flow rate.",
            },
            Param {
                name: "hardening_modulus",
                default: Some(0.0),
                min_open: false,
                doc: "Rise of the yield stress per plastic strain.",
                ..YIELD_STRESS
            },
        ],
    };
    fn new(values: &Values) -> Result<Self, ParamError> {
        Ok(Self {
            solid: VonMises::of(values),
            time: T::of(values.get("relaxation_time")),
        })
    }
    #[inline(always)]
    fn lanes<L: Lane<Scalar = T>>(&self, like: L) -> Viscoplastic<L> {
        Viscoplastic {
            solid: Law::<T, D>::lanes(&self.solid, like),
            time: like.spread(self.time),
        }
    }
    fn start(&self) -> Self::State {
        [T::zero()]
    }
    #[inline]
    fn elastic(&self, _a: &Self::State) -> Hencky<T> {
        self.solid.elastic
    }
    fn gradual(&self) -> bool {
        true
    }
    fn state_names() -> &'static [&'static str] {
        &["plastic_strain"]
    }
}
