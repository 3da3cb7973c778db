//! Potentials of steps that are tried, as functions of logarithmic strain: elastic ones, and those of elastoplastic
//! laws, in which what yields resists no more.
#![allow(non_snake_case)]

use thixo_math::{Lane, Matrix, Principal, Vector};

use super::{curve, hencky_strain, log_quotient};
use crate::{Tangent, Trial};

/// A potential ψ = f(tr ε) + h(‖ε̂‖) of a strain ε with the deviator ε̂, and its derivatives.
pub(crate) struct Split<L> {
    /// f
    pub f: L,
    /// f′
    pub df: L,
    /// f″
    pub ddf: L,
    /// h
    pub h: L,
    /// h′/‖ε̂‖
    pub g: L,
    /// h″
    pub ddh: L,
}

impl<L: Lane> Split<L> {
    /// h of a shear n = ‖ε̂‖: μ n² until the stress 2μ n has reached `most`, then with the slope `after`.
    #[inline(always)]
    pub fn shear(n: L, mu: L, most: L, after: L) -> [L; 3] {
        let (mu2, half, zero) = (mu + mu, n.fill(0.5), n.fill(0.0));
        // At the tip, where there is no strength at all, it yields without a shear. Without a limit nothing yields, and
        // infinity must not come near a number.
        let yields = most.le(mu2 * n);
        let most = L::select(yields, most, zero);
        let some = L::select(zero.lt(n), n, n.fill(1.0));
        let edge = most / mu2;
        let more = n - edge;
        let beyond = mu * edge * edge + most * more + half * after * more * more;
        let h = L::select(yields, beyond, mu * n * n);
        let g = L::select(yields, (most + after * more) / some, mu2);
        [h, g, L::select(yields, after, mu2)]
    }
}

/// ψ and ∂ψ/∂H = τ (I + H)⁻ᵀ with τ = f′ I + h′ ε̂/‖ε̂‖.
#[inline(always)]
pub(crate) fn respond_split<L: Lane, const D: usize>(
    k: &Trial<L, D>,
    potential: impl FnOnce(L, L) -> Split<L>,
) -> (L, Matrix<L, D>) {
    let e = hencky_strain(&k.deformed());
    let dev = e.deviator();
    let p = potential(e.trace(), dev.norm());
    let tau = dev * p.g + Matrix::scalar(p.df);
    (p.f + p.h, tau.times_transpose(&k.increment().inverse()))
}

/// ∂²ψ/∂H². In principal strains ψ has the slopes t = f′ 1 + (h′/n) ε̂ and the curvature
/// K = f″ 11ᵀ + (h′/n)(I − 11ᵀ/D) + (h″ − h′/n) d dᵀ with d = ε̂/n.
#[inline(always)]
pub(crate) fn tangent_split<L: Lane, const D: usize>(
    k: &Trial<L, D>,
    definite: bool,
    potential: impl FnOnce(L, L) -> Split<L>,
) -> Tangent<L> {
    curve(
        k,
        definite,
        #[inline(always)]
        |S| {
            let s = &S.sigma;
            let e = s.map(
                #[inline(always)]
                |x| x.ln(),
            );
            let (tr, share) = (e.sum(), e[0].fill(1.0 / D as f64));
            let dev = e - Vector::splat(tr * share);
            let n = dev.norm();
            let p = potential(tr, n);
            let t = dev * p.g + Vector::splat(p.df);
            let some = n.fill(0.0).lt(n);
            let d = dev * L::select(some, n.fill(1.0) / L::select(some, n, share), n.fill(0.0));
            let K = Matrix::from_fn(
                #[inline(always)]
                |i, j| {
                    let x = (p.ddh - p.g).mul_add(d[i] * d[j], p.g.mul_add(-share, p.ddf));
                    if i == j { x + p.g } else { x }
                },
            );
            let half = p.g * share.fill(0.5);
            principal(
                s,
                &t,
                &K,
                #[inline(always)]
                |i, j| {
                    let gap = e[i] - e[j];
                    half * log_quotient(s[i] * s[i], s[j] * s[j], gap + gap)
                },
            )
        },
    )
}

/// Second derivatives in principal axes from those in logarithmic strain: slopes t, curvature K, and
/// α_ij = (t_i − t_j)/(σ_i² − σ_j²).
///
/// ψ_i = t_i/σ_i, ψ_ij = (K_ij − δ_ij t_i)/(σ_i σ_j), and with β = (α (σ_i² + σ_j²) − t_i − t_j)/(2 σ_i σ_j),
/// m = (ψ_i − ψ_j)/(σ_i − σ_j) = α + β and q = (ψ_i + ψ_j)/(σ_i + σ_j) = α − β.
#[inline(always)]
pub(crate) fn principal<L: Lane, const D: usize>(
    s: &Vector<L, D>,
    t: &Vector<L, D>,
    K: &Matrix<L, D>,
    alpha: impl Fn(usize, usize) -> L,
) -> Principal<L, D> {
    let one = s[0].fill(1.0);
    // One pair in the plane, three in space: (0, 1), (0, 2), (1, 2).
    let first = pair(s, t, alpha(0, 1), 0, 1);
    let all = match D {
        2 => [first; 3],
        _ => [
            first,
            pair(s, t, alpha(0, D - 1), 0, D - 1),
            pair(s, t, alpha(1, D - 1), 1, D - 1),
        ],
    };
    Principal {
        hess: Matrix::from_fn(
            #[inline(always)]
            |i, j| {
                let c = if i == j { K[(i, j)] - t[i] } else { K[(i, j)] };
                c / (s[i] * s[j])
            },
        ),
        minus: Matrix::from_fn(
            #[inline(always)]
            |i, j| if i == j { one } else { all[i + j - 1].0 },
        ),
        plus: Matrix::from_fn(
            #[inline(always)]
            |i, j| if i == j { one } else { all[i + j - 1].1 },
        ),
    }
}

/// α + β and α − β of two axes.
#[inline(always)]
fn pair<L: Lane, const D: usize>(
    s: &Vector<L, D>,
    t: &Vector<L, D>,
    alpha: L,
    i: usize,
    j: usize,
) -> (L, L) {
    let ss = s[i] * s[j];
    let b = alpha.mul_add(s[i].mul_add(s[i], s[j] * s[j]), -(t[i] + t[j])) / (ss + ss);
    (alpha + b, alpha - b)
}

/// What a step that is tried keeps of the last iterate where nothing yields: no limits.
#[inline(always)]
pub(crate) fn within<L: Lane>(lag: &[L; 2]) -> L::Mask {
    lag[0].finite() | lag[1].finite()
}
