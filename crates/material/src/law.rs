//! The contract of a constitutive law.

use std::fmt::Debug;

use thixo_math::{Matrix, Real};

use crate::{Info, ParamError, Values};

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

/// A constitutive law: an energy density ψ(F, H; a) per rest volume, its derivatives, and a flow.
///
/// The force on a grid node is f_i = −Σ V⁰ (P Fₙᵀ + S) ∇w, with P = ∂ψ/∂F and S = ∂ψ/∂H.
/// Elastic laws have S = 0; viscosity has ψ = J dt η ε:ε with ε = sym(H)/dt, so that S = 2 J η ε.
///
/// A law is a few numbers and no more; what changes from particle to particle is its `State`.
pub trait Law<T: Real, const D: usize>: Clone + Debug + Send + Sync + 'static {
    /// What a particle carries besides F: plastic volume, hardening … A plain array of `T`.
    type State: bytemuck::Pod + Debug + PartialEq + Send + Sync;

    /// Name, meaning and parameters, for scene files and the book.
    const INFO: &'static Info;
    /// The largest share of ψ that the flow may add: none but round-off for a return mapping. The
    /// clamp of the documents is not one, and adds a little where a stretch that eased J is dropped.
    const FLOW_GAIN: f64 = 1e-12;
    /// The law with these parameters, which are complete and in range, or what is wrong with them.
    fn new(values: &Values) -> Result<Self, ParamError>;

    /// The state of untouched matter (J_P = 1, not 0).
    fn start(&self) -> Self::State;
    /// ψ \[Pa\]
    fn psi(&self, k: &Kin<T, D>, a: &Self::State) -> T;
    /// (P, S) = (∂ψ/∂F, ∂ψ/∂H) \[Pa\]
    fn stress(&self, k: &Kin<T, D>, a: &Self::State) -> (Matrix<T, D>, Matrix<T, D>);
    /// (δP, δS) for independent δF, δH.
    #[allow(non_snake_case)]
    fn dstress(
        &self,
        k: &Kin<T, D>,
        a: &Self::State,
        dF: &Matrix<T, D>,
        dH: &Matrix<T, D>,
    ) -> (Matrix<T, D>, Matrix<T, D>);
    /// The return mapping: takes the trial F to the admissible F and updates the state.
    fn flow(&self, k: &Kin<T, D>, a: &mut Self::State) -> Matrix<T, D>;

    /// An upper bound on the largest eigenvalue of δτ/δH at fixed H-dependence, that is of
    /// δH ↦ δP(δH F) Fᵀ \[Pa\]; hardening and compression counted. Dλ + 2μ at rest, where it is
    /// exact. It sets the explicit time step.
    fn stiffness(&self, k: &Kin<T, D>, a: &Self::State) -> T;
    /// Dynamic viscosity η times J \[Pa s\]; it bounds the explicit time step too.
    fn viscosity(&self, _k: &Kin<T, D>, _a: &Self::State) -> T {
        T::zero()
    }
    /// Kirchhoff stress τ = P Fᵀ + S and the stiffness bound, in one go. A law that decomposes F
    /// overrides this to do it once; the conformance test holds it to `stress` and `stiffness`.
    fn kirchhoff(&self, k: &Kin<T, D>, a: &Self::State) -> (Matrix<T, D>, T) {
        let (p, s) = self.stress(k, a);
        (p.times_transpose(&k.F) + s, self.stiffness(k, a))
    }
    /// What forbids this F and state, or `None`: the step that made it is then undone.
    fn fault(&self, k: &Kin<T, D>, _a: &Self::State) -> Option<&'static str> {
        if k.F.finite() {
            None
        } else {
            Some("deformation gradient is not finite")
        }
    }
    /// Current volume over rest volume. Laws that keep volume outside F override it.
    fn volume_ratio(&self, k: &Kin<T, D>, _a: &Self::State) -> T {
        k.F.det()
    }
    /// Names of the numbers in `State`, in order, for output.
    fn state_names() -> &'static [&'static str] {
        &[]
    }
}
