//! Random deformations of every kind that a law may meet.
#![allow(non_snake_case)]

use thixo_math::{Matrix, Vector};

use crate::{Kin, Law, Trial};

/// SplitMix64: the same samples on every machine.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    /// Uniform in [0, 1).
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
    /// Uniform in [a, b).
    pub(super) fn between(&mut self, a: f64, b: f64) -> f64 {
        a + (b - a) * self.unit()
    }
    /// Entries in [−1, 1).
    pub(super) fn matrix<const D: usize>(&mut self) -> Matrix<f64, D> {
        Matrix::from_fn(|_, _| self.between(-1.0, 1.0))
    }
    /// Length 1.
    pub(super) fn direction<const D: usize>(&mut self) -> Matrix<f64, D> {
        let a = self.matrix();
        a / a.norm()
    }
    /// A rotation, by orthonormalising random columns.
    pub(super) fn rotation<const D: usize>(&mut self) -> Matrix<f64, D> {
        loop {
            let mut Q = self.matrix::<D>().transpose(); // rows of Q become the frame
            for i in 0..D {
                for _ in 0..2 {
                    for j in 0..i {
                        let (a, b) = (Vector(Q.0[i]), Vector(Q.0[j]));
                        Q.0[i] = (a - b * a.dot(&b)).0;
                    }
                }
                let a = Vector(Q.0[i]);
                Q.0[i] = (a / a.norm()).0;
            }
            if Q.finite() && Q.det() > 0.0 {
                return Q;
            }
        }
    }
    /// U diag(σ) Vᵀ with random rotations.
    pub(super) fn with_singular_values<const D: usize>(
        &mut self,
        sigma: impl Fn(&mut Self, usize) -> f64,
    ) -> Matrix<f64, D> {
        let (U, V) = (self.rotation::<D>(), self.rotation());
        let s = Vector::from_fn(|i| sigma(self, i));
        (U * Matrix::diagonal(&s)).times_transpose(&V)
    }
}

/// What kind of deformation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    /// σ in [0.4, 1.8].
    Well,
    /// The last σ in [0.01, 0.1].
    NearSingular,
    /// The last σ in [−0.8, −0.2].
    Inverted,
    /// Two equal σ or all equal.
    Repeated,
    /// σ in [0.8, 1.25].
    Moderate,
    /// σ in [0.6, 0.9].
    Compressed,
    /// σ in 1 ± 1.5 %, or 1 ± 0.2 %.
    Slight,
}

impl Kind {
    /// The kinds that derivatives are tested on.
    pub(super) const ALL: [Self; 5] = [
        Self::Well,
        Self::NearSingular,
        Self::Inverted,
        Self::Repeated,
        Self::Slight,
    ];

    /// A deformation of this kind.
    pub(super) fn draw<const D: usize>(self, dice: &mut Dice) -> Matrix<f64, D> {
        let (same, all) = (dice.between(0.5, 1.5), dice.unit() < 0.5);
        dice.with_singular_values(|d, i| match self {
            Self::NearSingular if i + 1 == D => d.between(0.01, 0.1),
            Self::Inverted if i + 1 == D => -d.between(0.2, 0.8),
            Self::Inverted => d.between(1.0, 1.8),
            Self::Repeated if all || i < 2 => same,
            Self::Moderate => d.between(0.8, 1.25),
            Self::Compressed => d.between(0.6, 0.9),
            Self::Slight if all => d.between(0.985, 1.015),
            Self::Slight => d.between(0.998, 1.002),
            _ => d.between(0.4, 1.8),
        })
    }
}

/// A deformation with a velocity, and a state that the law has come to by itself.
pub(super) struct Sample<S, const D: usize> {
    pub(super) k: Kin<f64, D>,
    pub(super) a: S,
}

/// `n` samples of a kind, without those that the law forbids.
pub(super) fn samples<L: Law<f64, D>, const D: usize>(
    law: &L,
    kind: Kind,
    n: usize,
) -> Vec<Sample<L::State, D>> {
    let mut dice = Dice(kind as u64 + 1);
    let mut all = Vec::new();
    for _ in 0..n {
        let mut a = law.start();
        let mut F = Matrix::identity();
        for _ in 0..3 {
            let H = dice.matrix::<D>() * 0.05;
            let k = Kin {
                F: F + H * F,
                H,
                dt: 1e-3,
            };
            F = law.flow(&k, &mut a);
        }
        let k = Kin {
            F: kind.draw(&mut dice),
            H: dice.matrix() * 0.05,
            dt: 1e-3,
        };
        if law.fault(&k, &a).is_none() {
            all.push(Sample { k, a });
        }
    }
    all
}

/// `n` steps that are tried, from a deformation that the law has come to by itself to one of a kind, without those
/// that the law forbids.
pub(super) fn trials<L: Law<f64, D>, const D: usize>(
    law: &L,
    kind: Kind,
    n: usize,
) -> Vec<(Trial<f64, D>, L::State)> {
    let mut dice = Dice(kind as u64 + 100);
    let mut all = Vec::new();
    for s in samples(law, kind, n) {
        let mut a = s.a;
        let start = Kin {
            F: Kind::Moderate.draw(&mut dice),
            ..s.k
        };
        let F = law.flow(&start, &mut a);
        let end = Kin {
            F: kind.draw(&mut dice),
            H: s.k.H,
            dt: s.k.dt,
        };
        if law.fault(&end, &a).is_none() {
            let H = end.F * F.inverse() - Matrix::identity();
            let k = Trial::elastic(F, H, 1e-3);
            let lag = law.lag(&k, &a);
            all.push((Trial { lag, ..k }, a));
        }
    }
    all
}
