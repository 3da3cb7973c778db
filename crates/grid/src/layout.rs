//! Particles laid out by block, and the lazy sort that puts them so.
//!
//! A particle belongs to the block of its anchor at the time of the sort, and stands beside those of its
//! cell. Until the next sort, the particles of a block may stray one cell beyond the box that they filled:
//! tiles have that slack. Whether a sort is due is a property of the state, so order and sums do not depend
//! on time or threads.
//!
//! Particles live in *slots*. Those of a block start at a multiple of [`ALIGN`], so that sixteen of them
//! that lie side by side in memory belong to one block; between two blocks some slots may be empty.

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

/// Slots of a block start at a multiple of this.
pub const ALIGN: usize = 16;

/// The particles of one block, in the slots `start..end`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range<const D: usize> {
    /// The block.
    pub block: Coord<D>,
    /// Slot of the first particle, a multiple of [`ALIGN`].
    pub start: usize,
    /// One past the slot of the last.
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
    /// The chunks of [`ALIGN`] slots that its particles are in.
    pub fn chunks(&self) -> std::ops::Range<usize> {
        self.start / ALIGN..self.end.div_ceil(ALIGN)
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
    /// The stable order that sorts particles by block and by cell, and the layout after it: the particle for
    /// each slot, where an empty slot repeats the one before.
    pub fn sort(cells: &[[i32; D]], kernel: KernelKind) -> (Vec<u32>, Self) {
        let block = |c: &[i32; D]| key(&block_of(c));
        let mut blocks: Vec<u64> = cells.iter().map(block).collect();
        blocks.dedup();
        blocks.par_sort_unstable();
        blocks.dedup();
        // The number of the block and, below it, that of the cell in it. The first axis is the fastest: cells
        // that follow each other share whole rows of nodes, which are along the last.
        let inner = |c: &[i32; D]| c.iter().rev().fold(0, |k, x| (k << 2) | (x & 3) as u64);
        let code = |c: &[i32; D]| {
            let b = blocks.partition_point(|b| *b < block(c)) as u64;
            (b << (2 * D)) | inner(c)
        };
        let codes: Vec<u64> = cells.par_iter().with_min_len(1024).map(code).collect();
        let mut sorted: Vec<u32> = (0..cells.len() as u32).collect();
        sorted.par_sort_by_key(|&i| codes[i as usize]);
        let of_block = |i: u32| codes[i as usize] >> (2 * D);
        let mut order = Vec::with_capacity(sorted.len() + blocks.len() * ALIGN / 2);
        let mut ranges: Vec<Range<D>> = Vec::with_capacity(blocks.len());
        for some in sorted.chunk_by(|a, b| of_block(*a) == of_block(*b)) {
            let start = order.len();
            order.extend_from_slice(some);
            let first = cells[some[0] as usize];
            let mut bounds = [first; 2];
            for &i in some {
                let c = &cells[i as usize];
                let [low, high] = bounds;
                bounds = [
                    std::array::from_fn(|a| low[a].min(c[a])),
                    std::array::from_fn(|a| high[a].max(c[a])),
                ];
            }
            ranges.push(Range {
                block: block_of(&first),
                start,
                end: order.len(),
                cells: bounds,
            });
            order.resize(order.len().next_multiple_of(ALIGN), some[some.len() - 1]);
        }
        (order, Self::new(ranges, kernel))
    }
    /// The number of the particle for each slot, counted in order; an empty slot repeats the one before.
    pub fn order(&self) -> Vec<u32> {
        let mut order: Vec<u32> = Vec::new();
        let mut n = 0;
        for r in &self.ranges {
            order.extend(n..n + r.len() as u32);
            n += r.len() as u32;
            order.resize(order.len().next_multiple_of(ALIGN), n - 1);
        }
        order
    }
    /// The slots that particles are in.
    pub fn slots(&self) -> impl Iterator<Item = usize> + '_ {
        self.ranges.iter().flat_map(|r| r.start..r.end)
    }
    /// Number of particles.
    pub fn len(&self) -> usize {
        self.ranges.iter().map(Range::len).sum()
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }
}
