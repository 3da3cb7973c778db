//! Solid meshes on lattices and from cells, and sheets.

use thixo_math::Vector;
use thixo_shape::*;

fn bounds<const D: usize>() -> Bounds<D> {
    Bounds {
        low: Vector::from_fn(|a| 0.1 + 0.7 * a as f64),
        high: Vector::from_fn(|a| 1.3 + a as f64),
    }
}

#[test]
fn boxes_are_exact() {
    let b = bounds::<3>();
    let m = SolidMesh::lattice(&b, [3, 4, 5]).unwrap();
    assert_eq!((m.points().len(), m.cells().len()), (4 * 5 * 6, 5 * 60));
    assert!((m.volume() / b.size().product() - 1.0).abs() < 1e-14);
    assert_eq!(Bounds::of(m.points().iter().copied()), Some(b));
    assert!((0..m.cells().len()).all(|k| m.cell_volume(k) > 0.0));
    let faces = m.boundary();
    assert_eq!(faces.len(), 2 * 2 * (12 + 20 + 15));
    // Outward: every face looks away from the middle, and their areas add up.
    let x = |i: u32| m.points()[i as usize] - b.center();
    let mut area = 0.0;
    for f in &faces {
        let [a, b, c] = f.map(x);
        let n = (b - a).cross(&(c - a));
        assert!(n.dot(&(a + b + c)) > 0.0);
        area += 0.5 * n.norm();
    }
    let [p, q, r] = b.size().0;
    assert!((area / (2.0 * (p * q + q * r + r * p)) - 1.0).abs() < 1e-13);

    let b = bounds::<2>();
    let m = SolidMesh::lattice(&b, [4, 3]).unwrap();
    assert_eq!((m.points().len(), m.cells().len()), (20, 24));
    assert!((m.volume() / b.size().product() - 1.0).abs() < 1e-14);
    assert_eq!(Bounds::of(m.points().iter().copied()), Some(b));
    let faces = m.boundary();
    assert_eq!(faces.len(), 14);
    for f in &faces {
        let [a, c] = [f[0], f[1]].map(|i| m.points()[i as usize] - b.center());
        let right = Vector([(c - a)[1], -(c - a)[0]]);
        assert!(right.dot(&(a + c)) > 0.0 && f[1] == f[2]);
    }
    // A cube's cells are well shaped; those of a plank a hundred times as long as wide are not.
    let cube = Bounds {
        low: Vector::splat(0.0),
        high: Vector::<f64, 3>::splat(1.0),
    };
    let q = SolidMesh::lattice(&cube, [2; 3]).unwrap().quality();
    assert!((q.smallest_angle.to_degrees() - 54.735_610_317).abs() < 1e-6);
    let plank = SolidMesh::lattice(&cube, [1, 100, 100]).unwrap().quality();
    assert!(plank.radius_ratio < 0.1 && q.radius_ratio > 0.7);
}

#[test]
fn boxes_that_are_none_are_refused() {
    let text = |b: Bounds<3>, n| SolidMesh::lattice(&b, n).unwrap_err().to_string();
    let b = bounds();
    assert!(text(b, [1, 0, 1]).contains("at least 1"));
    assert!(text(b, [1 << 20; 3]).contains("larger spacing"));
    let inverted = Bounds {
        low: b.high,
        high: b.low,
    };
    assert!(text(inverted, [1; 3]).contains("must be a positive number"));
    let mut endless = b;
    endless.high[1] = f64::INFINITY;
    assert!(text(endless, [1; 3]).contains("not finite"));
}

