//! What the cases with sand and snow share: laws, states in balance, and the columns of laws.

use thixo_core::{Result, World};
use thixo_material::elastic::Lame;
use thixo_material::flow::Sand;
use thixo_math::{Matrix, Real, Vector};

use crate::lab;

/// Gravity \[m/s²\].
pub const G: f64 = 9.81;
/// Density of sand \[kg/m³\].
pub const DENSITY: f64 = 1600.0;
/// Poisson's ratio of sand.
pub const NU: f64 = 0.3;

/// Dry sand that shows this angle \[degrees\] on an incline.
pub fn sand<T: Real, const D: usize>(youngs_modulus: f64, degrees: f64) -> Result<Sand<T>> {
    sand_of::<T, D>(youngs_modulus, NU, degrees)
}

/// The same with another Poisson's ratio.
pub fn sand_of<T: Real, const D: usize>(
    youngs_modulus: f64,
    poissons_ratio: f64,
    degrees: f64,
) -> Result<Sand<T>> {
    lab::law::<T, D, _>(&[
        ("youngs_modulus", youngs_modulus),
        ("poissons_ratio", poissons_ratio),
        ("friction_angle", degrees.to_radians()),
    ])
}

/// The deformation of equal normal stresses −`pressure` with the shear stress `shear` in the plane
/// of the first two axes: ln V = e I + g (xy + yx), so that F = V is known in closed form.
pub fn sheared<const D: usize>(lame: &Lame<f64>, pressure: f64, shear: f64) -> Matrix<f64, D> {
    let e = -pressure / (D as f64 * lame.lambda + 2.0 * lame.mu);
    let g = shear / (2.0 * lame.mu);
    let (c, s) = (g.cosh(), g.sinh());
    Matrix::from_fn(|i, j| {
        e.exp()
            * match (i, j) {
                (0, 0) | (1, 1) => c,
                (0, 1) | (1, 0) => s,
                _ => f64::from(u8::from(i == j)),
            }
    })
}

/// The only number of each particle's state, by the particles' lasting numbers.
pub fn states<T: Real, const D: usize>(world: &World<T, D>, name: &str) -> Result<Vec<f64>> {
    let s = world.snapshot().view(name);
    let id: Vec<u64> = s.get("id")?;
    let state: Vec<[T; 1]> = s.get("state")?;
    let mut both: Vec<(u64, f64)> = id
        .into_iter()
        .zip(state.iter().map(|a| a[0].wide()))
        .collect();
    both.sort_by_key(|x| x.0);
    Ok(both.into_iter().map(|x| x.1).collect())
}

/// Pieces of matter: particles whose kernels share a node are together. Each piece is the list of
/// its particles, the largest first.
pub fn pieces<const D: usize>(x: &[Vector<f64, D>], dx: f64) -> Vec<Vec<usize>> {
    use std::collections::BTreeMap;
    let mut cells: BTreeMap<[i64; D], Vec<usize>> = BTreeMap::new();
    for (i, x) in x.iter().enumerate() {
        cells
            .entry(x.map(|c| (c / dx).round()).0.map(|c| c as i64))
            .or_default()
            .push(i);
    }
    let mut pieces = Vec::new();
    while let Some((first, members)) = cells.pop_first() {
        let (mut piece, mut edge) = (members, vec![first]);
        while let Some(c) = edge.pop() {
            // Quadratic kernels reach one node to each side: two of them meet within two.
            for n in 0..5usize.pow(D as u32) {
                let near =
                    std::array::from_fn(|a| c[a] + (n / 5usize.pow(a as u32) % 5) as i64 - 2);
                if let Some(more) = cells.remove(&near) {
                    piece.extend(more);
                    edge.push(near);
                }
            }
        }
        pieces.push(piece);
    }
    pieces.sort_by_key(|p| std::cmp::Reverse(p.len()));
    pieces
}
