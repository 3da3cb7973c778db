//! P4: the friction that sand shows in driven simple shear.

use thixo_core::Result;
use thixo_material::reference;

use crate::{Bench, Tag};

/// P4: `friction_angle` is the incline's; the textbook slope shows the angles of the reference data.
pub fn p4(b: &mut Bench) -> Result<()> {
    let rows = reference::mobilised_friction();
    for r in &rows {
        let name = format!("{}: {}", r.case, r.quantity);
        b.measured(&name, (r.value, r.reference, r.error), r.tolerance, Tag::M);
    }
    if b.rows.is_empty() {
        b.broken("no reference data");
    }
    // The textbook's φ = 30° taken for the incline's angle: tan θ = sin φ_ps.
    for (axes, quantity) in [("2D", "Mohr angle 2D, deg"), ("3D", "Mohr angle 3D, deg")] {
        let mohr = rows
            .iter()
            .find(|r| r.case == "textbook phi 30 deg" && r.quantity == quantity);
        let shown = mohr.map_or(f64::NAN, |r| r.value.to_radians().sin().atan().to_degrees());
        b.absolute(
            &format!("textbook φ = 30° as the incline's angle, {axes}"),
            shown,
            30.0,
            0.2,
            Tag::M,
        );
        b.control();
    }
    Ok(())
}
