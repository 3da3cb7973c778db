//! The potential of bodies that meet, along ways that lead into them.

use thixo_grid::Domain;
use thixo_material::{Values, card};
use thixo_math::Vector;
use thixo_numerics::{Dynamics, Point};

use crate::lattice::lattice;
use crate::mutual::Collisions;
use crate::{Mesh, Mutual, Options, named_matter};

/// The largest jump of the potential between places on a vertex's way into its own body, as a share of its most: if it is
/// looked who meets whom at every place, and if that is done once, at the end of the way.
fn jumps<const D: usize>() -> [f64; 2] {
    let mutual = Mutual {
        friction: 0.0,
        within: true,
    };
    let options = Options {
        mutual: Some(mutual),
        ..Options::default()
    };
    let info = card("fixed-corotated").unwrap();
    let given = [("youngs_modulus", 1e4), ("poissons_ratio", 0.3)];
    let values = Values::new(info, given).unwrap();
    let matter = named_matter("fixed-corotated", &values).unwrap().unwrap();
    let mut mesh = Mesh::<f64, D>::new("m", options);
    let (points, cells) = lattice::<D>(Vector::zero(), [8; D], 0.1);
    mesh.add_solid("a", &points, &cells, matter, 1000.0)
        .unwrap();
    mesh.limits(&Domain::new(0.1).unwrap()).unwrap();
    // In the middle of the side x = 0.
    let middle = Vector::from_fn(|a| if a == 0 { 0.0 } else { 0.4 });
    let far = |x: &Vector<f64, D>| (*x - middle).norm();
    let mover = (0..mesh.len())
        .min_by(|i, j| far(&mesh.now.x[*i]).total_cmp(&far(&mesh.now.x[*j])))
        .unwrap();
    let vertices = (mesh.now.x.as_slice(), mesh.firmness.as_slice());
    let (bodies, trees) = (&mesh.bodies, &mut mesh.trees);
    let at = |k: u32| {
        // A little aside, so that no face is met exactly.
        let depth = 2e-3 * f64::from(k);
        let mut v: Vec<Point<f64>> = vec![[0.0; 4]; vertices.0.len()];
        v[mover] = [depth, 0.013 * depth, 0.007 * depth * f64::from(D == 3), 0.0];
        v
    };
    let mut worst = |anew: bool| {
        let mut all = Collisions::new(bodies, trees, mutual, vertices, 1.0);
        all.refresh(&at(WAY));
        let mut energies = Vec::new();
        for v in (0..=WAY).map(at) {
            if anew {
                all = Collisions::new(bodies, all.trees, mutual, vertices, 1.0);
                all.refresh(&v);
            }
            energies.push(all.energy(&v));
        }
        let most = energies.iter().fold(0.0, |m: f64, e| m.max(*e));
        assert!(most > 0.0);
        let steps = energies.windows(2).map(|e| (e[1] - e[0]).abs());
        steps.fold(0.0, f64::max) / most
    };
    [true, false].map(&mut worst)
}

/// Places on the way.
const WAY: u32 = 150;

#[test]
fn nothing_jumps_between_looks_at_who_meets_whom() {
    for [anew, once] in [jumps::<2>(), jumps::<3>()] {
        // Looked at anew it must jump, or there is nothing to show.
        assert!(anew > 0.1 && once < 0.04, "{anew} {once}");
    }
}
