//! Closed meshes: distance, sign, files and what is refused.

use std::collections::HashMap;
use std::sync::Arc;

use thixo_math::Vector;
use thixo_shape::check::{Known, check_shape};
use thixo_shape::*;

type V3 = Vector<f64, 3>;

/// A ball of triangles: an octahedron, each triangle cut in four `n` times.
fn ball(n: usize) -> MeshData {
    let e = |a: usize, s: f64| Vector::axis(a) * s;
    let mut vertices: Vec<V3> = (0..6)
        .map(|i| e(i / 2, 1.0 - 2.0 * (i % 2) as f64))
        .collect();
    let mut triangles = vec![
        [0, 2, 4],
        [2, 1, 4],
        [1, 3, 4],
        [3, 0, 4],
        [2, 0, 5],
        [1, 2, 5],
        [3, 1, 5],
        [0, 3, 5],
    ];
    for _ in 0..n {
        let mut middles = HashMap::new();
        let mut next = vec![];
        for t in &triangles {
            let mut middle = |a: u32, b: u32| {
                *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
                    vertices.push(
                        (vertices[a as usize] + vertices[b as usize])
                            .unit()
                            .unwrap(),
                    );
                    vertices.len() as u32 - 1
                })
            };
            let [a, b, c] = *t;
            let (p, q, r) = (middle(a, b), middle(b, c), middle(c, a));
            next.extend([[a, p, r], [p, b, q], [r, q, c], [p, q, r]]);
        }
        triangles = next;
    }
    MeshData {
        vertices,
        triangles,
    }
}

/// An L extruded along z: not convex, with edges of 270°.
fn ell() -> MeshData {
    let outline = [
        [0.0, 0.0],
        [2.0, 0.0],
        [2.0, 1.0],
        [1.0, 1.0],
        [1.0, 2.0],
        [0.0, 2.0],
    ];
    let mut vertices = vec![];
    for z in [0.0, 1.0] {
        vertices.extend(outline.map(|[x, y]| Vector([x, y, z])));
    }
    let mut triangles: Vec<[u32; 3]> = vec![];
    // Cut into two quadrilaterals (0,1,2,3) and (0,3,4,5).
    for [a, b, c] in [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]] {
        triangles.push([a, c, b]);
        triangles.push([a + 6, b + 6, c + 6]);
    }
    for i in 0..6 {
        let j = (i + 1) % 6;
        triangles.push([i, j, j + 6]);
        triangles.push([i, j + 6, i + 6]);
    }
    MeshData {
        vertices,
        triangles,
    }
}

fn in_ell(x: &V3) -> bool {
    let flat = |h: f64, c: f64| 0.0 < c && c < h;
    flat(1.0, x[2])
        && ((flat(2.0, x[0]) && flat(1.0, x[1])) || (flat(1.0, x[0]) && flat(2.0, x[1])))
}

/// Inside by the solid angle that the triangles fill (van Oosterom and Strackee): independent of
/// nearest points.
fn in_mesh(m: &MeshData, x: &V3) -> bool {
    let angle = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|i| m.vertices[i as usize] - *x);
        let (la, lb, lc) = (a.norm(), b.norm(), c.norm());
        let below = la * lb * lc + a.dot(&b) * lc + b.dot(&c) * la + c.dot(&a) * lb;
        2.0 * a.dot(&b.cross(&c)).atan2(below)
    };
    m.triangles.iter().map(angle).sum::<f64>() > 2.0 * std::f64::consts::PI
}

fn random(n: usize, size: f64) -> impl Iterator<Item = V3> {
    let mut s = 12345u64;
    let mut next = move || {
        s = s
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (s >> 11) as f64 / (1u64 << 53) as f64
    };
    (0..n).map(move |_| Vector::from_fn(|_| size * (next() - 0.5)))
}

#[test]
fn signs_of_many_points() {
    let (b, l) = (ball(3), ell());
    let ball_mesh = Mesh::new("ball", &b).unwrap();
    let ell_mesh = Mesh::new("ell", &l).unwrap();
    let mut wrong = 0;
    for x in random(10_000, 3.0) {
        wrong += usize::from((ball_mesh.distance(&x) < 0.0) != in_mesh(&b, &x));
        let y = x + Vector([1.0, 1.0, 0.5]);
        wrong += usize::from((ell_mesh.distance(&y) < 0.0) != in_ell(&y));
        assert_eq!(in_mesh(&l, &y), in_ell(&y));
    }
    assert_eq!(wrong, 0);
}

