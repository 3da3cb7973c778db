//! Derivatives against differences, for every energy; same bits on any threads and after a restart.

use std::sync::Arc;

use thixo_core::{Snapshot, Step, System};
use thixo_grid::transfer::Scheme;
use thixo_grid::{Domain, KernelKind, Medium};
use thixo_material::{Values, card};
use thixo_math::{Matrix, Vector};
use thixo_numerics::points::dot;
use thixo_numerics::{Dynamics, Point};
use thixo_shape::{Collider, Contact, HalfSpace, Motion, Shape, Sphere, Union};

use crate::lagrangian::Elastic;
use crate::lattice::lattice;
use crate::mutual::Collisions;
use crate::penalty::Penalty;
use crate::{Cloth, Mesh, Mutual, Options, Sheet, Way, named_matter};

/// A number in 0..1 after the last.
fn number(state: &mut u64) -> f64 {
    *state = state
        .wrapping_mul(6364136223846793005)
        .wrapping_add(1442695040888963407);
    (*state >> 11) as f64 / (1u64 << 53) as f64
}

fn law<const D: usize>(name: &str) -> Box<dyn crate::Matter<f64, D>> {
    let info = card(name).unwrap();
    let given: &[(&str, f64)] = match name {
        "liquid" => &[("bulk_modulus", 1e4), ("viscosity", 20.0)],
        "von-mises" => &[
            ("youngs_modulus", 1e4),
            ("poissons_ratio", 0.3),
            ("yield_stress", 100.0),
        ],
        _ => &[("youngs_modulus", 1e4), ("poissons_ratio", 0.3)],
    };
    let given = given
        .iter()
        .filter(|(k, _)| info.params.iter().any(|p| p.name == *k));
    let values = Values::new(info, given.copied()).unwrap();
    named_matter(name, &values).unwrap().unwrap()
}

/// Bodies of elements of a law and a piece of cloth, a little out of shape and moving.
fn some<const D: usize>(name: &str, options: Options) -> Mesh<f64, D> {
    let mut mesh = Mesh::new("mesh", options);
    let mut seed = 3;
    let (points, cells) = lattice::<D>(Vector::zero(), [2; D], 0.25);
    let body = mesh
        .add_solid("solid", &points, &cells, law(name), 1000.0)
        .unwrap();
    let sheet = Sheet::grid(3, if D == 2 { 1 } else { 3 }, |i, j| {
        Vector::from_fn(|a| match a {
            0 => 1.0 + 0.2 * i as f64,
            1 => 0.2 * j as f64,
            _ => 0.1,
        })
    })
    .unwrap();
    let cloth = Cloth {
        density: 0.3,
        stretch: 50.0,
        shear: 20.0,
        bend: 5.0,
    };
    let other = mesh.add_sheet("cloth", &sheet, &cloth).unwrap();
    for b in [body, other] {
        mesh.place(b, |_, x| {
            let x = *x + Vector::from_fn(|_| 0.05 * (number(&mut seed) - 0.5));
            (x, Vector::from_fn(|_| number(&mut seed) - 0.5))
        })
        .unwrap();
    }
    mesh.limits(&Domain::new(0.1).unwrap()).unwrap();
    mesh
}

fn random(n: usize, d: usize, size: f64, seed: &mut u64) -> Vec<Point<f64>> {
    let mut p = vec![[0.0; 4]; n];
    for x in &mut p {
        x[..d]
            .iter_mut()
            .for_each(|x| *x = size * (number(seed) - 0.5));
    }
    p
}

fn along(v: &[Point<f64>], s: f64, d: &[Point<f64>]) -> Vec<Point<f64>> {
    let mut to = v.to_vec();
    thixo_numerics::points::add_scaled(&mut to, s, d);
    to
}

