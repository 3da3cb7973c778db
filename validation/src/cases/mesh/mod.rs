//! Meshes: free fall, orders in time, patch test, inversion, and the exam of the minimiser. [Jiang15] appendix A

mod fall;
mod inversion;
mod minimiser;
mod newton;
mod obstacles;
mod order;
mod patch;
mod recovery;

pub use fall::t5;
pub use inversion::s2;
pub use minimiser::o5;
pub use newton::o3;
pub use obstacles::o4;
pub use order::t6;
pub use patch::s1;
pub use recovery::{o1, o2};

use thixo_core::{Error, Result, Step};
use thixo_grid::Domain;
use thixo_material::{Values, card};
use thixo_math::{Matrix, Real, Vector};
use thixo_mesh::{Matter, Mesh, named_matter};
use thixo_numerics::minimise::Effort;
use thixo_shape::Collider;

use crate::lab;

/// One frame of film \[s\].
pub const FRAME: f64 = 1.0 / 24.0;

/// The fixed corotated law of this Young's modulus \[Pa\], ν = 0.3.
pub fn rubber<T: Real, const D: usize>(young: f64) -> Result<Box<dyn Matter<T, D>>> {
    let invalid = |e: thixo_material::ParamError| Error::Invalid(e.to_string());
    let info = card("fixed-corotated").ok_or_else(|| Error::Invalid("no such law".into()))?;
    let given = [("youngs_modulus", young), ("poissons_ratio", 0.3)];
    let values = Values::new(info, given).map_err(invalid)?;
    let made = named_matter("fixed-corotated", &values);
    made.ok_or_else(|| Error::Invalid("no such law".into()))?
        .map_err(invalid)
}

/// A free mesh on its own.
pub struct Alone<T, const D: usize> {
    pub mesh: Mesh<T, D>,
    pub gravity: Vector<f64, D>,
    pub colliders: Vec<Collider<D>>,
    pub t: f64,
    pub effort: Effort,
    domain: Domain<D>,
}

impl<T: Real, const D: usize> Alone<T, D> {
    pub fn new(mesh: Mesh<T, D>) -> Result<Self> {
        Ok(Self {
            mesh,
            gravity: Vector::zero(),
            colliders: Vec::new(),
            t: 0.0,
            effort: Effort::default(),
            domain: lab::domain(1.0)?,
        })
    }
    pub fn step(&mut self, dt: f64, implicit: bool) -> Result<()> {
        let s = Step {
            t: self.t,
            dt,
            domain: &self.domain,
            gravity: &self.gravity,
            colliders: &self.colliders,
            implicit,
        };
        self.mesh.step_alone(&s)?;
        self.t += dt;
        self.effort += self.mesh.last_effort();
        Ok(())
    }
    /// Elements that are turned inside out.
    pub fn inverted(&self) -> usize {
        let all = self.mesh.deformations();
        all.iter().filter(|f| f.det().wide() <= 0.0).count()
    }
    /// Root mean square distance to the rest shape, after the best rigid motion \[m\].
    pub fn off(&self) -> f64 {
        let (x, rest) = (self.mesh.positions(), self.mesh.rest_positions());
        let share = 1.0 / x.len() as f64;
        let mean = |p: &[Vector<f64, D>]| p.iter().fold(Vector::zero(), |a, b| a + *b) * share;
        let (cx, cr) = (mean(x), mean(rest));
        let both = x.iter().zip(rest);
        let moment = both
            .clone()
            .fold(Matrix::zero(), |m, (x, r)| m + (*x - cx).outer(&(*r - cr)));
        let turn = moment.polar().0;
        let sum: f64 = both
            .map(|(x, r)| (*x - cx - turn * (*r - cr)).norm2())
            .sum();
        (sum * share).sqrt()
    }
    /// Kinetic and elastic energy \[J\].
    pub fn energy(&self) -> f64 {
        use thixo_core::System;
        let sums = self.mesh.totals(&self.domain, &self.gravity);
        sums.kinetic + sums.elastic
    }
}
