//! The world: systems, colliders and the medium, stepped together.

use thixo_grid::{Domain, Exec, LayerId, Medium};
use thixo_math::{Real, Vector};
use thixo_numerics::integrate::{self, Accuracy, Auto, Forces, Integrator, Workspace};
use thixo_numerics::minimise::Effort;
use thixo_numerics::{Bound, Bounds, Pace, approach};
use thixo_shape::Collider;

use crate::phases::Clock;
use crate::{Error, Observer, Phases, PointSet, Result, Snapshot, Step, System, Totals};

/// A solve whose forces are out of balance by so many times the tolerance is no solution; less is noted in the effort.
const FAR_OFF: f64 = 30.0;

/// One accepted step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Taken {
    /// Its length \[s\].
    pub dt: f64,
    /// What bounded it.
    pub why: &'static str,
    /// How often it was rejected before.
    pub rejected: u32,
    /// What implicit solves took, those of rejected tries included.
    pub effort: Effort,
}

/// Everything that is simulated together.
pub struct World<T, const D: usize> {
    /// Uniform gravity \[m/s²\].
    pub gravity: Vector<f64, D>,
    /// Obstacles, in fixed order.
    pub colliders: Vec<Collider<D>>,
    /// How velocities follow from forces.
    pub integrator: Integrator,
    /// How exactly implicit steps are solved.
    pub accuracy: Accuracy,
    systems: Vec<Box<dyn System<T, D>>>,
    medium: Medium<T, D>,
    exec: Exec,
    pace: Pace,
    t: f64,
    steps: u64,
    rejected: u64,
    phases: Phases,
    effort: Effort,
    /// What that cost, in explicit steps.
    spent: f64,
    auto: Auto,
    work: Workspace<T, D>,
}

impl<T: Real, const D: usize> World<T, D> {
    /// An empty world.
    pub fn new(domain: Domain<D>, exec: Exec) -> Self {
        Self {
            gravity: Vector::zero(),
            colliders: Vec::new(),
            integrator: Integrator::default(),
            accuracy: Accuracy::default(),
            systems: Vec::new(),
            medium: Medium::new(domain, 1),
            exec,
            pace: Pace::new(f64::INFINITY),
            t: 0.0,
            steps: 0,
            rejected: 0,
            phases: Phases::default(),
            effort: Effort::default(),
            spent: 0.0,
            auto: Auto::default(),
            work: Workspace::default(),
        }
    }
    /// Puts a system in; names must differ.
    pub fn add(&mut self, system: impl Into<Box<dyn System<T, D>>>) -> Result<()> {
        let system = system.into();
        if self.systems.iter().any(|s| s.name() == system.name()) {
            return Err(Error::Invalid(format!(
                "two systems are called `{}`",
                system.name()
            )));
        }
        self.medium.layers[system.layer().0].keeps_before |= system.needs_before();
        self.systems.push(system);
        Ok(())
    }
    /// Limits the step from above \[s\].
    pub fn limit_step(&mut self, cap: f64) {
        self.pace.cap = cap;
    }

