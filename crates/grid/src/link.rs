//! Between the tiles of a system's particles and the nodes of a layer.
//!
//! Blocks along the last axis are a *pencil*. They give to the nodes one after the other, so that those which they
//! share stay at hand. Pencils give in *turns*: those of one turn have no node in common, so it does not matter
//! which comes first, and every node takes its sums in the order of the turns.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::prelude::*;
use thixo_math::{Real, prefetch};

use crate::block::{BLOCK, Coord, neighbour_count, neighbours};
use crate::{Domain, Kernel, Layer, Layout, Node, Place, Range, Rooms};

/// How one system's blocks of particles and a layer's blocks of nodes lie to each other.
#[derive(Clone, Debug, Default)]
pub struct Link<const D: usize> {
    /// Version of the layer and stamp of the layout that it was made for.
    made_for: (u64, u64),
    /// For each range of particles and each neighbour of its block: the block of nodes there.
    nodes_of: Vec<u32>,
    /// The turn and the number in it of each pencil.
    pencils: HashMap<Coord<D>, (usize, usize)>,
    /// The ranges of particles of each pencil of each turn.
    turns: Vec<Vec<Vec<u32>>>,
    /// For each range of particles: the part of its tile that they touch.
    extents: Vec<Extent<D>>,
}

/// Nodes of a tile from `low` up to, but without, `high`: those that the block's particles touch.
/// The rest of the tile is neither cleared nor read, so that a lone grain costs its own few nodes.
#[derive(Clone, Copy, Debug)]
struct Extent<const D: usize> {
    low: [i32; D],
    high: [i32; D],
}

/// One block of nodes at a time.
type Nodes<'a, T> = Mutex<&'a mut [Node<T>]>;

impl<const D: usize> Extent<D> {
    fn of<K: Kernel>(places: &[Place]) -> Self {
        let (mut low, mut high) = ([i16::MAX; D], [0; D]);
        for p in places {
            for a in 0..D {
                let digit = (p >> (4 * (D - 1 - a)) & 15) as i16;
                low[a] = low[a].min(digit);
                high[a] = high[a].max(digit);
            }
        }
        Self {
            low: low.map(|d| i32::from(d) - 1),
            high: high.map(|d| i32::from(d) - 1 + K::WIDTH as i32),
        }
    }
    /// Calls `f(node, tile node, count)` for every row of nodes that the block at `o` from the tile's own block
    /// shares with the extent. To the compiler the count is a constant.
    #[inline(always)]
    fn overlap<K: Kernel>(&self, o: [i32; D], mut f: impl FnMut(usize, usize, usize)) {
        match self.shared::<K>(o, D - 1).len() {
            1 => self.rows::<K>(o, |n, t| f(n, t, 1)),
            2 => self.rows::<K>(o, |n, t| f(n, t, 2)),
            3 => self.rows::<K>(o, |n, t| f(n, t, 3)),
            4 => self.rows::<K>(o, |n, t| f(n, t, 4)),
            _ => {}
        }
    }
    /// The same without the count.
    #[inline(always)]
    fn rows<K: Kernel>(&self, o: [i32; D], mut f: impl FnMut(usize, usize)) {
        let w = K::TILE as i32;
        let last = self.shared::<K>(o, D - 1);
        if last.is_empty() {
            return;
        }
        let (n, t) = (last.start, last.start + shift::<K>(o[D - 1]));
        for i in self.shared::<K>(o, 0) {
            let (n, t) = (
                n + i * BLOCK.pow(D as u32 - 1),
                t + (i + shift::<K>(o[0])) * w.pow(D as u32 - 1),
            );
            if D == 2 {
                f(n as usize, t as usize);
                continue;
            }
            for j in self.shared::<K>(o, 1) {
                f(
                    (n + j * BLOCK) as usize,
                    (t + (j + shift::<K>(o[1])) * w) as usize,
                );
            }
        }
    }
    /// Nodes of the block at `o` from the tile's own that are in the extent, along axis `a`.
    #[inline(always)]
    fn shared<K: Kernel>(&self, o: [i32; D], a: usize) -> std::ops::Range<i32> {
        let shift = shift::<K>(o[a]);
        let first = (self.low[a] - shift).max(0);
        first..(self.high[a] - shift).min(BLOCK).max(first)
    }
}

/// Node c of the block at offset `o` is node c + this of the tile.
#[inline(always)]
fn shift<K: Kernel>(o: i32) -> i32 {
    o * BLOCK - K::TILE_LOW
}

impl<const D: usize> Link<D> {
    const NONE: u32 = u32::MAX;

