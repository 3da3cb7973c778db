//! T1–T5: kernels and transfers. [Course16] §8, [Jiang15] ch. 5 and appendix C.

use thixo_core::{Result, World};
use thixo_grid::transfer::Scheme;
use thixo_grid::{Cubic, Kernel, KernelKind, Linear, Quadratic};
use thixo_material::elastic::NeoHookean;
use thixo_math::{Matrix, Vector};
use thixo_mpm::{Force, Options, Seed};

use crate::lab::{self, columns, lattice, random, random_matrix, worst};
use crate::{Bench, Tag};

/// A step so short that nothing moves: a round trip between particles and grid.
const INSTANT: f64 = 1e-300;

const KERNELS: [(KernelKind, &str); 3] = [
    (KernelKind::Linear, "linear"),
    (KernelKind::Quadratic, "quadratic"),
    (KernelKind::Cubic, "cubic"),
];

fn soft<const D: usize>() -> Result<NeoHookean<f64>> {
    lab::law::<f64, D, _>(&[("youngs_modulus", 1e3), ("poissons_ratio", 0.3)])
}

/// T1: Σw = 1, Σw(x_i − x_p) = 0, Σ∇w = 0, Σ x_i ⊗ ∇w = I, D_p.
pub fn t1(b: &mut Bench) -> Result<()> {
    /// `d_inv`: what is taken for dx² D_p⁻¹.
    fn errors<K: Kernel>(d_inv: Option<f64>) -> [f64; 5] {
        let mut errors = [0f64; 5];
        let mut random = random(1);
        for n in 0..1000 {
            let f = if n == 0 { 0.0 } else { random() };
            let f = if K::NEAREST { f - 0.5 } else { f };
            let (w, s) = (K::weights(f), K::slopes(f));
            let d = |i: usize| (K::LOW + i as i32) as f64 - f;
            let sum = |g: &dyn Fn(usize) -> f64| (0..4).map(g).sum::<f64>();
            let second = d_inv.map_or(f * (1.0 - f), |d| 1.0 / d);
            let found = [
                sum(&|i| w[i]) - 1.0,
                sum(&|i| w[i] * d(i)),
                sum(&|i| s[i]),
                sum(&|i| s[i] * d(i)) - 1.0,
                sum(&|i| w[i] * d(i) * d(i)) - second,
            ];
            for (e, f) in errors.iter_mut().zip(found) {
                *e = worst([*e, f.abs()]);
            }
        }
        errors
    }
    let names = ["Σw − 1", "Σw(x_i − x_p)", "Σ∇w", "Σx_i ⊗ ∇w − I", "D_p"];
    let found = [
        errors::<Linear>(Linear::D_INV),
        errors::<Quadratic>(Quadratic::D_INV),
        errors::<Cubic>(Cubic::D_INV),
    ];
    for ((_, kernel), found) in KERNELS.iter().zip(found) {
        for (name, x) in names.iter().zip(found) {
            b.at_most(&format!("{kernel}: {name}"), x, 1e-14, Tag::X);
        }
    }
    let [.., mixed] = errors::<Cubic>(Quadratic::D_INV);
    b.at_most("cubic: the quadratic kernel's D_p", mixed, 1e-14, Tag::X);
    b.control();
    Ok(())
}

/// Particles at random in a box of `n` cells, with the velocity field v = A x + c.
fn affine_world<const D: usize>(
    options: Options,
    a: &Matrix<f64, D>,
    c: &Vector<f64, D>,
    affine: &Matrix<f64, D>,
) -> Result<World<f64, D>> {
    let dx = 0.25;
    let domain = lab::domain::<D>(dx)?;
    let mut random = random(2);
    let seeds: Vec<Seed<D>> = (0..2000)
        .map(|_| {
            let x = Vector::from_fn(|_| 8.0 * dx * (random() - 0.3));
            let seed = Seed::new(x, 0.01 * (1.0 + random()), 1000.0);
            Seed {
                v: *a * x + *c,
                C: *affine,
                ..seed
            }
        })
        .collect();
    let mut world = lab::world(domain, 1)?;
    world.add(lab::set("body", &domain, soft::<D>()?, options, seeds)?)?;
    world.limit_step(INSTANT);
    Ok(world)
}

