//! Before a step: the lazy sort, the stress of the present state, and the largest stable step.

use thixo_core::{Fault, Result};
use thixo_grid::{
    Cubic, Domain, Kernel, KernelKind, Linear, Quadratic, Range, Rooms, Split, fold_blocks,
};
use thixo_math::{Level, Real, Vector};
use thixo_numerics::{Bound, Bounds};

use crate::lines::ChunksMut;
use crate::matter::{Block, Deformed, Stiffness};
use crate::settle::{Measure, Settled};
use crate::{Force, Mpm};

/// What limits a step. Of some particles and others together it is that of all, to the bit.
#[derive(Clone, Copy)]
pub(crate) struct Limits<T> {
    pub stiffness: Stiffness<T>,
    pub settled: Settled<T>,
}

impl<T: Real> Limits<T> {
    /// Of both.
    pub fn and(self, o: Self) -> Self {
        Self {
            stiffness: self.stiffness.and(o.stiffness),
            settled: self.settled.and(o.settled),
        }
    }
}

impl<T: Real, const D: usize> Mpm<T, D> {
    /// Sorts particles by block if that is due.
    pub(crate) fn put_in_order(&mut self, domain: &Domain<D>) {
        if !self.strayed {
            return;
        }
        let (layout, kernel) = (&mut self.layout, self.options.kernel);
        let p = &mut self.particles;
        let order = p.sort(layout, domain, kernel, &mut self.next);
        if self.limits.is_some() {
            self.tau.rearrange(&order, &mut self.next.shape);
        }
        self.strayed = false;
    }

    /// V⁰ τ of every particle, and what limits the step.
    pub(crate) fn stress(&mut self) -> Result<Limits<T>> {
        if let Some(limits) = self.limits {
            return Ok(limits);
        }
        if self.unchecked {
            self.health(0)?;
            self.unchecked = false;
        }
        let limits = self.find_stress(0)?;
        self.limits = Some(limits);
        Ok(limits)
    }

    /// V⁰ τ of the particles in the ranges from `from` on, and how they limit the step.
    pub(crate) fn find_stress(&mut self, from: usize) -> Result<Limits<T>> {
        let p = &self.particles;
        self.tau.resize(p.slots());
        let (ranges, matter) = (&self.layout.ranges[from..], &self.matter);
        let mut tau = self.tau.all_mut();
        let tau = tau.split_off(ranges.first().map_or(0, |r| r.start));
        let stiffness = fold_blocks(
            ranges,
            tau,
            &Rooms::default(),
            &|_, r, tau, _: &mut ()| {
                let block = Block {
                    count: r.len(),
                    shape: p.now.shape.from(r.start),
                    gradient: p.gradient(r.start),
                    body: &p.body[r.chunks()],
                };
                let shape = ChunksMut::none();
                let to = Deformed { shape, tau };
                let mut found = matter.deform(block, None, to);
                found.bad = found.bad.map(|i| r.start + i);
                found
            },
            &|a, b| a.and(b),
        );
        let stiffness = stiffness.unwrap_or(Stiffness::none());
        if let Some(i) = stiffness.bad {
            let why = self.why_bad(&self.particles.now, i);
            return Err(self.fault(i, "deformation", why.into()).into());
        }
        let settled = match self.options.kernel {
            KernelKind::Linear => self.measure::<Linear>(from),
            KernelKind::Quadratic => self.measure::<Quadratic>(from),
            KernelKind::Cubic => self.measure::<Cubic>(from),
        };
        Ok(Limits { stiffness, settled })
    }

