//! Sweeps, resolution of particle paths and contact laws in corners.

use std::sync::Arc;

use thixo_math::Vector;
use thixo_shape::*;

type V2 = Vector<f64, 2>;
type V3 = Vector<f64, 3>;

fn wall<const D: usize>(p: [f64; D], n: [f64; D], contact: Contact) -> Collider<D> {
    let shape = HalfSpace::new(Vector(p), Vector(n)).unwrap();
    Collider::rigid("wall", Arc::new(shape), Motion::Fixed, contact).unwrap()
}
fn block<const D: usize>(low: [f64; D], high: [f64; D]) -> Arc<dyn Shape<D>> {
    Arc::new(Cuboid::from_corners(Vector(low), Vector(high)).unwrap())
}
struct Random(u64);
impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64 * 2.0 - 1.0
    }
    fn vector<const D: usize>(&mut self) -> Vector<f64, D> {
        Vector::from_fn(|_| self.next())
    }
}

#[test]
fn friction_that_makes_no_sense_is_refused() {
    let ball = || Arc::new(Sphere::<2>::new(Vector([0.0, 0.0]), 1.0).unwrap());
    let made = |friction| {
        let contact = Contact::Separating { friction };
        Collider::rigid("ball", ball(), Motion::Fixed, contact)
    };
    assert!(made(0.0).is_ok() && made(f64::INFINITY).is_ok());
    for friction in [-0.1, f64::NAN] {
        let e = made(friction).unwrap_err().to_string();
        assert!(
            e.starts_with("friction is") && e.contains("zero or more"),
            "{e}"
        );
    }
}

#[test]
fn thin_walls_are_seen() {
    // A plate of 1/1000, and of a millionth, of the path.
    for thickness in [1e-3, 1e-6] {
        let plate = Rigid::fixed(block([0.5, -1.0, -1.0], [0.5 + thickness, 1.0, 1.0]));
        let mut r = Random(3);
        for _ in 0..500 {
            let from = Vector([0.0, 0.3 * r.next(), 0.3 * r.next()]);
            let to = Vector([1.0, 0.3 * r.next(), 0.3 * r.next()]);
            let hit = sweep(&plate, &from, 0.0, &to, 1.0).expect("passed through");
            assert!((hit.x[0] - 0.5).abs() < 1e-6, "{hit:?}");
            assert!((hit.s - 0.5).abs() < 1e-6 && (hit.t - 0.5).abs() < 1e-6);
            assert!((hit.normal - Vector([-1.0, 0.0, 0.0])).norm() < 1e-6);
            // Back the other way, and past it.
            assert!(sweep(&plate, &to, 0.0, &from, 1.0).is_some());
            assert!(
                sweep(
                    &plate,
                    &(from + Vector::axis(1) * 2.0),
                    0.0,
                    &(to + Vector::axis(1) * 2.0),
                    1.0
                )
                .is_none()
            );
        }
    }
}

#[test]
fn moving_walls_are_seen_by_points_at_rest() {
    let plate = block([-0.0005, -1.0], [0.0005, 1.0]);
    let motion = Motion::Moving {
        velocity: Vector([1.0, 0.0]),
        spin: spin_2d(0.0),
        pivot: Vector::zero(),
    };
    let o = Rigid::new(plate.clone(), motion).unwrap();
    let x = Vector([0.5, 0.1]);
    let hit = sweep(&o, &x, 0.0, &x, 1.0).unwrap();
    assert!((hit.t - 0.4995).abs() < 1e-6, "{hit:?}");
    assert!(sweep(&o, &x, 0.0, &x, 0.4).is_none());
    // Running away faster than the wall.
    assert!(sweep(&o, &x, 0.0, &Vector([2.0, 0.1]), 1.0).is_none());
    // A blade that turns by a quarter in one step.
    let motion = Motion::Moving {
        velocity: Vector::zero(),
        spin: spin_2d(std::f64::consts::FRAC_PI_2),
        pivot: Vector::zero(),
    };
    let blade = Rigid::new(plate, motion).unwrap();
    let x = Vector([-0.5, 0.5]);
    let hit = sweep(&blade, &x, 0.0, &x, 1.0).unwrap();
    assert!((hit.t - 0.5).abs() < 1e-2, "{hit:?}");
}

