//! Small dense symmetric matrices of any size, for the tests only.

/// Rows of a square matrix.
pub(super) type Dense = Vec<Vec<f64>>;

/// ‖A‖_F
pub(super) fn norm(a: &Dense) -> f64 {
    a.iter().flatten().map(|x| x * x).sum::<f64>().sqrt()
}

/// ‖A − Aᵀ‖_F
pub(super) fn asymmetry(a: &Dense) -> f64 {
    let n = a.len();
    let pairs = (0..n).flat_map(|i| (0..n).map(move |j| (i, j)));
    pairs
        .map(|(i, j)| (a[i][j] - a[j][i]).powi(2))
        .sum::<f64>()
        .sqrt()
}

/// Largest eigenvalue of the symmetric part, by Jacobi's rotations.
pub(super) fn largest_eigenvalue(a: Dense) -> f64 {
    let n = a.len();
    let half = |i: usize, j: usize| 0.5 * (a[i][j] + a[j][i]);
    let mut a: Dense = (0..n)
        .map(|i| (0..n).map(|j| half(i, j)).collect())
        .collect();
    for _ in 0..30 {
        for p in 0..n {
            for q in p + 1..n {
                if a[p][q] == 0.0 {
                    continue;
                }
                let d = a[p][p] - a[q][q];
                // |θ| ≤ π/4, without which the sweeps need not converge.
                let theta = 0.5 * (2.0 * a[p][q] * d.signum()).atan2(d.abs());
                let (s, c) = theta.sin_cos();
                for row in &mut a {
                    let (x, y) = (row[p], row[q]);
                    row[p] = c * x + s * y;
                    row[q] = c * y - s * x;
                }
                let (top, bottom) = a.split_at_mut(q);
                for (x, y) in top[p].iter_mut().zip(&mut bottom[0]) {
                    (*x, *y) = (c * *x + s * *y, c * *y - s * *x);
                }
            }
        }
    }
    (0..n).map(|i| a[i][i]).fold(f64::NEG_INFINITY, f64::max)
}
