//! The scalar: `f32` or `f64`.

use std::fmt::{Debug, Display, LowerExp};

use crate::Lane;
use crate::row::{Row, Row32, Row64};

/// A floating-point scalar. Everything in the engine is generic over it.
pub trait Real:
    Lane<Scalar = Self, Mask = bool>
    + fearless_simd::SimdFloatElement
    + PartialOrd
    + Display
    + LowerExp
    + Debug
    + Default
    + bytemuck::Pod
    + Send
    + Sync
    + 'static
{
    /// Sixteen of them.
    type Row<S: fearless_simd::Simd>: Row<S, Self>;
    /// Distance from 1 to the next number.
    const EPSILON: f64;
    /// `"f32"` or `"f64"`.
    const NAME: &'static str;
    /// Zero.
    fn zero() -> Self;
    /// One.
    fn one() -> Self;
    /// Rounds from `f64`.
    fn of(x: f64) -> Self;
    /// Widens to `f64`; exact.
    fn wide(self) -> f64;
    /// Sine.
    fn sin(self) -> Self;
    /// Cosine.
    fn cos(self) -> Self;
    /// Integer power.
    fn powi(self, e: i32) -> Self;
    /// Truncates to an integer, saturating.
    fn to_i32(self) -> i32;
}

macro_rules! real {
    ($t:ident, $row:ident) => {
        impl Real for $t {
            type Row<S: fearless_simd::Simd> = $row<S>;
            const EPSILON: f64 = $t::EPSILON as f64;
            const NAME: &'static str = stringify!($t);
            #[inline(always)]
            fn zero() -> Self {
                0.0
            }
            #[inline(always)]
            fn one() -> Self {
                1.0
            }
            #[inline(always)]
            fn of(x: f64) -> Self {
                x as $t
            }
            #[inline(always)]
            fn wide(self) -> f64 {
                self as f64
            }
            #[inline(always)]
            fn sin(self) -> Self {
                $t::sin(self)
            }
            #[inline(always)]
            fn cos(self) -> Self {
                $t::cos(self)
            }
            #[inline(always)]
            fn powi(self, e: i32) -> Self {
                $t::powi(self, e)
            }
            #[inline(always)]
            fn to_i32(self) -> i32 {
                self as i32
            }
        }
    };
}
real!(f32, Row32);
real!(f64, Row64);
