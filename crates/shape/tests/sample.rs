//! Fillings and streams: density, distance, seeds, additivity, flux.

use std::collections::HashSet;
use std::sync::Arc;

use thixo_math::Vector;
use thixo_shape::*;

fn total<const D: usize>(s: &[Sample<D>]) -> f64 {
    s.iter().map(|s| s.volume).sum()
}

#[test]
fn density_and_seeds() {
    let ball = Sphere::new(Vector([0.1, 0.2, 0.3]), 0.5).unwrap();
    let exact = std::f64::consts::PI / 6.0;
    let error = |h| volume(&ball, h).unwrap() / exact - 1.0;
    println!("volume errs by {:.1e}, {:.1e}", error(0.04), error(0.02));
    assert!(error(0.02).abs() < 1e-3 && error(0.02).abs() < 0.5 * error(0.04).abs());
    for method in [Method::Regular, Method::Jittered, Method::PoissonDisk] {
        let fill = |seed| fill(&ball, method, 0.1, 8, seed).unwrap();
        let (a, b, c) = (fill(1), fill(1), fill(2));
        let n = exact / (0.1f64.powi(3) / 8.0);
        println!(
            "{method:?}: {} of {n:.0}, volume {:.5}",
            a.len(),
            total(&a) / exact
        );
        assert!(
            (a.len() as f64 / n - 1.0).abs() < 0.1,
            "{method:?} {} {n}",
            a.len()
        );
        assert!((total(&a) / exact - 1.0).abs() < 0.02, "{method:?}");
        assert!(a.iter().all(|s| ball.distance(&s.x) < 0.0));
        assert_eq!(a, b);
        assert_eq!(a == c, method == Method::Regular);
    }
}

#[test]
fn a_jittered_point_knows_nothing_of_the_rest() {
    let all = Cuboid::from_corners(Vector([0.0, 0.0]), Vector([1.0, 1.0])).unwrap();
    let part = Cuboid::from_corners(Vector([0.31, 0.0]), Vector([1.0, 0.77])).unwrap();
    let bits = |s: &Sample<2>| s.x.0.map(f64::to_bits);
    let of = |s: &dyn Shape<2>| fill(s, Method::Jittered, 0.05, 4, 7).unwrap();
    let whole: HashSet<_> = of(&all).iter().map(bits).collect();
    let few = of(&part);
    assert!(few.iter().all(|s| whole.contains(&bits(s))));
    let kept = of(&all)
        .iter()
        .filter(|s| part.distance(&s.x) < 0.0)
        .count();
    assert_eq!(kept, few.len());
}

/// The least distance between points, and the largest distance from a place inside to a point.
fn gaps<const D: usize>(s: &[Sample<D>], shape: &dyn Shape<D>) -> (f64, f64) {
    let mut least = f64::INFINITY;
    for (i, a) in s.iter().enumerate() {
        for b in &s[..i] {
            least = least.min((a.x - b.x).norm2());
        }
    }
    let probe = fill(shape, Method::Jittered, 0.02, 1, 99).unwrap();
    let far = probe.iter().map(|p| {
        s.iter()
            .fold(f64::INFINITY, |m, a| m.min((a.x - p.x).norm2()))
    });
    (least.sqrt(), far.fold(0.0, f64::max).sqrt())
}

#[test]
fn poisson_discs_keep_apart_and_leave_no_gap() {
    let disc = Sphere::new(Vector([0.0, 0.0]), 0.5).unwrap();
    let s = fill(&disc, Method::PoissonDisk, 0.05, 4, 3).unwrap();
    let r = (0.5471 * 4.0 / std::f64::consts::PI * 0.05f64.powi(2) / 4.0).sqrt();
    let (least, widest) = gaps(&s, &disc);
    println!(
        "plane: {} points, least {:.4} r, widest {:.4} r",
        s.len(),
        least / r,
        widest / r
    );
    assert!(
        least >= r * (1.0 - 1e-12) && widest <= r * (1.0 + 1e-4),
        "{least} {widest} {r}"
    );
    // Points of a jittered filling do not keep that distance.
    let jittered = fill(&disc, Method::Jittered, 0.05, 4, 3).unwrap();
    assert!(gaps(&jittered, &disc).0 < 0.5 * r);
    let cube = Cuboid::<3>::from_corners(Vector::zero(), Vector::splat(0.5)).unwrap();
    let s = fill(&cube, Method::PoissonDisk, 0.1, 8, 3).unwrap();
    let r = (0.3841 * 6.0 / std::f64::consts::PI * 0.001f64 / 8.0).powf(1.0 / 3.0);
    let (least, widest) = gaps(&s, &cube);
    println!(
        "space: {} points, least {:.4} r, widest {:.4} r",
        s.len(),
        least / r,
        widest / r
    );
    assert!(
        least >= r * (1.0 - 1e-12) && widest <= r * (1.0 + 1e-4),
        "{least} {widest} {r}"
    );
}

