//! Solid meshes: from shapes, on lattices, from cells.

use std::collections::{HashMap, HashSet};
use std::f64::consts::PI;
use std::sync::Arc;

use thixo_math::Vector;
use thixo_shape::*;

/// What every solid mesh is: cells with volume, points that are used and apart, a closed boundary
/// that encloses the volume of the cells. Says what is wrong first.
fn sound<const D: usize>(m: &SolidMesh<D>) -> std::result::Result<(), String> {
    sound_within(m, &m.boundary())
}

fn sound_within<const D: usize>(
    m: &SolidMesh<D>,
    faces: &[[u32; 3]],
) -> std::result::Result<(), String> {
    if let Some(k) = (0..m.cells().len()).find(|&k| m.cell_volume(k) <= 0.0) {
        return Err(format!("cell {k} is inside out"));
    }
    let used: HashSet<u32> = (0..m.cells().len())
        .flat_map(|k| m.corners(k).to_vec())
        .collect();
    let places: HashSet<_> = m.points().iter().map(|x| x.0.map(f64::to_bits)).collect();
    if used.len() != m.points().len() || places.len() != m.points().len() {
        return Err("points that are unused or there twice".into());
    }
    // Every edge of the boundary (in two dimensions every point) is run as often one way as the other.
    let mut runs: HashMap<[u32; 2], i32> = HashMap::new();
    for f in faces {
        if D == 3 {
            for (a, b) in [(f[0], f[1]), (f[1], f[2]), (f[2], f[0])] {
                *runs.entry([a.min(b), a.max(b)]).or_default() += if a < b { 1 } else { -1 };
            }
        } else {
            assert_eq!(f[1], f[2]);
            *runs.entry([f[0]; 2]).or_default() += 1;
            *runs.entry([f[1]; 2]).or_default() -= 1;
        }
    }
    if runs.values().any(|n| *n != 0) {
        return Err("the boundary is open".into());
    }
    // Gauss: the flux of x out of the boundary is D times the volume.
    let from = m.points()[0];
    let x = |i: u32| m.points()[i as usize] - from;
    let flux = |f: &[u32; 3]| {
        let [a, b, c] = f.map(x);
        if D == 3 {
            let v = |p: Vector<f64, D>| Vector([p[0], p[1], p[2]]);
            v(a).dot(&v(b).cross(&v(c))) / 6.0
        } else {
            0.5 * (a[0] * b[1] - a[1] * b[0])
        }
    };
    let enclosed: f64 = faces.iter().map(flux).sum();
    if (enclosed / m.volume() - 1.0).abs() > 1e-9 {
        return Err(format!("encloses {enclosed}, not {}", m.volume()));
    }
    Ok(())
}

/// The bounds that stuffing promises, in degrees.
fn well_shaped<const D: usize>(q: &Quality) -> bool {
    let least = if D == 3 { 10.7 } else { 15.0 };
    let most = if D == 3 { 164.9 } else { 150.0 };
    q.smallest_angle.to_degrees() > least && q.largest_angle.to_degrees() < most
}

fn ball() -> Sphere<3> {
    Sphere::new(Vector([0.3, -0.2, 0.1]), 0.5).unwrap()
}
fn disk() -> Sphere<2> {
    Sphere::new(Vector([0.3, -0.2]), 0.5).unwrap()
}

/// A triangle mesh, as a file would give it.
fn octahedron() -> Mesh {
    let corner = |k: usize| Vector::axis(k / 2) * (0.6 - 1.2 * (k % 2) as f64);
    let data = MeshData {
        vertices: (0..6).map(corner).collect(),
        triangles: vec![
            [0, 2, 4],
            [2, 1, 4],
            [1, 3, 4],
            [3, 0, 4],
            [2, 0, 5],
            [1, 2, 5],
            [3, 1, 5],
            [0, 3, 5],
        ],
    };
    Mesh::new("octahedron", &data).unwrap()
}

/// Shapes with corners, holes, thin rims and rough surfaces.
fn shapes_3d() -> Vec<(&'static str, Arc<dyn Shape<3>>, f64)> {
    let cube = Arc::new(Cuboid::new(Vector([0.1, 0.2, 0.3]), Vector::splat(0.4)).unwrap());
    let turned = Pose::<3>::turned(Vector([1.0, 2.0, 3.0]), 0.7).unwrap();
    let torus = Torus::new(Vector::zero(), Vector::axis(1), 0.5, 0.15).unwrap();
    let bite = Difference::<3>::new(cube.clone(), Arc::new(ball()));
    let far = Sphere::new(Vector([1e5, -2e5, 3e5]), 0.5).unwrap();
    vec![
        ("ball", Arc::new(ball()), 0.08),
        ("cube", cube.clone(), 0.1),
        (
            "turned cube",
            Arc::new(Transformed::new(cube, turned)),
            0.07,
        ),
        ("torus", Arc::new(torus), 0.06),
        ("bite", Arc::new(bite), 0.05),
        ("rough", Arc::new(Rough::<3>), 0.11),
        ("mesh", Arc::new(octahedron()), 0.09),
        ("far away", Arc::new(far), 0.08),
    ]
}