    /// Takes one step towards `stop` \[s\], which is hit exactly. A step that ends in a state that
    /// must not spread is undone and tried again with half its length.
    pub fn step(&mut self, stop: f64) -> Result<Taken> {
        self.exec.clone().run(|| {
            let bounds = self.survey()?;
            let (mut bound, mut implicit) = self.choose(bounds, stop);
            (self.effort, self.spent) = (Effort::default(), 0.0);
            self.accuracy.worth = match self.integrator {
                Integrator::Auto => Auto::worth(bounds.least().dt, self.longest(&bounds, stop)),
                _ => f64::INFINITY,
            };
            loop {
                let Bound { dt, why } = self.pace.choose(bound, self.t, stop);
                if !(dt > 0.0 && self.t + dt > self.t) {
                    self.pace.tries = 0;
                    let (step, t) = (self.steps, self.t);
                    return Err(Error::Stalled { step, t, dt, why });
                }
                match self.attempt(dt, implicit) {
                    Ok(()) => {
                        self.auto.took(implicit, self.spent);
                        return self.accept(dt, stop, why);
                    }
                    // The solve costs more than explicit steps would: they are what is left.
                    Err(Error::Unsolved(_)) if self.effort.dear > 0 => {
                        self.systems.iter_mut().for_each(|s| s.discard());
                        self.auto.gave_up(self.spent);
                        self.effort.dear = 0;
                        self.pace.last = 0.0;
                        (bound, implicit) = (bounds.least(), false);
                    }
                    Err(fault @ (Error::Fault(_) | Error::Unsolved(_))) => {
                        self.systems.iter_mut().for_each(|s| s.discard());
                        self.rejected += 1;
                        if !self.pace.reject() {
                            let tries = std::mem::take(&mut self.pace.tries);
                            let (step, t) = (self.steps, self.t);
                            return Err(Error::Step {
                                step,
                                t,
                                tries,
                                dt,
                                fault: Box::new(fault),
                            });
                        }
                    }
                    Err(other) => {
                        self.pace.tries = 0;
                        return Err(other);
                    }
                }
            }
        })
    }
    /// Steps until `stop` \[s\].
    pub fn advance(&mut self, stop: f64) -> Result<u64> {
        let mut n = 0;
        while self.t < stop {
            self.step(stop)?;
            n += 1;
        }
        Ok(n)
    }

    /// Every system looks at its state; each layer covers what its systems occupy.
    fn survey(&mut self) -> Result<Bounds> {
        let Self {
            medium,
            systems,
            colliders,
            pace,
            t,
            phases,
            ..
        } = self;
        let mut clock = Clock::start();
        let (mut waves, mut motion) = (Bound::NONE, Bound::NONE);
        for s in systems.iter_mut() {
            s.sort(&medium.domain);
            phases.sort += clock.lap();
            let bounds = s.survey(&medium.domain)?;
            motion = motion.min(bounds.motion);
            // Forces without a potential are explicit in any case.
            if s.has_dynamics() {
                waves = waves.min(bounds.waves);
            } else {
                motion = motion.min(bounds.waves);
            }
            phases.stress += clock.lap();
        }
        for (l, layer) in medium.layers.iter_mut().enumerate() {
            let mine = systems.iter().filter(|s| s.layer() == LayerId(l));
            layer.cover(
                &medium.domain,
                &mine.map(|s| s.layout()).collect::<Vec<_>>(),
            );
            // Obstacles are looked at for as long as the step may be. Without a limit nothing is there.
            let dt = motion.dt.min(pace.cap);
            if dt.is_finite() {
                motion = motion.min(approach(&medium.domain, layer, colliders, *t, dt));
            } else if waves.dt.is_finite() {
                waves = waves.min(approach(&medium.domain, layer, colliders, *t, waves.dt));
            }
        }
        phases.grid += clock.lap();
        Ok(Bounds { waves, motion })
    }

