//! E1: homogeneous deformations of the elastic laws.

use thixo_core::Result;
use thixo_material::reference::closed_forms;

use crate::lab::worst;
use crate::{Bench, Tag};

/// E1: uniaxial stress, simple shear and confined strain, against an independent computation.
pub fn e1(b: &mut Bench) -> Result<()> {
    let rows = closed_forms();
    let laws = ["nh_log", "fcr", "hencky"];
    for law in laws {
        for stretch in ["0.5", "1.5", "2"] {
            let case = format!("{law} uniaxial stress nu 0.3 stretch {stretch}");
            let before = b.rows.len();
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
            if b.rows.len() == before {
                b.broken(&format!("no data for {case}"));
            }
        }
    }
    for law in laws {
        for load in ["uniaxial stress", "simple shear", "confined"] {
            let start = format!("{law} {load}");
            let of = || rows.iter().filter(|r| r.case.starts_with(&start));
            b.at_most(
                &format!("{start}: worst of {}", of().count()),
                worst(of().map(|r| r.error)),
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
    b.relative(
        "fixed corotated taken for neo-Hookean",
        at("fcr").map_or(f64::NAN, |r| r.value),
        at("nh_log").map_or(f64::NAN, |r| r.reference),
        1e-8,
        Tag::X,
    );
    b.control();
    Ok(())
}
