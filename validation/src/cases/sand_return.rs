//! P3: the return mapping of sand. [Klar16], [Han19] §3.2

use thixo_core::Result;
use thixo_material::elastic::Lame;
use thixo_material::flow::Sand;
use thixo_material::reference;
use thixo_math::{Matrix, Vector};

use crate::{Bench, Tag};

/// P3: strains, δγ, yield and counted volume, case by case.
pub fn p3(b: &mut Bench) -> Result<()> {
    for r in reference::return_mapping() {
        let name = format!("{}: {}", r.case, r.quantity);
        b.measured(&name, (r.value, r.reference, r.error), r.tolerance, Tag::X);
    }
    if b.rows.is_empty() {
        b.broken("no reference data");
    }
    // The incline's slope taken for the textbook's.
    let slope = Sand::slope::<2>(30f64.to_radians());
    let sand = Sand::with_slope(Lame::new(3.537e5, 0.3), slope, 0.0);
    let trial = Vector([-0.01, 0.006]);
    let e = trial + sand.project(&Matrix::diagonal(&trial)).0.diag();
    let wanted = -0.004309401076758502;
    b.absolute(
        "2D shear with the incline's slope: strain",
        e[0],
        wanted,
        1e-12,
        Tag::X,
    );
    b.control();
    Ok(())
}
