//! Points to voxels, with the quadratic B-spline of the simulation's own transfers.
//!
//! A leaf sums the points that reach it in the order of the set, whoever computes it, so the result
//! does not depend on threads. Sums are in `f64`.

use std::ops::RangeInclusive;

use rayon::prelude::*;
use thixo_core::PointSet;

use super::tree::{Key, axes, place};
use crate::{Error, Result};

/// Voxels farther from the origin than this along an axis are not written.
const REACH: f64 = (1 << 30) as f64;

/// Sizes of voxels \[m\]. OpenVDB holds a map for singular when a voxel's volume is less than
/// 3·10⁻¹⁵, and Blender stops at once.
const CELLS: RangeInclusive<f64> = 2e-5..=1e8;

/// A leaf of 8³ voxels. Values are those of the active voxels, in the order of the mask.
#[derive(Debug, PartialEq)]
pub(super) struct Leaf {
    pub key: Key,
    /// One bit a voxel: something reaches it.
    pub mask: [u64; 8],
    /// Fill fraction, 0 to 1.
    pub fill: Vec<f32>,
    /// Mass per volume \[kg/m³\].
    pub mass_density: Vec<f32>,
    /// Mean velocity by mass \[m/s\].
    pub velocity: Vec<[f32; 3]>,
}

impl Leaf {
    /// The active voxels.
    pub fn voxels(&self) -> impl Iterator<Item = [i32; 3]> + '_ {
        let origin = self.key.origin();
        let on = |n: &u16| self.mask[usize::from(n >> 6)] >> (n & 63) & 1 == 1;
        (0..512).filter(on).map(move |n| {
            let at = axes(n, 3);
            std::array::from_fn(|a| origin[a] + at[a])
        })
    }
}

/// The occupied leaves of a set, in the order of their keys.
pub(super) fn rasterise(set: &PointSet) -> Result<Vec<Leaf>> {
    check(set)?;
    let mut reached: Vec<(Key, usize)> = Vec::new();
    for (p, x) in set.position.iter().enumerate() {
        let (low, high) = Stencil::new(x, set).span();
        let corner = |v: [i32; 3]| v.map(|c| c >> 3);
        each(corner(low), corner(high), |at| {
            reached.push((Key::new(at), p))
        });
    }
    // Pairs are unique, so the order is too.
    reached.par_sort_unstable();
    let groups: Vec<_> = reached.chunk_by(|a, b| a.0 == b.0).collect();
    groups.into_par_iter().map(|g| leaf(set, g)).collect()
}

/// What would leave a voxel without a value.
fn check(set: &PointSet) -> Result<()> {
    let wrong = |what: String| Err(Error::Invalid(format!("`{}`: {what}", set.name)));
    let n = set.position.len();
    for (column, len) in [
        ("velocity", set.velocity.len()),
        ("mass", set.mass.len()),
        ("volume", set.volume.len()),
    ] {
        if len != n {
            return wrong(format!("column `{column}` has {len} values for {n} points"));
        }
    }
    if !(2..=3).contains(&set.dimension) {
        return wrong(format!("no voxels in {} dimensions", set.dimension));
    }
    if !CELLS.contains(&set.cell) {
        return wrong(format!(
            "OpenVDB has no voxels of {} m, only from {} to {} m",
            set.cell,
            CELLS.start(),
            CELLS.end()
        ));
    }
    for p in 0..n {
        let near = |x: &f64| (x / set.cell).abs() < REACH;
        if !set.position[p].iter().all(near) {
            let x = set.position[p];
            return wrong(format!("point {p} at {x:?} m is on no voxel"));
        }
        let moves = set.velocity[p].iter().all(|v| v.is_finite());
        if !(moves && set.volume[p].is_finite() && set.mass[p].is_finite() && set.mass[p] >= 0.0) {
            return wrong(format!(
                "point {p} has velocity {:?} m/s, volume {} m³, mass {} kg",
                set.velocity[p], set.volume[p], set.mass[p]
            ));
        }
    }
    Ok(())
}

/// The voxels that a point reaches, three along each axis, and its weights there.
struct Stencil {
    base: [i32; 3],
    w: [[f64; 3]; 3],
}

