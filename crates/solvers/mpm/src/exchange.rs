//! Matter that comes in and goes out, between two steps.

use rayon::prelude::*;
use thixo_core::{Result, Step};
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
            self.add(seeds)?;
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
        self.bound = None;
        Ok(())
    }
}
