//! A square matrix of `D × D` numbers, row by row.

use std::ops::{Add, AddAssign, Div, Index, IndexMut, Mul, Neg, Sub, SubAssign};

use crate::{Lane, Real, Vector};

/// A square matrix; `self[(i, j)]` is row `i`, column `j`.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
pub struct Matrix<T, const D: usize>(pub [[T; D]; D]);

impl<T: Lane, const D: usize> Matrix<T, D> {
    /// Entry by entry, (row, column).
    #[inline(always)]
    pub fn from_fn(mut f: impl FnMut(usize, usize) -> T) -> Self {
        // Not by `std::array::from_fn`, which is not always inlined, nor by a loop, which is not always
        // unrolled: registers would go by memory.
        let mut a = [[f(0, 0); D]; D];
        if D > 1 {
            a[0][1] = f(0, 1);
        }
        if D == 3 {
            a[0][2] = f(0, 2);
        }
        if D > 1 {
            a[1][0] = f(1, 0);
            a[1][1] = f(1, 1);
        }
        if D == 3 {
            a[1][2] = f(1, 2);
            a[2][0] = f(2, 0);
            a[2][1] = f(2, 1);
            a[2][2] = f(2, 2);
        }
        Self(a)
    }
    /// `s` on the diagonal.
    #[inline(always)]
    pub fn scalar(s: T) -> Self {
        let zero = s.fill(0.0);
        Self::from_fn(|i, j| if i == j { s } else { zero })
    }
    /// `d` on the diagonal.
    #[inline(always)]
    pub fn diagonal(d: &Vector<T, D>) -> Self {
        let zero = d[0].fill(0.0);
        Self::from_fn(|i, j| if i == j { d[i] } else { zero })
    }
    /// The diagonal.
    #[inline(always)]
    pub fn diag(&self) -> Vector<T, D> {
        Vector::from_fn(|i| self.0[i][i])
    }
    /// Column `j`.
    #[inline(always)]
    pub fn column(&self, j: usize) -> Vector<T, D> {
        Vector::from_fn(|i| self.0[i][j])
    }
    /// Aᵀ
    #[inline(always)]
    pub fn transpose(&self) -> Self {
        Self::from_fn(|i, j| self.0[j][i])
    }
    /// A Bᵀ
    #[inline(always)]
    pub fn times_transpose(&self, o: &Self) -> Self {
        Self::from_fn(|i, j| {
            let mut s = self.0[i][0] * o.0[j][0];
            for k in 1..D {
                s = self.0[i][k].mul_add(o.0[j][k], s);
            }
            s
        })
    }
    /// A B where the product is symmetric, e.g. of two functions of one symmetric matrix: its upper triangle.
    #[inline(always)]
    pub fn symmetric_times(&self, o: &Self) -> Self {
        Self::from_fn(|i, j| {
            let (i, j) = (i.min(j), i.max(j));
            let mut s = self.0[i][0] * o.0[0][j];
            for k in 1..D {
                s = self.0[i][k].mul_add(o.0[k][j], s);
            }
            s
        })
    }
    /// A Bᵀ where the product is symmetric, e.g. (F S) Fᵀ with a symmetric S: its upper triangle.
    #[inline(always)]
    pub fn symmetric_times_transpose(&self, o: &Self) -> Self {
        Self::from_fn(|i, j| {
            let (i, j) = (i.min(j), i.max(j));
            let mut s = self.0[i][0] * o.0[j][0];
            for k in 1..D {
                s = self.0[i][k].mul_add(o.0[j][k], s);
            }
            s
        })
    }
    /// Aᵀ B
    #[inline(always)]
    pub fn transpose_times(&self, o: &Self) -> Self {
        Self::from_fn(|i, j| {
            let mut s = self.0[0][i] * o.0[0][j];
            for k in 1..D {
                s = self.0[k][i].mul_add(o.0[k][j], s);
            }
            s
        })
    }
    /// tr A
    #[inline(always)]
    pub fn trace(&self) -> T {
        let mut s = self.0[0][0];
        for i in 1..D {
            s += self.0[i][i];
        }
        s
    }
    /// A : B = Σ A_ij B_ij
    #[inline(always)]
    pub fn dot(&self, o: &Self) -> T {
        let mut s = self.0[0][0] * o.0[0][0];
        for n in 1..D * D {
            s = self.0[n / D][n % D].mul_add(o.0[n / D][n % D], s);
        }
        s
    }
    /// ‖A‖_F²
    #[inline(always)]
    pub fn norm2(&self) -> T {
        self.dot(self)
    }
    /// ‖A‖_F
    #[inline(always)]
    pub fn norm(&self) -> T {
        self.norm2().sqrt()
    }
    /// Largest magnitude of an entry.
    #[inline(always)]
    pub fn max_abs(&self) -> T {
        let mut s = self.0[0][0].abs();
        for n in 1..D * D {
            s = s.max(self.0[n / D][n % D].abs());
        }
        s
    }
    /// Largest sum of magnitudes along a row: bounds every eigenvalue.
    #[inline(always)]
    pub fn row_sum_norm(&self) -> T {
        let row = |i: usize| {
            let mut t = self.0[i][0].abs();
            for j in 1..D {
                t += self.0[i][j].abs();
            }
            t
        };
        let mut s = row(0);
        for i in 1..D {
            s = s.max(row(i));
        }
        s
    }
    /// (A + Aᵀ)/2
    #[inline(always)]
    pub fn sym(&self) -> Self {
        let h = self.0[0][0].fill(0.5);
        Self::from_fn(|i, j| (self.0[i][j] + self.0[j][i]) * h)
    }
    /// (A − Aᵀ)/2
    #[inline(always)]
    pub fn skew(&self) -> Self {
        let h = self.0[0][0].fill(0.5);
        Self::from_fn(|i, j| (self.0[i][j] - self.0[j][i]) * h)
    }
    /// A − (tr A / D) I
    #[inline(always)]
    pub fn deviator(&self) -> Self {
        *self - Self::scalar(self.trace() * self.0[0][0].fill(1.0 / D as f64))
    }
    /// Applies `f` to each entry.
    #[inline(always)]
    pub fn map(&self, mut f: impl FnMut(T) -> T) -> Self {
        Self::from_fn(
            #[inline(always)]
            |i, j| f(self.0[i][j]),
        )
    }
    /// The matrix of cofactors, det(A) A⁻ᵀ, which exists for a singular A too.
    ///
    /// # Panics
    /// In dimensions other than 1, 2 and 3.
    #[inline(always)]
    pub fn cofactor(&self) -> Self {
        let a = &self.0;
        match D {
            1 => Self::scalar(a[0][0].fill(1.0)),
            2 => Self::from_fn(|i, j| {
                let x = a[1 - i][1 - j];
                if (i + j) % 2 == 0 { x } else { -x }
            }),
            3 => Self::from_fn(|i, j| {
                let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
                let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
                a[i1][j1] * a[i2][j2] - a[i1][j2] * a[i2][j1]
            }),
            _ => panic!("cofactor: dimension {D}"),
        }
    }
    /// det A
    #[inline(always)]
    pub fn det(&self) -> T {
        let c = self.cofactor();
        let mut s = self.0[0][0] * c.0[0][0];
        for j in 1..D {
            s = self.0[0][j].mul_add(c.0[0][j], s);
        }
        s
    }
    /// A⁻¹; entries are not finite where det A = 0.
    #[inline(always)]
    pub fn inverse(&self) -> Self {
        let c = self.cofactor();
        let mut d = self.0[0][0] * c.0[0][0];
        for j in 1..D {
            d = self.0[0][j].mul_add(c.0[0][j], d);
        }
        let r = d.fill(1.0) / d;
        Self::from_fn(|i, j| c.0[j][i] * r)
    }
}

