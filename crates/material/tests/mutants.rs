//! Each check fails on a law that is wrong in just that way, misprints of the documents among them.
#![allow(non_snake_case)]

use std::cell::Cell;

use thixo_material::check::{Report, check_law};
use thixo_material::elastic::{FixedCorotated, Hencky, Lame, NeoHookean};
use thixo_material::eos::Liquid;
use thixo_material::flow::{OldroydB, Sand, Snow, Viscoplastic, VonMises};
use thixo_material::{Info, Kin, Law, Motion, ParamError, Tangent, Trial, Values};
use thixo_math::{Lane, Matrix, Real, Vector};

/// A law with a fault; with number 0 it has none.
#[derive(Clone, Debug)]
struct Mutant<L>(L, usize);

thread_local! {
    /// The fault of the mutants made next. (A constant parameter would compile every check anew.)
    static FAULT: Cell<usize> = const { Cell::new(0) };
}

/// [Han19] (3): μ (F − R) instead of 2μ (F − R).
const HAN_3: usize = 1;
/// [Han19] (8) read as λ/2 tr((ln Σ)²).
const HAN_8: usize = 2;
/// [Han19] (9): λ Σ⁻¹ ln Σ instead of λ tr(ln Σ) Σ⁻¹.
const HAN_9: usize = 3;
/// [Jiang15] §3.1.2: F_ij F_ji instead of tr FᵀF.
const JIANG_312: usize = 4;
/// δR with the wrong sign.
const SIGN_OF_DR: usize = 5;
/// P = U P̂ V instead of U P̂ Vᵀ, [Jiang15] §3.2.1 as printed for F.
const U_SIGMA_V: usize = 6;
/// U and V that are signed one without the other.
const SIGN_OF_U: usize = 22;
/// A factor 1 % off in δP.
const DP_OFF: usize = 7;
/// δP that is no second derivative.
const SKEW: usize = 8;
/// [Ram15] (11): viscous potential without dt.
const RAM_11: usize = 9;
/// S twice.
const S_TWICE: usize = 10;
/// δS twice.
const DS_TWICE: usize = 11;
/// Viscosity not told to the time step.
const INVISCID: usize = 12;
/// Half of the true stiffness.
const SOFT: usize = 13;
/// Three times the true stiffness.
const STIFF: usize = 14;
/// Flow that goes half the way.
const HALF_WAY: usize = 15;
/// Flow that stretches.
const STRETCH: usize = 16;
/// Flow that forgets the state.
const FORGET: usize = 17;
/// Short cut to another stress.
const SHORT_CUT: usize = 18;
/// No fault is one.
const SILENT: usize = 19;
/// A state without name.
const NAMELESS: usize = 20;
/// f32 that is not f64.
const NARROW: usize = 21;
/// Flow that does not ask how long the step is.
const TIMELESS: usize = 23;
/// A response without the flow of the step.
const STALE: usize = 24;
/// A response that knows of the flow, as the energy of the new state does, but whose slope is not its stress.
const SLOPE: usize = 25;

/// Response to a step in which the flow waits for its end.
const LATE_FLOW: usize = 26;
/// Response 1 % off.
const RESPONSE_OFF: usize = 27;
/// Tangent 1 % off.
const TANGENT_OFF: usize = 28;
/// A tangent that is definite only where it was.
const INDEFINITE: usize = 29;

const SOLID: &[(&str, f64)] = &[("youngs_modulus", 1e4), ("poissons_ratio", 0.3)];
const FOAM: &[(&str, f64)] = &[
    ("shear_modulus", 3e3),
    ("poissons_ratio", 0.3),
    ("relaxation_time", 0.01),
];
const DOUGH: &[(&str, f64)] = &[
    ("youngs_modulus", 1e4),
    ("poissons_ratio", 0.3),
    ("yield_stress", 500.0),
    ("relaxation_time", 0.01),
];
const WATER: &[(&str, f64)] = &[("bulk_modulus", 1e4), ("viscosity", 100.0)];

fn lame<T: Real>() -> Lame<T> {
    Lame::new(1e4, 0.3)
}

