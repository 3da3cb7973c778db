//! Newton's method as it is usually written, for comparison: no line search, no care for curvature. [Jiang15] §A.2

use thixo_math::Real;

use super::{Effort, Objective, Space};
use crate::Point;
use crate::krylov::{Until, minres};
use crate::points::{add_scaled, clear, scale};

/// Iterates u ← u − H⁻¹ ∇E until the gradient is `tolerance` in size, at most `iterations` times. It may fail to, and says
/// so: [`Effort::caps`].
pub fn plain_newton<T: Real, O: Objective<T>>(
    objective: &mut O,
    u: &mut [Point<T>],
    space: &mut Space<T>,
    tolerance: f64,
    iterations: u32,
) -> Effort {
    let mut effort = Effort {
        solves: 1,
        ..Effort::default()
    };
    let Space {
        g, d, right, room, ..
    } = space;
    for v in [&mut *g, d] {
        clear(v, u.len());
    }
    objective.project(u, d);
    for iteration in 0..=iterations {
        let e = objective.gradient(u, g);
        objective.register(u, g, e);
        objective.linearise(u);
        let size = objective.size(g);
        effort.worst = size / tolerance;
        if size <= tolerance {
            return effort;
        }
        if iteration == iterations || !size.is_finite() {
            break;
        }
        right.clear();
        right.extend_from_slice(g);
        scale(right, -1.0);
        let until = Until {
            residual: 1e-8,
            iterations: 10_000,
        };
        effort.products += minres(objective, right, d, room, until).iterations;
        effort.iterations += 1;
        add_scaled(u, 1.0, d);
        objective.project(u, d);
    }
    effort.caps += 1;
    effort
}
