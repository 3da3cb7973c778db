//! Small worlds for cases.

use thixo_core::{Error, Result, World};
use thixo_grid::{Domain, Exec};
use thixo_material::{Kin, Law};
use thixo_math::{Matrix, Real, Vector};
use thixo_mpm::{Mpm, Options, Seed, matter};
use thixo_numerics::integrate::Integrator;
use thixo_shape::{Collider, Contact, Obstacle};

/// A domain, or the engine's error.
pub fn domain<const D: usize>(dx: f64) -> Result<Domain<D>> {
    Domain::new(dx).map_err(|e| Error::Invalid(e.to_string()))
}

/// A domain with periodic axes of these lengths (0 for an open axis).
pub fn periodic<const D: usize>(dx: f64, lengths: [f64; D]) -> Result<Domain<D>> {
    let mut d = domain(dx)?;
    for (axis, &length) in lengths.iter().enumerate() {
        if length > 0.0 {
            d = d
                .periodic(axis, length)
                .map_err(|e| Error::Invalid(e.to_string()))?;
        }
    }
    Ok(d)
}

/// An empty world on this many threads; 0 takes all cores.
pub fn world<T: Real, const D: usize>(domain: Domain<D>, threads: usize) -> Result<World<T, D>> {
    let exec = Exec::new(threads).map_err(|e| Error::Invalid(e.to_string()))?;
    Ok(World::new(domain, exec))
}

/// How a case steps.
#[derive(Clone, Copy, Debug)]
pub struct Stepping {
    /// How velocities follow from forces.
    pub integrator: Integrator,
    /// Longest step \[s\].
    pub longest: f64,
    /// Of implicit solves.
    pub tolerance: f64,
}

impl Stepping {
    /// Explicit steps, as long as they may be.
    pub const EXPLICIT: Self = Self {
        integrator: Integrator::Explicit,
        longest: f64::INFINITY,
        tolerance: 1e-3,
    };
    /// Backward Euler with steps of this length at most, solved so well that the solve does not show.
    pub fn implicit(longest: f64) -> Self {
        Self {
            integrator: Integrator::Implicit,
            longest,
            tolerance: 1e-7,
        }
    }
    /// Makes a world step so.
    pub fn set<T: Real, const D: usize>(&self, world: &mut World<T, D>) {
        world.integrator = self.integrator;
        world.accuracy.tolerance = self.tolerance;
        world.limit_step(self.longest);
    }
}

/// A set of particles of one law.
pub fn set<T: Real, const D: usize, L: Law<T, D>>(
    name: &str,
    domain: &Domain<D>,
    law: L,
    options: Options,
    seeds: impl IntoIterator<Item = Seed<D>>,
) -> Result<Mpm<T, D>> {
    let mut set = Mpm::new(name, domain, matter(law), options);
    set.add(seeds)?;
    Ok(set)
}

/// A law from its parameters.
pub fn law<T: Real, const D: usize, L: Law<T, D>>(values: &[(&str, f64)]) -> Result<L> {
    let invalid = |e: thixo_material::ParamError| Error::Invalid(e.to_string());
    let values = thixo_material::Values::new(L::INFO, values.iter().copied()).map_err(invalid)?;
    L::new(&values).map_err(invalid)
}

/// Points of a lattice with `n` per cell edge, cell-centred, within `low..high`.
pub fn lattice<const D: usize>(
    dx: f64,
    n: usize,
    low: Vector<f64, D>,
    high: Vector<f64, D>,
) -> Vec<Vector<f64, D>> {
    let h = dx / n as f64;
    let counts: [usize; D] =
        std::array::from_fn(|a| ((high[a] - low[a]) / h + 1e-9).floor().max(0.0) as usize);
    let total: usize = counts.iter().product();
    let point = |mut i: usize| {
        let mut x = Vector::zero();
        for a in (0..D).rev() {
            x[a] = low[a] + ((i % counts[a]) as f64 + 0.5) * h;
            i /= counts[a];
        }
        x
    };
    (0..total).map(point).collect()
}

