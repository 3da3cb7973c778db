//! Metal and other solids that yield in shear.
#![allow(non_snake_case)]

use thixo_math::{Matrix, Real, Vector};

use crate::elastic::{Hencky, Lame, POISSONS_RATIO, YOUNGS_MODULUS, inverted};
use crate::{Info, Kin, Law, Param, ParamError, Unit, Values};

/// Von Mises plasticity on Hencky strain with linear isotropic hardening.
///
/// Energy, stress, differential and stiffness bound are those of [`Hencky`] in F_E.
///
/// Yield: ‖s‖ ≤ √(2/3) (σ_y + h κ), with s the deviator of τ and κ the accumulated plastic strain. In 2D,
/// where s has no third component, this is the limit state of plane strain: a shear of σ_y/√3.
///
/// Flow in principal strains, s = 2μ ε̂: ε − δγ ε̂/‖ε̂‖ at constant volume, and κ grows by √(2/3) δγ. The
/// new s lies on the new surface, ‖s‖ − 2μ δγ = √(2/3) (σ_y + h κ) + (2/3) h δγ, so that
/// δγ = (‖s‖ − √(2/3) (σ_y + h κ))/(2μ + 2h/3), where that is positive.
#[derive(Clone, Copy, Debug)]
pub struct VonMises<T> {
    /// Elasticity below yield.
    pub elastic: Hencky<T>,
    /// σ_y \[Pa\].
    pub yield_stress: T,
    /// h \[Pa\].
    pub hardening: T,
}

impl<T: Real, const D: usize> Law<T, D> for VonMises<T> {
    /// κ
    type State = [T; 1];
    type Elastic = Hencky<T>;
    const INFO: &'static Info = &Info {
        name: "von-mises",
        doc: "Metal, clay or wax: elastic up to a yield stress in shear, then flows at constant volume.",
        source: "von Mises 1913; return mapping of [Klar16] without pressure",
        params: &[
            YOUNGS_MODULUS,
            POISSONS_RATIO,
            Param {
                name: "yield_stress",
                unit: Unit::Pressure,
                default: None,
                min: 0.0,
                min_open: true,
                max: f64::INFINITY,
                max_open: true,
                doc: "Stress at which a bar that is pulled starts to flow.",
            },
            Param {
                name: "hardening_modulus",
                unit: Unit::Pressure,
                default: Some(0.0),
                min: 0.0,
                min_open: false,
                max: f64::INFINITY,
                max_open: true,
                doc: "Rise of the yield stress per plastic strain.",
            },
        ],
    };
    fn new(values: &Values) -> Result<Self, ParamError> {
        Ok(Self {
            elastic: Hencky {
                lame: Lame::of(values),
            },
            yield_stress: T::of(values.get("yield_stress")),
            hardening: T::of(values.get("hardening_modulus")),
        })
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
        let e = S.sigma.map(T::ln);
        let dev = e - Vector::splat(e.sum() / T::of(D as f64));
        let (mu2, n) = (self.elastic.lame.mu * T::of(2.0), dev.norm());
        let root = T::of((2f64 / 3.0).sqrt());
        let excess = mu2 * n - root * (self.yield_stress + self.hardening * a[0]);
        if excess <= T::zero() {
            return k.F;
        }
        let dgamma = excess / (mu2 + self.hardening * T::of(2.0 / 3.0));
        a[0] += root * dgamma;
        S.compose(&(e - dev * (dgamma / n)).map(T::exp))
    }
    fn state_names() -> &'static [&'static str] {
        &["plastic_strain"]
    }
}
