//! Every law conforms, and every law in the registry is checked.
#![allow(non_snake_case)]

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

/// A mirrored F has the same FᵀF as a rotation: the short cut for small strain must not take it.
#[test]
fn a_mirrored_particle_is_pushed_back() {
    use thixo_material::Elastic;
    use thixo_material::elastic::{FixedCorotated, Lame};
    use thixo_math::{Matrix, Real, Vector};
    fn check<T: Real>(tolerance: f64) {
        let solid = FixedCorotated {
            lame: Lame::<T>::new(1e4, 0.0),
        };
        let sigma = Vector([1.0, 1.0, -0.999].map(T::of));
        let F = Matrix::diagonal(&sigma);
        let (tau, e) = solid.tau(&F);
        let slow = solid.piola(&F).times_transpose(&F);
        assert!(
            (tau - slow).wide().max_abs() < tolerance * 1e4,
            "{tau:?} {slow:?}"
        );
        assert!(tau[(2, 2)].wide() > 1e4, "{tau:?}");
        assert!(e.finite());
    }
    check::<f64>(1e-10);
    check::<f32>(1e-5);
}
