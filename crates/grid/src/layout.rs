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
    /// each slot, where an empty slot repeats the one before. A counting sort.
    pub fn sort(cells: &[[i32; D]], kernel: KernelKind) -> (Vec<u32>, Self) {
        let blocks = occupied(cells);
        // The number of the block and, below it, that of the cell in it. The first axis is the fastest: cells
        // that follow each other share whole rows of nodes, which are along the last.
        let bits = if blocks.len() < 1 << (32 - 2 * D) {
            2 * D
        } else {
            0
        };
        let code = |c: &[i32; D]| {
            let b = blocks.partition_point(|b| *b < key(&block_of(c))) as u32;
            let inner = c.iter().rev().fold(0, |k, x| (k << 2) | (x & 3) as u32);
            (b << bits) | (inner & ((1 << bits) - 1))
        };
        let codes: Vec<u32> = cells.par_iter().with_min_len(1024).map(code).collect();
        let mut next = vec![0u32; blocks.len() << bits];
        for &c in &codes {
            next[c as usize] += 1;
        }
        let mut ranges: Vec<Range<D>> = Vec::with_capacity(blocks.len());
        let mut slot = 0;
        for counts in next.chunks_mut(1 << bits) {
            let start = slot as usize;
            for count in counts {
                (*count, slot) = (slot, slot + *count);
            }
            ranges.push(Range {
                block: [0; D],
                start,
                end: slot as usize,
                cells: [[i32::MAX; D], [i32::MIN; D]],
            });
            slot = slot.next_multiple_of(ALIGN as u32);
        }
        let mut order = vec![0; slot as usize];
        for (i, (c, cell)) in codes.iter().zip(cells).enumerate() {
            let to = &mut next[*c as usize];
            order[*to as usize] = i as u32;
            *to += 1;
            let [low, high] = &mut ranges[(c >> bits) as usize].cells;
            for a in 0..D {
                low[a] = low[a].min(cell[a]);
                high[a] = high[a].max(cell[a]);
            }
        }
        for r in &mut ranges {
            r.block = block_of(&r.cells[0]);
            let last = order[r.end - 1];
            order[r.end..r.end.next_multiple_of(ALIGN)].fill(last);
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

/// The keys of the blocks that particles are in, ascending.
fn occupied<const D: usize>(cells: &[[i32; D]]) -> Vec<u64> {
    let sorted = |mut keys: Vec<u64>| {
        keys.dedup();
        keys.sort_unstable();
        keys.dedup();
        keys
    };
    let parts = cells.par_chunks(1 << 16);
    let parts = parts.map(|some| sorted(some.iter().map(|c| key(&block_of(c))).collect()));
    parts.reduce(Vec::new, |a, b| sorted([a, b].concat()))
}