#[test]
fn what_cannot_be_filled() {
    let half = HalfSpace::new(Vector([0.0, 0.0]), Vector([0.0, 1.0])).unwrap();
    let ball = Sphere::new(Vector([0.0, 0.0]), 1.0).unwrap();
    for method in [Method::Regular, Method::Jittered, Method::PoissonDisk] {
        let text = fill(&half, method, 0.1, 4, 0).unwrap_err().to_string();
        assert!(text.contains("has no end"), "{text}");
        assert!(fill(&ball, method, 0.0, 4, 0).is_err());
        assert!(fill(&ball, method, f64::NAN, 4, 0).is_err());
        assert!(fill(&ball, method, 0.1, 0, 0).is_err());
        assert!(fill(&ball, method, 1e-9, 4, 0).is_err());
    }
    assert!(fill(&ball, Method::Regular, 1e3, 1, 0).is_err());
}

fn nozzle() -> Arc<dyn Shape<3>> {
    let axis = Vector([1.0, -1.0, 0.5]);
    Arc::new(Cylinder::new(Vector([0.2, 0.3, 0.0]), axis, 0.25, 0.3).unwrap())
}

#[test]
fn streams_add_up() {
    let v = Vector([2.0, -2.0, 1.0]);
    let s = Stream::new(nozzle(), v, 0.05, 8, 11, 0.1, 1.0).unwrap();
    let exact = std::f64::consts::PI * 0.0625;
    println!("area {:.5} of exact", s.area() / exact);
    assert!((s.area() / exact - 1.0).abs() < 1e-3);
    let key = |e: &Emitted<3>| e.id;
    let whole = s.emit(0.0, 2.0);
    // In uneven pieces: the same points, each once.
    let mut pieces = vec![];
    let mut t = 0.0;
    let mut k = 0;
    while t < 2.0 {
        let next = (t + 0.003 + 0.007 * f64::from(k % 5)).min(2.0);
        for mut e in s.emit(t, next) {
            e.x += v * (2.0 - next);
            pieces.push(e);
        }
        (t, k) = (next, k + 1);
    }
    pieces.sort_by_key(key);
    let mut sorted = whole.clone();
    sorted.sort_by_key(key);
    assert_eq!(pieces.len(), sorted.len());
    for (a, b) in pieces.iter().zip(&sorted) {
        assert!(a.id == b.id && (a.x - b.x).norm() < 1e-12);
    }
    assert_eq!(
        sorted.iter().map(key).collect::<HashSet<_>>().len(),
        sorted.len()
    );
    // The flux, at any time, to one layer.
    let layer = s.area() * 0.025;
    for t in [0.15, 0.3, 0.77, 1.0, 5.0] {
        let out: f64 = s.emit(0.0, t).iter().map(|e| e.volume).sum();
        let due = s.rate() * (t.min(1.0) - 0.1);
        assert!((out - due).abs() <= layer, "{t}: {out} {due}");
    }
    assert!(s.emit(0.0, 0.1).is_empty() && s.emit(1.0, 9.0).is_empty());
    assert!(s.emit(1.0, 0.5).is_empty() && s.emit(f64::NAN, 1.0).is_empty());
    let other = Stream::new(nozzle(), v, 0.05, 8, 12, 0.1, 1.0).unwrap();
    assert_ne!(other.emit(0.0, 1.0), s.emit(0.0, 1.0));
}

#[test]
fn a_jet_is_even() {
    // Slices of the jet hold the same volume, to the jitter of one layer.
    let s = Stream::new(
        nozzle(),
        Vector([2.0, -2.0, 1.0]),
        0.05,
        8,
        1,
        0.0,
        f64::INFINITY,
    )
    .unwrap();
    let along = Vector([2.0, -2.0, 1.0]) / 3.0;
    let mut slices = [0.0; 10];
    for e in s.emit(0.0, 1.0) {
        let d = (e.x - Vector([0.2, 0.3, 0.0])).dot(&along);
        assert!((0.0..=3.0 + 1e-12).contains(&d));
        slices[((d / 0.3) as usize).min(9)] += e.volume / (0.3 * s.area());
    }
    println!("{slices:.4?}");
    assert!(slices.iter().all(|s| (s - 1.0).abs() < 0.02), "{slices:?}");
}

