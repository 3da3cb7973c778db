//! What can be told without a reader of the format; the rest is in `crates/io/tests/vdb.py`.

use std::collections::BTreeMap;

use super::raster::rasterise;
use super::*;
use crate::sample::{from_positions, noise};

type Voxels = BTreeMap<[i32; 3], (f32, f32, [f32; 3])>;

fn voxels(set: &PointSet) -> Voxels {
    let mut all = Voxels::new();
    for leaf in rasterise(set).unwrap() {
        for (n, at) in leaf.voxels().enumerate() {
            let twice = all.insert(at, (leaf.fill[n], leaf.mass_density[n], leaf.velocity[n]));
            assert!(twice.is_none(), "{at:?} is in two leaves");
        }
    }
    all
}

fn file(set: &PointSet, time: f64) -> Vec<u8> {
    let mut out = Vec::new();
    write(&mut out, set, time).unwrap();
    out
}

/// Points at random in a cube of 20 cells around the origin, with random masses; the cell is 1/4 m.
fn cloud(n: u64, dimension: usize) -> PointSet {
    let x = |k: u64| [0, 1, 2].map(|a| 5.0 * noise(3 * k + a) - 2.5);
    let mut set = from_positions("cloud", dimension, 0.125, (0..n).map(x).collect());
    for k in 0..set.mass.len() {
        set.mass[k] *= 0.5 + noise(k as u64 + 1_000_000) as f32;
    }
    set
}

/// The kernel as the books write it.
fn spline(d: f64) -> f64 {
    match d.abs() {
        d if d < 0.5 => 0.75 - d * d,
        d if d < 1.5 => 0.5 * (1.5 - d) * (1.5 - d),
        _ => 0.0,
    }
}

#[test]
fn every_voxel_is_the_sum_over_all_points() {
    for dimension in [2, 3] {
        let set = cloud(300, dimension);
        let got = voxels(&set);
        let depth = if dimension == 3 { -13..=13 } else { -1..=1 };
        let mut seen = 0;
        for x in -13..=13 {
            for y in -13..=13 {
                for z in depth.clone() {
                    let (mut fill, mut m, mut p) = (0.0, 0.0, [0.0; 3]);
                    for (k, at) in set.position.iter().enumerate() {
                        let mut w =
                            spline(at[0] / 0.25 - x as f64) * spline(at[1] / 0.25 - y as f64);
                        w *= match dimension {
                            3 => spline(at[2] / 0.25 - z as f64),
                            _ => f64::from(z == 0),
                        };
                        let size = 0.25f64.powi(dimension as i32);
                        fill += w * f64::from(set.volume[k]) / size;
                        m += w * f64::from(set.mass[k]) / size;
                        for a in 0..3 {
                            p[a] += w * f64::from(set.mass[k] * set.velocity[k][a]) / size;
                        }
                    }
                    let Some(voxel) = got.get(&[x, y, z]) else {
                        assert_eq!(m, 0.0, "{:?}", [x, y, z]);
                        continue;
                    };
                    seen += 1;
                    let near = |a: f32, b: f64| (f64::from(a) - b).abs() <= 1e-6 * b.abs();
                    assert!(near(voxel.0, fill.min(1.0)) && near(voxel.1, m));
                    for a in 0..3 {
                        assert!((f64::from(voxel.2[a]) - p[a] / m).abs() < 1e-6);
                    }
                }
            }
        }
        assert_eq!(seen, got.len());
    }
}

#[test]
fn mass_is_kept_and_fill_is_a_fraction() {
    for (dimension, n) in [(2, 3_000), (3, 90_000)] {
        let set = cloud(n, dimension);
        let size = set.cell.powi(dimension as i32);
        let got = voxels(&set);
        let mass: f64 = got.values().map(|v| f64::from(v.1) * size).sum();
        let want: f64 = set.mass.iter().map(|&m| f64::from(m)).sum();
        assert!((mass - want).abs() < 1e-7 * want, "{mass} for {want}");
        assert!(got.values().all(|v| (0.0..=1.0).contains(&v.0)));
        assert!(got.values().any(|v| v.0 == 1.0) && got.values().any(|v| v.0 < 0.1));
    }
}

