//! A world with a bit of everything: five laws that collide, a turning obstacle, an inflow, a
//! drain, a periodic axis. What must hold for any scene is tried on it.

use std::sync::Arc;

use thixo_core::{Error, Result, World};
use thixo_grid::KernelKind;
use thixo_grid::transfer::Scheme;
use thixo_material::card;
use thixo_math::{Matrix, Real, Vector};
use thixo_mpm::{Force, Mpm, Options, Seed, named_matter};
use thixo_numerics::integrate::Integrator;
use thixo_shape::{
    Collider, Contact, Cuboid, Drain, HalfSpace, Method, Motion, Rigid, Shape, Sphere, Stream, fill,
};

use crate::lab;

/// How a menagerie is made.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Threads; 0 takes all cores.
    pub threads: usize,
    /// Everything is moved by this many cells along the open axis.
    pub shift: i32,
    /// Lengths and times are multiplied by this, stresses and speeds stay.
    pub scale: f64,
    /// Transfer scheme.
    pub scheme: Scheme,
    /// How velocities follow from forces.
    pub integrator: Integrator,
    /// Whether there is an obstacle that turns.
    pub turning: bool,
    /// Whether matter comes in and goes out.
    pub flowing: bool,
}

impl Default for Plan {
    fn default() -> Self {
        let scheme = Scheme::APIC;
        Self {
            threads: 1,
            shift: 0,
            scale: 1.0,
            scheme,
            integrator: Integrator::Explicit,
            turning: true,
            flowing: true,
        }
    }
}

const DX: f64 = 1.0 / 16.0;

fn bad(e: impl ToString) -> Error {
    Error::Invalid(e.to_string())
}

/// The laws in it, with parameters in SI units and a density.
const ZOO: [(&str, &[(&str, f64)], f64); 5] = [
    (
        "fixed-corotated",
        &[("youngs_modulus", 2e4), ("poissons_ratio", 0.3)],
        1000.0,
    ),
    ("snow", &[], 400.0),
    (
        "sand",
        &[
            ("youngs_modulus", 1e5),
            ("poissons_ratio", 0.3),
            ("friction_angle", 0.5),
        ],
        1600.0,
    ),
    (
        "liquid",
        &[("bulk_modulus", 2e4), ("viscosity", 0.1)],
        1000.0,
    ),
    (
        "neo-hookean",
        &[("youngs_modulus", 1e4), ("poissons_ratio", 0.2)],
        500.0,
    ),
];

/// Makes it.
pub fn menagerie<T: Real, const D: usize>(plan: &Plan) -> Result<World<T, D>> {
    let dx = DX * plan.scale;
    // The first axis is periodic with 32 cells, so that it cannot be shifted; the last is open.
    let mut period = [0.0; D];
    period[0] = 32.0 * dx;
    let domain = lab::periodic::<D>(dx, period)?;
    let shift = Vector::<f64, D>::axis(D - 1) * (plan.shift as f64 * dx);
    let at = |x: f64, y: f64| {
        Vector::from_fn(|a| match a {
            0 => x * dx,
            1 => y * dx,
            _ => 4.0 * dx,
        }) + shift
    };
    let mut world = lab::world::<T, D>(domain, plan.threads)?;
    world.gravity = Vector::axis(1) * (-9.81 / plan.scale);
    world.integrator = plan.integrator;
    for (n, (name, values, density)) in ZOO.into_iter().enumerate() {
        let card = card(name).ok_or_else(|| bad(name))?;
        let values = values.iter().map(|&(k, x)| match k {
            "viscosity" => (k, x * plan.scale),
            _ => (k, x),
        });
        let values = thixo_material::Values::new(card, values).map_err(bad)?;
        let matter = named_matter::<T, D>(name, &values).ok_or_else(|| bad(name))?;
        let matter = matter.map_err(bad)?;
        let options = Options {
            scheme: plan.scheme,
            kernel: if n == 4 {
                KernelKind::Cubic
            } else {
                KernelKind::Quadratic
            },
            force: if n == 0 {
                Force::Gradient
            } else {
                Force::LeastSquares
            },
            ..Options::default()
        };
        let mut set = Mpm::new(name, &domain, matter, options);
        // Samplers draw by cell: sampled at home, then moved.
        let centre = at(4.0 + 6.0 * n as f64, 6.0 + 2.0 * (n % 3) as f64) - shift;
        let ball = Sphere::new(centre, 2.6 * dx).map_err(bad)?;
        let v = Vector::from_fn(|a| [2.0 - n as f64, -2.0, 0.3][a]);
        let samples = fill(&ball, Method::Jittered, dx, 1 << D, 7).map_err(bad)?;
        set.add(
            samples
                .iter()
                .map(|s| Seed::new(s.x + shift, s.volume, density).moving(v)),
        )?;
        if plan.flowing && name == "liquid" {
            let nozzle: Arc<dyn Shape<D>> =
                Arc::new(Sphere::new(at(16.0, 14.0), 1.5 * dx).map_err(bad)?);
            let down = Vector::axis(1) * -1.5;
            let stream = Stream::new(nozzle, down, dx, 1 << D, 3, 0.0, 0.2 * plan.scale);
            set.add_inflow(stream.map_err(bad)?, density);
            let low = at(0.0, 0.0) - Vector::splat(100.0 * dx);
            let high = at(10.0, 1.5);
            let sink = Cuboid::from_corners(low, high).map_err(bad)?;
            set.add_drain(Drain::new(Arc::new(sink)));
        }
        world.add(set)?;
    }
    let floor = HalfSpace::new(at(0.0, 1.0), Vector::axis(1)).map_err(bad)?;
    world.colliders.push(Collider {
        name: "floor".into(),
        obstacle: Box::new(Rigid::fixed(Arc::new(floor))),
        contact: Contact::Separating { friction: 0.4 },
    });
    if plan.turning {
        let pivot = at(20.0, 4.0);
        let bar = Cuboid::new(pivot, Vector::from_fn(|a| [4.0, 0.5, 3.0][a] * dx)).map_err(bad)?;
        let spin = Matrix::from_fn(|i, j| match (i, j) {
            (0, 1) => -2.0 / plan.scale,
            (1, 0) => 2.0 / plan.scale,
            _ => 0.0,
        });
        let motion = Motion::Moving {
            velocity: Vector::zero(),
            spin,
            pivot,
        };
        world.colliders.push(Collider {
            name: "bar".into(),
            obstacle: Box::new(Rigid::new(Arc::new(bar), motion).map_err(bad)?),
            contact: Contact::Sticky,
        });
    }
    Ok(world)
}
