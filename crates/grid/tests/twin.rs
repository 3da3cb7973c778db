//! The separable kernels against the sums as the documents write them, node by node.

use thixo_grid::transfer::{Room, gather, gather_slopes, scatter, scatter_slopes};
use thixo_grid::{
    ALIGN, Cubic, Domain, Kernel, KernelKind, Layer, Layout, Linear, Link, Medium, Node, Place,
    Quadratic, Rooms, Sorted, stencil_start,
};
use thixo_math::{Lane, Level, Matrix, Pack, Real, Simd, Task, Vector};

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

/// Random particles through the fast kernels and through the sums, in `T`, at one level.
struct Agree<T, K, const D: usize>(std::marker::PhantomData<(T, K)>);

impl<T: Real, K: Kernel, const D: usize> Task for Agree<T, K, D> {
    type Out = f64;
    /// The largest difference, in roundings.
    fn run<S: Simd>(self, s: S) -> f64 {
        let mut random = random(11);
        let mut worst = 0.0f64;
        let lanes = Pack::<T, S>::COUNT;
        for round in 0..60 {
            // Fewer than there are lanes, too.
            let count = 1 + round % lanes;
            let mut draw = |low: f64| T::of(random() + low).wide();
            let mut f: Vec<Vector<f64, D>> = (0..lanes)
                .map(|_| Vector::from_fn(|_| draw(if K::NEAREST { -0.5 } else { 0.0 })))
                .collect();
            let q: Vec<Node<f64>> = (0..lanes)
                .map(|_| std::array::from_fn(|c| if c < D || c == 3 { draw(0.0) } else { 0.0 }))
                .collect();
            let a: Vec<Matrix<f64, D>> = (0..lanes)
                .map(|_| Matrix::from_fn(|_, _| draw(-0.5)))
                .collect();
            let mut local: Vec<[usize; D]> = (0..count)
                .map(|_| std::array::from_fn(|_| (draw(0.0) * 6.0) as usize))
                .collect();
            // Lanes without a particle are copies of the last one.
            f.truncate(count);
            f.resize(lanes, f[count - 1]);
            // As after a sort, many stand beside one of their own cell.
            for l in 1..count {
                if draw(0.0) < 0.6 {
                    local[l] = local[l - 1];
                }
            }
            let first = |l: &[usize; D]| l.iter().fold(0, |s, c| s * K::TILE + c);
            let starts: Vec<usize> = local.iter().map(first).collect();
            let pack = |value: &dyn Fn(usize) -> f64| {
                let all: Vec<T> = (0..lanes).map(|l| T::of(value(l))).collect();
                Pack::<T, S>::load(s, &all)
            };
            let pf = Vector::<_, D>::from_fn(|d| pack(&|l| f[l][d]));
            let pq: [_; 4] = std::array::from_fn(|c| pack(&|l| q[l][c]));
            let pa = Matrix::<_, D>::from_fn(|i, j| pack(&|l| a[l][(i, j)]));
            for slopes in [false, true] {
                let mut fast = vec![[T::zero(); 4]; K::tile_size(D)];
                let mut slow = vec![[0.0; 4]; K::tile_size(D)];
                if slopes {
                    scatter_slopes::<T, K, S, D>(
                        s,
                        &mut Room::new(),
                        &mut fast,
                        &starts,
                        &pf,
                        &pq,
                        &pa,
                    );
                } else {
                    scatter::<T, K, S, D>(s, &mut Room::new(), &mut fast, &starts, &pf, &pq, &pa);
                }
                let each = |l: usize, visit: &mut dyn FnMut(usize, f64, Vector<f64, D>)| {
                    for n in 0..K::WIDTH.pow(D as u32) {
                        let o = node::<D>(n, K::WIDTH);
                        let (w, gradient, d) = weight::<K, D>(o, &f[l]);
                        let place = (0..D).fold(0, |s, a| s * K::TILE + local[l][a] + o[a]);
                        visit(place, w, if slopes { gradient } else { d * w });
                    }
                };
                for l in 0..count {
                    each(l, &mut |place, w, u| {
                        let give = a[l] * u;
                        for c in 0..4 {
                            slow[place][c] += w * q[l][c] + if c < D { give[c] } else { 0.0 };
                        }
                    });
                }
                for (x, y) in fast.iter().zip(&slow) {
                    for c in 0..4 {
                        worst = worst.max((x[c].wide() - y[c]).abs());
                    }
                }
                let (value, moment) =
                    gather::<T, K, S, D>(s, &mut Room::new(), &fast, &starts, &pf);
                let moment = if slopes {
                    gather_slopes::<T, K, S, D>(s, &mut Room::new(), &fast, &starts, &pf)
                } else {
                    moment
                };
                // The copies take what the last one takes.
                let last = |l: usize| l.min(count - 1);
                for l in 0..lanes {
                    for c in 0..D {
                        assert!(value[c].at(l) == value[c].at(last(l)));
                    }
                }
                for l in 0..count {
                    let (mut v, mut m) = (Vector::<f64, D>::zero(), Matrix::<f64, D>::zero());
                    each(l, &mut |place, w, u| {
                        let value = Vector::from_fn(|c| fast[place][c].wide());
                        v += value * w;
                        m += value.outer(&u);
                    });
                    for c in 0..D {
                        worst = worst.max((value[c].at(l).wide() - v[c]).abs());
                        for d in 0..D {
                            worst = worst.max((moment[(c, d)].at(l).wide() - m[(c, d)]).abs());
                        }
                    }
                }
            }
        }
        worst / T::EPSILON
    }
}

