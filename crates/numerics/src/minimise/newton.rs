//! The inexact Newton method with its safeguards. [Jiang15] §A.3.1, §A.3.2

use thixo_math::Real;

use super::{Effort, LineSearch, Objective, Space, search};
use crate::Point;
use crate::krylov::{End, Solved, Until, conjugate_gradient};
use crate::points::{add_scaled, clear, dot, scale};

/// How far and how carefully to minimise.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Minimiser {
    /// τ: the size of the gradient at which it is done.
    pub tolerance: f64,
    /// The size of gradient that counts as large: linear systems are solved to min(½, √(max(size, τ)/large)).
    pub large: f64,
    /// κ: cosine of the largest angle between a direction and downhill.
    pub kappa: f64,
    /// ℓ: longest direction, in the objective's measure of lengths.
    pub longest: f64,
    /// Most Newton iterations.
    pub iterations: u32,
    /// Most products in one linear solve.
    pub products: u32,
    /// What all may cost together, in products; beyond it, it is given up.
    pub worth: f64,
    /// For how many iterations a matrix that is nowhere negative is taken where conjugate gradients met negative
    /// curvature, that one included; with 0 the direction is what they had until then, as in the document. Both solves
    /// count as iterations.
    pub upright: u32,
    /// Whether at least one step is taken, however small the gradient.
    pub at_least_one: bool,
    /// The line search.
    pub line: LineSearch,
}

impl Minimiser {
    /// With the values of the document.
    pub fn new(tolerance: f64) -> Self {
        Self {
            tolerance,
            large: 1.0,
            kappa: 1e-2,
            longest: 1e3,
            iterations: 500,
            products: 10_000,
            worth: f64::INFINITY,
            upright: 0,
            at_least_one: false,
            line: LineSearch::default(),
        }
    }
}

/// Line searches in a row that may lead nowhere before a minimisation is stuck.
const MOST_VAIN: u32 = 3;

/// How well the last linear model told the next gradient.
#[derive(Default)]
struct Model {
    /// The size of the gradient before it, its relative residual as asked and as reached; 0 if there was none.
    size: f64,
    asked: f64,
    reached: f64,
}

impl Model {
    /// How exactly the next system is to be solved: min(½, √(max(size, τ)/large)), [Jiang15] §A.3.1, or, where the last model
    /// was better than that, as exactly as it was good, for a new matrix costs more than more products with the old one
    /// (Eisenstat and Walker 1996, choice 1); but no more exactly than the end needs, nor all at once.
    fn residual(&self, size: f64, how: &Minimiser) -> f64 {
        let usual = (size.max(how.tolerance) / how.large).sqrt().min(0.5);
        if self.size == 0.0 {
            return usual;
        }
        let wrong = (size / self.size - self.reached).abs();
        let enough = 0.3 * how.tolerance / size;
        usual.min(wrong.max(enough).max(0.02 * self.asked))
    }
    fn promise(&mut self, size: f64, asked: f64, solved: &Solved) {
        (self.size, self.asked, self.reached) = match solved.end {
            End::Converged => (size, asked, solved.residual),
            _ => (0.0, 0.0, 0.0),
        };
    }
}

/// Minimises E from `u`, which becomes the minimum. Nothing is hidden: what was reached and how is in the [`Effort`].
/// `watch` is told E and the size of the gradient before each iteration.
pub fn minimise<T: Real, O: Objective<T>>(
    objective: &mut O,
    u: &mut [Point<T>],
    space: &mut Space<T>,
    how: &Minimiser,
    mut watch: impl FnMut(f64, f64),
) -> Effort {
    let mut effort = Effort {
        solves: 1,
        ..Effort::default()
    };
    let n = u.len();
    let Space {
        g,
        d,
        trial,
        along,
        right,
        room,
    } = space;
    for v in [&mut *g, d, trial, along] {
        clear(v, n);
    }
    objective.project(u, d);
    objective.refresh(u);
    let mut e = objective.gradient(u, g);
    // Iterations that still take a matrix that is nowhere negative.
    let mut definite = 0u32;
    // Line searches in a row that used up their looks and lowered E by no more than rounding.
    let mut vain = 0u32;
    let mut model = Model::default();
    for iteration in 0.. {
        if iteration > 0 && objective.refresh(u) {
            e = objective.gradient(u, g);
            vain = 0;
        }
        // 1.–3. Active set, Hessian, end. The first look needs a preconditioner to measure with.
        e = objective.register(u, g, e);
        if iteration == 0 {
            objective.linearise(u);
        }
        let size = objective.size(g);
        watch(e, size);
        effort.worst = size / how.tolerance;
        let last = iteration >= how.iterations;
        if (size <= how.tolerance && (iteration > 0 || !how.at_least_one)) || last {
            effort.caps += u32::from(last && size > how.tolerance);
            return effort;
        }
        if effort.cost() > how.worth {
            effort.dear += 1;
            return effort;
        }
        if definite > 0 {
            objective.linearise_definite(u);
        } else if iteration > 0 {
            objective.linearise(u);
        }
        // 4. Newton's direction, no more exact than is worth it.
        right.clear();
        right.extend_from_slice(g);
        scale(right, -1.0);
        let until = Until {
            residual: model.residual(size, how),
            iterations: how.products,
        };
        let solved = conjugate_gradient(objective, right, d, room, until);
        effort.iterations += 1;
        effort.products += solved.iterations;
        effort.curvature_stops += u32::from(solved.end == End::Curvature);
        effort.linear_caps += u32::from(solved.end == End::Cap);
        model.promise(size, until.residual, &solved);
        if solved.end == End::Curvature && how.upright > 0 && definite == 0 {
            objective.linearise_definite(u);
            let again = conjugate_gradient(objective, right, d, room, until);
            effort.iterations += 1;
            effort.products += again.iterations;
            definite = how.upright;
        } else {
            definite = definite.saturating_sub(1);
        }
        // 5. Downhill.
        let mut slope = dot(d, g);
        let [of_d, of_g] = objective.lengths(d, g);
        let downhill = slope < -how.kappa * of_d * of_g;
        if !downhill {
            objective.precondition(right, d);
            slope = dot(d, g);
            effort.turned += 1;
        }
        // 6. Length.
        let [of_d, _] = objective.lengths(d, g);
        if of_d > how.longest {
            scale(d, how.longest / of_d);
            slope *= how.longest / of_d;
        }
        // 7.–9. A step along it, on the projected path.
        let noise = objective.noise(e);
        objective.bounded_by(e + noise);
        let mut found = (f64::INFINITY, 0.0);
        let (step, looks) = search(&how.line, (e, slope), noise, |a| {
            trial.copy_from_slice(u);
            add_scaled(trial, a, d);
            along.copy_from_slice(d);
            objective.project(trial, along);
            let e = objective.gradient(trial, g);
            found = (e, dot(g, along));
            found
        });
        effort.line_steps += looks - 1;
        // At a jump of E nothing but ever shorter steps is to be had.
        let progress = looks < how.line.evaluations || found.0 < e - noise;
        vain = if progress { 0 } else { vain + 1 };
        if step.is_none() || vain > MOST_VAIN {
            effort.stuck += 1;
            return effort;
        }
        u.copy_from_slice(trial);
        e = found.0;
    }
    effort
}
