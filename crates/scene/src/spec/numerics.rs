//! `[numerics]`: what is derived if the scene says nothing.

use schemars::JsonSchema;
use serde::Deserialize;
use thixo_grid::KernelKind;
use thixo_grid::transfer::Scheme;
use thixo_mpm::Force;
use thixo_numerics::integrate::Integrator;
use thixo_shape::Method;

use super::{Choice, Scalar, Spanned, Word, WordOr};
use crate::scene::Precision;

/// Numerical choices; the defaults are good.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Numerics {
    /// `"f32"` (default) or `"f64"`.
    pub precision: Option<Choice<Precision>>,
    /// Particles in a full cell; 8 in three dimensions and 4 in two if it says nothing. Jittered and
    /// regular filling take the nearest square (cube).
    pub particles_per_cell: Option<Scalar>,
    /// How bodies are filled: `"jittered"` (default), `"poisson"` or `"regular"`. It does not act on
    /// emitters, whose particles are always jittered.
    pub sampling: Option<Spanned<Choice<Method>>>,
    /// Seed of all randomness (default 0).
    pub seed: Option<Scalar>,
    /// `"quadratic"` (default), `"cubic"` or `"linear"`.
    pub kernel: Option<Spanned<Choice<KernelKind>>>,
    /// `"apic"` (default), `"rpic"`, `"pic"`, `"flip"`, or a blend.
    pub transfer: Option<Spanned<Transfer>>,
    /// `"least-squares"` (default) or `"gradient"`, the only one of the linear kernel.
    pub force: Option<Spanned<Choice<Force>>>,
    /// How velocities follow from forces: `"explicit"` (default), `"semi-implicit"`, one linear solve a step,
    /// `"implicit"`, backward Euler by minimisation, or `"auto"`, whichever of explicit and implicit costs less.
    pub integrator: Option<Spanned<Choice<Integrator>>>,
    /// Of the semi-implicit step: 1 is backward Euler (default), 0.5 the trapezoidal rule, 0 explicit.
    pub beta: Option<Scalar>,
    /// Forces that may be out of balance after an implicit solve, as a share of those before it (default 0.001).
    pub tolerance: Option<Scalar>,
    /// Rayleigh damping of implicit steps: the time by which stiffness damps \[s\] (default 0). Waves of frequency ω
    /// lose 1 in e^(ω² damping t/2).
    pub damping: Option<Scalar>,
    /// When matter yields in implicit steps: `"within"` the solve (default), or `"after"` it, as in [Jiang15] and as
    /// semi-implicit steps do in any case; then large steps make matter stronger than it is.
    pub plasticity: Option<Spanned<Choice<Plasticity>>>,
    /// Largest way of a particle in one step, in cells (default 0.5; 0.6 if steps may be implicit).
    pub cfl: Option<Scalar>,
    /// Share of the stable step that is used (default 0.9).
    pub safety: Option<Scalar>,
    /// Largest step \[s\].
    pub max_step: Option<Scalar>,
}

/// A transfer scheme by name, or a blend such as `{ flip = 0.95 }`.
pub type Transfer = WordOr<Scheme, Blend>;

/// A blend of two transfer schemes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Blend {
    /// Share of FLIP, the rest PIC.
    pub flip: Option<Scalar>,
    /// Share of APIC, the rest PIC.
    pub apic: Option<Scalar>,
    /// Share of APIC, the rest RPIC.
    pub apic_rpic: Option<Scalar>,
    /// APIC that keeps this share of the motion that the grid does not resolve: less damping, and sand runs as
    /// far on a coarse grid as on a fine one.
    pub apic_flip: Option<Scalar>,
}

impl Word for Scheme {
    const WHAT: &'static str = "transfer";
    fn all() -> Vec<(&'static str, Self)> {
        vec![
            ("apic", Self::APIC),
            ("rpic", Self::RPIC),
            ("flip", Self::FLIP),
            ("pic", Self::PIC),
        ]
    }
}

impl Word for KernelKind {
    const WHAT: &'static str = "kernel";
    fn all() -> Vec<(&'static str, Self)> {
        vec![
            ("quadratic", Self::Quadratic),
            ("cubic", Self::Cubic),
            ("linear", Self::Linear),
        ]
    }
}

impl Word for Force {
    const WHAT: &'static str = "force form";
    fn all() -> Vec<(&'static str, Self)> {
        vec![
            ("least-squares", Self::LeastSquares),
            ("gradient", Self::Gradient),
        ]
    }
}

/// When matter yields in implicit steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Plasticity {
    /// Within the solve.
    Within,
    /// After it.
    After,
}

impl Word for Plasticity {
    const WHAT: &'static str = "plasticity";
    fn all() -> Vec<(&'static str, Self)> {
        vec![("within", Self::Within), ("after", Self::After)]
    }
}

impl Word for Integrator {
    const WHAT: &'static str = "integrator";
    fn all() -> Vec<(&'static str, Self)> {
        vec![
            ("explicit", Self::Explicit),
            ("semi-implicit", Self::SemiImplicit { beta: 1.0 }),
            ("implicit", Self::Implicit),
            ("auto", Self::Auto),
        ]
    }
}

impl Word for Precision {
    const WHAT: &'static str = "precision";
    fn all() -> Vec<(&'static str, Self)> {
        vec![("f32", Self::F32), ("f64", Self::F64)]
    }
}

impl Word for Method {
    const WHAT: &'static str = "sampling";
    fn all() -> Vec<(&'static str, Self)> {
        vec![
            ("jittered", Self::Jittered),
            ("poisson", Self::PoissonDisk),
            ("regular", Self::Regular),
        ]
    }
}
