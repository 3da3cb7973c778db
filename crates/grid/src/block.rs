//! Blocks of nodes and their neighbours.

/// Nodes along an edge of a block.
pub const BLOCK: i32 = 4;

/// Coordinates of a block: its lowest node is at `4 * coord`.
pub type Coord<const D: usize> = [i32; D];

/// 3^D: a block and those around it.
pub const fn neighbour_count(dimension: usize) -> usize {
    3usize.pow(dimension as u32)
}

/// The 3^D offsets from (−1, …) to (1, …), last axis fastest.
pub fn neighbours<const D: usize>() -> impl Iterator<Item = [i32; D]> {
    (0..neighbour_count(D)).map(|n| {
        let mut rest = n;
        let mut o = [0; D];
        for a in (0..D).rev() {
            o[a] = (rest % 3) as i32 - 1;
            rest /= 3;
        }
        o
    })
}

/// The block that a node (or particle anchor) belongs to.
#[inline(always)]
pub(crate) fn block_of<const D: usize>(cell: &[i32; D]) -> Coord<D> {
    cell.map(|c| c >> 2)
}

/// Bits of a block coordinate in a key.
const BITS: u32 = 21;
/// Blocks lie within ± this.
pub(crate) const REACH: i32 = 1 << (BITS - 1);

/// A number that orders blocks lexicographically.
#[inline(always)]
pub(crate) fn key<const D: usize>(b: &Coord<D>) -> u64 {
    b.iter().fold(0, |k, &c| {
        (k << BITS) | ((c + REACH) as u64 & ((1 << BITS) - 1))
    })
}

/// The block of a key.
pub(crate) fn block_of_key<const D: usize>(key: u64) -> Coord<D> {
    let digit = |a: usize| key >> (BITS as usize * (D - 1 - a)) & ((1 << BITS) - 1);
    std::array::from_fn(|a| digit(a) as i32 - REACH)
}
