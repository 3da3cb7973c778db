//! D1–D4: the derivatives of every law in the registry, and what happens to wrong ones.

use std::sync::OnceLock;

use thixo_core::Result;
use thixo_material::check::{Report, check_all, check_law};
use thixo_material::elastic::FixedCorotated;
use thixo_material::{Info, Kin, Law, Motion, ParamError, Tangent, Trial, Values};
use thixo_math::{Lane, Matrix, Real};

use crate::{Bench, Tag};

/// Fixed corotated with an error: in the stress (1), in its differential (2), in the energy (3).
#[derive(Clone, Debug)]
struct Wrong<T, const ERROR: usize>(FixedCorotated<T>);

impl<T: Real, const D: usize, const ERROR: usize> Motion<T, D> for Wrong<T, ERROR> {
    type State = [T; 0];
    fn tau(&self, f: &Matrix<T, D>, _: &[T; 0]) -> (Matrix<T, D>, T) {
        self.0.tau(f)
    }
    fn allows(&self, f: &Matrix<T, D>) -> bool {
        self.0.allows(f)
    }
    fn respond(&self, k: &Trial<T, D>, a: &[T; 0]) -> (T, Matrix<T, D>) {
        let (psi, stress) = self.0.respond(k, a);
        (psi, stress * T::of(if ERROR == 1 { 1.01 } else { 1.0 }))
    }
    fn tangent(&self, k: &Trial<T, D>, a: &[T; 0], definite: bool) -> Tangent<T> {
        let tangent = self.0.tangent(k, a, definite);
        Tangent(
            tangent
                .0
                .map(|x| x * T::of(if ERROR == 2 { 1.01 } else { 1.0 })),
        )
    }
}

impl<T: Real, const D: usize, const ERROR: usize> Law<T, D> for Wrong<T, ERROR> {
    type Elastic = FixedCorotated<T>;
    type In<L: Lane<Scalar = T>> = FixedCorotated<L>;
    fn lanes<L: Lane<Scalar = T>>(&self, like: L) -> FixedCorotated<L> {
        Law::<T, D>::lanes(&self.0, like)
    }
    const INFO: &'static Info = <FixedCorotated<T> as Law<T, D>>::INFO;
    fn new(values: &Values) -> std::result::Result<Self, ParamError> {
        Ok(Self(<FixedCorotated<T> as Law<T, D>>::new(values)?))
    }
    fn start(&self) -> [T; 0] {
        []
    }
    fn elastic(&self, _: &[T; 0]) -> FixedCorotated<T> {
        self.0
    }
    fn psi(&self, k: &Kin<T, D>, a: &[T; 0]) -> T {
        // [Jiang15] §3.1.2 as printed: F_ij F_ji for tr FᵀF.
        let more = if ERROR == 3 {
            (k.F * k.F).trace() - k.F.norm2()
        } else {
            T::zero()
        };
        self.0.psi(k, a) + more * self.0.lame.mu * T::of(0.5)
    }
    fn stress(&self, k: &Kin<T, D>, a: &[T; 0]) -> (Matrix<T, D>, Matrix<T, D>) {
        let (p, s) = self.0.stress(k, a);
        // [Han19] (3) as printed: μ (F − R) for 2μ (F − R).
        let less = if ERROR == 1 {
            (k.F - k.F.polar().0) * self.0.lame.mu
        } else {
            Matrix::zero()
        };
        (p - less, s)
    }
    fn dstress(
        &self,
        k: &Kin<T, D>,
        a: &[T; 0],
        df: &Matrix<T, D>,
        dh: &Matrix<T, D>,
    ) -> (Matrix<T, D>, Matrix<T, D>) {
        let (dp, ds) = self.0.dstress(k, a, df, dh);
        (dp * T::of(if ERROR == 2 { 1.01 } else { 1.0 }), ds)
    }
}

fn wrong<const ERROR: usize>() -> Report {
    let solid = [("youngs_modulus", 1e4), ("poissons_ratio", 0.3)];
    check_law::<Wrong<f64, ERROR>, Wrong<f32, ERROR>, 2>(&solid)
}

/// The checks of every law whose names start with `prefix`, then the same of a wrong law.
fn report(b: &mut Bench, prefix: &str, control: &Report) {
    static ALL: OnceLock<Vec<Report>> = OnceLock::new();
    for r in ALL.get_or_init(check_all) {
        let before = b.rows.len();
        for c in r.checks.iter().filter(|c| c.name.starts_with(prefix)) {
            let name = format!(
                "{} {}D: {}",
                r.law,
                r.dimension,
                &c.name[prefix.len()..].trim()
            );
            // The worst of no samples is not a pass.
            let value = if c.samples > 0 { c.value } else { f64::NAN };
            b.at_most(&name, value, c.tolerance, Tag::X);
        }
        if b.rows.len() == before {
            b.broken(&format!("no {prefix} of {} in {}D", r.law, r.dimension));
        }
    }
    // The checks of the slow forms and of those that implicit steps use.
    let found = control.checks.iter().filter(|c| c.name.starts_with(prefix));
    let mut any = false;
    // It is symmetric, and has no viscosity to be wrong.
    for c in found.filter(|c| !c.name.contains("symmetric") && !c.name.ends_with("in H")) {
        b.at_most(
            &format!("a wrong law: {}", c.name),
            c.value,
            c.tolerance,
            Tag::X,
        );
        b.control();
        any = true;
    }
    if !any {
        b.broken(&format!("no {prefix} of a wrong law"));
    }
}

/// D1: stress is the slope of the energy.
pub fn d1(b: &mut Bench) -> Result<()> {
    report(b, "D1", &wrong::<1>());
    Ok(())
}

/// D2: the differential is the slope of the stress, and symmetric.
pub fn d2(b: &mut Bench) -> Result<()> {
    report(b, "D2", &wrong::<2>());
    Ok(())
}

/// D3: the remainder of the second-order Taylor series falls as h³.
pub fn d3(b: &mut Bench) -> Result<()> {
    report(b, "D3", &wrong::<2>());
    Ok(())
}

/// D4: a rotation changes nothing.
pub fn d4(b: &mut Bench) -> Result<()> {
    report(b, "D4", &wrong::<3>());
    Ok(())
}
