//! The contract of a constitutive law.

use std::fmt::Debug;

use thixo_math::{Lane, Matrix, Real};

use crate::elastic::inverted;
use crate::{Info, ParamError, Tangent, Trial, Values};

/// What a law sees of one particle in one step: the trial deformation gradient (its elastic part),
/// the increment H = dt ∇v, and dt. Shared by every solver that has a deformation gradient.
#[derive(Clone, Copy, Debug)]
#[allow(non_snake_case)]
pub struct Kin<T, const D: usize> {
    /// Trial (elastic) deformation gradient.
    pub F: Matrix<T, D>,
    /// dt ∇v, dimensionless.
    pub H: Matrix<T, D>,
    /// Time step \[s\].
    pub dt: T,
}

impl<T: Real, const D: usize> Kin<T, D> {
    /// A deformation without a velocity: H = 0, dt = 1.
    #[allow(non_snake_case)]
    pub fn at(F: Matrix<T, D>) -> Self {
        Self {
            F,
            H: Matrix::zero(),
            dt: T::one(),
        }
    }
}

/// An elastic energy ψ(F) with its derivatives: the part that laws share. A law is an elasticity, which
/// its state may harden, and a flow.
#[allow(non_snake_case)]
pub trait Elastic<T: Real, const D: usize>: Copy {
    /// ψ \[Pa\]
    fn energy(&self, F: &Matrix<T, D>) -> T;
    /// P = ∂ψ/∂F \[Pa\]
    fn piola(&self, F: &Matrix<T, D>) -> Matrix<T, D>;
    /// δP
    fn dpiola(&self, F: &Matrix<T, D>, dF: &Matrix<T, D>) -> Matrix<T, D>;
    /// An upper bound on the largest eigenvalue of δH ↦ δP(δH F) Fᵀ \[Pa\].
    fn largest(&self, F: &Matrix<T, D>) -> T;
    /// What forbids this F, or `None`.
    fn forbids(&self, F: &Matrix<T, D>) -> Option<&'static str> {
        inverted(F)
    }
}

/// The numbers of a state in lanes: an array of them.
pub trait Numbers<L>: Copy {
    /// How many.
    const COUNT: usize;
    /// Number by number.
    fn from_fn(f: impl FnMut(usize) -> L) -> Self;
    /// All of them.
    fn all(&self) -> &[L];
}

impl<L: Copy, const N: usize> Numbers<L> for [L; N] {
    const COUNT: usize = N;
    #[inline(always)]
    fn from_fn(f: impl FnMut(usize) -> L) -> Self {
        std::array::from_fn(f)
    }
    #[inline(always)]
    fn all(&self) -> &[L] {
        self
    }
}

/// The part of a law that every step needs, in lanes: one particle or as many as a register holds. It
/// branches on no value but to skip what no lane needs, so that a particle's fate does not depend on
/// its neighbours in the register.
#[allow(non_snake_case)]
pub trait Motion<L: Lane, const D: usize> {
    /// What a particle carries besides F: plastic volume, hardening …
    type State: Numbers<L>;
    /// Whether it has a viscosity: a term in H.
    const VISCOUS: bool = false;
    /// Whether every F after the flow is a multiple of I, so that one number is all of it.
    const SHAPELESS: bool = false;
    /// Kirchhoff stress τ = P Fᵀ and the stiffness bound, without viscosity. The conformance test holds
    /// it to `stress` and `stiffness`.
    fn tau(&self, F: &Matrix<L, D>, a: &Self::State) -> (Matrix<L, D>, L);
    /// The return mapping: takes the trial F to the admissible F and updates the state. What it does not
    /// [allow](Self::allows) it leaves as it is.
    #[inline(always)]
    fn flow(&self, k: &Kin<L, D>, _a: &mut Self::State) -> Matrix<L, D> {
        k.F
    }
    /// Dynamic viscosity η times J \[Pa s\]; it bounds the explicit time step too.
    #[inline(always)]
    fn viscosity(&self, k: &Kin<L, D>, _a: &Self::State) -> L {
        k.dt.fill(0.0)
    }
    /// Where F may be; the step that made another is undone.
    fn allows(&self, F: &Matrix<L, D>) -> L::Mask;
    /// Whether the potential of a step that is tried needs something of the last iterate: where the law yields.
    const LAGS: bool = false;
    /// What that is, at this step: limits of the stress, by which the flow within the step is one with a potential.
    /// They are [infinite](Trial::elastic) where the flow is to wait for the end of the step.
    #[inline(always)]
    fn lag(&self, k: &Trial<L, D>, _a: &Self::State) -> [L; 2] {
        Trial::elastic(k.F, k.H, k.dt).lag
    }
    /// ψ and ∂ψ/∂H of a step that is tried: of the elastic trial state (I + H) F and of viscosity. ∂ψ/∂H =
    /// P Fᵀ + S, which is τ at H = 0. Where the law yields, ψ grows by the work of the stress after the flow, so that
    /// with the limits of this very step ∂ψ/∂H (I + H)ᵀ is that stress. Where the law does not
    /// [allow](Self::allows) (I + H) F, ψ is +∞ and ∂ψ/∂H means nothing. A law that [relaxes](Law::relaxes) within the
    /// step gives a potential of the stress that its flow leaves to the first order.
    fn respond(&self, k: &Trial<L, D>, a: &Self::State) -> (L, Matrix<L, D>);
    /// ∂²ψ/∂H² of a step that is tried. If it is to be `definite`, its elastic part is projected to positive
    /// semi-definite; viscosity always is.
    fn tangent(&self, k: &Trial<L, D>, a: &Self::State, definite: bool) -> Tangent<L>;

