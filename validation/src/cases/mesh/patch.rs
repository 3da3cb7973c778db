//! S1: the patch test: an affine map of an irregular mesh deforms every element alike and leaves the inside without force.

use thixo_core::Result;
use thixo_math::{Matrix, Vector};
use thixo_mesh::{Mesh, Options, lattice::lattice};

use super::{Alone, rubber};
use crate::lab::random;
use crate::{Bench, Tag};

const YOUNG: f64 = 1e5;

/// Worst error of F, and largest force on a vertex inside \[N\] over E A, under x ↦ A x + `bend` x₀² e₁.
fn patch<const D: usize>(bend: f64) -> Result<[f64; 2]> {
    let n = 4;
    let (mut points, cells) = lattice::<D>(Vector::zero(), [n; D], 0.25);
    let mut random = random(8);
    let inside = |x: &Vector<f64, D>| (0..D).all(|a| x[a] > 0.01 && x[a] < 0.99);
    let free: Vec<bool> = points.iter().map(inside).collect();
    for (x, _) in points.iter_mut().zip(&free).filter(|(_, free)| **free) {
        *x += Vector::from_fn(|_| 0.1 * (random() - 0.5));
    }
    let map = Matrix::<f64, D>::from_fn(|i, j| {
        [[1.2, 0.3, -0.1], [0.05, 0.8, 0.2], [-0.2, 0.1, 1.1]][i][j]
    });
    let mut mesh = Mesh::<f64, D>::new("mesh", Options::default());
    let body = mesh.add_solid("body", &points, &cells, rubber(YOUNG)?, 1000.0)?;
    mesh.place(body, |_, x| {
        let off = Vector::axis(1) * (bend * x[0] * x[0]);
        (map * *x + off, Vector::zero())
    })?;
    let found = mesh.deformations();
    let wrong = found.iter().map(|f| (*f - map).max_abs());
    let wrong = wrong.fold(0.0, f64::max);
    let mut alone = Alone::new(mesh)?;
    // One explicit step from rest: m v/dt is the force.
    let dt = 1e-6;
    alone.step(dt, false)?;
    let m = alone.mesh.masses();
    let v = alone.mesh.velocities();
    let forces = (0..v.len()).filter(|i| free[*i]);
    let force = forces.map(|i| v[i].norm() * m[i] / dt).fold(0.0, f64::max);
    let area = 0.25f64.powi(D as i32 - 1);
    Ok([wrong, force / (YOUNG * area)])
}

/// S1: the patch test.
pub fn s1(b: &mut Bench) -> Result<()> {
    for (name, [wrong, force]) in [("2D", patch::<2>(0.0)?), ("3D", patch::<3>(0.0)?)] {
        b.at_most(&format!("{name}: worst error of F"), wrong, 1e-12, Tag::X);
        b.at_most(
            &format!("{name}: force inside over E A"),
            force,
            1e-12,
            Tag::X,
        );
    }
    let [wrong, force] = patch::<3>(0.1)?;
    b.at_most("control: a map that is not affine, F", wrong, 1e-12, Tag::X);
    b.control();
    b.at_most(
        "control: a map that is not affine, force",
        force,
        1e-12,
        Tag::X,
    );
    b.control();
    Ok(())
}
