//! Every law in the lanes of a register does what it does with one particle, whatever its neighbours are.
#![allow(non_snake_case)]

use thixo_material::{Build, Kin, Law, Motion, Numbers, Values, laws};
use thixo_math::{Lane, Level, Mask, Matrix, Pack, Real, Simd, Task, Vector};

/// Deformations of all kinds, one after the other: slight, large, flat, mirrored, not a number.
fn deformations<T: Real, const D: usize>() -> Vec<Matrix<T, D>> {
    let mut seed = 7u64;
    let mut random = move || {
        seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (seed >> 11) as f64 / (1u64 << 53) as f64 - 0.5
    };
    let mut all = Vec::new();
    for n in 0..400 {
        let size = [0.01, 0.05, 0.5, 0.2, 1e-4][n % 5];
        let mut F = Matrix::<f64, D>::from_fn(|i, j| random() * size + f64::from(u8::from(i == j)));
        if n % 11 == 3 {
            // Stretches that differ: between equal ones the mirrored axis hangs on rounding.
            F = F * Matrix::diagonal(&Vector::from_fn(|i| [-0.6, 1.0, 1.4][i]));
        }
        if n % 97 == 50 {
            F[(0, 0)] = f64::NAN;
        }
        all.push(Matrix::of(&F));
    }
    all
}

/// Largest differences of stress over stiffness, of F, and of the state; and whether one law allowed what
/// the other did not.
struct Same<'a, T, L, const D: usize>(&'a L, &'a [Matrix<T, D>]);

impl<T: Real, L: Law<T, D>, const D: usize> Task for Same<'_, T, L, D> {
    type Out = (f64, usize, usize);
    fn run<S: Simd>(self, s: S) -> Self::Out {
        let Self(law, all) = self;
        let like = Pack::<T, S>::splat(s, T::zero());
        let wide = law.lanes(like);
        let (mut worst, mut unlike, mut allowed) = (0.0f64, 0, 0);
        for few in all.chunks(Pack::<T, S>::COUNT) {
            // The last one again in lanes that have none.
            let last = few.iter().chain(std::iter::repeat(&few[few.len() - 1]));
            let all_lanes: Vec<_> = last.take(Pack::<T, S>::COUNT).collect();
            let column = |i, j| all_lanes.iter().map(|F| F[(i, j)]).collect::<Vec<T>>();
            let F = Matrix::<_, D>::from_fn(|i, j| Pack::load(s, &column(i, j)));
            let H = Matrix::scalar(like.fill(1e-3));
            let dt = like.fill(1.0);
            let start = law.start();
            let mut a = <L::In<Pack<T, S>> as Motion<_, D>>::State::from_fn(|n| {
                like.spread(start.all()[n])
            });
            let k = Kin { F, H, dt };
            let out = wide.flow(&k, &mut a);
            let (tau, e) = wide.kirchhoff(&Kin { F: out, ..k }, &a);
            let fit = wide.allows(&out);
            for (l, F) in few.iter().enumerate() {
                let (mut b, H) = (law.start(), Matrix::scalar(T::of(1e-3)));
                let one = Kin {
                    F: *F,
                    H,
                    dt: T::one(),
                };
                let F1 = law.flow(&one, &mut b);
                let (t1, e1) = law.kirchhoff(&Kin { F: F1, ..one }, &b);
                unlike += usize::from(fit.at(l) != law.allows(&F1));
                if !law.allows(&F1) {
                    continue;
                }
                allowed += 1;
                let size = e1.wide();
                for i in 0..D {
                    for j in 0..D {
                        worst = worst.max((out[(i, j)].at(l).wide() - F1[(i, j)].wide()).abs());
                        let off = tau[(i, j)].at(l).wide() - t1[(i, j)].wide();
                        worst = worst.max(off.abs() / size);
                    }
                }
                worst = worst.max((e.at(l).wide() / size - 1.0).abs());
                for (x, y) in a.all().iter().zip(b.all()) {
                    worst = worst.max((x.at(l).wide() - y.wide()).abs());
                }
            }
        }
        (worst / T::EPSILON, unlike, allowed)
    }
}

/// Checks a law that is known by name.
struct Check;

impl<T: Real, const D: usize> Build<T, D> for Check {
    type Out = ();
    fn build<L: Law<T, D>>(self, law: L) {
        let all = deformations::<T, D>();
        for level in Level::ALL.into_iter().filter(|l| l.is_there()) {
            let (worst, unlike, allowed) = level.dispatch(Same::<T, L, D>(&law, &all));
            let what = format!("{} {} {D}D at {}", L::INFO.name, T::NAME, level.name());
            assert!(worst < 600.0, "{what}: {worst} roundings");
            assert_eq!(unlike, 0, "{what}: allowed by one and not by the other");
            assert!(allowed > 300, "{what}: only {allowed} were compared");
        }
    }
}

fn every_law<T: Real, const D: usize>() {
    for entry in laws::<T, D, Check>() {
        let missing = entry.info.params.iter().filter(|p| p.default.is_none());
        let given = missing.map(|p| (p.name, if p.name == "poissons_ratio" { 0.3 } else { 1e5 }));
        let values = Values::new(entry.info, given).unwrap();
        entry.make(Check, &values).unwrap();
    }
}

#[test]
fn lanes_do_what_one_does() {
    every_law::<f32, 3>();
    every_law::<f64, 3>();
    every_law::<f32, 2>();
    every_law::<f64, 2>();
}
