//! Which faces belong to one cell only.

use rayon::prelude::*;

use super::{Defect, wrong};

/// The corners of a cell that make up each of its faces, out of the cell.
const TETRAHEDRON: [[usize; 3]; 4] = [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]];
const TRIANGLE: [[usize; 3]; 3] = [[0, 1, 1], [1, 2, 2], [2, 0, 0]];

fn local<const D: usize>() -> &'static [[usize; 3]] {
    if D == 3 { &TETRAHEDRON } else { &TRIANGLE }
}

/// A face by its corners in order, which of all faces it is, and whether its corners run so that
/// an even number of swaps sorts them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Face {
    key: [u32; 3],
    which: u64,
    even: bool,
}

impl Face {
    fn new(mut key: [u32; 3], which: u64) -> Self {
        let mut even = true;
        for (i, j) in [(0, 1), (1, 2), (0, 1)] {
            if key[i] > key[j] {
                key.swap(i, j);
                even = !even;
            }
        }
        Self { key, which, even }
    }
}

fn corners<const D: usize>(cells: &[[u32; 4]], which: u64) -> [u32; 3] {
    let sides = local::<D>();
    let n = sides.len() as u64;
    let cell = &cells[(which / n) as usize];
    sides[(which % n) as usize].map(|k| cell[k])
}

/// All faces of all cells, those with the same corners side by side. A segment is sorted by its two
/// ends, the repeated one behind them.
fn sorted<const D: usize>(cells: &[[u32; 4]]) -> Vec<Face> {
    let count = (cells.len() * local::<D>().len()) as u64;
    let face = |which| {
        let [a, b, c] = corners::<D>(cells, which);
        let c = if D == 3 { c } else { u32::MAX };
        Face::new([a, b, c], which)
    };
    let mut all: Vec<Face> = (0..count).into_par_iter().map(face).collect();
    all.par_sort_unstable();
    all
}

/// Refuses cells that share a face with more than one other, or from the same side.
pub(super) fn check<const D: usize>(cells: &[[u32; 4]]) -> Result<(), Defect> {
    let n = local::<D>().len() as u64;
    let what = if D == 3 { "face" } else { "edge" };
    for same in sorted::<D>(cells).chunk_by(|a, b| a.key == b.key) {
        match same {
            [_] => {}
            [a, b] if a.even != b.even => {}
            [a, b] => {
                let (a, b) = (a.which / n, b.which / n);
                let why = format!(
                    "cells {a} and {b} overlap: they are on the same side of a common {what}; remove one"
                );
                return Err(wrong(b as usize, why));
            }
            more => {
                let (a, b, count) = (more[0].which / n, more[1].which / n, more.len());
                let why = format!(
                    "{count} cells share one {what}, among them {a} and {b}; remove those that overlap"
                );
                return Err(wrong(b as usize, why));
            }
        }
    }
    Ok(())
}

/// The faces of one cell only, in the order of the cells.
pub(super) fn outer<const D: usize>(cells: &[[u32; 4]]) -> Vec<[u32; 3]> {
    let all = sorted::<D>(cells);
    let mut alone: Vec<u64> = all
        .chunk_by(|a, b| a.key == b.key)
        .filter(|same| same.len() == 1)
        .map(|same| same[0].which)
        .collect();
    alone.par_sort_unstable();
    alone.into_iter().map(|k| corners::<D>(cells, k)).collect()
}
