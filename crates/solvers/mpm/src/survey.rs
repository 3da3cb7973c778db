//! Before a step: the lazy sort, the stress of the present state, and the largest stable step.

use thixo_core::{Fault, Result};
use thixo_grid::{Cubic, Domain, Kernel, KernelKind, Layout, Linear, Quadratic, fold_blocks};
use thixo_math::{Lane, Matrix, Real};
use thixo_numerics::Bound;

use crate::{Force, Mpm};

impl<T: Real, const D: usize> Mpm<T, D> {
    /// Sorts particles by block if one has strayed too far.
    pub(crate) fn sort(&mut self, domain: &Domain<D>) {
        if !self.strayed {
            return;
        }
        for c in &mut self.particles.cell {
            domain.wrap_cell(c);
        }
        let (order, layout) = Layout::sort(&self.particles.cell, self.options.kernel);
        self.particles.permute(&order);
        self.matter.permute(&order);
        self.layout = layout;
        self.strayed = false;
        self.bound = None;
    }

    /// V⁰ τ of every particle, and the largest stable step.
    pub(crate) fn stress(&mut self) -> Result<Bound> {
        if let Some(bound) = self.bound {
            return Ok(bound);
        }
        self.health()?;
        let p = &self.particles;
        self.tau.resize(p.len(), Matrix::zero());
        let gradient = p.gradient();
        let tau = &mut self.tau;
        let stiffness = self.matter.stress(&self.layout, gradient, &p.m, &p.V0, tau);
        if let Some(i) = stiffness.bad {
            return Err(self
                .fault(i, "deformation or stress", "is not finite".into())
                .into());
        }
        let swift = self.swiftness();
        let bound = self.largest_step(
            stiffness.elastic.wide(),
            stiffness.viscous.wide(),
            swift.speed,
            swift.strain,
            swift.shape,
        );
        // What comes in within a step goes straight on to its end: no farther than advection may.
        let swiftest = self
            .inflows
            .iter()
            .map(|i| i.stream.velocity().norm())
            .fold(0.0, f64::max);
        let bound = bound.min(Bound {
            dt: self.options.cfl * self.dx / swiftest,
            why: "an inflow",
        });
        self.bound = Some(bound);
        Ok(bound)
    }

    /// Every number of every particle is fit for a step; what is not is named.
    fn health(&self) -> Result<()> {
        let p = &self.particles;
        let gradient = p.gradient();
        let positive = |x: T| x > T::zero() && x.finite();
        let check = |i: usize| {
            let ill = if !p.f[i].finite() || !self.domain.contains(&p.cell[i]) {
                "position"
            } else if !p.v[i].finite() {
                "velocity"
            } else if !(p.C[i].finite() && gradient[i].finite()) {
                "velocity gradient"
            } else if !positive(p.m[i]) {
                "mass"
            } else if !positive(p.V0[i]) {
                "rest volume"
            } else {
                return None;
            };
            Some((i, ill))
        };
        let ill = fold_blocks(
            &self.layout.ranges,
            (&mut [] as &mut [()], 0),
            (),
            &|_, r, _, ()| (r.start..r.end).find_map(check),
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
    fn largest_step(
        &self,
        elastic: f64,
        viscous: f64,
        speed: f64,
        strain: f64,
        shape: f64,
    ) -> Bound {
        let g = shape / (self.dx * self.dx);
        let (w2, rate) = (g * elastic, 2.0 * g * viscous);
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
        waves.min(advection).min(crushing)
    }

    /// Largest speed, largest ‖∇v‖ and largest shape factor of the kernel.
    fn swiftness(&self) -> Swift {
        let p = &self.particles;
        let gradient = p.gradient();
        let shape = match (self.options.force, self.options.kernel) {
            (Force::LeastSquares, KernelKind::Quadratic | KernelKind::Cubic) => None,
            (_, KernelKind::Linear) => Some(slope_factor::<Linear, T> as fn(T) -> T),
            (_, KernelKind::Quadratic) => Some(slope_factor::<Quadratic, T> as fn(T) -> T),
            (_, KernelKind::Cubic) => Some(slope_factor::<Cubic, T> as fn(T) -> T),
        };
        let more = |a: [T; 3], b: [T; 3]| std::array::from_fn(|i| Lane::max(a[i], b[i]));
        let all = fold_blocks(
            &self.layout.ranges,
            (&mut [] as &mut [()], 0),
            (),
            &|_, r, _, ()| {
                let mut most = [T::zero(); 3];
                for i in r.start..r.end {
                    let own = shape.map_or(T::zero(), |g| {
                        (0..D).fold(T::zero(), |s, a| Lane::max(s, g(p.f[i][a])))
                    });
                    most = more(most, [p.v[i].norm2(), gradient[i].row_sum_norm(), own]);
                }
                most
            },
            &more,
        );
        let [v2, strain, own] = all.unwrap_or([T::zero(); 3]);
        let shape = if shape.is_some() {
            own.wide()
        } else {
            self.d_inv()
        };
        Swift {
            speed: v2.wide().sqrt(),
            strain: strain.wide(),
            shape,
        }
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

struct Swift {
    speed: f64,
    strain: f64,
    shape: f64,
}

/// Σ (dx ∇w)²/w along one axis. For the multilinear kernel it has no bound; it is cut at a place
/// 5 % of a cell from a node.
fn slope_factor<K: Kernel, T: Real>(f: T) -> T {
    let f = if K::NEAREST {
        f
    } else {
        Lane::min(Lane::max(f, T::of(0.05)), T::of(0.95))
    };
    let (w, s) = (K::weights(f), K::slopes(f));
    (0..K::WIDTH).fold(T::zero(), |sum, i| {
        if w[i] > T::zero() {
            sum + s[i] * s[i] / w[i]
        } else {
            sum + T::of(2.0)
        }
    })
}