/// Largest errors of velocity and affine velocity after one round trip.
fn round_trip<const D: usize>(options: Options, a: &Matrix<f64, D>) -> Result<(f64, f64)> {
    let c = Vector::from_fn(|i| 0.3 - i as f64);
    let mut world = affine_world(options, a, &c, a)?;
    world.step(1.0)?;
    let p = columns(&world, "body")?;
    let dx = world.domain().dx;
    let ev = |i: usize| worst((p.v[i] - (*a * p.x[i] + c)).0.map(f64::abs));
    let ec = |i: usize| {
        // The multilinear kernel keeps B/dx = C D_p/dx.
        let expected = if options.kernel == KernelKind::Linear {
            let f = p.x[i].map(|x| (x / dx).rem_euclid(1.0));
            Matrix::from_fn(|r, s| a[(r, s)] * dx * f[s] * (1.0 - f[s]))
        } else {
            *a
        };
        let e = options.scheme.affine(&p.c[i]) - expected;
        worst(e.0.into_iter().flatten().map(f64::abs))
    };
    let all = 0..p.x.len();
    Ok((worst(all.clone().map(ev)), worst(all.map(ec))))
}

/// T2: APIC returns any affine field, RPIC any rigid one.
pub fn t2(b: &mut Bench) -> Result<()> {
    fn dimension<const D: usize>(b: &mut Bench) -> Result<()> {
        let a = random_matrix::<D>(&mut random(3));
        for (kernel, name) in KERNELS {
            let options = |scheme| Options {
                kernel,
                scheme,
                ..Options::default()
            };
            let (v, c) = round_trip(options(Scheme::APIC), &a)?;
            b.at_most(&format!("{D}D {name} APIC: v"), v, 1e-13, Tag::X);
            b.at_most(&format!("{D}D {name} APIC: C"), c, 1e-13, Tag::X);
            let (v, c) = round_trip(options(Scheme::apic_flip(0.9)), &a)?;
            b.at_most(&format!("{D}D {name} APIC/FLIP: v"), v, 1e-13, Tag::X);
            b.at_most(&format!("{D}D {name} APIC/FLIP: C"), c, 1e-13, Tag::X);
            let (v, c) = round_trip(options(Scheme::RPIC), &a.skew())?;
            b.at_most(
                &format!("{D}D {name} RPIC: v of a rotation"),
                v,
                1e-13,
                Tag::X,
            );
            if kernel != KernelKind::Linear {
                b.at_most(&format!("{D}D {name} RPIC: skew C"), c, 1e-13, Tag::X);
            }
        }
        let (v, _) = round_trip(
            Options {
                scheme: Scheme::PIC,
                ..Options::default()
            },
            &a,
        )?;
        b.at_most(&format!("{D}D PIC keeps an affine field"), v, 1e-13, Tag::X);
        b.control();
        let (v, _) = round_trip(
            Options {
                scheme: Scheme::RPIC,
                ..Options::default()
            },
            &a,
        )?;
        b.at_most(&format!("{D}D RPIC keeps a shear"), v, 1e-13, Tag::X);
        b.control();
        Ok(())
    }
    dimension::<2>(b)?;
    dimension::<3>(b)
}

/// Drift of momentum and angular momentum of an elastic cloud in steps of at most `limit` \[s\], relative to
/// Σ|mv| and Σ|x × mv|.
fn drift<const D: usize>(options: Options, steps: usize, limit: f64) -> Result<(f64, f64)> {
    let dx = 0.1;
    let domain = lab::domain::<D>(dx)?;
    let mut random = random(4);
    let cells = if D == 2 { 50.0 } else { 11.0 };
    let volume = (cells * dx).powi(D as i32) / 1e4;
    let seeds: Vec<Seed<D>> = (0..10_000)
        .map(|_| {
            let x = Vector::from_fn(|_| cells * dx * (random() - 0.4));
            let seed = Seed::new(x, volume * (0.5 + random()), 1000.0);
            let v = Vector::from_fn(|a| x[(a + 1) % D] * [1.0, -1.0, 0.7][a] + random() - 0.3);
            let noise = random_matrix::<D>(&mut random) * 0.05;
            Seed {
                v,
                F: Matrix::identity() + noise,
                C: noise * 10.0,
                ..seed
            }
        })
        .collect();
    let scale = seeds.iter().fold((0.0, 0.0), |(p, l), s| {
        let mv = s.v * s.mass;
        (p + mv.norm(), l + s.x.norm() * mv.norm())
    });
    let mut world = lab::world::<f64, D>(domain, 0)?;
    world.add(lab::set("cloud", &domain, soft::<D>()?, options, seeds)?)?;
    if limit.is_finite() {
        world.limit_step(limit);
    }
    let before = world.totals();
    for _ in 0..steps {
        world.step(1e9)?;
    }
    let after = world.totals();
    let far = |a: [f64; 3], b: [f64; 3]| worst((0..3).map(|i| (a[i] - b[i]).abs()));
    Ok((
        far(before.momentum, after.momentum) / scale.0,
        far(before.angular, after.angular) / scale.1,
    ))
}

