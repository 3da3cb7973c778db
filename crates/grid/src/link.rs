//! Between the tiles of a system's particles and the nodes of a layer.

use rayon::prelude::*;
use thixo_math::Real;

use crate::block::{BLOCK, Coord, neighbour_count, neighbours};
use crate::{Domain, Kernel, Layer, Layout, Node, Place, Range};

/// How one system's blocks of particles and a layer's blocks of nodes lie to each other.
#[derive(Clone, Debug, Default)]
pub struct Link<const D: usize> {
    /// Version of the layer and stamp of the layout that it was made for.
    made_for: (u64, u64),
    /// For each range of particles and each neighbour of its block: the block of nodes there.
    nodes_of: Vec<u32>,
    /// For each block of nodes and each neighbour: the first range of particles there.
    tiles_of: Vec<u32>,
    /// For each range of particles: the next one of the same block.
    next: Vec<u32>,
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

impl<const D: usize> Extent<D> {
    fn of<K: Kernel>(places: &[Place]) -> Self {
        let (mut low, mut high) = ([Place::MAX; D], [0; D]);
        for p in places {
            for a in 0..D {
                let digit = p >> (4 * (D - 1 - a)) & 15;
                low[a] = low[a].min(digit);
                high[a] = high[a].max(digit);
            }
        }
        Self {
            low: low.map(|d| i32::from(d) - 1),
            high: high.map(|d| i32::from(d) - 1 + K::WIDTH as i32),
        }
    }
    /// Calls `f(node, tile node, count)` for every row of nodes that the block at `o` from the
    /// tile's own block shares with the extent.
    #[inline(always)]
    fn overlap<K: Kernel>(&self, o: [i32; D], mut f: impl FnMut(usize, usize, usize)) {
        let w = K::TILE as i32;
        // Node c of the block at offset o is node c + 4 o − low of the tile.
        let shift: [i32; D] = std::array::from_fn(|a| o[a] * BLOCK - K::TILE_LOW);
        let range = |a: usize| {
            let first = (self.low[a] - shift[a]).max(0);
            first..(self.high[a] - shift[a]).min(BLOCK).max(first)
        };
        let last = range(D - 1);
        let count = last.len();
        if count == 0 {
            return;
        }
        match D {
            2 => {
                for i in range(0) {
                    let n = i * BLOCK + last.start;
                    let t = (i + shift[0]) * w + last.start + shift[1];
                    f(n as usize, t as usize, count);
                }
            }
            3 => {
                for i in range(0) {
                    for j in range(1) {
                        let n = (i * BLOCK + j) * BLOCK + last.start;
                        let t = ((i + shift[0]) * w + j + shift[1]) * w + last.start + shift[2];
                        f(n as usize, t as usize, count);
                    }
                }
            }
            _ => unreachable!("the engine has two and three dimensions"),
        }
    }
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
        let (stamp, count) = layout.stamp();
        let made_for = (layer.version(), stamp);
        if self.made_for != made_for {
            self.made_for = made_for;
            self.nodes_of.clear();
            self.next.clear();
            self.tiles_of.clear();
            let all = layer.blocks().len() * neighbour_count(D);
            self.tiles_of.resize(all, Self::NONE);
        }
        let new = &layout.ranges[self.next.len()..];
        let nodes = |b: Coord<D>| layer.find(domain, b).unwrap_or(Self::NONE);
        let shift = |b: &Coord<D>, o: [i32; D]| std::array::from_fn(|a| b[a] + o[a]);
        let around = |r: &Range<D>| {
            let block = r.block;
            neighbours().map(move |o| nodes(shift(&block, o)))
        };
        let new = new.par_iter().flat_map_iter(around);
        self.nodes_of.par_extend(new);
        for range in self.next.len()..count {
            self.insert(range);
        }
    }
    /// The nodes around a block of particles pull from its tile, after those of the same block.
    fn insert(&mut self, range: usize) {
        let n = neighbour_count(D);
        let nodes = &self.nodes_of[range * n..][..n];
        let mut last = self.tiles_of[nodes[n / 2] as usize * n + n / 2];
        self.next.push(Self::NONE);
        if last == Self::NONE {
            // Seen from the block at offset o, the particles' is at −o.
            for (o, &block) in nodes.iter().enumerate().filter(|(_, b)| **b != Self::NONE) {
                self.tiles_of[block as usize * n + n - 1 - o] = range as u32;
            }
            return;
        }
        while self.next[last as usize] != Self::NONE {
            last = self.next[last as usize];
        }
        self.next[last as usize] = range as u32;
    }
    /// Empties the part of a tile that its particles touch.
    pub fn clear_tile<T: Real, K: Kernel>(&self, block: usize, tile: &mut [Node<T>]) {
        let e = &self.extents[block];
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
    /// Adds the tiles to the nodes: each block of nodes pulls from the tiles around it, in fixed order.
    pub fn add_tiles<T: Real, K: Kernel>(&self, tiles: &[Node<T>], nodes: &mut [Node<T>]) {
        let size = K::tile_size(D);
        nodes
            .par_chunks_mut(Layer::<T, D>::NODES)
            .zip(self.tiles_of.par_chunks(neighbour_count(D)))
            .for_each(|(nodes, sources)| {
                for (o, &first) in neighbours::<D>().zip(sources) {
                    let mut s = first;
                    while s != Self::NONE {
                        let tile = &tiles[s as usize * size..][..size];
                        // The source lies at +o, so this block lies at −o from it.
                        self.extents[s as usize].overlap::<K>(o.map(|c| -c), |n, t, count| {
                            let to = nodes[n..n + count].as_flattened_mut();
                            for (x, part) in to.iter_mut().zip(tile[t..t + count].as_flattened()) {
                                *x += *part;
                            }
                        });
                        s = self.next[s as usize];
                    }
                }
            });
    }
    /// Copies the nodes that the particles of a block touch into its tile.
    pub fn load_tile<T: Real, K: Kernel>(
        &self,
        block: usize,
        nodes: &[Node<T>],
        tile: &mut [Node<T>],
    ) {
        let n = neighbour_count(D);
        for (o, &s) in neighbours::<D>().zip(&self.nodes_of[block * n..][..n]) {
            if s != Self::NONE {
                let source = &nodes[s as usize * Layer::<T, D>::NODES..][..Layer::<T, D>::NODES];
                self.extents[block].overlap::<K>(o, |n, t, count| {
                    tile[t..t + count].copy_from_slice(&source[n..n + count]);
                });
            }
        }
    }
}