/// Slope, curvature, symmetry, diagonal and the order of the Taylor remainder.
fn check<const D: usize>(what: &str, f: &mut dyn Dynamics<f64, D>, v: &[Point<f64>], size: f64) {
    let mut seed = 11;
    let (n, none) = (v.len(), vec![[0.0; 4]; v.len()]);
    let (d, o) = (random(n, D, size, &mut seed), random(n, D, size, &mut seed));
    let mut g = none.clone();
    let e = f.gradient(v, &mut g);
    assert!((e - f.energy(v)).abs() <= 1e-13 * e.abs(), "{what}: energy");
    let slope = dot(&g, &d);
    // Fourth order.
    let at = |s: f64, f: &mut dyn Dynamics<f64, D>| f.energy(&along(v, s, &d));
    let h = 1e-3;
    let found = (8.0 * (at(h, f) - at(-h, f)) - (at(2.0 * h, f) - at(-2.0 * h, f))) / (12.0 * h);
    let scale = dot(&g, &g).sqrt() * dot(&d, &d).sqrt();
    assert!(
        (found - slope).abs() < 1e-8 * scale,
        "{what}: slope {slope} {found}"
    );
    let gradient = |s: f64, f: &mut dyn Dynamics<f64, D>| {
        let mut g = none.clone();
        f.gradient(&along(v, s, &d), &mut g);
        g
    };
    let four = [h, -h, 2.0 * h, -2.0 * h].map(|s| gradient(s, f));
    f.linearise(v, false);
    let (mut a, mut b) = (none.clone(), none.clone());
    f.product(&d, &mut a);
    f.product(&o, &mut b);
    let mut off: f64 = 0.0;
    for i in 0..n {
        for k in 0..D {
            let [p, m, pp, mm] = [0, 1, 2, 3].map(|q| four[q][i][k]);
            let found = (8.0 * (p - m) - (pp - mm)) / (12.0 * h);
            off = off.max((found - a[i][k]).abs());
        }
    }
    let most = a.iter().flatten().fold(0.0, |m: f64, x| m.max(x.abs()));
    assert!(
        off < 1e-7 * most,
        "{what}: curvature off by {off} of {most}"
    );
    let (x, y) = (dot(&a, &o), dot(&b, &d));
    let size_of = dot(&a, &a).sqrt() * dot(&o, &o).sqrt();
    assert!((x - y).abs() < 1e-12 * size_of, "{what}: symmetry");
    // The remainder of second order falls with the third power.
    let rest =
        |s: f64, f: &mut dyn Dynamics<f64, D>| at(s, f) - e - s * slope - 0.5 * s * s * dot(&a, &d);
    let (long, short) = (rest(0.1, f), rest(0.05, f));
    if long.abs() > 1e-9 * e.abs() {
        let order = (long / short).abs().log2();
        assert!(order > 2.7, "{what}: order {order}");
    }
    // Blocks on the diagonal, by products with unit vectors.
    let mut blocks = vec![Matrix::<f64, D>::zero(); n];
    f.diagonal(&mut blocks);
    for i in (0..n).step_by(1 + n / 20) {
        for k in 0..D {
            let mut unit = none.clone();
            unit[i][k] = 1.0;
            let mut to = none.clone();
            f.product(&unit, &mut to);
            for j in 0..D {
                let off = (to[i][j] - blocks[i][(j, k)]).abs();
                assert!(off < 1e-10 * (1.0 + blocks[i].norm()), "{what}: diagonal");
            }
        }
    }
    // A definite one is nowhere negative.
    f.linearise(v, true);
    for _ in 0..20 {
        let x = random(n, D, 1.0, &mut seed);
        let mut to = none.clone();
        f.product(&x, &mut to);
        assert!(dot(&x, &to) >= -1e-10 * dot(&to, &to).sqrt(), "{what}");
    }
}

fn free<const D: usize>(name: &str, damping: f64) {
    let mut mesh = some::<D>(
        name,
        Options {
            damping,
            ..Options::default()
        },
    );
    mesh.lag(0.02);
    let mut seed = 5;
    let v = random(mesh.len(), D, 1.0, &mut seed);
    let mut elastic = Elastic {
        bodies: &mesh.bodies,
        shape: &mesh.now.shape,
        x0: &mesh.now.x,
        dt: 0.02,
        damping: (damping > 0.0).then_some((damping, mesh.lagged.as_slice())),
        x: &mut mesh.trial,
        answers: &mut mesh.answers,
    };
    check(&format!("{name} {D}"), &mut elastic, &v, 1.0);
}

#[test]
fn free_energies_have_their_derivatives() {
    for name in ["fixed-corotated", "neo-hookean", "hencky", "liquid"] {
        free::<2>(name, 0.0);
        free::<3>(name, 0.0);
    }
    free::<2>("fixed-corotated", 0.05);
    free::<3>("fixed-corotated", 0.05);
}

#[test]
fn energies_through_the_grid_have_their_derivatives() {
    for kernel in [KernelKind::Quadratic, KernelKind::Cubic] {
        through::<2>(kernel);
        through::<3>(kernel);
    }
}

