//! A layer between two levels, periodic along it.

use thixo_core::{Result, World};
use thixo_grid::transfer::Scheme;
use thixo_grid::{Domain, KernelKind};
use thixo_math::Vector;
use thixo_mpm::{Force, Options, Seed};

use crate::lab::{self, columns};

/// How many cells the period is long.
const LONG: f64 = 4.0;

/// Multilinear shape functions: the velocity is that of linear finite elements. A node at the wall is the last that matter
/// touches, so a sticky wall is where it is, and nothing is lost in transfers of what is linear in a cell.
pub fn multilinear() -> Options {
    Options {
        kernel: KernelKind::Linear,
        force: Force::Gradient,
        ..Options::default()
    }
}

/// Quadratic shape functions and FLIP, which loses nothing in transfers either.
pub fn flip() -> Options {
    Options {
        scheme: Scheme::FLIP,
        ..Options::default()
    }
}

/// Space with cells of this size; in the plane, or a thin slice of space.
pub fn space<const D: usize>(dx: f64, deep: Option<f64>) -> Result<Domain<D>> {
    let length = |axis| match axis {
        1 => deep.unwrap_or(0.0),
        _ => LONG * dx,
    };
    lab::periodic(dx, std::array::from_fn(length))
}

/// Matter of density 1 and depth `rows` half cells, above y = 0: two particles per cell along and across the layer, one
/// across the slice.
pub fn fill<const D: usize>(dx: f64, rows: usize) -> Vec<Seed<D>> {
    let along = 2 * LONG as usize;
    let across = if D == 3 { LONG as usize } else { 1 };
    let volume = 0.25 * dx.powi(D as i32);
    let place = |i: usize| {
        let (row, rest) = (i / (along * across), i % (along * across));
        let step = [(rest % along) as f64, row as f64, (rest / along) as f64];
        let size = [0.5, 0.5, 1.0];
        let x = Vector::from_fn(|a| (step[a] + 0.5) * size[a] * dx);
        Seed::new(x, volume, 1.0)
    };
    (0..rows * along * across).map(place).collect()
}

/// Mean of some number of each particle over the particles of each row.
pub fn by_rows(all: &[f64], rows: usize) -> Vec<f64> {
    let size = all.len() / rows;
    let mean = |row: &[f64]| row.iter().sum::<f64>() / row.len() as f64;
    all.chunks(size.max(1)).map(mean).collect()
}

/// The velocity along the layer at some levels \[m\], between those of the rows.
pub fn velocity<const D: usize>(
    world: &World<f64, D>,
    name: &str,
    rows: usize,
    levels: &[f64],
) -> Result<Vec<f64>> {
    let p = columns(world, name)?;
    let pick = |of: &[Vector<f64, D>], axis: usize| {
        by_rows(&of.iter().map(|x| x[axis]).collect::<Vec<_>>(), rows)
    };
    let (y, u) = (pick(&p.x, 1), pick(&p.v, 0));
    let at = |level: f64| {
        let k = y.partition_point(|&y| y < level).clamp(1, rows - 1);
        let share = (level - y[k - 1]) / (y[k] - y[k - 1]);
        u[k - 1] + share * (u[k] - u[k - 1])
    };
    Ok(levels.iter().map(|&l| at(l)).collect())
}
