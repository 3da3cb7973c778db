//! A vector of `D` numbers.

use std::ops::{Add, AddAssign, Div, Index, IndexMut, Mul, Neg, Sub, SubAssign};

use crate::{Lane, Matrix, Real};

/// A column vector; a plain array with arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(transparent)]
pub struct Vector<T, const D: usize>(pub [T; D]);

impl<T: Lane, const D: usize> Vector<T, D> {
    /// All components equal.
    #[inline(always)]
    pub fn splat(x: T) -> Self {
        Self([x; D])
    }
    /// Component by component.
    #[inline(always)]
    pub fn from_fn(mut f: impl FnMut(usize) -> T) -> Self {
        let mut a = [f(0); D];
        if D > 1 {
            a[1] = f(1);
        }
        if D > 2 {
            a[2] = f(2);
        }
        Self(a)
    }
    /// Applies `f` to each component.
    #[inline(always)]
    pub fn map(self, mut f: impl FnMut(T) -> T) -> Self {
        Self::from_fn(
            #[inline(always)]
            |i| f(self.0[i]),
        )
    }
    /// a · b
    #[inline(always)]
    pub fn dot(&self, o: &Self) -> T {
        let mut s = self.0[0] * o.0[0];
        for i in 1..D {
            s = self.0[i].mul_add(o.0[i], s);
        }
        s
    }
    /// |a|²
    #[inline(always)]
    pub fn norm2(&self) -> T {
        self.dot(self)
    }
    /// |a|
    #[inline(always)]
    pub fn norm(&self) -> T {
        self.norm2().sqrt()
    }
    /// Component-wise product.
    #[inline(always)]
    pub fn times(&self, o: &Self) -> Self {
        Self::from_fn(|i| self.0[i] * o.0[i])
    }
    /// Sum of the components.
    #[inline(always)]
    pub fn sum(&self) -> T {
        let mut s = self.0[0];
        for i in 1..D {
            s += self.0[i];
        }
        s
    }
    /// Product of the components.
    #[inline(always)]
    pub fn product(&self) -> T {
        let mut s = self.0[0];
        for i in 1..D {
            s *= self.0[i];
        }
        s
    }
    /// Largest magnitude of a component.
    #[inline(always)]
    pub fn max_abs(&self) -> T {
        let mut s = self.0[0].abs();
        for i in 1..D {
            s = s.max(self.0[i].abs());
        }
        s
    }
    /// a bᵀ
    #[inline(always)]
    pub fn outer(&self, o: &Self) -> Matrix<T, D> {
        Matrix::from_fn(|i, j| self.0[i] * o.0[j])
    }
}

impl<T: Real, const D: usize> Vector<T, D> {
    /// The null vector.
    #[inline(always)]
    pub fn zero() -> Self {
        Self([T::zero(); D])
    }
    /// The unit vector along axis `a`.
    #[inline(always)]
    pub fn axis(a: usize) -> Self {
        Self::from_fn(|i| if i == a { T::one() } else { T::zero() })
    }
    /// Rounds each component from `f64`.
    #[inline(always)]
    pub fn of(x: &Vector<f64, D>) -> Self {
        Self::from_fn(|i| T::of(x.0[i]))
    }
    /// Widens each component to `f64`.
    #[inline(always)]
    pub fn wide(&self) -> Vector<f64, D> {
        Vector::from_fn(|i| self.0[i].wide())
    }
    /// Every component is finite.
    #[inline(always)]
    pub fn finite(&self) -> bool {
        self.0.iter().all(|x| x.finite())
    }
    /// The direction, or `None` for a vector of no length.
    #[inline(always)]
    pub fn unit(&self) -> Option<Self> {
        let s = self.max_abs();
        if s > T::zero() && s.finite() {
            let a = *self / s;
            Some(a / a.norm())
        } else {
            None
        }
    }
}

impl<T: Lane> Vector<T, 3> {
    /// a × b
    #[inline(always)]
    pub fn cross(&self, o: &Self) -> Self {
        let ([a, b, c], [x, y, z]) = (self.0, o.0);
        Self([b * z - c * y, c * x - a * z, a * y - b * x])
    }
}

impl<T, const D: usize> Index<usize> for Vector<T, D> {
    type Output = T;
    #[inline(always)]
    fn index(&self, i: usize) -> &T {
        &self.0[i]
    }
}
impl<T, const D: usize> IndexMut<usize> for Vector<T, D> {
    #[inline(always)]
    fn index_mut(&mut self, i: usize) -> &mut T {
        &mut self.0[i]
    }
}
impl<T: Lane, const D: usize> Add for Vector<T, D> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self::from_fn(|i| self.0[i] + o.0[i])
    }
}
impl<T: Lane, const D: usize> Sub for Vector<T, D> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Self::from_fn(|i| self.0[i] - o.0[i])
    }
}
impl<T: Lane, const D: usize> AddAssign for Vector<T, D> {
    #[inline(always)]
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}
impl<T: Lane, const D: usize> SubAssign for Vector<T, D> {
    #[inline(always)]
    fn sub_assign(&mut self, o: Self) {
        *self = *self - o;
    }
}
impl<T: Lane, const D: usize> Neg for Vector<T, D> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        self.map(|x| -x)
    }
}
impl<T: Lane, const D: usize> Mul<T> for Vector<T, D> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, s: T) -> Self {
        self.map(|x| x * s)
    }
}
impl<T: Lane, const D: usize> Div<T> for Vector<T, D> {
    type Output = Self;
    #[inline(always)]
    fn div(self, s: T) -> Self {
        self.map(|x| x / s)
    }
}
impl<T: Real, const D: usize> Default for Vector<T, D> {
    fn default() -> Self {
        Self::zero()
    }
}
impl<T, const D: usize> From<[T; D]> for Vector<T, D> {
    fn from(a: [T; D]) -> Self {
        Self(a)
    }
}
