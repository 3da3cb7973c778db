//! The method of minimal residuals.

use thixo_math::Real;

use super::{End, Operator, Room, Solved, Until};
use crate::Point;
use crate::points::{add_scaled, clear, dot, scale};

/// Solves A x = b from x = 0 for a symmetric matrix of any signs, so that ‖b − A x‖ in the norm of P⁻¹ is the least
/// of the Krylov space. After Paige and Saunders 1975: a Lanczos basis v of the preconditioned matrix, and the QR
/// factors of its tridiagonal matrix by rotations (c, s).
pub fn minres<T: Real>(
    a: &impl Operator<T>,
    b: &[Point<T>],
    x: &mut Vec<Point<T>>,
    room: &mut Room<T>,
    until: Until,
) -> Solved {
    let n = b.len();
    // Residual vectors P v_{k−1}, P v_k, P v_{k+1}; z = v; directions w of the last three steps.
    let [r_old, r, z, q, w_old, w, w_new] = &mut room.0;
    clear(x, n);
    for v in [&mut *r_old, z, q, w_old, w, w_new] {
        clear(v, n);
    }
    r.clear();
    r.extend_from_slice(b);
    a.precondition(r, z);
    let first = dot(r, z).max(0.0).sqrt();
    let something = first > 0.0;
    if !something {
        return Solved {
            iterations: 0,
            residual: 0.0,
            end: End::Converged,
        };
    }
    let (mut beta, mut beta_old) = (first, 0.0);
    let ([mut c_old, mut c], [mut s_old, mut s]) = ([1.0, 1.0], [0.0, 0.0]);
    // The residual's norm, with sign.
    let mut eta = first;
    for iteration in 1..=until.iterations {
        // v = z/β; q = A v − (β/β_old) r_old − (α/β) r.
        scale(z, 1.0 / beta);
        a.apply(z, q);
        let alpha = dot(q, z);
        if beta_old > 0.0 {
            add_scaled(q, -beta / beta_old, r_old);
        }
        add_scaled(q, -alpha / beta, r);
        std::mem::swap(r_old, r);
        std::mem::swap(r, q);
        // The new column of the tridiagonal matrix, turned by the last two rotations.
        let below = c_old * beta;
        let (rho3, rho2) = (s_old * beta, s * alpha + c * below);
        let diagonal = c * alpha - s * below;
        // w = (v − ρ₂ w₁ − ρ₃ w₂)/ρ₁, before z is overwritten.
        w_new.copy_from_slice(z);
        add_scaled(w_new, -rho2, w);
        add_scaled(w_new, -rho3, w_old);
        a.precondition(r, z);
        let beta_new = dot(r, z).max(0.0).sqrt();
        let rho1 = diagonal.hypot(beta_new);
        if !(rho1 > 0.0 && rho1.is_finite()) {
            return Solved {
                iterations: iteration,
                residual: eta.abs() / first,
                end: End::Curvature,
            };
        }
        scale(w_new, 1.0 / rho1);
        (c_old, s_old) = (c, s);
        (c, s) = (diagonal / rho1, beta_new / rho1);
        add_scaled(x, c * eta, w_new);
        eta *= -s;
        std::mem::swap(w_old, w);
        std::mem::swap(w, w_new);
        (beta_old, beta) = (beta, beta_new);
        // The space is exhausted where β is 0: then x is exact.
        if eta.abs() <= until.residual * first || beta == 0.0 {
            return Solved {
                iterations: iteration,
                residual: eta.abs() / first,
                end: End::Converged,
            };
        }
    }
    Solved {
        iterations: until.iterations,
        residual: eta.abs() / first,
        end: End::Cap,
    }
}
