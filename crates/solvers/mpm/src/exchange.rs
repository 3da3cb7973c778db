//! Matter that comes in and goes out, between two steps.

use rayon::prelude::*;
use thixo_core::{Result, Step};
use thixo_grid::Layout;
use thixo_math::Real;

use crate::{Mpm, Seed};

impl<T: Real, const D: usize> Mpm<T, D> {
    /// Inflows give what has come through by the end of the step; drains take what is in them.
    pub(crate) fn exchange(&mut self, s: &Step<'_, D>) -> Result<()> {
        let mut seeds = Vec::new();
        for inflow in &self.inflows {
            let v = inflow.stream.velocity();
            let come = inflow.stream.emit(s.t, s.t + s.dt).into_iter();
            seeds.extend(come.map(|x| Seed::new(x.x, x.volume, inflow.density).moving(v)));
        }
        if !seeds.is_empty() {
            // As particles hold it: what has come in and what is there must agree.
            let mass = seeds
                .iter()
                .map(|seed| T::of(seed.mass).wide())
                .sum::<f64>();
            self.receive(seeds)?;
            self.emitted += mass;
        }
        if self.drains.is_empty() {
            return Ok(());
        }
        let p = &self.particles;
        let cells = p.cells(&self.layout);
        let slots = p.each(&self.layout);
        let gone = |k: usize| {
            let x = s.domain.place(&cells[k], &p.f(slots[k] as usize));
            self.drains.iter().any(|d| d.takes(&x, s.t + s.dt))
        };
        let gone: Vec<bool> = (0..p.len()).into_par_iter().map(gone).collect();
        if !gone.contains(&true) {
            return Ok(());
        }
        let (out, stay): (Vec<usize>, Vec<usize>) = (0..p.len()).partition(|&k| gone[k]);
        self.removed += out.len() as u64;
        let masses = out.iter().map(|&k| p.m(slots[k] as usize).wide());
        self.drained += masses.sum::<f64>();
        let cells = stay.iter().map(|&k| cells[k]).collect();
        let order: Vec<u32> = stay.iter().map(|&k| slots[k]).collect();
        self.particles.select(&order, cells, &mut self.next);
        self.strayed = true;
        self.limits = None;
        Ok(())
    }

    /// Adds particles between two sorts: what is known of the others stays. If one cannot be, none comes.
    fn receive(&mut self, seeds: Vec<Seed<D>>) -> Result<()> {
        // Nothing is known until all is.
        let Some(limits) = self.limits.take() else {
            return self.add(seeds);
        };
        let (start, next_id) = (self.matter.start(), self.next_id);
        let new = seeds.iter().map(|seed| self.sprout(seed, &start));
        let new = new.collect::<Result<Vec<_>>>().inspect_err(|_| {
            self.next_id = next_id;
        })?;
        let cells: Vec<[i32; D]> = new.iter().map(|(cell, _)| *cell).collect();
        let late = Layout::sort(&cells, self.options.kernel);
        let ranges = self.layout.ranges.len();
        let first = self.layout.grow(&late.layout);
        let in_order = late.order.iter().map(|i| &new[*i as usize].1);
        self.particles
            .arrive(first, new.len(), &late.places, in_order);
        self.unchecked = true;
        self.health(ranges)?;
        self.unchecked = false;
        self.strayed |= self.layout.is_crowded();
        self.limits = Some(limits.and(self.find_stress(ranges)?));
        self.countable()
    }
}
