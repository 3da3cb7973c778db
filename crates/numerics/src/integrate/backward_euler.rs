//! Backward Euler as a minimisation: E(v) = ½ Σ m ‖v − v̂‖² + Φ(v), v̂ the velocity that all other forces lead to.
//! [Jiang15] §A.2.1, §A.6.1

use rayon::prelude::*;
use thixo_math::{Matrix, Real, Vector};

use crate::krylov::Operator;
use crate::minimise::{Effort, Minimiser, Objective, Space, minimise};
use crate::points::{add_scaled, clear, sum_pairs};
use crate::{Constraints, Dynamics, Point};

/// How an implicit step is solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Accuracy {
    /// Forces that are out of balance after the solve, as a share of those before it.
    pub tolerance: f64,
    /// Most Newton iterations of a step.
    pub iterations: u32,
    /// Most products in one linear solve.
    pub products: u32,
    /// What a step may cost, in products; one that would cost more is given up.
    pub worth: f64,
}

impl Default for Accuracy {
    fn default() -> Self {
        Self {
            tolerance: 1e-3,
            iterations: 50,
            products: 2000,
            worth: f64::INFINITY,
        }
    }
}

/// Vectors to work in, kept from step to step; never part of a result.
#[derive(Clone, Debug, Default)]
pub struct Workspace<T, const D: usize> {
    space: Space<T>,
    blocks: Vec<Matrix<T, D>>,
    /// The velocities that a solve has found.
    pub u: Vec<Point<T>>,
    g: Vec<Point<T>>,
    forces: Vec<Point<T>>,
    guess: Vec<Point<T>>,
}

/// The objective of one step.
pub struct BackwardEuler<'a, 'b, T, C, const D: usize> {
    /// Mass of each point \[kg\]; what has none does not move.
    pub mass: &'a [T],
    /// v̂ \[m/s\].
    pub aim: &'a [Point<T>],
    /// Where Φ comes from.
    pub forces: &'a mut [Box<dyn Dynamics<T, D> + 'b>],
    /// What holds the points.
    pub contacts: &'a mut C,
    /// Inverse blocks of the preconditioner.
    pub inverse: &'a mut Vec<Matrix<T, D>>,
    /// Second derivatives of the potential of friction.
    pub rubbing: Vec<(usize, Matrix<f64, D>)>,
    /// What [`Objective::size`] counts as one; 0 until it is known.
    pub unit: f64,
    /// The speed of one cell or edge in the step \[m/s\]: strain is rounded as if points moved at ε times that.
    pub grain: f64,
    /// The size of gradients that rounding makes \[√J\], as of the last Hessian.
    pub rounding: f64,
    /// Energies above this will not be accepted.
    pub limit: f64,
}

