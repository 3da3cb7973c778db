//! Vertices as material points of the grid: where they are, what they give to the nodes and take from them.
//! [Course16] §12.2, [Jiang15] §3.3

use thixo_grid::transfer::{LANES, Room, gather, scatter};
use thixo_grid::{
    ALIGN, Domain, Kernel, KernelKind, Layer, Layout, Link, Node, Place, Range, Rooms, fold_blocks,
    stencil_start,
};
use thixo_math::{Lane, Level, Matrix, Pack, Real, Simd, Task, Vector};

use crate::matter::Line;

/// What a vertex takes from the grid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taken<T, const D: usize> {
    /// Σ w v_i
    pub v: Vector<T, D>,
    /// Σ w v_i ⊗ (x_i − x_p) D⁻¹ \[1/s\]
    pub C: Matrix<T, D>,
}

/// Where the vertices are on the grid; made anew from their places before every step.
pub(crate) struct Through<T, const D: usize> {
    /// The vertex of each slot; empty slots repeat the one before.
    order: Vec<u32>,
    places: Vec<Place>,
    /// Offsets from the anchors, chunk by chunk.
    f: Vec<[Line<T>; D]>,
    /// Anchors and offsets of the vertices, as they are without a period.
    pub anchors: Vec<([i32; D], Vector<T, D>)>,
    link: Link<D>,
    rooms: Rooms<(Vec<Node<T>>, ())>,
    tiles: Rooms<Vec<Node<T>>>,
}

impl<T, const D: usize> Default for Through<T, D> {
    fn default() -> Self {
        Self {
            order: Vec::new(),
            places: Vec::new(),
            f: Vec::new(),
            anchors: Vec::new(),
            link: Link::default(),
            rooms: Rooms::default(),
            tiles: Rooms::default(),
        }
    }
}

impl<T: Real, const D: usize> Through<T, D> {
    /// Lays the vertices out on the grid; the first that it cannot address is told.
    pub fn sort(
        &mut self,
        domain: &Domain<D>,
        kernel: KernelKind,
        x: &[Vector<f64, D>],
    ) -> Result<Layout<D>, usize> {
        self.anchors.clear();
        let mut cells = Vec::with_capacity(x.len());
        for (i, x) in x.iter().enumerate() {
            let (mut cell, mut f) = domain.locate::<T>(x).ok_or(i)?;
            if kernel == KernelKind::Quadratic {
                // Its anchor is the nearest node.
                for a in 0..D {
                    if f[a] >= T::of(0.5) {
                        cell[a] += 1;
                        f[a] -= T::one();
                    }
                }
            }
            self.anchors.push((cell, f));
            domain.wrap_cell(&mut cell);
            cells.push(cell);
        }
        let sorted = Layout::sort(&cells, kernel);
        (self.order, self.places) = (sorted.order, sorted.places);
        let chunk = |c: usize| {
            std::array::from_fn(|a| {
                std::array::from_fn(|l| self.anchors[self.order[c * ALIGN + l] as usize].1[a])
            })
        };
        self.f = (0..self.order.len() / ALIGN).map(chunk).collect();
        Ok(sorted.layout)
    }
    /// Brings the link up to date with the layer.
    pub fn refresh<K: Kernel>(
        &mut self,
        domain: &Domain<D>,
        layer: &Layer<T, D>,
        layout: &Layout<D>,
    ) {
        self.link
            .refresh::<T, K>(domain, layer, layout, &self.places);
    }
    /// The vertices of a range with where their stencils start in its tile.
    pub fn members<'a, K: Kernel>(
        &'a self,
        r: &Range<D>,
    ) -> impl Iterator<Item = (usize, usize)> + 'a {
        let slots = r.start..r.end;
        slots.map(|s| {
            (
                self.order[s] as usize,
                stencil_start::<K, D>(self.places[s]),
            )
        })
    }
    /// Every vertex adds w (q + a (x_i − x_p)/dx) to its nodes; `give` says what q and a are.
    pub fn give<K: Kernel>(
        &self,
        layout: &Layout<D>,
        nodes: &mut [Node<T>],
        give: &(impl Fn(usize) -> (Node<T>, Matrix<T, D>) + Sync),
    ) {
        let fill = |range: usize, tile: &mut [Node<T>], (): &mut ()| {
            let r = &layout.ranges[range];
            Level::in_use().dispatch_narrow(Give::<T, K, _, D> {
                through: self,
                range: r,
                tile,
                give,
                kernel: Default::default(),
            });
        };
        self.link.add_tiles::<T, K, _>(nodes, &self.rooms, &fill);
    }
    /// The same by tiles that `fill` makes.
    pub fn add_tiles<K: Kernel>(
        &self,
        nodes: &mut [Node<T>],
        fill: &(impl Fn(usize, &mut [Node<T>]) + Sync),
    ) {
        let fill = |range: usize, tile: &mut [Node<T>], (): &mut ()| fill(range, tile);
        self.link.add_tiles::<T, K, _>(nodes, &self.rooms, &fill);
    }
    /// What every vertex takes from the nodes.
    pub fn take<K: Kernel>(
        &self,
        layout: &Layout<D>,
        nodes: &[Node<T>],
        dx: f64,
    ) -> Vec<Taken<T, D>> {
        let none = Taken {
            v: Vector::zero(),
            C: Matrix::zero(),
        };
        let mut slots = vec![none; self.order.len()];
        let work = |range: usize, r: &Range<D>, to: &mut [Taken<T, D>], tile: &mut Vec<Node<T>>| {
            tile.resize(K::tile_size(D), [T::zero(); 4]);
            self.link.load_tile::<T, K>(range, nodes, tile);
            Level::in_use().dispatch_narrow(Take::<T, K, D> {
                through: self,
                range: r,
                tile,
                to,
                dx,
                kernel: Default::default(),
            });
        };
        fold_blocks(
            &layout.ranges,
            slots.as_mut_slice(),
            &self.tiles,
            &work,
            &|(), ()| (),
        );
        let mut all = vec![none; self.anchors.len()];
        for s in layout.slots() {
            all[self.order[s] as usize] = slots[s];
        }
        all
    }
    /// Slots of one register: where their stencils start, and their offsets.
    #[inline(always)]
    fn register<K: Kernel, S: Simd>(
        &self,
        s: S,
        first: usize,
    ) -> ([usize; LANES], Vector<Pack<T, S>, D>) {
        let mut starts = [0; LANES];
        for (start, p) in starts.iter_mut().zip(&self.places[first..]) {
            *start = stencil_start::<K, D>(*p);
        }
        let (chunk, lane) = (first / ALIGN, first % ALIGN);
        let f = Vector::from_fn(
            #[inline(always)]
            |a| Pack::load(s, &self.f[chunk][a][lane..]),
        );
        (starts, f)
    }
}

