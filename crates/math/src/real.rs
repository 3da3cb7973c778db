//! The scalar: `f32` or `f64`.

use std::fmt::{Debug, Display, LowerExp};

use crate::Lane;

/// A floating-point scalar. Everything in the engine is generic over it.
pub trait Real:
    Lane<Mask = bool>
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
    /// Distance from 1 to the next number.
    const EPSILON: f64;
    /// `"f32"` or `"f64"`.
    const NAME: &'static str;
    /// Rounds from `f64`.
    fn of(x: f64) -> Self;
    /// Widens to `f64`; exact.
    fn wide(self) -> f64;
    /// Neither NaN nor infinite.
    fn finite(self) -> bool;
    /// Largest integer not above, as a number.
    fn floor(self) -> Self;
    /// Natural logarithm.
    fn ln(self) -> Self;
    /// Exponential.
    fn exp(self) -> Self;
    /// Sine.
    fn sin(self) -> Self;
    /// Cosine.
    fn cos(self) -> Self;
    /// Real power.
    fn powf(self, e: Self) -> Self;
    /// Integer power.
    fn powi(self, e: i32) -> Self;
    /// Truncates to an integer, saturating.
    fn to_i32(self) -> i32;
}

macro_rules! real {
    ($t:ident) => {
        impl Real for $t {
            const EPSILON: f64 = $t::EPSILON as f64;
            const NAME: &'static str = stringify!($t);
            #[inline(always)]
            fn of(x: f64) -> Self {
                x as $t
            }
            #[inline(always)]
            fn wide(self) -> f64 {
                self as f64
            }
            #[inline(always)]
            fn finite(self) -> bool {
                self.is_finite()
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
            fn sin(self) -> Self {
                $t::sin(self)
            }
            #[inline(always)]
            fn cos(self) -> Self {
                $t::cos(self)
            }
            #[inline(always)]
            fn powf(self, e: Self) -> Self {
                $t::powf(self, e)
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
real!(f32);
real!(f64);
