//! What a particle remembers of the grid's velocity: PIC, FLIP, RPIC, APIC and their blends.

use thixo_math::{Lane, Matrix};

/// A transfer scheme: how much of its old velocity a particle keeps, and how much of the affine
/// velocity C around it.
///
/// Scatter is always affine: a particle gives w m (v + C' (x_i − x_p)) with C' of [`Scheme::affine`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scheme {
    /// Share of FLIP: v ← v_pic + flip · (v_old − its own interpolated old velocity), and C likewise if
    /// any of it is scattered.
    pub flip: f64,
    /// Share of the rotation (skew part of C) kept. [Jiang15] (5.6)
    pub rotation: f64,
    /// Share of the stretching and shearing (symmetric part of C) kept. [Jiang15] §5.3
    pub strain: f64,
}

impl Scheme {
    /// Keeps nothing: stable, and loses angular momentum.
    pub const PIC: Self = Self {
        flip: 0.0,
        rotation: 0.0,
        strain: 0.0,
    };
    /// Keeps the particle's own velocity and adds the grid's change: noisy.
    pub const FLIP: Self = Self {
        flip: 1.0,
        rotation: 0.0,
        strain: 0.0,
    };
    /// Keeps local rotation: conserves angular momentum, damps shear.
    pub const RPIC: Self = Self {
        flip: 0.0,
        rotation: 1.0,
        strain: 0.0,
    };
    /// Keeps the affine velocity: conserves angular momentum, exact on affine fields.
    pub const APIC: Self = Self {
        flip: 0.0,
        rotation: 1.0,
        strain: 1.0,
    };

    /// FLIP with a share of PIC, e.g. 0.95.
    pub fn flip(share: f64) -> Self {
        Self {
            flip: share,
            ..Self::PIC
        }
    }
    /// From PIC (0) to APIC (1).
    pub fn apic_pic(share: f64) -> Self {
        Self {
            flip: 0.0,
            rotation: share,
            strain: share,
        }
    }
    /// From RPIC (0) to APIC (1).
    pub fn apic_rpic(share: f64) -> Self {
        Self {
            flip: 0.0,
            rotation: 1.0,
            strain: share,
        }
    }
    /// APIC that keeps a share of what the grid does not resolve, of v and of C.
    ///
    /// What an old grid gives back has the momentum and the angular momentum of the particles that made
    /// it, so the rest r that is kept has none, for any share. Momentum is conserved; angular momentum but
    /// for dt Σ m v × r, since particles move with v alone. APIC alone damps the rest once per step, the more
    /// the shorter the step.
    pub fn apic_flip(share: f64) -> Self {
        Self {
            flip: share,
            ..Self::APIC
        }
    }
    /// The part of C that takes part in the scatter.
    #[inline(always)]
    #[allow(non_snake_case)]
    pub fn affine<L: Lane, const D: usize>(&self, C: &Matrix<L, D>) -> Matrix<L, D> {
        if self.rotation == 1.0 && self.strain == 1.0 {
            *C
        } else {
            let c = |x: f64| C[(0, 0)].fill(x);
            C.skew() * c(self.rotation) + C.sym() * c(self.strain)
        }
    }
    /// Whether it needs the grid's velocity before the solve.
    pub fn needs_before(&self) -> bool {
        self.flip != 0.0
    }
    /// Whether C is more than the gradient of the grid's velocity.
    pub fn keeps_affine(&self) -> bool {
        self.flip != 0.0 && (self.rotation != 0.0 || self.strain != 0.0)
    }
}

impl Default for Scheme {
    fn default() -> Self {
        Self::APIC
    }
}