/// The vertices of one block to its tile.
struct Give<'a, T, K, G, const D: usize> {
    through: &'a Through<T, D>,
    range: &'a Range<D>,
    tile: &'a mut [Node<T>],
    give: &'a G,
    kernel: std::marker::PhantomData<K>,
}

impl<T: Real, K: Kernel, G: Fn(usize) -> (Node<T>, Matrix<T, D>), const D: usize> Task
    for Give<'_, T, K, G, D>
{
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let mut room = Room::new();
        let (count, r) = (Pack::<T, S>::COUNT, self.range);
        for first in (r.start..r.end).step_by(count) {
            let (starts, f) = self.through.register::<K, S>(s, first);
            let (mut q, mut a) = ([[T::zero(); LANES]; 4], [[[T::zero(); LANES]; D]; D]);
            for l in 0..count {
                let (own, affine) = (self.give)(self.through.order[first + l] as usize);
                for k in 0..4 {
                    q[k][l] = own[k];
                }
                for i in 0..D {
                    for j in 0..D {
                        a[i][j][l] = affine[(i, j)];
                    }
                }
            }
            let q = [0, 1, 2, 3].map(
                #[inline(always)]
                |k| Pack::load(s, &q[k]),
            );
            let a = Matrix::from_fn(
                #[inline(always)]
                |i, j| Pack::load(s, &a[i][j]),
            );
            let starts = &starts[..count.min(r.end - first)];
            scatter::<T, K, S, D>(s, &mut room, self.tile, starts, &f, &q, &a);
        }
    }
}

/// The vertices of one block from its tile.
struct Take<'a, T, K, const D: usize> {
    through: &'a Through<T, D>,
    range: &'a Range<D>,
    tile: &'a [Node<T>],
    to: &'a mut [Taken<T, D>],
    dx: f64,
    kernel: std::marker::PhantomData<K>,
}

impl<T: Real, K: Kernel, const D: usize> Task for Take<'_, T, K, D> {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        let mut room = Room::new();
        let (count, r) = (Pack::<T, S>::COUNT, self.range);
        let to_affine = Pack::<T, S>::splat(s, T::of(K::D_INV.unwrap_or(1.0) / self.dx));
        for first in (r.start..r.end).step_by(count) {
            let (starts, f) = self.through.register::<K, S>(s, first);
            let n = count.min(r.end - first);
            let (v, M) = gather::<T, K, S, D>(s, &mut room, self.tile, &starts[..n], &f);
            let C = M * to_affine;
            for l in 0..n {
                self.to[first - r.start + l] = Taken {
                    v: Vector::from_fn(|a| v[a].at(l)),
                    C: Matrix::from_fn(|a, b| C[(a, b)].at(l)),
                };
            }
        }
    }
}