impl<T: Real, const D: usize, L: Law<T, D>> Motion<T, D> for Mutant<L> {
    type State = L::State;
    const VISCOUS: bool = L::VISCOUS;
    const SHAPELESS: bool = L::SHAPELESS;
    fn tau(&self, F: &Matrix<T, D>, a: &Self::State) -> (Matrix<T, D>, T) {
        self.0.tau(F, a)
    }
    fn allows(&self, F: &Matrix<T, D>) -> bool {
        self.1 == SILENT || self.0.allows(F)
    }
    fn flow(&self, k: &Kin<T, D>, a: &mut Self::State) -> Matrix<T, D> {
        let before = *a;
        let mut k = *k;
        if self.1 == TIMELESS {
            k.dt = T::of(1e-3);
        }
        let F = self.0.flow(&k, a);
        match self.1 {
            HALF_WAY => (F + k.F) * T::of(0.5),
            STRETCH => F * T::of(1.05),
            FORGET => {
                *a = before;
                F
            }
            _ => F,
        }
    }
    fn viscosity(&self, k: &Kin<T, D>, a: &Self::State) -> T {
        if self.1 == INVISCID {
            T::zero()
        } else {
            self.0.viscosity(k, a)
        }
    }
    const LAGS: bool = L::LAGS;
    fn lag(&self, k: &Trial<T, D>, a: &Self::State) -> [T; 2] {
        match self.1 {
            LATE_FLOW => Trial::elastic(k.F, k.H, k.dt).lag,
            _ => self.0.lag(k, a),
        }
    }
    fn respond(&self, k: &Trial<T, D>, a: &Self::State) -> (T, Matrix<T, D>) {
        let mut k = *k;
        if self.1 == STALE {
            k.dt *= T::of(1e-12);
        }
        let (psi, g) = self.0.respond(&k, a);
        match self.1 {
            SLOPE => (psi, g * (T::one() - k.dt * T::of(10.0))),
            RESPONSE_OFF => (psi, g * T::of(1.01)),
            _ => (psi, g),
        }
    }
    fn tangent(&self, k: &Trial<T, D>, a: &Self::State, definite: bool) -> Tangent<T> {
        let tangent = self.0.tangent(k, a, definite && self.1 != INDEFINITE);
        match self.1 {
            TANGENT_OFF => Tangent(tangent.0.map(|x| x * T::of(1.01))),
            _ => tangent,
        }
    }
    fn kirchhoff(&self, k: &Kin<T, D>, a: &Self::State) -> (Matrix<T, D>, T) {
        let (tau, e) = self.0.kirchhoff(k, a);
        if self.1 == SHORT_CUT {
            (tau * T::of(1.001), e)
        } else {
            (tau, e)
        }
    }
}

impl<T: Real, const D: usize, L: Law<T, D>> Law<T, D> for Mutant<L> {
    type Elastic = L::Elastic;
    type In<M: Lane<Scalar = T>> = L::In<M>;
    fn lanes<M: Lane<Scalar = T>>(&self, like: M) -> L::In<M> {
        self.0.lanes(like)
    }
    const INFO: &'static Info = L::INFO;
    fn new(values: &Values) -> Result<Self, ParamError> {
        Ok(Self(L::new(values)?, FAULT.get()))
    }
    fn start(&self) -> Self::State {
        self.0.start()
    }
    fn elastic(&self, a: &Self::State) -> Self::Elastic {
        self.0.elastic(a)
    }
    fn psi(&self, k: &Kin<T, D>, a: &Self::State) -> T {
        let (psi, half) = (self.0.psi(k, a), T::of(0.5));
        let Lame { mu, lambda } = lame::<T>();
        match self.1 {
            HAN_8 => {
                let e = k.F.svd().sigma.map(T::ln);
                psi + lambda * half * (e.norm2() - e.sum() * e.sum())
            }
            JIANG_312 => psi + mu * half * ((k.F * k.F).trace() - k.F.norm2()),
            RAM_11 => {
                psi + self.0.viscosity(k, a) * k.H.sym().norm2() * (k.dt.powi(-2) - T::one() / k.dt)
            }
            NARROW if T::NAME == "f32" => psi * T::of(1.001),
            _ => psi,
        }
    }
    fn stress(&self, k: &Kin<T, D>, a: &Self::State) -> (Matrix<T, D>, Matrix<T, D>) {
        let (P, S) = self.0.stress(k, a);
        let Lame { mu, lambda } = lame::<T>();
        let svd = k.F.svd();
        match self.1 {
            HAN_3 => (P - (k.F - k.F.polar().0) * mu, S),
            HAN_9 => {
                let e = svd.sigma.map(T::ln);
                let wrong = Vector::from_fn(|i| lambda * (e[i] - e.sum()) / svd.sigma[i]);
                (P + svd.compose(&wrong), S)
            }
            U_SIGMA_V => (P * svd.V * svd.V, S),
            SIGN_OF_U => {
                let mut p = svd.U.transpose_times(&(P * svd.V)).diag();
                p[D - 1] = if svd.U[(0, 0)] < T::zero() {
                    -p[D - 1]
                } else {
                    p[D - 1]
                };
                (svd.compose(&p), S)
            }
            RAM_11 => (P, S / k.dt),
            S_TWICE => (P, S + S),
            _ => (P, S),
        }
    }
    fn dstress(
        &self,
        k: &Kin<T, D>,
        a: &Self::State,
        dF: &Matrix<T, D>,
        dH: &Matrix<T, D>,
    ) -> (Matrix<T, D>, Matrix<T, D>) {
        let (dP, dS) = self.0.dstress(k, a, dF, dH);
        match self.1 {
            SIGN_OF_DR => {
                let s = k.F.svd();
                let X = s.U.transpose_times(&(*dF * s.V));
                let W = Matrix::from_fn(|i, j| {
                    (X[(i, j)] - X[(j, i)]) / (s.sigma[i] + s.sigma[j]).max(T::of(1e-6))
                });
                let dR = (s.U * W).times_transpose(&s.V);
                (dP + dR * (lame::<T>().mu * T::of(4.0)), dS)
            }
            DP_OFF => (dP * T::of(1.01), dS),
            SKEW => {
                let mut dP = dP;
                dP[(0, 1)] += dF[(0, 0)];
                (dP, dS)
            }
            RAM_11 => (dP, dS / k.dt),
            DS_TWICE => (dP, dS + dS),
            _ => (dP, dS),
        }
    }
    fn stiffness(&self, k: &Kin<T, D>, a: &Self::State) -> T {
        let e = self.0.stiffness(k, a);
        match self.1 {
            SOFT => e * T::of(0.5),
            STIFF => e * T::of(3.0),
            _ => e,
        }
    }
    fn fault(&self, k: &Kin<T, D>, a: &Self::State) -> Option<&'static str> {
        if self.1 == SILENT {
            None
        } else {
            self.0.fault(k, a)
        }
    }
    fn gradual(&self) -> bool {
        self.0.gradual()
    }
    fn relaxes(&self) -> bool {
        self.0.relaxes()
    }
    fn volume_ratio(&self, k: &Kin<T, D>, a: &Self::State) -> T {
        self.0.volume_ratio(k, a)
    }
    fn state_names() -> &'static [&'static str] {
        if FAULT.get() == NAMELESS {
            &[]
        } else {
            L::state_names()
        }
    }
}

