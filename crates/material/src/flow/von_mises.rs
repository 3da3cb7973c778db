//! Metal and other solids that yield in shear.
#![allow(non_snake_case)]

use thixo_math::{Lane, Mask, Matrix, Real};

use crate::elastic::{
    Hencky, Lame, POISSONS_RATIO, Split, YOUNGS_MODULUS, deform, hencky_strain, respond_split,
    tangent_split, upright,
};
use crate::{Info, Kin, Law, Motion, Param, ParamError, Tangent, Trial, Unit, Values};

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

pub(super) const YIELD_STRESS: Param = Param {
    name: "yield_stress",
    unit: Unit::Pressure,
    default: None,
    min: 0.0,
    min_open: true,
    max: f64::INFINITY,
    max_open: true,
    doc: "Stress at which a bar that is pulled starts to flow.",
};

impl<T: Real> VonMises<T> {
    /// From the values of a card with these parameters.
    pub(super) fn of(values: &Values) -> Self {
        Self {
            elastic: Hencky {
                lame: Lame::of(values),
            },
            yield_stress: T::of(values.get("yield_stress")),
            hardening: T::of(values.get("hardening_modulus")),
        }
    }
}

impl<L: Lane> VonMises<L> {
    /// F and κ after a share of the flow.
    #[inline(always)]
    pub(super) fn yielded<const D: usize>(
        &self,
        F: &Matrix<L, D>,
        a: &mut [L; 1],
        share: L,
    ) -> Matrix<L, D> {
        let c = |x: f64| a[0].fill(x);
        let dev = hencky_strain(F).deviator();
        let (mu2, n) = (self.elastic.lame.mu * c(2.0), dev.norm());
        let root = c((2f64 / 3.0).sqrt());
        let excess = mu2 * n - root * (self.yield_stress + self.hardening * a[0]);
        let yields = c(0.0).lt(excess) & upright(F);
        if !yields.any() {
            return *F;
        }
        let dgamma = share * excess / (mu2 + self.hardening * c(2.0 / 3.0));
        let zero = c(0.0);
        let (part, more) = (
            L::select(yields, dgamma / n, zero),
            L::select(yields, root * dgamma, zero),
        );
        a[0] += more;
        let out = deform(&(dev * -part), F);
        Matrix::from_fn(|i, j| L::select(yields, out[(i, j)], F[(i, j)]))
    }
}

impl<L: Lane> VonMises<L> {
    /// The potential of a step that may yield at the stress `most` and takes a share of the flow: beyond it ‖s‖ rises by
    /// 2μ (1 − share 2μ/(2μ + 2h/3)).
    #[inline(always)]
    pub(super) fn split<const D: usize>(&self, [most, share]: [L; 2], tr: L, n: L) -> Split<L> {
        let mu = self.elastic.lame.mu;
        let rise = self.hardening * mu.fill(2.0 / 3.0);
        let mu2 = mu + mu;
        let [f, df, ddf] = self.elastic.volume::<D>(tr);
        let [h, g, ddh] = Split::shear(n, mu, most, mu2 - share * mu2 * mu2 / (mu2 + rise));
        Split {
            f,
            df,
            ddf,
            h,
            g,
            ddh,
        }
    }
    /// The stress at which it yields.
    #[inline(always)]
    pub(super) fn most(&self, a: &[L; 1]) -> L {
        let root = a[0].fill((2f64 / 3.0).sqrt());
        root * (self.yield_stress + self.hardening * a[0])
    }
    /// ψ and ∂ψ/∂H of a step that takes a share of the flow.
    #[inline(always)]
    pub(super) fn respond_to<const D: usize>(
        &self,
        k: &Trial<L, D>,
        share: L,
    ) -> (L, Matrix<L, D>) {
        let (psi, g) = respond_split(
            k,
            #[inline(always)]
            |tr, n| self.split::<D>([k.lag[1], share], tr, n),
        );
        let fit = self.elastic.allows(&k.deformed());
        (L::select(fit, psi, psi.fill(f64::INFINITY)), g)
    }
    /// ∂²ψ/∂H² of the same.
    #[inline(always)]
    pub(super) fn tangent_to<const D: usize>(
        &self,
        k: &Trial<L, D>,
        share: L,
        definite: bool,
    ) -> Tangent<L> {
        tangent_split(
            k,
            definite,
            #[inline(always)]
            |tr, n| self.split::<D>([k.lag[1], share], tr, n),
        )
    }
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
        self.yielded(&k.F, a, k.dt.fill(1.0))
    }
    #[inline(always)]
    fn allows(&self, F: &Matrix<L, D>) -> L::Mask {
        self.elastic.allows(F)
    }
    const LAGS: bool = true;
    /// The stress at which it yields; it does not depend on the step.
    #[inline(always)]
    fn lag(&self, _k: &Trial<L, D>, a: &Self::State) -> [L; 2] {
        let most = self.most(a);
        [-most, most]
    }
    #[inline(always)]
    fn respond(&self, k: &Trial<L, D>, _a: &Self::State) -> (L, Matrix<L, D>) {
        self.respond_to(k, k.dt.fill(1.0))
    }
    #[inline(always)]
    fn tangent(&self, k: &Trial<L, D>, _a: &Self::State, definite: bool) -> Tangent<L> {
        self.tangent_to(k, k.dt.fill(1.0), definite)
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
            YIELD_STRESS,
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
        Ok(Self::of(values))
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
