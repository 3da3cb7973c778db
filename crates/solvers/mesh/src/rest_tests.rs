//! Steps of bodies at rest.

use thixo_core::Step;
use thixo_grid::Domain;
use thixo_material::{Values, card};
use thixo_math::Vector;

use crate::lattice::lattice;
use crate::{Mesh, Options, named_matter};

/// A stiff body at rest has no force but what rounding makes: there is nothing to solve, however long the step.
#[test]
fn rest_in_single_precision_is_rest() {
    let (points, cells) = lattice::<3>(Vector([0.3, 0.7, 0.1]), [4; 3], 0.05);
    let info = card("fixed-corotated").unwrap();
    let given = [("youngs_modulus", 1e6), ("poissons_ratio", 0.4)];
    let values = Values::new(info, given).unwrap();
    let matter = named_matter("fixed-corotated", &values).unwrap().unwrap();
    let mut mesh = Mesh::<f32, 3>::new("m", Options::default());
    mesh.add_solid("s", &points, &cells, matter, 1000.0)
        .unwrap();
    let domain = Domain::new(0.1).unwrap();
    let mut s = Step {
        t: 0.0,
        dt: 1.0 / 24.0,
        domain: &domain,
        gravity: &Vector::zero(),
        colliders: &[],
        implicit: true,
    };
    for k in 0..4 {
        s.t = f64::from(k) * s.dt;
        mesh.step_alone(&s).unwrap();
        let effort = mesh.last_effort();
        assert!(effort.converged() && effort.iterations <= 2, "{effort:?}");
    }
    let way = mesh
        .now
        .x
        .iter()
        .zip(&points)
        .map(|(x, p)| (*x - *p).norm());
    assert!(way.fold(0.0, f64::max) < 1e-6);
}