impl<T: Real, C: Constraints<T, D>, const D: usize> BackwardEuler<'_, '_, T, C, D> {
    /// ½ Σ m ‖v − v̂‖²
    fn inertia(&self, v: &[Point<T>]) -> f64 {
        let of = |b: usize| {
            let part = b * GRAIN..((b + 1) * GRAIN).min(v.len());
            let mut sum = 0.0;
            for i in part {
                for a in 0..D {
                    let x = (v[i][a] - self.aim[i][a]).wide();
                    sum += self.mass[i].wide() * x * x;
                }
            }
            sum
        };
        let parts: Vec<f64> = (0..v.len().div_ceil(GRAIN))
            .into_par_iter()
            .map(of)
            .collect();
        0.5 * parts.iter().sum::<f64>()
    }
    /// g ← g + m (v − v̂)
    fn add_inertia(&self, v: &[Point<T>], g: &mut [Point<T>]) {
        let parts = g
            .par_chunks_mut(GRAIN)
            .zip(v.par_chunks(GRAIN))
            .zip(self.aim.par_chunks(GRAIN));
        let parts = parts.zip(self.mass.par_chunks(GRAIN));
        parts.for_each(|(((g, v), aim), mass)| {
            for (((g, v), aim), m) in g.iter_mut().zip(v).zip(aim).zip(mass) {
                for a in 0..D {
                    g[a] += *m * (v[a] - aim[a]);
                }
            }
        });
    }
    /// Φ(v), and ∂Φ/∂v in `g`; of all forces, or without those that wait.
    fn potential(&mut self, v: &[Point<T>], g: &mut [Point<T>], all: bool) -> f64 {
        g.par_chunks_mut(GRAIN).for_each(|g| g.fill([T::zero(); 4]));
        let which = self.forces.iter_mut().filter(|f| all || !f.waits());
        which.map(|f| f.gradient(v, g)).sum()
    }
    fn linearise_as(&mut self, v: &[Point<T>], definite: bool) {
        self.forces
            .iter_mut()
            .for_each(|f| f.linearise(v, definite));
        self.rubbing.clear();
        let rubbing = &mut self.rubbing;
        // What is held on a bulge curves downwards.
        self.contacts.curvature(v, &mut |i, rub| {
            rubbing.push((i, if definite { upward(&rub) } else { rub }));
        });
        self.invert_blocks();
    }
    /// √(xᵀ P⁻¹ x)
    fn weigh(&self, x: &[Point<T>]) -> f64 {
        let pairs = sum_pairs(x, self.inverse, &|x, inverse| {
            let x = Vector::<f64, D>::from_fn(|a| x[a].wide());
            x.dot(&(inverse.wide() * x))
        });
        pairs.max(0.0).sqrt()
    }
    /// Inverse blocks m I + ∂²Φ/∂v² on what is free.
    fn invert_blocks(&mut self) {
        self.inverse.clear();
        self.inverse.resize(self.mass.len(), Matrix::zero());
        for f in &*self.forces {
            f.diagonal(self.inverse);
        }
        // Stress that is ε off is K ε times the grain in a force; in P⁻¹, P = K + m, that is at most √K ε times it.
        let stiffness = sum_pairs(self.mass, self.inverse, &|m, block| match m.wide() {
            0.0 => 0.0,
            _ => block.wide().trace().max(0.0) / D as f64,
        });
        self.rounding = 2.0 * epsilon::<T>() * self.grain * stiffness.sqrt();
        for (i, rub) in &self.rubbing {
            self.inverse[*i] += Matrix::of(rub);
        }
        let mut holds = vec![None; self.mass.len()];
        self.contacts.holds(&mut |i, held| holds[i] = Some(held));
        let all = (
            self.inverse.par_iter_mut(),
            self.mass.par_iter(),
            holds.par_iter(),
        );
        all.into_par_iter()
            .with_min_len(1024)
            .for_each(|(block, m, held)| {
                let m = m.wide();
                if m == 0.0 {
                    *block = Matrix::zero();
                    return;
                }
                let full = block.wide().sym() + Matrix::scalar(m);
                let inverse = match held {
                    None => positive_inverse(&full, m),
                    Some(held) => {
                        let free = Matrix::identity() - *held;
                        let inside = free * full * free + *held * full.trace();
                        free * positive_inverse(&inside, m) * free
                    }
                };
                *block = Matrix::of(&inverse);
            });
    }
}

/// ε, half of what one differs by from the next number.
fn epsilon<T: Real>() -> f64 {
    0.5f64.powi(T::DIGITS as i32)
}

/// Points that one thread takes at once.
const GRAIN: usize = 4096;

/// Calls `f` with every number of `to`, the one of `x` at the same place, and the mass of their point.
fn each_with_mass<T: Real>(
    to: &mut [Point<T>],
    x: &[Point<T>],
    mass: &[T],
    f: impl Fn(&mut T, T, T) + Sync,
) {
    let parts = to
        .par_chunks_mut(GRAIN)
        .zip(x.par_chunks(GRAIN))
        .zip(mass.par_chunks(GRAIN));
    parts.for_each(|((to, x), mass)| {
        for ((to, x), m) in to.iter_mut().zip(x).zip(mass) {
            for a in 0..4 {
                f(&mut to[a], x[a], *m);
            }
        }
    });
}

/// A symmetric block without what curves downwards.
fn upward<const D: usize>(block: &Matrix<f64, D>) -> Matrix<f64, D> {
    let e = block.symmetric_eigen();
    let values = Vector::from_fn(|a| e.values[a].max(0.0));
    (e.Q * Matrix::diagonal(&values)).times_transpose(&e.Q)
}

/// The inverse of a symmetric block, or of its trace where it is not positive.
fn positive_inverse<const D: usize>(block: &Matrix<f64, D>, m: f64) -> Matrix<f64, D> {
    let inverse = block.inverse();
    // By Sylvester's criterion a block is positive exactly if its inverse's diagonal and both determinants are, in
    // two and three dimensions up to cases that the trace catches.
    let positive =
        (0..D).all(|a| block[(a, a)] > 0.0 && inverse[(a, a)] > 0.0) && block.det() > 0.0;
    if positive && inverse.finite() {
        inverse
    } else {
        Matrix::scalar(1.0 / block.trace().abs().max(m))
    }
}

