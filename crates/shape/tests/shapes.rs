//! Every shape keeps the contract; one line each.

use std::sync::Arc;

use thixo_math::Vector;
use thixo_shape::check::{Known, check_shape};
use thixo_shape::*;

type V2 = Vector<f64, 2>;
type V3 = Vector<f64, 3>;

const ALL: f64 = f64::INFINITY;

fn pose2() -> Pose<2> {
    Pose::<2>::turned(0.7).moved(Vector([0.3, -2.0]))
}
fn pose3() -> Pose<3> {
    let turn = Pose::<3>::turned(Vector([1.0, -2.0, 0.5]), 1.1).unwrap();
    turn.moved(Vector([0.2, 1.0, -3.0]))
}
fn try2(s: impl Shape<2> + 'static, exact: f64, inside: &dyn Fn(&V2) -> bool) -> Result2 {
    let region = Bounds {
        low: Vector::splat(-2.0),
        high: Vector::splat(2.0),
    };
    let known = Known {
        inside,
        exact,
        slope: 1.0,
        pose: pose2(),
    };
    check_shape(Arc::new(s), &region, &known)
}
fn try3(s: impl Shape<3> + 'static, exact: f64, inside: &dyn Fn(&V3) -> bool) -> Result2 {
    let region = Bounds {
        low: Vector::splat(-2.0),
        high: Vector::splat(2.0),
    };
    let known = Known {
        inside,
        exact,
        slope: 1.0,
        pose: pose3(),
    };
    check_shape(Arc::new(s), &region, &known)
}
type Result2 = std::result::Result<(), String>;

fn disc(c: [f64; 2], r: f64) -> impl Fn(&V2) -> bool {
    move |x| (*x - Vector(c)).norm() < r
}
fn within<const D: usize>(low: [f64; D], high: [f64; D]) -> impl Fn(&Vector<f64, D>) -> bool {
    move |x| (0..D).all(|a| low[a] < x[a] && x[a] < high[a])
}

#[test]
fn shapes_of_the_plane() {
    let half = HalfSpace::new(Vector([0.1, 0.2]), Vector([1.0, 3.0])).unwrap();
    try2(half, ALL, &|x| (x[0] - 0.1) + 3.0 * (x[1] - 0.2) < 0.0).unwrap();
    let square = Cuboid::from_corners(Vector([-1.0, -0.5]), Vector([0.5, 1.5])).unwrap();
    try2(square, ALL, &within([-1.0, -0.5], [0.5, 1.5])).unwrap();
    let ball = Sphere::new(Vector([0.3, 0.1]), 0.9).unwrap();
    try2(ball, ALL, &disc([0.3, 0.1], 0.9)).unwrap();
    let rod = Capsule::new(Vector([-1.0, 0.0]), Vector([1.0, 0.0]), 0.4).unwrap();
    let in_rod = |x: &V2| {
        (x[0].abs() < 1.0 && x[1].abs() < 0.4)
            || disc([1.0, 0.0], 0.4)(x)
            || disc([-1.0, 0.0], 0.4)(x)
    };
    try2(rod, ALL, &in_rod).unwrap();
    let ell = [
        [-1.0, -1.0],
        [1.0, -1.0],
        [1.0, 0.0],
        [0.0, 0.0],
        [0.0, 1.0],
        [-1.0, 1.0],
    ];
    let ell = Polygon::new(ell.map(Vector).to_vec()).unwrap();
    let in_ell = |x: &V2| within([-1.0, -1.0], [1.0, 1.0])(x) && !(x[0] >= 0.0 && x[1] >= 0.0);
    try2(ell, ALL, &in_ell).unwrap();
    let h: Vec<f64> = (0..21).map(|i| 0.5 * (0.7 * i as f64).sin()).collect();
    let line = h.clone();
    let ground = HeightField::<2>::new(Vector([-2.0, 0.1]), 0.2, &[21], 1, h).unwrap();
    let under = move |x: &V2| {
        let u = ((x[0] + 2.0) / 0.2).clamp(0.0, 20.0);
        let i = (u.floor() as usize).min(19);
        let g = u - i as f64;
        x[1] < 0.1 + line[i] * (1.0 - g) + line[i + 1] * g
    };
    try2(ground, 0.5, &under).unwrap();
}

