//! `[numerics]`: what is derived if the scene says nothing.

use serde::Deserialize;
use thixo_grid::KernelKind;
use thixo_grid::transfer::Scheme;
use thixo_mpm::Force;
use toml::Spanned;

use super::{Choice, Scalar, Word, WordOr};

/// Numerical choices as typed.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Numerics {
    /// `"quadratic"` (default), `"cubic"` or `"linear"`.
    pub kernel: Option<Choice<KernelKind>>,
    /// `"apic"` (default), `"rpic"`, `"pic"`, `"flip"`, or a blend.
    pub transfer: Option<Spanned<Transfer>>,
    /// `"least-squares"` (default) or `"gradient"`, the only one of the linear kernel.
    pub force: Option<Spanned<Choice<Force>>>,
    /// Largest way of a particle in one step, in cells (default 0.5).
    pub cfl: Option<Scalar>,
    /// Share of the stable step that is used (default 0.9).
    pub safety: Option<Scalar>,
    /// Largest step \[s\].
    pub max_step: Option<Scalar>,
}

/// A transfer scheme by name, or a blend such as `{ flip = 0.95 }`.
pub type Transfer = WordOr<Scheme, Blend>;

/// A blend of transfer schemes as typed: one of the keys.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Blend {
    /// Share of FLIP, the rest PIC.
    pub flip: Option<Scalar>,
    /// Share of APIC, the rest PIC.
    pub apic: Option<Scalar>,
    /// Share of APIC, the rest RPIC.
    pub apic_rpic: Option<Scalar>,
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
