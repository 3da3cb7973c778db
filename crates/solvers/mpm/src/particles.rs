//! What is known of a set of particles.

use rayon::prelude::*;
use thixo_grid::{ALIGN, Cubic, Domain, Kernel, KernelKind, Layout, Linear, Place, Quadratic};
use thixo_math::{Matrix, Real, Vector};

use crate::Seed;
use crate::lines::{Gradient, Line, Lines, Motion, Square, Vectors};
use crate::matter::NUMBERS;

/// What a step changes. Position is an integer anchor and an offset from it in cells, so that `f32` stays
/// exact far from the origin; the anchor is kept relative to the block of the layout.
#[derive(Clone, Debug)]
pub(crate) struct Moved<T, const D: usize> {
    pub place: Vec<Place>,
    /// Offset from the anchor, in cells.
    pub f: Vec<Vectors<T, D>>,
    pub motion: Vec<Motion<T, D>>,
    /// ∇v where it is not C: classical force, multilinear kernel, or C with a share of FLIP; else empty.
    pub L: Vec<Square<T, D>>,
    /// Deformation gradient, of a shapeless law its first entry alone; then the numbers of the law's state.
    pub shape: Lines<T>,
}

/// All of it: besides what a step changes mass, rest volume and lasting number. Particles are in slots, see
/// [`Layout`], or [`Loose`] while there is none.
#[derive(Clone, Debug)]
pub(crate) struct Particles<T, const D: usize> {
    pub now: Moved<T, D>,
    /// Mass and rest volume.
    pub body: Vec<[Line<T>; 2]>,
    pub id: Vec<u64>,
    loose: Option<Loose<D>>,
    count: usize,
    kind: Kind,
}

/// Particles of which there is no layout, in order.
#[derive(Clone, Debug, Default)]
struct Loose<const D: usize> {
    /// Their anchors, which are relative to nothing.
    cells: Vec<[i32; D]>,
    /// Their slots, if they are not the first ones: those of an old layout, and new ones behind.
    slots: Option<Vec<u32>>,
}

/// Which columns there are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kind {
    /// Whether ∇v is kept besides C.
    pub gradient: bool,
    /// Whether one entry of F is all of it.
    pub shapeless: bool,
    /// How many numbers the state has.
    pub numbers: usize,
}

impl Kind {
    /// How many entries of F are kept.
    fn entries(self, dimension: usize) -> usize {
        if self.shapeless { 1 } else { dimension.pow(2) }
    }
}

/// A particle, all of it but the anchor.
#[derive(Clone, Debug)]
pub(crate) struct One<T, const D: usize> {
    pub f: Vector<T, D>,
    pub v: Vector<T, D>,
    pub C: Matrix<T, D>,
    /// ∇v; taken if it is kept apart.
    pub L: Matrix<T, D>,
    pub F: Matrix<T, D>,
    pub a: [T; NUMBERS],
    pub m: T,
    pub V0: T,
    pub id: u64,
}

impl<T: Real, const D: usize> Moved<T, D> {
    pub fn new(kind: Kind) -> Self {
        Self {
            place: Vec::new(),
            f: Vec::new(),
            motion: Vec::new(),
            L: Vec::new(),
            shape: Lines::new(kind.entries(D) + kind.numbers),
        }
    }
    /// Makes room for `n` slots.
    pub fn resize(&mut self, n: usize, kind: Kind) {
        let chunks = n.div_ceil(ALIGN);
        self.place.resize(n, 0);
        let none = Motion::none();
        self.f.resize(chunks, none.v);
        self.motion.resize(chunks, none);
        let gradients = if kind.gradient { chunks } else { 0 };
        self.L.resize(gradients, none.C);
        self.shape.resize(n);
    }
    /// Deformation gradient and state of the particle in slot `i`.
    pub fn shape(&self, kind: Kind, i: usize) -> (Matrix<T, D>, [T; NUMBERS]) {
        let F = match kind.shapeless {
            true => Matrix::scalar(self.shape.get(0, i)),
            false => Matrix::from_fn(|a, b| self.shape.get(a * D + b, i)),
        };
        let entries = kind.entries(D);
        let a = std::array::from_fn(|k| match k < kind.numbers {
            true => self.shape.get(entries + k, i),
            false => T::zero(),
        });
        (F, a)
    }
    /// Velocity of the particle in slot `i`.
    pub fn v(&self, i: usize) -> Vector<T, D> {
        vector(&self.motion[i / ALIGN].v, i % ALIGN)
    }
}

