//! The medium: velocity fields on the common grid, one per layer, in which systems meet.

use std::collections::HashMap;

use rayon::prelude::*;
use thixo_math::{Real, Vector};

use crate::block::{BLOCK, Coord, key};
use crate::{Domain, Layout};

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
    covered: Vec<(u64, usize)>,
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
    /// Makes the blocks those that the layouts touch. What has come since the last time is looked at alone.
    pub fn cover(&mut self, domain: &Domain<D>, layouts: &[&Layout<D>]) {
        let stamps = layouts.iter().map(|l| l.stamp()).collect();
        let covered = std::mem::replace(&mut self.covered, stamps);
        let here = |b: Coord<D>| self.find(domain, b).is_some();
        let still = |(l, (stamp, ranges)): (&&Layout<D>, &(u64, usize))| {
            l.stamp().0 == *stamp && l.touched(*ranges).all(here)
        };
        if covered.len() == layouts.len() && layouts.iter().zip(&covered).all(still) {
            return;
        }
        let mut blocks: Vec<Coord<D>> = layouts
            .par_iter()
            .flat_map(|l| l.touched(0))
            .map(|b| domain.wrap(b))
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
    /// The number of a block, if the layer has it.
    pub(crate) fn find(&self, domain: &Domain<D>, b: Coord<D>) -> Option<u32> {
        self.index.get(&key(&domain.wrap(b))).copied()
    }
}

/// Offset of a node in its block from its number, last axis fastest.
#[inline(always)]
pub(crate) fn node_offset<const D: usize>(node: usize) -> [i32; D] {
    std::array::from_fn(|a| (node >> (2 * (D - 1 - a)) & 3) as i32)
}