#[test]
fn cells_are_turned_joined_or_refused() {
    let x = |a: f64, b: f64, c: f64| Vector([a, b, c]);
    let corner = [
        x(9.0, 9.0, 9.0),
        x(0.0, 0.0, 0.0),
        x(1.0, 0.0, 0.0),
        x(0.0, 1.0, 0.0),
        x(0.0, 0.0, 1.0),
        x(-0.0, 1.0, 0.0),
        x(-1.0, 0.0, 0.0),
    ];
    let make = |cells: &[[u32; 4]]| SolidMesh::new(corner.to_vec(), cells.to_vec());
    // Inside out, with a point unused and one twice: as if it had been right.
    let right = make(&[[1, 2, 3, 4], [1, 3, 6, 4]]).unwrap();
    let same = make(&[[1, 2, 4, 3], [6, 1, 5, 4]]).unwrap();
    assert_eq!((right.points().len(), right.boundary().len()), (5, 6));
    assert!((same.volume() - 1.0 / 3.0).abs() < 1e-15);
    assert_eq!(same.points(), right.points());
    let sorted = |m: &SolidMesh<3>| {
        let mut all = m.cells().to_vec();
        all.iter_mut().for_each(|c| c.sort());
        all
    };
    assert_eq!(sorted(&same), sorted(&right));
    let text = |cells: &[[u32; 4]]| make(cells).unwrap_err().to_string();
    assert!(text(&[]).contains("is empty"));
    assert!(text(&[[1, 2, 3, 4], [1, 2, 3, 9]]).contains("cell 1 names point 9"));
    assert!(text(&[[1, 2, 3, 4], [1, 2, 3, 6]]).contains("cell 1 has no volume"));
    assert!(text(&[[1, 2, 3, 5]]).contains("has no volume"));
    assert!(text(&[[1, 2, 3, 4], [2, 1, 3, 4]]).contains("overlap"));
    let inside = [corner.to_vec(), vec![x(0.1, 0.1, 0.1)]].concat();
    let twice = SolidMesh::new(inside, vec![[1, 2, 3, 4], [1, 2, 3, 7]]);
    assert!(
        twice
            .unwrap_err()
            .to_string()
            .contains("cells 0 and 1 overlap")
    );
    let mut nan = corner.to_vec();
    nan[2][1] = f64::NAN;
    let e = SolidMesh::new(nan, vec![[1, 2, 3, 4]]).unwrap_err();
    assert!(e.to_string().contains("number 2 is not finite"));
    let huge = corner.map(|c| c * 1e200).to_vec();
    let e = SolidMesh::new(huge, vec![[1, 2, 3, 4]]).unwrap_err();
    assert!(e.to_string().contains("too large"), "{e}");
}

#[test]
fn sheets() {
    let side = [Vector([2.0, 0.0, 0.0]), Vector([0.0, 0.0, -3.0])];
    let from = Vector([1.0, 5.0, 1.0]);
    let m = SheetMesh::patch(from, side, [4, 6]).unwrap();
    assert_eq!((m.points().len(), m.cells().len()), (35, 48));
    let mut area = 0.0;
    for t in m.cells() {
        let [a, b, c] = t.map(|i| m.points()[i as usize]);
        let n = (b - a).cross(&(c - a));
        assert!(n[1] > 0.0);
        area += 0.5 * n[1];
    }
    assert!((area - 6.0).abs() < 1e-12);
    let far = m.points()[34];
    assert!((far - Vector([3.0, 5.0, -2.0])).norm() < 1e-15);
    let text = |s: [Vector<f64, 3>; 2], n| SheetMesh::patch(from, s, n).unwrap_err().to_string();
    assert!(text([side[0], side[0] * 2.0], [1, 1]).contains("parallel"));
    assert!(text(side, [0, 3]).contains("at least 1"));
    assert!(text(side, [1 << 30, 1 << 30]).contains("larger spacing"));

    let line = SheetMesh::line(Vector([0.0, 1.0]), Vector([3.0, 1.0]), 3).unwrap();
    assert_eq!(line.cells(), [[0, 1, 1], [1, 2, 2], [2, 3, 3]]);
    assert_eq!(line.points()[2], Vector([2.0, 1.0]));
    assert!(SheetMesh::line(Vector::zero(), Vector::zero(), 3).is_err());
}
