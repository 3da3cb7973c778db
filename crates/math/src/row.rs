//! Four quads side by side: a row of four grid nodes with four numbers each.

use std::ops::{Add, Mul, Sub};

use fearless_simd::{Simd, SimdBase, SimdCombine, SimdFloat, SimdSplit, f32x4, f32x8, f32x16};
use fearless_simd::{f64x4, f64x8};

/// Sixteen numbers in as many registers as it takes.
pub trait Row<S: Simd, T>:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self>
{
    /// Four of its numbers.
    type Quad: Copy + Add<Output = Self::Quad> + Sub<Output = Self::Quad>;
    /// The first four quads of a slice; only the first `n` matter.
    fn load(s: S, from: &[[T; 4]], n: usize) -> Self;
    /// At least the first `n` quads into a slice of four.
    fn store(self, to: &mut [[T; 4]], n: usize);
    /// The same quad four times.
    fn same(s: S, quad: &[T; 4]) -> Self;
    /// Each number four times.
    fn each(s: S, numbers: &[T; 4]) -> Self;
    /// The same number sixteen times.
    fn splat(s: S, x: T) -> Self;
    /// `self · a + b`
    fn mul_add(self, a: Self, b: Self) -> Self;
    /// Its quads.
    fn quads(self) -> [Self::Quad; 4];
    /// The numbers of a quad.
    fn numbers(quad: Self::Quad) -> [T; 4];
    /// The first numbers of four quads, the second ones, and so on.
    fn transpose(s: S, quads: &[[T; 4]]) -> [[T; 4]; 4];
}

/// Whether a row of `f32` is one register.
#[inline(always)]
fn whole<S: Simd>() -> bool {
    <S::f32s as SimdBase<S>>::LEN >= 16
}

macro_rules! row_op {
    ($trait:ident, $f:ident, $op:tt) => {
        impl<S: Simd> $trait for Row32<S> {
            type Output = Self;
            #[inline(always)]
            fn $f(self, o: Self) -> Self {
                Self(self.0 $op o.0)
            }
        }
        impl<S: Simd> $trait for Row64<S> {
            type Output = Self;
            #[inline(always)]
            fn $f(self, o: Self) -> Self {
                Self([self.0[0] $op o.0[0], self.0[1] $op o.0[1]])
            }
        }
    };
}
row_op!(Add, add, +);
row_op!(Sub, sub, -);
row_op!(Mul, mul, *);

/// A row of `f32`.
#[derive(Clone, Copy)]
pub struct Row32<S: Simd>(f32x16<S>);

impl<S: Simd> Row<S, f32> for Row32<S> {
    type Quad = f32x4<S>;
    #[inline(always)]
    fn load(s: S, from: &[[f32; 4]], n: usize) -> Self {
        let from = from[..4].as_flattened();
        if n == 4 || whole::<S>() {
            return Self(f32x16::from_slice(s, from));
        }
        let low = f32x8::from_slice(s, &from[..8]);
        let high = f32x4::from_slice(s, &from[8..12]);
        Self(low.combine(high.combine(high)))
    }
    #[inline(always)]
    fn store(self, to: &mut [[f32; 4]], n: usize) {
        let to = to[..4].as_flattened_mut();
        if n == 4 || whole::<S>() {
            return self.0.store_slice(to);
        }
        let (low, high) = self.0.split();
        low.store_slice(&mut to[..8]);
        high.split().0.store_slice(&mut to[8..12]);
    }
    #[inline(always)]
    fn same(s: S, quad: &[f32; 4]) -> Self {
        let q = f32x4::from_slice(s, quad);
        let two: f32x8<S> = q.combine(q);
        Self(two.combine(two))
    }
    #[inline(always)]
    fn each(s: S, n: &[f32; 4]) -> Self {
        let [a, b, c, d] = n.map(
            #[inline(always)]
            |x| f32x4::splat(s, x),
        );
        let (low, high): (f32x8<S>, f32x8<S>) = (a.combine(b), c.combine(d));
        Self(low.combine(high))
    }
    #[inline(always)]
    fn splat(s: S, x: f32) -> Self {
        Self(f32x16::splat(s, x))
    }
    #[inline(always)]
    fn mul_add(self, a: Self, b: Self) -> Self {
        Self(self.0.mul_add(a.0, b.0))
    }
    #[inline(always)]
    fn quads(self) -> [f32x4<S>; 4] {
        let (low, high) = self.0.split();
        let (a, b) = low.split();
        let (c, d) = high.split();
        [a, b, c, d]
    }
    #[inline(always)]
    fn numbers(quad: f32x4<S>) -> [f32; 4] {
        quad.to_array()
    }
    #[inline(always)]
    fn transpose(s: S, quads: &[[f32; 4]]) -> [[f32; 4]; 4] {
        let [a, b, c, d] = [0, 1, 2, 3].map(
            #[inline(always)]
            |k| f32x4::from_slice(s, &quads[k]),
        );
        let (ac, ac2, bd, bd2) = (a.zip_low(c), a.zip_high(c), b.zip_low(d), b.zip_high(d));
        [
            ac.zip_low(bd).to_array(),
            ac.zip_high(bd).to_array(),
            ac2.zip_low(bd2).to_array(),
            ac2.zip_high(bd2).to_array(),
        ]
    }
}

