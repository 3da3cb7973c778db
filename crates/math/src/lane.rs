//! A lane: one number or several side by side, with the same arithmetic.
//!
//! Decompositions and laws are written once over [`Lane`], without a branch on a value: with `f32` they
//! are the scalar code, with [`Pack`](crate::Pack) the same lines work on as many matrices at once as
//! the processor has lanes.

use std::ops::{Add, AddAssign, BitAnd, BitOr, Div, Mul, MulAssign, Neg, Not, Sub, SubAssign};

use crate::Real;

/// The outcome of a comparison, one per number.
pub trait Mask: Copy + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self> {
    /// Whether it holds anywhere.
    fn any(self) -> bool;
    /// Whether it holds everywhere.
    fn all(self) -> bool;
    /// Whether it holds for number `i`.
    fn at(self, i: usize) -> bool;
}

impl Mask for bool {
    #[inline(always)]
    fn any(self) -> bool {
        self
    }
    #[inline(always)]
    fn all(self) -> bool {
        self
    }
    #[inline(always)]
    fn at(self, _: usize) -> bool {
        self
    }
}

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
    /// One of the numbers.
    type Scalar: Real;
    /// The outcome of a comparison.
    type Mask: Mask;
    /// How many numbers.
    const COUNT: usize;
    /// Significant bits of one number, implied one included: 24 or 53.
    const DIGITS: u32;
    /// The constant `x` in every place; `self` only says in how many.
    fn fill(self, x: f64) -> Self;
    /// The number `x` in every place; `self` only says in how many.
    fn spread(self, x: Self::Scalar) -> Self;
    /// `self * a + b`, rounded once where the processor can.
    fn mul_add(self, a: Self, b: Self) -> Self;
    /// Square root.
    fn sqrt(self) -> Self;
    /// Magnitude.
    fn abs(self) -> Self;
    /// The smaller; `o` where one is not a number.
    fn min(self, o: Self) -> Self;
    /// The larger; `o` where one is not a number.
    fn max(self, o: Self) -> Self;
    /// Largest integer not above, as a number.
    fn floor(self) -> Self;
    /// Natural logarithm.
    fn ln(self) -> Self;
    /// Exponential.
    fn exp(self) -> Self;
    /// Neither NaN nor infinite, place by place.
    fn finite(self) -> Self::Mask;
    /// `self < o`, place by place.
    fn lt(self, o: Self) -> Self::Mask;
    /// `self <= o`, place by place.
    fn le(self, o: Self) -> Self::Mask;
    /// `a` where the mask holds, else `b`.
    fn select(m: Self::Mask, a: Self, b: Self) -> Self;
    /// A power of two within a factor 2 of |self|; 1 where self is zero, subnormal or not finite.
    /// Dividing by it is exact, so scaling by it costs no accuracy.
    fn binade(self) -> Self;
    /// The largest of the numbers.
    fn highest(self) -> Self::Scalar;
    /// Number `i`.
    fn at(self, i: usize) -> Self::Scalar;

    /// Does `f` in a function of its own with the same instructions: large work that many share is compiled
    /// once.
    #[inline(always)]
    fn apart<R>(self, f: impl FnOnce() -> R) -> R {
        f()
    }
    /// A real power of a positive number.
    #[inline(always)]
    fn powf(self, e: Self) -> Self {
        (e * self.ln()).exp()
    }
}

macro_rules! scalar_lane {
    ($t:ident, $mask:expr) => {
        impl Lane for $t {
            type Scalar = $t;
            type Mask = bool;
            const COUNT: usize = 1;
            const DIGITS: u32 = $t::MANTISSA_DIGITS;
            #[inline(always)]
            fn fill(self, x: f64) -> Self {
                x as $t
            }
            #[inline(always)]
            fn spread(self, x: $t) -> Self {
                x
            }
            #[inline(always)]
            fn mul_add(self, a: Self, b: Self) -> Self {
                self * a + b
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
            fn floor(self) -> Self {
                $t::floor(self)
            }
            #[inline(always)]
            fn ln(self) -> Self {
                $t::ln(self)
            }
            #[inline(always)]
            fn exp(self) -> Self {
                $t::exp(self)
            }
            #[inline(always)]
            fn powf(self, e: Self) -> Self {
                $t::powf(self, e)
            }
            #[inline(always)]
            fn finite(self) -> bool {
                self.is_finite()
            }
            #[inline(always)]
            fn lt(self, o: Self) -> bool {
                self < o
            }
            #[inline(always)]
            fn le(self, o: Self) -> bool {
                self <= o
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
            #[inline(always)]
            fn highest(self) -> Self {
                self
            }
            #[inline(always)]
            fn at(self, _: usize) -> Self {
                self
            }
        }
    };
}
scalar_lane!(f32, 0x7f80_0000);
scalar_lane!(f64, 0x7ff0_0000_0000_0000);
