//! Synthetic point sets for tests, examples and pictures.

use std::array::from_fn;
use std::f32::consts::{PI, TAU};

use thixo_core::PointSet;

/// A square or cube of `n` points a side, spacing 0.1 m, with two scalar columns.
pub fn block(n: usize, dimension: usize) -> PointSet {
    let depth = if dimension == 3 { n } else { 1 };
    let count = n * n * depth;
    let h = 0.1;
    let at = |k: usize| [k % n, k / n % n, k / n / n].map(|i| (i as f64 + 0.5) * h);
    let mut set = from_positions("block", dimension, h, (0..count).map(at).collect());
    set.scalars = vec![
        (
            "plastic_volume".into(),
            (0..count).map(|k| 1.0 + 0.001 * k as f32).collect(),
        ),
        (
            "temperature".into(),
            (0..count).map(|k| 273.0 + (k as f32).sin()).collect(),
        ),
    ];
    set
}

/// A set with the given positions, each point filling a cube (square) of side `h`, and a smooth
/// velocity field.
pub fn from_positions(name: &str, dimension: usize, h: f64, position: Vec<[f64; 3]>) -> PointSet {
    let n = position.len();
    let z = if dimension == 3 { 1.0 } else { 0.0 };
    let position: Vec<_> = position
        .into_iter()
        .map(|[x, y, w]| [x, y, w * z])
        .collect();
    let v = |x: &[f64; 3]| [x[1].sin() as f32, -x[0] as f32, 0.25 * z as f32];
    let volume = h.powi(dimension as i32) as f32;
    PointSet {
        name: name.into(),
        material: "sample".into(),
        dimension,
        id: (0..n as u64).collect(),
        velocity: position.iter().map(v).collect(),
        position,
        mass: vec![1000.0 * volume; n],
        volume: vec![volume; n],
        faces: Vec::new(),
        scalars: Vec::new(),
        cell: 2.0 * h,
        spacing: h,
        color: [0.35, 0.55, 0.8],
    }
}

/// A cube of `n` by `n` squares a side, 0.6 m large around the origin, as a set with faces; its first
/// point is inside.
pub fn skin(n: usize) -> PointSet {
    let mut position = vec![[0.0; 3]];
    let mut faces = Vec::new();
    for side in 0..6 {
        let axis = side / 2;
        let out = 0.3 * (1.0 - 2.0 * (side % 2) as f64);
        let at = |k: usize| (k as f64 / n as f64 - 0.5) * 0.6;
        for k in 0..n * n {
            let corners = [[0, 0], [1, 0], [1, 1], [0, 1]].map(|[u, v]| {
                let mut x = [out; 3];
                x[(axis + 1) % 3] = at(k % n + u);
                x[(axis + 2) % 3] = at(k / n + v);
                let known = position.iter().position(|y| *y == x);
                known.unwrap_or_else(|| {
                    position.push(x);
                    position.len() - 1
                }) as u32
            });
            let [a, b, c, d] = corners;
            faces.extend(match side % 2 {
                0 => [[a, b, c], [a, c, d]],
                _ => [[a, c, b], [a, d, c]],
            });
        }
    }
    let mut set = from_positions("skin", 3, 0.6 / n as f64, position);
    set.faces = faces;
    set
}

/// A ring of `n` segments outside and inside, 0.4 and 0.2 m from (0, 0.5), as a set with faces.
pub fn ring(n: usize) -> PointSet {
    let at = |k: usize| {
        let (r, turn) = if k < n { (0.4, 1.0) } else { (0.2, -1.0) };
        let (s, c) = (turn * f64::from(TAU) * (k % n) as f64 / n as f64).sin_cos();
        [r * c, 0.5 + r * s, 0.0]
    };
    let next = |k: usize| {
        if (k + 1).is_multiple_of(n) {
            k + 1 - n
        } else {
            k + 1
        }
    };
    let mut set = from_positions("ring", 2, 0.1, (0..2 * n).map(at).collect());
    set.faces = (0..2 * n)
        .map(|k| [k, next(k), next(k)].map(|k| k as u32))
        .collect();
    set
}

/// A mesh: corners, their normals, triangles.
pub type Mesh = (Vec<[f32; 3]>, Vec<[f32; 3]>, Vec<[u32; 3]>);

/// A closed sphere of 2 n² triangles, wound so that normals point out.
pub fn sphere(center: [f32; 3], radius: f32, n: u32) -> Mesh {
    let at = |u: f32, v: f32| {
        let ((s, c), (t, d)) = ((TAU * u).sin_cos(), (PI * v).sin_cos());
        [t * c, d, t * s]
    };
    let normals = patch(n, n, at);
    let place = |x: &[f32; 3]| from_fn(|a| center[a] + radius * x[a]);
    let positions = normals.iter().map(place).collect();
    (positions, normals, quads(n, n))
}

/// A closed torus around y of 2 n² triangles, wound so that normals point out.
pub fn torus(center: [f32; 3], radius: f32, tube: f32, n: u32) -> Mesh {
    let out = |u: f32, v: f32| {
        let ((s, c), (t, d)) = ((TAU * u).sin_cos(), (TAU * v).sin_cos());
        [c * d, -t, s * d]
    };
    let normals = patch(n, n, out);
    let place = |u: f32, v: f32| {
        let ((s, c), n) = ((TAU * u).sin_cos(), out(u, v));
        let ring = [radius * c, 0.0, radius * s];
        from_fn(|a| center[a] + ring[a] + tube * n[a])
    };
    (patch(n, n, place), normals, quads(n, n))
}

/// The points of a map from the unit square, n by m cells. The far side of u = 1 repeats u = 0.
fn patch(n: u32, m: u32, at: impl Fn(f32, f32) -> [f32; 3]) -> Vec<[f32; 3]> {
    let all = (0..=m).flat_map(|j| (0..=n).map(move |i| (i % n, j)));
    all.map(|(i, j)| at(i as f32 / n as f32, j as f32 / m as f32))
        .collect()
}

fn quads(n: u32, m: u32) -> Vec<[u32; 3]> {
    let all = (0..m).flat_map(|j| (0..n).map(move |i| j * (n + 1) + i));
    all.flat_map(|k| [[k, k + 1, k + n + 2], [k, k + n + 2, k + n + 1]])
        .collect()
}

/// A number in 0..1 from an integer: the same on every machine.
pub fn noise(k: u64) -> f64 {
    let mut x = k.wrapping_add(0x9E37_79B9_7F4A_7C15);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((x ^ (x >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}