#[test]
fn a_floor_with_a_thin_fence() {
    // Sliding on the floor into a thin wall that is part of the same obstacle.
    let shape = Union::new(vec![
        block([-2.0, -1.0], [2.0, 0.0]),
        block([0.5, -0.5], [0.501, 1.0]),
    ]);
    let o = Rigid::fixed(Arc::new(shape.unwrap()));
    for height in [0.0, 1e-9, 1e-5, 1e-3, 0.1] {
        let hit = sweep(&o, &Vector([0.0, height]), 0.0, &Vector([1.0, height]), 1.0);
        let hit = hit.unwrap_or_else(|| panic!("passed at {height}"));
        assert!((hit.x[0] - 0.5).abs() < 0.01, "{height} {hit:?}");
    }
    // Along the floor where there is nothing.
    assert!(sweep(&o, &Vector([-1.0, 0.0]), 0.0, &Vector([0.0, 0.0]), 1.0).is_none());
}

/// Moves a point and says where it ends and with what velocity.
fn go<const D: usize>(
    c: &[Collider<D>],
    x: [f64; D],
    v: [f64; D],
    dt: f64,
) -> (Vector<f64, D>, Vector<f64, D>, u32) {
    let (x0, mut v) = (Vector(x), Vector(v));
    let mut x1 = x0 + v * dt;
    let r = resolve(c, &x0, 0.0, &mut x1, &mut v, dt, 1e-4);
    for c in c {
        let d = c.obstacle.distance(&x1, dt);
        assert!(d > -1e-4, "{} deep in {}", -d, c.name);
    }
    (x1, v, r.hits)
}

#[test]
fn corners_of_two_and_three_walls() {
    let slip = Contact::Separating { friction: 0.0 };
    let floor = wall([0.0, 0.0, 0.0], [0.0, 1.0, 0.0], slip);
    let left = wall([0.0, 0.0, 0.0], [1.0, 0.0, 0.0], slip);
    let back = wall([0.0, 0.0, 0.0], [0.0, 0.0, 1.0], slip);
    let two = [floor, left];
    let (x, v, hits) = go(&two, [1.0, 1.0, 1.0], [-3.0, -2.0, 0.5], 1.0);
    assert!(
        hits >= 2 && (x - Vector([0.0, 0.0, 1.5])).norm() < 1e-3,
        "{x:?}"
    );
    assert!((v - Vector([0.0, 0.0, 0.5])).norm() < 1e-9, "{v:?}");
    let [floor, left] = two;
    let three = [floor, left, back];
    let (x, v, _) = go(&three, [1.0, 1.0, 1.0], [-3.0, -2.0, -5.0], 1.0);
    assert!(x.norm() < 1e-3 && v.norm() < 1e-9, "{x:?} {v:?}");
    // Far from everything nothing happens.
    let (x, _, hits) = go(&three, [9.0, 9.0, 9.0], [-1.0, -2.0, -3.0], 1.0);
    assert_eq!((x, hits), (Vector([8.0, 7.0, 6.0]), 0));
}

#[test]
fn acute_wedges_hold() {
    // Two planes at 4° to each other, points shot into the edge.
    let a = 2f64.to_radians();
    let laws = [
        Contact::Slip,
        Contact::Sticky,
        Contact::Separating { friction: 0.0 },
        Contact::Separating { friction: 0.5 },
    ];
    for law in laws {
        let wedge = [
            wall([0.0, 0.0], [-a.sin(), a.cos()], law),
            wall([0.0, 0.0], [-a.sin(), -a.cos()], law),
        ];
        // Matter is at x < 0, between the planes y = ± x tan a.
        let mut r = Random(9);
        for _ in 0..300 {
            let x = [-1.0, 0.01 * r.next()];
            let (x, v, _) = go(&wedge, x, [3.0 + 2.0 * r.next(), r.next()], 1.0);
            let at_edge = x[0] > -1e-3;
            assert!(
                x[0] < 0.01 && (!at_edge || v[0] <= 1e-9),
                "{law:?} {x:?} {v:?}"
            );
        }
    }
}

