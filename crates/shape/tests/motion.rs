//! Motions are consistent with themselves, deforming obstacles with rigid ones.

use std::sync::Arc;

use thixo_math::{Matrix, Vector};
use thixo_shape::*;

type V3 = Vector<f64, 3>;

fn turn(axis: [f64; 3], angle: f64) -> Pose<3> {
    Pose::<3>::turned(Vector(axis), angle).unwrap()
}

#[test]
fn turns_and_their_logarithms() {
    let axis = Vector([0.3, -0.5, 0.8]).unit().unwrap();
    for angle in [0.0, 1e-9, 1e-5, 0.1, 1.0, 3.0, 3.13, std::f64::consts::PI] {
        let r = rotation_of(&spin_3d(axis * angle));
        assert!((r.transpose_times(&r) - Matrix::identity()).max_abs() < 1e-14);
        let again = rotation_of(&turn_of(&r));
        assert!((again - r).max_abs() < 1e-8, "{angle}");
        let r = rotation_of(&spin_2d(angle));
        assert!((rotation_of(&turn_of(&r)) - r).max_abs() < 1e-8, "{angle}");
    }
    let quarter = Pose::<2>::turned(std::f64::consts::FRAC_PI_2);
    assert!((quarter.apply(&Vector([1.0, 0.0])) - Vector([0.0, 1.0])).norm() < 1e-15);
}

fn motions() -> Vec<Motion<3>> {
    let keys = vec![
        Pose::identity(),
        turn([0.0, 0.0, 1.0], 2.0).moved(Vector([1.0, 0.0, 0.0])),
        turn([1.0, 0.0, 1.0], -1.0).moved(Vector([1.0, 2.0, 0.0])),
    ];
    let hinged = Keys::new(vec![0.0, 1.0, 3.0], keys.clone(), false).unwrap();
    let hinged = hinged.about(Vector([0.4, -1.0, 0.7]));
    let path = |t: f64| {
        let pose = turn([0.0, 1.0, 0.0], t.sin()).moved(Vector([t * t, 0.0, 0.0]));
        let twist = Twist {
            linear: Vector([2.0 * t, 0.0, 0.0]),
            spin: spin_3d(Vector([0.0, t.cos(), 0.0])),
        };
        (pose, twist)
    };
    vec![
        Motion::Fixed,
        Motion::Moving {
            velocity: Vector([1.0, 0.5, 0.0]),
            spin: spin_3d(Vector([0.2, 1.0, -0.4])),
            pivot: Vector([0.0, 1.0, 2.0]),
        },
        Motion::Keyframed(Keys::new(vec![0.0, 1.0, 3.0], keys.clone(), false).unwrap()),
        Motion::Keyframed(Keys::new(vec![0.0, 1.0, 3.0], keys, true).unwrap()),
        Motion::Path(Arc::new(path)),
        Motion::Keyframed(hinged),
    ]
}

#[test]
fn a_door_stays_on_its_hinge() {
    let hinge = Vector([1.0, 0.0]);
    let open = Pose::<2>::turned(2.0);
    let open = open.moved(hinge - open.apply(&hinge));
    let keys = Keys::new(vec![0.0, 1.0], vec![Pose::identity(), open], false).unwrap();
    for t in [0.0, 0.2, 0.5, 0.9, 1.0] {
        let at = |k: &Keys<2>| Motion::Keyframed(k.clone()).pose(t).apply(&hinge);
        assert!(
            (at(&keys.clone().about(hinge)) - hinge).norm() < 1e-12,
            "{t}"
        );
        // Without the pivot it leaves it: the check can fail.
        assert!(t != 0.5 || (at(&keys) - hinge).norm() > 0.1);
    }
}

#[test]
fn velocity_is_the_derivative_of_place() {
    let ball = Arc::new(Sphere::new(Vector([0.5, 0.0, 0.0]), 0.3).unwrap());
    for motion in motions() {
        let o = Rigid::new(ball.clone(), motion).unwrap();
        for k in 0..40 {
            let t = -0.55 + 0.1 * k as f64;
            let x: V3 = Vector([0.3, 0.2 * k as f64, -1.0]);
            let h = 1e-5;
            let v = (o.carry(&x, t, t + h) - o.carry(&x, t, t - h)) / (2.0 * h);
            assert!((v - o.velocity(&x, t)).norm() < 1e-6, "{o:?} {t}");
            // Carried along, the distance stays; and it changes no faster than the bound.
            let (a, b) = (t, t + 0.3);
            let there = o.carry(&x, a, b);
            assert!((o.distance(&there, b) - o.distance(&x, a)).abs() < 1e-9);
            let change = (o.distance(&x, b) - o.distance(&x, a)).abs();
            assert!(change <= 0.3 * o.speed_bound(&x, 0.0, a, b) + 1e-12);
        }
    }
    // Clamped at the ends, or again from the start.
    let m = motions();
    assert_eq!(m[2].pose(9.0), m[2].pose(3.0));
    assert_eq!(m[2].twist(9.0), Twist::zero());
    assert!((m[3].pose(3.5).translation - m[3].pose(0.5).translation).norm() < 1e-12);
    assert!(Keys::<2>::new(vec![1.0, 0.0], vec![Pose::identity(); 2], false).is_err());
    assert!(Keys::<2>::new(vec![], vec![], false).is_err());
}

