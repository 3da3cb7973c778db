//! The medium: velocity fields on the common grid, one per layer, in which systems meet.

use std::collections::HashMap;

use rayon::prelude::*;
use thixo_math::{Real, Vector};

use crate::block::{BLOCK, Coord, key, neighbour_count, neighbours};
use crate::{Domain, Kernel, Layout};

/// A node: momentum (later velocity) in the first D places, mass in the fourth.
pub type Node<T> = [T; 4];

/// Which velocity field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LayerId(pub usize);

impl LayerId {
    /// The field that continua share.
    pub const CONTINUUM: LayerId = LayerId(0);
}

/// All velocity fields.
pub struct Medium<T, const D: usize> {
    /// Space.
    pub domain: Domain<D>,
    /// The fields, by [`LayerId`].
    pub layers: Vec<Layer<T, D>>,
}

/// One velocity field: blocks of nodes wherever some system has particles, and their surroundings.
pub struct Layer<T, const D: usize> {
    blocks: Vec<Coord<D>>,
    index: HashMap<u64, u32>,
    version: u64,
    covered: Vec<u64>,
    /// Momentum and mass; after the solve velocity and mass.
    pub nodes: Vec<Node<T>>,
    /// Velocity before the solve, kept for transfers that need the change (FLIP); else empty.
    pub before: Vec<Node<T>>,
    /// Impulses apart from momentum, kept for the same reason; else empty.
    pub impulse: Vec<Node<T>>,
    /// Whether velocity before the solve is kept.
    pub keeps_before: bool,
}

impl<T: Real, const D: usize> Medium<T, D> {
    /// A medium with `layers` empty fields.
    pub fn new(domain: Domain<D>, layers: usize) -> Self {
        Self {
            domain,
            layers: (0..layers).map(|_| Layer::new()).collect(),
        }
    }
}

impl<T: Real, const D: usize> Layer<T, D> {
    /// Nodes in a block.
    pub const NODES: usize = (BLOCK as usize).pow(D as u32);

    fn new() -> Self {
        Self {
            blocks: Vec::new(),
            index: HashMap::new(),
            version: 0,
            covered: Vec::new(),
            nodes: Vec::new(),
            before: Vec::new(),
            impulse: Vec::new(),
            keeps_before: false,
        }
    }
    /// The blocks, in lexicographic order.
    pub fn blocks(&self) -> &[Coord<D>] {
        &self.blocks
    }
    /// Changes whenever the set of blocks does.
    pub fn version(&self) -> u64 {
        self.version
    }
    /// Makes the blocks those that the layouts touch.
    pub fn cover(&mut self, domain: &Domain<D>, layouts: &[&Layout<D>]) {
        if layouts
            .iter()
            .map(|l| l.stamp())
            .eq(self.covered.iter().copied())
        {
            return;
        }
        self.covered = layouts.iter().map(|l| l.stamp()).collect();
        let mut blocks: Vec<Coord<D>> = layouts
            .par_iter()
            .flat_map_iter(|l| l.ranges.iter())
            .flat_map_iter(|r| {
                neighbours::<D>().map(|o| domain.wrap(std::array::from_fn(|a| r.block[a] + o[a])))
            })
            .collect();
        blocks.par_sort_unstable();
        blocks.dedup();
        if blocks != self.blocks {
            self.index = blocks.iter().zip(0..).map(|(b, i)| (key(b), i)).collect();
            self.blocks = blocks;
            self.version += 1;
        }
    }
    /// Empties the field.
    pub fn clear(&mut self) {
        let n = self.blocks.len() * Self::NODES;
        let zero = [T::zero(); 4];
        self.nodes.clear();
        self.nodes.resize(n, zero);
        if self.keeps_before {
            self.impulse.clear();
            self.impulse.resize(n, zero);
        }
    }
    /// Place of the lowest node of a block and of each node in it \[m\].
    #[inline]
    pub fn place(&self, domain: &Domain<D>, block: usize, node: usize) -> Vector<f64, D> {
        let low = &self.blocks[block];
        let n = node_offset::<D>(node);
        Vector::from_fn(|a| (low[a] * BLOCK + n[a]) as f64 * domain.dx)
    }
    fn find(&self, domain: &Domain<D>, b: Coord<D>) -> u32 {
        self.index
            .get(&key(&domain.wrap(b)))
            .copied()
            .unwrap_or(Link::<D>::NONE)
    }
}

