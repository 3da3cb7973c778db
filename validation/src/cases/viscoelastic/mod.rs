//! V1–V5: liquids that relax, and liquids that do not.

mod couette;
mod element;
mod poiseuille;
mod positive;
mod spin;
mod strip;

use thixo_core::{Error, Result, World};
use thixo_material::flow::{Kept, OldroydB};
use thixo_material::{Law, Numbers, ParamError, Values};
use thixo_math::Matrix;
use thixo_mpm::{Matter, named_matter};

pub use couette::v3;
pub use element::v1;
pub use poiseuille::v4;
pub use positive::v2;
pub use spin::v5;

/// Matter of a law, from its parameters.
fn matter<const D: usize, L: Law<f64, D>>(
    values: &[(&str, f64)],
) -> Result<Box<dyn Matter<f64, D>>> {
    let invalid = |e: ParamError| Error::Invalid(e.to_string());
    let values = Values::new(L::INFO, values.iter().copied()).map_err(invalid)?;
    let none = || Error::Invalid(format!("no law `{}`", L::INFO.name));
    named_matter(L::INFO.name, &values)
        .ok_or_else(none)?
        .map_err(invalid)
}

/// Matter of Oldroyd-B, from μ, λ \[Pa\], Wi \[s\] and η \[Pa s\].
fn oldroyd<const D: usize>(
    mu: f64,
    lambda: f64,
    time: f64,
    eta: f64,
) -> Result<Box<dyn Matter<f64, D>>> {
    matter::<D, OldroydB<f64>>(&[
        ("shear_modulus", mu),
        ("poissons_ratio", 0.5 * lambda / (lambda + mu)),
        ("relaxation_time", time),
        ("viscosity", eta),
    ])
}

/// b_OB = F (I + E) Fᵀ of every particle of Oldroyd-B, and J, by the particles' lasting numbers.
fn strains<const D: usize>(
    world: &World<f64, D>,
    name: &str,
) -> Result<Vec<(Matrix<f64, D>, f64)>> {
    let s = world.snapshot().view(name);
    let (id, side): (Vec<u64>, Vec<f64>) = (s.get("id")?, s.get("F")?);
    let state: Vec<f64> = s.get("state")?;
    let count = Kept::<f64, D>::COUNT;
    let mut order: Vec<usize> = (0..id.len()).collect();
    order.sort_by_key(|&i| id[i]);
    let strain = |&i: &usize| {
        let kept = Kept::<f64, D>::from_fn(|n| state[i * count + n]);
        let b = (kept.matrix() + Matrix::identity()) * (side[i] * side[i]);
        (b, side[i].powi(D as i32))
    };
    Ok(order.iter().map(strain).collect())
}

/// b = (J²/det b_OB)^{1/D} b_OB, [Ram15] (5).
fn keep_volume<const D: usize>(b: &Matrix<f64, D>, ratio: f64) -> Matrix<f64, D> {
    *b * (ratio * ratio / b.det()).powf(1.0 / D as f64)
}

/// ∇v of every particle \[1/s\], by the particles' lasting numbers.
fn gradients<const D: usize>(world: &World<f64, D>, name: &str) -> Result<Vec<Matrix<f64, D>>> {
    let s = world.snapshot().view(name);
    let id: Vec<u64> = s.get("id")?;
    // Where it is not kept apart, it is the affine velocity.
    let mut all: Vec<Matrix<f64, D>> = s.get("L")?;
    if all.is_empty() {
        all = s.get("C")?;
    }
    let mut order: Vec<usize> = (0..id.len()).collect();
    order.sort_by_key(|&i| id[i]);
    Ok(order.iter().map(|&i| all[i]).collect())
}

/// The lines of a table without its head.
fn table(text: &str) -> Vec<Vec<f64>> {
    let number = |field: &str| field.trim().parse().unwrap_or(f64::NAN);
    let lines = text.lines().skip(1);
    lines.map(|l| l.split(',').map(number).collect()).collect()
}
