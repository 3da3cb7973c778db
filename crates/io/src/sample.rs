//! Synthetic point sets for tests, examples and pictures.

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
        scalars: Vec::new(),
        cell: 2.0 * h,
        spacing: h,
        color: [0.35, 0.55, 0.8],
    }
}

/// A number in 0..1 from an integer: the same on every machine.
pub fn noise(k: u64) -> f64 {
    let mut x = k.wrapping_add(0x9E37_79B9_7F4A_7C15);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((x ^ (x >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}
