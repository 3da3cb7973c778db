//! The random cube and the point cube of [Jiang15] §A.7 at any size: `cube random|point cells stiffness steps`.

use std::time::Instant;

use thixo_core::Step;
use thixo_grid::Domain;
use thixo_material::Law;
use thixo_material::Values;
use thixo_material::elastic::FixedCorotated;
use thixo_math::Vector;
use thixo_mesh::{Mesh, Options, lattice::lattice, named_matter};
use thixo_numerics::integrate::Accuracy;

fn number(state: &mut u64) -> f64 {
    *state = state
        .wrapping_mul(6364136223846793005)
        .wrapping_add(1442695040888963407);
    (*state >> 11) as f64 / (1u64 << 53) as f64
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().collect();
    let [_, what, n, young, steps, rest @ ..] = &args[..] else {
        return Err("cube random|point cells stiffness steps [tolerance]".into());
    };
    let (n, young, steps): (usize, f64, u32) = (n.parse()?, young.parse()?, steps.parse()?);
    let tolerance = rest.first().map_or(Ok(1e-3), |t| t.parse())?;
    let values = Values::new(
        <FixedCorotated<f64> as Law<f64, 3>>::INFO,
        [("youngs_modulus", young), ("poissons_ratio", 0.3)],
    )?;
    let matter = named_matter::<f64, 3>("fixed-corotated", &values).ok_or("law")??;
    let (points, cells) = lattice(Vector::zero(), [n; 3], 1.0 / n as f64);
    let accuracy = Accuracy {
        tolerance,
        iterations: 2000,
        products: 2000,
        ..Accuracy::default()
    };
    let options = Options {
        accuracy,
        ..Options::default()
    };
    let mut mesh = Mesh::<f64, 3>::new("cube", options);
    if std::env::var("WATCH").is_ok() {
        mesh = mesh.watched(Box::new(|e, s| println!("    E {e:.12e}  size {s:.3e}")));
    }
    let body = mesh.add_solid("cube", &points, &cells, matter, 1000.0)?;
    let mut seed = 7;
    let random = what == "random";
    mesh.place(body, |_, _| {
        let x = Vector::from_fn(|_| number(&mut seed));
        let x = if random { x } else { Vector::splat(0.5) };
        (x, Vector::zero())
    })?;
    let domain = Domain::new(1.0)?;
    let gravity = Vector::zero();
    let start = Instant::now();
    for k in 0..steps {
        let s = Step {
            t: f64::from(k) / 24.0,
            dt: 1.0 / 24.0,
            domain: &domain,
            gravity: &gravity,
            colliders: &[],
            implicit: true,
        };
        mesh.step_alone(&s)?;
        let inverted = mesh
            .deformations()
            .iter()
            .filter(|f| f.det() <= 0.0)
            .count();
        let rms = rms_to_rest(mesh.positions(), mesh.rest_positions());
        let e = mesh.last_effort();
        println!(
            "step {k}: {:.1} s, inverted {inverted}, rms {rms:.2e}, iterations {}, products {}, curvature {}, turned {}, looks {}, caps {} stuck {} worst {:.2}",
            start.elapsed().as_secs_f64(),
            e.iterations,
            e.products,
            e.curvature_stops,
            e.turned,
            e.line_steps,
            e.caps,
            e.stuck,
            e.worst,
        );
    }
    Ok(())
}

/// Root mean square distance to the rest shape after the best rigid motion.
fn rms_to_rest(x: &[Vector<f64, 3>], rest: &[Vector<f64, 3>]) -> f64 {
    let n = x.len() as f64;
    let mean = |p: &[Vector<f64, 3>]| p.iter().fold(Vector::zero(), |a, b| a + *b) * (1.0 / n);
    let (cx, cr) = (mean(x), mean(rest));
    let a = x
        .iter()
        .zip(rest)
        .fold(thixo_math::Matrix::<f64, 3>::zero(), |m, (x, r)| {
            m + (*x - cx).outer(&(*r - cr))
        });
    let turn = a.polar().0;
    let sum: f64 = x
        .iter()
        .zip(rest)
        .map(|(x, r)| (*x - cx - turn * (*r - cr)).norm2())
        .sum();
    (sum / n).sqrt()
}
