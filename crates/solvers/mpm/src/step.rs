//! The step on one screen: the verbs of [Course16] §10, one file each.

use thixo_core::{Observer, PointSet, Result, Snapshot, Step, System, Totals};
use thixo_grid::{Cubic, Domain, KernelKind, LayerId, Layout, Linear, Medium, Quadratic};
use thixo_math::{Real, Vector};
use thixo_numerics::{Bounds, Dynamics};

use crate::Mpm;

impl<T: Real, const D: usize> System<T, D> for Mpm<T, D> {
    fn name(&self) -> &str {
        &self.name
    }
    fn layer(&self) -> LayerId {
        LayerId::CONTINUUM
    }
    fn needs_before(&self) -> bool {
        self.options.scheme.needs_before()
    }
    fn layout(&self) -> &Layout<D> {
        &self.layout
    }

    /// Particles by block, if one has strayed too far from its own or many have come.
    fn sort(&mut self, domain: &Domain<D>) {
        self.put_in_order(domain);
    }
    /// Stress, and the largest stable step, unless the last step has found them.
    fn survey(&mut self, _: &Domain<D>) -> Result<Bounds> {
        let limits = self.stress()?;
        Ok(self.largest_step(&limits))
    }
    /// 1. Particles to grid: mass, momentum, impulse of the internal forces.
    fn scatter(&mut self, s: &Step<'_, D>, medium: &mut Medium<T, D>) -> Result<()> {
        self.stress()?;
        match self.options.kernel {
            KernelKind::Linear => self.give_to_grid::<Linear>(s, medium),
            KernelKind::Quadratic => self.give_to_grid::<Quadratic>(s, medium),
            KernelKind::Cubic => self.give_to_grid::<Cubic>(s, medium),
        }
        Ok(())
    }
    // 2. The world turns momentum into the new velocity: forces, gravity, colliders. If it does so implicitly, it asks
    // for the potential of the stress as a function of the velocity.
    fn has_dynamics(&self) -> bool {
        true
    }
    fn dynamics<'a>(&'a mut self, s: &'a Step<'_, D>) -> Option<Box<dyn Dynamics<T, D> + 'a>> {
        Some(match self.options.kernel {
            KernelKind::Linear => Box::new(self.potential::<Linear>(s)),
            KernelKind::Quadratic => Box::new(self.potential::<Quadratic>(s)),
            KernelKind::Cubic => Box::new(self.potential::<Cubic>(s)),
        })
    }

    /// 3. Grid to particles: velocity, position out of obstacles, deformation, plastic flow, next stress.
    fn advance(&mut self, s: &Step<'_, D>, medium: &Medium<T, D>) -> Result<()> {
        match self.options.kernel {
            KernelKind::Linear => self.move_on::<Linear>(s, medium),
            KernelKind::Quadratic => self.move_on::<Quadratic>(s, medium),
            KernelKind::Cubic => self.move_on::<Cubic>(s, medium),
        }
    }
    /// 4. The next state becomes the present one; inflows and drains act.
    fn commit(&mut self, s: &Step<'_, D>) -> Result<()> {
        std::mem::swap(&mut self.particles.now, &mut self.next);
        // Backward Euler positions need the grid around where particles are going to be.
        self.strayed = self.next_strayed || s.implicit;
        self.limits = self.next_limits.take();
        self.exchange(s)
    }
    /// The stress is that of the next state; that of the present one is found again when it is needed.
    fn discard(&mut self) {
        self.limits = None;
    }

    fn totals(&self, domain: &Domain<D>, gravity: &Vector<f64, D>) -> Totals {
        self.sum(domain, gravity)
    }
    fn observe(&self, domain: &Domain<D>, observer: &mut dyn Observer) -> Result<()> {
        observer.points(&self.points(domain))
    }
    fn snapshot(&self, to: &mut Snapshot) {
        self.write(to);
    }
    fn restore(&mut self, from: &Snapshot) -> Result<()> {
        self.read(from)
    }
    fn adopt(&mut self, from: &Snapshot, shown: &PointSet) -> Result<()> {
        self.take_over(from, shown)
    }
}
