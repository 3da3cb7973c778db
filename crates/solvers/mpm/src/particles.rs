//! The columns of a set of particles that do not depend on the law.

use thixo_grid::{Cubic, Domain, Kernel, KernelKind, Layout, Linear, Quadratic};
use thixo_math::{Matrix, Real, Vector};

use crate::Seed;

/// Columns: position as integer anchor and offset from it in cells, so that `f32` stays exact far
/// from the origin; velocity; velocity gradient; mass; rest volume; lasting number.
#[derive(Clone, Debug, Default)]
pub(crate) struct Particles<T, const D: usize> {
    pub cell: Vec<[i32; D]>,
    pub f: Vec<Vector<T, D>>,
    pub v: Vec<Vector<T, D>>,
    /// C = B D⁻¹; for the multilinear kernel B/dx.
    pub C: Vec<Matrix<T, D>>,
    /// ∇v where it is not C: classical force, multilinear kernel, or C with a share of FLIP; else empty.
    pub L: Vec<Matrix<T, D>>,
    pub m: Vec<T>,
    pub V0: Vec<T>,
    pub id: Vec<u64>,
    stores_gradient: bool,
}

/// The columns that a step changes, after the step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Moved<T, const D: usize> {
    pub cell: Vec<[i32; D]>,
    pub f: Vec<Vector<T, D>>,
    pub v: Vec<Vector<T, D>>,
    pub C: Vec<Matrix<T, D>>,
    pub L: Vec<Matrix<T, D>>,
}

impl<T: Real, const D: usize> Moved<T, D> {
    /// Makes room for `n` particles.
    pub fn resize(&mut self, n: usize, gradient: bool) {
        self.cell.resize(n, [0; D]);
        self.f.resize(n, Vector::zero());
        self.v.resize(n, Vector::zero());
        self.C.resize(n, Matrix::zero());
        self.L.resize(if gradient { n } else { 0 }, Matrix::zero());
    }
}

impl<T: Real, const D: usize> Particles<T, D> {
    pub fn new(stores_gradient: bool) -> Self {
        Self {
            stores_gradient,
            ..Self::default()
        }
    }
    pub fn len(&self) -> usize {
        self.cell.len()
    }
    pub fn stores_gradient(&self) -> bool {
        self.stores_gradient
    }
    /// ∇v at the particles.
    pub fn gradient(&self) -> &[Matrix<T, D>] {
        if self.stores_gradient {
            &self.L
        } else {
            &self.C
        }
    }
    /// Appends a particle, or says what is wrong with it.
    pub fn push(
        &mut self,
        domain: &Domain<D>,
        kernel: KernelKind,
        id: u64,
        seed: &Seed<D>,
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
        self.cell.push(cell);
        self.f.push(f);
        self.v.push(Vector::of(&seed.v));
        // The multilinear kernel keeps B/dx, which a gradient does not fix alone: D_p depends on f.
        let C = match kernel {
            KernelKind::Linear => {
                Matrix::from_fn(|i, j| T::of(seed.C[(i, j)] * domain.dx) * f[j] * (T::one() - f[j]))
            }
            _ => Matrix::of(&seed.C),
        };
        self.C.push(C);
        if self.stores_gradient {
            self.L.push(Matrix::of(&seed.C));
        }
        self.m.push(T::of(seed.mass));
        self.V0.push(T::of(seed.volume));
        self.id.push(id);
        Ok(())
    }
    /// Puts every column into a new order, which may leave particles out.
    pub fn permute(&mut self, order: &[u32]) {
        fn put<X: Copy + Send + Sync>(order: &[u32], column: &mut Vec<X>) {
            let mut out = Vec::new();
            Layout::<2>::permute(order, column, &mut out);
            *column = out;
        }
        put(order, &mut self.cell);
        put(order, &mut self.f);
        put(order, &mut self.v);
        put(order, &mut self.C);
        put(order, &mut self.L);
        put(order, &mut self.m);
        put(order, &mut self.V0);
        put(order, &mut self.id);
    }
    /// Exchanges the moved columns for the present ones.
    pub fn take(&mut self, next: &mut Moved<T, D>) {
        std::mem::swap(&mut self.cell, &mut next.cell);
        std::mem::swap(&mut self.f, &mut next.f);
        std::mem::swap(&mut self.v, &mut next.v);
        std::mem::swap(&mut self.C, &mut next.C);
        std::mem::swap(&mut self.L, &mut next.L);
    }
}

/// Moves whole cells from the offset to the anchor, so that the offset is the kernel's.
#[inline(always)]
pub(crate) fn anchor<T: Real, K: Kernel, const D: usize>(
    cell: &mut [i32; D],
    f: &mut Vector<T, D>,
) {
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