fn cube(offset: V3, scale: f64) -> Vec<V3> {
    (0..8)
        .map(|i| Vector::from_fn(|a| scale * ((i >> a & 1) as f64 - 0.5)) + offset)
        .collect()
}
const SIDES: [[u32; 3]; 12] = [
    [0, 2, 1],
    [1, 2, 3],
    [4, 5, 6],
    [5, 7, 6],
    [0, 1, 4],
    [1, 5, 4],
    [2, 6, 3],
    [3, 6, 7],
    [0, 4, 2],
    [2, 4, 6],
    [1, 3, 5],
    [3, 7, 5],
];

#[test]
fn deforming_like_rigid() {
    // A mesh that only moves must be the moving box, between its keys too.
    let d = Vector([0.4, 0.1, 0.0]);
    let keys = [cube(Vector::zero(), 1.0), cube(d, 1.0)];
    let o = Deforming::from_meshes("cube", &SIDES, &[0.0, 1.0], &keys, 0.05).unwrap();
    let cube_shape = Arc::new(Cuboid::new(Vector::zero(), Vector::splat(0.5)).unwrap());
    let motion = Motion::Moving {
        velocity: d,
        spin: Matrix::zero(),
        pivot: Vector::zero(),
    };
    let rigid = Rigid::new(cube_shape, motion).unwrap();
    let mut worst: f64 = 0.0;
    for i in 0..2000 {
        let x = Vector([i % 13, i / 13 % 13, i / 169].map(f64::from)) * 0.1 - Vector::splat(0.6);
        for t in [0.0, 0.25, 0.5, 1.0] {
            let e = rigid.distance(&x, t);
            // Sampling rounds off the edges of the box by a fraction of the spacing.
            if e.abs() < 0.1 {
                worst = worst.max((o.distance(&x, t) - e).abs() - 0.45 * e.abs());
            }
            assert!((o.velocity(&x, t) - d).norm() < 1e-12);
        }
    }
    assert!(worst < 0.02, "{worst}");
    assert_eq!(o.velocity(&Vector::zero(), 2.0), Vector::zero());
    assert_eq!(
        o.distance(&Vector::zero(), 2.0),
        o.distance(&Vector::zero(), 1.0)
    );
}

#[test]
fn growing() {
    // A cube that grows to twice its size: halfway it is half as large again, its faces go outward.
    let keys = [cube(Vector::zero(), 1.0), cube(Vector::zero(), 2.0)];
    let o = Deforming::from_meshes("cube", &SIDES, &[0.0, 2.0], &keys, 0.05).unwrap();
    let face = Vector([0.75, 0.1, 0.1]);
    assert!(
        o.distance(&face, 1.0).abs() < 0.03,
        "{}",
        o.distance(&face, 1.0)
    );
    assert!(
        (o.velocity(&face, 1.0) - Vector([0.25, 0.0, 0.0])).norm() < 0.06,
        "{:?}",
        o.velocity(&face, 1.0)
    );
    assert!((o.normal(&face, 1.0) - Vector::axis(0)).norm() < 0.05);
    // A point in its way is caught, and stays outside.
    let x = Vector([0.8, 0.0, 0.0]);
    assert!(sweep(&o, &x, 0.0, &x, 2.0).is_some());
    assert!(sweep(&o, &(x * 2.0), 0.0, &(x * 2.0), 2.0).is_none());
    let c = [Collider {
        name: "cube".into(),
        obstacle: Box::new(o),
        contact: Contact::Slip,
    }];
    let (mut at, mut v) = (x, Vector::zero());
    for step in 0..20 {
        let from = at;
        at += v * 0.1;
        resolve(&c, &from, 0.1 * step as f64, &mut at, &mut v, 0.1, 1e-3);
    }
    assert!(at[0] > 0.99, "{at:?}");
    let two = [cube(Vector::zero(), 1.0)];
    assert!(Deforming::from_meshes("cube", &SIDES, &[0.0, 1.0], &two, 0.1).is_err());
}

#[test]
fn level_set_keys() {
    let key = |time: f64, r: f64| {
        let lattice = Lattice::<2>::new(Vector::splat(-2.0), 0.05, [81, 81]).unwrap();
        let ball = Sphere::new(Vector::zero(), r).unwrap();
        LevelSetKey {
            time,
            shape: LevelSet::sample_on(&ball, lattice).unwrap(),
            velocity: VelocityField::sample(lattice, |x| {
                x.unit().unwrap_or_else(Vector::zero) * 0.5
            })
            .unwrap(),
        }
    };
    let o = Deforming::new(vec![key(0.0, 0.5), key(1.0, 1.0)]).unwrap();
    for (t, r) in [(0.0, 0.5), (0.5, 0.75), (1.0, 1.0)] {
        let x = Vector([0.6, 0.8]) * r;
        assert!(o.distance(&x, t).abs() < 2e-3, "{t}: {}", o.distance(&x, t));
        assert!((o.normal(&x, t) - Vector([0.6, 0.8])).norm() < 0.05);
    }
    assert!(Deforming::new(vec![key(0.0, 0.5)]).is_err());
}
