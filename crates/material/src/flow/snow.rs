//! Snow.
#![allow(non_snake_case)]

use thixo_math::{Lane, Mask, Matrix, Real};

use super::clamped::Clamped;
use crate::elastic::{
    FixedCorotated, Lame, POISSONS_RATIO, YOUNGS_MODULUS, inverted, upright, within,
};
use crate::{Info, Kin, Law, Motion, Param, ParamError, Tangent, Trial, Unit, Values};

/// Snow, [Jiang15] §3.2 and [Course16] §6.5.
///
/// F = F_E F_P; the energy is that of [`FixedCorotated`] in F_E, with moduli times
/// h = exp(ξ (1 − J_P)). Only J_P is kept of F_P. The exponent is held to ±`hardening_limit`, so that
/// neither the moduli nor the time step run away.
///
/// Flow: the singular values of the trial F_E are clamped to [1 − θ_c, 1 + θ_s], and J_P takes what
/// J_E loses, so that J_E J_P is the volume ratio. An inverted trial F_E has no plastic volume: it is
/// left as it is, and is a fault.
///
/// At fixed J_P, P, δP and the stiffness bound are h times those of [`FixedCorotated`].
#[derive(Clone, Copy, Debug)]
pub struct Snow<T> {
    /// Elasticity of fresh snow.
    pub elastic: FixedCorotated<T>,
    /// Lowest singular value, 1 − θ_c.
    pub low: T,
    /// Highest singular value, 1 + θ_s.
    pub high: T,
    /// ξ
    pub xi: T,
    /// Largest magnitude of ξ (1 − J_P).
    pub limit: T,
}

pub(crate) const CRITICAL_COMPRESSION: Param = Param {
    name: "critical_compression",
    unit: Unit::One,
    default: Some(2.5e-2),
    min: 0.0,
    min_open: false,
    max: 1.0,
    max_open: true,
    doc: "Compression at which it starts to flow.",
};
pub(crate) const HARDENING: Param = Param {
    name: "hardening",
    unit: Unit::One,
    default: Some(10.0),
    min: 0.0,
    min_open: false,
    max: f64::INFINITY,
    max_open: true,
    doc: "How fast it hardens when packed and softens when loosened.",
};
pub(crate) const HARDENING_LIMIT: Param = Param {
    name: "hardening_limit",
    unit: Unit::One,
    default: Some(5.0),
    min: 0.0,
    min_open: false,
    max: 20.0,
    max_open: false,
    doc: "Largest exponent of hardening and softening.",
};

impl<L: Lane> Snow<L> {
    /// exp(ξ (1 − J_P)), [Course16] (87).
    #[inline(always)]
    pub fn hardening(&self, Jp: L) -> L {
        (self.xi * (Jp.fill(1.0) - Jp))
            .max(-self.limit)
            .min(self.limit)
            .exp()
    }
    #[inline(always)]
    pub(crate) fn hardened(&self, Jp: L) -> FixedCorotated<L> {
        FixedCorotated {
            lame: self.elastic.lame.scaled(self.hardening(Jp)),
        }
    }
    /// Where every singular value is certainly within the clamp: by Gershgorin's discs of FᵀF.
    #[inline(always)]
    pub(super) fn surely_elastic<const D: usize>(&self, F: &Matrix<L, D>) -> L::Mask {
        let C = F.transpose_times(F);
        let (low, high) = (self.low * self.low, self.high * self.high);
        let disc = |i: usize| {
            let mut r = C[(i, (i + 1) % D)].abs();
            for j in 2..D {
                r += C[(i, (i + j) % D)].abs();
            }
            low.le(C[(i, i)] - r) & (C[(i, i)] + r).le(high)
        };
        let mut inside = disc(0);
        for i in 1..D {
            inside = inside & disc(i);
        }
        inside
    }
    /// The clamp, [Course16] (82)–(86).
    #[inline(always)]
    pub(crate) fn clamp<const D: usize>(&self, F: &Matrix<L, D>, Jp: &mut L) -> Matrix<L, D> {
        let still = self.surely_elastic(F) | !upright(F);
        if still.all() {
            return *F;
        }
        let S = F.svd();
        let sigma = S.sigma.map(|s| s.max(self.low).min(self.high));
        let mut same = sigma[0].le(S.sigma[0]) & S.sigma[0].le(sigma[0]);
        for i in 1..D {
            same = same & sigma[i].le(S.sigma[i]) & S.sigma[i].le(sigma[i]);
        }
        let still = still | same;
        let clamped = S.compose(&sigma);
        *Jp *= L::select(still, Jp.fill(1.0), S.sigma.product() / sigma.product());
        Matrix::from_fn(|i, j| L::select(still, F[(i, j)], clamped[(i, j)]))
    }
}