/// The vector in a lane.
pub(crate) fn vector<T: Real, const D: usize>(lines: &Vectors<T, D>, lane: usize) -> Vector<T, D> {
    Vector::from_fn(|a| lines[a][lane])
}
/// The matrix in a lane.
fn matrix<T: Real, const D: usize>(lines: &Square<T, D>, lane: usize) -> Matrix<T, D> {
    Matrix::from_fn(|a, b| lines[a][b][lane])
}
/// Puts a vector into a lane.
pub(crate) fn put_vector<T: Real, const D: usize>(
    x: &Vector<T, D>,
    lines: &mut Vectors<T, D>,
    lane: usize,
) {
    for a in 0..D {
        lines[a][lane] = x[a];
    }
}
/// Puts a matrix into a lane.
fn put_matrix<T: Real, const D: usize>(x: &Matrix<T, D>, lines: &mut Square<T, D>, lane: usize) {
    for a in 0..D {
        for b in 0..D {
            lines[a][b][lane] = x[(a, b)];
        }
    }
}

impl<T: Real, const D: usize> Particles<T, D> {
    pub fn new(kind: Kind) -> Self {
        Self {
            now: Moved::new(kind),
            body: Vec::new(),
            id: Vec::new(),
            loose: Some(Loose::default()),
            count: 0,
            kind,
        }
    }
    /// Number of particles.
    pub fn len(&self) -> usize {
        self.count
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
    /// Number of slots.
    pub fn slots(&self) -> usize {
        self.id.len()
    }
    /// The slots of all particles, in order.
    pub fn each(&self, layout: &Layout<D>) -> Vec<u32> {
        match &self.loose {
            Some(Loose { slots: None, .. }) => (0..self.count as u32).collect(),
            Some(Loose { slots: Some(s), .. }) => s.clone(),
            None => layout.slots().map(|i| i as u32).collect(),
        }
    }
    pub fn kind(&self) -> Kind {
        self.kind
    }
    /// ∇v at the particles from slot `start` on.
    pub fn gradient(&self, start: usize) -> Gradient<'_, T, D> {
        match self.kind.gradient {
            true => Gradient::Apart(&self.now.L[start / ALIGN..]),
            false => Gradient::Affine(&self.now.motion[start / ALIGN..]),
        }
    }
    /// Offset of the particle in slot `i` from its anchor.
    pub fn f(&self, i: usize) -> Vector<T, D> {
        vector(&self.now.f[i / ALIGN], i % ALIGN)
    }
    /// Velocity of the particle in slot `i`.
    pub fn v(&self, i: usize) -> Vector<T, D> {
        self.now.v(i)
    }
    /// C of the particle in slot `i`.
    pub fn C(&self, i: usize) -> Matrix<T, D> {
        matrix(&self.now.motion[i / ALIGN].C, i % ALIGN)
    }
    /// ∇v of the particle in slot `i`.
    pub fn L(&self, i: usize) -> Matrix<T, D> {
        matrix(self.gradient(i).at(0), i % ALIGN)
    }
    /// Mass of the particle in slot `i`.
    pub fn m(&self, i: usize) -> T {
        self.body[i / ALIGN][0][i % ALIGN]
    }
    /// Rest volume of the particle in slot `i`.
    pub fn V0(&self, i: usize) -> T {
        self.body[i / ALIGN][1][i % ALIGN]
    }
    /// Deformation gradient and state of the particle in slot `i`.
    pub fn shape(&self, i: usize) -> (Matrix<T, D>, [T; NUMBERS]) {
        self.now.shape(self.kind, i)
    }
    /// The anchor of every particle, in order.
    pub fn cells(&self, layout: &Layout<D>) -> Vec<[i32; D]> {
        if let Some(loose) = &self.loose {
            return loose.cells.clone();
        }
        let places = &self.now.place;
        let ranges = layout.ranges.par_iter();
        let all = ranges.flat_map_iter(|r| places[r.start..r.end].iter().map(|p| r.cell(*p)));
        all.collect()
    }
    /// Forgets the layout, so that particles can be appended.
    pub fn loosen(&mut self, layout: &Layout<D>) {
        if self.loose.is_none() {
            let (cells, slots) = (self.cells(layout), Some(self.each(layout)));
            self.loose = Some(Loose { cells, slots });
        }
    }
    /// Keeps the particles in the slots that `order` names, and no layout of them.
    pub fn select(&mut self, order: &[u32], cells: Vec<[i32; D]>, spare: &mut Moved<T, D>) {
        self.permute(order, spare);
        self.loose = Some(Loose { cells, slots: None });
    }
    /// Sorts particles; what is left is their layout. What is in `spare` is room that is taken and given. The
    /// slots that they come from are returned.
    pub fn sort(
        &mut self,
        layout: &mut Layout<D>,
        domain: &Domain<D>,
        kernel: KernelKind,
        spare: &mut Moved<T, D>,
    ) -> Vec<u32> {
        let mut sorted = match self.loose.take() {
            None => layout.again(&self.now.place, domain, kernel),
            Some(mut loose) => {
                loose.cells.iter_mut().for_each(|c| domain.wrap_cell(c));
                let mut sorted = Layout::sort(&loose.cells, kernel);
                if let Some(slots) = loose.slots {
                    let order = sorted.order.par_iter_mut();
                    order.for_each(|i| *i = slots[*i as usize]);
                }
                sorted
            }
        };
        self.fasten(&sorted.order, std::mem::take(&mut sorted.places), spare);
        (self.count, *layout) = (sorted.layout.len(), sorted.layout);
        sorted.order
    }
    /// Puts loose particles, which are in their first slots, into those of a layout that holds them.
    pub fn settle(&mut self, layout: &Layout<D>, spare: &mut Moved<T, D>) {
        let loose = self.loose.take().unwrap_or_default();
        let order = layout.order();
        let places = layout.places(&order, &loose.cells);
        self.fasten(&order, places, spare);
        self.count = layout.len();
    }
    fn fasten(&mut self, order: &[u32], places: Vec<Place>, spare: &mut Moved<T, D>) {
        self.permute(order, spare);
        self.now.place = places;
    }
    /// The anchor of a particle to be and the rest of it, or what is wrong with it.
    pub fn sprout(
        &self,
        domain: &Domain<D>,
        kernel: KernelKind,
        id: u64,
        seed: &Seed<D>,
        start: &[T],
    ) -> Result<([i32; D], One<T, D>), String> {
        let positive = |x: f64| x > 0.0 && x.is_finite() && T::of(x) > T::zero();
        if !positive(seed.mass) {
            return Err(format!("mass {} kg must be positive", seed.mass));
        }
        if !positive(seed.volume) {
            return Err(format!("volume {} m³ must be positive", seed.volume));
        }
        if !(seed.v.finite() && seed.C.finite() && seed.F.finite()) {
            return Err("velocity and deformation must be finite".into());
        }
        let Some((mut cell, mut f)) = domain.locate(&seed.x) else {
            return Err(format!("position {:?} m cannot be addressed", seed.x.0));
        };
        match kernel {
            KernelKind::Linear => anchor::<T, Linear, D>(&mut cell, &mut f),
            KernelKind::Quadratic => anchor::<T, Quadratic, D>(&mut cell, &mut f),
            KernelKind::Cubic => anchor::<T, Cubic, D>(&mut cell, &mut f),
        }
        domain.wrap_cell(&mut cell);
        // The multilinear kernel keeps B/dx, which a gradient does not fix alone: D_p depends on f.
        let C = match kernel {
            KernelKind::Linear => {
                Matrix::from_fn(|i, j| T::of(seed.C[(i, j)] * domain.dx) * f[j] * (T::one() - f[j]))
            }
            _ => Matrix::of(&seed.C),
        };
        // A shapeless law knows of F the volume alone.
        let F = match self.kind.shapeless {
            true => Matrix::scalar(T::of(seed.F.det().powf(1.0 / D as f64))),
            false => Matrix::of(&seed.F),
        };
        let one = One {
            f,
            v: Vector::of(&seed.v),
            C,
            L: Matrix::of(&seed.C),
            F,
            a: std::array::from_fn(|k| start.get(k).copied().unwrap_or(T::zero())),
            m: T::of(seed.mass),
            V0: T::of(seed.volume),
            id,
        };
        Ok((cell, one))
    }
    /// Takes in latecomers of a layout that has grown by `count`: what is in the slots from `first` on.
    pub fn arrive<'a>(
        &mut self,
        first: usize,
        count: usize,
        places: &[Place],
        new: impl Iterator<Item = &'a One<T, D>>,
    ) {
        let slots = first + places.len();
        self.now.resize(slots, self.kind);
        self.body.resize(slots / ALIGN, [[T::zero(); ALIGN]; 2]);
        self.id.resize(slots, 0);
        self.count += count;
        self.now.place[first..].copy_from_slice(places);
        for (i, one) in (first..).zip(new) {
            self.id[i] = one.id;
            self.put(i, one);
        }
    }
    /// Appends a particle to loose ones.
    pub fn append(&mut self, cell: [i32; D], one: &One<T, D>) {
        let i = self.id.len();
        self.count += 1;
        let loose = self.loose.get_or_insert_default();
        loose.cells.push(cell);
        if let Some(slots) = &mut loose.slots {
            slots.push(i as u32);
        }
        if i.is_multiple_of(ALIGN) {
            self.now.resize(i + ALIGN, self.kind);
            self.body.resize(i / ALIGN + 1, [[T::zero(); ALIGN]; 2]);
        }
        self.id.push(one.id);
        self.put(i, one);
    }
    /// Puts a particle into slot `i`.
    fn put(&mut self, i: usize, one: &One<T, D>) {
        let (chunk, lane, entries) = (i / ALIGN, i % ALIGN, self.kind.entries(D));
        put_vector(&one.f, &mut self.now.f[chunk], lane);
        let motion = &mut self.now.motion[chunk];
        put_vector(&one.v, &mut motion.v, lane);
        put_matrix(&one.C, &mut motion.C, lane);
        if let Some(L) = self.now.L.get_mut(chunk) {
            put_matrix(&one.L, L, lane);
        }
        let F = one.F.0.as_flattened().iter().take(entries);
        for (k, x) in F.chain(one.a.iter().take(self.kind.numbers)).enumerate() {
            self.now.shape.set(k, i, *x);
        }
        self.body[chunk][0][lane] = one.m;
        self.body[chunk][1][lane] = one.V0;
    }
    /// Mass and rest volume of every particle, by its number in order, are told anew.
    pub fn reweigh(&mut self, layout: &Layout<D>, body: impl Fn(usize, T, T) -> (T, T)) {
        let numbers: Vec<(u32, u32)> = match self.loose {
            Some(_) => self.each(layout).into_iter().zip(0..).collect(),
            None => (0..).zip(layout.order()).collect(),
        };
        for (i, k) in numbers {
            let (chunk, lane) = (i as usize / ALIGN, i as usize % ALIGN);
            let [m, V0] = &mut self.body[chunk];
            (m[lane], V0[lane]) = body(k as usize, m[lane], V0[lane]);
        }
    }
    /// Takes into each slot what is in the slot that `order` names. The columns of `spare` are room that is
    /// taken and given.
    pub fn permute(&mut self, order: &[u32], spare: &mut Moved<T, D>) {
        let (n, kind) = (order.len(), self.kind);
        spare.resize(n, kind);
        let from = &self.now;
        let chunks = order.par_chunks(ALIGN);
        chunks
            .clone()
            .zip(&mut spare.f)
            .for_each(|(order, to)| take_all(order, &from.f, to, |f| f));
        chunks
            .clone()
            .zip(&mut spare.motion)
            .for_each(|(order, to)| {
                take_all(order, &from.motion, &mut to.v, |m| &m.v);
                take_all(order, &from.motion, to.C.as_flattened_mut(), |m| {
                    m.C.as_flattened()
                });
            });
        chunks.clone().zip(&mut spare.L).for_each(|(order, to)| {
            take_all(order, &from.L, to.as_flattened_mut(), |s| s.as_flattened())
        });
        from.shape.permute(order, &mut spare.shape);
        std::mem::swap(&mut self.now, spare);
        let body = chunks.map(|order| {
            let mut to = [[T::zero(); ALIGN]; 2];
            take_all(order, &self.body, &mut to, |b| b.as_slice());
            to
        });
        self.body = body.collect();
        self.id = order.par_iter().map(|&i| self.id[i as usize]).collect();
        self.count = n;
    }
}

/// The lines of one chunk from those that the slots are in.
#[inline(always)]
fn take_all<T: Copy, X>(
    order: &[u32],
    from: &[X],
    to: &mut [Line<T>],
    lines: impl Fn(&X) -> &[Line<T>],
) {
    for (lane, &i) in order.iter().enumerate() {
        let from = lines(&from[i as usize / ALIGN]);
        for (to, from) in to.iter_mut().zip(from) {
            to[lane] = from[i as usize % ALIGN];
        }
    }
}

/// Moves whole cells from the offset to the anchor, so that the offset is the kernel's.
fn anchor<T: Real, K: Kernel, const D: usize>(cell: &mut [i32; D], f: &mut Vector<T, D>) {
    let low = if K::NEAREST { T::of(-0.5) } else { T::zero() };
    for a in 0..D {
        let n = (f[a] - low).floor();
        let mut rest = f[a] - n;
        let mut step = n.to_i32();
        if rest >= low + T::one() {
            // A tiny negative offset plus one rounds to one.
            rest = low;
            step = step.saturating_add(1);
        }
        cell[a] = cell[a].saturating_add(step);
        f[a] = rest;
    }
}