/// Offset of a node in its block from its number, last axis fastest.
#[inline(always)]
pub(crate) fn node_offset<const D: usize>(node: usize) -> [i32; D] {
    std::array::from_fn(|a| (node >> (2 * (D - 1 - a)) & 3) as i32)
}

/// How one system's blocks of particles and a layer's blocks of nodes lie to each other.
#[derive(Clone, Debug, Default)]
pub struct Link<const D: usize> {
    /// Version of the layer and stamp of the layout that it was made for.
    made_for: (u64, u64),
    /// For each block of particles and each neighbour: the block of nodes there.
    nodes_of: Vec<u32>,
    /// For each block of nodes and each neighbour: the block of particles there.
    tiles_of: Vec<u32>,
}

impl<const D: usize> Link<D> {
    const NONE: u32 = u32::MAX;

    /// Brings the link up to date with the layer.
    pub fn refresh<T: Real>(
        &mut self,
        domain: &Domain<D>,
        layer: &Layer<T, D>,
        layout: &Layout<D>,
    ) {
        let made_for = (layer.version, layout.stamp());
        if self.made_for == made_for {
            return;
        }
        let shift = |b: &Coord<D>, o: [i32; D]| std::array::from_fn(|a| b[a] + o[a]);
        let ranges = layout.ranges.par_iter();
        self.nodes_of = ranges
            .flat_map_iter(|r| neighbours().map(|o| layer.find(domain, shift(&r.block, o))))
            .collect();
        let tiles: HashMap<u64, u32> = layout
            .ranges
            .iter()
            .zip(0..)
            .map(|(r, i)| (key(&r.block), i))
            .collect();
        let tile = |b: Coord<D>| {
            tiles
                .get(&key(&domain.wrap(b)))
                .copied()
                .unwrap_or(Self::NONE)
        };
        let blocks = layer.blocks.par_iter();
        self.tiles_of = blocks
            .flat_map_iter(|b| neighbours().map(move |o| tile(shift(b, o))))
            .collect();
        self.made_for = made_for;
    }
    /// Adds the tiles to the nodes: each block of nodes pulls from the tiles around it, in fixed order.
    pub fn add_tiles<T: Real, K: Kernel>(&self, tiles: &[Node<T>], nodes: &mut [Node<T>]) {
        let size = K::TILE.pow(D as u32);
        nodes
            .par_chunks_mut(Layer::<T, D>::NODES)
            .zip(self.tiles_of.par_chunks(neighbour_count(D)))
            .for_each(|(nodes, sources)| {
                for (o, &s) in neighbours::<D>().zip(sources) {
                    if s != Self::NONE {
                        let tile = &tiles[s as usize * size..][..size];
                        // The source lies at +o, so this block lies at −o from it.
                        overlap::<K, D>(o.map(|c| -c), |n, t| {
                            for c in 0..4 {
                                nodes[n][c] += tile[t][c];
                            }
                        });
                    }
                }
            });
    }
    /// Copies what surrounds a block of particles into its tile.
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
                overlap::<K, D>(o, |n, t| tile[t] = source[n]);
            }
        }
    }
}

/// Calls `f(node, tile node)` for every node that the block at `o` from a tile's own block shares
/// with the tile.
#[inline(always)]
fn overlap<K: Kernel, const D: usize>(o: [i32; D], mut f: impl FnMut(usize, usize)) {
    let w = K::TILE as i32;
    // Node c of the block at offset o is node c + 4 o − low of the tile.
    let shift: [i32; D] = std::array::from_fn(|a| o[a] * BLOCK - K::TILE_LOW);
    let range = |a: usize| (-shift[a]).max(0)..(w - shift[a]).clamp(0, BLOCK);
    match D {
        2 => {
            for i in range(0) {
                for j in range(1) {
                    f(
                        (i * 4 + j) as usize,
                        ((i + shift[0]) * w + j + shift[1]) as usize,
                    );
                }
            }
        }
        3 => {
            for i in range(0) {
                for j in range(1) {
                    let n = (i * 4 + j) * 4;
                    let t = ((i + shift[0]) * w + j + shift[1]) * w + shift[2];
                    for k in range(2) {
                        f((n + k) as usize, (t + k) as usize);
                    }
                }
            }
        }
        _ => unreachable!("the engine has two and three dimensions"),
    }
}