    /// S of an increment H: 2 J η sym(H)/dt.
    #[inline(always)]
    fn viscous(&self, k: &Kin<L, D>, a: &Self::State, H: &Matrix<L, D>) -> Matrix<L, D> {
        if Self::VISCOUS {
            let eta = self.viscosity(k, a);
            H.sym() * ((eta + eta) / k.dt)
        } else {
            Matrix::scalar(k.dt.fill(0.0))
        }
    }
    /// ψ and ∂ψ/∂H of viscosity alone: J η ε:ε dt with J and ε:ε dt = sym(H):sym(H)/dt of the start of the step,
    /// [Jiang15] (4.9), so that it is quadratic in H.
    #[inline(always)]
    fn respond_viscous(&self, k: &Trial<L, D>, a: &Self::State) -> (L, Matrix<L, D>) {
        let (sym, c) = (k.H.sym(), self.viscosity(&k.start(), a) / k.dt);
        (sym.norm2() * c, sym * (c + c))
    }
    /// Kirchhoff stress τ = P Fᵀ + S and the stiffness bound.
    #[inline(always)]
    fn kirchhoff(&self, k: &Kin<L, D>, a: &Self::State) -> (Matrix<L, D>, L) {
        let (tau, e) = self.tau(&k.F, a);
        if Self::VISCOUS {
            (tau + self.viscous(k, a, &k.H), e)
        } else {
            (tau, e)
        }
    }
}

/// A constitutive law: an energy density ψ(F, H; a) per rest volume, its derivatives, and a flow.
///
/// The force on a grid node is f_i = −Σ V⁰ (P Fₙᵀ + S) ∇w, with P = ∂ψ/∂F and S = ∂ψ/∂H.
/// Elastic laws have S = 0; viscosity has ψ = J dt η ε:ε with ε = sym(H)/dt, so that S = 2 J η ε.
///
/// A law is a few numbers and no more; what changes from particle to particle is its `State`. It says
/// what its elasticity is, and overrides what differs from plain elasticity.
pub trait Law<T: Real, const D: usize>:
    Motion<T, D, State: bytemuck::Pod + Debug + PartialEq + Send + Sync>
    + Clone
    + Debug
    + Send
    + Sync
    + 'static
{
    /// The energy in F.
    type Elastic: Elastic<T, D>;
    /// The same law in lanes.
    type In<L: Lane<Scalar = T>>: Motion<L, D>;

    /// Name, meaning and parameters, for scene files and lists.
    const INFO: &'static Info;
    /// The largest share of ψ that the flow may add: none but round-off for a return mapping. The
    /// clamp of the documents is not one, and adds a little where a stretch that eased J is dropped.
    const FLOW_GAIN: f64 = 1e-12;
    /// The law with these parameters, which are complete and in range, or what is wrong with them.
    fn new(values: &Values) -> Result<Self, ParamError>;

    /// The law for lanes like `like`.
    fn lanes<L: Lane<Scalar = T>>(&self, like: L) -> Self::In<L>;
    /// The state of untouched matter (J_P = 1, not 0).
    fn start(&self) -> Self::State;
    /// The elasticity of matter in this state.
    fn elastic(&self, a: &Self::State) -> Self::Elastic;
    /// ψ \[Pa\]
    #[inline]
    fn psi(&self, k: &Kin<T, D>, a: &Self::State) -> T {
        let psi = self.elastic(a).energy(&k.F);
        if Self::VISCOUS {
            psi + self.viscosity(k, a) * k.H.sym().norm2() / k.dt
        } else {
            psi
        }
    }
    /// (P, S) = (∂ψ/∂F, ∂ψ/∂H) \[Pa\]
    #[inline]
    fn stress(&self, k: &Kin<T, D>, a: &Self::State) -> (Matrix<T, D>, Matrix<T, D>) {
        (self.elastic(a).piola(&k.F), self.viscous(k, a, &k.H))
    }
    /// (δP, δS) for independent δF, δH.
    #[inline]
    #[allow(non_snake_case)]
    fn dstress(
        &self,
        k: &Kin<T, D>,
        a: &Self::State,
        dF: &Matrix<T, D>,
        dH: &Matrix<T, D>,
    ) -> (Matrix<T, D>, Matrix<T, D>) {
        (self.elastic(a).dpiola(&k.F, dF), self.viscous(k, a, dH))
    }
    /// An upper bound on the largest eigenvalue of δτ/δH at fixed H-dependence, that is of
    /// δH ↦ δP(δH F) Fᵀ \[Pa\]; hardening and compression counted. Dλ + 2μ at rest, where it is
    /// exact. It sets the explicit time step.
    #[inline]
    fn stiffness(&self, k: &Kin<T, D>, a: &Self::State) -> T {
        self.elastic(a).largest(&k.F)
    }
    /// What forbids this F, or `None`: the step that made it is then undone.
    fn fault(&self, k: &Kin<T, D>, a: &Self::State) -> Option<&'static str> {
        self.elastic(a).forbids(&k.F)
    }
    /// Whether the flow takes time: in no time there is none, and where nothing moves it goes on.
    fn gradual(&self) -> bool {
        false
    }
    /// Whether a step that is tried includes the flow. [`respond`](Motion::respond) without motion then has the energy
    /// and the stress that the flow leaves; with motion its slope is the stress after the flow to the first order.
    fn relaxes(&self) -> bool {
        false
    }
    /// Current volume over rest volume. Laws that keep volume outside F override it.
    #[inline]
    fn volume_ratio(&self, k: &Kin<T, D>, _a: &Self::State) -> T {
        k.F.det()
    }
    /// Names of the numbers in `State`, in order, for output.
    fn state_names() -> &'static [&'static str] {
        &[]
    }
}
