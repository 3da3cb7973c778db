//! Nanoseconds per decomposition: `cargo run --release -p thixo-math --example timing`.

use std::hint::black_box;
use std::time::Instant;

use thixo_math::{Lane, Matrix, Wide};

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
fn time<L: Lane, const D: usize, R>(
    name: &str,
    lanes: usize,
    data: &[Matrix<L, D>],
    f: impl Fn(&Matrix<L, D>) -> R,
) {
    let mut out: Vec<R> = data.iter().map(&f).collect();
    let mut best = f64::INFINITY;
    for _ in 0..200 {
        let start = Instant::now();
        for (o, m) in out.iter_mut().zip(black_box(data)) {
            *o = f(m);
        }
        black_box(&mut out);
        best = best.min(start.elapsed().as_secs_f64());
    }
    let ns = best * 1e9 / (data.len() * lanes) as f64;
    println!("{name:<28} {ns:8.1} ns");
}

fn main() {
    let a = matrices::<f32, 3>(|r| r() as f32);
    let b = matrices::<f64, 3>(|r| r());
    let c = matrices::<Wide<f32, 8>, 3>(|r| Wide(std::array::from_fn(|_| r() as f32)));
    let d = matrices::<Wide<f64, 4>, 3>(|r| Wide(std::array::from_fn(|_| r())));
    let e = matrices::<f32, 2>(|r| r() as f32);
    let f = matrices::<f64, 2>(|r| r());
    time("svd 3x3 f32", 1, &a, |m| m.svd());
    time("svd 3x3 f64", 1, &b, |m| m.svd());
    time("svd 3x3 f32 x 8, each", 8, &c, |m| m.svd());
    time("svd 3x3 f64 x 4, each", 4, &d, |m| m.svd());
    time("svd 2x2 f32", 1, &e, |m| m.svd());
    time("svd 2x2 f64", 1, &f, |m| m.svd());
    time("polar 3x3 f32", 1, &a, |m| m.polar());
    time("polar 2x2 f32", 1, &e, |m| m.polar());
    time("symmetric_eigen 3x3 f32", 1, &a, |m| m.symmetric_eigen());
    time("symmetric_eigen 3x3 f64", 1, &b, |m| m.symmetric_eigen());
    time("qr 3x3 f32", 1, &a, |m| m.qr());
}