impl<T: Real, C: Constraints<T, D>, const D: usize> Operator<T> for BackwardEuler<'_, '_, T, C, D> {
    fn apply(&self, x: &[Point<T>], to: &mut [Point<T>]) {
        to.par_chunks_mut(GRAIN)
            .for_each(|t| t.fill([T::zero(); 4]));
        for f in &*self.forces {
            f.product(x, to);
        }
        let all = (to.par_iter_mut(), x.par_iter(), self.mass.par_iter());
        all.into_par_iter()
            .with_min_len(GRAIN)
            .for_each(|(t, x, m)| {
                for a in 0..D {
                    t[a] += *m * x[a];
                }
            });
        for (i, rub) in &self.rubbing {
            let f = *rub * Vector::from_fn(|a| x[*i][a].wide());
            for a in 0..D {
                to[*i][a] += T::of(f[a]);
            }
        }
        self.contacts.restrict(to);
    }
    fn precondition(&self, r: &[Point<T>], to: &mut [Point<T>]) {
        let all = (to.par_iter_mut(), r.par_iter(), self.inverse.par_iter());
        all.into_par_iter()
            .with_min_len(GRAIN)
            .for_each(|(t, r, inverse)| {
                let z = *inverse * Vector::from_fn(|a| r[a]);
                *t = [T::zero(); 4];
                t[..D].copy_from_slice(&z.0);
            });
    }
}

impl<T: Real, C: Constraints<T, D>, const D: usize> Objective<T>
    for BackwardEuler<'_, '_, T, C, D>
{
    fn energy(&mut self, v: &[Point<T>]) -> f64 {
        let mut sum = self.inertia(v) + self.contacts.energy(v);
        for f in self.forces.iter_mut().filter(|f| !f.waits()) {
            sum += f.energy(v);
        }
        for f in self.forces.iter_mut().filter(|f| f.waits()) {
            if sum <= self.limit {
                sum += f.energy(v);
            }
        }
        sum
    }
    fn gradient(&mut self, v: &[Point<T>], g: &mut [Point<T>]) -> f64 {
        let mut e = self.potential(v, g, false) + self.inertia(v) + self.contacts.energy(v);
        self.add_inertia(v, g);
        self.contacts.gradient(v, g);
        for f in self.forces.iter_mut().filter(|f| f.waits()) {
            if e <= self.limit {
                e += f.gradient(v, g);
            }
        }
        e
    }
    fn refresh(&mut self, v: &[Point<T>]) -> bool {
        let all = self.forces.iter_mut().map(|f| f.refresh(v));
        all.fold(false, |any, new| any | new)
    }
    fn bounded_by(&mut self, e: f64) {
        self.limit = e;
    }
    fn noise(&self, e: f64) -> f64 {
        4.0 * e.abs() * epsilon::<T>() + self.rounding * self.rounding
    }
    fn linearise(&mut self, v: &[Point<T>]) {
        self.linearise_as(v, false);
    }
    fn linearise_definite(&mut self, v: &[Point<T>]) {
        self.linearise_as(v, true);
    }
    fn size(&self, g: &[Point<T>]) -> f64 {
        let unit = if self.unit > 0.0 { self.unit } else { 1.0 };
        self.weigh(g) / unit
    }
    /// √(Σ m d²) and √(Σ g²/m).
    fn lengths(&self, d: &[Point<T>], g: &[Point<T>]) -> [f64; 2] {
        let square = |x: &Point<T>| (0..D).map(|a| x[a].wide() * x[a].wide()).sum::<f64>();
        let of_d = sum_pairs(d, self.mass, &|d, m| square(d) * m.wide());
        let of_g = sum_pairs(g, self.mass, &|g, m| match m.wide() {
            0.0 => 0.0,
            m => square(g) / m,
        });
        [of_d.sqrt(), of_g.sqrt()]
    }
    fn project(&self, u: &mut [Point<T>], d: &mut [Point<T>]) {
        self.contacts.project(u, d);
    }
    fn register(&mut self, u: &[Point<T>], g: &mut [Point<T>], e: f64) -> f64 {
        self.limit = f64::INFINITY;
        self.contacts.register(u, g, e)
    }
}

/// Whether an energy is lower by more than rounding.
fn lower<T>(problem: &impl Objective<T>, new: f64, old: f64) -> bool {
    new.is_finite() && !(old.is_finite() && new >= old - problem.noise(old))
}

