//! A lane: one number or several side by side, with the same arithmetic.
//!
//! Decompositions are written once over [`Lane`], without a branch on a value: with `f32` they are
//! the scalar code, with [`Wide`] the same lines work on `N` matrices at once.

use std::ops::{Add, AddAssign, Div, Mul, MulAssign, Neg, Sub, SubAssign};

/// Arithmetic that a branch-free kernel needs.
pub trait Lane:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + MulAssign
{
    /// The outcome of a comparison, one per number.
    type Mask: Copy;
    /// Significant bits of one number, implied one included: 24 or 53.
    const DIGITS: u32;
    /// The same value in every place.
    fn splat(x: f64) -> Self;
    /// Square root.
    fn sqrt(self) -> Self;
    /// Magnitude.
    fn abs(self) -> Self;
    /// The smaller.
    fn min(self, o: Self) -> Self;
    /// The larger.
    fn max(self, o: Self) -> Self;
    /// `self < o`, place by place.
    fn lt(self, o: Self) -> Self::Mask;
    /// `a` where the mask holds, else `b`.
    fn select(m: Self::Mask, a: Self, b: Self) -> Self;
    /// A power of two within a factor 2 of |self|; 1 where self is zero, subnormal or not finite.
    /// Dividing by it is exact, so scaling by it costs no accuracy.
    fn binade(self) -> Self;

    /// Zero.
    #[inline(always)]
    fn zero() -> Self {
        Self::splat(0.0)
    }
    /// One.
    #[inline(always)]
    fn one() -> Self {
        Self::splat(1.0)
    }
}

macro_rules! scalar_lane {
    ($t:ident, $mask:expr) => {
        impl Lane for $t {
            type Mask = bool;
            const DIGITS: u32 = $t::MANTISSA_DIGITS;
            #[inline(always)]
            fn splat(x: f64) -> Self {
                x as $t
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                $t::sqrt(self)
            }
            #[inline(always)]
            fn abs(self) -> Self {
                $t::abs(self)
            }
            #[inline(always)]
            fn min(self, o: Self) -> Self {
                if self < o { self } else { o }
            }
            #[inline(always)]
            fn max(self, o: Self) -> Self {
                if self > o { self } else { o }
            }
            #[inline(always)]
            fn lt(self, o: Self) -> bool {
                self < o
            }
            #[inline(always)]
            fn select(m: bool, a: Self, b: Self) -> Self {
                if m { a } else { b }
            }
            #[inline(always)]
            fn binade(self) -> Self {
                let e = self.to_bits() & $mask;
                if e == 0 || e == $mask {
                    1.0
                } else {
                    $t::from_bits(e)
                }
            }
        }
    };
}
scalar_lane!(f32, 0x7f80_0000);
scalar_lane!(f64, 0x7ff0_0000_0000_0000);

/// `N` numbers side by side; the compiler turns the loops into vector instructions.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(transparent)]
pub struct Wide<T, const N: usize>(pub [T; N]);

macro_rules! wide_op {
    ($trait:ident, $f:ident, $op:tt) => {
        impl<T: Lane, const N: usize> $trait for Wide<T, N> {
            type Output = Self;
            #[inline(always)]
            fn $f(self, o: Self) -> Self {
                Self(std::array::from_fn(|i| self.0[i] $op o.0[i]))
            }
        }
    };
}
wide_op!(Add, add, +);
wide_op!(Sub, sub, -);
wide_op!(Mul, mul, *);
wide_op!(Div, div, /);

impl<T: Lane, const N: usize> Neg for Wide<T, N> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(std::array::from_fn(|i| -self.0[i]))
    }
}
impl<T: Lane, const N: usize> AddAssign for Wide<T, N> {
    #[inline(always)]
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}
impl<T: Lane, const N: usize> SubAssign for Wide<T, N> {
    #[inline(always)]
    fn sub_assign(&mut self, o: Self) {
        *self = *self - o;
    }
}
impl<T: Lane, const N: usize> MulAssign for Wide<T, N> {
    #[inline(always)]
    fn mul_assign(&mut self, o: Self) {
        *self = *self * o;
    }
}

impl<T: Lane, const N: usize> Lane for Wide<T, N> {
    type Mask = [T::Mask; N];
    const DIGITS: u32 = T::DIGITS;
    #[inline(always)]
    fn splat(x: f64) -> Self {
        Self([T::splat(x); N])
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.map(T::sqrt))
    }
    #[inline(always)]
    fn abs(self) -> Self {
        Self(self.0.map(T::abs))
    }
    #[inline(always)]
    fn min(self, o: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i].min(o.0[i])))
    }
    #[inline(always)]
    fn max(self, o: Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i].max(o.0[i])))
    }
    #[inline(always)]
    fn lt(self, o: Self) -> Self::Mask {
        std::array::from_fn(|i| self.0[i].lt(o.0[i]))
    }
    #[inline(always)]
    fn select(m: Self::Mask, a: Self, b: Self) -> Self {
        Self(std::array::from_fn(|i| T::select(m[i], a.0[i], b.0[i])))
    }
    #[inline(always)]
    fn binade(self) -> Self {
        Self(self.0.map(T::binade))
    }
}
