//! T5 for meshes: every vertex falls as x₀ + n v₀ dt + ½ g dt² n(n+1), by itself and through the grid.

use thixo_core::{Observer, PointSet, Result};
use thixo_grid::KernelKind;
use thixo_grid::transfer::Scheme;
use thixo_math::Vector;
use thixo_mesh::{Mesh, Options, Way, lattice::lattice};
use thixo_numerics::integrate::Integrator;

use super::rubber;
use crate::lab::{self, random, worst};
use crate::{Bench, Tag};

struct Last(PointSet);
impl Observer for Last {
    fn points(&mut self, set: &PointSet) -> Result<()> {
        self.0 = set.clone();
        Ok(())
    }
}

/// The worst error of a place \[m\]; `later` is 1, or 0 for positions from the old velocity.
fn fall<const D: usize>(way: Way, integrator: Integrator, later: i32) -> Result<f64> {
    let domain = lab::domain::<D>(0.1)?;
    let (mut points, cells) = lattice::<D>(Vector::splat(-0.3), [4; D], 0.15);
    let mut random = random(5);
    for x in &mut points {
        *x += Vector::from_fn(|_| 0.03 * (random() - 0.5));
    }
    let options = Options {
        way,
        ..Options::default()
    };
    let mut mesh = Mesh::<f64, D>::new("mesh", options);
    let body = mesh.add_solid("body", &points, &cells, rubber(1e3)?, 1000.0)?;
    let v0 = Vector::from_fn(|a| [0.7, -0.4, 0.2][a]);
    let g = Vector::from_fn(|a| [0.0, -9.81, 1.0][a]);
    mesh.place(body, |_, x| (*x, v0))?;
    let mut world = lab::world::<f64, D>(domain, 1)?;
    (world.gravity, world.integrator) = (g, integrator);
    world.add(mesh)?;
    let (dt, n) = (1e-3, 200i32);
    world.limit_step(dt);
    for _ in 0..n {
        world.step(1e9)?;
    }
    let mut last = Last(PointSet::default());
    world.observe(&mut last)?;
    let way = v0 * (f64::from(n) * dt) + g * (0.5 * dt * dt * f64::from(n * (n + later)));
    let far = |(x, at): (&Vector<f64, D>, &[f64; 3])| {
        let off = *x + way - Vector::from_fn(|a| at[a]);
        off.max_abs()
    };
    Ok(worst(points.iter().zip(&last.0.position).map(far)))
}

/// T5: free fall of every vertex.
pub fn t5(b: &mut Bench) -> Result<()> {
    let grid = |kernel| Way::Grid {
        kernel,
        scheme: Scheme::APIC,
        cfl: 0.5,
    };
    let ways = [
        ("free mesh", Way::Free),
        (
            "mesh through the grid, quadratic",
            grid(KernelKind::Quadratic),
        ),
        ("mesh through the grid, cubic", grid(KernelKind::Cubic)),
    ];
    for (name, way) in ways {
        for (how, integrator) in [
            ("explicit", Integrator::Explicit),
            ("implicit", Integrator::Implicit),
        ] {
            let two = fall::<2>(way, integrator, 1)?;
            let three = fall::<3>(way, integrator, 1)?;
            b.at_most(&format!("{name}, {how} [m]"), two.max(three), 1e-12, Tag::X);
        }
    }
    let off = fall::<2>(Way::Free, Integrator::Explicit, 0)?;
    b.at_most(
        "control: positions from the old velocity [m]",
        off,
        1e-12,
        Tag::X,
    );
    b.control();
    Ok(())
}
