//! The choice between explicit and implicit steps, by what they cost.

use crate::minimise::Effort;

/// What implicit steps have cost, in explicit steps, and what was chosen last. Counted, not measured, so that the choice
/// is a function of the state; it belongs to the state.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Auto {
    /// The cost of the last implicit step; 0 before the first.
    pub cost: f64,
    /// Explicit steps since.
    pub since: f64,
    /// Whether the last step was implicit.
    pub implicit: bool,
}

/// An implicit step costs no less than this.
const LEAST: f64 = 10.0;
/// How often implicit steps are tried where explicit ones are cheaper: such a try is this share of the work at most.
const TRIES: f64 = 0.05;

impl Auto {
    /// Whether a step that may be `implicit` \[s\] long, or `explicit` ones of that length, is to be implicit.
    pub fn choose(&self, explicit: f64, implicit: f64) -> bool {
        let worth = implicit / explicit;
        if worth < LEAST {
            return false;
        }
        if self.cost == 0.0 || self.cost < worth {
            return true;
        }
        // A try every now and then, unless it is hopeless.
        self.since * TRIES > self.cost && self.cost < 4.0 * worth
    }
    /// What a solve that replaces this many explicit steps may cost, in products.
    pub fn worth(explicit: f64, implicit: f64) -> f64 {
        implicit / explicit / PRODUCT
    }
    /// What a solve on the grid costs, in explicit steps.
    pub fn cost(effort: &Effort) -> f64 {
        PRODUCT * effort.cost()
    }
    /// As numbers, for a snapshot.
    pub fn numbers(&self) -> [f64; 3] {
        [self.cost, self.since, f64::from(u8::from(self.implicit))]
    }
    /// From a snapshot's numbers.
    pub fn from_numbers([cost, since, implicit]: [f64; 3]) -> Self {
        let implicit = implicit != 0.0;
        Self {
            cost,
            since,
            implicit,
        }
    }
    /// An implicit step was given up after the cost of so many explicit ones: nobody knows what it would have cost, but
    /// more.
    pub fn gave_up(&mut self, cost: f64) {
        self.cost = 2.0 * cost;
        self.since = 0.0;
    }
    /// A step was taken; what an implicit one cost, in explicit ones.
    pub fn took(&mut self, implicit: bool, cost: f64) {
        self.implicit = implicit;
        if implicit {
            self.cost = LEAST.max(cost);
            self.since = 0.0;
        } else {
            self.since += 1.0;
        }
    }
}

/// A product costs about so much of an explicit step: chosen, with the weights of [`Effort::cost`], so that steps
/// of `benches/documents auto` come out near what they take; no profile of its own stands behind it.
const PRODUCT: f64 = 0.8;
