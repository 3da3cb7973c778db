use super::*;
use crate::points::norm;

/// A function of the first two numbers of one point, with an exact inverse of its scale as preconditioner.
struct Plane<F> {
    f: F,
    /// E, gradient, Hessian at the last place of `linearise`.
    hessian: [[f64; 2]; 2],
    /// u₀ ≥ this.
    wall: f64,
    held: bool,
    evaluations: u32,
    definite: u32,
}

type Jet = (f64, [f64; 2], [[f64; 2]; 2]);

impl<F: Fn(f64, f64) -> Jet> Plane<F> {
    fn new(f: F) -> Self {
        Self {
            f,
            hessian: [[0.0; 2]; 2],
            wall: f64::NEG_INFINITY,
            held: false,
            evaluations: 0,
            definite: 0,
        }
    }
}

impl<F: Fn(f64, f64) -> Jet> Operator<f64> for Plane<F> {
    fn apply(&self, x: &[Point<f64>], to: &mut [Point<f64>]) {
        let [[a, b], [_, c]] = self.hessian;
        let [x, y, ..] = x[0];
        to[0] = [a * x + b * y, b * x + c * y, 0.0, 0.0];
        if self.held {
            to[0][0] = 0.0;
        }
    }
    fn precondition(&self, r: &[Point<f64>], to: &mut [Point<f64>]) {
        to.copy_from_slice(r);
    }
}

impl<F: Fn(f64, f64) -> Jet> Objective<f64> for Plane<F> {
    fn energy(&mut self, u: &[Point<f64>]) -> f64 {
        self.evaluations += 1;
        (self.f)(u[0][0], u[0][1]).0
    }
    fn gradient(&mut self, u: &[Point<f64>], g: &mut [Point<f64>]) -> f64 {
        self.evaluations += 1;
        let (e, [x, y], _) = (self.f)(u[0][0], u[0][1]);
        g[0] = [x, y, 0.0, 0.0];
        e
    }
    fn noise(&self, e: f64) -> f64 {
        1e-15 * e.abs()
    }
    fn linearise(&mut self, u: &[Point<f64>]) {
        self.hessian = (self.f)(u[0][0], u[0][1]).2;
    }
    /// What curves downwards along an axis does not curve at all.
    fn linearise_definite(&mut self, u: &[Point<f64>]) {
        self.linearise(u);
        for a in 0..2 {
            self.hessian[a][a] = self.hessian[a][a].max(0.0);
        }
        self.definite += 1;
    }
    fn size(&self, g: &[Point<f64>]) -> f64 {
        norm(g)
    }
    fn lengths(&self, d: &[Point<f64>], g: &[Point<f64>]) -> [f64; 2] {
        [norm(d), norm(g)]
    }
    fn project(&self, u: &mut [Point<f64>], d: &mut [Point<f64>]) {
        if u[0][0] < self.wall || self.held {
            (u[0][0], d[0][0]) = (self.wall, 0.0);
        }
    }
    fn register(&mut self, u: &[Point<f64>], g: &mut [Point<f64>], e: f64) -> f64 {
        self.held = u[0][0] <= self.wall && g[0][0] >= 0.0;
        if self.held {
            g[0][0] = 0.0;
        }
        e
    }
}

/// Rosenbrock's valley: the minimum 0 is at (1, 1).
fn valley(x: f64, y: f64) -> Jet {
    let r = y - x * x;
    let e = (1.0 - x).powi(2) + 100.0 * r * r;
    let g = [-2.0 * (1.0 - x) - 400.0 * x * r, 200.0 * r];
    (
        e,
        g,
        [
            [2.0 - 400.0 * (r - 2.0 * x * x), -400.0 * x],
            [-400.0 * x, 200.0],
        ],
    )
}

/// √(1 + x²) + √(1 + y²): Newton's method leaves it from |x| > 1 on.
fn bowl(x: f64, y: f64) -> Jet {
    let (p, q) = (x.hypot(1.0), y.hypot(1.0));
    (
        p + q,
        [x / p, y / q],
        [[p.powi(-3), 0.0], [0.0, q.powi(-3)]],
    )
}

/// Two hollows at x = ±1 and a ridge between: indefinite around 0.
fn ridge(x: f64, y: f64) -> Jet {
    let e = 0.25 * (x * x - 1.0).powi(2) + 0.5 * y * y;
    (
        e,
        [x * (x * x - 1.0), y],
        [[3.0 * x * x - 1.0, 0.0], [0.0, 1.0]],
    )
}

fn run(f: fn(f64, f64) -> Jet, at: [f64; 2]) -> (Point<f64>, Effort, Vec<f64>) {
    let mut u = [[at[0], at[1], 0.0, 0.0]];
    let mut energies = Vec::new();
    let how = Minimiser::new(1e-10);
    let effort = minimise(
        &mut Plane::new(f),
        &mut u,
        &mut Space::default(),
        &how,
        |e, _| energies.push(e),
    );
    (u[0], effort, energies)
}

#[test]
fn finds_minima_and_never_climbs() {
    for (f, at, to) in [
        (valley as fn(f64, f64) -> Jet, [-1.2, 1.0], [1.0, 1.0]),
        (valley, [30.0, -50.0], [1.0, 1.0]),
        (bowl, [8.0, -3.0], [0.0, 0.0]),
        (ridge, [0.1, 2.0], [1.0, 0.0]),
    ] {
        let (u, effort, energies) = run(f, at);
        assert!(effort.converged() && effort.worst <= 1.0, "{effort:?}");
        assert!((u[0] - to[0]).hypot(u[1] - to[1]) < 1e-8, "{u:?}");
        assert!(
            energies
                .windows(2)
                .all(|e| e[1] <= e[0] * (1.0 + 1e-12) + 1e-300),
            "{energies:?}"
        );
    }
}

