//! Matter that comes in and goes out, between two steps.

use thixo_core::{Error, Result, Step};
use thixo_math::Real;

use crate::{Mpm, Seed};

impl<T: Real, const D: usize> Mpm<T, D> {
    /// Inflows give what has come through by the end of the step; drains take what is in them.
    pub(crate) fn exchange(&mut self, s: &Step<'_, D>) -> Result<()> {
        let inflows = std::mem::take(&mut self.inflows);
        for inflow in &inflows {
            for sample in inflow.stream.emit(s.t, s.t + s.dt) {
                let seed = Seed::new(sample.x, sample.volume, inflow.density);
                let seed = seed.moving(inflow.stream.velocity());
                self.emitted += seed.mass;
                self.add([seed])?;
            }
        }
        self.inflows = inflows;
        if self.drains.is_empty() {
            return Ok(());
        }
        let p = &self.particles;
        let gone = |i: usize| {
            let x = s.domain.place(&p.cell[i], &p.f[i]);
            self.drains.iter().any(|d| d.distance(&x) <= 0.0)
        };
        let (out, stay): (Vec<u32>, Vec<u32>) =
            (0..p.len() as u32).partition(|&i| gone(i as usize));
        if !out.is_empty() {
            self.drained += out.iter().map(|&i| p.m[i as usize].wide()).sum::<f64>();
            self.particles.permute(&stay);
            self.matter.permute(&stay);
            self.strayed = true;
        }
        if self.particles.len() > u32::MAX as usize / 2 {
            return Err(Error::Invalid(format!(
                "`{}` has too many particles",
                self.name
            )));
        }
        Ok(())
    }
}