fn agree<K: Kernel, const D: usize>() {
    for level in Level::ALL.into_iter().filter(|l| l.is_there()) {
        let single = level.dispatch(Agree::<f32, K, D>(Default::default()));
        let double = level.dispatch(Agree::<f64, K, D>(Default::default()));
        for off in [single, double] {
            assert!(off > 0.0 && off < 60.0, "{}: {off} roundings", level.name());
        }
    }
}

/// One particle at the offset `f` in a tile.
struct One<'a, K, const D: usize>(&'a mut [Node<f64>], Place, f64, std::marker::PhantomData<K>);

impl<K: Kernel, const D: usize> One<'_, K, D> {
    fn give(tile: &mut [Node<f64>], place: Place, f: f64) {
        Level::best().dispatch(One::<K, D>(tile, place, f, Default::default()));
    }
}

impl<K: Kernel, const D: usize> Task for One<'_, K, D> {
    type Out = f64;
    /// Gives (1, 2, 3, 4) where there is no number yet to take; takes the first number otherwise.
    fn run<S: Simd>(self, s: S) -> f64 {
        let f = Vector::splat(Pack::<f64, S>::splat(s, self.2.abs()));
        let start = [stencil_start::<K, D>(self.1)];
        if self.2 < 0.0 {
            let (v, _) = gather::<f64, K, S, D>(s, &mut Room::new(), self.0, &start, &f);
            return v[0].at(0);
        }
        let q = [1.0, 2.0, 3.0, 4.0].map(|x| Pack::splat(s, x));
        let none = Matrix::scalar(Pack::splat(s, 0.0));
        scatter::<f64, K, S, D>(s, &mut Room::new(), self.0, &start, &f, &q, &none);
        0.0
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
/// negative coordinates, strayed particles, latecomers and periods as short as one block.
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
    let Sorted {
        mut order,
        places,
        mut layout,
    } = Layout::sort(&cells[..200], kind);
    let mut medium = Medium::<f64, D>::new(domain, 1);
    let (layer, mut link) = (&mut medium.layers[0], Link::default());
    layer.cover(&domain, &[&layout]);
    link.refresh::<f64, K>(&domain, layer, &layout, &places);
    // Some come late, in two groups.
    for (late, before) in [(&cells[200..260], 200), (&cells[260..], 260)] {
        let late = Layout::sort(late, kind);
        assert_eq!(layout.grow(&late.layout), order.len());
        order.extend(late.order.iter().map(|i| i + before));
        layer.cover(&domain, &[&layout]);
        let places = layout.places(&order, &cells);
        link.refresh::<f64, K>(&domain, layer, &layout, &places);
    }
    let mut anew = Medium::<f64, D>::new(domain, 1);
    anew.layers[0].cover(&domain, &[&layout]);
    assert_eq!(anew.layers[0].blocks(), layer.blocks());
    assert_eq!(layout.len(), cells.len());
    assert!(layout.ranges.iter().all(|r| r.start.is_multiple_of(ALIGN)));
    assert!(layout.ranges.len() > layout.blocks(), "none is late");
    let mut cells: Vec<[i32; D]> = order.iter().map(|&i| cells[i as usize]).collect();
    // Some stray by one cell.
    for (i, c) in cells.iter_mut().enumerate().step_by(7) {
        let r = layout.ranges.iter().rfind(|r| r.start <= i).unwrap();
        for x in c.iter_mut() {
            *x += if random() < 0.5 { 1 } else { -1 };
        }
        assert!(r.holds(c));
    }
    layer.clear();
    let place = |i: usize| {
        // An empty slot belongs to the block before it.
        let holder = layout.ranges.iter().rfind(|r| r.start <= i).unwrap();
        assert_eq!(holder.cell(holder.place(&cells[i])), cells[i]);
        holder.place(&cells[i])
    };
    let places: Vec<Place> = (0..cells.len()).map(place).collect();
    link.refresh::<f64, K>(&domain, layer, &layout, &places);
    let size = K::tile_size(D);
    // A tile still has what the one before has left where the new particles do not reach.
    let f = Vector::<f64, D>::splat(0.25);
    let mut nodes = std::mem::take(&mut layer.nodes);
    let rooms = Rooms::default();
    link.add_tiles::<f64, K, _>(&mut nodes, &rooms, &|range, tile, (): &mut ()| {
        let r = &layout.ranges[range];
        for p in &places[r.start..r.end] {
            One::<K, D>::give(tile, *p, 0.25);
        }
    });
    // The same sums by node coordinates.
    let mut slow = std::collections::HashMap::new();
    for c in layout.slots().map(|i| &cells[i]) {
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
        for (c, p) in cells[r.start..r.end].iter().zip(&places[r.start..r.end]) {
            let take = One::<K, D>(&mut tile, *p, -0.25, Default::default());
            let v = Level::best().dispatch(take);
            let expected: f64 = (0..K::WIDTH.pow(D as u32))
                .map(|n| {
                    let o = node::<D>(n, K::WIDTH);
                    let mut at: [i32; D] = std::array::from_fn(|a| c[a] + K::LOW + o[a] as i32);
                    domain.wrap_cell(&mut at);
                    weight::<K, D>(o, &f).0 * slow[&at]
                })
                .sum();
            assert!((v - expected).abs() < 1e-12 * expected.max(1.0));
        }
    }
}