#[test]
fn rates_nozzles_and_drains() {
    let slot = Arc::new(Cuboid::from_corners(Vector([0.0, 0.0]), Vector([0.1, 0.4])).unwrap());
    let s = Stream::with_rate(slot.clone(), Vector([5.0, 0.0]), 0.8, 0.05, 4, 0, 0.0, 1.0).unwrap();
    assert!(
        (s.velocity() - Vector([2.0, 0.0])).norm() < 1e-3,
        "{:?}",
        s.velocity()
    );
    assert!((s.rate() - 0.8).abs() < 1e-12);
    // Narrower than the spacing, yet it runs.
    let fine = Sphere::new(Vector([0.013, 0.017]), 0.002).unwrap();
    let s = Stream::new(Arc::new(fine), Vector([1.0, 0.0]), 0.1, 4, 0, 0.0, 9.0).unwrap();
    assert!(!s.emit(0.0, 1.0).is_empty());
    let half = HalfSpace::new(Vector([0.0, 0.0]), Vector([0.0, 1.0])).unwrap();
    assert!(Stream::new(Arc::new(half), Vector([1.0, 0.0]), 0.1, 4, 0, 0.0, 1.0).is_err());
    assert!(Stream::new(slot.clone(), Vector::zero(), 0.1, 4, 0, 0.0, 1.0).is_err());
    assert!(Stream::new(slot.clone(), Vector([1.0, 0.0]), 0.1, 4, 0, 2.0, 1.0).is_err());
    let drain = Drain {
        shape: slot,
        start: 1.0,
        stop: 2.0,
    };
    let x = Vector([0.05, 0.1]);
    assert!(drain.takes(&x, 1.5) && !drain.takes(&x, 2.0) && !drain.takes(&-x, 1.5));
}

/// A grid far coarser than the nozzle: the section is still measured by the nozzle's own size, and has
/// few columns.
#[test]
fn a_nozzle_much_smaller_than_a_cell() {
    let sides = Vector([0.02, 0.025, 0.09]);
    let nozzle = Arc::new(Cuboid::new(Vector([-0.62, 0.67, 0.0]), sides).unwrap());
    let v = Vector([0.0, -1.0, 0.0]);
    let stream = Stream::new(nozzle, v, 10.0, 8, 0, 0.0, 1.0).unwrap();
    let exact = 4.0 * sides[0] * sides[2];
    assert!(
        (stream.area() / exact - 1.0).abs() < 0.05,
        "{}",
        stream.area()
    );
    // One point is the volume of a layer over the columns.
    assert!(stream.particle_volume() > 1e-4 * exact * 5.0);
}

/// A nozzle of millions of columns takes no more memory than their numbers.
#[test]
fn a_nozzle_of_many_columns() {
    let nozzle = Arc::new(Cuboid::new(Vector::zero(), Vector([4e4, 0.15])).unwrap());
    let stream = Stream::new(nozzle, Vector([0.0, -1.0]), 0.1, 4, 0, 0.0, 1.0).unwrap();
    let out = stream.emit(0.0, 1e-4);
    assert!((1_000..10_000).contains(&out.len()), "{}", out.len());
}

/// A turned sheet that no dart can hit is given up soon; boxes far apart are filled soon.
#[test]
fn what_is_thin_or_sparse_takes_no_time() {
    let begun = std::time::Instant::now();
    let sheet = Cuboid::new(Vector::zero(), Vector([1e-12, 0.4, 0.3])).unwrap();
    let turn = Pose {
        rotation: rotation_of(&spin_3d(Vector([-0.85, -1.25, -0.14]))),
        translation: Vector::zero(),
    };
    let sheet = Transformed::new(Arc::new(sheet), turn);
    assert!(fill(&sheet, Method::PoissonDisk, 0.1, 8, 1).is_err());
    let cube = |z: f64| -> Arc<dyn Shape<3>> {
        Arc::new(Cuboid::new(Vector([0.0, 0.0, z]), Vector::splat(0.5)).unwrap())
    };
    let both = Union::new(vec![cube(0.0), cube(1e5)]).unwrap();
    let near = fill(&*cube(0.0), Method::Jittered, 0.1, 8, 1).unwrap();
    let all = fill(&both, Method::Jittered, 0.1, 8, 1).unwrap();
    assert_eq!(all.len(), 2 * near.len());
    // The order is that of the cells: the near cube's points are the even rows.
    let first: Vec<_> = all.iter().filter(|s| s.x[2] < 1.0).copied().collect();
    assert_eq!(first, near);
    assert!(begun.elapsed().as_secs_f64() < 2.0, "{:?}", begun.elapsed());
}
