//! An implicit step of a layer of the medium.

use rayon::prelude::*;
use thixo_grid::{Domain, Layer};
use thixo_math::{Real, Vector};
use thixo_shape::Collider;

use super::backward_euler::{Accuracy, Workspace, backward_euler};
use super::{Integrator, semi_implicit};
use crate::contacts::Contacts;
use crate::minimise::Effort;
use crate::{Dynamics, Point};

/// What acts in a step of a layer.
pub struct Forces<'a, 'b, T, const D: usize> {
    /// Uniform gravity \[m/s²\].
    pub gravity: &'a Vector<f64, D>,
    /// Obstacles.
    pub colliders: &'a [Collider<D>],
    /// Potentials of those who live in the layer.
    pub dynamics: &'a mut [Box<dyn Dynamics<T, D> + 'b>],
}

/// Turns a layer's momentum into its new velocity by an implicit integrator. Obstacles are where they are at the end
/// of the step.
pub fn implicit_layer<T: Real, const D: usize>(
    domain: &Domain<D>,
    layer: &mut Layer<T, D>,
    forces: Forces<'_, '_, T, D>,
    (t, dt): (f64, f64),
    (how, accuracy): (Integrator, &Accuracy),
    work: &mut Workspace<T, D>,
) -> Effort {
    let kick = Vector::<T, D>::of(&(*forces.gravity * dt));
    let mass: Vec<T> = layer.nodes.par_iter().map(|n| n[3]).collect();
    let zero = [T::zero(); 4];
    let velocity = |n: &Point<T>| {
        let mut v = zero;
        if n[3] != T::zero() {
            for a in 0..D {
                v[a] = n[a] / n[3];
            }
        }
        v
    };
    let now: Vec<Point<T>> = layer.nodes.par_iter().map(velocity).collect();
    // Where everything but the potentials leads: body forces and gravity.
    let mut aim = now.clone();
    let impulse = if layer.keeps_before {
        &layer.impulse[..]
    } else {
        &[]
    };
    aim.par_iter_mut()
        .zip(&mass)
        .enumerate()
        .for_each(|(i, (v, m))| {
            if *m != T::zero() {
                for a in 0..D {
                    v[a] += kick[a] + impulse.get(i).map_or(T::zero(), |f| f[a] / *m);
                }
            }
        });
    // What slides a thousandth of a cell in the step, or of the way of the fastest.
    let speed2 = |v: &Point<T>| (0..D).map(|a| v[a].wide() * v[a].wide()).sum::<f64>();
    let fastest = aim.par_iter().map(speed2).reduce(|| 0.0, f64::max).sqrt();
    let grain = domain.dx / dt;
    let slow = 1e-3 * grain.min(fastest);
    let mut contacts = Contacts::of_layer(domain, layer, forces.colliders, t + dt, slow);
    let dynamics = forces.dynamics;
    let accuracy = (accuracy, grain);
    let effort = match how {
        Integrator::SemiImplicit { beta } => semi_implicit(
            &mass,
            [&now, &aim],
            beta,
            dynamics,
            &mut contacts,
            accuracy,
            work,
        ),
        _ => backward_euler(&mass, [&now, &aim], dynamics, &mut contacts, accuracy, work),
    };
    let nodes = layer.nodes.par_iter_mut().zip(&work.u);
    nodes.for_each(|(node, u)| node[..D].copy_from_slice(&u[..D]));
    if layer.keeps_before {
        layer.before = now;
    }
    effort
}
