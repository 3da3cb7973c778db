//! P1: snow in uniaxial strain and along a general path. [Jiang15] §3.2

use thixo_core::{Error, Result};
use thixo_material::flow::Snow;
use thixo_material::{Kin, Law, Motion, reference};
use thixo_math::{Matrix, Vector};

use crate::{Bench, Tag, lab};

/// P1: stress, J_P and hardening of the document's snow; F = F_E F_P; σ(F_E) within its clamp.
pub fn p1(b: &mut Bench) -> Result<()> {
    for r in reference::snow_path().map_err(|e| Error::Invalid(e.to_string()))? {
        let name = format!("{}: {}", r.case, r.quantity);
        b.measured(&name, (r.value, r.reference, r.error), r.tolerance, Tag::X);
    }
    if b.rows.is_empty() {
        b.broken("no reference data");
    }
    // Snow that does not harden.
    let snow: Snow<f64> = lab::law::<f64, 3, _>(&[("hardening", 0.0)])?;
    let mut state = Law::<f64, 3>::start(&snow);
    let trial = Kin::at(Matrix::diagonal(&Vector([0.6, 1.0, 1.0])));
    let k = Kin::at(snow.flow(&trial, &mut state));
    let sigma = snow.kirchhoff(&k, &state).0 / snow.volume_ratio(&k, &state);
    b.relative(
        "F11 0.6 without hardening: sigma_xx",
        sigma[(0, 0)],
        -295830.0536,
        1e-8,
        Tag::X,
    );
    b.control();
    Ok(())
}
