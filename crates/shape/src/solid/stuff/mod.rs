//! Isosurface stuffing: cells of a lattice, those at the surface cut along it.
//!
//! F. Labelle, J. R. Shewchuk: Isosurface stuffing: fast tetrahedral meshes with good dihedral angles,
//! ACM Trans. Graph. 26 (3), 2007. Points of a body-centred cubic lattice are inside, outside or on the
//! surface. Where an edge crosses the surface it is cut; a lattice point that is very near a cut moves
//! onto it, and the cuts of its edges go. What is left of each tetrahedron is one of a few forms.
//!
//! Only signs of distances are used, so lower bounds away from the surface do no harm.

mod form;
mod pattern;

use rayon::prelude::*;
use thixo_math::Vector;

use super::SolidMesh;
use crate::Shape;
use crate::error::{Result, ShapeError, positive};
use crate::sample::{each_unless, is_outside};
use pattern::{Key, Pattern};

/// Most cells of the lattice that may be looked at: with their points they take some gigabytes.
const LIMIT: f64 = 1e7;
/// A mesh with less than this part of the shape's volume does not stand for it.
const LEAST: f64 = 0.5;

/// Fills a closed shape.
pub(super) fn fill<const D: usize>(shape: &dyn Shape<D>, edge: f64) -> Result<SolidMesh<D>> {
    positive("edge of the cells", edge)?;
    let bounds = shape.bounds().ok_or(ShapeError::Unbounded {
        what: "a mesh of a shape",
    })?;
    let too_coarse = |what: &str| ShapeError::Empty {
        what: format!("the mesh of a shape {:?} m large", bounds.size().0),
        advice: format!("{what}; use a shorter edge than {edge} m"),
    };
    if !bounds.size().finite() || bounds.size().0.iter().any(|s| *s < 0.0) {
        return Err(too_coarse("the shape holds nothing"));
    }
    let pattern = Pattern::new(&bounds, edge)?;
    let boxes = boxes(shape, &pattern)?;
    let mut nodes = Nodes::new(shape, &pattern, &boxes)?;
    // As points of the lattice tell, each of which stands for the same volume.
    let counted = nodes.side.iter().filter(|s| **s > 0).count() as f64 * pattern.volume();
    if counted == 0.0 {
        return Err(too_coarse("no point of the lattice is inside"));
    }
    let mut cuts = cuts(shape, &pattern, &nodes)?;
    snap(&mut nodes, &cuts);
    cuts.retain(|c| nodes.side[c.ends[0] as usize] != 0 && nodes.side[c.ends[1] as usize] != 0);

    let first = nodes.keys.len();
    if first + cuts.len() > u32::MAX as usize {
        return Err(too_many((first + cuts.len()) as f64));
    }
    let mut points = std::mem::take(&mut nodes.place);
    points.extend(cuts.iter().map(|c| c.place));
    let cut = |a: u32, b: u32| -> Option<u32> {
        let ends = if a < b { [a, b] } else { [b, a] };
        let k = cuts.binary_search_by_key(&ends, |c| c.ends).ok()?;
        Some((first + k) as u32)
    };
    let cells = |base: &Key<D>| {
        let mut found = Vec::new();
        for cell in &pattern.cells {
            let keys: [Key<D>; 4] = cell.map(|o| pattern::moved(base, &o));
            form::part(&nodes, &points, &keys, &cut, &mut found);
        }
        found
    };
    let cells: Vec<[u32; 4]> = boxes.par_iter().flat_map_iter(cells).collect();
    if cells.is_empty() {
        return Err(too_coarse("no cell is inside"));
    }
    let mesh = SolidMesh::new(points, cells)?;
    // What is thinner than the cells is lost or torn; better to say so.
    if mesh.volume() < LEAST * counted {
        return Err(too_coarse(
            "parts of the shape are thinner than the cells, so most of it would be lost",
        ));
    }
    Ok(mesh)
}

fn too_many(count: f64) -> ShapeError {
    ShapeError::TooMany {
        what: "the mesh of this shape",
        count,
        limit: LIMIT,
    }
}

/// The boxes of the lattice that may hold a part of the shape, in order.
fn boxes<const D: usize>(shape: &dyn Shape<D>, pattern: &Pattern<D>) -> Result<Vec<Key<D>>> {
    let mut boxes: Vec<Key<D>> = Vec::new();
    let full = std::cell::Cell::new(false);
    // The cells of a box reach half a box farther.
    let corner = |i: [i64; D], more: i32| pattern.place(&i.map(|k| 2 * k as i32 + more));
    let outside = |low, high| full.get() || is_outside(shape, corner(low, 0), corner(high, 1));
    each_unless(pattern.boxes, outside, |i| {
        if full.get() || is_outside(shape, corner(i, 0), corner(i, 3)) {
            return;
        }
        boxes.push(i.map(|k| 2 * k as i32));
        full.set(boxes.len() as f64 > LIMIT);
    });
    match full.get() {
        true => Err(too_many(pattern.count())),
        false => Ok(boxes),
    }
}

