//! Particles laid out by block, and the lazy sort that puts them so.
//!
//! A particle belongs to the block of its anchor at the time of the sort. Until the next, the
//! particles of a block may stray one cell beyond the box that they filled: tiles have that slack. Whether a sort is due is a property of
//! the state, so order and sums do not depend on time or threads.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use crate::block::{BLOCK, Coord, block_of, key, neighbours};
use crate::{Kernel, KernelKind};

/// A cell relative to the block that a particle was sorted into: four bits per axis, the last axis in the
/// lowest, each 2 more than the distance from the block's first cell. That leaves room for the slack and
/// for one step beyond it.
pub type Place = u16;

/// What a digit of a [`Place`] is above the distance from the block's first cell.
const MARGIN: i32 = 2;

/// The digit of axis `a`.
#[inline(always)]
pub(crate) fn digit<const D: usize>(place: Place, a: usize) -> i32 {
    i32::from(place >> (4 * (D - 1 - a)) & 15)
}

/// Where the stencil of a particle at this place starts in the tile of its block.
#[inline(always)]
pub fn stencil_start<K: Kernel, const D: usize>(place: Place) -> usize {
    (0..D).fold(0, |s, a| s * K::TILE + digit::<D>(place, a) as usize - 1)
}

/// The particles of one block: `start..end` in every column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range<const D: usize> {
    /// The block.
    pub block: Coord<D>,
    /// First particle.
    pub start: usize,
    /// One past the last.
    pub end: usize,
    /// The box of their anchors at the time of the sort: lowest and highest cell.
    pub cells: [[i32; D]; 2],
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
    /// Whether its box lies in its block.
    pub fn is_sound(&self) -> bool {
        self.cells.iter().all(|c| block_of(c) == self.block)
    }
    /// Whether the particle is within one cell of the box, and so within the block's tile.
    #[inline(always)]
    pub fn holds(&self, cell: &[i32; D]) -> bool {
        let [low, high] = &self.cells;
        (0..D).all(|a| (low[a].saturating_sub(1)..=high[a].saturating_add(1)).contains(&cell[a]))
    }
    /// The place of a cell relative to the block, see [`Place`].
    #[inline(always)]
    pub fn place(&self, cell: &[i32; D]) -> Place {
        (0..D).fold(0, |p, a| {
            (p << 4) | ((cell[a] - self.block[a] * BLOCK + MARGIN) as Place & 15)
        })
    }
    /// The cell of a place.
    #[inline(always)]
    pub fn cell(&self, place: Place) -> [i32; D] {
        std::array::from_fn(|a| self.block[a] * BLOCK + digit::<D>(place, a) - MARGIN)
    }
    /// The blocks of nodes that its particles may touch with a kernel of this reach.
    pub(crate) fn touches(&self, [first, last]: [i32; 2]) -> impl Iterator<Item = Coord<D>> {
        let [low, high] = self.cells;
        let low = block_of(&low.map(|c| c - 1 + first));
        let high = block_of(&high.map(|c| c + 1 + last));
        let inside = move |b: &Coord<D>| (0..D).all(|a| (low[a]..=high[a]).contains(&b[a]));
        let block = self.block;
        neighbours::<D>()
            .map(move |o| std::array::from_fn(|a| block[a] + o[a]))
            .filter(inside)
    }
}

/// Which particles belong to which block, blocks in lexicographic order.
#[derive(Clone, Debug, Default)]
pub struct Layout<const D: usize> {
    /// One range per occupied block; together they are all particles, in order.
    pub ranges: Vec<Range<D>>,
    reach: [i32; 2],
    stamp: u64,
}

/// Tells layouts apart, so that what follows from one is not made twice. Never part of a result.
static STAMP: AtomicU64 = AtomicU64::new(1);

impl<const D: usize> Layout<D> {
    /// The layout of these ranges, for a kernel.
    pub fn new(ranges: Vec<Range<D>>, kernel: KernelKind) -> Self {
        Self {
            ranges,
            reach: kernel.reach(),
            stamp: STAMP.fetch_add(1, Ordering::Relaxed),
        }
    }
    /// The same for the same layout, different for every other.
    pub fn stamp(&self) -> u64 {
        self.stamp
    }
    /// The blocks of nodes that particles may touch before the next sort; some come repeatedly.
    pub(crate) fn touched(&self) -> impl ParallelIterator<Item = Coord<D>> + '_ {
        let ranges = self.ranges.par_iter();
        ranges.flat_map_iter(|r| r.touches(self.reach))
    }
    /// The stable order that sorts particles by block, and the layout after it.
    pub fn sort(cells: &[[i32; D]], kernel: KernelKind) -> (Vec<u32>, Self) {
        let keys: Vec<u64> = cells.par_iter().map(|c| key(&block_of(c))).collect();
        let mut order: Vec<u32> = (0..cells.len() as u32).collect();
        let inner = |c: &[i32; D]| c.iter().fold(0, |k, x| k << 2 | x & 3);
        order.par_sort_by_key(|&i| (keys[i as usize], inner(&cells[i as usize])));
        let mut ranges: Vec<Range<D>> = Vec::new();
        let mut last = None;
        for (n, &i) in order.iter().enumerate() {
            let (k, cell) = (keys[i as usize], cells[i as usize]);
            if last != Some(k) {
                last = Some(k);
                ranges.push(Range {
                    block: block_of(&cell),
                    start: n,
                    end: n,
                    cells: [cell; 2],
                });
            }
            if let Some(r) = ranges.last_mut() {
                r.end = n + 1;
                let [low, high] = r.cells;
                r.cells = [
                    std::array::from_fn(|a| low[a].min(cell[a])),
                    std::array::from_fn(|a| high[a].max(cell[a])),
                ];
            }
        }
        (order, Self::new(ranges, kernel))
    }
    /// Number of particles.
    pub fn len(&self) -> usize {
        self.ranges.last().map_or(0, |r| r.end)
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }
}
