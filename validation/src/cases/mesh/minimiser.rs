//! O5: line searches keep Wolfe's conditions, directions lead downhill by κ, and indefinite matrices are met.

use thixo_core::Result;
use thixo_math::Vector;
use thixo_mesh::{Mesh, Options, lattice::lattice};
use thixo_numerics::Point;
use thixo_numerics::krylov::Operator;
use thixo_numerics::minimise::{Effort, LineSearch, Minimiser, Objective, Space, minimise, search};

use super::{Alone, FRAME, rubber};
use crate::lab::random;
use crate::{Bench, Tag};

/// Σ ½ s x²: so badly scaled that Newton's direction is nearly across the slope.
struct Steep([f64; 2]);

impl Operator<f64> for Steep {
    fn apply(&self, x: &[Point<f64>], to: &mut [Point<f64>]) {
        to[0] = [self.0[0] * x[0][0], self.0[1] * x[0][1], 0.0, 0.0];
    }
    fn precondition(&self, r: &[Point<f64>], to: &mut [Point<f64>]) {
        to.copy_from_slice(r);
    }
}

impl Objective<f64> for Steep {
    fn energy(&mut self, u: &[Point<f64>]) -> f64 {
        0.5 * (self.0[0] * u[0][0].powi(2) + self.0[1] * u[0][1].powi(2))
    }
    fn gradient(&mut self, u: &[Point<f64>], g: &mut [Point<f64>]) -> f64 {
        self.apply(u, g);
        self.energy(u)
    }
    fn noise(&self, e: f64) -> f64 {
        1e-15 * e
    }
    fn linearise(&mut self, _: &[Point<f64>]) {}
    fn size(&self, g: &[Point<f64>]) -> f64 {
        g[0][0].hypot(g[0][1])
    }
    fn lengths(&self, d: &[Point<f64>], g: &[Point<f64>]) -> [f64; 2] {
        [self.size(d), self.size(g)]
    }
}

/// Newton from where both terms pull alike; how often its direction gave way.
fn turns(kappa: f64) -> Effort {
    let how = Minimiser {
        kappa,
        iterations: 1,
        large: 1e30,
        ..Minimiser::new(1e-8)
    };
    let mut u = [[1.0, 1e-4, 0.0, 0.0]];
    minimise(
        &mut Steep([1.0, 1e8]),
        &mut u,
        &mut Space::default(),
        &how,
        |_, _| {},
    )
}

/// The worst excess over Wolfe's two conditions in line searches over rugged functions; 0 or less if they are kept.
fn wolfe(rules: &LineSearch, slope: f64) -> f64 {
    let mut random = random(4);
    let mut worst = f64::NEG_INFINITY;
    for _ in 0..200 {
        let [a, b, c] = [random() * 5.0, 0.2 + random() * 3.0, random()];
        // A bowl with waves on it, downhill at 0.
        let f = |x: f64| {
            let y = b * (x - 1.0 - a);
            let e = y.cosh().ln() + 0.2 * c * (3.0 * y).sin();
            (e, b * (y.tanh() + 0.6 * c * (3.0 * y).cos()))
        };
        let start = f(0.0);
        if start.1 >= 0.0 {
            continue;
        }
        if let (Some(x), _) = search(rules, start, 0.0, f) {
            let (e, s) = f(x);
            let fall = e - start.0 - rules.fall * x * start.1;
            worst = worst.max(fall).max(s.abs() + slope * start.1);
        } else {
            return f64::INFINITY;
        }
    }
    worst
}

/// O5: the minimiser keeps its promises.
pub fn o5(b: &mut Bench) -> Result<()> {
    let rules = LineSearch::default();
    b.at_most(
        "excess over Wolfe's conditions",
        wolfe(&rules, rules.slope),
        0.0,
        Tag::X,
    );
    b.at_most(
        "control: a slope of a tenth",
        wolfe(&rules, 0.1),
        0.0,
        Tag::X,
    );
    b.control();
    // cos of Newton's direction with downhill is 2e-4 there.
    b.at_least(
        "directions that κ = 1e-2 turns",
        f64::from(turns(1e-2).turned),
        1.0,
        Tag::X,
    );
    b.at_least(
        "control: with κ = 1e-5",
        f64::from(turns(1e-5).turned),
        1.0,
        Tag::X,
    );
    b.control();
    let (points, cells) = lattice::<3>(Vector::zero(), [4; 3], 0.25);
    let cube = |scatter: f64| -> Result<Effort> {
        let mut mesh = Mesh::<f64, 3>::new("mesh", Options::default());
        let body = mesh.add_solid("cube", &points, &cells, rubber(1e6)?, 1000.0)?;
        let mut random = random(1);
        mesh.place(body, |_, x| {
            let x = *x + Vector::from_fn(|_| scatter * (random() - 0.5));
            (x, Vector::zero())
        })?;
        let mut alone = Alone::new(mesh)?;
        alone.step(FRAME, true)?;
        Ok(alone.effort)
    };
    let tangled = cube(1.0)?;
    let met = f64::from(tangled.curvature_stops);
    b.at_least(
        "tangled cube: directions that met negative curvature",
        met,
        1.0,
        Tag::X,
    );
    b.at_most(
        "tangled cube: steps that did not converge",
        f64::from(tangled.unconverged()),
        0.0,
        Tag::X,
    );
    let calm = f64::from(cube(1e-3)?.curvature_stops);
    b.at_least("control: calm cube: negative curvature", calm, 1.0, Tag::X);
    b.control();
    Ok(())
}
