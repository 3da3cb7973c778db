//! What limits the step.

use thixo_core::{Fault, Result};
use thixo_grid::Domain;
use thixo_math::{Matrix, Real, Vector};
use thixo_numerics::{Bound, Bounds};

use crate::mutual::Trees;
use crate::potential::Look;
use crate::{Mesh, Way};

impl<T: Real, const D: usize> Mesh<T, D> {
    /// Looks at the present state. The largest frequency is at most √(Σ_j ‖K_ij‖/m_i) of the worst row, Gershgorin;
    /// damping k adds k ω² to its rate. Symplectic Euler is stable for (ω dt)²/4 + k ω² dt/2 ≤ 1.
    ///
    /// Through the grid it is no higher: the mass of nodes is no less than what vertices give, W K Wᵀ ≤ λ W M Wᵀ ≤ λ M_i.
    pub(crate) fn limits(&mut self, domain: &Domain<D>) -> Result<Bounds> {
        if self.unsealed {
            self.seal()?;
            self.unsealed = false;
        }
        self.sound(false)?;
        self.all_there()?;
        let dt = match self.stable {
            Some(dt) => dt,
            None => {
                let look = Look {
                    x: &self.now.x,
                    before: &self.now.x,
                    dt: 1.0,
                };
                let shape = &self.now.shape;
                self.bodies
                    .linearise(look, shape, (false, 1.0), &mut self.answers);
                let mut sums = self.bodies.rows.row_sums(&self.answers.blocks);
                if self.options.mutual.is_some() {
                    // Bodies may be some hundredths of an edge in each other: 6kφ.
                    let deep = 6.0 * 0.04 * self.bodies.edge;
                    let all = sums.iter_mut().zip(&self.firmness);
                    all.for_each(|(sum, k)| *sum += deep * k);
                }
                let rates = sums
                    .iter()
                    .zip(&self.bodies.mass)
                    .map(|(k, m)| k / m.wide());
                let w2 = rates.fold(0.0, f64::max);
                let b = 0.5 * self.options.damping * w2;
                let dt = 2.0 / (b + (b * b + w2).sqrt());
                self.stable = Some(dt);
                dt
            }
        };
        let waves = Bound {
            dt: self.options.safety * dt,
            why: "elastic waves",
        };
        let motion = match self.options.way {
            Way::Free => Bound::NONE,
            Way::Grid { cfl, .. } => {
                let speed = |v: &Vector<T, D>| v.wide().norm2();
                let fastest = self.now.v.iter().map(speed).fold(0.0, f64::max).sqrt();
                Bound {
                    dt: cfl * domain.dx / fastest,
                    why: "advection",
                }
            }
        };
        Ok(Bounds { waves, motion })
    }
    /// Makes what follows from the bodies alone.
    fn seal(&mut self) -> Result<()> {
        self.bodies.seal()?;
        if self.options.mutual.is_some() {
            self.trees = Trees::new(&self.bodies);
        }
        let rest = &self.bodies.rest;
        let look = Look {
            x: rest,
            before: rest,
            dt: 1.0,
        };
        self.bodies
            .linearise(look, &self.now.shape, (true, 1.0), &mut self.answers);
        let mut blocks = vec![Matrix::zero(); self.bodies.mass.len()];
        self.bodies
            .rows
            .add_diagonal(&self.answers.blocks, &mut blocks);
        // A hundredth of an edge deep, 3kφ² is as stiff as the matter there, and carries its weight in any case.
        let depth = 0.01 * self.bodies.edge;
        let of = |(block, m): (&Matrix<T, D>, &T)| {
            let stiff = block.trace().wide() / D as f64 / (3.0 * depth);
            stiff.max(9.81 * m.wide() / (3.0 * depth * depth))
        };
        self.firmness = blocks.iter().zip(&self.bodies.mass).map(of).collect();
        Ok(())
    }
    /// Whether all numbers of a state are finite, the next one or the present one.
    pub(crate) fn sound(&self, next: bool) -> Result<()> {
        let state = if next { &self.next } else { &self.now };
        for (i, (x, v)) in state.x.iter().zip(&state.v).enumerate() {
            let what = match (x.finite(), v.finite()) {
                (true, true) => continue,
                (false, _) => "position",
                _ => "velocity",
            };
            return Err(self.fault_of_vertex(i, what, "is not finite".into()).into());
        }
        Ok(())
    }
    /// A fault of a vertex.
    pub(crate) fn fault_of_vertex(&self, i: usize, quantity: &'static str, what: String) -> Fault {
        let body = self.bodies.body_of(i);
        let b = &self.bodies.list[body];
        Fault {
            system: self.name.clone(),
            particle: i as u64,
            quantity,
            what: format!(
                "{what} (vertex {} of body `{}`)",
                i - b.vertices.start,
                b.name
            ),
        }
    }
    /// A fault of an element, told at its first corner.
    pub(crate) fn fault_of_element(&self, body: usize, n: usize) -> Fault {
        let b = &self.bodies.list[body];
        let slot = b.chunks.start * crate::WIDTH + n;
        Fault {
            system: self.name.clone(),
            particle: u64::from(self.bodies.corners[slot][0]),
            quantity: "deformation",
            what: format!(
                "of element {n} of body `{}` at this vertex is not what its law allows",
                b.name
            ),
        }
    }
}