/// T3: momentum and angular momentum of 10⁴ particles with elastic forces over 1000 steps.
pub fn t3(b: &mut Bench) -> Result<()> {
    let base = Options::default();
    let cases = [
        ("APIC, least squares", base),
        (
            "APIC, ∇w",
            Options {
                force: Force::Gradient,
                ..base
            },
        ),
        (
            "RPIC, least squares",
            Options {
                scheme: Scheme::RPIC,
                ..base
            },
        ),
        (
            "APIC, cubic",
            Options {
                kernel: KernelKind::Cubic,
                ..base
            },
        ),
    ];
    for (name, options) in cases {
        let (p, l) = drift::<2>(options, 1000, f64::INFINITY)?;
        b.at_most(&format!("2D {name}: momentum"), p, 1e-12, Tag::X);
        b.at_most(&format!("2D {name}: angular momentum"), l, 1e-12, Tag::X);
    }
    let steps = if b.long { 1000 } else { 200 };
    for (name, options) in &cases[..2] {
        let (p, l) = drift::<3>(*options, steps, f64::INFINITY)?;
        b.at_most(&format!("3D {name}: momentum"), p, 1e-12, Tag::X);
        b.at_most(&format!("3D {name}: angular momentum"), l, 1e-12, Tag::X);
    }
    let linear = Options {
        kernel: KernelKind::Linear,
        ..base
    };
    let (p, l) = drift::<2>(linear, 200, f64::INFINITY)?;
    let name = "2D APIC, linear, moving particles";
    b.at_most(&format!("{name}: momentum"), p, 1e-12, Tag::X);
    b.at_most(&format!("{name}: angular momentum"), l, 1e-12, Tag::X);
    let (_, l) = drift::<2>(
        Options {
            scheme: Scheme::PIC,
            ..base
        },
        200,
        f64::INFINITY,
    )?;
    b.at_most("2D PIC: angular momentum", l, 1e-12, Tag::X);
    b.control();
    for force in [Force::LeastSquares, Force::Gradient] {
        let options = Options {
            scheme: Scheme::apic_flip(0.9),
            force,
            ..base
        };
        let name = format!("2D APIC/FLIP, {force:?}");
        let (p, l) = drift::<2>(options, 1000, f64::INFINITY)?;
        b.at_most(&format!("{name}: momentum"), p, 1e-12, Tag::X);
        b.at_most(&format!("{name}: angular momentum"), l, 1e-3, Tag::G);
        let (_, l) = drift::<2>(options, 100, INSTANT)?;
        b.at_most(&format!("{name}: … at rest"), l, 1e-12, Tag::X);
    }
    let flip = Options {
        scheme: Scheme::flip(0.9),
        ..base
    };
    let (_, l) = drift::<2>(flip, 100, INSTANT)?;
    b.at_most("2D FLIP: angular momentum at rest", l, 1e-12, Tag::X);
    b.control();
    Ok(())
}

/// L_N/L_0 of the spinning disk of the reference data after 1, 10 and 100 round trips.
fn spin_kept(options: Options) -> Result<[f64; 3]> {
    let domain = lab::domain::<2>(1.0)?;
    let centre = Vector([0.37, 0.21]);
    let low = Vector([-12.0, -12.0]);
    let omega = Matrix([[0.0, -1.0], [1.0, 0.0]]);
    let disk = lattice(1.0, 2, low, -low)
        .into_iter()
        .filter(|x| (*x - centre).norm() < 10.0);
    let seeds = disk.map(|x| Seed {
        v: omega * (x - centre),
        C: omega,
        ..Seed::new(x, 1.0, 1.0)
    });
    let mut world = lab::world::<f64, 2>(domain, 1)?;
    world.add(lab::set("disk", &domain, soft::<2>()?, options, seeds)?)?;
    world.limit_step(INSTANT);
    let start = world.totals().angular[2];
    let mut kept = [0.0; 3];
    for n in 1..=100 {
        world.step(1.0)?;
        let slot = match n {
            1 => 0,
            10 => 1,
            100 => 2,
            _ => continue,
        };
        kept[slot] = world.totals().angular[2] / start;
    }
    Ok(kept)
}

