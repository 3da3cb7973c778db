//! The surface that a set brings with it.

use thixo_core::PointSet;

use super::{Mesh, smooth};
use crate::Result;
use crate::table::faces;

/// The mesh of a set's own faces, without points inside the body. Points keep their order.
pub(super) fn own(set: &PointSet) -> Result<Mesh> {
    let faces = faces(set)?;
    let mut number = vec![u32::MAX; set.position.len()];
    faces.iter().flatten().for_each(|&k| number[k as usize] = 0);
    let mut mesh = Mesh::named(set);
    let used = number.iter_mut().enumerate().filter(|(_, n)| **n == 0);
    for (k, n) in used {
        *n = mesh.position.len() as u32;
        mesh.position.push(set.position[k]);
        mesh.velocity
            .push(set.velocity.get(k).copied().unwrap_or([0.0; 3]));
    }
    let renumbered = faces.iter().map(|f| f.map(|k| number[k as usize]));
    mesh.triangle = renumbered.collect();
    mesh.normal = smooth::normals(&mesh.position, &mesh.triangle);
    Ok(mesh)
}

#[cfg(test)]
mod tests {
    use super::super::{Surfacing, surface};
    use crate::sample;

    #[test]
    fn a_set_with_faces_keeps_them() {
        let set = sample::skin(6);
        let mesh = surface(&set, &Surfacing::default()).unwrap();
        assert_eq!(mesh.triangle.len(), set.faces.len());
        assert!(
            mesh.position.len() < set.position.len(),
            "the middle is inside"
        );
        for (t, f) in mesh.triangle.iter().zip(&set.faces) {
            for (&a, &b) in t.iter().zip(f) {
                let (a, b) = (a as usize, b as usize);
                assert_eq!(mesh.position[a], set.position[b]);
                assert_eq!(mesh.velocity[a], set.velocity[b]);
            }
        }
        // A cube around the middle.
        assert!(
            (mesh.volume() - 8.0 * 0.3f64.powi(3)).abs() < 1e-12,
            "{}",
            mesh.volume()
        );
        let mut lost = set.clone();
        lost.faces[3][1] = 4000;
        let e = surface(&lost, &Surfacing::default())
            .unwrap_err()
            .to_string();
        assert!(e.contains("face 3 names point 4000"), "{e}");
    }
}
