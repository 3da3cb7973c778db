use super::*;
use crate::sample;

/// A cube of `n` points a side, each at random in its own cell.
fn cube(n: usize) -> PointSet {
    let h = 0.05;
    let at = |k: usize| {
        let cell = [k % n, k / n % n, k / n / n];
        std::array::from_fn(|i| (cell[i] as f64 + sample::noise((3 * k + i) as u64)) * h)
    };
    sample::from_positions("cube", 3, h, (0..n * n * n).map(at).collect())
}

fn ball(radius: f64) -> PointSet {
    let set = cube(26);
    let inside =
        |x: &&[f64; 3]| x.iter().map(|c| (c - 0.65).powi(2)).sum::<f64>() < radius * radius;
    let x: Vec<_> = set.position.iter().filter(inside).copied().collect();
    sample::from_positions("ball", 3, 0.05, x)
}

/// Vertices − edges + triangles: 2 for every closed surface without handles.
fn euler(mesh: &Mesh) -> i64 {
    let mut edges: Vec<[u32; 2]> = Vec::new();
    for t in &mesh.triangle {
        edges.extend((0..3).map(|i| [t[i], t[(i + 1) % 3]]));
    }
    // Closed and oriented: every edge is there once in each direction.
    edges.sort();
    let reverse = |e: &[u32; 2]| edges.binary_search(&[e[1], e[0]]).is_ok();
    assert!(edges.iter().all(reverse), "the surface is open");
    assert!(
        edges.windows(2).all(|w| w[0] != w[1]),
        "an edge is there twice"
    );
    mesh.position.len() as i64 - edges.len() as i64 / 2 + mesh.triangle.len() as i64
}

fn bits(mesh: &Mesh) -> Vec<u8> {
    let mut out = Vec::new();
    ply::write(&mut out, mesh, 0.0).unwrap();
    out
}

#[test]
fn same_bits_for_any_number_of_threads() {
    // 90 lattice cubes a side: eight parts, which meet in many vertices.
    let set = cube(40);
    let make = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        pool.build()
            .unwrap()
            .install(|| surface(&set, &Surfacing::default()).unwrap())
    };
    let one = make(1);
    assert!(one.triangle.len() > 50_000);
    for threads in [2, 2, 3, 1] {
        assert!(bits(&make(threads)) == bits(&one), "{threads} threads");
    }
}

#[test]
fn same_bits_for_any_size_of_the_parts() {
    let mut set = cube(24);
    set.position.iter_mut().for_each(|x| x[0] -= 0.7123);
    let whole = in_parts(&set, &Surfacing::default(), 128).unwrap();
    assert!(whole.triangle.len() > 20_000);
    for part in [16, 25, 64] {
        let parts = in_parts(&set, &Surfacing::default(), part).unwrap();
        assert!(bits(&parts) == bits(&whole), "parts of {part}");
    }
}

#[test]
fn a_random_cube_is_closed_without_bubbles_and_has_its_volume() {
    let set = cube(30);
    let mesh = surface(&set, &Surfacing::default()).unwrap();
    mesh.check().unwrap();
    assert_eq!(euler(&mesh), 2);
    let ratio = mesh.volume() / (30.0f64 * 0.05).powi(3);
    assert!((0.95..1.05).contains(&ratio), "{ratio}");
}

#[test]
fn a_lone_drop_keeps_its_volume() {
    let set = sample::from_positions("drop", 3, 0.05, vec![[7.0, -3.0, 1e3]]);
    let mesh = surface(&set, &Surfacing::default()).unwrap();
    assert_eq!(euler(&mesh), 2);
    let ratio = mesh.volume() / 0.05f64.powi(3);
    assert!((0.8..1.25).contains(&ratio), "{ratio}");
    assert!(mesh.position.iter().all(|x| (x[2] - 1e3).abs() < 0.05));
}

#[test]
fn smoothing_makes_normals_of_a_ball_radial() {
    let set = ball(0.5);
    let off = |smoothing: usize| {
        let how = Surfacing {
            smoothing,
            ..Surfacing::default()
        };
        let mesh = surface(&set, &how).unwrap();
        assert_eq!(euler(&mesh), 2);
        let ratio = mesh.volume() / (4.0 / 3.0 * std::f64::consts::PI * 0.125);
        assert!((0.95..1.05).contains(&ratio), "{ratio}");
        let angle = |(x, n): (&[f64; 3], &[f32; 3])| {
            let r: [f64; 3] = x.map(|c| c - 0.65);
            let length = r.iter().map(|c| c * c).sum::<f64>().sqrt();
            let cos = (0..3).map(|i| r[i] * f64::from(n[i])).sum::<f64>() / length;
            cos.clamp(-1.0, 1.0).acos().to_degrees()
        };
        let all = mesh.position.iter().zip(&mesh.normal);
        all.map(angle).sum::<f64>() / mesh.position.len() as f64
    };
    let (rough, fair) = (off(0), off(Surfacing::default().smoothing));
    assert!(fair < 0.5 * rough, "{fair}° of {rough}°");
    assert!(fair < 8.0, "{fair}°");
}

#[test]
fn velocities_are_those_of_the_points_near() {
    let mut set = ball(0.4);
    set.velocity = set
        .position
        .iter()
        .map(|x| [x[1] as f32, 2.0, 0.0])
        .collect();
    let mesh = surface(&set, &Surfacing::default()).unwrap();
    for (x, v) in mesh.position.iter().zip(&mesh.velocity) {
        assert!((f64::from(v[0]) - x[1]).abs() < 0.06, "{x:?} {v:?}");
        assert!((v[1] - 2.0).abs() < 1e-4 && v[2] == 0.0);
    }
}

#[test]
fn nothing_has_no_surface_and_nonsense_is_refused() {
    let how = Surfacing::default();
    let empty = surface(&sample::block(0, 3), &how).unwrap();
    assert!(empty.position.is_empty() && empty.triangle.is_empty());
    for f in FORMATS {
        (f.write)(&mut Vec::new(), &empty, 0.0).unwrap();
    }
    let refused = |set: &PointSet, how: &Surfacing| surface(set, how).unwrap_err().to_string();
    assert!(refused(&sample::block(2, 2), &how).contains("two dimensions"));
    let mut set = sample::block(2, 3);
    assert!(refused(&set, &Surfacing { cube: 0.0, ..how }).contains("cube"));
    set.position[1][1] = 1e7;
    assert!(refused(&set, &how).contains("lost"));
    set.position[1][1] = f64::NAN;
    assert!(refused(&set, &how).contains("finite"));
    let mut set = sample::block(2, 3);
    set.velocity.pop();
    assert!(refused(&set, &how).contains("velocities"));
    (set.spacing, set.cell) = (0.0, 0.0);
    assert!(refused(&set, &how).contains("spacing"));
}