/// In 2D and 3D, the checks whose names start like this fail.
fn caught<A, B>(fault: usize, given: &[(&str, f64)], names: &[&str])
where
    A: Law<f64, 2> + Law<f64, 3>,
    B: Law<f32, 2> + Law<f32, 3>,
{
    FAULT.set(fault);
    let reports = [
        check_law::<Mutant<A>, Mutant<B>, 2>(given),
        check_law::<Mutant<A>, Mutant<B>, 3>(given),
    ];
    for report in &reports {
        for name in names {
            let check = report.checks.iter().find(|c| c.name.starts_with(name));
            let check = check.unwrap_or_else(|| panic!("no check {name}"));
            assert!(
                !check.passed(),
                "fault {fault} not caught by {name}:\n{report}"
            );
        }
        assert!(names.is_empty() || report.verdict().is_err());
        assert!(!names.is_empty() || report.passed(), "{report}");
    }
}

#[test]
fn the_wrapper_itself_is_no_fault() {
    caught::<FixedCorotated<f64>, FixedCorotated<f32>>(0, SOLID, &[]);
    caught::<Liquid<f64>, Liquid<f32>>(0, WATER, &[]);
    caught::<Snow<f64>, Snow<f32>>(0, &[], &[]);
    caught::<OldroydB<f64>, OldroydB<f32>>(0, FOAM, &[]);
    caught::<Viscoplastic<f64>, Viscoplastic<f32>>(0, DOUGH, &[]);
}

#[test]
fn misprints_are_caught() {
    let d1 = "D1 stress is the slope of energy in F";
    caught::<FixedCorotated<f64>, FixedCorotated<f32>>(HAN_3, SOLID, &[d1]);
    caught::<Hencky<f64>, Hencky<f32>>(HAN_8, SOLID, &[d1]);
    caught::<Hencky<f64>, Hencky<f32>>(HAN_9, SOLID, &[d1]);
    caught::<NeoHookean<f64>, NeoHookean<f32>>(JIANG_312, SOLID, &[d1, "D4"]);
    caught::<FixedCorotated<f64>, FixedCorotated<f32>>(U_SIGMA_V, SOLID, &[d1]);
    caught::<FixedCorotated<f64>, FixedCorotated<f32>>(SIGN_OF_U, SOLID, &[d1, "D4"]);
    caught::<Liquid<f64>, Liquid<f32>>(RAM_11, WATER, &["viscous stress depends"]);
}

