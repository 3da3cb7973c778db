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

/// What limits the step of a system.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// The stability of explicit forces: elastic waves, viscosity.
    pub waves: Bound,
    /// Everything else: advection, deformation, inflows.
    pub motion: Bound,
}

impl Bounds {
    /// The stricter of both.
    pub fn least(self) -> Bound {
        self.waves.min(self.motion)
    }
}

/// Chooses steps: never above the bound, never past the next stop, and no more than twice the last
/// one, so that a step follows a rejected one with care. `last` belongs to the state; `tries` is 0
/// between steps.
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
    /// The step to try from `t`, so that `stop` is hit exactly and without a sliver before it, and
    /// what bounds it. Each rejection halves it.
    pub fn choose(&self, bound: Bound, t: f64, stop: f64) -> Bound {
        let of = |dt: f64, why: &'static str| Bound { dt, why };
        let mut b = bound.min(of(self.cap, "the limit that was set"));
        if self.last > 0.0 {
            b = b.min(of(2.0 * self.last, "the last step, doubled"));
        }
        let left = stop - t;
        if b.dt >= left {
            b = of(left, "the end of the frame");
        } else if 2.0 * b.dt > left {
            b = of(0.5 * left, "the end of the frame");
        }
        if self.tries > 0 {
            b = of(b.dt * 0.5f64.powi(self.tries as i32), "a rejected step");
        }
        b
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