/// A sort puts particles by block, in a block by cell, in a cell as they were, each once; empty slots repeat the
/// one before.
#[test]
fn sorted_by_block_and_cell() {
    let mut random = random(8);
    let cells: Vec<[i32; 3]> = (0..2000)
        .map(|_| std::array::from_fn(|_| (random() * 14.0) as i32 - 7))
        .collect();
    let kind = KernelKind::Quadratic;
    let Sorted {
        order,
        places,
        layout,
    } = Layout::sort(&cells, kind);
    let at = |slot: usize| (order[slot], cells[order[slot] as usize]);
    let rank = |(i, c): (u32, [i32; 3])| (c.map(|x| x >> 2), [c[2], c[1], c[0]], i);
    let slots: Vec<usize> = layout.slots().collect();
    assert!(slots.windows(2).all(|s| rank(at(s[0])) < rank(at(s[1]))));
    let mut all: Vec<u32> = slots.iter().map(|s| order[*s]).collect();
    all.sort_unstable();
    assert!(all.into_iter().eq(0..2000));
    for r in &layout.ranges {
        assert!((r.start..r.end).all(|s| r.holds(&at(s).1) && r.is_sound()));
        let empty = r.end..r.end.next_multiple_of(ALIGN);
        assert!(empty.into_iter().all(|s| order[s] == order[r.end - 1]));
    }
    let numbered = layout.order().into_iter().map(|n| order[slots[n as usize]]);
    assert!(numbered.eq(order.iter().copied()));
    assert_eq!(places, layout.places(&order, &cells));
    // Sorted anew after all have strayed, across the seam of a period too.
    let domain = Domain::<3>::new(1.0).unwrap().periodic(1, 16.0).unwrap();
    let mut strayed: Vec<[i32; 3]> = order.iter().map(|i| cells[*i as usize]).collect();
    for c in &mut strayed {
        c[0] += 1;
        c[1] -= 1;
    }
    let identity: Vec<u32> = (0..order.len() as u32).collect();
    let again = layout.again(&layout.places(&identity, &strayed), &domain, kind);
    strayed.iter_mut().for_each(|c| domain.wrap_cell(c));
    let dense: Vec<[i32; 3]> = slots.iter().map(|s| strayed[*s]).collect();
    let slow = Layout::sort(&dense, kind);
    assert_eq!(again.layout.ranges, slow.layout.ranges);
    assert_eq!(again.places, slow.places);
    assert!(
        slow.order
            .iter()
            .map(|n| slots[*n as usize] as u32)
            .eq(again.order)
    );
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
