//! The separable kernels against the sums as the documents write them, node by node.

use thixo_grid::transfer::{Stencil, gather, scatter};
use thixo_grid::{
    Cubic, Domain, Kernel, KernelKind, Layer, Layout, Linear, Link, Medium, Node, Quadratic,
};
use thixo_math::{Matrix, Vector};

/// Numbers in [0, 1).
fn random(seed: u64) -> impl FnMut() -> f64 {
    let mut s = seed;
    move || {
        s = s
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (s >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// The N-th node of a stencil, along each axis.
fn node<const D: usize>(mut n: usize, width: usize) -> [usize; D] {
    let mut o = [0; D];
    for a in (0..D).rev() {
        o[a] = n % width;
        n /= width;
    }
    o
}

/// w_ip and ∇w_ip dx of one node, and x_i − x_p in cells. [Course16] (122)–(125)
fn weight<K: Kernel, const D: usize>(
    o: [usize; D],
    f: &Vector<f64, D>,
) -> (f64, Vector<f64, D>, Vector<f64, D>) {
    let one: [f64; D] = std::array::from_fn(|a| K::weights(f[a])[o[a]]);
    let slope: [f64; D] = std::array::from_fn(|a| K::slopes(f[a])[o[a]]);
    let w = one.iter().product();
    let gradient = Vector::from_fn(|a| {
        (0..D)
            .map(|b| if a == b { slope[b] } else { one[b] })
            .product::<f64>()
    });
    let d = Vector::from_fn(|a| (K::LOW + o[a] as i32) as f64 - f[a]);
    (w, gradient, d)
}

fn agree<K: Kernel, const D: usize>() {
    let mut random = random(11);
    let size = K::TILE.pow(D as u32);
    for _ in 0..200 {
        let f = Vector::<f64, D>::from_fn(|_| random() - if K::NEAREST { 0.5 } else { 0.0 });
        let local: [usize; D] = std::array::from_fn(|_| (random() * 6.0) as usize);
        let st = Stencil::new::<K>(local, &f);
        let q: Node<f64> = std::array::from_fn(|c| if c < D || c == 3 { random() } else { 0.0 });
        let a = Matrix::<f64, D>::from_fn(|_, _| random() - 0.5);
        for slopes in [false, true] {
            let u = if slopes {
                st.slopes::<K>(&f)
            } else {
                st.moments::<K>(&f)
            };
            let mut fast = vec![[0.0; 4]; size];
            scatter::<f64, K, D>(&mut fast, &st, &u, &q, &a);
            let mut slow = vec![[0.0; 4]; size];
            let (mut v, mut m) = (Vector::<f64, D>::zero(), Matrix::<f64, D>::zero());
            for n in 0..K::WIDTH.pow(D as u32) {
                let o = node::<D>(n, K::WIDTH);
                let (w, gradient, d) = weight::<K, D>(o, &f);
                let place = (0..D).fold(0, |s, a| s * K::TILE + local[a] + o[a]);
                let u = if slopes { gradient } else { d * w };
                let give = a * u;
                for c in 0..4 {
                    slow[place][c] += w * q[c] + if c < D { give[c] } else { 0.0 };
                }
                let value = Vector::from_fn(|c| fast[place][c]);
                v += value * w;
                m += value.outer(&u);
            }
            for (x, y) in fast.iter().zip(&slow) {
                for c in 0..4 {
                    assert!((x[c] - y[c]).abs() < 1e-14, "scatter: {x:?} {y:?}");
                }
            }
            let (v2, m2) = gather::<f64, K, D>(&fast, &st, &u);
            assert!((v - v2).max_abs() < 1e-14, "gather: {v:?} {v2:?}");
            assert!((m - m2).max_abs() < 1e-14, "gather: {m:?} {m2:?}");
        }
    }
}

#[test]
fn fast_kernels_agree_with_their_slow_twins() {
    agree::<Linear, 2>();
    agree::<Quadratic, 2>();
    agree::<Cubic, 2>();
    agree::<Linear, 3>();
    agree::<Quadratic, 3>();
    agree::<Cubic, 3>();
}

/// Tiles added to the nodes and loaded again carry every node of every particle exactly once, with
/// negative coordinates, strayed particles and periods as short as one block.
fn tiles<K: Kernel, const D: usize>(kind: KernelKind, periods: [f64; D]) {
    let mut domain = Domain::<D>::new(1.0).unwrap();
    for (axis, p) in periods.into_iter().enumerate() {
        if p > 0.0 {
            domain = domain.periodic(axis, p).unwrap();
        }
    }
    let mut random = random(5);
    let mut cells: Vec<[i32; D]> = (0..300)
        .map(|_| std::array::from_fn(|_| (random() * 24.0) as i32 - 12))
        .collect();
    cells.iter_mut().for_each(|c| domain.wrap_cell(c));
    let (order, layout) = Layout::sort(&cells, kind);
    let mut cells: Vec<[i32; D]> = order.iter().map(|&i| cells[i as usize]).collect();
    // Some stray by one cell.
    for c in cells.iter_mut().step_by(7) {
        let r = layout
            .ranges
            .iter()
            .find(|r| r.block == c.map(|c| c >> 2))
            .unwrap();
        for x in c.iter_mut() {
            *x += if random() < 0.5 { 1 } else { -1 };
        }
        assert!(r.holds(c));
    }
    let mut medium = Medium::<f64, D>::new(domain, 1);
    let layer = &mut medium.layers[0];
    layer.cover(&domain, &[&layout]);
    layer.clear();
    let mut link = Link::default();
    link.refresh::<f64, K>(&domain, layer, &layout, &cells);
    let size = K::TILE.pow(D as u32);
    // What is not cleared or loaded must not be used.
    let mut all = vec![[f64::NAN; 4]; size * layout.ranges.len()];
    let f = Vector::<f64, D>::splat(0.25);
    let q = [1.0, 2.0, 3.0, 4.0];
    for (b, (r, tile)) in layout.ranges.iter().zip(all.chunks_mut(size)).enumerate() {
        link.clear_tile::<f64, K>(b, tile);
        for c in &cells[r.start..r.end] {
            let st = Stencil::new::<K>(r.local(c), &f);
            scatter::<f64, K, D>(tile, &st, &st.moments::<K>(&f), &q, &Matrix::zero());
        }
    }
    let mut nodes = std::mem::take(&mut layer.nodes);
    link.add_tiles::<f64, K>(&all, &mut nodes);
    // The same sums by node coordinates.
    let mut slow = std::collections::HashMap::new();
    for c in &cells {
        for n in 0..K::WIDTH.pow(D as u32) {
            let o = node::<D>(n, K::WIDTH);
            let (w, ..) = weight::<K, D>(o, &f);
            let mut at: [i32; D] = std::array::from_fn(|a| c[a] + K::LOW + o[a] as i32);
            domain.wrap_cell(&mut at);
            *slow.entry(at).or_insert(0.0) += w;
        }
    }
    let mut seen = 0;
    for (b, block) in nodes.chunks(Layer::<f64, D>::NODES).enumerate() {
        for (n, found) in block.iter().enumerate() {
            let x = layer.place(&domain, b, n);
            let at: [i32; D] = std::array::from_fn(|a| x[a].round() as i32);
            let expected = slow.get(&at).copied().unwrap_or(0.0);
            assert!(
                (found[3] - 4.0 * expected).abs() < 1e-12,
                "{at:?}: {found:?} {expected}"
            );
            seen += usize::from(found[3] != 0.0);
        }
    }
    assert_eq!(seen, slow.len());
    // Loaded back, every particle sees what the grid has.
    let mut tile = vec![[0.0; 4]; size];
    for (b, r) in layout.ranges.iter().enumerate() {
        tile.fill([f64::NAN; 4]);
        link.load_tile::<f64, K>(b, &nodes, &mut tile);
        for c in &cells[r.start..r.end] {
            let st = Stencil::new::<K>(r.local(c), &f);
            let (v, _) = gather::<f64, K, D>(&tile, &st, &st.moments::<K>(&f));
            let expected: f64 = (0..K::WIDTH.pow(D as u32))
                .map(|n| {
                    let o = node::<D>(n, K::WIDTH);
                    let mut at: [i32; D] = std::array::from_fn(|a| c[a] + K::LOW + o[a] as i32);
                    domain.wrap_cell(&mut at);
                    weight::<K, D>(o, &f).0 * slow[&at]
                })
                .sum();
            assert!((v[0] - expected).abs() < 1e-12 * expected.max(1.0));
        }
    }
}

#[test]
fn tiles_carry_every_node_once() {
    tiles::<Linear, 2>(KernelKind::Linear, [0.0, 0.0]);
    tiles::<Quadratic, 2>(KernelKind::Quadratic, [0.0, 0.0]);
    tiles::<Quadratic, 2>(KernelKind::Quadratic, [4.0, 0.0]);
    tiles::<Cubic, 2>(KernelKind::Cubic, [8.0, 4.0]);
    tiles::<Quadratic, 3>(KernelKind::Quadratic, [0.0, 0.0, 0.0]);
    tiles::<Cubic, 3>(KernelKind::Cubic, [12.0, 0.0, 4.0]);
    tiles::<Linear, 3>(KernelKind::Linear, [0.0, 4.0, 0.0]);
}

#[test]
fn places_far_away_keep_their_fraction_in_f32() {
    let domain = Domain::<2>::new(0.01).unwrap();
    let x = Vector([30000.003, -20000.0071]);
    let (cell, f) = domain.locate::<f32>(&x).unwrap();
    let back = domain.place(&cell, &f);
    assert!((back - x).max_abs() < 1e-9, "{back:?}");
    // The same number as one f32 is off by a millimetre or more: the check can fail.
    assert!((f64::from(x[0] as f32) - x[0]).abs() > 5e-4);
    assert!(domain.locate::<f32>(&Vector([1e12, 0.0])).is_none());
    assert!(domain.locate::<f32>(&Vector([f64::NAN, 0.0])).is_none());
}
