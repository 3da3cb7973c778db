//! Nanoseconds per decomposition, one by one and in the lanes of the level in use:
//! `cargo run --release -p thixo-math --example timing`.

use std::hint::black_box;
use std::time::Instant;

use fearless_simd::Simd;
use thixo_math::{Lane, Level, Matrix, Pack, Real, Task, dispatch};

const COUNT: usize = 1024;

/// Matrices with entries in [−1, 1), from a fixed sequence.
fn matrices<L: Lane, const D: usize>(
    mut make: impl FnMut(&mut dyn FnMut() -> f64) -> L,
) -> Vec<Matrix<L, D>> {
    let mut seed = 1u64;
    let mut next = move || {
        seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    (0..COUNT)
        .map(|_| Matrix::from_fn(|_, _| make(&mut next)))
        .collect()
}

/// Best of several passes over all matrices.
#[inline(always)]
fn time<L: Lane, const D: usize, R>(
    name: &str,
    data: &[Matrix<L, D>],
    f: impl Fn(&Matrix<L, D>) -> R,
) {
    let mut out: Vec<R> = Vec::with_capacity(COUNT);
    for m in data {
        out.push(f(m));
    }
    let mut best = f64::INFINITY;
    for _ in 0..200 {
        let start = Instant::now();
        for (o, m) in out.iter_mut().zip(black_box(data)) {
            *o = f(m);
        }
        black_box(&mut out);
        best = best.min(start.elapsed().as_secs_f64());
    }
    let ns = best * 1e9 / (data.len() * L::COUNT) as f64;
    println!("{name:<28} {ns:8.1} ns");
}

/// The same in lanes.
struct Lanes;

impl Task for Lanes {
    type Out = ();
    #[inline(always)]
    fn run<S: Simd>(self, s: S) {
        lanes::<S, f32>(s);
        lanes::<S, f64>(s);
    }
}

#[inline(always)]
fn lanes<S: Simd, T: Real>(s: S) {
    let pack = |r: &mut dyn FnMut() -> f64| {
        let all: Vec<T> = (0..Pack::<T, S>::COUNT).map(|_| T::of(r())).collect();
        Pack::<T, S>::load(s, &all)
    };
    let a = matrices::<Pack<T, S>, 3>(pack);
    let b = matrices::<Pack<T, S>, 2>(pack);
    let t = T::NAME;
    time(
        &format!("svd 3x3 {t} lanes"),
        &a,
        #[inline(always)]
        |m| m.svd(),
    );
    time(
        &format!("svd 2x2 {t} lanes"),
        &b,
        #[inline(always)]
        |m| m.svd(),
    );
    time(
        &format!("polar 3x3 {t} lanes"),
        &a,
        #[inline(always)]
        |m| m.polar(),
    );
    time(
        &format!("ln {t} lanes, 9 of them"),
        &a,
        #[inline(always)]
        |m| {
            m.map(
                #[inline(always)]
                |x| x.abs().ln(),
            )
        },
    );
    time(
        &format!("exp {t} lanes, 9 of them"),
        &a,
        #[inline(always)]
        |m| {
            m.map(
                #[inline(always)]
                |x| x.exp(),
            )
        },
    );
}

fn main() {
    println!("{}", Level::in_use().name());
    let a = matrices::<f32, 3>(|r| r() as f32);
    let b = matrices::<f64, 3>(|r| r());
    let e = matrices::<f32, 2>(|r| r() as f32);
    time("svd 3x3 f32", &a, |m| m.svd());
    time("svd 3x3 f64", &b, |m| m.svd());
    time("svd 2x2 f32", &e, |m| m.svd());
    time("polar 3x3 f32", &a, |m| m.polar());
    time("symmetric_eigen 3x3 f32", &a, |m| m.symmetric_eigen());
    time("symmetric_eigen 3x3 f64", &b, |m| m.symmetric_eigen());
    time("qr 3x3 f32", &a, |m| m.qr());
    dispatch(Lanes);
}
