//! Sand.
#![allow(non_snake_case)]

use thixo_math::{Matrix, Real, Vector};

use crate::elastic::{Hencky, Lame, POISSONS_RATIO, YOUNGS_MODULUS, inverted};
use crate::{Info, Kin, Law, Param, ParamError, Unit, Values};

/// Drucker–Prager on Hencky strain with volume correction, [Klar16] as taken by [Han19] §3.2.
///
/// Energy, stress, differential and stiffness bound are those of [`Hencky`] in F_E.
///
/// Yield: ‖s‖ + α tr τ ≤ √2 c, with s the deviator of τ. In simple shear at the critical state s is a
/// pure shear, ‖s‖ = √2 τ_s, and tr τ = −D σ_n, so that τ_s ≤ c + (D α/√2) σ_n. An incline thus
/// shows tan θ = D α/√2: **α = √2 tan θ/D**, that is (√2/3) tan θ in 3D and tan θ/√2 in 2D, and c is
/// the shear strength without pressure. (The textbook α(φ) fits triaxial compression instead;
/// φ = 30° shows 34.7° in 3D and 24.8° in 2D.) c is compared with Kirchhoff stress.
///
/// In principal strains, s = 2μ ε̂ and tr τ = (Dλ + 2μ) tr ε. The cone ends where s = 0: at
/// tr ε_tip = √2 c/(α (Dλ + 2μ)), at 0 without cohesion.
///
/// Flow, with ε = ln Σ + w/D 1, where v is the volume that earlier flow through the tip has gained and
/// w = min(v, −tr ln Σ) ≥ 0 what compression pays back of it:
/// - tr ε ≥ tr ε_tip: to the tip;
/// - δγ = ‖ε̂‖ + (α (Dλ + 2μ) tr ε − √2 c)/2μ ≤ 0: elastic, ε stays;
/// - else ε − δγ ε̂/‖ε̂‖, at constant volume.
///
/// Then v += ln J_trial − ln J_new: it grows at the tip alone, and the next compression pays it
/// back before it meets resistance. ln J_P = v throughout. Without cohesion this is [Klar16], but
/// that ‖ε̂‖ = 0 goes to the tip there even under pressure and is elastic here. With cohesion, paying
/// back stops at tr ε = 0: it must not pull.
#[derive(Clone, Copy, Debug)]
pub struct Sand<T> {
    /// Elasticity of the grains at rest.
    pub elastic: Hencky<T>,
    /// Slope of the cone: ‖s‖ ≤ √2 c − α tr τ.
    pub alpha: T,
    /// Cohesion c \[Pa\].
    pub cohesion: T,
}

impl<T: Real> Sand<T> {
    /// From the slope α of the cone instead of the angle, e.g. Klár's √(2/3) 2 sin φ/(3 − sin φ).
    pub fn with_slope(lame: Lame<T>, alpha: T, cohesion: T) -> Self {
        Self {
            elastic: Hencky { lame },
            alpha,
            cohesion,
        }
    }
    /// α of the friction angle θ that an incline shows.
    pub fn slope<const D: usize>(friction_angle: f64) -> T {
        T::of(2f64.sqrt() / D as f64 * friction_angle.tan())
    }
    /// The return mapping of principal strains: what they become, and δγ (0 if elastic).
    #[inline(always)]
    pub fn project<const D: usize>(&self, e: &Vector<T, D>) -> (Vector<T, D>, T) {
        let Lame { mu, lambda } = self.elastic.lame;
        let d = T::of(D as f64);
        let (mu2, bulk) = (mu + mu, d * lambda + mu + mu); // tr τ = bulk tr ε
        let c = self.cohesion * T::of(2f64.sqrt());
        let tip = c / (self.alpha * bulk);
        let tr = e.sum();
        if tr >= tip {
            let e_tip = Vector::splat(tip / d);
            return (e_tip, (*e - e_tip).norm());
        }
        let dev = *e - Vector::splat(tr / d);
        let n = dev.norm();
        let dgamma = n + (self.alpha * bulk * tr - c) / mu2;
        if dgamma <= T::zero() {
            return (*e, T::zero());
        }
        (*e - dev * (dgamma / n), dgamma)
    }
}

impl<T: Real, const D: usize> Law<T, D> for Sand<T> {
    /// v, the logarithm of the plastic volume
    type State = [T; 1];
    type Elastic = Hencky<T>;
    const INFO: &'static Info = &Info {
        name: "sand",
        doc: "Dry or cohesive sand: yields in shear at its friction angle, separates freely.",
        source: "[Klar16], [Han19] §3.2",
        params: &[
            Param {
                default: Some(3.537e5),
                ..YOUNGS_MODULUS
            },
            Param {
                default: Some(0.3),
                ..POISSONS_RATIO
            },
            Param {
                name: "friction_angle",
                unit: Unit::Angle,
                default: Some(0.523_598_775_598_298_8), // 30°
                min: 0.0,
                min_open: true,
                max: std::f64::consts::FRAC_PI_4,
                max_open: true,
                doc: "Angle of the incline on which it starts to slide.",
            },
            Param {
                name: "cohesion",
                unit: Unit::Pressure,
                default: Some(0.0),
                min: 0.0,
                min_open: false,
                max: f64::INFINITY,
                max_open: true,
                doc: "Shear stress that it bears without pressure.",
            },
        ],
    };
    fn new(values: &Values) -> Result<Self, ParamError> {
        let alpha = Self::slope::<D>(values.get("friction_angle"));
        Ok(Self::with_slope(
            Lame::of(values),
            alpha,
            T::of(values.get("cohesion")),
        ))
    }
    fn start(&self) -> Self::State {
        [T::zero()]
    }
    #[inline]
    fn elastic(&self, _a: &Self::State) -> Hencky<T> {
        self.elastic
    }
    #[inline]
    fn flow(&self, k: &Kin<T, D>, a: &mut Self::State) -> Matrix<T, D> {
        if inverted(&k.F).is_some() {
            return k.F; // a fault
        }
        let S = k.F.svd();
        let e_trial = S.sigma.map(T::ln);
        let paid = a[0].min(-e_trial.sum()).max(T::zero());
        let e = e_trial + Vector::splat(paid / T::of(D as f64));
        let (e_new, dgamma) = self.project(&e);
        if dgamma == T::zero() && paid == T::zero() {
            return k.F;
        }
        a[0] = (a[0] - paid + (e.sum() - e_new.sum())).max(T::zero());
        let sigma = e_new.map(T::exp);
        S.compose(&sigma)
    }
    #[inline]
    fn volume_ratio(&self, k: &Kin<T, D>, a: &Self::State) -> T {
        k.F.det() * a[0].exp()
    }
    fn state_names() -> &'static [&'static str] {
        &["volume_correction"]
    }
}