/// T4: what PIC loses of a rigid spin, to ten digits, and that APIC and RPIC lose nothing.
pub fn t4(b: &mut Bench) -> Result<()> {
    // transfer_angular_momentum.json: an independent code.
    let reference = [
        [0.9928137294981759, 0.9333171364772318, 0.5239865899701026],
        [0.990481592775561, 0.9128451796314699, 0.4242284222506253],
        [0.9874026507068944, 0.8865225731183536, 0.3201841650530597],
    ];
    for ((kernel, name), reference) in KERNELS.into_iter().zip(reference) {
        let options = |scheme| Options {
            kernel,
            scheme,
            ..Options::default()
        };
        let kept = spin_kept(options(Scheme::PIC))?;
        for ((n, kept), reference) in [1, 10, 100].iter().zip(kept).zip(reference) {
            b.absolute(
                &format!("{name} PIC, {n} trips"),
                kept,
                reference,
                1e-10,
                Tag::M,
            );
        }
        for (scheme, label) in [(Scheme::APIC, "APIC"), (Scheme::RPIC, "RPIC")] {
            let kept = spin_kept(options(scheme))?;
            b.absolute(
                &format!("{name} {label}, 100 trips"),
                kept[2],
                1.0,
                1e-12,
                Tag::X,
            );
        }
    }
    let kept = spin_kept(Options {
        scheme: Scheme::apic_pic(0.99),
        ..Options::default()
    })?;
    b.absolute("99 % APIC, 1 % PIC, 100 trips", kept[2], 1.0, 1e-12, Tag::X);
    b.control();
    Ok(())
}

/// T5: every particle of a body falls as x₀ + n v₀ dt + ½ g dt² n(n+1).
pub fn t5(b: &mut Bench) -> Result<()> {
    fn fall<const D: usize>(options: Options, later: i32) -> Result<(f64, f64)> {
        let dx = 0.1;
        let domain = lab::domain::<D>(dx)?;
        let mut random = random(5);
        let low = Vector::splat(-0.35);
        let v0 = Vector::from_fn(|a| [0.7, -0.4, 0.2][a]);
        let g = Vector::from_fn(|a| [0.0, -9.81, 1.0][a]);
        let starts: Vec<_> = lattice(dx, 2, low, -low)
            .into_iter()
            .map(|x| x + Vector::from_fn(|_| 0.04 * (random() - 0.5)))
            .collect();
        let seeds = starts
            .iter()
            .map(|&x| Seed::new(x, 1e-3, 1000.0).moving(v0));
        let mut world = lab::world::<f64, D>(domain, 1)?;
        world.gravity = g;
        world.add(lab::set("body", &domain, soft::<D>()?, options, seeds)?)?;
        let (dt, n) = (1e-3, 300i32);
        world.limit_step(dt);
        for _ in 0..n {
            world.step(1e9)?;
        }
        let p = columns(&world, "body")?;
        let fallen = v0 * (n as f64 * dt) + g * (0.5 * dt * dt * (n * (n + later)) as f64);
        let v = v0 + g * (n as f64 * dt);
        let far = |e: Vector<f64, D>| worst(e.0.map(f64::abs));
        let x = p.x.iter().zip(&starts).map(|(x, s)| far(*x - *s - fallen));
        Ok((worst(x), worst(p.v.iter().map(|w| far(*w - v)))))
    }
    for (kernel, name) in KERNELS {
        for (scheme, label) in [
            (Scheme::PIC, "PIC"),
            (Scheme::FLIP, "FLIP"),
            (Scheme::RPIC, "RPIC"),
            (Scheme::APIC, "APIC"),
        ] {
            let options = Options {
                kernel,
                scheme,
                ..Options::default()
            };
            let (x, v) = fall::<2>(options, 1)?;
            b.at_most(&format!("2D {name} {label}: x"), x, 1e-12, Tag::X);
            b.at_most(&format!("2D {name} {label}: v"), v, 1e-12, Tag::X);
        }
    }
    let (x, v) = fall::<3>(Options::default(), 1)?;
    b.at_most("3D quadratic APIC: x", x, 1e-12, Tag::X);
    b.at_most("3D quadratic APIC: v", v, 1e-12, Tag::X);
    // Explicit Euler, which moves before it accelerates, falls ½ g dt² n(n − 1).
    let (x, _) = fall::<2>(Options::default(), -1)?;
    b.at_most("positions before velocities: x", x, 1e-12, Tag::X);
    b.control();
    super::mesh::t5(b)
}
