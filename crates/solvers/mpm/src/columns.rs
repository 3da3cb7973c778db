//! Columns: one slice of numbers per component, so that neighbours in memory are neighbours in a register.

use rayon::prelude::*;
use thixo_math::{Lane, Matrix, Pack, Real, Simd, Vector};

/// A column per component of a vector.
pub(crate) type Vectors<T, const D: usize> = [Vec<T>; D];
/// A column per entry of a matrix.
pub(crate) type Matrices<T, const D: usize> = [[Vec<T>; D]; D];
/// A column per entry of a symmetric matrix: the diagonal, then the upper triangle row by row. In the
/// plane the last three are empty.
pub(crate) type Symmetric<T> = [Vec<T>; 6];

/// Number of entries of a symmetric matrix.
pub(crate) const fn symmetric(dimension: usize) -> usize {
    dimension * (dimension + 1) / 2
}

/// Row and column of entry `n` of a symmetric matrix.
#[inline(always)]
pub(crate) const fn entry<const D: usize>(n: usize) -> (usize, usize) {
    match (D, n) {
        (_, 0) => (0, 0),
        (_, 1) => (1, 1),
        (2, _) => (0, 1),
        (_, 2) => (2, 2),
        (_, 3) => (0, 1),
        (_, 4) => (0, 2),
        _ => (1, 2),
    }
}

/// The entry of a symmetric matrix at a row and a column.
#[inline(always)]
const fn number<const D: usize>(a: usize, b: usize) -> usize {
    if a == b { a } else { D + a + b - 1 }
}

/// No columns.
pub(crate) fn none<T, const N: usize>() -> [Vec<T>; N] {
    std::array::from_fn(|_| Vec::new())
}
/// No columns.
pub(crate) fn no_matrices<T, const D: usize>() -> Matrices<T, D> {
    std::array::from_fn(|_| none())
}

/// All slices.
#[inline(always)]
pub(crate) fn slices<T, const N: usize>(columns: &[Vec<T>; N]) -> [&[T]; N] {
    std::array::from_fn(|a| columns[a].as_slice())
}
/// All slices, to write.
pub(crate) fn slices_mut<T, const N: usize>(columns: &mut [Vec<T>; N]) -> [&mut [T]; N] {
    columns.each_mut().map(|c| c.as_mut_slice())
}
/// All slices, to write.
pub(crate) fn matrices_mut<T, const D: usize>(columns: &mut Matrices<T, D>) -> [[&mut [T]; D]; D] {
    columns.each_mut().map(slices_mut)
}

/// The vector of particle `i`.
#[inline(always)]
pub(crate) fn vector<T: Real, C: AsRef<[T]>, const D: usize>(
    columns: &[C; D],
    i: usize,
) -> Vector<T, D> {
    Vector::from_fn(|a| columns[a].as_ref()[i])
}
/// The matrix of particle `i`.
#[inline(always)]
pub(crate) fn matrix<T: Real, C: AsRef<[T]>, const D: usize>(
    columns: &[[C; D]; D],
    i: usize,
) -> Matrix<T, D> {
    Matrix::from_fn(|a, b| columns[a][b].as_ref()[i])
}

/// What a column has more than there are particles, so that a register can be filled from any of them.
pub(crate) const PAD: usize = 16;

