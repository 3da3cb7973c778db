//! Metal and other solids that yield in shear.
#![allow(non_snake_case)]

use thixo_math::{Lane, Mask, Matrix, Real};

use crate::elastic::{
    Hencky, Lame, POISSONS_RATIO, YOUNGS_MODULUS, deform, hencky_strain, upright,
};
use crate::{Info, Kin, Law, Motion, Param, ParamError, Unit, Values};

/// Von Mises plasticity on Hencky strain with linear isotropic hardening.
///
/// Energy, stress, differential and stiffness bound are those of [`Hencky`] in F_E.
///
/// Yield: ‖s‖ ≤ √(2/3) (σ_y + h κ), with s the deviator of τ and κ the accumulated plastic strain. In 2D,
/// where s has no third component, this is the limit state of plane strain: a shear of σ_y/√3.
///
/// Flow in strains, s = 2μ ε̂: ε − δγ ε̂/‖ε̂‖ at constant volume, F ← exp(−δγ ε̂/‖ε̂‖) F since ε̂ has the
/// left axes of F, and κ grows by √(2/3) δγ. The
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

impl<L: Lane, const D: usize> Motion<L, D> for VonMises<L> {
    /// κ
    type State = [L; 1];
    #[inline(always)]
    fn tau(&self, F: &Matrix<L, D>, _a: &[L; 1]) -> (Matrix<L, D>, L) {
        self.elastic.tau(F)
    }
    #[inline(always)]
    fn flow(&self, k: &Kin<L, D>, a: &mut [L; 1]) -> Matrix<L, D> {
        let c = |x: f64| a[0].fill(x);
        let dev = hencky_strain(&k.F).deviator();
        let (mu2, n) = (self.elastic.lame.mu * c(2.0), dev.norm());
        let root = c((2f64 / 3.0).sqrt());
        let excess = mu2 * n - root * (self.yield_stress + self.hardening * a[0]);
        let yields = c(0.0).lt(excess) & upright(&k.F);
        if !yields.any() {
            return k.F;
        }
        let dgamma = excess / (mu2 + self.hardening * c(2.0 / 3.0));
        let zero = c(0.0);
        let (share, more) = (
            L::select(yields, dgamma / n, zero),
            L::select(yields, root * dgamma, zero),
        );
        a[0] += more;
        let out = deform(&(dev * -share), &k.F);
        Matrix::from_fn(|i, j| L::select(yields, out[(i, j)], k.F[(i, j)]))
    }
    #[inline(always)]
    fn allows(&self, F: &Matrix<L, D>) -> L::Mask {
        self.elastic.allows(F)
    }
}

impl<T: Real, const D: usize> Law<T, D> for VonMises<T> {
    type Elastic = Hencky<T>;
    type In<L: Lane<Scalar = T>> = VonMises<L>;
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
    #[inline(always)]
    fn lanes<L: Lane<Scalar = T>>(&self, like: L) -> VonMises<L> {
        VonMises {
            elastic: Hencky {
                lame: self.elastic.lame.lanes(like),
            },
            yield_stress: like.spread(self.yield_stress),
            hardening: like.spread(self.hardening),
        }
    }
    fn start(&self) -> Self::State {
        [T::zero()]
    }
    #[inline]
    fn elastic(&self, _a: &Self::State) -> Hencky<T> {
        self.elastic
    }
    fn state_names() -> &'static [&'static str] {
        &["plastic_strain"]
    }
}
