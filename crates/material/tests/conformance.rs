//! Every law conforms, and every law in the registry is checked.

use std::collections::BTreeSet;

use thixo_material::check::check_all;
use thixo_material::{Build, Law, Values, law, laws};

/// Builds the name of the law.
struct Name;

impl Build<f64, 3> for Name {
    type Out = &'static str;
    fn build<L: Law<f64, 3>>(self, law: L) -> &'static str {
        assert!(
            law.fault(
                &thixo_material::Kin::at(thixo_math::Matrix::identity()),
                &law.start()
            )
            .is_none()
        );
        L::INFO.name
    }
}

#[test]
fn every_law_conforms() {
    let reports = check_all();
    for report in &reports {
        print!("{report}");
    }
    for report in &reports {
        report.verdict().unwrap();
    }
    let checked: BTreeSet<_> = reports.iter().map(|r| r.law).collect();
    let known: BTreeSet<_> = laws::<f64, 3, Name>().iter().map(|e| e.info.name).collect();
    assert_eq!(checked, known);
    assert_eq!(
        known.len(),
        laws::<f64, 3, Name>().len(),
        "two laws share a name"
    );
}

#[test]
fn defaults_are_allowed_and_laws_are_found_by_name() {
    for entry in laws::<f64, 3, Name>() {
        for p in entry.info.params {
            assert!(!p.doc.is_empty() && !p.range().is_empty(), "{}", p.name);
            if let Some(x) = p.default {
                p.check(x).unwrap();
            }
        }
        let missing = entry.info.params.iter().filter(|p| p.default.is_none());
        let given = missing.map(|p| (p.name, if p.name == "poissons_ratio" { 0.3 } else { 1e5 }));
        let values = Values::new(entry.info, given).unwrap();
        let found = law::<f64, 3, Name>(entry.info.name).unwrap();
        assert_eq!(found.make(Name, &values).unwrap(), entry.info.name);
    }
    assert!(law::<f64, 3, Name>("granite").is_none());
}

#[test]
fn poissons_ratio_must_lie_between_its_ends() {
    let entry = law::<f64, 3, Name>("hencky").unwrap();
    for nu in [-1.0, 0.5, 0.7, f64::NAN] {
        let given = [("youngs_modulus", 1.0), ("poissons_ratio", nu)];
        assert_eq!(
            Values::new(entry.info, given).unwrap_err().key(),
            "poissons_ratio"
        );
    }
    let typo = Values::new(entry.info, [("young_modulus", 1.0)]).unwrap_err();
    assert!(
        typo.to_string().contains("did you mean `youngs_modulus`"),
        "{typo}"
    );
}
