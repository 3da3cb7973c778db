//! What is left of a cell that the surface crosses.

use thixo_math::Vector;

use super::Nodes;
use super::pattern::{Key, is_long};

/// A corner of a cell.
#[derive(Clone, Copy)]
struct Corner<const D: usize> {
    number: u32,
    side: i8,
    key: Key<D>,
}

/// Adds the cells that fill the part of a cell that is inside. Corners that are not among the nodes
/// are far outside.
pub(super) fn part<const D: usize>(
    nodes: &Nodes<D>,
    points: &[Vector<f64, D>],
    keys: &[Key<D>; 4],
    cut: &impl Fn(u32, u32) -> Option<u32>,
    found: &mut Vec<[u32; 4]>,
) {
    let mut corners = Vec::with_capacity(4);
    for key in &keys[..=D] {
        let Some(k) = nodes.find(key) else {
            return;
        };
        corners.push(Corner {
            number: k as u32,
            side: nodes.side[k],
            key: *key,
        });
    }
    // Those inside first, then those on the surface; equal ones keep their order.
    corners.sort_by_key(|c| -c.side);
    let inside = corners.iter().take_while(|c| c.side > 0).count();
    let outside = corners.iter().filter(|c| c.side < 0).count();
    let n = |k: usize| corners[k].number;
    let cut = |a: usize, b: usize| cut(n(a), n(b));
    if inside == 0 {
        return;
    }
    if outside == 0 {
        let mut whole = [n(D); 4];
        whole[..D].copy_from_slice(&[n(0), n(1), n(2)][..D]);
        return found.push(whole);
    }
    let made = if D == 3 {
        solid(&corners, inside, outside, &cut)
    } else {
        flat(&corners, inside, outside, points, &cut)
    };
    found.extend(made.unwrap_or_default());
}

/// In three dimensions: a tetrahedron where one corner is inside, else a pyramid or a prism.
fn solid<const D: usize>(
    corners: &[Corner<D>],
    inside: usize,
    outside: usize,
    cut: &impl Fn(usize, usize) -> Option<u32>,
) -> Option<Vec<[u32; 4]>> {
    let n = |k: usize| corners[k].number;
    // The quadrilateral of two corners inside and two cuts: whether its diagonal starts at the first.
    let first = |a: usize, b: usize, out: usize| leads(&corners[a], &corners[b], &corners[out]);
    Some(match (inside, outside) {
        (1, 1) => vec![[n(0), n(1), n(2), cut(0, 3)?]],
        (1, 2) => vec![[n(0), n(1), cut(0, 2)?, cut(0, 3)?]],
        (1, _) => vec![[n(0), cut(0, 1)?, cut(0, 2)?, cut(0, 3)?]],
        (2, 1) => {
            let (p, q, top) = (cut(0, 3)?, cut(1, 3)?, n(2));
            if first(0, 1, 3) {
                vec![[n(0), n(1), q, top], [n(0), q, p, top]]
            } else {
                vec![[n(0), n(1), p, top], [n(1), q, p, top]]
            }
        }
        (2, _) => {
            let low = [n(0), cut(0, 2)?, cut(0, 3)?];
            let high = [n(1), cut(1, 2)?, cut(1, 3)?];
            let (one, two) = (first(0, 1, 2), first(0, 1, 3));
            // The third side is on the surface and free: it must not close a circle.
            prism(low, high, [one, two, !one])
        }
        _ => {
            let low = [n(0), n(1), n(2)];
            let high = [cut(0, 3)?, cut(1, 3)?, cut(2, 3)?];
            prism(low, high, [first(0, 1, 3), first(0, 2, 3), first(1, 2, 3)])
        }
    })
}

/// Whether the diagonal of the quadrilateral at the edge from `a` to `b`, both inside, with `out`
/// outside, starts at `a`. It ends on the longer cut edge; if both are short, parity decides. Two
/// cells with this face find the same.
fn leads<const D: usize>(a: &Corner<D>, b: &Corner<D>, out: &Corner<D>) -> bool {
    if is_long(&b.key, &out.key) {
        return true;
    }
    if is_long(&a.key, &out.key) {
        return false;
    }
    let above = (0..D).filter(|&k| a.key[k] > out.key[k]).count();
    above % 2 == 0
}

/// A prism as three tetrahedra. `up` tells for the sides 0–1, 0–2, 1–2 whether the diagonal goes from
/// the former's lower to the latter's upper corner; not all round in one sense.
fn prism(low: [u32; 3], high: [u32; 3], up: [bool; 3]) -> Vec<[u32; 4]> {
    let mut starts = [0; 3];
    for (up, (i, j)) in up.into_iter().zip([(0, 1), (0, 2), (1, 2)]) {
        starts[if up { i } else { j }] += 1;
    }
    let mut order = [0, 1, 2];
    order.sort_by_key(|&k| -starts[k]);
    let [x, y, z] = order;
    vec![
        [low[x], low[y], low[z], high[z]],
        [low[x], low[y], high[y], high[z]],
        [low[x], high[x], high[y], high[z]],
    ]
}

/// In two dimensions: a triangle, or a quadrilateral cut along its shorter diagonal.
fn flat<const D: usize>(
    corners: &[Corner<D>],
    inside: usize,
    outside: usize,
    points: &[Vector<f64, D>],
    cut: &impl Fn(usize, usize) -> Option<u32>,
) -> Option<Vec<[u32; 4]>> {
    let n = |k: usize| corners[k].number;
    let triangle = |a: u32, b: u32, c: u32| [a, b, c, c];
    Some(match (inside, outside) {
        (1, 1) => vec![triangle(n(0), n(1), cut(0, 2)?)],
        (1, _) => vec![triangle(n(0), cut(0, 1)?, cut(0, 2)?)],
        _ => {
            let (a, b, p, q) = (n(0), n(1), cut(0, 2)?, cut(1, 2)?);
            let far = |i: u32, j: u32| (points[i as usize] - points[j as usize]).norm2();
            if far(a, q) <= far(b, p) {
                vec![triangle(a, b, q), triangle(a, q, p)]
            } else {
                vec![triangle(a, b, p), triangle(b, q, p)]
            }
        }
    })
}
