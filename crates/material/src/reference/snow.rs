//! P1: snow in uniaxial strain.
#![allow(non_snake_case)]

use thixo_math::{Matrix, Vector};

use super::{Row, number, table};
use crate::flow::Snow;
use crate::{Kin, Law, Motion, ParamError, Values};

/// P1: the path of the document's snow in uniaxial strain; F = F_E F_P along a general path; singular
/// values of F_E within their clamp.
pub fn snow_path() -> Result<Vec<Row>, ParamError> {
    let values = Values::new(<Snow<f64> as Law<f64, 3>>::INFO, [])?;
    let snow = <Snow<f64> as Law<f64, 3>>::new(&values)?;
    let mut rows = Vec::new();
    for r in table(include_str!(
        "../../../../validation/data/snow_oedometric.csv"
    )) {
        let F11 = number(r[0]);
        let case = format!("F11 {F11}");
        // In forty steps, so that the state is carried.
        let mut a = Law::<f64, 3>::start(&snow);
        let (mut F, mut x) = (Matrix::<f64, 3>::identity(), 1.0);
        for i in 1..=40 {
            let next = 1.0 + (F11 - 1.0) * f64::from(i) / 40.0;
            let trial = Matrix::diagonal(&Vector([next / x, 1.0, 1.0])) * F;
            F = snow.flow(&Kin::at(trial), &mut a);
            x = next;
        }
        let k = Kin::at(F);
        let sigma = snow.kirchhoff(&k, &a).0 / snow.volume_ratio(&k, &a);
        let named = [
            ("F_E11", F[(0, 0)], 1.0),
            ("J_P", a[0], 1.0),
            ("hardening", snow.hardening(a[0]), 1.0),
            ("sigma_xx", sigma[(0, 0)], 1.0),
            ("sigma_yy", sigma[(1, 1)], 1.0),
        ];
        for (i, (name, value, least)) in named.into_iter().enumerate() {
            rows.push(Row::new(&case, name, value, number(r[1 + i]), 1e-8).relative(least));
        }
    }
    rows.extend(general_path(&snow));
    Ok(rows)
}

/// Sixty steps of shear, stretch and compression, with F and F_P written out.
fn general_path(snow: &Snow<f64>) -> Vec<Row> {
    let mut a = Law::<f64, 3>::start(snow);
    let I = Matrix::<f64, 3>::identity();
    let (mut F, mut F_E, mut F_P) = (I, I, I);
    let (mut split, mut plastic, mut outside) = (0f64, 0f64, 0f64);
    for i in 0..60 {
        let t = f64::from(i);
        let H = Matrix::from_fn(|r, c| 0.02 * (1.3 * t + 2.1 * r as f64 + 0.7 * c as f64).sin());
        let step = I + H;
        F = step * F;
        let trial = step * F_E;
        F_E = snow.flow(&Kin::at(trial), &mut a);
        F_P = F_E.inverse() * trial * F_P;
        split = split.max((F_E * F_P - F).norm() / F.norm());
        plastic = plastic.max((F_P.det() / a[0] - 1.0).abs());
        let sigma = F_E.svd().sigma;
        outside = outside.max(sigma[0] - snow.high).max(snow.low - sigma[2]);
    }
    let case = "general path";
    vec![
        Row::new(case, "|F - F_E F_P|", split, 0.0, 1e-13),
        Row::new(case, "det F_P over J_P - 1", plastic, 0.0, 1e-13),
        Row::new(
            case,
            "singular value outside clamp",
            outside.max(0.0),
            0.0,
            1e-13,
        ),
    ]
}
