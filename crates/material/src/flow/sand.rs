//! Sand.
#![allow(non_snake_case)]

use thixo_math::{Lane, Mask, Matrix, Real};

use crate::elastic::{
    Hencky, Lame, POISSONS_RATIO, Split, YOUNGS_MODULUS, deform, hencky_strain, respond_split,
    tangent_split, upright, within,
};
use crate::{Info, Kin, Law, Motion, Param, ParamError, Tangent, Trial, Unit, Values};

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
/// In strains, s = 2μ ε̂ and tr τ = (Dλ + 2μ) tr ε. The cone ends where s = 0: at
/// tr ε_tip = √2 c/(α (Dλ + 2μ)), at 0 without cohesion.
///
/// Flow, with ε = U ln Σ Uᵀ + w/D I, where v is the volume that earlier flow through the tip has gained and
/// w = min(v, −tr ln Σ) ≥ 0 what compression pays back of it:
/// - tr ε ≥ tr ε_tip: to the tip;
/// - δγ = ‖ε̂‖ + (α (Dλ + 2μ) tr ε − √2 c)/2μ ≤ 0: elastic, ε stays;
/// - else ε − δγ ε̂/‖ε̂‖, at constant volume.
///
/// ε has the left axes of F, so what is added to it as a tensor A makes F ← e^A F.
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
}

impl<L: Lane> Sand<L> {
    /// The return mapping of strains: the tensor that is added to them, and where that is not nothing.
    #[inline(always)]
    pub fn project<const D: usize>(&self, e: &Matrix<L, D>) -> (Matrix<L, D>, L::Mask) {
        let Lame { mu, lambda } = self.elastic.lame;
        let c = |x: f64| mu.fill(x);
        let (mu2, bulk) = (mu + mu, c(D as f64) * lambda + mu + mu); // tr τ = bulk tr ε
        let cohesion = self.cohesion * c(2f64.sqrt());
        let tip = cohesion / (self.alpha * bulk);
        let (zero, tr) = (c(0.0), e.trace());
        let to_tip = tip.le(tr);
        let dev = e.deviator();
        let n = dev.norm();
        let dgamma = n + (self.alpha * bulk * tr - cohesion) / mu2;
        // The share of the deviator that goes, and what is added to the trace.
        let sheared = zero.lt(dgamma) & !to_tip;
        let share = L::select(to_tip, c(1.0), L::select(sheared, dgamma / n, zero));
        let mean = L::select(to_tip, (tip - tr) * c(1.0 / D as f64), zero);
        (dev * -share + Matrix::scalar(mean), to_tip | sheared)
    }
}

impl<L: Lane> Sand<L> {
    /// f of a step that may yield, with its derivatives: f′ = κ x, where x is what is left of tr ε when compression has
    /// paid back v, and never above the tip. It rises throughout, so that f is convex.
    #[inline(always)]
    fn press<const D: usize>(&self, tr: L, v: L) -> [L; 3] {
        let Lame { mu, lambda } = self.elastic.lame;
        let (zero, half) = (tr.fill(0.0), tr.fill(0.5));
        let bulk = (mu + mu).mul_add(tr.fill(1.0 / D as f64), lambda);
        let cohesion = self.cohesion * tr.fill(2f64.sqrt() / D as f64);
        let tip = cohesion / (self.alpha * bulk);
        let low = (tr + v).min(zero);
        let x = low + tr.max(zero).min(tip);
        let beyond = (tr - tip).max(zero);
        let f = bulk * (half * x * x + tip * beyond);
        let rises = low.lt(zero) | (zero.lt(tr) & tr.lt(tip));
        [f, bulk * x, L::select(rises, bulk, zero)]
    }
    /// The potential of a step that may yield.
    #[inline(always)]
    fn split<const D: usize>(&self, k: &Trial<L, D>, v: L, tr: L, n: L) -> Split<L> {
        let mu = self.elastic.lame.mu;
        let yields = within(&k.lag);
        let flowing = self.press::<D>(tr, v.max(v.fill(0.0)));
        let whole = self.elastic.volume::<D>(tr);
        let [f, df, ddf] = [
            L::select(yields, flowing[0], whole[0]),
            L::select(yields, flowing[1], whole[1]),
            L::select(yields, flowing[2], whole[2]),
        ];
        let [h, g, ddh] = Split::shear(n, mu, k.lag[1], n.fill(0.0));
        Split {
            f,
            df,
            ddf,
            h,
            g,
            ddh,
        }
    }
}

