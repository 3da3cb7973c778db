//! Particles laid out by block, and the lazy sort that puts them so.
//!
//! A particle belongs to the block of its anchor at the time of the sort, and stands beside those of its
//! cell. Until the next sort, the particles of a block may stray one cell beyond the box that they filled:
//! tiles have that slack. Whether a sort is due is a property of the state, so order and sums do not depend
//! on time or threads.
//!
//! Particles live in *slots*. Those of a block start at a multiple of [`ALIGN`], so that sixteen of them
//! that lie side by side in memory belong to one block; between two blocks some slots may be empty. Those
//! that come between two sorts are behind all others, in ranges of their own.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use crate::block::{BLOCK, Coord, block_of, block_of_key, key, neighbours};
use crate::{Domain, Kernel, KernelKind};

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

/// Which particles belong to which block: blocks in lexicographic order, then those of latecomers.
#[derive(Debug, Default)]
pub struct Layout<const D: usize> {
    /// One range per occupied block, more where particles have come late; together they are all particles, in
    /// order.
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
    /// The stamp is the same for the same layout and for one that has grown out of it, different for every
    /// other; the number of ranges tells those apart.
    pub fn stamp(&self) -> (u64, usize) {
        (self.stamp, self.ranges.len())
    }
    /// Takes in latecomers, laid out among themselves, behind all others. Their first slot is returned.
    pub fn grow(&mut self, late: &Self) -> usize {
        let end = |r: &Range<D>| r.end.next_multiple_of(ALIGN);
        let behind = self.ranges.last().map_or(0, end);
        self.ranges.extend(late.ranges.iter().map(|r| Range {
            start: r.start + behind,
            end: r.end + behind,
            ..*r
        }));
        behind
    }
    /// Whether so many have come late that a sort is worth its time.
    pub fn is_crowded(&self) -> bool {
        let ascending = |r: &[Range<D>]| r[0].block < r[1].block;
        let first = self.ranges.windows(2).take_while(|r| ascending(r)).count() + 1;
        self.ranges.len() > first + first / 2 + 64
    }
    /// Number of blocks that particles are in.
    pub fn blocks(&self) -> usize {
        let mut keys: Vec<u64> = self.ranges.iter().map(|r| key(&r.block)).collect();
        keys.sort_unstable();
        keys.dedup();
        keys.len()
    }
    /// The blocks of nodes that particles of the ranges from `from` on may touch before the next sort; some come
    /// repeatedly.
    pub(crate) fn touched(&self, from: usize) -> impl ParallelIterator<Item = Coord<D>> + '_ {
        let ranges = self.ranges[from..].par_iter();
        ranges.flat_map_iter(|r| r.touches(self.reach))
    }
    /// Sorts particles with these anchors by block and by cell.
    pub fn sort(cells: &[[i32; D]], kernel: KernelKind) -> Sorted<D> {
        const PART: usize = 1 << 12;
        let count = |part: usize| PART.min(cells.len() - part * PART);
        let part = |part: usize| (part * PART..part * PART + count(part)).map(|i| (i, cells[i]));
        Sorted::of(cells.len().div_ceil(PART), count, part, kernel)
    }
    /// Sorts the particles of this layout anew, from the places that they have strayed to.
    pub fn again(&self, places: &[Place], domain: &Domain<D>, kernel: KernelKind) -> Sorted<D> {
        let part = |part: usize| {
            let r = &self.ranges[part];
            let wrapped = |p: Place| {
                let mut cell = r.cell(p);
                domain.wrap_cell(&mut cell);
                cell
            };
            (r.start..r.end).map(move |i| (i, wrapped(places[i])))
        };
        Sorted::of(
            self.ranges.len(),
            |part| self.ranges[part].len(),
            part,
            kernel,
        )
    }
    /// The places of particles with these anchors, if `order` says which is in which slot.
    pub fn places(&self, order: &[u32], cells: &[[i32; D]]) -> Vec<Place> {
        let all = self.ranges.iter().flat_map(|r| {
            let slots = r.start..r.end.next_multiple_of(ALIGN);
            slots.map(|i| r.place(&cells[order[i] as usize]))
        });
        all.collect()
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

/// Particles in a new order.
pub struct Sorted<const D: usize> {
    /// The particle for each slot, by its number or its slot before; an empty slot repeats the one before.
    pub order: Vec<u32>,
    /// The place of the particle in each slot.
    pub places: Vec<Place>,
    /// The layout.
    pub layout: Layout<D>,
}

impl<const D: usize> Sorted<D> {
    /// A stable counting sort. The particles come in parts of which `count` is known: their numbers and anchors.
    /// The number of the block and, below it, that of the cell in it are what is sorted by. The first axis is
    /// the fastest: cells that follow each other share whole rows of nodes, which are along the last.
    fn of<I: Iterator<Item = (usize, [i32; D])>>(
        parts: usize,
        count: impl Fn(usize) -> usize,
        part: impl Fn(usize) -> I + Sync,
        kernel: KernelKind,
    ) -> Self {
        let blocks = occupied(parts, &part);
        let bits = 2 * D;
        let code = |c: [i32; D]| {
            let b = blocks.partition_point(|b| *b < key(&block_of(&c))) as u64;
            let inner = c.iter().rev().fold(0, |k, x| (k << 2) | (x & 3) as u64);
            (b << bits) | inner
        };
        let mut codes = vec![0; (0..parts).map(&count).sum()];
        let mut rest = codes.as_mut_slice();
        let own = (0..parts).map(|i| rest.split_off_mut(..count(i)).unwrap_or_default());
        let own: Vec<&mut [u64]> = own.collect();
        own.into_par_iter().enumerate().for_each(|(i, codes)| {
            let cells = part(i).map(|(_, c)| c);
            codes
                .iter_mut()
                .zip(cells)
                .for_each(|(to, c)| *to = code(c));
        });
        let mut next = vec![0u32; blocks.len() << bits];
        for &c in &codes {
            next[c as usize] += 1;
        }
        let mut ranges: Vec<Range<D>> = Vec::with_capacity(blocks.len());
        let mut slot = 0;
        for (counts, key) in next.chunks_mut(1 << bits).zip(&blocks) {
            let (start, block) = (slot as usize, block_of_key(*key));
            let mut cells = [[i32::MAX; D], [i32::MIN; D]];
            for (inner, count) in counts.iter_mut().enumerate().filter(|(_, n)| **n > 0) {
                let cell: [i32; D] =
                    std::array::from_fn(|a| block[a] * BLOCK + (inner >> (2 * a) & 3) as i32);
                for a in 0..D {
                    cells[0][a] = cells[0][a].min(cell[a]);
                    cells[1][a] = cells[1][a].max(cell[a]);
                }
                (*count, slot) = (slot, slot + *count);
            }
            let end = slot as usize;
            ranges.push(Range {
                block,
                start,
                end,
                cells,
            });
            slot = slot.next_multiple_of(ALIGN as u32);
        }
        let (mut order, mut places) = (vec![0; slot as usize], vec![0; slot as usize]);
        let numbers = (0..parts).flat_map(|i| part(i).map(|(number, _)| number));
        for (c, number) in codes.iter().zip(numbers) {
            let to = &mut next[*c as usize];
            order[*to as usize] = number as u32;
            places[*to as usize] = (0..D).fold(0, |p, a| {
                (p << 4) | ((*c >> (2 * a) & 3) as Place + MARGIN as Place)
            });
            *to += 1;
        }
        for r in &ranges {
            let empty = r.end..r.end.next_multiple_of(ALIGN);
            let (last, place) = (order[r.end - 1], places[r.end - 1]);
            order[empty.clone()].fill(last);
            places[empty].fill(place);
        }
        let layout = Layout::new(ranges, kernel);
        Self {
            order,
            places,
            layout,
        }
    }
}

/// The keys of the blocks that particles are in, ascending.
fn occupied<const D: usize, I: Iterator<Item = (usize, [i32; D])>>(
    parts: usize,
    part: &(impl Fn(usize) -> I + Sync),
) -> Vec<u64> {
    let sorted = |mut keys: Vec<u64>| {
        keys.sort_unstable();
        keys.dedup();
        keys
    };
    let keys = |i: usize| {
        let mut keys: Vec<u64> = Vec::new();
        for k in part(i).map(|(_, c)| key(&block_of(&c))) {
            if keys.last() != Some(&k) {
                keys.push(k);
            }
        }
        sorted(keys)
    };
    let parts = (0..parts).into_par_iter().map(keys);
    parts.reduce(Vec::new, |a, b| sorted([a, b].concat()))
}