#[test]
fn boxes_keep_their_points() {
    // A closed box of thin plates, turning and moving; points inside with any velocity stay inside.
    let plates = vec![
        block([-1.0, -1.0], [-0.999, 1.0]),
        block([0.999, -1.0], [1.0, 1.0]),
        block([-1.0, -1.0], [1.0, -0.999]),
        block([-1.0, 0.999], [1.0, 1.0]),
    ];
    let motion = Motion::Moving {
        velocity: Vector([2.0, -1.0]),
        spin: spin_2d(3.0),
        pivot: Vector([0.5, 0.0]),
    };
    let laws = [
        Contact::Slip,
        Contact::Sticky,
        Contact::Separating { friction: 0.3 },
    ];
    let dt = 0.02;
    for law in laws {
        // Once as one obstacle, once as four.
        let whole: Arc<dyn Shape<2>> = Arc::new(Union::new(plates.clone()).unwrap());
        let one = vec![Collider::rigid("box", whole, motion.clone(), law).unwrap()];
        let four = plates.iter();
        let four = four.map(|p| Collider::rigid("plate", p.clone(), motion.clone(), law).unwrap());
        for colliders in [one, four.collect()] {
            let mut r = Random(17);
            for _ in 0..200 {
                let mut x: V2 = r.vector::<2>() * 0.99;
                let mut v: V2 = r.vector::<2>() * 30.0;
                for step in 0..25 {
                    let t = step as f64 * dt;
                    let mut to = x + v * dt;
                    resolve(&colliders, &x, t, &mut to, &mut v, dt, 1e-4);
                    x = to;
                    let home = motion.pose(t + dt).back(&x);
                    assert!(
                        home.max_abs() < 0.9992,
                        "{law:?} out at {home:?} step {step} of {}",
                        colliders.len()
                    );
                    assert!(x.finite() && v.finite());
                }
            }
        }
    }
}

#[test]
fn closing_jaws_and_points_inside() {
    let jaw = |sign: f64| {
        let motion = Motion::Moving {
            velocity: Vector([-sign, 0.0]),
            spin: spin_2d(0.0),
            pivot: Vector::zero(),
        };
        let shape = HalfSpace::new(Vector([sign, 0.0]), Vector([-sign, 0.0])).unwrap();
        Collider::rigid("jaw", Arc::new(shape), motion, Contact::Slip).unwrap()
    };
    // Not closed yet: between them. Closed: somewhere finite.
    for dt in [0.9, 1.5] {
        let mut v = Vector([0.3, 0.1]);
        let mut x = Vector([0.0, 0.0]) + v * dt;
        resolve(
            &[jaw(1.0), jaw(-1.0)],
            &Vector::zero(),
            0.0,
            &mut x,
            &mut v,
            dt,
            1e-4,
        );
        assert!(x.finite() && v.finite());
        assert!(dt > 1.0 || x[0].abs() < 0.1001, "{x:?}");
    }
    // Inside at the start: out by the shortest way.
    let floor = [wall(
        [0.0, 0.0],
        [0.0, 1.0],
        Contact::Separating { friction: 0.1 },
    )];
    let (x, v, hits) = go(&floor, [0.0, -0.3], [1.0, -1.0], 0.1);
    assert!(hits > 0 && x[1] > -1e-4 && v[1] >= 0.0, "{x:?} {v:?}");
    // Not a number in: no end of the program, nothing done.
    let mut x = Vector([f64::NAN, 0.0]);
    let r = resolve(
        &floor,
        &Vector::zero(),
        0.0,
        &mut x,
        &mut Vector::zero(),
        0.1,
        1e-4,
    );
    assert_eq!(r.hits, 0);
}

#[test]
fn nodes_in_corners() {
    let (slip, free) = (Contact::Slip, Contact::Separating { friction: 0.0 });
    for law in [slip, free] {
        let floor = wall([0.0; 3], [0.0, 1.0, 0.0], law);
        let slope = wall([0.0; 3], [1.0, 1.0, 0.0], law);
        let back = wall([0.0; 3], [0.0, 0.3, 1.0], law);
        let o = Vector::zero();
        let v = Vector([-1.0, -2.0, -0.7]);
        let two = [floor, slope];
        let u = constrain_velocity(&two, &o, 0.0, &v, 0.0);
        assert!((u - Vector([0.0, 0.0, -0.7])).norm() < 1e-12, "{u:?}");
        let [floor, slope] = two;
        let u = constrain_velocity(&[floor, slope, back], &o, 0.0, &v, 0.0);
        assert!(u.norm() < 1e-12, "{u:?}");
    }
    // Out of all of them a separating corner lets go, a slip one does not.
    let corner = |law| {
        [
            wall([0.0; 2], [0.0, 1.0], law),
            wall([0.0; 2], [1.0, 0.0], law),
        ]
    };
    let v = Vector([1.0, 2.0]);
    assert_eq!(
        constrain_velocity(&corner(free), &Vector::zero(), 0.0, &v, 0.0),
        v
    );
    assert!(constrain_velocity(&corner(slip), &Vector::zero(), 0.0, &v, 0.0).norm() < 1e-12);
    // Away from the wall, none.
    assert_eq!(
        constrain_velocity(&corner(slip), &Vector([1.0, 1.0]), 0.0, &v, 0.5),
        v
    );
}

