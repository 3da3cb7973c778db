//! One file per shape.

mod capsule;
mod csg;
mod cuboid;
mod cylinder;
mod half_space;
mod height_field;
mod level_set;
mod mesh;
mod mesh_file;
mod polygon;
mod shell;
mod sphere;
mod torus;
mod transform;

pub use capsule::Capsule;
pub use csg::{Difference, Intersection, Union};
pub use cuboid::Cuboid;
pub use cylinder::Cylinder;
pub use half_space::HalfSpace;
pub use height_field::HeightField;
pub use level_set::LevelSet;
pub use mesh::Mesh;
pub(crate) use mesh::Soup;
pub use mesh_file::{MeshData, read_mesh};
pub use polygon::Polygon;
pub use shell::Shell;
pub use sphere::Sphere;
pub use torus::Torus;
pub use transform::Transformed;

use thixo_math::Vector;

/// The point of the segment a–b nearest to `x`.
pub(crate) fn closest_on_segment<const D: usize>(
    x: &Vector<f64, D>,
    a: &Vector<f64, D>,
    b: &Vector<f64, D>,
) -> Vector<f64, D> {
    let d = *b - *a;
    let l2 = d.norm2();
    if l2 > 0.0 {
        *a + d * ((*x - *a).dot(&d) / l2).clamp(0.0, 1.0)
    } else {
        *a
    }
}

/// Some unit vector across the unit vector `a`.
pub(crate) fn across<const D: usize>(a: &Vector<f64, D>) -> Vector<f64, D> {
    let least = (0..D).fold(0, |m, i| if a[i].abs() < a[m].abs() { i } else { m });
    let e = Vector::axis(least);
    (e - *a * a[least]).unit().unwrap_or(e)
}