/// A ball with waves about as long as the cells, so that every form of cell occurs: only a lower
/// bound of the distance.
#[derive(Debug)]
struct Rough<const D: usize>;

impl<const D: usize> Shape<D> for Rough<D> {
    fn distance(&self, x: &Vector<f64, D>) -> f64 {
        let wave = |k: f64| {
            (0..D)
                .map(|a| (k * x[a] * (1.0 + 0.13 * a as f64)).sin())
                .sum::<f64>()
        };
        0.2 * (x.norm() - 0.9 + 0.05 * wave(23.0) + 0.05 * wave(41.0))
    }
    fn bounds(&self) -> Option<Bounds<D>> {
        let r = Vector::splat(1.25);
        Some(Bounds { low: -r, high: r })
    }
}

#[test]
fn meshes_of_shapes_are_sound_and_well_shaped() {
    for (name, shape, edge) in shapes_3d() {
        let m = SolidMesh::fill(&*shape, edge).unwrap();
        sound(&m).unwrap_or_else(|e| panic!("{name}: {e}"));
        let q = m.quality();
        println!("{name}: {} cells, {q:?}", m.cells().len());
        assert!(well_shaped::<3>(&q), "{name}: {q:?}");
        let on = m.boundary().into_iter().flatten();
        let off = on.map(|i| shape.distance(&m.points()[i as usize]).abs());
        let off = off.fold(0.0, f64::max);
        assert!(off < 1e-9, "{name}: the boundary is {off} off the surface");
    }
    let square = Cuboid::new(Vector([0.1, 0.2]), Vector::splat(0.4)).unwrap();
    let flat: [(Arc<dyn Shape<2>>, f64); 3] = [
        (Arc::new(disk()), 0.07),
        (Arc::new(square), 0.1),
        (Arc::new(Rough::<2>), 0.09),
    ];
    for (shape, edge) in flat {
        let m = SolidMesh::fill(&*shape, edge).unwrap();
        sound(&m).unwrap_or_else(|e| panic!("{shape:?}: {e}"));
        let q = m.quality();
        println!("{shape:?}: {} cells, {q:?}", m.cells().len());
        assert!(well_shaped::<2>(&q), "{shape:?}: {q:?}");
    }
}

/// Every form of cell that occurs on surfaces as rough as the cells, over many edges: the gate of the
/// paper's computer-assisted proof.
#[test]
fn angles_hold_for_rough_surfaces() {
    let (mut least, mut most, mut flat) = (180.0f64, 0.0f64, 180.0f64);
    for k in 0..12 {
        let edge = 0.09 + 0.011 * f64::from(k);
        let m = SolidMesh::fill(&Rough::<3>, edge).unwrap();
        sound(&m).unwrap();
        let q = m.quality();
        assert!(well_shaped::<3>(&q), "{edge}: {q:?}");
        least = least.min(q.smallest_angle.to_degrees());
        most = most.max(q.largest_angle.to_degrees());
        let m = SolidMesh::fill(&Rough::<2>, 0.5 * edge).unwrap();
        sound(&m).unwrap();
        assert!(well_shaped::<2>(&m.quality()), "{edge}: {:?}", m.quality());
        flat = flat.min(m.quality().smallest_angle.to_degrees());
    }
    println!("3D: {least:.2}° to {most:.2}°, 2D: from {flat:.2}°");
    // Rough enough to come near the bounds, or the test would show little.
    assert!(least < 14.0 && most > 145.0 && flat < 20.0);
}

/// The controls: a hole, a face turned, a flat cell are found by the gates above.
#[test]
fn gates_reject_what_is_wrong() {
    let m = SolidMesh::fill(&ball(), 0.15).unwrap();
    let mut faces = m.boundary();
    faces.pop();
    assert_eq!(sound_within(&m, &faces), Err("the boundary is open".into()));
    let mut faces = m.boundary();
    faces.iter_mut().for_each(|f| f.swap(0, 1));
    assert!(sound_within(&m, &faces).unwrap_err().contains("encloses"));
    let mut points = m.points().to_vec();
    let c = m.corners(0);
    let [a, b] = [c[0], c[1]].map(|i| points[i as usize]);
    points[c[0] as usize] = a + (b - a) * 0.9;
    let moved = SolidMesh::new(points, m.cells().to_vec());
    assert!(moved.is_err() || !well_shaped::<3>(&moved.unwrap().quality()));
}

