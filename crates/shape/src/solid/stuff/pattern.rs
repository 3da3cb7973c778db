//! The lattice: corners and middles of boxes. In three dimensions the boxes are cubes, and two middles
//! of neighbours and an edge of their common face make a tetrahedron. In two dimensions the boxes are
//! √3 as high as wide, and all triangles are equilateral.

use thixo_math::Vector;

use crate::Bounds;
use crate::error::Result;
use crate::sample::each;

use super::too_many;

/// A point of the lattice in halves of a box: corners are even, middles odd.
pub(super) type Key<const D: usize> = [i32; D];

/// How near a cut may be to the end of an edge, as a part of it. In three dimensions, for long and short
/// edges, they are the paper's for the largest smallest angle; in two, what makes the smallest angle of
/// all forms largest: 15.4°.
const NEAR_LONG: f64 = 0.24999;
const NEAR_SHORT: f64 = 0.41189;
const NEAR_FLAT: f64 = 0.38;

/// Most boxes along an axis: keys and sums of them stay far from overflow.
const LONGEST: f64 = 1e8;

/// An edge from any point of the lattice to a later one.
pub(super) struct Edge<const D: usize> {
    pub offset: Key<D>,
    /// Cuts that are nearer to an end than this part of the edge pull it.
    pub near: f64,
}

pub(super) struct Pattern<const D: usize> {
    origin: Vector<f64, D>,
    half: Vector<f64, D>,
    /// Number of boxes along each axis; the shape stays one box away from the outermost.
    pub boxes: [i64; D],
    /// In the order of their offsets.
    pub edges: Vec<Edge<D>>,
    /// The cells that belong to a box, by offsets from its lowest corner.
    pub cells: Vec<[Key<D>; 4]>,
    /// All offsets that occur in them.
    pub corners: Vec<Key<D>>,
}

impl<const D: usize> Pattern<D> {
    /// The lattice with edges of this length, in the middle of a box. Where the sides of the box are
    /// whole numbers of edges, its faces go through points of the lattice.
    pub fn new(bounds: &Bounds<D>, edge: f64) -> Result<Self> {
        let high = if D == 3 { 1.0 } else { 3f64.sqrt() };
        let side = Vector::<f64, D>::from_fn(|a| if a == 0 { edge } else { high * edge });
        let size = bounds.size();
        let number: [f64; D] =
            std::array::from_fn(|a| (size[a] / side[a] - 1e-9).ceil().max(1.0) + 2.0);
        if let Some(&n) = number.iter().find(|n| n.is_nan() || **n > LONGEST) {
            return Err(too_many(n));
        }
        let origin = bounds.center() - Vector::from_fn(|a| 0.5 * number[a] * side[a]);
        let cells = if D == 3 { tetrahedra() } else { triangles() };
        let mut corners: Vec<Key<D>> = cells.iter().flatten().copied().collect();
        corners.sort_unstable();
        corners.dedup();
        Ok(Self {
            origin,
            half: side * 0.5,
            boxes: std::array::from_fn(|a| number[a] as i64),
            edges: edges(),
            cells,
            corners,
        })
    }
    /// How many boxes there are.
    pub fn count(&self) -> f64 {
        self.boxes.iter().map(|&n| n as f64).product()
    }
    /// The volume that a point stands for: a box has two, a corner and its middle.
    pub fn volume(&self) -> f64 {
        0.5 * (self.half * 2.0).product()
    }
    pub fn place(&self, key: &Key<D>) -> Vector<f64, D> {
        self.origin + Vector::from_fn(|a| f64::from(key[a]) * self.half[a])
    }
}

/// The key at an offset.
pub(super) fn moved<const D: usize>(key: &Key<D>, offset: &Key<D>) -> Key<D> {
    std::array::from_fn(|a| key[a] + offset[a])
}

/// Whether an edge goes along an axis; in three dimensions these are the long ones.
pub(super) fn is_long<const D: usize>(a: &Key<D>, b: &Key<D>) -> bool {
    (0..D).filter(|&k| a[k] != b[k]).count() == 1
}

/// Edges to later points: along an axis from box to box, and between corners and middles. In two
/// dimensions there is none along the second axis.
fn edges<const D: usize>() -> Vec<Edge<D>> {
    let mut all = Vec::new();
    each([5; D], |i| {
        let offset: Key<D> = i.map(|k| k as i32 - 2);
        let later = offset > [0; D];
        let slant = offset.iter().all(|k| k.abs() == 1);
        let straight =
            is_long(&offset, &[0; D]) && (0..D).any(|a| offset[a].abs() == 2 && (D == 3 || a == 0));
        if later && (slant || straight) {
            let near = match (D, slant) {
                (3, true) => NEAR_SHORT,
                (3, false) => NEAR_LONG,
                _ => NEAR_FLAT,
            };
            all.push(Edge { offset, near });
        }
    });
    all
}

/// Around each line from a box's middle to the next along an axis: one for every edge of the face
/// between them.
fn tetrahedra<const D: usize>() -> Vec<[Key<D>; 4]> {
    let mut all = Vec::new();
    let middle = [1; D];
    for a in 0..D {
        let mut next = middle;
        next[a] = 3;
        let ring = [[0, 0], [2, 0], [2, 2], [0, 2]];
        let corner = |r: [i32; 2]| -> Key<D> {
            let mut c = [2; D];
            c[(a + 1) % D] = r[0];
            c[(a + 2) % D] = r[1];
            c
        };
        for k in 0..4 {
            all.push([middle, next, corner(ring[k]), corner(ring[(k + 1) % 4])]);
        }
    }
    all
}

/// On the line from a box's middle to the next, up and down, and from the middle to the edges below
/// and above.
fn triangles<const D: usize>() -> Vec<[Key<D>; 4]> {
    let key = |x: i32, y: i32| -> Key<D> { std::array::from_fn(|a| if a == 0 { x } else { y }) };
    let (middle, next) = (key(1, 1), key(3, 1));
    [
        [middle, key(0, 0), key(2, 0)],
        [middle, key(0, 2), key(2, 2)],
        [middle, next, key(2, 0)],
        [middle, next, key(2, 2)],
    ]
    .map(|[a, b, c]| [a, b, c, c])
    .to_vec()
}