/// The vectors from particle `i` on, in lanes; of padded columns.
#[inline(always)]
pub(crate) fn vector_lanes<T: Real, S: Simd, const D: usize>(
    s: S,
    columns: &[&[T]; D],
    i: usize,
) -> Vector<Pack<T, S>, D> {
    Vector::from_fn(
        #[inline(always)]
        |a| Pack::load(s, &columns[a][i..]),
    )
}
/// The matrices from particle `i` on, in lanes; of padded columns.
#[inline(always)]
pub(crate) fn matrix_lanes<T: Real, S: Simd, const D: usize>(
    s: S,
    columns: &[[&[T]; D]; D],
    i: usize,
) -> Matrix<Pack<T, S>, D> {
    Matrix::from_fn(
        #[inline(always)]
        |a, b| Pack::load(s, &columns[a][b][i..]),
    )
}
/// The symmetric matrices from particle `i` on, in lanes; of padded columns.
#[inline(always)]
pub(crate) fn symmetric_lanes<T: Real, S: Simd, const D: usize>(
    s: S,
    columns: &[&[T]; 6],
    i: usize,
) -> Matrix<Pack<T, S>, D> {
    Matrix::from_fn(
        #[inline(always)]
        |a, b| Pack::load(s, &columns[number::<D>(a, b)][i..]),
    )
}
/// The vectors from particle `i` on, in lanes, of columns that end with the block: the last is repeated.
#[inline(always)]
pub(crate) fn some_vectors<T: Real, S: Simd, C: AsRef<[T]>, const D: usize>(
    s: S,
    columns: &[C; D],
    i: usize,
) -> Vector<Pack<T, S>, D> {
    if columns[0].as_ref().len() - i >= lanes::<T, S>() {
        return Vector::from_fn(
            #[inline(always)]
            |a| Pack::load(s, &columns[a].as_ref()[i..]),
        );
    }
    Vector::from_fn(
        #[inline(always)]
        |a| Pack::load_some(s, &columns[a].as_ref()[i..]),
    )
}
/// The matrices from particle `i` on, in lanes, of columns that end with the block: the last is repeated.
#[inline(always)]
pub(crate) fn some_matrices<T: Real, S: Simd, C: AsRef<[T]>, const D: usize>(
    s: S,
    columns: &[[C; D]; D],
    i: usize,
) -> Matrix<Pack<T, S>, D> {
    if columns[0][0].as_ref().len() - i >= lanes::<T, S>() {
        return Matrix::from_fn(
            #[inline(always)]
            |a, b| Pack::load(s, &columns[a][b].as_ref()[i..]),
        );
    }
    Matrix::from_fn(
        #[inline(always)]
        |a, b| Pack::load_some(s, &columns[a][b].as_ref()[i..]),
    )
}
/// Puts vectors in lanes into the columns from particle `i` on, as many as there are.
#[inline(always)]
pub(crate) fn put_vector<T: Real, S: Simd, const D: usize>(
    x: &Vector<Pack<T, S>, D>,
    columns: &mut [&mut [T]; D],
    i: usize,
) {
    if columns[0].len() - i >= lanes::<T, S>() {
        for a in 0..D {
            x[a].store(&mut columns[a][i..]);
        }
    } else {
        for a in 0..D {
            x[a].store_some(&mut columns[a][i..]);
        }
    }
}
/// Puts matrices in lanes into the columns from particle `i` on, as many as there are.
#[inline(always)]
pub(crate) fn put_matrix<T: Real, S: Simd, const D: usize>(
    x: &Matrix<Pack<T, S>, D>,
    columns: &mut [[&mut [T]; D]; D],
    i: usize,
) {
    if columns[0][0].len() - i >= lanes::<T, S>() {
        for a in 0..D {
            for b in 0..D {
                x[(a, b)].store(&mut columns[a][b][i..]);
            }
        }
    } else {
        for a in 0..D {
            for b in 0..D {
                x[(a, b)].store_some(&mut columns[a][b][i..]);
            }
        }
    }
}

/// Puts a column into a new order, which may leave particles out; `spare` is room that it takes and gives.
pub(crate) fn permute<X: Copy + Send + Sync>(
    order: &[u32],
    column: &mut Vec<X>,
    spare: &mut Vec<X>,
) {
    spare.clear();
    if !column.is_empty() {
        let moved = order.par_iter().with_min_len(4096);
        moved.map(|&i| column[i as usize]).collect_into_vec(spare);
    }
    std::mem::swap(column, spare);
}

/// Vectors, particle by particle.
pub(crate) fn rows<T: Real, const D: usize>(
    columns: &Vectors<T, D>,
    n: usize,
) -> Vec<Vector<T, D>> {
    (0..n).into_par_iter().map(|i| vector(columns, i)).collect()
}
/// Matrices, particle by particle.
pub(crate) fn matrix_rows<T: Real, const D: usize>(
    columns: &Matrices<T, D>,
    n: usize,
) -> Vec<Matrix<T, D>> {
    (0..n.min(columns[0][0].len()))
        .into_par_iter()
        .map(|i| matrix(columns, i))
        .collect()
}
/// Columns of vectors.
pub(crate) fn columns<T: Real, const D: usize>(rows: &[Vector<T, D>]) -> Vectors<T, D> {
    std::array::from_fn(|a| rows.iter().map(|r| r[a]).collect())
}
/// Columns of matrices.
pub(crate) fn matrix_columns<T: Real, const D: usize>(rows: &[Matrix<T, D>]) -> Matrices<T, D> {
    std::array::from_fn(|a| std::array::from_fn(|b| rows.iter().map(|r| r[(a, b)]).collect()))
}

/// Lanes of a register.
#[inline(always)]
pub(crate) const fn lanes<T: Real, S: Simd>() -> usize {
    Pack::<T, S>::COUNT
}