    /// Every number of every particle in the ranges from `from` on is fit for a step; what is not is named.
    pub(crate) fn health(&self, from: usize) -> Result<()> {
        let p = &self.particles;
        let positive = |x: T| x > T::zero() && x.finite();
        let low = match self.options.kernel {
            KernelKind::Quadratic => T::of(-0.5),
            _ => T::zero(),
        };
        let anchored = |f: &Vector<T, D>| f.0.iter().all(|f| (low..=low + T::one()).contains(f));
        let check = |r: &Range<D>, i: usize| {
            let (C, L) = (p.C(i), p.L(i));
            let ill = if !anchored(&p.f(i)) || !self.domain.contains(&r.cell(p.now.place[i])) {
                "position"
            } else if !p.v(i).finite() {
                "velocity"
            } else if !(C.finite() && L.finite()) {
                "velocity gradient"
            } else if !positive(p.m(i)) {
                "mass"
            } else if !positive(p.V0(i)) {
                "rest volume"
            } else {
                return None;
            };
            Some((i, ill))
        };
        let ill = fold_blocks(
            &self.layout.ranges[from..],
            (),
            &Rooms::default(),
            &|_, r, (), _: &mut ()| (r.start..r.end).find_map(|i| check(r, i)),
            &|a, b| a.or(b),
        );
        match ill.flatten() {
            None => Ok(()),
            Some((i, quantity)) => Err(self.fault(i, quantity, "is not usable".into()).into()),
        }
    }

    /// K and M are sums over particles, so the largest frequency is at most that of one particle:
    /// ω² ≤ g e/ρ⁰ with g = dx⁻² · dx² D⁻¹ for moving least squares and Σ|∇w|²/w for the classical
    /// form; a viscous mode decays at 2 g η J/ρ⁰. Symplectic Euler is stable for
    /// (ω dt)²/4 + rate dt/2 ≤ 1.
    pub(crate) fn largest_step(&self, limits: &Limits<T>) -> Bounds {
        let Limits { stiffness, settled } = limits;
        let shape = match (self.options.force, self.options.kernel) {
            (Force::LeastSquares, KernelKind::Quadratic | KernelKind::Cubic) => self.d_inv(),
            _ => settled.shape.wide(),
        };
        let (speed, strain) = (settled.speed2.wide().sqrt(), settled.strain.wide());
        let g = shape / (self.dx * self.dx);
        let (w2, rate) = (
            g * stiffness.elastic.wide(),
            2.0 * g * stiffness.viscous.wide(),
        );
        // Positive root of w2/4 dt² + rate/2 dt − 1 = 0.
        let b = 0.5 * rate;
        let dt = 2.0 / (b + (b * b + w2).sqrt());
        let why = if b * dt > 0.5 {
            "viscosity"
        } else {
            "elastic waves"
        };
        let waves = Bound {
            dt: self.options.safety * dt,
            why,
        };
        let advection = Bound {
            dt: self.options.cfl * self.dx / speed,
            why: "advection",
        };
        // Less than half of any edge is lost in one step, so det(I + dt ∇v) stays positive.
        let crushing = Bound {
            dt: 0.5 / strain,
            why: "deformation rate",
        };
        // What comes in within a step goes straight on to its end: no farther than advection may.
        let swiftest = self
            .inflows
            .iter()
            .map(|i| i.stream.velocity().norm())
            .fold(0.0, f64::max);
        let inflow = Bound {
            dt: self.options.cfl * self.dx / swiftest,
            why: "an inflow",
        };
        let motion = advection.min(crushing).min(inflow);
        Bounds { waves, motion }
    }

    /// What bounds the step besides stiffness, for the particles in the ranges from `from` on.
    fn measure<K: Kernel>(&self, from: usize) -> Settled<T> {
        let p = &self.particles;
        let slopes = self.options.force == Force::Gradient || K::D_INV.is_none();
        let level = Level::in_use();
        let all = fold_blocks(
            &self.layout.ranges[from..],
            (),
            &Rooms::default(),
            &|_, r, (), _: &mut ()| {
                level.dispatch(Measure::<T, K, D> {
                    count: r.len(),
                    f: &p.now.f[r.chunks()],
                    now: &p.now.motion[r.chunks()],
                    gradient: p.gradient(r.start),
                    slopes,
                    kernel: Default::default(),
                })
            },
            &|a, b| a.and(b),
        );
        all.unwrap_or(Settled::none())
    }

    /// A fault of particle `i`, by its lasting number.
    pub(crate) fn fault(&self, i: usize, quantity: &'static str, what: String) -> Fault {
        let particle = self.particles.id.get(i).copied().unwrap_or(u64::MAX);
        Fault {
            system: self.name.clone(),
            particle,
            quantity,
            what,
        }
    }
}