#[test]
fn shapes_of_space() {
    let half = HalfSpace::new(Vector([0.1, 0.2, 0.0]), Vector([1.0, 3.0, -1.0])).unwrap();
    try3(half, ALL, &|x| {
        (x[0] - 0.1) + 3.0 * (x[1] - 0.2) - x[2] < 0.0
    })
    .unwrap();
    let cube = Cuboid::new(Vector::zero(), Vector([1.0, 0.5, 1.2])).unwrap();
    try3(cube, ALL, &within([-1.0, -0.5, -1.2], [1.0, 0.5, 1.2])).unwrap();
    try3(Sphere::new(Vector::zero(), 1.1).unwrap(), ALL, &|x| {
        x.norm() < 1.1
    })
    .unwrap();
    let can = Cylinder::new(Vector::zero(), Vector([0.0, 2.0, 0.0]), 0.8, 2.0).unwrap();
    try3(can, ALL, &|x| x[1].abs() < 1.0 && x[0].hypot(x[2]) < 0.8).unwrap();
    let ring = Torus::new(Vector::zero(), Vector([0.0, 0.0, 1.0]), 1.0, 0.4).unwrap();
    try3(ring, ALL, &|x| (x[0].hypot(x[1]) - 1.0).hypot(x[2]) < 0.4).unwrap();
    let rod = Capsule::new(Vector([0.0, -0.5, 0.0]), Vector([0.0, 0.5, 0.0]), 0.6).unwrap();
    let in_rod = |x: &V3| Vector([x[0], (x[1].abs() - 0.5).max(0.0), x[2]]).norm() < 0.6;
    try3(rod, ALL, &in_rod).unwrap();
    let n = 9;
    let f = |i: usize, j: usize| 0.4 * ((i as f64).sin() + (1.3 * j as f64).cos());
    let h = (0..n * n).map(|k| f(k / n, k % n)).collect();
    let ground = HeightField::<3>::new(Vector([-2.0, 0.0, -2.0]), 0.5, &[n, n], 1, h).unwrap();
    let under = move |x: &V3| {
        let (u, w) = ((x[0] + 2.0) / 0.5, (x[2] + 2.0) / 0.5);
        let (u, w) = (u.clamp(0.0, 8.0), w.clamp(0.0, 8.0));
        let (i, j) = ((u as usize).min(7), (w as usize).min(7));
        let (a, b) = (u - i as f64, w - j as f64);
        let y = if a + b <= 1.0 {
            f(i, j) * (1.0 - a - b) + f(i + 1, j) * a + f(i, j + 1) * b
        } else {
            f(i + 1, j + 1) * (a + b - 1.0) + f(i, j + 1) * (1.0 - a) + f(i + 1, j) * (1.0 - b)
        };
        x[1] < y
    };
    try3(ground, 1.4, &under).unwrap();
}

#[test]
fn shapes_of_shapes() {
    let a: Arc<dyn Shape<2>> = Arc::new(Sphere::new(Vector([-0.4, 0.0]), 0.8).unwrap());
    let b: Arc<dyn Shape<2>> = Arc::new(Sphere::new(Vector([0.4, 0.0]), 0.8).unwrap());
    let (in_a, in_b) = (disc([-0.4, 0.0], 0.8), disc([0.4, 0.0], 0.8));
    let parts = || vec![a.clone(), b.clone()];
    try2(Union::new(parts()).unwrap(), 0.0, &|x| in_a(x) || in_b(x)).unwrap();
    try2(Intersection::new(parts()).unwrap(), 0.0, &|x| {
        in_a(x) && in_b(x)
    })
    .unwrap();
    try2(Difference::new(a.clone(), b.clone()), 0.0, &|x| {
        in_a(x) && !in_b(x)
    })
    .unwrap();
    let rind = Shell::new(a.clone(), 0.2).unwrap();
    try2(rind, ALL, &|x| {
        in_a(x) && (*x - Vector([-0.4, 0.0])).norm() > 0.6
    })
    .unwrap();
    let square = Arc::new(Cuboid::new(Vector::zero(), Vector([1.0, 0.5])).unwrap());
    let turned = Transformed::new(square, Pose::<2>::turned(0.5));
    let back = |x: &V2| Pose::<2>::turned(-0.5).apply(x);
    try2(turned, ALL, &|x| within([-1.0, -0.5], [1.0, 0.5])(&back(x))).unwrap();
}

#[test]
fn sampled_shapes_stay_lower_bounds() {
    let ball = Sphere::new(Vector([0.1, 0.0]), 0.9).unwrap();
    let sampled = LevelSet::sample(&ball, 0.05).unwrap();
    let inside = sampled.clone();
    let known = Known::<2> {
        inside: &move |x| inside.distance(x) < 0.0,
        exact: 0.0,
        slope: 2f64.sqrt(),
        pose: pose2(),
    };
    let region = Bounds {
        low: Vector::splat(-2.0),
        high: Vector::splat(2.0),
    };
    check_shape(Arc::new(sampled.clone()), &region, &known).unwrap();
    // Close to the surface it is the ball, to the second order; nowhere is it farther.
    for i in 0..4000 {
        let x = Vector([(i % 61) as f64 / 15.0 - 2.0, (i / 61) as f64 / 16.0 - 2.0]);
        let (d, e) = (ball.distance(&x), sampled.distance(&x));
        assert!(e.abs() <= d.abs() + 1e-3, "{x:?} {d} {e}");
        assert!(
            d.abs() > 0.08 || (e - d).abs() < 2e-3 + 0.02 * d.abs(),
            "{x:?} {d} {e}"
        );
    }
    let cut = Lattice::<2>::new(Vector::zero(), 0.1, [10, 10]).unwrap();
    assert!(LevelSet::sample_on(&ball, cut).is_err());
}

