//! Particles laid out by block, and the lazy sort that puts them so.
//!
//! A particle belongs to the block of its anchor at the time of the sort, and may stray one cell
//! beyond it before the next: tiles have that much slack. Whether a sort is due is a property of
//! the state, so order and sums do not depend on time or threads.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use crate::block::{BLOCK, Coord, block_of, key};

/// The particles of one block: `start..end` in every column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range<const D: usize> {
    /// The block.
    pub block: Coord<D>,
    /// First particle.
    pub start: usize,
    /// One past the last.
    pub end: usize,
}

impl<const D: usize> Range<D> {
    /// Number of particles.
    pub fn len(&self) -> usize {
        self.end - self.start
    }
    /// Whether there are none; a layout has no such range.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Where a particle's stencil starts in the block's tile: its anchor relative to the block,
    /// plus one cell of slack. Meaningless when the particle has strayed too far.
    #[inline(always)]
    pub fn local(&self, cell: &[i32; D]) -> [usize; D] {
        std::array::from_fn(|a| (cell[a] - self.block[a] * BLOCK + 1) as usize)
    }
    /// Whether the particle is still within the block's tile.
    #[inline(always)]
    pub fn holds(&self, cell: &[i32; D]) -> bool {
        (0..D).all(|a| {
            let c = cell[a] - self.block[a] * BLOCK;
            (-1..=BLOCK).contains(&c)
        })
    }
}

/// Which particles belong to which block, blocks in lexicographic order.
#[derive(Clone, Debug, Default)]
pub struct Layout<const D: usize> {
    /// One range per occupied block; together they are all particles, in order.
    pub ranges: Vec<Range<D>>,
    stamp: u64,
}

/// Tells layouts apart, so that what follows from one is not made twice. Never part of a result.
static STAMP: AtomicU64 = AtomicU64::new(1);

impl<const D: usize> Layout<D> {
    /// The layout of these ranges.
    pub fn new(ranges: Vec<Range<D>>) -> Self {
        Self {
            ranges,
            stamp: STAMP.fetch_add(1, Ordering::Relaxed),
        }
    }
    /// The same for the same layout, different for every other.
    pub fn stamp(&self) -> u64 {
        self.stamp
    }
    /// The stable order that sorts particles by block, and the layout after it.
    pub fn sort(cells: &[[i32; D]]) -> (Vec<u32>, Self) {
        let keys: Vec<u64> = cells.par_iter().map(|c| key(&block_of(c))).collect();
        let mut order: Vec<u32> = (0..cells.len() as u32).collect();
        order.par_sort_by_key(|&i| keys[i as usize]);
        let mut ranges: Vec<Range<D>> = Vec::new();
        let mut last = None;
        for (n, &i) in order.iter().enumerate() {
            let k = keys[i as usize];
            if last != Some(k) {
                last = Some(k);
                ranges.push(Range {
                    block: block_of(&cells[i as usize]),
                    start: n,
                    end: n,
                });
            }
            if let Some(r) = ranges.last_mut() {
                r.end = n + 1;
            }
        }
        (order, Self::new(ranges))
    }
    /// Number of particles.
    pub fn len(&self) -> usize {
        self.ranges.last().map_or(0, |r| r.end)
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }
    /// Puts a column into the new order.
    pub fn permute<X: Copy + Send + Sync>(order: &[u32], column: &[X], out: &mut Vec<X>) {
        out.clear();
        if !column.is_empty() {
            order
                .par_iter()
                .map(|&i| column[i as usize])
                .collect_into_vec(out);
        }
    }
}
