//! Sand by a clamp.
#![allow(non_snake_case)]

use thixo_math::{Lane, Matrix, Real};

use super::Snow;
use super::snow::{CRITICAL_COMPRESSION, HARDENING, HARDENING_LIMIT};
use crate::elastic::{FixedCorotated, Lame, POISSONS_RATIO, YOUNGS_MODULUS};
use crate::{Info, Kin, Law, Motion, Param, ParamError, Tangent, Trial, Values};

/// Dry sand as [`Snow`] whose singular values stop at h = 1, [Jiang15] end of §3.2.2: it separates
/// freely. It has no friction angle; [`Sand`](super::Sand) does.
///
/// Energy, stress, differential and stiffness bound are those of [`Snow`] with θ_s = 0.
#[derive(Clone, Copy, Debug)]
pub struct ClampSand<T> {
    /// The snow that it is.
    pub snow: Snow<T>,
}

impl<L: Lane, const D: usize> Motion<L, D> for ClampSand<L> {
    /// J_P
    type State = [L; 1];
    #[inline(always)]
    fn tau(&self, F: &Matrix<L, D>, a: &[L; 1]) -> (Matrix<L, D>, L) {
        self.snow.tau(F, a)
    }
    #[inline(always)]
    fn flow(&self, k: &Kin<L, D>, a: &mut [L; 1]) -> Matrix<L, D> {
        self.snow.flow(k, a)
    }
    #[inline(always)]
    fn allows(&self, F: &Matrix<L, D>) -> L::Mask {
        self.snow.allows(F)
    }
    const LAGS: bool = true;
    #[inline(always)]
    fn lag(&self, k: &Trial<L, D>, a: &[L; 1]) -> [L; 2] {
        self.snow.lag(k, a)
    }
    #[inline(always)]
    fn respond(&self, k: &Trial<L, D>, a: &[L; 1]) -> (L, Matrix<L, D>) {
        self.snow.respond(k, a)
    }
    #[inline(always)]
    fn tangent(&self, k: &Trial<L, D>, a: &[L; 1], definite: bool) -> Tangent<L> {
        self.snow.tangent(k, a, definite)
    }
}

impl<T: Real, const D: usize> Law<T, D> for ClampSand<T> {
    type Elastic = FixedCorotated<T>;
    type In<L: Lane<Scalar = T>> = ClampSand<L>;
    const FLOW_GAIN: f64 = 5e-2;
    const INFO: &'static Info = &Info {
        name: "clamp-sand",
        doc: "Grains that separate freely and yield in compression: the snow law without stretch.",
        source: "[Jiang15] §3.2.2",
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
            HARDENING,
            HARDENING_LIMIT,
        ],
    };
    fn new(values: &Values) -> Result<Self, ParamError> {
        let snow = Snow {
            elastic: FixedCorotated {
                lame: Lame::of(values),
            },
            low: T::of(1.0 - values.get("critical_compression")),
            high: T::one(),
            xi: T::of(values.get("hardening")),
            limit: T::of(values.get("hardening_limit")),
        };
        Ok(Self { snow })
    }
    #[inline(always)]
    fn lanes<L: Lane<Scalar = T>>(&self, like: L) -> ClampSand<L> {
        let snow = Law::<T, D>::lanes(&self.snow, like);
        ClampSand { snow }
    }
    fn start(&self) -> Self::State {
        [T::one()]
    }
    #[inline]
    fn elastic(&self, a: &Self::State) -> FixedCorotated<T> {
        self.snow.hardened(a[0])
    }
    fn fault(&self, k: &Kin<T, D>, a: &Self::State) -> Option<&'static str> {
        self.snow.fault(k, a)
    }
    #[inline]
    fn volume_ratio(&self, k: &Kin<T, D>, a: &Self::State) -> T {
        self.snow.volume_ratio(k, a)
    }
    fn state_names() -> &'static [&'static str] {
        <Snow<T> as Law<T, D>>::state_names()
    }
}