#[test]
fn plain_newton_leaves_the_bowl() {
    let mut u = [[8.0, -3.0, 0.0, 0.0]];
    let effort = plain_newton(
        &mut Plane::new(bowl),
        &mut u,
        &mut Space::default(),
        1e-10,
        500,
    );
    assert!(!effort.converged());
    // Near enough it converges.
    let mut u = [[0.5, -0.3, 0.0, 0.0]];
    let effort = plain_newton(
        &mut Plane::new(bowl),
        &mut u,
        &mut Space::default(),
        1e-10,
        500,
    );
    assert!(effort.converged() && norm(&u) < 1e-8);
}

#[test]
fn curvature_is_met_and_told() {
    let (_, effort, _) = run(ridge, [0.1, 0.0]);
    assert!(effort.curvature_stops > 0, "{effort:?}");
    // A cap is told, too.
    let how = Minimiser {
        iterations: 2,
        ..Minimiser::new(1e-10)
    };
    let mut u = [[-1.2, 1.0, 0.0, 0.0]];
    let effort = minimise(
        &mut Plane::new(valley),
        &mut u,
        &mut Space::default(),
        &how,
        |_, _| {},
    );
    assert!(effort.caps == 1 && effort.worst > 1.0 && effort.iterations == 2);
}

#[test]
fn a_matrix_that_is_nowhere_negative_takes_over_where_it_must() {
    for (upright, at) in [(0, 0.1), (3, 0.1), (3, 0.9)] {
        let how = Minimiser {
            upright,
            ..Minimiser::new(1e-10)
        };
        let mut ridge = Plane::new(ridge);
        let mut u = [[at, 2.0, 0.0, 0.0]];
        let effort = minimise(&mut ridge, &mut u, &mut Space::default(), &how, |_, _| {});
        assert!(effort.converged() && (u[0][0] - 1.0).abs() < 1e-8, "{u:?}");
        let met = effort.curvature_stops > 0;
        assert_eq!(met, at == 0.1);
        assert_eq!(ridge.definite > 0, met && upright > 0);
    }
}

#[test]
fn walls_hold_and_let_go() {
    // The minimum of the valley lies behind the wall: on it, y = x².
    let mut held = Plane {
        wall: 2.0,
        ..Plane::new(valley)
    };
    let mut u = [[5.0, 1.0, 0.0, 0.0]];
    let effort = minimise(
        &mut held,
        &mut u,
        &mut Space::default(),
        &Minimiser::new(1e-10),
        |_, _| {},
    );
    assert!(
        effort.converged() && u[0][0] == 2.0 && (u[0][1] - 4.0).abs() < 1e-10,
        "{u:?}"
    );
    // From behind a wall that the minimum lies before it comes free.
    let mut free = Plane {
        wall: -3.0,
        ..Plane::new(valley)
    };
    let mut u = [[-9.0, 1.0, 0.0, 0.0]];
    let effort = minimise(
        &mut free,
        &mut u,
        &mut Space::default(),
        &Minimiser::new(1e-10),
        |_, _| {},
    );
    assert!(effort.converged() && (u[0][0] - 1.0).abs() < 1e-8, "{u:?}");
}

#[test]
fn line_searches_keep_wolfe_s_conditions() {
    // A quartic, a narrow one, one that is forbidden beyond 0.3, one that falls for long.
    type Line = fn(f64) -> (f64, f64);
    let lines: [Line; 4] = [
        |a| ((a - 3.0).powi(4), 4.0 * (a - 3.0).powi(3)),
        |a| ((a - 1e-3).powi(2), 2.0 * (a - 1e-3)),
        |a| {
            if a < 0.3 {
                (-a - (0.3 - a).ln() * 0.1, -1.0 + 0.1 / (0.3 - a))
            } else {
                (f64::NAN, f64::NAN)
            }
        },
        |a| ((a - 700.0).powi(2), 2.0 * (a - 700.0)),
    ];
    for f in lines {
        let (start, rules) = (f(0.0), LineSearch::default());
        let mut last = f64::NAN;
        let (step, looks) = search(&rules, start, 0.0, |a| {
            last = a;
            f(a)
        });
        let a = step.unwrap();
        let (e, s) = f(a);
        assert!(last == a && looks < 30);
        assert!(e <= start.0 + rules.fall * a * start.1 && s.abs() <= rules.slope * start.1.abs());
    }
    // Uphill there is nothing to be found, and it says so.
    assert_eq!(
        search(&LineSearch::default(), (0.0, -1.0), 0.0, |a| (a, 1.0)).0,
        None
    );
}

#[test]
fn a_jump_ends_it_soon() {
    // x² + y², and a hundred more for x < 1: what is lowest is at the jump, where the slope does not end.
    let jump = |x: f64, y: f64| {
        let more = if x < 1.0 { 100.0 } else { 0.0 };
        let e = x * x + y * y + more;
        (e, [2.0 * x, 2.0 * y], [[2.0, 0.0], [0.0, 2.0]])
    };
    let mut u = [[3.0, 2.0, 0.0, 0.0]];
    let how = Minimiser::new(1e-10);
    let mut plane = Plane::new(jump);
    let effort = minimise(&mut plane, &mut u, &mut Space::default(), &how, |_, _| {});
    assert!(effort.stuck == 1 && effort.caps == 0, "{effort:?}");
    assert!(effort.iterations < 60 && (1.0..1.01).contains(&u[0][0]));
}