/// A row of `f64`.
#[derive(Clone, Copy)]
pub struct Row64<S: Simd>([f64x8<S>; 2]);

impl<S: Simd> Row<S, f64> for Row64<S> {
    type Quad = f64x4<S>;
    #[inline(always)]
    fn load(s: S, from: &[[f64; 4]], _: usize) -> Self {
        let (low, high) = from[..4].as_flattened().split_at(8);
        Self([f64x8::from_slice(s, low), f64x8::from_slice(s, high)])
    }
    #[inline(always)]
    fn store(self, to: &mut [[f64; 4]], n: usize) {
        let (low, high) = to[..4].as_flattened_mut().split_at_mut(8);
        self.0[0].store_slice(low);
        match n {
            2 => {}
            3 => self.0[1].split().0.store_slice(&mut high[..4]),
            _ => self.0[1].store_slice(high),
        }
    }
    #[inline(always)]
    fn same(s: S, quad: &[f64; 4]) -> Self {
        let q = f64x4::from_slice(s, quad);
        let two: f64x8<S> = q.combine(q);
        Self([two, two])
    }
    #[inline(always)]
    fn each(s: S, n: &[f64; 4]) -> Self {
        let [a, b, c, d] = n.map(
            #[inline(always)]
            |x| f64x4::splat(s, x),
        );
        Self([a.combine(b), c.combine(d)])
    }
    #[inline(always)]
    fn splat(s: S, x: f64) -> Self {
        Self([f64x8::splat(s, x); 2])
    }
    #[inline(always)]
    fn mul_add(self, a: Self, b: Self) -> Self {
        Self([
            self.0[0].mul_add(a.0[0], b.0[0]),
            self.0[1].mul_add(a.0[1], b.0[1]),
        ])
    }
    #[inline(always)]
    fn quads(self) -> [f64x4<S>; 4] {
        let (a, b) = self.0[0].split();
        let (c, d) = self.0[1].split();
        [a, b, c, d]
    }
    #[inline(always)]
    fn numbers(quad: f64x4<S>) -> [f64; 4] {
        quad.to_array()
    }
    #[inline(always)]
    fn transpose(s: S, quads: &[[f64; 4]]) -> [[f64; 4]; 4] {
        let [a, b, c, d] = [0, 1, 2, 3].map(
            #[inline(always)]
            |k| f64x4::from_slice(s, &quads[k]),
        );
        let (ac, ac2, bd, bd2) = (a.zip_low(c), a.zip_high(c), b.zip_low(d), b.zip_high(d));
        [
            ac.zip_low(bd).to_array(),
            ac.zip_high(bd).to_array(),
            ac2.zip_low(bd2).to_array(),
            ac2.zip_high(bd2).to_array(),
        ]
    }
}