/// Numbers in [0, 1) from a seed: the same everywhere.
pub fn random(seed: u64) -> impl FnMut() -> f64 {
    let mut s = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    move || {
        s = s
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        let x = (s ^ (s >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        ((x ^ (x >> 32)) >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// The largest; NaN if one of them is NaN or there are none, so that no gate passes on that.
pub fn worst(values: impl IntoIterator<Item = f64>) -> f64 {
    let larger = |a: f64, b: f64| if a.is_nan() || a > b { a } else { b };
    values.into_iter().reduce(larger).unwrap_or(f64::NAN)
}

/// A matrix with entries in (−1, 1).
pub fn random_matrix<const D: usize>(random: &mut impl FnMut() -> f64) -> Matrix<f64, D> {
    Matrix::from_fn(|_, _| 2.0 * random() - 1.0)
}

/// The exact columns of one system, by the particles' lasting numbers.
pub struct Columns<const D: usize> {
    /// Positions \[m\].
    pub x: Vec<Vector<f64, D>>,
    /// Velocities \[m/s\].
    pub v: Vec<Vector<f64, D>>,
    /// Velocity gradients \[1/s\].
    pub c: Vec<Matrix<f64, D>>,
    /// Deformation gradients.
    pub f: Vec<Matrix<f64, D>>,
    /// Masses \[kg\].
    pub m: Vec<f64>,
    /// Rest volumes \[m³\].
    pub volume: Vec<f64>,
}

/// Reads one system's columns out of the world's snapshot.
pub fn columns<T: Real, const D: usize>(world: &World<T, D>, name: &str) -> Result<Columns<D>> {
    let s = world.snapshot().view(name);
    let id: Vec<u64> = s.get("id")?;
    let cell: Vec<[i32; D]> = s.get("cell")?;
    let offset: Vec<Vector<T, D>> = s.get("offset")?;
    let v: Vec<Vector<T, D>> = s.get("v")?;
    let c: Vec<Matrix<T, D>> = s.get("C")?;
    // Of a liquid one number is all of F.
    let f: Vec<Matrix<T, D>> = match s.get("F") {
        Ok(f) => f,
        Err(_) => s.get::<T>("F")?.into_iter().map(Matrix::scalar).collect(),
    };
    let m: Vec<T> = s.get("mass")?;
    let volume: Vec<T> = s.get("rest_volume")?;
    let mut order: Vec<usize> = (0..id.len()).collect();
    order.sort_by_key(|&i| id[i]);
    let pick = |i: &usize| *i;
    let domain = world.domain();
    Ok(Columns {
        x: order
            .iter()
            .map(|&i| domain.place(&cell[i], &offset[i]))
            .collect(),
        v: order.iter().map(pick).map(|i| v[i].wide()).collect(),
        c: order.iter().map(pick).map(|i| c[i].wide()).collect(),
        f: order.iter().map(pick).map(|i| f[i].wide()).collect(),
        m: order.iter().map(pick).map(|i| m[i].wide()).collect(),
        volume: order.iter().map(pick).map(|i| volume[i].wide()).collect(),
    })
}

/// A plane through `point` with outward normal `normal`; solid behind it.
#[derive(Clone, Copy, Debug)]
pub struct Plane<const D: usize> {
    /// A point on it \[m\].
    pub point: Vector<f64, D>,
    /// Unit normal, out of the solid.
    pub normal: Vector<f64, D>,
    /// Velocity \[m/s\].
    pub velocity: Vector<f64, D>,
}

impl<const D: usize> Obstacle<D> for Plane<D> {
    fn distance(&self, x: &Vector<f64, D>, t: f64) -> f64 {
        (*x - self.point - self.velocity * t).dot(&self.normal)
    }
    fn normal(&self, _: &Vector<f64, D>, _: f64) -> Vector<f64, D> {
        self.normal
    }
    fn velocity(&self, _: &Vector<f64, D>, _: f64) -> Vector<f64, D> {
        self.velocity
    }
}

/// A wall at rest: `sign` is the side of `at` along `axis` that is free.
pub fn wall<const D: usize>(axis: usize, at: f64, sign: f64, contact: Contact) -> Collider<D> {
    let normal = Vector::axis(axis) * sign;
    let point = Vector::axis(axis) * at;
    let obstacle = Box::new(Plane {
        point,
        normal,
        velocity: Vector::zero(),
    });
    Collider {
        name: format!("wall {axis}"),
        obstacle,
        contact,
    }
}

/// How many times the error halves (log₂ of its ratio) from one grid to a finer one.
pub fn order(coarse: f64, fine: f64) -> f64 {
    (coarse / fine).log2()
}

/// Cauchy stress of matter without history \[Pa\].
pub fn cauchy<const D: usize, L: Law<f64, D>>(law: &L, f: &Matrix<f64, D>) -> Matrix<f64, D> {
    law.stress(&Kin::at(*f), &law.start()).0.times_transpose(f) / f.det()
}
