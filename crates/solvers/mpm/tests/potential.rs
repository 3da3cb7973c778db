//! The potential of an implicit step: forces are its slope, products its curvature, for every kernel, force form and
//! dimension.
#![allow(non_snake_case)]

use thixo_core::{Step, System};
use thixo_grid::{Domain, KernelKind, LayerId, Medium};
use thixo_material::elastic::{FixedCorotated, Hencky, NeoHookean};
use thixo_material::{Law, Values};
use thixo_math::{Matrix, Vector};
use thixo_mpm::{Force, Mpm, Options, Seed, matter};
use thixo_numerics::Point;

fn random(seed: u64) -> impl FnMut() -> f64 {
    let mut s = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    move || {
        s ^= s << 13;
        s ^= s >> 7;
        s ^= s << 17;
        (s >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

/// Worst relative errors of slope, curvature, diagonal and symmetry, and the ratio in which the error of the second
/// order model falls when the step is halved.
fn errors<L: Law<f64, D>, const D: usize>(
    law: L,
    kernel: KernelKind,
    force: Force,
    damping: f64,
) -> [f64; 5] {
    let mut draw = random(7);
    let domain = Domain::<D>::new(0.1).unwrap();
    let options = Options {
        kernel,
        force,
        damping,
        ..Options::default()
    };
    let mut set: Mpm<f64, D> = Mpm::new("set", &domain, matter(law), options);
    let seeds: Vec<Seed<D>> = (0..60)
        .map(|_| Seed {
            x: Vector::from_fn(|_| 0.25 * draw()),
            v: Vector::zero(),
            C: Matrix::zero(),
            F: Matrix::identity() + Matrix::from_fn(|_, _| 0.1 * draw()),
            volume: 1e-3,
            mass: 1.0,
        })
        .collect();
    set.add(seeds).unwrap();
    let gravity = Vector::zero();
    let s = Step {
        t: 0.0,
        dt: 0.01,
        domain: &domain,
        gravity: &gravity,
        colliders: &[],
        implicit: true,
    };
    let mut medium = Medium::new(domain, 1);
    set.sort(&domain);
    set.survey(&domain).unwrap();
    let layer = &mut medium.layers[LayerId::CONTINUUM.0];
    layer.cover(&domain, &[set.layout()]);
    layer.clear();
    set.scatter(&s, &mut medium).unwrap();
    let nodes = &medium.layers[0].nodes;
    let n = nodes.len();
    let mut field = |size: f64| -> Vec<Point<f64>> {
        let of = |node: &[f64; 4]| {
            let mut v = [0.0; 4];
            if node[3] != 0.0 {
                v[..D].fill_with(|| size * draw());
            }
            v
        };
        nodes.iter().map(of).collect()
    };
    let (v, d, e) = (field(1.0), field(1.0), field(1.0));
    let dot = |a: &[Point<f64>], b: &[Point<f64>]| -> f64 {
        a.as_flattened()
            .iter()
            .zip(b.as_flattened())
            .map(|(a, b)| a * b)
            .sum()
    };
    let at = |h: f64| -> Vec<Point<f64>> {
        let add = |(v, d): (&Point<f64>, &Point<f64>)| std::array::from_fn(|k| v[k] + h * d[k]);
        v.iter().zip(&d).map(add).collect()
    };
    let mut potential = set.dynamics(&s).unwrap();
    let mut slope = |v: &[Point<f64>]| {
        let mut g = vec![[0.0; 4]; n];
        let e = potential.gradient(v, &mut g);
        assert!((potential.energy(v) - e).abs() <= 1e-13 * e.abs());
        (e, g)
    };
    let (e0, g) = slope(&v);
    let h = 1e-5;
    let (up, down) = (slope(&at(h)), slope(&at(-h)));
    let change = (up.0 - down.0) / (2.0 * h);
    let of_slope = (change - dot(&g, &d)).abs() / change.abs();
    let model = |h: f64, e: f64, q: f64| (e - e0 - h * dot(&g, &d) - 0.5 * h * h * q).abs();
    let far = [slope(&at(0.1)).0, slope(&at(0.05)).0];
    let curve: Vec<f64> = (up.1.as_flattened().iter())
        .zip(down.1.as_flattened())
        .map(|(a, b)| (a - b) / (2.0 * h))
        .collect();
    potential.linearise(&v, false);
    let product = |x: &[Point<f64>]| {
        let mut to = vec![[0.0; 4]; n];
        potential.product(x, &mut to);
        to
    };
    let (of_d, of_e) = (product(&d), product(&e));
    let size = dot(&of_d, &of_d).sqrt();
    let off: f64 = of_d
        .as_flattened()
        .iter()
        .zip(&curve)
        .map(|(a, b)| (a - b).powi(2))
        .sum();
    let symmetry = (dot(&of_d, &e) - dot(&of_e, &d)).abs() / dot(&of_d, &e).abs();
    let mut blocks = vec![Matrix::zero(); n];
    potential.diagonal(&mut blocks);
    let mut diagonal = 0.0f64;
    let touched = (0..n).filter(|i| nodes[*i][3] != 0.0).step_by(7);
    for i in touched {
        for a in 0..D {
            let mut unit = vec![[0.0; 4]; n];
            unit[i][a] = 1.0;
            let column = product(&unit)[i];
            for b in 0..D {
                diagonal = diagonal.max((column[b] - blocks[i][(b, a)]).abs() / blocks[i].norm());
            }
        }
    }
    let q = dot(&d, &of_d);
    let ratio = model(0.1, far[0], q) / model(0.05, far[1], q);
    [of_slope, off.sqrt() / size, diagonal, symmetry, ratio]
}

fn hold<L: Law<f64, D>, const D: usize>() {
    let values = [("youngs_modulus", 1e5), ("poissons_ratio", 0.3)];
    let law = L::new(&Values::new(L::INFO, values).unwrap()).unwrap();
    for kernel in [KernelKind::Linear, KernelKind::Quadratic, KernelKind::Cubic] {
        for (force, damping) in [
            (Force::LeastSquares, 0.0),
            (Force::Gradient, 0.0),
            (Force::LeastSquares, 0.02),
        ] {
            let [slope, curve, diagonal, symmetry, ratio] =
                errors(law.clone(), kernel, force, damping);
            let say = format!(
                "{kernel:?} {force:?} {D}D: {slope:e} {curve:e} {diagonal:e} {symmetry:e} {ratio}"
            );
            assert!(
                slope < 1e-8 && curve < 1e-7 && diagonal < 1e-12 && symmetry < 1e-12,
                "{say}"
            );
            // The error of a model of second order is of third order.
            assert!((ratio.log2() - 3.0).abs() < 0.15, "{say}");
        }
    }
}

#[test]
fn forces_are_the_slope_of_the_energy() {
    hold::<FixedCorotated<f64>, 2>();
    hold::<FixedCorotated<f64>, 3>();
    hold::<NeoHookean<f64>, 3>();
    hold::<Hencky<f64>, 2>();
}
