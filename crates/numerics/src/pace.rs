//! The choice of the time step.

/// The largest stable step of a system, and what bounds it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    /// Step \[s\].
    pub dt: f64,
    /// What bounds it, for people: "elastic waves", "viscosity", "advection", …
    pub why: &'static str,
}

impl Bound {
    /// No bound.
    pub const NONE: Self = Self {
        dt: f64::INFINITY,
        why: "nothing",
    };

    /// The stricter of two.
    pub fn min(self, o: Self) -> Self {
        if o.dt < self.dt { o } else { self }
    }
}

/// Chooses steps: never above the bound, never past the next stop, and after a rejected step no
/// faster than doubling. All it knows is in the two numbers, which belong to the state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    /// The last accepted step \[s\], 0 before the first.
    pub last: f64,
    /// How often the present step has been rejected.
    pub tries: u32,
    /// Largest step allowed by the user \[s\].
    pub cap: f64,
}

impl Pace {
    /// How often a step is halved before the run gives up.
    pub const MAX_TRIES: u32 = 24;

    /// With an upper limit on the step.
    pub fn new(cap: f64) -> Self {
        Self {
            last: 0.0,
            tries: 0,
            cap,
        }
    }
    /// The step to try from `t`, so that `stop` is hit exactly and without a sliver before it.
    pub fn choose(&self, bound: f64, t: f64, stop: f64) -> f64 {
        let mut dt = bound.min(self.cap);
        if self.last > 0.0 {
            dt = dt.min(2.0 * self.last);
        }
        dt *= 0.5f64.powi(self.tries as i32);
        let left = stop - t;
        if dt >= left {
            left
        } else if 2.0 * dt > left {
            0.5 * left
        } else {
            dt
        }
    }
    /// The step was good.
    pub fn accept(&mut self, dt: f64, cut: bool) {
        // A step cut short to hit a stop says nothing about what is stable.
        if !cut || self.tries > 0 || self.last == 0.0 {
            self.last = dt;
        }
        self.tries = 0;
    }
    /// The step was not: the next try takes half.
    pub fn reject(&mut self) -> bool {
        self.tries += 1;
        self.tries <= Self::MAX_TRIES
    }
}
