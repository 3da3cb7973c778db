//! E1: homogeneous deformations of the elastic laws.

use thixo_core::Result;
use thixo_material::reference::closed_forms;

use crate::{Bench, Tag};

/// E1: uniaxial stress, simple shear and confined strain, against an independent computation.
pub fn e1(b: &mut Bench) -> Result<()> {
    let rows = closed_forms();
    let laws = ["nh_log", "fcr", "hencky"];
    for law in laws {
        for stretch in ["0.5", "1.5", "2"] {
            let case = format!("{law} uniaxial stress nu 0.3 stretch {stretch}");
            for r in rows
                .iter()
                .filter(|r| r.case == case && r.quantity == "P11")
            {
                b.relative(
                    &format!("{case}: P11/E"),
                    r.value,
                    r.reference,
                    1e-8,
                    Tag::X,
                );
            }
        }
    }
    for law in laws {
        for load in ["uniaxial stress", "simple shear", "confined"] {
            let start = format!("{law} {load}");
            let of = || rows.iter().filter(|r| r.case.starts_with(&start));
            let worst = of().map(|r| r.error).fold(0.0, f64::max);
            b.at_most(
                &format!("{start}: worst of {}", of().count()),
                worst,
                1e-8,
                Tag::X,
            );
        }
    }
    // One law's stress held to another's.
    let at = |law: &str| {
        let case = format!("{law} uniaxial stress nu 0.3 stretch 1.5");
        rows.iter().find(|r| r.case == case && r.quantity == "P11")
    };
    if let (Some(ours), Some(other)) = (at("fcr"), at("nh_log")) {
        b.relative(
            "fixed corotated taken for neo-Hookean",
            ours.value,
            other.reference,
            1e-8,
            Tag::X,
        );
        b.control();
    }
    Ok(())
}