#[test]
fn wrong_differentials_are_caught() {
    type A = FixedCorotated<f64>;
    type B = FixedCorotated<f32>;
    let d2 = "D2 differential is the slope of stress in F";
    caught::<A, B>(SIGN_OF_DR, SOLID, &[d2, "D3"]);
    caught::<A, B>(DP_OFF, SOLID, &[d2, "D3"]);
    caught::<A, B>(SKEW, SOLID, &[d2, "D2 differential is symmetric"]);
}

#[test]
fn wrong_rates_are_caught() {
    type A = Liquid<f64>;
    type B = Liquid<f32>;
    caught::<A, B>(S_TWICE, WATER, &["D1 stress is the slope of energy in H"]);
    caught::<A, B>(
        DS_TWICE,
        WATER,
        &["D2 differential is the slope of stress in H", "viscosity"],
    );
    caught::<A, B>(INVISCID, WATER, &["viscosity is"]);
}

#[test]
fn wrong_bounds_are_caught() {
    type A = FixedCorotated<f64>;
    type B = FixedCorotated<f32>;
    caught::<A, B>(SOFT, SOLID, &["stiffness is a bound", "stiffness is exact"]);
    caught::<A, B>(
        STIFF,
        SOLID,
        &["stiffness is exact", "stiffness is not loose"],
    );
    caught::<A, B>(SHORT_CUT, SOLID, &["kirchhoff"]);
    caught::<A, B>(SILENT, SOLID, &["fault"]);
    caught::<A, B>(NARROW, SOLID, &["f32"]);
}

#[test]
fn wrong_flows_are_caught() {
    type A = Snow<f64>;
    type B = Snow<f32>;
    caught::<A, B>(HALF_WAY, &[], &["flow twice", "flow keeps the volume"]);
    caught::<A, B>(
        STRETCH,
        &[],
        &["flow makes no energy", "flow leaves an admissible"],
    );
    caught::<A, B>(FORGET, &[], &["flow keeps the volume"]);
    caught::<A, B>(NAMELESS, &[], &["state"]);
}

#[test]
fn wrong_responses_are_caught() {
    type A = Snow<f64>;
    type B = Snow<f32>;
    let flown = "response is the stress after the flow";
    caught::<A, B>(LATE_FLOW, &[], &[flown]);
    caught::<Sand<f64>, Sand<f32>>(LATE_FLOW, &[], &[flown]);
    let metal = [SOLID, &[("yield_stress", 500.0)]].concat();
    caught::<VonMises<f64>, VonMises<f32>>(LATE_FLOW, &metal, &[flown]);
    caught::<A, B>(
        RESPONSE_OFF,
        &[],
        &["D1 response", "response is psi", flown],
    );
    caught::<A, B>(
        TANGENT_OFF,
        &[],
        &["D2 tangent", "D3 response", "tangent is"],
    );
    caught::<A, B>(INDEFINITE, &[], &["definite tangent has no"]);
}

#[test]
fn wrong_flows_in_time_are_caught() {
    type A = OldroydB<f64>;
    type B = OldroydB<f32>;
    let time = ["flow again in no time", "flow in halves"];
    caught::<A, B>(TIMELESS, FOAM, &time);
    caught::<Viscoplastic<f64>, Viscoplastic<f32>>(TIMELESS, DOUGH, &time);
    caught::<Viscoplastic<f64>, Viscoplastic<f32>>(HALF_WAY, DOUGH, &["flow twice"]);
    let shape = ["flow makes no energy", "flow keeps the volume"];
    caught::<A, B>(STRETCH, FOAM, &shape);
}

#[test]
fn wrong_relaxation_is_caught() {
    type A = OldroydB<f64>;
    type B = OldroydB<f32>;
    let at_rest = [
        "response at rest has the energy",
        "response at rest is the stress",
    ];
    let moving = ["response to half a step", "response to a long step"];
    caught::<A, B>(STALE, FOAM, &at_rest);
    caught::<A, B>(STALE, FOAM, &moving);
    caught::<A, B>(SLOPE, FOAM, &[at_rest[1], "D1 response"]);
    caught::<A, B>(SLOPE, FOAM, &moving);
}

#[test]
fn wrong_parameters_are_caught() {
    let report: Report = check_law::<Hencky<f64>, Hencky<f32>, 2>(&[("youngs_modulus", -1.0)]);
    assert_eq!(
        report.verdict().unwrap_err().check,
        "parameters are accepted"
    );
}