/// Minimises E from the best of three guesses: the velocities as they are, `now`, where everything but the potentials
/// leads, and where they lead from there without looking farther. `grain` is the speed of one cell or edge in the step.
/// The result is in `work.u`.
pub fn backward_euler<T: Real, C: Constraints<T, D>, const D: usize>(
    mass: &[T],
    [now, aim]: [&[Point<T>]; 2],
    forces: &mut [Box<dyn Dynamics<T, D> + '_>],
    contacts: &mut C,
    (accuracy, grain): (&Accuracy, f64),
    work: &mut Workspace<T, D>,
) -> Effort {
    let limits = (accuracy, grain, [0.0, f64::INFINITY]);
    backward_euler_by(
        mass,
        [now, aim],
        forces,
        contacts,
        limits,
        work,
        |problem, u, space, how| minimise(problem, u, space, how, |_, _| {}),
    )
}

/// The same with another way to `solve` from the best guess. Gradients count in units of what is out of balance at
/// the start, but between `least` and `most` \[√J\]: where a step begins far from any balance, or in it, that says
/// nothing.
pub fn backward_euler_by<'b, T: Real, C: Constraints<T, D>, const D: usize>(
    mass: &[T],
    [now, aim]: [&[Point<T>]; 2],
    forces: &mut [Box<dyn Dynamics<T, D> + 'b>],
    contacts: &mut C,
    (accuracy, grain, [least, most]): (&Accuracy, f64, [f64; 2]),
    work: &mut Workspace<T, D>,
    solve: impl FnOnce(
        &mut BackwardEuler<'_, 'b, T, C, D>,
        &mut [Point<T>],
        &mut Space<T>,
        &Minimiser,
    ) -> Effort,
) -> Effort {
    let Workspace {
        space,
        blocks,
        u,
        g,
        forces: pull,
        guess,
        ..
    } = work;
    let n = mass.len();
    let mut problem = BackwardEuler {
        mass,
        aim,
        forces,
        contacts,
        inverse: blocks,
        rubbing: Vec::new(),
        unit: 0.0,
        grain,
        rounding: 0.0,
        limit: f64::INFINITY,
    };
    u.clear();
    u.extend_from_slice(now);
    for v in [&mut *g, pull, guess] {
        clear(v, n);
    }
    problem.project(u, g);
    problem.refresh(u);
    let mut e = problem.potential(u, pull, true) + problem.inertia(u);
    g.copy_from_slice(pull);
    problem.add_inertia(u, g);
    // Where everything but the potentials leads.
    guess.copy_from_slice(aim);
    problem.project(guess, &mut pull.clone());
    e = problem.register(u, g, e);
    problem.linearise(u);
    // One is what is out of balance, a tenth of what pulls, and what cannot be told from rounding.
    let pulls = problem.weigh(pull);
    let out = problem.weigh(g) + 0.1 * pulls;
    each_with_mass(g, u, mass, |p, v, m| *p = m * v);
    let sums = 30.0 * epsilon::<T>() * (pulls + problem.weigh(g));
    problem.unit = out.max(least).min(most) + (sums + problem.rounding) / accuracy.tolerance;
    if problem.unit == 0.0 {
        return Effort {
            solves: 1,
            ..Effort::default()
        };
    }
    // And where the forces at the start lead on from there, [Jiang15] §A.3 (which prints it without M⁻¹): good where steps
    // are short. Where they are long it overshoots, so it must beat the other guess by more than rounding, or what is
    // out of balance grows from step to step until a solve sees it, however little it was.
    let met = problem.energy(guess);
    let free_is_better = !lower(&problem, e, met);
    each_with_mass(g, pull, mass, |to, p, m| {
        *to = if m == T::zero() { m } else { p / m };
    });
    pull.copy_from_slice(guess);
    add_scaled(pull, -1.0, g);
    problem.project(pull, g);
    let best = if free_is_better { met } else { e };
    let pulled = problem.energy(pull);
    if lower(&problem, pulled, best) {
        u.copy_from_slice(pull);
    } else if free_is_better {
        u.copy_from_slice(guess);
    }
    let how = Minimiser {
        longest: f64::INFINITY,
        iterations: accuracy.iterations,
        products: accuracy.products,
        worth: accuracy.worth,
        ..Minimiser::new(accuracy.tolerance)
    };
    solve(&mut problem, u, space, &how)
}