impl Stencil {
    fn new(x: &[f64; 3], set: &PointSet) -> Self {
        let mut base = [-1; 3];
        // In two dimensions, all of it in voxel 0 of the third axis.
        let mut w = [[0.0, 1.0, 0.0]; 3];
        for a in 0..set.dimension {
            let s = x[a] / set.cell;
            let first = (s + 0.5).floor() - 1.0;
            let d = s - first; // 0.5 to 1.5
            base[a] = first as i32;
            w[a] = [
                0.5 * (1.5 - d) * (1.5 - d),
                0.75 - (d - 1.0) * (d - 1.0),
                0.5 * (d - 0.5) * (d - 0.5),
            ];
        }
        Self { base, w }
    }
    /// The box of the voxels whose weight is not zero; both ends are inside.
    fn span(&self) -> ([i32; 3], [i32; 3]) {
        let none = |a: usize, k: usize| i32::from(self.w[a][k] <= 0.0);
        (
            std::array::from_fn(|a| self.base[a] + none(a, 0)),
            std::array::from_fn(|a| self.base[a] + 2 - none(a, 2)),
        )
    }
}

/// Sums of a voxel.
#[derive(Clone, Copy, Default)]
struct Sum {
    volume: f64,
    mass: f64,
    momentum: [f64; 3],
}

/// One leaf from the points that reach it.
fn leaf(set: &PointSet, reached: &[(Key, usize)]) -> Result<Leaf> {
    let key = reached[0].0;
    let origin = key.origin();
    let mut sums = [Sum::default(); 512];
    let mut mask = [0u64; 8];
    for &(_, p) in reached {
        let stencil = Stencil::new(&set.position[p], set);
        let (low, high) = stencil.span();
        // An inverted point fills nothing.
        let volume = f64::from(set.volume[p]).max(0.0);
        let mass = f64::from(set.mass[p]);
        let v = set.velocity[p].map(f64::from);
        let low = std::array::from_fn(|a| low[a].max(origin[a]));
        let high = std::array::from_fn(|a| high[a].min(origin[a] + 7));
        each(low, high, |at| {
            let w: [f64; 3] =
                std::array::from_fn(|a| stencil.w[a][(at[a] - stencil.base[a]) as usize]);
            let w = w[0] * w[1] * w[2];
            let n = usize::from(place(at, 3));
            mask[n >> 6] |= 1 << (n & 63);
            let sum = &mut sums[n];
            sum.volume += w * volume;
            sum.mass += w * mass;
            for a in 0..3 {
                sum.momentum[a] += w * mass * v[a];
            }
        });
    }
    let h = set.cell;
    let size = if set.dimension == 2 { h * h } else { h * h * h };
    let active = |n: &usize| mask[n >> 6] >> (n & 63) & 1 == 1;
    let sums: Vec<Sum> = (0..512).filter(active).map(|n| sums[n]).collect();
    let mean = |s: &Sum| {
        s.momentum.map(|p| {
            if s.mass > 0.0 {
                (p / s.mass) as f32
            } else {
                0.0
            }
        })
    };
    let leaf = Leaf {
        key,
        mask,
        fill: sums
            .iter()
            .map(|s| (s.volume / size).min(1.0) as f32)
            .collect(),
        mass_density: sums.iter().map(|s| (s.mass / size) as f32).collect(),
        velocity: sums.iter().map(mean).collect(),
    };
    let values = leaf.mass_density.iter().chain(leaf.velocity.as_flattened());
    if values.chain(&leaf.fill).all(|x| x.is_finite()) {
        Ok(leaf)
    } else {
        Err(Error::Invalid(format!(
            "`{}`: a density or velocity is too large to write",
            set.name
        )))
    }
}

/// Every point of a box, both ends inside, the last axis fastest.
fn each(low: [i32; 3], high: [i32; 3], mut f: impl FnMut([i32; 3])) {
    for x in low[0]..=high[0] {
        for y in low[1]..=high[1] {
            for z in low[2]..=high[2] {
                f([x, y, z]);
            }
        }
    }
}
