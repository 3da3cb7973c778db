//! The potential of a step in which singular values are clamped.
#![allow(non_snake_case)]

use thixo_math::{Lane, Mask, Matrix, Vector};

use super::Snow;
use crate::elastic::{FixedCorotated, curve, principal, within};
use crate::{Tangent, Trial};

/// Fixed corotated elasticity that resists no more where a clamp holds.
///
/// With e_i = ln σ_i, c the clamped σ and s = Σ e_i, fixed corotated energy is Σ φ(e_i) + f(s) with φ′ = 2μ (σ − 1) σ
/// and f′ = λ (J − 1) J. After the clamp the stress is φ′(c_i) + f′(s_c), s_c = Σ ln c_i. So φ goes on with the slope
/// that it has at the clamp. Which slope f goes on with depends on which axes are held: beyond the s_c of the last iterate
/// it is f′(s_c), on the side to which the clamp has taken away. Then both are convex where they were and smooth, and at
/// the solution the stress is that after the clamp.
pub(super) struct Clamped<L> {
    mu: L,
    lambda: L,
    /// Of σ.
    low: L,
    high: L,
    /// Of s.
    least: L,
    most: L,
}

impl<L: Lane> Clamped<L> {
    /// The limits of s at F: where all axes are held, but for the s_c from which the clamp takes away.
    #[inline(always)]
    pub fn lag<const D: usize>(snow: &Snow<L>, F: &Matrix<L, D>) -> [L; 2] {
        let (low, high) = (snow.low, snow.high);
        let d = low.fill(D as f64);
        let (mut least, mut most) = (d * low.ln(), d * high.ln());
        if snow.surely_elastic(F).all() {
            return [least, most];
        }
        let sigma = F.svd().sigma;
        let (mut s, mut held) = (low.fill(0.0), low.fill(0.0));
        for i in 0..D {
            let (e, c) = (sigma[i].ln(), sigma[i].max(low).min(high).ln());
            s += e;
            held += c;
        }
        let zero = low.fill(0.0);
        let more = s - held;
        least = L::select(more.lt(zero), held, least);
        most = L::select(zero.lt(more), held, most);
        [least, most]
    }
    /// Where the volume of F is within its limits.
    #[inline(always)]
    pub fn holds_not<const D: usize>(F: &Matrix<L, D>, [least, most]: &[L; 2]) -> L::Mask {
        let s = F.det().ln();
        least.le(s) & s.le(*most)
    }
    /// With the limits of a step.
    #[inline(always)]
    pub fn new<const D: usize>(snow: &Snow<L>, law: &FixedCorotated<L>, k: &Trial<L, D>) -> Self {
        let yields = within(&k.lag);
        let [least, most] = k.lag;
        Self {
            mu: law.lame.mu,
            lambda: law.lame.lambda,
            low: L::select(yields, snow.low, least.fill(0.0)),
            high: L::select(yields, snow.high, most.fill(f64::INFINITY)),
            least,
            most,
        }
    }
    /// f, f′ and f″ where the volume ratio is J.
    #[inline(always)]
    fn volume(&self, J: L) -> [L; 3] {
        let one = J.fill(1.0);
        let s = J.ln();
        let held = s.lt(self.least) | self.most.lt(s);
        let c = s.max(self.least).min(self.most);
        let Jc = L::select(held, c.exp(), J);
        let more = L::select(held, s - c, J.fill(0.0));
        let slope = self.lambda * (Jc - one) * Jc;
        let f = (self.lambda * J.fill(0.5) * (Jc - one)).mul_add(Jc - one, slope * more);
        let curve = self.lambda * (Jc + Jc - one) * Jc;
        [f, slope, L::select(held, J.fill(0.0), curve)]
    }
    /// φ, φ′ and φ″ of one axis, and its clamped σ.
    #[inline(always)]
    fn axis(&self, s: L) -> [L; 4] {
        let one = s.fill(1.0);
        let c = s.max(self.low).min(self.high);
        let held = s.lt(self.low) | self.high.lt(s);
        let mu2 = self.mu + self.mu;
        let more = L::select(held, (s / c).ln(), s.fill(0.0));
        let slope = mu2 * (c - one) * c;
        let value = (self.mu * (c - one)).mul_add(c - one, slope * more);
        let curve = L::select(held, s.fill(0.0), mu2 * (c + c - one) * c);
        [value, slope, curve, c]
    }
    /// ψ and ∂ψ/∂H.
    #[inline(always)]
    pub fn respond<const D: usize>(&self, k: &Trial<L, D>) -> (L, Matrix<L, D>) {
        let S = k.deformed().svd();
        let [mut psi, df, _] = self.volume(S.sigma.product());
        let mut P = S.sigma;
        for i in 0..D {
            let [value, slope, ..] = self.axis(S.sigma[i]);
            psi += value;
            P[i] = (slope + df) / S.sigma[i];
        }
        (psi, S.compose(&P).times_transpose(&k.F))
    }
    /// ∂²ψ/∂H²
    #[inline(always)]
    pub fn tangent<const D: usize>(&self, k: &Trial<L, D>, definite: bool) -> Tangent<L> {
        curve(
            k,
            definite,
            #[inline(always)]
            |S| {
                let s = &S.sigma;
                let [_, df, ddf] = self.volume(s.product());
                let first = self.axis(s[0]);
                let mut all = [first; D];
                for (i, x) in all.iter_mut().enumerate().skip(1) {
                    *x = self.axis(s[i]);
                }
                let t = Vector::from_fn(
                    #[inline(always)]
                    |i| all[i][1] + df,
                );
                let K = Matrix::from_fn(
                    #[inline(always)]
                    |i, j| if i == j { ddf + all[i][2] } else { ddf },
                );
                principal(
                    s,
                    &t,
                    &K,
                    // φ′_i − φ′_j = 2μ (c_i − c_j)(c_i + c_j − 1), and c_i − c_j is σ_i − σ_j between the clamps.
                    #[inline(always)]
                    |i, j| {
                        let (ci, cj) = (all[i][3], all[j][3]);
                        let (gap, zero) = (s[i] - s[j], s[i].fill(0.0));
                        let same = zero.le(gap) & gap.le(zero);
                        let free = zero.lt(all[i][2].abs());
                        let one = L::select(free, s[i].fill(1.0), zero);
                        let share = L::select(same, one, (ci - cj) / gap);
                        (self.mu + self.mu) * share * (ci + cj - s[i].fill(1.0)) / (s[i] + s[j])
                    },
                )
            },
        )
    }
}
