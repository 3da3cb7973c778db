//! Vectors of unknowns: four numbers at each point, of which the first D count and the others stay 0. Sums go along
//! a tree whose shape depends on the number of points alone, so that they have the same bits on any threads.

use rayon::prelude::*;
use thixo_math::Real;

/// What is unknown at one point: a grid node, a vertex of a mesh.
pub type Point<T> = [T; 4];

/// Points that one thread takes at once.
const GRAIN: usize = 4096;

/// Σ f over pairs of points, in `f64`.
pub fn sum_pairs<A: Sync, B: Sync>(a: &[A], b: &[B], f: &(impl Fn(&A, &B) -> f64 + Sync)) -> f64 {
    if a.len() <= GRAIN {
        return a.iter().zip(b).map(|(a, b)| f(a, b)).sum();
    }
    let mid = (a.len() / 2).next_multiple_of(GRAIN);
    let ((a0, a1), (b0, b1)) = (a.split_at(mid), b.split_at(mid));
    let (x, y) = rayon::join(|| sum_pairs(a0, b0, f), || sum_pairs(a1, b1, f));
    x + y
}

/// a · b
pub fn dot<T: Real>(a: &[Point<T>], b: &[Point<T>]) -> f64 {
    sum_pairs(a, b, &|a, b| {
        let mut sum = 0.0;
        for k in 0..4 {
            sum += a[k].wide() * b[k].wide();
        }
        sum
    })
}

/// ‖a‖
pub fn norm<T: Real>(a: &[Point<T>]) -> f64 {
    dot(a, a).sqrt()
}

/// Calls `f` with every point of `to` and the one of `from` at the same place.
pub fn each<T: Real, B: Sync>(
    to: &mut [Point<T>],
    from: &[B],
    f: impl Fn(&mut Point<T>, &B) + Sync,
) {
    let parts = to.par_chunks_mut(GRAIN).zip(from.par_chunks(GRAIN));
    parts.for_each(|(to, from)| to.iter_mut().zip(from).for_each(|(t, x)| f(t, x)));
}

/// to ← to + s x
pub fn add_scaled<T: Real>(to: &mut [Point<T>], s: f64, x: &[Point<T>]) {
    let s = T::of(s);
    each(to, x, |t, x| {
        for k in 0..4 {
            t[k] += s * x[k];
        }
    });
}

/// to ← x + s to
pub fn scale_and_add<T: Real>(to: &mut [Point<T>], s: f64, x: &[Point<T>]) {
    let s = T::of(s);
    each(to, x, |t, x| {
        for k in 0..4 {
            t[k] = x[k] + s * t[k];
        }
    });
}

/// to ← s to
pub fn scale<T: Real>(to: &mut [Point<T>], s: f64) {
    let s = T::of(s);
    to.par_chunks_mut(GRAIN)
        .for_each(|part| part.as_flattened_mut().iter_mut().for_each(|x| *x *= s));
}

/// Makes it `n` zeros.
pub fn clear<T: Real>(to: &mut Vec<Point<T>>, n: usize) {
    to.clear();
    to.resize(n, [T::zero(); 4]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_do_not_depend_on_threads() {
        let a: Vec<Point<f32>> = (0..50_000)
            .map(|i| [(i as f32).sin(), 1e-3, 0.0, 7.0])
            .collect();
        let b: Vec<Point<f32>> = (0..50_000)
            .map(|i| [(i as f32 * 0.3).cos(), 2.0, 1.0, 0.1])
            .collect();
        let with = |n: usize| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(n)
                .build()
                .unwrap();
            pool.install(|| dot(&a, &b)).to_bits()
        };
        let one = with(1);
        assert!([2, 3, 7].iter().all(|n| with(*n) == one));
        let plain: f64 = a
            .iter()
            .zip(&b)
            .map(|(a, b)| {
                (0..4)
                    .map(|k| f64::from(a[k]) * f64::from(b[k]))
                    .sum::<f64>()
            })
            .sum();
        assert!((f64::from_bits(one) - plain).abs() < 1e-9 * plain.abs());
        // Another order of summation does change bits: the check above can fail.
        let back: f64 = a
            .iter()
            .zip(&b)
            .rev()
            .map(|(a, b)| f64::from(a[0]) * f64::from(b[0]))
            .sum();
        let fore: f64 = a
            .iter()
            .zip(&b)
            .map(|(a, b)| f64::from(a[0]) * f64::from(b[0]))
            .sum();
        assert_ne!(back.to_bits(), fore.to_bits());
    }
}
