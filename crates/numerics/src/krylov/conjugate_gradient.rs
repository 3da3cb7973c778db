//! Conjugate gradients.

use thixo_math::Real;

use super::{End, Operator, Room, Solved, Until};
use crate::Point;
use crate::points::{add_scaled, clear, dot, scale_and_add};

/// Solves A x = b from x = 0. Where the matrix shows that it is not positive definite, x is the last iterate, or
/// P⁻¹ b if that happens at once: then x is downhill for ½ xᵀAx − b·x in any case. [Jiang15] §A.3.1
pub fn conjugate_gradient<T: Real>(
    a: &impl Operator<T>,
    b: &[Point<T>],
    x: &mut Vec<Point<T>>,
    room: &mut Room<T>,
    until: Until,
) -> Solved {
    let n = b.len();
    let [r, z, p, q, ..] = &mut room.0;
    clear(x, n);
    for v in [&mut *z, q] {
        clear(v, n);
    }
    r.clear();
    r.extend_from_slice(b);
    a.precondition(r, z);
    p.clear();
    p.extend_from_slice(z);
    let mut rz = dot(r, z);
    let first = rz;
    let solved = |iterations, rz: f64, end| Solved {
        iterations,
        residual: if first > 0.0 {
            (rz / first).max(0.0).sqrt()
        } else {
            0.0
        },
        end,
    };
    let something = first > 0.0;
    if !something {
        return solved(0, 0.0, End::Converged);
    }
    let goal = until.residual * until.residual * first;
    for iteration in 1..=until.iterations {
        a.apply(p, q);
        let curvature = dot(p, q);
        // What is not a number is not positive either.
        let positive = curvature > 0.0;
        if !positive {
            if iteration == 1 {
                x.copy_from_slice(p);
            }
            return solved(iteration, rz, End::Curvature);
        }
        let alpha = rz / curvature;
        add_scaled(x, alpha, p);
        add_scaled(r, -alpha, q);
        a.precondition(r, z);
        let next = dot(r, z);
        if next <= goal {
            return solved(iteration, next, End::Converged);
        }
        scale_and_add(p, next / rz, z);
        rz = next;
    }
    solved(until.iterations, rz, End::Cap)
}