    /// Brings the link up to date with the layer and with where the particles are.
    pub fn refresh<T: Real, K: Kernel>(
        &mut self,
        domain: &Domain<D>,
        layer: &Layer<T, D>,
        layout: &Layout<D>,
        places: &[Place],
    ) {
        let ranges = layout.ranges.par_iter();
        let extents = ranges.map(|r| Extent::of::<K>(&places[r.start..r.end]));
        extents.collect_into_vec(&mut self.extents);
        let made_for = (layer.version(), layout.stamp().0);
        if self.made_for != made_for {
            self.made_for = made_for;
            self.nodes_of.clear();
            self.pencils.clear();
            self.turns.clear();
        }
        let known = self.nodes_of.len() / neighbour_count(D);
        let new = &layout.ranges[known..];
        let nodes = |b: Coord<D>| layer.find(domain, b).unwrap_or(Self::NONE);
        let shift = |b: &Coord<D>, o: [i32; D]| std::array::from_fn(|a| b[a] + o[a]);
        let around = |r: &Range<D>| {
            let block = r.block;
            neighbours().map(move |o| nodes(shift(&block, o)))
        };
        self.nodes_of
            .par_extend(new.par_iter().flat_map_iter(around));
        for (range, r) in (known..).zip(new) {
            let pencil = pencil(domain, &r.block);
            let (turn, number) = *self.pencils.entry(pencil).or_insert_with(|| {
                let turn = turn::<K, D>(domain, &pencil);
                let turns = self.turns.len().max(turn + 1);
                self.turns.resize_with(turns, Vec::new);
                self.turns[turn].push(Vec::new());
                (turn, self.turns[turn].len() - 1)
            });
            self.turns[turn][number].push(range as u32);
        }
    }
    /// Lets every range of particles `fill` a tile in one of `rooms`, and adds it to the nodes.
    pub fn add_tiles<T: Real, K: Kernel, W: Default + Send>(
        &self,
        nodes: &mut [Node<T>],
        rooms: &Rooms<(Vec<Node<T>>, W)>,
        fill: &(impl Fn(usize, &mut [Node<T>], &mut W) + Sync),
    ) {
        let blocks = nodes.chunks_mut(Layer::<T, D>::NODES);
        let blocks: Vec<Nodes<'_, T>> = blocks.map(Mutex::new).collect();
        for turn in &self.turns {
            turn.par_iter().for_each(|pencil| {
                rooms.within(|(tile, room)| {
                    tile.resize(K::tile_size(D), [T::zero(); 4]);
                    for range in pencil.iter().map(|r| *r as usize) {
                        self.ask_to_add::<T, K>(range, &blocks);
                        self.clear_tile::<T, K>(range, tile);
                        fill(range, tile, room);
                        self.add_tile::<T, K>(range, tile, &blocks);
                    }
                });
            });
        }
    }
    /// Empties the part of a tile that its particles touch.
    fn clear_tile<T: Real, K: Kernel>(&self, range: usize, tile: &mut [Node<T>]) {
        let e = &self.extents[range];
        let w = K::TILE;
        let [first, last] = [e.low[D - 1] as usize, e.high[D - 1] as usize];
        let mut clear = |row: usize| tile[row * w + first..row * w + last].fill([T::zero(); 4]);
        for i in e.low[0] as usize..e.high[0] as usize {
            match D {
                2 => clear(i),
                _ => (e.low[1]..e.high[1]).for_each(|j| clear(i * w + j as usize)),
            }
        }
    }
    /// Asks for the nodes that will be added to, while the particles are at work.
    fn ask_to_add<T: Real, K: Kernel>(&self, range: usize, of: &[Nodes<'_, T>]) {
        for (o, s) in self.around(range) {
            let nodes = lock(&of[s]);
            self.extents[range].rows::<K>(o, |n, _| prefetch(&nodes, n));
        }
    }
    /// Adds the part of a tile that its particles touch to the blocks of nodes around it.
    fn add_tile<T: Real, K: Kernel>(&self, range: usize, tile: &[Node<T>], to: &[Nodes<'_, T>]) {
        for (o, s) in self.around(range) {
            let mut nodes = lock(&to[s]);
            let nodes = &mut nodes[..Layer::<T, D>::NODES];
            self.extents[range].overlap::<K>(
                o,
                #[inline(always)]
                |n, t, count| {
                    let to = nodes[n..n + count].as_flattened_mut();
                    for (x, part) in to.iter_mut().zip(tile[t..t + count].as_flattened()) {
                        *x += *part;
                    }
                },
            );
        }
    }
    /// Copies the nodes that the particles of a range touch into a tile.
    pub fn load_tile<T: Real, K: Kernel>(
        &self,
        range: usize,
        nodes: &[Node<T>],
        tile: &mut [Node<T>],
    ) {
        for (o, s) in self.around(range) {
            let source = &nodes[s * Layer::<T, D>::NODES..][..Layer::<T, D>::NODES];
            self.extents[range].overlap::<K>(
                o,
                #[inline(always)]
                |n, t, count| tile[t..t + count].copy_from_slice(&source[n..n + count]),
            );
        }
    }
    /// The same one node farther on every side, if the tile has it; the rest of the tile is empty.
    pub fn load_wider_tile<T: Real, K: Kernel>(
        &self,
        range: usize,
        nodes: &[Node<T>],
        tile: &mut [Node<T>],
    ) {
        tile.fill([T::zero(); 4]);
        let e = &self.extents[range];
        let wider = Extent {
            low: e.low.map(|n| (n - 1).max(0)),
            high: e.high.map(|n| (n + 1).min(K::TILE as i32)),
        };
        for (o, s) in self.around(range) {
            let source = &nodes[s * Layer::<T, D>::NODES..][..Layer::<T, D>::NODES];
            wider.overlap::<K>(o, |n, t, count| {
                tile[t..t + count].copy_from_slice(&source[n..n + count]);
            });
        }
    }
    /// The blocks of nodes around a range of particles, and where they are.
    #[inline(always)]
    fn around(&self, range: usize) -> impl Iterator<Item = (Coord<D>, usize)> {
        let n = neighbour_count(D);
        let all = neighbours::<D>().zip(&self.nodes_of[range * n..][..n]);
        all.filter(|(_, s)| **s != Self::NONE)
            .map(|(o, s)| (o, *s as usize))
    }
}

/// One block of nodes. Within a turn others may be at other nodes of it, never at the same.
fn lock<'a, 'b, T>(nodes: &'a Nodes<'b, T>) -> MutexGuard<'a, &'b mut [Node<T>]> {
    nodes.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Most blocks of a pencil: a scene that is long along the last axis alone has work for many, too.
const LONGEST: i32 = 16;

/// The pencil of a block. Along the last axis its coordinate counts pencils; around a period there is but one.
fn pencil<const D: usize>(domain: &Domain<D>, block: &Coord<D>) -> Coord<D> {
    let mut pencil = *block;
    pencil[D - 1] = match domain.period_blocks(D - 1) {
        Some(_) => 0,
        None => block[D - 1].div_euclid(LONGEST),
    };
    pencil
}

/// The turn of a pencil. Across it the tiles of every second block, or every third if they are wider than two
/// blocks, have no node in common; at the end of a period, what is left over has turns of its own.
fn turn<K: Kernel, const D: usize>(domain: &Domain<D>, pencil: &Coord<D>) -> usize {
    let every = (K::TILE as i32 - 1) / BLOCK + 1;
    let along = pencil[D - 1].rem_euclid(2) as usize;
    (0..D - 1).fold(along, |turn, a| {
        let period = domain.period_blocks(a);
        let whole = period.map_or(i32::MAX, |n| n - n % every);
        let left = if pencil[a] < whole { 0 } else { every };
        turn * 2 * every as usize + (pencil[a].rem_euclid(every) + left) as usize
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cubic, Linear, Quadratic};

    /// Whether tiles of `width` nodes that start at blocks `a` and `b` have one in common along an axis.
    fn meet(a: i32, b: i32, width: i32, period: Option<i32>) -> bool {
        let apart = match period {
            None => (a - b).abs(),
            Some(n) => (a - b).rem_euclid(n).min((b - a).rem_euclid(n)),
        };
        apart * BLOCK < width
    }

    /// Two blocks of different pencils that give in the turn of kernel `Turn` and whose tiles of kernel `Tile` have
    /// a node in common, if there are any.
    fn clash<Turn: Kernel, Tile: Kernel>(periods: [i32; 3]) -> Option<[Coord<3>; 2]> {
        let mut domain = Domain::<3>::new(1.0).unwrap();
        for (axis, n) in periods.into_iter().enumerate().filter(|(_, n)| *n > 0) {
            domain = domain.periodic(axis, f64::from(n * BLOCK)).unwrap();
        }
        let along = |a: usize, open: std::ops::Range<i32>| match periods[a] {
            0 => open,
            n => 0..n,
        };
        let mut blocks: Vec<Coord<3>> = Vec::new();
        for x in along(0, -3..4) {
            for y in along(1, -2..3) {
                // Both ends of several pencils.
                let z = along(2, -33..34).filter(|z| (z + 2).rem_euclid(LONGEST) < 4);
                blocks.extend(z.map(|z| [x, y, z]));
            }
        }
        let width = Tile::TILE as i32;
        for (i, a) in blocks.iter().enumerate() {
            let (p, t) = (
                pencil(&domain, a),
                turn::<Turn, 3>(&domain, &pencil(&domain, a)),
            );
            for b in &blocks[..i] {
                let q = pencil(&domain, b);
                let together = p != q && t == turn::<Turn, 3>(&domain, &q);
                let touch = |k: usize| meet(a[k], b[k], width, domain.period_blocks(k));
                if together && (0..3).all(touch) {
                    return Some([*a, *b]);
                }
            }
        }
        None
    }

    #[test]
    fn pencils_of_one_turn_have_no_node_in_common() {
        for x in 0..8 {
            for y in [0, 1, 3, 4, 5] {
                for z in [0, 1, 17] {
                    assert_eq!(clash::<Linear, Linear>([x, y, z]), None);
                    assert_eq!(clash::<Quadratic, Quadratic>([x, y, z]), None);
                    assert_eq!(clash::<Cubic, Cubic>([x, y, z]), None);
                }
            }
        }
        // The tiles of the cubic kernel are too wide for the turns of the quadratic one.
        assert!(clash::<Quadratic, Cubic>([0, 0, 0]).is_some());
    }
}