impl<L: Lane, const D: usize> Motion<L, D> for Snow<L> {
    /// J_P
    type State = [L; 1];
    #[inline(always)]
    fn tau(&self, F: &Matrix<L, D>, a: &[L; 1]) -> (Matrix<L, D>, L) {
        self.hardened(a[0]).tau(F)
    }
    #[inline(always)]
    fn flow(&self, k: &Kin<L, D>, a: &mut [L; 1]) -> Matrix<L, D> {
        self.clamp(&k.F, &mut a[0])
    }
    #[inline(always)]
    fn allows(&self, F: &Matrix<L, D>) -> L::Mask {
        upright(F)
    }
    const LAGS: bool = true;
    #[inline(always)]
    fn lag(&self, k: &Trial<L, D>, _a: &Self::State) -> [L; 2] {
        Clamped::lag(self, &k.deformed())
    }
    #[inline(always)]
    fn respond(&self, k: &Trial<L, D>, a: &Self::State) -> (L, Matrix<L, D>) {
        let law = self.hardened(a[0]);
        let F = k.deformed();
        let (mut psi, mut g) = law.respond(k);
        let flows = within(&k.lag) & !(self.surely_elastic(&F) & Clamped::holds_not(&F, &k.lag));
        if flows.any() {
            let (psi_flow, g_flow) = Clamped::new(self, &law, k).respond(k);
            psi = L::select(flows, psi_flow, psi);
            g = Matrix::from_fn(
                #[inline(always)]
                |i, j| L::select(flows, g_flow[(i, j)], g[(i, j)]),
            );
        }
        let fit = Motion::<L, D>::allows(self, &F);
        (L::select(fit, psi, psi.fill(f64::INFINITY)), g)
    }
    #[inline(always)]
    fn tangent(&self, k: &Trial<L, D>, a: &Self::State, definite: bool) -> Tangent<L> {
        let law = self.hardened(a[0]);
        Clamped::new(self, &law, k).tangent(k, definite)
    }
}

impl<T: Real, const D: usize> Law<T, D> for Snow<T> {
    type Elastic = FixedCorotated<T>;
    type In<L: Lane<Scalar = T>> = Snow<L>;
    const INFO: &'static Info = &Info {
        name: "snow",
        doc: "Snow: yields at small stretch and compression, hardens when packed, softens when torn.",
        source: "[Jiang15] §3.2",
        params: &[
            Param {
                default: Some(1.4e5),
                ..YOUNGS_MODULUS
            },
            Param {
                default: Some(0.2),
                ..POISSONS_RATIO
            },
            CRITICAL_COMPRESSION,
            Param {
                name: "critical_stretch",
                default: Some(7.5e-3),
                max: f64::INFINITY,
                doc: "Stretch at which it starts to tear.",
                ..CRITICAL_COMPRESSION
            },
            HARDENING,
            HARDENING_LIMIT,
        ],
    };
    fn new(values: &Values) -> Result<Self, ParamError> {
        Ok(Self {
            elastic: FixedCorotated {
                lame: Lame::of(values),
            },
            low: T::of(1.0 - values.get("critical_compression")),
            high: T::of(1.0 + values.get("critical_stretch")),
            xi: T::of(values.get("hardening")),
            limit: T::of(values.get("hardening_limit")),
        })
    }
    #[inline(always)]
    fn lanes<L: Lane<Scalar = T>>(&self, like: L) -> Snow<L> {
        Snow {
            elastic: FixedCorotated {
                lame: self.elastic.lame.lanes(like),
            },
            low: like.spread(self.low),
            high: like.spread(self.high),
            xi: like.spread(self.xi),
            limit: like.spread(self.limit),
        }
    }
    fn start(&self) -> Self::State {
        [T::one()]
    }
    #[inline]
    fn elastic(&self, a: &Self::State) -> FixedCorotated<T> {
        self.hardened(a[0])
    }
    fn fault(&self, k: &Kin<T, D>, _a: &Self::State) -> Option<&'static str> {
        inverted(&k.F)
    }
    #[inline]
    fn volume_ratio(&self, k: &Kin<T, D>, a: &Self::State) -> T {
        k.F.det() * a[0]
    }
    fn state_names() -> &'static [&'static str] {
        &["plastic_volume_ratio"]
    }
}
