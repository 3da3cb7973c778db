//! Small bubbles inside a body: gaps between unevenly spread particles, no part of its surface.

use super::mesh::{corners, tetrahedron};

/// The triangles without those of bubbles that hold less than `most`. Parts of the mesh that do not
/// hang together are told apart; a bubble is a part that is inside out.
pub(super) fn fill(x: &[[f64; 3]], mut triangles: Vec<[u32; 3]>, most: f64) -> Vec<[u32; 3]> {
    let mut root: Vec<u32> = (0..x.len() as u32).collect();
    for &[a, b, c] in &triangles {
        for (a, b) in [(a, b), (b, c)] {
            let (a, b) = (find(&mut root, a), find(&mut root, b));
            root[a.max(b) as usize] = a.min(b); // a part is known by its first vertex
        }
    }
    let mut volume = vec![0.0; x.len()];
    for t in &triangles {
        let part = find(&mut root, t[0]) as usize;
        volume[part] += tetrahedron(corners(x, t, x[part]));
    }
    triangles.retain(|t| {
        let v = volume[find(&mut root, t[0]) as usize];
        v >= 0.0 || v <= -most
    });
    triangles
}

/// The first vertex of the part that a vertex belongs to; paths are halved on the way.
fn find(root: &mut [u32], mut k: u32) -> u32 {
    while root[k as usize] != k {
        root[k as usize] = root[root[k as usize] as usize];
        k = root[k as usize];
    }
    k
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_small_parts_that_are_inside_out_go() {
        let mut x: Vec<[f64; 3]> = Vec::new();
        let mut triangles = Vec::new();
        for (at, size, out) in [(0.0, 2.0, true), (5.0, 1.0, false), (9.0, 3.0, false)] {
            let k = x.len() as u32;
            x.push([at, 0.0, 0.0]);
            x.extend((0..3).map(|i| std::array::from_fn(|j| f64::from(i == j) * size)));
            x[k as usize + 1..].iter_mut().for_each(|x| x[0] += at);
            for [a, b, c] in [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]] {
                let t = if out { [a, b, c] } else { [a, c, b] };
                triangles.push(t.map(|i| i + k));
            }
        }
        let kept = fill(&x, triangles.clone(), 1.0);
        assert_eq!(kept, [&triangles[..4], &triangles[8..]].concat());
        assert_eq!(fill(&x, triangles.clone(), 0.0), triangles);
    }
}
