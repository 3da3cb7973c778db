//! The contract of a solver.

use thixo_grid::{Domain, LayerId, Layout, Medium};
use thixo_math::{Real, Vector};
use thixo_numerics::integrate::Auto;
use thixo_numerics::minimise::Effort;
use thixo_numerics::{Bounds, Dynamics};

use crate::{Observer, PointSet, Result, Snapshot, Step, Totals};

/// A solver that owns its state and meets others only in the medium.
///
/// The world calls the verbs in the order they stand here. `advance` writes the *next* state; `commit` makes it the present one, `discard` forgets it.
pub trait System<T: Real, const D: usize>: Send + Sync {
    /// Its name in the scene.
    fn name(&self) -> &str;
    /// Whether it shows a set of that name.
    fn shows(&self, set: &str) -> bool {
        set == self.name()
    }
    /// The velocity field it lives in.
    fn layer(&self) -> LayerId;
    /// Whether it needs the field's velocity before the solve.
    fn needs_before(&self) -> bool;
    /// Puts what it owns in order, if that is due.
    fn sort(&mut self, domain: &Domain<D>);
    /// Looks at the present state: evaluates stress, and says how large a step may be.
    fn survey(&mut self, domain: &Domain<D>) -> Result<Bounds>;
    /// Where its matter is.
    fn layout(&self) -> &Layout<D>;
    /// Gives mass, momentum and the impulse of its own forces to its layer; in an implicit step without the impulse of
    /// those that it offers a [potential](Self::dynamics) of.
    fn scatter(&mut self, s: &Step<'_, D>, medium: &mut Medium<T, D>) -> Result<()>;
    /// The potential of its own forces as a function of its layer's velocities, for an implicit solve. One that has
    /// none gives impulses in any case.
    fn dynamics<'a>(&'a mut self, _s: &'a Step<'_, D>) -> Option<Box<dyn Dynamics<T, D> + 'a>> {
        None
    }
    /// Whether it offers a potential.
    fn has_dynamics(&self) -> bool {
        false
    }
    /// What the solves of its own took in the last [`advance`](Self::advance): of one that does not leave them to its
    /// layer.
    fn effort(&self) -> Effort {
        Effort::default()
    }
    /// What that cost, in explicit steps of it.
    fn effort_in_steps(&self) -> f64 {
        Auto::cost(&self.effort())
    }
    /// Takes velocities from its layer, moves and deforms.
    fn advance(&mut self, s: &Step<'_, D>, medium: &Medium<T, D>) -> Result<()>;
    /// The next state becomes the present one; matter comes in and goes out.
    fn commit(&mut self, s: &Step<'_, D>) -> Result<()>;
    /// The next state is forgotten.
    fn discard(&mut self);

    /// Sums over the present state.
    fn totals(&self, domain: &Domain<D>, gravity: &Vector<f64, D>) -> Totals;
    /// Shows the present state.
    fn observe(&self, domain: &Domain<D>, observer: &mut dyn Observer) -> Result<()>;
    /// Writes the present state, exactly.
    fn snapshot(&self, to: &mut Snapshot);
    /// Takes the state from a snapshot of the same scene.
    fn restore(&mut self, from: &Snapshot) -> Result<()>;
    /// Takes the matter from a snapshot of another scene, which showed itself as `shown`: where the
    /// law is another one, matter is where it was, as fast, and free of stress.
    fn adopt(&mut self, from: &Snapshot, shown: &PointSet) -> Result<()>;
}