/// Least-squares slope of log error over log edge.
fn order(errors: &[(f64, f64)]) -> f64 {
    let logs: Vec<_> = errors.iter().map(|(h, e)| (h.ln(), e.abs().ln())).collect();
    let n = logs.len() as f64;
    let (x, y) = logs
        .iter()
        .fold((0.0, 0.0), |s, p| (s.0 + p.0 / n, s.1 + p.1 / n));
    let top: f64 = logs.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
    top / logs.iter().map(|p| (p.0 - x).powi(2)).sum::<f64>()
}

#[test]
fn volume_converges_at_second_order() {
    let edges: Vec<f64> = (0..9).map(|k| 0.2 * 0.8f64.powi(k)).collect();
    let second = |o: f64| (1.8..2.3).contains(&o);
    let run = |error: &dyn Fn(f64) -> f64| {
        let all: Vec<_> = edges.iter().map(|&h| (h, error(h))).collect();
        println!("{all:?}");
        order(&all)
    };
    let exact = 4.0 / 3.0 * PI * 0.125;
    let solid = run(&|h| SolidMesh::fill(&ball(), h).unwrap().volume() / exact - 1.0);
    let flat = run(&|h| SolidMesh::fill(&disk(), h).unwrap().volume() / (PI * 0.25) - 1.0);
    assert!(second(solid) && second(flat), "{solid} {flat}");
    // The control: points off the surface by a part of the edge.
    let off = |h: f64| {
        let m = SolidMesh::fill(&ball(), h).unwrap();
        let grow = |x: &Vector<f64, 3>| *x + (*x - Vector([0.3, -0.2, 0.1])) * (0.3 * h);
        let points = m.points().iter().map(grow).collect();
        SolidMesh::new(points, m.cells().to_vec()).unwrap().volume() / exact - 1.0
    };
    let first = run(&off);
    assert!(!second(first), "{first}");
    let m = SolidMesh::fill(&ball(), 0.05).unwrap();
    let known = m.volume() / exact - 1.0;
    assert!((m.volume_error(&ball(), 0.005).unwrap() - known).abs() < 1e-3);
}

/// A shape that says less than its distance, the farther the less.
#[derive(Debug)]
struct Shy<S>(S);

impl<S: Shape<3>> Shape<3> for Shy<S> {
    fn distance(&self, x: &Vector<f64, 3>) -> f64 {
        let d = self.0.distance(x);
        d / (1.0 + 30.0 * d.abs())
    }
    fn bounds(&self) -> Option<Bounds<3>> {
        self.0.bounds().map(|b| b.grow(0.22))
    }
}

#[test]
fn lower_bounds_of_the_distance_do_no_harm() {
    // The margin moves the lattice by whole boxes.
    let edge = 0.11;
    let full = SolidMesh::fill(&ball(), edge).unwrap();
    let shy = SolidMesh::fill(&Shy(ball()), edge).unwrap();
    assert_eq!(full.cells(), shy.cells());
    let off = full.points().iter().zip(shy.points());
    let off = off.fold(0.0, |m: f64, (a, b)| m.max((*a - *b).norm()));
    assert!(off < 1e-9, "{off}");
}

#[test]
fn same_bits_for_any_number_of_threads() {
    let make = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let pool = pool.build().unwrap();
        pool.install(|| {
            let m = SolidMesh::fill(&Rough::<3>, 0.12).unwrap();
            let faces = m.boundary();
            (m, faces)
        })
    };
    let one = make(1);
    assert!(one == make(4) && one == make(3));
}

#[test]
fn what_cannot_be_filled_is_said() {
    let text = |s: &dyn Shape<3>, edge: f64| SolidMesh::fill(s, edge).unwrap_err().to_string();
    let plane = HalfSpace::new(Vector::zero(), Vector::axis(1)).unwrap();
    assert!(text(&plane, 0.1).contains("has no end"));
    assert!(text(&ball(), -1.0).contains("must be a positive number"));
    assert!(text(&ball(), f64::NAN).contains("must be a positive number"));
    assert!(
        text(&ball(), 1e-4).contains("larger spacing"),
        "{}",
        text(&ball(), 1e-4)
    );
    assert!(text(&ball(), 1e-300).contains("larger spacing"));
    let tiny = Sphere::new(Vector::splat(0.0), 0.01).unwrap();
    let coarse = text(&tiny, 1.0);
    assert!(
        coarse.contains("is empty") && coarse.contains("shorter edge than 1 m"),
        "{coarse}"
    );
    let thin = Shell::new(Arc::new(ball()) as Arc<dyn Shape<3>>, 0.01).unwrap();
    let lost = text(&thin, 0.1);
    assert!(lost.contains("shorter edge"), "{lost}");
    #[derive(Debug)]
    struct Nowhere;
    impl Shape<3> for Nowhere {
        fn distance(&self, _: &Vector<f64, 3>) -> f64 {
            f64::NAN
        }
        fn bounds(&self) -> Option<Bounds<3>> {
            ball().bounds()
        }
    }
    assert!(text(&Nowhere, 0.2).contains("not finite"));
}
