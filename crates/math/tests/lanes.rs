//! Packs do what a scalar does, at every level that this processor has.
#![allow(non_snake_case)]

use fearless_simd::Simd;
use proptest::prelude::*;
use thixo_math::{Lane, Level, Mask, Matrix, Pack, Real, Task};

/// Sixteen matrices, and what is asked of their decompositions.
struct Decompose<'a, T>(&'a [Matrix<T, 3>], f64);

impl<T: Real> Task for Decompose<'_, T> {
    type Out = ();
    fn run<S: Simd>(self, s: S) {
        let Self(all, tolerance) = self;
        for few in all.chunks(Pack::<T, S>::COUNT) {
            // The last one again in lanes that have none.
            let last = few.iter().chain(std::iter::repeat(&few[few.len() - 1]));
            let lanes: Vec<_> = last.take(Pack::<T, S>::COUNT).collect();
            let column = |i, j| lanes.iter().map(|F| F[(i, j)]).collect::<Vec<T>>();
            let F = Matrix::from_fn(|i, j| Pack::<T, S>::load(s, &column(i, j)));
            let (svd, polar, qr, eigen) = (F.svd(), F.polar(), F.qr(), F.symmetric_eigen());
            for (k, F) in few.iter().enumerate() {
                let size = F.max_abs().wide();
                // Axes may turn where singular values meet: what they compose may not.
                let same = |w: Matrix<Pack<T, S>, 3>, s: Matrix<T, 3>, what: &str| {
                    let d =
                        Matrix::<f64, 3>::from_fn(|i, j| w[(i, j)].at(k).wide() - s[(i, j)].wide());
                    assert!(d.max_abs() <= tolerance * size, "{what}: {d:?} of {F:?}");
                };
                let s = F.svd();
                same(svd.compose(&svd.sigma), s.compose(&s.sigma), "svd");
                same(
                    Matrix::diagonal(&svd.sigma),
                    Matrix::diagonal(&s.sigma),
                    "σ",
                );
                same(polar.0 * polar.1, F.polar().0 * F.polar().1, "polar");
                same(qr.Q * qr.R, F.qr().Q * F.qr().R, "qr");
                same(
                    Matrix::diagonal(&eigen.values),
                    Matrix::diagonal(&F.symmetric_eigen().values),
                    "λ",
                );
            }
        }
    }
}

fn levels() -> impl Iterator<Item = Level> {
    Level::ALL.into_iter().filter(|l| l.is_there())
}

proptest! {
    #[test]
    fn decompositions(F in prop::collection::vec(prop::array::uniform3(prop::array::uniform3(-2.0..2.0f64)), 16)) {
        let F: Vec<_> = F.into_iter().map(Matrix).collect();
        let f: Vec<_> = F.iter().map(Matrix::<f32, 3>::of).collect();
        for level in levels() {
            level.dispatch(Decompose(&F, 4e-14));
            level.dispatch(Decompose(&f, 2e-5));
        }
    }
}

/// ln, exp and x^−7 in lanes.
struct Curves<T>(std::marker::PhantomData<T>);

impl<T: Real> Task for Curves<T> {
    type Out = [f64; 3];
    fn run<S: Simd>(self, s: S) -> [f64; 3] {
        let mut worst = [0.0f64; 3];
        for n in -4000..4000 {
            let x = T::of(f64::from(n) * 0.0101);
            let near = T::of(1.0 + f64::from(n) * 1e-6);
            let p = Pack::<T, S>::splat(s, x);
            let relative = |got: T, want: f64| ((got.wide() - want) / want / T::EPSILON).abs();
            worst[1] = worst[1].max(relative(p.exp().at(0), x.wide().exp()));
            for x in [x.exp(), near] {
                let p = Pack::<T, S>::splat(s, x);
                let ln = x.wide().ln();
                if ln != 0.0 {
                    worst[0] = worst[0].max(relative(p.ln().at(0), ln));
                }
            }
            let seven = Pack::<T, S>::splat(s, T::of(-7.0));
            let p = Pack::<T, S>::splat(s, near);
            worst[2] = worst[2].max(relative(p.powf(seven).at(0), near.wide().powi(-7)));
        }
        let of = |x: f64| Pack::<T, S>::splat(s, T::of(x));
        for x in [-1.0, 0.0, f64::NAN, f64::INFINITY] {
            assert!(of(x).ln().at(0).wide().is_nan(), "ln {x}");
        }
        assert!(of(f64::NAN).exp().at(0).wide().is_nan());
        assert_eq!(of(0.0).exp().at(0).wide(), 1.0);
        assert_eq!(of(1.0).ln().at(0).wide(), 0.0);
        worst
    }
}

#[test]
fn curves() {
    for level in levels() {
        let single = level.dispatch(Curves::<f32>(Default::default()));
        let double = level.dispatch(Curves::<f64>(Default::default()));
        for (what, w) in ["ln", "exp", "power"].iter().zip(single.iter().zip(double)) {
            assert!(
                *w.0 < 3.0 && w.1 < 3.0,
                "{what} at {}: {w:?} roundings",
                level.name()
            );
        }
    }
}

/// Comparisons, choices and the ends of a pack.
struct Small;

impl Task for Small {
    type Out = ();
    fn run<S: Simd>(self, s: S) {
        type P<S> = Pack<f32, S>;
        let n = P::<S>::COUNT;
        let ramp: Vec<f32> = (0..n).map(|i| i as f32 - 1.0).collect();
        let x = P::<S>::load(s, &ramp);
        let low = x.lt(x.fill(0.0));
        assert!(low.any() && !low.all() && low.at(0) && !low.at(1));
        assert_eq!(x.highest(), n as f32 - 2.0);
        assert_eq!(Lane::select(low, x.fill(7.0), x).at(0), 7.0);
        assert_eq!(
            [3.0f32, -6.5, 1.0].map(|v| x.spread(v).binade().at(0)),
            [2.0, 4.0, 1.0]
        );
        assert_eq!(
            [0.0, f32::NAN, 1e-40].map(|v| x.spread(v).binade().at(0)),
            [1.0; 3]
        );
        assert!(!x.spread(f32::NAN).finite().any() && x.finite().all());
        assert_eq!(x.spread(f32::NAN).max(x.fill(2.0)).at(0), 2.0);
        let four = [0.0, 10.0, 20.0, 30.0].map(|step| x + x.fill(step));
        let mut quads = vec![[9.0; 4]; n];
        P::to_quads(&four, &mut quads);
        for (l, quad) in quads.into_iter().enumerate() {
            assert_eq!(quad, four.map(|x| x.at(l)));
        }
        thixo_math::prefetch(&ramp, 1);
        thixo_math::prefetch(&ramp, n);
        assert_eq!(x.spread(-0.25).floor().at(0), -1.0);
    }
}

#[test]
fn small_things() {
    levels().for_each(|level| level.dispatch(Small));
}
