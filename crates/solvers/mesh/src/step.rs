//! The step on one screen.

use thixo_core::{Observer, PointSet, Result, Snapshot, Step, System, Totals};
use thixo_grid::{Cubic, Domain, KernelKind, LayerId, Layout, Medium, Quadratic};
use thixo_math::{Real, Vector};
use thixo_numerics::minimise::Effort;
use thixo_numerics::{Bounds, Dynamics};

use crate::{Mesh, Way};

impl<T: Real, const D: usize> System<T, D> for Mesh<T, D> {
    fn name(&self) -> &str {
        &self.name
    }
    fn shows(&self, set: &str) -> bool {
        self.sets().iter().any(|(look, _)| look.set == set)
    }
    fn layer(&self) -> LayerId {
        LayerId::CONTINUUM
    }
    fn needs_before(&self) -> bool {
        match self.options.way {
            Way::Free => false,
            Way::Grid { scheme, .. } => scheme.needs_before(),
        }
    }
    fn layout(&self) -> &Layout<D> {
        &self.layout
    }
    /// Vertices by block, if they go through the grid.
    fn sort(&mut self, domain: &Domain<D>) {
        self.lay_out(domain);
    }
    fn survey(&mut self, domain: &Domain<D>) -> Result<Bounds> {
        self.limits(domain)
    }
    /// 1. Vertices to grid: mass, momentum, impulse of their forces. A free mesh gives nothing.
    fn scatter(&mut self, s: &Step<'_, D>, medium: &mut Medium<T, D>) -> Result<()> {
        let layer = &mut medium.layers[LayerId::CONTINUUM.0];
        match self.options.way {
            Way::Free => Ok(()),
            Way::Grid { kernel, .. } => match kernel {
                KernelKind::Cubic => self.give_to_grid::<Cubic>(s, layer),
                _ => self.give_to_grid::<Quadratic>(s, layer),
            },
        }
    }
    // 2. The world turns momentum into the new velocity, implicitly with the potential of the mesh.
    /// A free mesh solves implicit steps by itself.
    fn has_dynamics(&self) -> bool {
        true
    }
    fn dynamics<'a>(&'a mut self, s: &'a Step<'_, D>) -> Option<Box<dyn Dynamics<T, D> + 'a>> {
        match self.options.way {
            Way::Free => None,
            Way::Grid { kernel, .. } => Some(match kernel {
                KernelKind::Cubic => Box::new(self.potential::<Cubic>(s)),
                _ => Box::new(self.potential::<Quadratic>(s)),
            }),
        }
    }
    fn effort(&self) -> Effort {
        self.effort
    }
    /// Products with rows of blocks are cheap beside elements and contacts, of which an explicit step has one look.
    /// Fitted to runs of the four scenes of free meshes.
    fn effort_in_steps(&self) -> f64 {
        let e = &self.effort;
        let looks = 3 * e.solves + e.iterations + e.line_steps;
        0.4 * f64::from(looks) + 0.6 * f64::from(e.iterations) + 0.07 * f64::from(e.products)
    }
    /// 3. Velocities from the grid, or from a solve of its own; places, obstacles, plastic flow.
    fn advance(&mut self, s: &Step<'_, D>, medium: &Medium<T, D>) -> Result<()> {
        let layer = &medium.layers[LayerId::CONTINUUM.0];
        match self.options.way {
            Way::Free => self.update(s),
            Way::Grid { kernel, .. } => match kernel {
                KernelKind::Cubic => self.take_from_grid::<Cubic>(s, layer),
                _ => self.take_from_grid::<Quadratic>(s, layer),
            },
        }
    }
    fn commit(&mut self, _: &Step<'_, D>) -> Result<()> {
        std::mem::swap(&mut self.now, &mut self.next);
        self.stable = None;
        Ok(())
    }
    fn discard(&mut self) {}

    fn totals(&self, _: &Domain<D>, gravity: &Vector<f64, D>) -> Totals {
        self.sum(gravity)
    }
    fn observe(&self, domain: &Domain<D>, observer: &mut dyn Observer) -> Result<()> {
        let mut sets = self.sets().into_iter();
        sets.try_for_each(|set| observer.points(&self.points(domain, &set)))
    }
    fn snapshot(&self, to: &mut Snapshot) {
        self.write(to);
    }
    fn restore(&mut self, from: &Snapshot) -> Result<()> {
        self.read(from)
    }
    fn adopt(&mut self, from: &Snapshot, _: &PointSet) -> Result<()> {
        self.take_over(from)
    }
}

impl<T: Real, const D: usize> Mesh<T, D> {
    /// One step of a free mesh alone, without a world; one that fails changes nothing.
    pub fn step_alone(&mut self, s: &Step<'_, D>) -> Result<()> {
        self.limits(s.domain)?;
        self.update(s)?;
        self.commit(s)
    }
}