/// A shape that says twice the distance, or half of it, or the wrong normal.
#[derive(Debug)]
struct Liar(Sphere<3>, f64, bool);

impl Shape<3> for Liar {
    fn distance(&self, x: &V3) -> f64 {
        self.1 * self.0.distance(x)
    }
    fn bounds(&self) -> Option<Bounds<3>> {
        self.0.bounds()
    }
    fn normal(&self, x: &V3) -> V3 {
        let n = self.0.normal(x);
        if self.2 {
            Vector([n[1], n[2], n[0]])
        } else {
            n
        }
    }
}

#[test]
fn liars_are_caught() {
    let liar = |s, n| Liar(Sphere::new(Vector::zero(), 1.0).unwrap(), s, n);
    let inside = |x: &V3| x.norm() < 1.0;
    assert!(try3(liar(1.0, false), ALL, &inside).is_ok());
    let caught = |l: Liar, word: &str| {
        let e = try3(l, ALL, &inside).unwrap_err();
        assert!(e.contains(word), "{e}");
    };
    caught(liar(2.0, false), "changes by");
    caught(liar(0.5, false), "not on the surface");
    caught(liar(-1.0, false), "wrong sign");
    caught(liar(1.0, true), "gradient");
    assert!(try3(liar(0.5, false), 0.0, &inside).is_ok());
}

#[test]
fn normals_where_there_is_no_gradient() {
    let o = Vector::zero();
    let y = Vector([0.0, 1.0, 0.0]);
    let ball: Arc<dyn Shape<3>> = Arc::new(Sphere::new(o, 1.0).unwrap());
    let shapes: Vec<Arc<dyn Shape<3>>> = vec![
        ball.clone(),
        Arc::new(Cuboid::new(o, Vector::splat(1.0)).unwrap()),
        Arc::new(Capsule::new(o, y, 1.0).unwrap()),
        Arc::new(Capsule::new(o, o, 1.0).unwrap()),
        Arc::new(Cylinder::new(o, y, 1.0, 2.0).unwrap()),
        Arc::new(Torus::new(o, y, 1.0, 0.5).unwrap()),
        Arc::new(Union::new(vec![ball.clone()]).unwrap()),
        Arc::new(Shell::new(ball.clone(), 0.1).unwrap()),
        Arc::new(LevelSet::sample(&*ball, 0.1).unwrap()),
    ];
    let points = [
        o,
        y,
        Vector([1.0, 0.0, 0.0]),
        Vector::splat(1.0),
        y * 0.5,
        y * 1e9,
    ];
    for s in &shapes {
        for x in &points {
            assert!((s.normal(x).norm() - 1.0).abs() < 1e-9, "{s:?} at {x:?}");
        }
        // Nonsense in must not end the program.
        let nan = Vector([f64::NAN, 0.0, f64::INFINITY]);
        let _ = (s.distance(&nan), s.normal(&nan));
    }
}

#[test]
fn nonsense_is_refused() {
    let o = Vector::<f64, 3>::zero();
    assert!(Sphere::new(o, -1.0).is_err());
    assert!(Sphere::new(Vector([f64::NAN, 0.0, 0.0]), 1.0).is_err());
    assert!(Cuboid::new(o, Vector([1.0, 0.0, 1.0])).is_err());
    assert!(HalfSpace::new(o, o).is_err());
    assert!(Torus::new(o, Vector::axis(0), 1.0, 2.0).is_err());
    assert!(
        Polygon::new(vec![
            Vector([0.0, 0.0]),
            Vector([1.0, 1.0]),
            Vector([2.0, 2.0])
        ])
        .is_err()
    );
    assert!(Polygon::new(vec![]).is_err());
    assert!(Union::<2>::new(vec![]).is_err());
    assert!(HeightField::<3>::new(o, 1.0, &[2, 2], 1, vec![0.0; 3]).is_err());
    assert!(HeightField::<2>::new(Vector::zero(), 1.0, &[2], 1, vec![0.0, f64::NAN]).is_err());
    let e = Sphere::new(o, -1.0).unwrap_err().to_string();
    assert_eq!(
        e,
        "radius of the sphere is -1: it must be a positive number"
    );
}