impl<T: Real, const D: usize> Matrix<T, D> {
    /// The null matrix.
    #[inline(always)]
    pub fn zero() -> Self {
        Self([[T::zero(); D]; D])
    }
    /// The unit matrix.
    #[inline(always)]
    pub fn identity() -> Self {
        Self::scalar(T::one())
    }
    /// Rounds each entry from `f64`.
    #[inline(always)]
    pub fn of(x: &Matrix<f64, D>) -> Self {
        Self::from_fn(|i, j| T::of(x.0[i][j]))
    }
    /// Widens each entry to `f64`.
    #[inline(always)]
    pub fn wide(&self) -> Matrix<f64, D> {
        Matrix::from_fn(|i, j| self.0[i][j].wide())
    }
    /// Every entry is finite.
    #[inline(always)]
    pub fn finite(&self) -> bool {
        self.0.iter().flatten().all(|x| x.finite())
    }
}

impl<T, const D: usize> Index<(usize, usize)> for Matrix<T, D> {
    type Output = T;
    #[inline(always)]
    fn index(&self, (i, j): (usize, usize)) -> &T {
        &self.0[i][j]
    }
}
impl<T, const D: usize> IndexMut<(usize, usize)> for Matrix<T, D> {
    #[inline(always)]
    fn index_mut(&mut self, (i, j): (usize, usize)) -> &mut T {
        &mut self.0[i][j]
    }
}
impl<T: Lane, const D: usize> Add for Matrix<T, D> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self::from_fn(|i, j| self.0[i][j] + o.0[i][j])
    }
}
impl<T: Lane, const D: usize> Sub for Matrix<T, D> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Self::from_fn(|i, j| self.0[i][j] - o.0[i][j])
    }
}
impl<T: Lane, const D: usize> AddAssign for Matrix<T, D> {
    #[inline(always)]
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}
impl<T: Lane, const D: usize> SubAssign for Matrix<T, D> {
    #[inline(always)]
    fn sub_assign(&mut self, o: Self) {
        *self = *self - o;
    }
}
impl<T: Lane, const D: usize> Neg for Matrix<T, D> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        self.map(|x| -x)
    }
}
impl<T: Lane, const D: usize> Mul<T> for Matrix<T, D> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, s: T) -> Self {
        self.map(|x| x * s)
    }
}
impl<T: Lane, const D: usize> Div<T> for Matrix<T, D> {
    type Output = Self;
    #[inline(always)]
    fn div(self, s: T) -> Self {
        self.map(|x| x / s)
    }
}
impl<T: Lane, const D: usize> Mul<Vector<T, D>> for Matrix<T, D> {
    type Output = Vector<T, D>;
    #[inline(always)]
    fn mul(self, v: Vector<T, D>) -> Vector<T, D> {
        Vector::from_fn(|i| {
            let mut s = self.0[i][0] * v.0[0];
            for k in 1..D {
                s = self.0[i][k].mul_add(v.0[k], s);
            }
            s
        })
    }
}
impl<T: Lane, const D: usize> Mul for Matrix<T, D> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        Self::from_fn(|i, j| {
            let mut s = self.0[i][0] * o.0[0][j];
            for k in 1..D {
                s = self.0[i][k].mul_add(o.0[k][j], s);
            }
            s
        })
    }
}
impl<T: Real, const D: usize> Default for Matrix<T, D> {
    fn default() -> Self {
        Self::zero()
    }
}
