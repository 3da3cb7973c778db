//! How well cells are shaped.

use rayon::prelude::*;
use thixo_math::{Matrix, Vector};

use super::SolidMesh;

/// The worst cells of a mesh. Angles are those between faces (in two dimensions, between edges).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quality {
    /// The smallest angle \[rad\].
    pub smallest_angle: f64,
    /// The largest angle \[rad\].
    pub largest_angle: f64,
    /// D times the radius of the inscribed ball over that of the circumscribed one: 1 for a regular
    /// cell, 0 for a flat one.
    pub radius_ratio: f64,
}

impl Quality {
    fn worse(self, o: Self) -> Self {
        Self {
            smallest_angle: self.smallest_angle.min(o.smallest_angle),
            largest_angle: self.largest_angle.max(o.largest_angle),
            radius_ratio: self.radius_ratio.min(o.radius_ratio),
        }
    }
}

/// The worst of all cells; minima and maxima do not depend on their order.
pub(super) fn worst<const D: usize>(mesh: &SolidMesh<D>) -> Quality {
    let best = Quality {
        smallest_angle: std::f64::consts::PI,
        largest_angle: 0.0,
        radius_ratio: 1.0,
    };
    (0..mesh.cells.len())
        .into_par_iter()
        .map(|k| of(&mesh.edges(k)))
        .reduce(|| best, Quality::worse)
}

/// The quality of a cell by its edges from one corner. The gradient of a corner's weight points from
/// the opposite face to the corner and is one over the height long.
fn of<const D: usize>(edges: &Matrix<f64, D>) -> Quality {
    let inverse = edges.inverse();
    let mut gradient = [Vector::<f64, D>::zero(); 4];
    for k in 0..D {
        gradient[k + 1] = Vector::from_fn(|i| inverse[(k, i)]);
        gradient[0] -= gradient[k + 1];
    }
    let (mut smallest, mut largest) = (f64::INFINITY, 0.0f64);
    for a in 0..=D {
        for b in 0..a {
            let (g, h) = (gradient[a], gradient[b]);
            let angle = (-g.dot(&h) / (g.norm() * h.norm())).clamp(-1.0, 1.0).acos();
            smallest = smallest.min(angle);
            largest = largest.max(angle);
        }
    }
    // The faces' areas are to D times the volume as the gradients' lengths to 1.
    let inner = 1.0 / gradient[..=D].iter().map(|g| g.norm()).sum::<f64>();
    // The centre is as far from the first corner as from all others: e · c = e²/2.
    let half: [f64; D] = std::array::from_fn(|j| 0.5 * edges.column(j).norm2());
    let center = Vector::<f64, D>::from_fn(|i| (0..D).map(|j| inverse[(j, i)] * half[j]).sum());
    Quality {
        smallest_angle: smallest,
        largest_angle: largest,
        radius_ratio: D as f64 * inner / center.norm(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_that_are_known() {
        // The corner of a cube: right angles, and acos(1/√3) at the slanted face.
        let corner = of(&Matrix::<f64, 3>::identity());
        assert!((corner.largest_angle.to_degrees() - 90.0).abs() < 1e-9);
        assert!((corner.smallest_angle - (1.0f64 / 3.0).sqrt().acos()).abs() < 1e-12);
        // Radii: (3 − √3)/6 inside, √3/2 around.
        let ratio = (3.0 - 3f64.sqrt()) / 3f64.sqrt();
        assert!((corner.radius_ratio - ratio).abs() < 1e-12);
        let regular = of(&Matrix::<f64, 3>::from_fn(|i, j| {
            f64::from(u8::from(i != j))
        }));
        assert!((regular.radius_ratio - 1.0).abs() < 1e-12);
        assert!((regular.smallest_angle - (1.0f64 / 3.0).acos()).abs() < 1e-12);
        let half = 0.5 * 3f64.sqrt();
        let even = of(&Matrix::<f64, 2>::from_fn(|i, j| {
            [[1.0, 0.5], [0.0, half]][i][j]
        }));
        assert!((even.largest_angle.to_degrees() - 60.0).abs() < 1e-9);
        assert!((even.radius_ratio - 1.0).abs() < 1e-12);
        let flat = of(&Matrix::<f64, 2>::from_fn(|i, j| {
            [[1.0, 0.5], [0.0, 1e-3]][i][j]
        }));
        assert!(flat.radius_ratio < 1e-2 && flat.largest_angle > 3.1);
    }
}