#[test]
fn no_contact_is_offended_and_friction_never_reverses() {
    let mut r = Random(5);
    for round in 0..3000 {
        let n = 1 + round % 3;
        let touches: Vec<Touch<3>> = (0..n)
            .map(|_| Touch {
                normal: (r.vector::<3>() + Vector([0.0, 1.2, 0.0])).unit().unwrap(),
                velocity: if round % 2 == 0 {
                    Vector::zero()
                } else {
                    r.vector()
                },
                contact: Contact::Separating {
                    friction: r.next().abs(),
                },
            })
            .collect();
        let v: V3 = r.vector::<3>() * 3.0;
        let u = meet(&touches, &v);
        for t in &touches {
            let vn = (u - t.velocity).dot(&t.normal);
            assert!(vn > -1e-9, "{vn} {touches:?} {v:?}");
        }
        // Against walls at rest contact takes energy, and what slides keeps its way.
        if round % 2 == 0 {
            assert!(u.norm() <= v.norm() + 1e-12);
            let free: Vec<_> = touches
                .iter()
                .map(|t| Touch {
                    contact: Contact::Separating { friction: 0.0 },
                    ..*t
                })
                .collect();
            assert!(u.dot(&meet(&free, &v)) >= -1e-12);
        }
    }
    // Friction cone on one plane: sticks below the angle of friction, slides above.
    let plane = |friction| {
        [Touch {
            normal: Vector([0.0, 1.0]),
            velocity: Vector::zero(),
            contact: Contact::Separating { friction },
        }]
    };
    assert_eq!(meet(&plane(0.5), &Vector([0.4, -1.0])), Vector::zero());
    assert!((meet(&plane(0.5), &Vector([0.6, -1.0])) - Vector([0.1, 0.0])).norm() < 1e-12);
}

#[test]
fn a_turning_cup_of_triangles_keeps_its_points_and_without_resolve_it_does_not() {
    // A hollow cube: a mesh with a cavity, walls of 2 mm, tumbling.
    let cube = |h: f64, inward: bool| {
        let sides = [
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
        let at = |i: usize| Vector::from_fn(|a| h * (2.0 * (i >> a & 1) as f64 - 1.0));
        let turn = |[a, b, c]: [u32; 3]| if inward { [a, c, b] } else { [a, b, c] };
        ((0..8).map(at).collect::<Vec<V3>>(), sides.map(turn))
    };
    let (mut vertices, outer) = cube(0.5, false);
    let (inside, inner) = cube(0.498, true);
    vertices.extend(inside);
    let mut triangles = outer.to_vec();
    triangles.extend(inner.map(|t| t.map(|i| i + 8)));
    let hollow = Arc::new(
        Mesh::new(
            "hollow",
            &MeshData {
                vertices,
                triangles,
            },
        )
        .unwrap(),
    );
    assert!(hollow.distance(&Vector::zero()) > 0.49);
    let motion = Motion::Moving {
        velocity: Vector([0.0, 1.0, 0.0]),
        spin: spin_3d(Vector([3.0, 1.0, -2.0])),
        pivot: Vector::zero(),
    };
    let law = Contact::Separating { friction: 0.2 };
    let c = [Collider::rigid("hollow", hollow, motion.clone(), law).unwrap()];
    let (dt, mut r, mut lost) = (0.01, Random(2), 0);
    for _ in 0..40 {
        let (mut x, mut v): (V3, V3) = (r.vector::<3>() * 0.49, r.vector::<3>() * 20.0);
        let (mut free, w) = (x, v);
        for step in 0..25 {
            let t = f64::from(step) * dt;
            let mut to = x + v * dt;
            resolve(&c, &x, t, &mut to, &mut v, dt, 1e-4);
            x = to;
            free += w * dt;
            let home = motion.pose(t + dt).back(&x);
            assert!(home.max_abs() < 0.4982, "out at {home:?}, step {step}");
        }
        lost += usize::from(motion.pose(25.0 * dt).back(&free).max_abs() > 0.5);
    }
    assert!(lost > 30, "{lost}");
}
