//! Smoothing that keeps the volume, and normals.
//!
//! Every round moves vertices towards the mean of their neighbours, which flattens the bumps that
//! single particles leave but also shrinks the body; in the end the surface is moved out again by
//! as much as its volume has lost. What is as small as a bump, drops and threads, is spared by
//! weights.

use rayon::prelude::*;

use super::mesh::{corners, tetrahedron};

/// Share of the way to the mean that a round goes.
const SHARE: f64 = 0.63;

/// The vertices after some rounds, each move scaled by the weight of its vertex.
pub(super) fn smooth(
    mut x: Vec<[f64; 3]>,
    triangles: &[[u32; 3]],
    weight: &[f64],
    rounds: usize,
) -> Vec<[f64; 3]> {
    if rounds == 0 || x.is_empty() {
        return x;
    }
    let mut edges: Vec<[u32; 2]> = Vec::with_capacity(6 * triangles.len());
    for &[a, b, c] in triangles {
        edges.extend([[a, b], [b, a], [b, c], [c, b], [c, a], [a, c]]);
    }
    edges.par_sort_unstable();
    edges.dedup();
    let starts: Vec<usize> = (0..=x.len())
        .map(|k| edges.partition_point(|e| (e[0] as usize) < k))
        .collect();
    let step = |x: &[[f64; 3]]| -> Vec<[f64; 3]> {
        let moved = |k: usize| {
            let near = &edges[starts[k]..starts[k + 1]];
            let mut sum = [0.0; 3];
            for e in near {
                for i in 0..3 {
                    sum[i] += x[e[1] as usize][i];
                }
            }
            let n = near.len().max(1) as f64;
            let share = SHARE * weight[k];
            std::array::from_fn(|i| x[k][i] + share * (sum[i] / n - x[k][i]))
        };
        (0..x.len()).into_par_iter().map(moved).collect()
    };
    let before = volume(&x, triangles);
    for _ in 0..rounds {
        x = step(&x);
    }
    // Moved out by d, a vertex adds d times a third of the area around it.
    let normal = area_normals(&x, triangles);
    let area = |(n, w): (&[f64; 3], &f64)| w * n.iter().map(|c| c * c).sum::<f64>().sqrt() / 6.0;
    let area: f64 = normal.iter().zip(weight).map(area).sum();
    if area > 0.0 {
        let d = (before - volume(&x, triangles)) / area;
        for (k, n) in normals(&x, triangles).into_iter().enumerate() {
            for i in 0..3 {
                x[k][i] += d * weight[k] * f64::from(n[i]);
            }
        }
    }
    x
}

fn volume(x: &[[f64; 3]], triangles: &[[u32; 3]]) -> f64 {
    let part = |t: &[u32; 3]| tetrahedron(corners(x, t, x[0]));
    triangles.iter().map(part).sum()
}

/// Unit normals of vertices: the mean of those of their triangles, by area.
pub(crate) fn normals(x: &[[f64; 3]], triangles: &[[u32; 3]]) -> Vec<[f32; 3]> {
    let unit = |n: [f64; 3]| {
        let length = n.iter().map(|c| c * c).sum::<f64>().sqrt();
        if length > 0.0 {
            n.map(|c| (c / length) as f32)
        } else {
            [0.0, 1.0, 0.0] // a vertex whose triangles cancel has no side: up
        }
    };
    area_normals(x, triangles).into_iter().map(unit).collect()
}

/// Normals of vertices as long as twice the area of their triangles.
fn area_normals(x: &[[f64; 3]], triangles: &[[u32; 3]]) -> Vec<[f64; 3]> {
    let mut sum = vec![[0.0; 3]; x.len()];
    for t in triangles {
        let [_, u, v] = corners(x, t, x[t[0] as usize]);
        let n = |i: usize, j: usize| u[i] * v[j] - u[j] * v[i];
        let n = [n(1, 2), n(2, 0), n(0, 1)];
        for &k in t {
            for i in 0..3 {
                sum[k as usize][i] += n[i];
            }
        }
    }
    sum
}
