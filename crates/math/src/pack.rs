//! Several numbers in one register: [`Lane`] on whatever vectors the processor has.

use std::ops::{Add, AddAssign, BitAnd, BitOr, Div, Mul, MulAssign, Neg, Not, Sub, SubAssign};

use fearless_simd::{Select, Simd, SimdBase, SimdFloat, SimdFloatElement, SimdMask};

use crate::{Lane, Mask, Real};

type Native<T, S> = <T as SimdFloatElement>::Native<S>;

/// As many numbers as a register of the level `S` holds.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Pack<T: Real, S: Simd>(pub Native<T, S>);

/// The outcome of a comparison of packs.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct PackMask<T: Real, S: Simd>(<Native<T, S> as SimdBase<S>>::Mask);

impl<T: Real, S: Simd> Pack<T, S> {
    /// The number `x` in every place.
    #[inline(always)]
    pub fn splat(s: S, x: T) -> Self {
        Self(Native::<T, S>::splat(s, x))
    }
    /// The first numbers of a slice that has at least as many.
    ///
    /// # Panics
    /// If it has fewer.
    #[inline(always)]
    pub fn load(s: S, from: &[T]) -> Self {
        Self(Native::<T, S>::from_slice(s, &from[..Self::COUNT]))
    }
    /// Into as many quads as there are lanes: a number of each of the four in every quad.
    ///
    /// # Panics
    /// If there are fewer quads.
    #[inline(always)]
    pub fn to_quads([x, y, z, w]: &[Self; 4], quads: &mut [[T; 4]]) {
        let all = quads[..Self::COUNT].as_flattened_mut();
        let ((xz, xz2), (yw, yw2)) = (x.0.interleave(z.0), y.0.interleave(w.0));
        let ((a, b), (c, d)) = (xz.interleave(yw), xz2.interleave(yw2));
        for (k, x) in [a, b, c, d].into_iter().enumerate() {
            x.store_slice(&mut all[k * Self::COUNT..][..Self::COUNT]);
        }
    }
    /// Into the first places of a slice that has enough of them.
    ///
    /// # Panics
    /// If it has fewer.
    #[inline(always)]
    pub fn store(self, to: &mut [T]) {
        self.0.store_slice(&mut to[..Self::COUNT]);
    }
}

macro_rules! pack_op {
    ($trait:ident, $f:ident, $op:tt) => {
        impl<T: Real, S: Simd> $trait for Pack<T, S> {
            type Output = Self;
            #[inline(always)]
            fn $f(self, o: Self) -> Self {
                Self(self.0 $op o.0)
            }
        }
    };
}
pack_op!(Add, add, +);
pack_op!(Sub, sub, -);
pack_op!(Mul, mul, *);
pack_op!(Div, div, /);

impl<T: Real, S: Simd> Neg for Pack<T, S> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}
impl<T: Real, S: Simd> AddAssign for Pack<T, S> {
    #[inline(always)]
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}
impl<T: Real, S: Simd> SubAssign for Pack<T, S> {
    #[inline(always)]
    fn sub_assign(&mut self, o: Self) {
        *self = *self - o;
    }
}
impl<T: Real, S: Simd> MulAssign for Pack<T, S> {
    #[inline(always)]
    fn mul_assign(&mut self, o: Self) {
        *self = *self * o;
    }
}

impl<T: Real, S: Simd> BitAnd for PackMask<T, S> {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, o: Self) -> Self {
        Self(self.0 & o.0)
    }
}
impl<T: Real, S: Simd> BitOr for PackMask<T, S> {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, o: Self) -> Self {
        Self(self.0 | o.0)
    }
}
impl<T: Real, S: Simd> Not for PackMask<T, S> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
}
impl<T: Real, S: Simd> Mask for PackMask<T, S> {
    #[inline(always)]
    fn any(self) -> bool {
        self.0.any_true()
    }
    #[inline(always)]
    fn all(self) -> bool {
        self.0.all_true()
    }
    #[inline(always)]
    fn at(self, i: usize) -> bool {
        self.0.test(i)
    }
}

impl<T: Real, S: Simd> Pack<T, S> {
    /// Bits of the exponent's place: 23 or 52.
    const SHIFT: u32 = Self::DIGITS - 1;
    /// 2²³ or 2⁵²: from here on numbers are whole, and their last bits are those of an integer.
    const WHOLE: f64 = (1u64 << Self::SHIFT) as f64;
    /// 127 or 1023.
    const BIAS: f64 = if Self::DIGITS == 24 { 127.0 } else { 1023.0 };

    /// The exponent bits of a positive number, which are those of its binade.
    #[inline(always)]
    fn exponent_bits(self) -> <Native<T, S> as SimdFloat<S>>::Bits {
        self.0.to_bits() & self.fill(f64::INFINITY).0.to_bits()
    }
}

