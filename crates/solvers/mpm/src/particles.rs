//! The columns of a set of particles.

use thixo_grid::{Cubic, Domain, Kernel, KernelKind, Layout, Linear, Place, Quadratic, Range};
use thixo_math::{Matrix, Real, Vector};

use crate::Seed;
use crate::columns::{Matrices, PAD, Vectors, matrix, no_matrices, none, permute, vector};
use crate::matter::NUMBERS;

/// The columns that a step changes. Position is an integer anchor and an offset from it in cells, so that
/// `f32` stays exact far from the origin; the anchor is kept relative to the block of the layout.
#[derive(Clone, Debug)]
pub(crate) struct Moved<T, const D: usize> {
    pub place: Vec<Place>,
    pub f: Vectors<T, D>,
    pub v: Vectors<T, D>,
    /// C = B D⁻¹; for the multilinear kernel B/dx.
    pub C: Matrices<T, D>,
    /// ∇v where it is not C: classical force, multilinear kernel, or C with a share of FLIP; else empty.
    pub L: Matrices<T, D>,
    /// Deformation gradient; of a shapeless law its first entry alone.
    pub F: Matrices<T, D>,
    /// Numbers of the law's state.
    pub a: [Vec<T>; NUMBERS],
}

/// All columns: besides what a step changes mass, rest volume and lasting number.
#[derive(Clone, Debug)]
pub(crate) struct Particles<T, const D: usize> {
    pub now: Moved<T, D>,
    pub m: Vec<T>,
    pub V0: Vec<T>,
    pub id: Vec<u64>,
    /// The anchors themselves, while there is no layout that they could be relative to.
    loose: Option<Vec<[i32; D]>>,
    kind: Kind,
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

impl<T: Real, const D: usize> Moved<T, D> {
    pub fn new() -> Self {
        Self {
            place: Vec::new(),
            f: none(),
            v: none(),
            C: no_matrices(),
            L: no_matrices(),
            F: no_matrices(),
            a: none(),
        }
    }
    /// Every column of numbers that is there.
    fn numbers(&mut self, kind: Kind) -> impl Iterator<Item = &mut Vec<T>> {
        let Self {
            f, v, C, L, F, a, ..
        } = self;
        let gradients = if kind.gradient { D * D } else { 0 };
        let entries = if kind.shapeless { 1 } else { D * D };
        let L = L.as_flattened_mut().iter_mut().take(gradients);
        let F = F.as_flattened_mut().iter_mut().take(entries);
        let (C, a) = (C.as_flattened_mut().iter_mut(), a.iter_mut());
        let all = f.iter_mut().chain(v).chain(C).chain(L).chain(F);
        all.chain(a.take(kind.numbers))
    }
    /// Makes room for `n` particles, and for a register more.
    pub fn resize(&mut self, n: usize, kind: Kind) {
        self.place.resize(n, 0);
        for column in self.numbers(kind) {
            column.resize(n + PAD, T::zero());
        }
    }
}

impl<T: Real, const D: usize> Particles<T, D> {
    pub fn new(kind: Kind) -> Self {
        Self {
            now: Moved::new(),
            m: Vec::new(),
            V0: Vec::new(),
            id: Vec::new(),
            loose: Some(Vec::new()),
            kind,
        }
    }
    pub fn len(&self) -> usize {
        self.id.len()
    }
    pub fn kind(&self) -> Kind {
        self.kind
    }
    /// ∇v at the particles.
    pub fn gradient(&self) -> &Matrices<T, D> {
        self.now.gradient(self.kind)
    }
    /// Offset of particle `i` from its anchor.
    pub fn f(&self, i: usize) -> Vector<T, D> {
        vector(&self.now.f, i)
    }
    /// Velocity of particle `i`.
    pub fn v(&self, i: usize) -> Vector<T, D> {
        vector(&self.now.v, i)
    }
    /// C of particle `i`.
    pub fn C(&self, i: usize) -> Matrix<T, D> {
        matrix(&self.now.C, i)
    }
    /// Deformation gradient and state of particle `i`.
    pub fn shape(&self, i: usize) -> (Matrix<T, D>, [T; NUMBERS]) {
        self.now.shape(self.kind, i)
    }
    /// Every anchor.
    pub fn cells(&self, layout: &Layout<D>) -> Vec<[i32; D]> {
        if let Some(loose) = &self.loose {
            return loose.clone();
        }
        let mut all = Vec::with_capacity(self.len());
        for r in &layout.ranges {
            all.extend(self.now.place[r.start..r.end].iter().map(|p| r.cell(*p)));
        }
        all
    }
    /// Anchors become those: there is no layout any more, and columns can grow.
    pub fn loosen(&mut self, cells: Vec<[i32; D]>) {
        self.loose = Some(cells);
        self.set_len(self.len());
    }
    /// Gives every column the length that it must have, after some have been made anew.
    pub fn fit(&mut self) {
        let pad = if self.loose.is_none() { PAD } else { 0 };
        self.set_len(self.len() + pad);
    }
    fn set_len(&mut self, n: usize) {
        let kind = self.kind;
        let all = self.now.numbers(kind).chain([&mut self.m, &mut self.V0]);
        all.for_each(|column| column.resize(n, T::zero()));
    }
    /// Anchors become relative to the blocks of the layout, which must hold them.
    pub fn fasten(&mut self, layout: &Layout<D>, cells: &[[i32; D]]) {
        self.loose = None;
        self.set_len(self.len() + PAD);
        self.now.place.clear();
        for r in &layout.ranges {
            let place = |c: &[i32; D]| r.place(c);
            self.now
                .place
                .extend(cells[r.start..r.end].iter().map(place));
        }
    }
    /// Appends a particle to loose ones, or says what is wrong with it.
    pub fn push(
        &mut self,
        domain: &Domain<D>,
        kernel: KernelKind,
        id: u64,
        seed: &Seed<D>,
        start: &[T],
    ) -> Result<(), String> {
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
        self.loose.get_or_insert_default().push(cell);
        // The multilinear kernel keeps B/dx, which a gradient does not fix alone: D_p depends on f.
        let C = match kernel {
            KernelKind::Linear => {
                Matrix::from_fn(|i, j| T::of(seed.C[(i, j)] * domain.dx) * f[j] * (T::one() - f[j]))
            }
            _ => Matrix::of(&seed.C),
        };
        let (v, L) = (Vector::<T, D>::of(&seed.v), Matrix::<T, D>::of(&seed.C));
        // A shapeless law knows of F the volume alone.
        let F = match self.kind.shapeless {
            true => Matrix::scalar(T::of(seed.F.det().powf(1.0 / D as f64))),
            false => Matrix::<T, D>::of(&seed.F),
        };
        let flat = |m: Matrix<T, D>, n: usize| m.0.into_iter().flatten().take(n);
        let entries = if self.kind.shapeless { 1 } else { D * D };
        let gradients = if self.kind.gradient { D * D } else { 0 };
        let all = f.0.into_iter().chain(v.0);
        let all = all.chain(flat(C, D * D)).chain(flat(L, gradients));
        let all = all.chain(flat(F, entries)).chain(start.iter().copied());
        for (column, x) in self.now.numbers(self.kind).zip(all) {
            column.push(x);
        }
        self.m.push(T::of(seed.mass));
        self.V0.push(T::of(seed.volume));
        self.id.push(id);
        Ok(())
    }
    /// Puts every column but the anchors into a new order, which may leave particles out. The columns of
    /// `spare` are room that is taken and given.
    pub fn permute(&mut self, order: &[u32], spare: &mut Moved<T, D>) {
        let kind = self.kind;
        for (column, spare) in self.now.numbers(kind).zip(spare.numbers(kind)) {
            permute(order, column, spare);
        }
        permute(order, &mut self.m, &mut spare.f[0]);
        permute(order, &mut self.V0, &mut spare.f[0]);
        permute(order, &mut self.id, &mut Vec::new());
    }
}

impl<T: Real, const D: usize> Moved<T, D> {
    /// Deformation gradient and state of particle `i`.
    pub fn shape(&self, kind: Kind, i: usize) -> (Matrix<T, D>, [T; NUMBERS]) {
        let F = match kind.shapeless {
            true => Matrix::scalar(self.F[0][0][i]),
            false => matrix(&self.F, i),
        };
        let number = |k: usize| self.a[k].get(i).copied();
        let a = std::array::from_fn(|k| number(k).unwrap_or(T::zero()));
        (F, a)
    }
    /// ∇v at the particles.
    pub fn gradient(&self, kind: Kind) -> &Matrices<T, D> {
        if kind.gradient { &self.L } else { &self.C }
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

/// The part of padded columns that belongs to one block, and a register more.
pub(crate) fn part<'a, X, const D: usize, const N: usize>(
    columns: &'a [Vec<X>; N],
    r: &Range<D>,
) -> [&'a [X]; N] {
    std::array::from_fn(|a| {
        let c = columns[a].as_slice();
        c.get(r.start..r.end + PAD).unwrap_or(&[])
    })
}
/// The part of padded columns that belongs to one block, and a register more.
pub(crate) fn matrix_part<'a, X, const D: usize>(
    columns: &'a Matrices<X, D>,
    r: &Range<D>,
) -> [[&'a [X]; D]; D] {
    std::array::from_fn(|a| part(&columns[a], r))
}
/// The part of columns that belongs to one block, and no more.
pub(crate) fn own<'a, X, const D: usize, const N: usize>(
    columns: &'a [Vec<X>; N],
    r: &Range<D>,
) -> [&'a [X]; N] {
    std::array::from_fn(|a| &columns[a][r.start..r.end])
}
