//! E8: a disk that spins and stretches under its own centrifugal force.

use std::f64::consts::PI;

use thixo_core::Result;
use thixo_grid::transfer::Scheme;
use thixo_material::elastic::FixedCorotated;
use thixo_math::{Matrix, Vector};
use thixo_mpm::{Options, Seed};

use crate::lab::{self, cauchy, columns, lattice, worst};
use crate::{Bench, Tag};

const YOUNG: f64 = 1e6;
const NU: f64 = 0.3;
const RHO: f64 = 1e3;
const OMEGA: f64 = 1.0;

/// u_r and du_r/dr in plane strain, R = 1.
fn stretch(r: f64) -> (f64, f64) {
    let k = RHO * OMEGA * OMEGA * (1.0 + NU) * (1.0 - 2.0 * NU) / (8.0 * YOUNG * (1.0 - NU));
    let a = 3.0 - 2.0 * NU;
    (k * r * (a - r * r), k * (a - 3.0 * r * r))
}

/// What a run shows.
struct Spin {
    /// Largest |ω/ω₀ − 1|, with ω from the particles' velocities.
    drift: f64,
    /// Angle turned over ωt.
    turned: f64,
    /// Mean u_r of the outermost tenth over the exact one, in the last turn.
    rim: f64,
    /// Mean σ_r near the centre in the last turn \[Pa\].
    centre: f64,
}

/// `n` cells per radius, this many turns.
fn spin(scheme: Scheme, n: usize, turns: u32, omega: f64) -> Result<Spin> {
    let dx = 1.0 / n as f64;
    let domain = lab::domain::<2>(dx)?;
    let low = Vector::splat(-1.0);
    let points: Vec<_> = lattice(dx, 2, low, -low)
        .into_iter()
        .filter(|x| x.norm() < 1.0)
        .collect();
    let law: FixedCorotated<f64> =
        lab::law::<f64, 2, _>(&[("youngs_modulus", YOUNG), ("poissons_ratio", NU)])?;
    let end = f64::from(turns) * 2.0 * PI / OMEGA;
    let looks = 16 * turns;
    // Equal steps, a whole number between two looks. The scheme's velocities belong to half steps:
    // v(−dt/2) = v(0) + ω² x dt/2.
    let each = end / f64::from(looks);
    let dt = each / (each / (0.5 * dx / (YOUNG / RHO).sqrt())).ceil();
    let spin = Matrix([[0.0, -omega], [omega, 0.0]]);
    let c = spin + Matrix::scalar(0.5 * omega * omega * dt);
    let seeds = points.iter().map(|start| {
        let r = start.norm();
        let (u, slope) = stretch(r);
        let e = *start / r;
        let x = *start + e * u;
        let f = Matrix::scalar(1.0 + u / r) + e.outer(&e) * (slope - u / r);
        Seed {
            v: c * x,
            C: c,
            F: f,
            ..Seed::new(x, 0.25 * dx * dx, RHO)
        }
    });
    let mut world = lab::world::<f64, 2>(domain, 0)?;
    let options = Options {
        scheme,
        ..Options::default()
    };
    world.add(lab::set("disk", &domain, law, options, seeds)?)?;
    world.limit_step(dt);
    let mut found = Spin {
        drift: 0.0,
        turned: 0.0,
        rim: 0.0,
        centre: 0.0,
    };
    for look in 1..=looks {
        // Looks are spread over the run; those of the last turn are averaged.
        world.advance(each * f64::from(look))?;
        let p = columns(&world, "disk")?;
        let (l, i) = (0..p.x.len()).fold((0.0, 0.0), |(l, i), k| {
            let (x, v) = (p.x[k], p.v[k]);
            (l + x[0] * v[1] - x[1] * v[0], i + x.norm2())
        });
        found.drift = worst([found.drift, (l / i / OMEGA - 1.0).abs()]);
        if look > looks - 16 {
            let rim = (0..p.x.len()).filter(|&k| points[k].norm() > 0.9);
            let (u, exact) = rim.fold((0.0, 0.0), |(u, e), k| {
                let r = points[k].norm();
                (u + p.x[k].norm() - r, e + stretch(r).0)
            });
            found.rim += u / exact / 16.0;
            let core: Vec<usize> = (0..p.x.len()).filter(|&k| points[k].norm() < 0.2).collect();
            let sigma = core.iter().map(|&k| 0.5 * cauchy(&law, &p.f[k]).trace());
            found.centre += sigma.sum::<f64>() / core.len() as f64 / 16.0;
        }
        if look == looks {
            let (s, c) =
                p.x.iter()
                    .zip(&points)
                    .fold((0.0, 0.0), |(s, c), (x, start)| {
                        (s + start[0] * x[1] - start[1] * x[0], c + start.dot(x))
                    });
            let whole = OMEGA * world.time();
            let off = s.atan2(c) - whole;
            found.turned = 1.0 + (off - 2.0 * PI * (off / (2.0 * PI)).round()) / whole;
        }
    }
    Ok(found)
}

/// E8: the spin and the stretch over five turns.
pub fn e8(b: &mut Bench) -> Result<()> {
    let turns = 5;
    // Mean of σ_r and σ_θ over r < 0.2: ρω²(3 − 2ν − 2r²)/(8(1 − ν)) with mean r² = 0.02.
    let core = RHO * OMEGA * OMEGA * (3.0 - 2.0 * NU - 0.04) / (8.0 * (1.0 - NU));
    let grids: &[usize] = if b.long { &[8, 16, 32] } else { &[8, 16] };
    for &n in grids {
        let s = spin(Scheme::APIC, n, turns, OMEGA)?;
        let row = |what: &str| format!("APIC, {n} cells per radius: {what}");
        b.at_most(&row("drift of ω"), s.drift, 1e-3, Tag::G);
        b.absolute(
            &row("angle after five turns over exact"),
            s.turned,
            1.0,
            1e-3,
            Tag::G,
        );
        b.absolute(&row("u_r at the rim over exact"), s.rim, 1.0, 0.05, Tag::G);
        b.relative(&row("stress at the centre"), s.centre, core, 0.05, Tag::G);
    }
    let s = spin(Scheme::PIC, 8, 1, OMEGA)?;
    b.at_most("PIC, one turn: drift of ω", s.drift, 1e-3, Tag::G);
    b.control();
    let s = spin(Scheme::APIC, 16, 1, 1.05 * OMEGA)?;
    b.absolute(
        "5 % too fast: u_r at the rim over exact",
        s.rim,
        1.0,
        0.05,
        Tag::G,
    );
    b.control();
    Ok(())
}