#[test]
fn meshes_conform() {
    let region = Bounds {
        low: Vector::splat(-1.0),
        high: Vector::splat(3.0),
    };
    let known = Known {
        inside: &in_ell,
        exact: f64::INFINITY,
        slope: 1.0,
        pose: Pose::<3>::turned(Vector([1.0, 2.0, 3.0]), 2.0).unwrap(),
    };
    check_shape(Arc::new(Mesh::new("ell", &ell()).unwrap()), &region, &known).unwrap();
}

#[test]
fn inside_out_is_turned_and_what_has_no_inside_is_refused() {
    let mut m = ball(2);
    let right = Mesh::new("ball", &m).unwrap();
    m.triangles.iter_mut().for_each(|t| t.swap(0, 1));
    let turned = Mesh::new("ball", &m).unwrap();
    for x in random(100, 3.0) {
        assert_eq!(right.distance(&x) < 0.0, turned.distance(&x) < 0.0);
    }
    let text = |m: &MeshData| Mesh::new("thing", m).unwrap_err().to_string();
    let mut open = ball(1);
    open.triangles.pop();
    assert!(text(&open).contains("mesh thing is open: 3 edges have one triangle; close it"));
    let mut bent = ball(1);
    bent.triangles[3].swap(0, 1);
    assert!(
        text(&bent).contains("is not oriented: 3 edges"),
        "{}",
        text(&bent)
    );
    let mut double = ball(1);
    let t = double.triangles[0];
    double.triangles.extend([t, [t[1], t[0], t[2]]]);
    assert!(
        text(&double).contains("more than two triangles"),
        "{}",
        text(&double)
    );
    let mut nan = ball(1);
    nan.vertices[4][1] = f64::NAN;
    assert!(text(&nan).contains("number 4 is not finite"));
    assert!(text(&MeshData::default()).contains("empty"));
    let mut lost = ball(1);
    lost.triangles[0][0] = 999;
    assert!(text(&lost).contains("vertex 999"));
}

#[test]
fn files() {
    let dir = std::env::temp_dir().join(format!("thixo-shape-{}", std::process::id()));
    std::fs::create_dir_all(&dir).unwrap();
    let m = ball(2);
    let mut obj = String::from("mtllib lost.mtl\no thing\n");
    for v in &m.vertices {
        obj += &format!("v {} {} {}\n", v[0], v[1], v[2]);
    }
    for t in &m.triangles {
        obj += &format!("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
    }
    // A text STL has every corner written out.
    let mut stl = String::from("solid thing\n");
    for t in &m.triangles {
        stl += "facet normal 0 0 0\nouter loop\n";
        for i in t {
            let v = m.vertices[*i as usize];
            stl += &format!("vertex {} {} {}\n", v[0], v[1], v[2]);
        }
        stl += "endloop\nendfacet\n";
    }
    stl += "endsolid thing\n";
    let file = |name: &str, text: &[u8]| {
        let path = dir.join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let direct = Mesh::new("ball", &m).unwrap();
    for (name, text) in [("a.obj", &obj), ("a.STL", &stl)] {
        let read = Mesh::load(file(name, text.as_bytes())).unwrap();
        for x in random(500, 3.0) {
            assert!((read.distance(&x) - direct.distance(&x)).abs() < 1e-6);
        }
    }
    let fails = |name: &str, text: &[u8], word: &str| {
        let e = Mesh::load(file(name, text)).unwrap_err().to_string();
        assert!(e.contains(word), "{name}: {e}");
    };
    fails("empty.obj", b"", "empty");
    fails("empty.stl", b"", "cannot read mesh");
    fails(
        "short.stl",
        b"solid x\nfacet normal 0 0",
        "cannot read mesh",
    );
    fails("bad.obj", b"v 1 2\nf 1 2 3\n", "cannot read mesh");
    fails("far.obj", b"v 1 2 3\nf 1 2 9\n", "cannot read mesh");
    fails(
        "nan.obj",
        b"v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
        "not finite",
    );
    fails(
        "one.obj",
        b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
        "is open",
    );
    fails("what.fbx", b"", "its kind is unknown");
    let lost = Mesh::load(dir.join("none.obj")).unwrap_err().to_string();
    assert!(
        lost.contains("none.obj") && lost.contains("check the path"),
        "{lost}"
    );
    std::fs::remove_dir_all(&dir).unwrap();
}