#[test]
fn moving_by_whole_voxels_moves_the_indices_only() {
    let mut set = cloud(2_000, 3);
    for x in &mut set.position {
        // Offsets on a lattice of 2⁻²⁰ cells stay exact.
        *x = x.map(|c| (c * 4.0 * 1048576.0).round() / 4.0 / 1048576.0);
    }
    let here = voxels(&set);
    assert!(here.len() > 1000);
    // Into other leaves, other nodes, and a million cells away.
    for shift in [
        [3, -8, 0],
        [130, -4097, 77],
        [1_000_000, -1_000_000, 999_999],
    ] {
        let mut moved = set.clone();
        for x in &mut moved.position {
            for a in 0..3 {
                x[a] += shift[a] as f64 * 0.25;
            }
        }
        let there = voxels(&moved);
        let back = there
            .into_iter()
            .map(|(at, v)| (std::array::from_fn(|a| at[a] - shift[a]), v));
        assert!(back.collect::<Voxels>() == here, "{shift:?}");
    }
}

#[test]
fn the_bytes_do_not_depend_on_threads_and_every_bit_counts() {
    let set = cloud(5_000, 3);
    let one = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .unwrap();
    let many = rayon::ThreadPoolBuilder::new()
        .num_threads(5)
        .build()
        .unwrap();
    let bytes = one.install(|| file(&set, 0.25));
    assert_eq!(many.install(|| file(&set, 0.25)), bytes);
    let name = |bytes: &[u8]| bytes[21..57].to_vec();
    let other = file(&set, 0.5);
    assert_eq!(other.len(), bytes.len());
    assert_ne!(name(&other), name(&bytes));
    let mut heavier = set.clone();
    heavier.mass[77] *= 1.01;
    assert_ne!(name(&file(&heavier, 0.25)), name(&bytes));
}

#[test]
fn one_point_and_none() {
    let one = from_positions("one", 3, 0.125, vec![[0.06, 0.11, -0.07]]);
    let got = voxels(&one);
    assert_eq!(got.len(), 27);
    let fill: f64 = got.values().map(|v| f64::from(v.0)).sum();
    assert!((fill - 0.125).abs() < 1e-7, "{fill}");
    for v in got.values() {
        for a in 0..3 {
            assert!((v.2[a] - one.velocity[0][a]).abs() < 1e-6);
        }
    }
    // On a node it reaches 3³ voxels, half-way between nodes 2³: the weight of the third is zero.
    let between = from_positions("between", 3, 0.125, vec![[0.125; 3]]);
    assert_eq!(voxels(&between).len(), 8);
    let flat = from_positions("flat", 2, 0.125, vec![[0.0; 3]]);
    assert_eq!(voxels(&flat).len(), 9);
    assert!(voxels(&flat).keys().all(|at| at[2] == 0));
    let none = from_positions("none", 3, 0.125, vec![]);
    assert!(voxels(&none).is_empty());
    assert!(file(&none, 0.0).len() < 2000);
}

#[test]
fn spray_costs_by_the_leaf() {
    let x = |k: u64| [0, 1, 2].map(|a| (noise(3 * k + a) - 0.5) * 2e5);
    let spray = from_positions("spray", 3, 0.125, (0..200).map(x).collect());
    let leaves = rasterise(&spray).unwrap();
    assert!((200..=1600).contains(&leaves.len()));
    assert!(leaves.windows(2).all(|w| w[0].key < w[1].key));
}

#[test]
fn what_has_no_voxel_is_an_error() {
    let good = cloud(10, 3);
    let fails = |change: &dyn Fn(&mut PointSet)| {
        let mut bad = good.clone();
        change(&mut bad);
        let e = write(&mut Vec::new(), &bad, 0.0).unwrap_err().to_string();
        assert!(e.contains("`cloud`"), "{e}");
    };
    write(&mut Vec::new(), &good, 0.0).unwrap();
    fails(&|s| s.position[3][1] = f64::NAN);
    fails(&|s| s.position[3][1] = 1e10);
    fails(&|s| s.velocity[3][1] = f32::INFINITY);
    fails(&|s| s.mass[3] = -1.0);
    fails(&|s| s.mass[3] = f32::MAX);
    fails(&|s| s.volume[3] = f32::NAN);
    fails(&|s| s.cell = 0.0);
    fails(&|s| s.cell = 1e-5);
    fails(&|s| s.cell = f64::NAN);
    fails(&|s| s.dimension = 1);
    fails(&|s| s.mass.truncate(3));
}