    /// The largest step towards `stop`, and whether it is to be implicit.
    fn choose(&mut self, bounds: Bounds, stop: f64) -> (Bound, bool) {
        let longest = self.longest(&bounds, stop);
        let implicit = match self.integrator {
            Integrator::Explicit => false,
            Integrator::SemiImplicit { .. } | Integrator::Implicit => true,
            Integrator::Auto => self.auto.choose(bounds.least().dt, longest),
        };
        if implicit != self.auto.implicit {
            // What was a good step for the one says nothing of the other.
            self.pace.last = 0.0;
        }
        let bound = if implicit {
            bounds.motion
        } else {
            bounds.least()
        };
        (bound, implicit)
    }
    /// How long an implicit step towards `stop` may be \[s\].
    fn longest(&self, bounds: &Bounds, stop: f64) -> f64 {
        bounds.motion.dt.min(self.pace.cap).min(stop - self.t)
    }
    /// One try of a step of length `dt`, up to the next state.
    fn attempt(&mut self, dt: f64, implicit: bool) -> Result<()> {
        let Self {
            medium,
            systems,
            gravity,
            colliders,
            t,
            phases,
            integrator,
            accuracy,
            effort,
            spent: cost,
            work,
            ..
        } = self;
        let domain = medium.domain;
        let s = Step {
            t: *t,
            dt,
            domain: &domain,
            gravity,
            colliders,
            implicit,
        };
        let mut clock = Clock::start();
        medium.layers.iter_mut().for_each(|l| l.clear());
        phases.grid += clock.lap();
        for system in systems.iter_mut() {
            system.scatter(&s, medium)?;
        }
        phases.scatter += clock.lap();
        for (l, layer) in medium.layers.iter_mut().enumerate() {
            if !s.implicit {
                integrate::symplectic(&domain, layer, gravity, colliders, *t, dt);
                continue;
            }
            if layer.nodes.is_empty() {
                continue;
            }
            let mine = systems.iter_mut().filter(|s| s.layer() == LayerId(l));
            let mut dynamics: Vec<_> = mine.filter_map(|system| system.dynamics(&s)).collect();
            let dynamics = &mut dynamics[..];
            let forces = Forces {
                gravity,
                colliders,
                dynamics,
            };
            let how = (*integrator, &*accuracy);
            let spent = integrate::implicit_layer(&domain, layer, forces, (*t, dt), how, work);
            *effort += spent;
            *cost += Auto::cost(&spent);
            if spent.dear > 0 || (!spent.converged() && spent.worst > FAR_OFF) {
                return Err(Error::Unsolved(spent.worst * accuracy.tolerance));
            }
        }
        phases.grid += clock.lap();
        for system in systems.iter_mut() {
            let outcome = system.advance(&s, medium);
            *effort += system.effort();
            *cost += system.effort_in_steps();
            outcome?;
        }
        phases.gather += clock.lap();
        Ok(())
    }
    /// The next state becomes the present one.
    fn accept(&mut self, dt: f64, stop: f64, why: &'static str) -> Result<Taken> {
        let Self {
            medium,
            systems,
            gravity,
            colliders,
            t,
            phases,
            ..
        } = self;
        let s = Step {
            t: *t,
            dt,
            domain: &medium.domain,
            gravity,
            colliders,
            implicit: self.auto.implicit,
        };
        let mut clock = Clock::start();
        for system in systems.iter_mut() {
            system.commit(&s)?;
        }
        phases.gather += clock.lap();
        let left = stop - self.t;
        self.t = if dt >= left { stop } else { self.t + dt };
        self.steps += 1;
        let rejected = self.pace.tries;
        self.pace.accept(dt, 2.0 * dt >= left);
        let effort = self.effort;
        Ok(Taken {
            dt,
            why,
            rejected,
            effort,
        })
    }
    /// Tries a step of length `dt` and undoes it, for tests that nothing hidden remains.
    pub fn try_and_undo(&mut self, dt: f64) -> Result<()> {
        self.exec.clone().run(|| {
            let bounds = self.survey()?;
            let (last, implicit) = (self.pace.last, self.choose(bounds, f64::INFINITY).1);
            self.pace.last = last;
            let outcome = self.attempt(dt, implicit);
            self.systems.iter_mut().for_each(|s| s.discard());
            outcome
        })
    }

