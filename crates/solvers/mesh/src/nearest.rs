//! The nearest point of a face, and how the squared distance to it changes.

use thixo_math::{Matrix, Vector};

/// The nearest point of a triangle (in the plane: of a segment) to `p`: its weights, 0 for corners that do not count.
pub(crate) fn nearest<const D: usize>(p: &Vector<f64, D>, q: &[Vector<f64, D>; D]) -> [f64; D] {
    let mut best = (f64::INFINITY, [0.0; D]);
    // All corners, edges and the face itself: the nearest of those whose own nearest point is inside.
    for set in 1u32..1 << D {
        let list: Vec<usize> = (0..D).filter(|i| set >> i & 1 == 1).collect();
        let Some(w) = affine(p, q, &list) else {
            continue;
        };
        if w.iter().any(|w| *w < 0.0) {
            continue;
        }
        let at = (0..D).fold(Vector::zero(), |s, i| s + q[i] * w[i]);
        let d = (*p - at).norm2();
        if d < best.0 {
            best = (d, w);
        }
    }
    best.1
}

/// The unit normal of a boundary face, away from the body; `None` if the face has no size.
pub(crate) fn outward<const D: usize>(q: &[Vector<f64, D>; D]) -> Option<Vector<f64, D>> {
    let e = q[1] - q[0];
    let n = match D {
        2 => Vector::from_fn(|a| if a == 0 { e[1] } else { -e[0] }),
        _ => {
            let f = q[2] - q[0];
            Vector::from_fn(|a| {
                let (b, c) = ((a + 1) % 3, (a + 2) % 3);
                e[b] * f[c] - e[c] * f[b]
            })
        }
    };
    n.unit()
}

/// Edges from the first of these corners, and the inverse of the matrix of their products.
fn frame<const D: usize>(
    q: &[Vector<f64, D>; D],
    list: &[usize],
) -> Option<([Vector<f64, D>; 2], [[f64; 2]; 2])> {
    let mut e = [Vector::zero(); 2];
    for (k, i) in list[1..].iter().enumerate() {
        e[k] = q[*i] - q[list[0]];
    }
    let (a, b, c) = (e[0].norm2(), e[0].dot(&e[1]), e[1].norm2());
    let inverse = match list.len() {
        1 => [[0.0; 2]; 2],
        2 if a > 0.0 => [[1.0 / a, 0.0], [0.0, 0.0]],
        3 => {
            let det = a * c - b * b;
            if det <= 1e-14 * a * c {
                return None;
            }
            [[c / det, -b / det], [-b / det, a / det]]
        }
        _ => return None,
    };
    Some((e, inverse))
}

/// Weights of the nearest point of the plane through these corners.
fn affine<const D: usize>(
    p: &Vector<f64, D>,
    q: &[Vector<f64, D>; D],
    list: &[usize],
) -> Option<[f64; D]> {
    let (e, inverse) = frame(q, list)?;
    let r = *p - q[list[0]];
    let b = [e[0].dot(&r), e[1].dot(&r)];
    let mut w = [0.0; D];
    let mut rest = 1.0;
    for (k, i) in list[1..].iter().enumerate() {
        w[*i] = inverse[k][0] * b[0] + inverse[k][1] * b[1];
        rest -= w[*i];
    }
    w[list[0]] = rest;
    Some(w)
}

/// Second derivatives of the squared distance d of p to the nearest point Σ w q: blocks of p and the D corners.
///
/// d is least in the weights τ that count, so with r = Σ c_s y_s, c = (1, −w), and e the edges between their corners,
/// ∂²d = 2 c_s c_t I − Σ X_si (2 eᵀe)⁻¹_ij X_tj, X_sj = −2 c_s e_j + 2 (∂c_s/∂τ_j) r.
pub(crate) fn curve<const D: usize>(
    r: &Vector<f64, D>,
    q: &[Vector<f64, D>; D],
    w: &[f64; D],
) -> [[Matrix<f64, D>; 4]; 4] {
    let list: Vec<usize> = (0..D).filter(|i| w[*i] != 0.0).collect();
    let c = |s: usize| if s == 0 { 1.0 } else { -w[s - 1] };
    let mut H = [[Matrix::zero(); 4]; 4];
    for s in 0..=D {
        for t in 0..=D {
            H[s][t] = Matrix::scalar(2.0 * c(s) * c(t));
        }
    }
    let Some((e, inverse)) = frame(q, &list) else {
        return H;
    };
    let free = list.len() - 1;
    let X = |s: usize, j: usize| {
        let change = match s {
            0 => 0.0,
            s if s - 1 == list[j + 1] => -1.0,
            s if s - 1 == list[0] => 1.0,
            _ => 0.0,
        };
        e[j] * (-2.0 * c(s)) + *r * (2.0 * change)
    };
    for s in 0..=D {
        for t in 0..=D {
            for i in 0..free {
                for j in 0..free {
                    H[s][t] -= X(s, i).outer(&X(t, j)) * (0.5 * inverse[i][j]);
                }
            }
        }
    }
    H
}