impl<T: Real, S: Simd> Lane for Pack<T, S> {
    type Scalar = T;
    type Mask = PackMask<T, S>;
    const COUNT: usize = <Native<T, S> as SimdBase<S>>::LEN;
    const DIGITS: u32 = T::DIGITS;
    #[inline(always)]
    fn fill(self, x: f64) -> Self {
        self.spread(T::of(x))
    }
    #[inline(always)]
    fn spread(self, x: T) -> Self {
        use fearless_simd::ExtractToken;
        Self::splat(self.0.token(), x)
    }
    #[inline(always)]
    fn mul_add(self, a: Self, b: Self) -> Self {
        Self(self.0.mul_add(a.0, b.0))
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.sqrt())
    }
    #[inline(always)]
    fn abs(self) -> Self {
        Self(self.0.abs())
    }
    #[inline(always)]
    fn min(self, o: Self) -> Self {
        Self::select(self.lt(o), self, o)
    }
    #[inline(always)]
    fn max(self, o: Self) -> Self {
        Self::select(o.lt(self), self, o)
    }
    #[inline(always)]
    fn floor(self) -> Self {
        Self(self.0.floor())
    }
    /// With x = 2ᵉ m, m within √½ and √2, and z = (m − 1)/(m + 1): ln x = e ln 2 + 2 artanh z. Right to a
    /// few last digits for positive numbers that are not subnormal; not a number for others.
    #[inline(always)]
    fn ln(self) -> Self {
        let c = |x: f64| self.fill(x);
        let (e, one) = (self.exponent_bits(), c(1.0));
        // The mantissa's bits under the exponent of one; the exponent's bits as a number.
        let m = Self(Native::<T, S>::from_bits(
            (self.0.to_bits() ^ e) | one.0.to_bits(),
        ));
        let e = Self(Native::<T, S>::from_bits(
            (e >> Self::SHIFT) | c(Self::WHOLE).0.to_bits(),
        )) - c(Self::WHOLE + Self::BIAS);
        let high = c(std::f64::consts::SQRT_2).lt(m);
        let m = Self::select(high, m * c(0.5), m);
        let e = Self::select(high, e + one, e);
        let z = (m - one) / (m + one);
        let z2 = z * z;
        // |z| ≤ 0.172: the next term is below rounding.
        let terms = if Self::DIGITS == 24 { 5 } else { 11 };
        let mut sum = c(1.0 / (2 * terms - 1) as f64);
        for k in (0..terms - 1).rev() {
            sum = sum.mul_add(z2, c(1.0 / (2 * k + 1) as f64));
        }
        // ln 2 in two parts, the first with so few digits that e times it is exact.
        let (high, low) = if Self::DIGITS == 24 {
            (LN_2_24[0], LN_2_24[1])
        } else {
            (LN_2_53[0], LN_2_53[1])
        };
        let ln = e.mul_add(c(high), (z + z).mul_add(sum, e * c(low)));
        let fit = c(0.0).lt(self) & self.finite();
        Self::select(fit, ln, c(f64::NAN))
    }
    /// With x = n ln 2 + r, |r| ≤ ½ ln 2: 2ⁿ times the series of eʳ. Held within the range of normal
    /// numbers; not a number stays so.
    #[inline(always)]
    fn exp(self) -> Self {
        let c = |x: f64| self.fill(x);
        let (most, low, high) = if Self::DIGITS == 24 {
            (87.0, LN_2_24[1], LN_2_24[0])
        } else {
            (708.0, LN_2_53[1], LN_2_53[0])
        };
        let x = self.max(c(-most)).min(c(most));
        let n = (x * c(std::f64::consts::LOG2_E) + c(0.5)).floor();
        let r = n.mul_add(c(-low), n.mul_add(c(-high), x));
        let terms = if Self::DIGITS == 24 { 8 } else { 14 };
        let mut sum = c(1.0);
        for k in (1..terms).rev() {
            sum = (sum * r).mul_add(c(1.0 / k as f64), c(1.0));
        }
        let bits = (n + c(Self::WHOLE + Self::BIAS)).0.to_bits() << Self::SHIFT;
        let power = Self(Native::<T, S>::from_bits(bits));
        let nan = !self.le(self);
        Self::select(nan, self, sum * power)
    }
    #[inline(always)]
    fn finite(self) -> Self::Mask {
        PackMask(self.abs().0.simd_lt(self.fill(f64::INFINITY).0))
    }
    #[inline(always)]
    fn lt(self, o: Self) -> Self::Mask {
        PackMask(self.0.simd_lt(o.0))
    }
    #[inline(always)]
    fn le(self, o: Self) -> Self::Mask {
        PackMask(self.0.simd_le(o.0))
    }
    #[inline(always)]
    fn select(m: Self::Mask, a: Self, b: Self) -> Self {
        Self(m.0.select(a.0, b.0))
    }
    #[inline(always)]
    fn binade(self) -> Self {
        let b = Self(Native::<T, S>::from_bits(self.exponent_bits()));
        let fit = self.fill(0.0).lt(b) & b.finite();
        Self::select(fit, b, self.fill(1.0))
    }
    #[inline(always)]
    fn apart<R>(self, f: impl FnOnce() -> R) -> R {
        use fearless_simd::ExtractToken;
        self.0.token().vectorize(f)
    }
    #[inline(always)]
    fn highest(self) -> T {
        (1..Self::COUNT).fold(self.0[0], |m, i| Lane::max(m, self.0[i]))
    }
    #[inline(always)]
    fn at(self, i: usize) -> T {
        self.0[i]
    }
}

/// ln 2 as a sum of two numbers, the first with 15 significant bits.
const LN_2_24: [f64; 2] = [0.693145751953125, 1.4286068203094173e-6];
/// ln 2 as a sum of two numbers, the first with 32 significant bits.
const LN_2_53: [f64; 2] = [0.6931471803691238, 1.9082149292705877e-10];