    /// Time \[s\].
    pub fn time(&self) -> f64 {
        self.t
    }
    /// Accepted steps so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }
    /// Rejected steps so far.
    pub fn rejected(&self) -> u64 {
        self.rejected
    }
    /// Where the time of all steps since the last reset went.
    pub fn phases(&self) -> Phases {
        self.phases
    }
    /// Begins to measure anew.
    pub fn reset_phases(&mut self) {
        self.phases = Phases::default();
    }
    /// Space.
    pub fn domain(&self) -> &Domain<D> {
        &self.medium.domain
    }
    /// The threads it runs on.
    pub fn exec(&self) -> &Exec {
        &self.exec
    }
    /// The step that the present state allows.
    pub fn bound(&mut self) -> Result<Bound> {
        self.exec.clone().run(|| {
            let bounds = self.survey()?;
            Ok(match self.integrator {
                Integrator::Explicit => bounds.least(),
                _ => bounds.motion,
            })
        })
    }
    /// What each system would allow, by name, and how many blocks of the grid it fills.
    pub fn bounds(&mut self) -> Result<Vec<(String, Bound, usize)>> {
        self.exec.clone().run(|| {
            let domain = self.medium.domain;
            let each = self.systems.iter_mut().map(|s| {
                s.sort(&domain);
                let bound = s.survey(&domain)?.least();
                Ok((s.name().to_string(), bound, s.layout().blocks()))
            });
            each.collect()
        })
    }
    /// Sums over all systems.
    pub fn totals(&self) -> Totals {
        let all = self
            .systems
            .iter()
            .map(|s| s.totals(&self.medium.domain, &self.gravity));
        all.fold(Totals::default(), |a, b| a + b)
    }
    /// Shows every system to the observer.
    pub fn observe(&self, observer: &mut dyn Observer) -> Result<()> {
        self.systems
            .iter()
            .try_for_each(|s| s.observe(&self.medium.domain, observer))
    }
    /// The exact state.
    pub fn snapshot(&self) -> Snapshot {
        let mut w = Snapshot::new();
        w.put("time", &[self.t]);
        w.put("steps", &[[self.steps, self.rejected]]);
        w.put("pace", &[self.pace.last]);
        if self.integrator == Integrator::Auto {
            w.put("auto", &[self.auto.numbers()]);
        }
        for s in &self.systems {
            w.within(s.name(), |w| s.snapshot(w));
        }
        w
    }
    /// Takes the state from a snapshot of the same scene. One that does not fit changes nothing.
    pub fn restore(&mut self, from: &Snapshot) -> Result<()> {
        let before = self.snapshot();
        let outcome = self.read(from);
        if outcome.is_err() {
            self.read(&before)?;
        }
        outcome
    }
    /// Goes on from the state of another scene, which showed itself as `shown`. Systems that are not in
    /// it stay as they are; what is in it must have a system here.
    pub fn adopt(&mut self, from: &Snapshot, shown: &[PointSet]) -> Result<()> {
        for set in shown {
            if !self.systems.iter().any(|s| s.shows(&set.name)) {
                let what = format!(
                    "there is nothing here to take over `{0}`: call what takes its place `{0}`",
                    set.name
                );
                return Err(Error::Snapshot(what));
            }
        }
        self.clock(from)?;
        for s in &mut self.systems {
            if let Some(set) = shown.iter().find(|set| s.shows(&set.name)) {
                s.adopt(&from.view(s.name()), set)?;
            }
        }
        Ok(())
    }
    fn read(&mut self, from: &Snapshot) -> Result<()> {
        self.clock(from)?;
        self.systems
            .iter_mut()
            .try_for_each(|s| s.restore(&from.view(s.name())))
    }
    fn clock(&mut self, from: &Snapshot) -> Result<()> {
        self.t = from.one("time")?;
        [self.steps, self.rejected] = from.one("steps")?;
        self.pace.last = from.one("pace")?;
        if !(self.t.is_finite() && self.pace.last >= 0.0) {
            let what = format!("a time of {} s, a step of {} s", self.t, self.pace.last);
            return Err(Error::Snapshot(what));
        }
        self.pace.tries = 0;
        self.auto = Auto::default();
        match self.integrator {
            Integrator::Explicit => {}
            Integrator::SemiImplicit { .. } | Integrator::Implicit => self.auto.implicit = true,
            // A state of a run that had not to choose says nothing.
            Integrator::Auto => {
                if let Ok(numbers) = from.one("auto") {
                    self.auto = Auto::from_numbers(numbers);
                }
            }
        }
        Ok(())
    }
    /// A hash of every bit of the state.
    pub fn state_hash(&self) -> String {
        self.snapshot().hash()
    }
}