impl<L: Lane, const D: usize> Motion<L, D> for Sand<L> {
    /// v, the logarithm of the plastic volume
    type State = [L; 1];
    #[inline(always)]
    fn tau(&self, F: &Matrix<L, D>, _a: &[L; 1]) -> (Matrix<L, D>, L) {
        self.elastic.tau(F)
    }
    #[inline(always)]
    fn flow(&self, k: &Kin<L, D>, a: &mut [L; 1]) -> Matrix<L, D> {
        let zero = a[0].fill(0.0);
        let trial = hencky_strain(&k.F);
        let paid = a[0].min(-trial.trace()).max(zero);
        let back = Matrix::scalar(paid * zero.fill(1.0 / D as f64));
        let (more, flows) = self.project(&(trial + back));
        let moves = (flows | zero.lt(paid)) & upright(&k.F);
        if !moves.any() {
            return k.F;
        }
        let v = (a[0] - paid - more.trace()).max(zero);
        a[0] = L::select(moves, v, a[0]);
        let out = deform(&(back + more), &k.F);
        Matrix::from_fn(|i, j| L::select(moves, out[(i, j)], k.F[(i, j)]))
    }
    #[inline(always)]
    fn allows(&self, F: &Matrix<L, D>) -> L::Mask {
        self.elastic.allows(F)
    }
    const LAGS: bool = true;
    /// The stress at which it yields under the pressure of this step. Drucker–Prager's flow at constant volume has no
    /// potential but under a given pressure.
    #[inline(always)]
    fn lag(&self, k: &Trial<L, D>, a: &Self::State) -> [L; 2] {
        let tr = hencky_strain(&k.deformed()).trace();
        let [_, df, ddf] = self.press::<D>(tr, a[0]);
        let zero = df.fill(0.0);
        let root = df.fill(2f64.sqrt());
        let most = root * self.cohesion - self.alpha * df.fill(D as f64) * df;
        // None at the tip, whatever rounding says.
        let tip = zero.lt(tr) & ddf.le(zero);
        let most = L::select(tip, zero, most.max(zero));
        [-most, most]
    }
    #[inline(always)]
    fn respond(&self, k: &Trial<L, D>, a: &Self::State) -> (L, Matrix<L, D>) {
        let (psi, g) = respond_split(
            k,
            #[inline(always)]
            |tr, n| self.split::<D>(k, a[0], tr, n),
        );
        let fit = Motion::<L, D>::allows(self, &k.deformed());
        (L::select(fit, psi, psi.fill(f64::INFINITY)), g)
    }
    #[inline(always)]
    fn tangent(&self, k: &Trial<L, D>, a: &Self::State, definite: bool) -> Tangent<L> {
        tangent_split(
            k,
            definite,
            #[inline(always)]
            |tr, n| self.split::<D>(k, a[0], tr, n),
        )
    }
}

impl<T: Real, const D: usize> Law<T, D> for Sand<T> {
    type Elastic = Hencky<T>;
    type In<L: Lane<Scalar = T>> = Sand<L>;
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
    #[inline(always)]
    fn lanes<L: Lane<Scalar = T>>(&self, like: L) -> Sand<L> {
        Sand {
            elastic: Hencky {
                lame: self.elastic.lame.lanes(like),
            },
            alpha: like.spread(self.alpha),
            cohesion: like.spread(self.cohesion),
        }
    }
    fn start(&self) -> Self::State {
        [T::zero()]
    }
    #[inline]
    fn elastic(&self, _a: &Self::State) -> Hencky<T> {
        self.elastic
    }
    #[inline]
    fn volume_ratio(&self, k: &Kin<T, D>, a: &Self::State) -> T {
        k.F.det() * a[0].exp()
    }
    fn state_names() -> &'static [&'static str] {
        &["volume_correction"]
    }
}