fn through<const D: usize>(kernel: KernelKind) {
    let way = Way::Grid {
        kernel,
        scheme: Scheme::APIC,
        cfl: 0.5,
    };
    let options = Options {
        way,
        damping: 0.02,
        ..Options::default()
    };
    let mut mesh = some::<D>("fixed-corotated", options);
    mesh.pin(crate::BodyId(0), [0]).unwrap();
    let domain = Domain::new(0.13).unwrap();
    let gravity = Vector::zero();
    let s = Step {
        t: 0.0,
        dt: 0.02,
        domain: &domain,
        gravity: &gravity,
        colliders: &[],
        implicit: true,
    };
    let mut medium = Medium::new(domain, 1);
    mesh.sort(&domain);
    mesh.survey(&domain).unwrap();
    medium.layers[0].cover(&domain, &[mesh.layout()]);
    medium.layers[0].clear();
    mesh.scatter(&s, &mut medium).unwrap();
    let sum = medium.layers[0].nodes.iter().map(|n| n[3]).sum::<f64>();
    let mass: f64 = mesh.masses().iter().sum();
    assert!((sum - mass).abs() < 1e-12 * mass);
    let mut seed = 9;
    let v = random(medium.layers[0].nodes.len(), D, 1.0, &mut seed);
    let mut potential = mesh.dynamics(&s).unwrap();
    check(&format!("grid {kernel:?} {D}"), &mut *potential, &v, 1.0);
}

#[test]
fn penalties_have_their_derivatives() {
    let (points, cells) = lattice::<3>(Vector::zero(), [2; 3], 0.25);
    let mut mesh = Mesh::<f64, 3>::new("m", Options::default());
    mesh.add_solid("s", &points, &cells, law("hencky"), 1000.0)
        .unwrap();
    mesh.limits(&Domain::new(0.1).unwrap()).unwrap();
    // A ball and a wall as one obstacle, which has no formula for its distance.
    let ball = Sphere::new(Vector([0.1, -0.2, 0.3]), 0.35).unwrap();
    let wall = HalfSpace::new(Vector([0.45, 0.0, 0.0]), Vector([-1.0, 0.1, 0.0])).unwrap();
    let both = Union::new(vec![Arc::new(ball) as Arc<dyn Shape<3>>, Arc::new(wall)]).unwrap();
    let contact = Contact::Separating { friction: 0.3 };
    let collider = Collider::rigid("o", Arc::new(both), Motion::Fixed, contact).unwrap();
    assert!(!collider.obstacle.is_exact());
    let vertices = (mesh.now.x.as_slice(), mesh.firmness.as_slice());
    let mut penalty = Penalty::new(&[&collider], vertices, (0.0, 0.02), 0.25);
    let v = random(mesh.len(), 3, 1.0, &mut 5);
    assert!(Dynamics::<f64, 3>::energy(&mut penalty, &v) > 0.0);
    check::<3>("penalty", &mut penalty, &v, 0.5);
    // Downhill leads out: the printed +kφ³ attracts.
    let mut g = vec![[0.0; 4]; mesh.len()];
    penalty.gradient(&v, &mut g);
    let out = |i: usize| {
        let x = mesh.now.x[i] + Vector::from_fn(|a| 0.02 * v[i][a]);
        let n = collider.obstacle.normal(&x, 0.02);
        -(0..3).map(|a| g[i][a] * n[a]).sum::<f64>()
    };
    let pushed: Vec<f64> = (0..mesh.len()).map(out).filter(|f| *f != 0.0).collect();
    assert!(!pushed.is_empty() && pushed.iter().all(|f| *f > 0.0));
}