/// Points of the lattice, sorted by their keys.
struct Nodes<const D: usize> {
    keys: Vec<Key<D>>,
    place: Vec<Vector<f64, D>>,
    distance: Vec<f64>,
    /// 1 inside, −1 outside, 0 on the surface.
    side: Vec<i8>,
}

impl<const D: usize> Nodes<D> {
    /// All corners of the cells of these boxes.
    fn new(shape: &dyn Shape<D>, pattern: &Pattern<D>, boxes: &[Key<D>]) -> Result<Self> {
        let corners = |b: &Key<D>| {
            let b = *b;
            pattern.corners.iter().map(move |o| pattern::moved(&b, o))
        };
        let mut keys: Vec<Key<D>> = boxes.par_iter().flat_map_iter(corners).collect();
        keys.par_sort_unstable();
        keys.dedup();
        let place: Vec<_> = keys.par_iter().map(|k| pattern.place(k)).collect();
        let distance: Vec<f64> = place.par_iter().map(|x| shape.distance(x)).collect();
        if let Some(index) = distance.iter().position(|d| !d.is_finite()) {
            return Err(ShapeError::NotFinite {
                what: "distances of the shape".into(),
                index,
            });
        }
        let side = |d: &f64| i8::from(*d < 0.0) - i8::from(*d > 0.0);
        Ok(Self {
            side: distance.iter().map(side).collect(),
            keys,
            place,
            distance,
        })
    }

    fn find(&self, key: &Key<D>) -> Option<usize> {
        self.keys.binary_search(key).ok()
    }
}

/// Where an edge of the lattice crosses the surface.
struct Cut<const D: usize> {
    /// Numbers of the edge's ends, the lower first.
    ends: [u32; 2],
    place: Vector<f64, D>,
    /// The end that is too near, if one is, and how far it is from there \[m\].
    near: Option<(u32, f64)>,
}

/// All crossings, sorted by their ends.
fn cuts<const D: usize>(
    shape: &dyn Shape<D>,
    pattern: &Pattern<D>,
    nodes: &Nodes<D>,
) -> Result<Vec<Cut<D>>> {
    let of = |a: usize| {
        pattern.edges.iter().filter_map(move |e| {
            if nodes.side[a] == 0 {
                return None;
            }
            let b = nodes.find(&pattern::moved(&nodes.keys[a], &e.offset))?;
            if nodes.side[a] * nodes.side[b] >= 0 {
                return None;
            }
            let ends = [
                (nodes.place[a], nodes.distance[a]),
                (nodes.place[b], nodes.distance[b]),
            ];
            let t = root(shape, ends);
            let [(x, _), (y, _)] = ends;
            let length = (y - x).norm();
            let near = if t < e.near {
                Some((a as u32, t * length))
            } else if 1.0 - t < e.near {
                Some((b as u32, (1.0 - t) * length))
            } else {
                None
            };
            Some(Cut {
                ends: [a as u32, b as u32],
                place: x + (y - x) * t,
                near,
            })
        })
    };
    Ok((0..nodes.keys.len())
        .into_par_iter()
        .flat_map_iter(of)
        .collect())
}

/// Where between two points with distances of different signs the surface is, from 0 to 1: false
/// position, with a halving now and then, so that it ends for any function.
fn root<const D: usize>(shape: &dyn Shape<D>, ends: [(Vector<f64, D>, f64); 2]) -> f64 {
    let [(x, f), (y, g)] = ends;
    let small = 1e-13 * (y - x).norm();
    let (mut low, mut high) = ((0.0, f), (1.0, g));
    for k in 0..150 {
        let width = high.0 - low.0;
        if width <= 1e-13 {
            break;
        }
        let even = low.0 - low.1 * width / (high.1 - low.1);
        let t = if k % 4 == 3 || !(even > low.0 && even < high.0) {
            low.0 + 0.5 * width
        } else {
            even
        };
        let d = shape.distance(&(x + (y - x) * t));
        if d.abs() <= small {
            return t;
        }
        if (d < 0.0) == (f < 0.0) {
            low = (t, d);
            high.1 *= 0.5; // the end that stays counts less (the Illinois rule)
        } else {
            high = (t, d);
            low.1 *= 0.5;
        }
    }
    0.5 * (low.0 + high.0)
}

/// Moves points that are too near a cut onto the nearest one. In the order of their keys: once a
/// point is on the surface, the cuts of its edges pull no other.
fn snap<const D: usize>(nodes: &mut Nodes<D>, cuts: &[Cut<D>]) {
    let mut pulls: Vec<(u32, f64, usize)> = cuts
        .iter()
        .enumerate()
        .filter_map(|(k, c)| c.near.map(|(node, way)| (node, way, k)))
        .collect();
    pulls.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
    for (node, _, k) in pulls {
        let cut = &cuts[k];
        if cut.ends.iter().all(|&e| nodes.side[e as usize] != 0) {
            nodes.place[node as usize] = cut.place;
            nodes.side[node as usize] = 0;
        }
    }
}