fn collisions<const D: usize>() {
    let mutual = Mutual {
        friction: 0.3,
        within: false,
    };
    let options = Options {
        mutual: Some(mutual),
        ..Options::default()
    };
    let mut mesh = Mesh::<f64, D>::new("m", options);
    let (points, cells) = lattice::<D>(Vector::zero(), [2; D], 0.25);
    mesh.add_solid("a", &points, &cells, law("hencky"), 1000.0)
        .unwrap();
    let low = Vector::from_fn(|a| 0.43 - 0.13 * a as f64);
    let (points, cells) = lattice::<D>(low, [3; D], 0.19);
    mesh.add_solid("b", &points, &cells, law("hencky"), 1000.0)
        .unwrap();
    let mut seed = 1;
    for v in &mut mesh.now.x {
        *v += Vector::from_fn(|_| 0.01 * number(&mut seed));
    }
    mesh.limits(&Domain::new(0.1).unwrap()).unwrap();
    let v = random(mesh.len(), D, 0.1, &mut seed);
    let vertices = (mesh.now.x.as_slice(), mesh.firmness.as_slice());
    let (bodies, trees) = (&mesh.bodies, &mut mesh.trees);
    let mut all = Collisions::new(bodies, trees, mutual, vertices, 0.02);
    assert!(all.energy(&v) > 0.0);
    check(&format!("collisions {D}"), &mut all, &v, 0.1);
    // Forces between bodies have no sum, and friction does not change it and makes no energy.
    let mut g = vec![[0.0; 4]; mesh.now.x.len()];
    all.gradient(&v, &mut g);
    let sum = g
        .iter()
        .fold([0.0; 4], |s, g| [0, 1, 2, 3].map(|a| s[a] + g[a]));
    let most = g.iter().flatten().fold(0.0, |m: f64, x| m.max(x.abs()));
    assert!(most > 0.0 && sum.iter().all(|s| s.abs() < 1e-12 * most));
    let mut moving: Vec<Vector<f64, D>> = (0..v.len())
        .map(|i| Vector::from_fn(|a| v[i][a] + 3.0 * f64::from(i < 9) * f64::from(a as u8)))
        .collect();
    let sums = |v: &[Vector<f64, D>]| {
        let all = v.iter().zip(&bodies.mass);
        all.fold((Vector::zero(), 0.0), |(p, e), (v, m)| {
            (p + *v * *m, e + 0.5 * m * v.norm2())
        })
    };
    let before = sums(&moving);
    all.rub(&v, &mut moving);
    let after = sums(&moving);
    assert!((after.0 - before.0).norm() < 1e-12 * before.0.norm());
    assert!(after.1 < before.1);
}

#[test]
fn collisions_of_bodies_have_their_derivatives_and_keep_momentum() {
    collisions::<2>();
    collisions::<3>();
}

/// Steps a mesh of elements and cloth, and gives the hash of its state.
fn run(threads: usize, implicit: bool, restart: bool) -> String {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap();
    pool.install(|| {
        let mut mesh = some::<3>("von-mises", Options::default());
        let domain = Domain::new(0.1).unwrap();
        let gravity = Vector([0.0, -9.81, 0.0]);
        for k in 0..6 {
            let dt = if implicit { 0.02 } else { 1e-4 };
            let s = Step {
                t: f64::from(k) * dt,
                dt,
                domain: &domain,
                gravity: &gravity,
                colliders: &[],
                implicit,
            };
            mesh.step_alone(&s).unwrap();
            if restart && k == 2 {
                let mut saved = Snapshot::new();
                mesh.snapshot(&mut saved);
                mesh = some::<3>("von-mises", Options::default());
                mesh.restore(&saved).unwrap();
            }
        }
        let mut saved = Snapshot::new();
        mesh.snapshot(&mut saved);
        saved.hash()
    })
}

#[test]
fn threads_and_restarts_change_no_bit() {
    for implicit in [false, true] {
        let one = run(1, implicit, false);
        assert_eq!(run(3, implicit, false), one);
        assert_eq!(run(2, implicit, true), one);
    }
    // The hash sees other runs.
    assert_ne!(run(1, false, false), run(1, true, false));
}

#[test]
fn what_cannot_be_is_refused() {
    let (points, cells) = lattice::<2>(Vector::zero(), [1; 2], 1.0);
    let mut mesh = Mesh::<f64, 2>::new("m", Options::default());
    let solid = |m: &mut Mesh<f64, 2>, p: &[Vector<f64, 2>], c: &[Vec<u32>], rho: f64| {
        let n = m.bodies.list.len().to_string();
        m.add_solid(&n, p, c, law("hencky"), rho).map(|_| ())
    };
    assert!(solid(&mut mesh, &points, &cells, 0.0).is_err());
    assert!(solid(&mut mesh, &points, &[vec![0, 1, 9]], 1.0).is_err());
    assert!(solid(&mut mesh, &points, &[vec![0, 1, 1]], 1.0).is_err());
    assert!(solid(&mut mesh, &points, &[vec![0, 1, 2]], 1.0).is_err());
    assert!(solid(&mut mesh, &points, &cells, 1.0).is_ok());
    assert_eq!(mesh.bodies.faces.len(), 4);
    // A state that must not spread names body and vertex.
    mesh.now.v[2][0] = f64::NAN;
    let told = mesh.sound(false).unwrap_err().to_string();
    assert!(told.contains("vertex 2 of body `0`") && told.contains("velocity"));
}
