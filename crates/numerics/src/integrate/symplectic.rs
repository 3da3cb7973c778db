//! Symplectic Euler: forces of the present state, positions from the new velocity.

use rayon::prelude::*;
use thixo_grid::{BLOCK, Domain, Layer};
use thixo_math::{Real, Vector};
use thixo_shape::{Collider, constrain_velocity};

/// Turns a layer's momentum into its new velocity: v = (p + impulse)/m + dt g, then colliders at
/// the end of the step. A node without mass has no velocity; mass is compared with exactly 0.
/// [Course16] (183), §10.5
pub fn symplectic<T: Real, const D: usize>(
    domain: &Domain<D>,
    layer: &mut Layer<T, D>,
    gravity: &Vector<f64, D>,
    colliders: &[Collider<D>],
    t: f64,
    dt: f64,
) {
    let kick = Vector::<T, D>::of(&(*gravity * dt));
    let mut nodes = std::mem::take(&mut layer.nodes);
    let mut before = std::mem::take(&mut layer.before);
    if layer.keeps_before {
        before.clear();
        before.resize(nodes.len(), [T::zero(); 4]);
    }
    let size = Layer::<T, D>::NODES;
    let solve = |b: usize, nodes: &mut [[T; 4]], before: &mut [[T; 4]]| {
        for (n, node) in nodes.iter_mut().enumerate() {
            let m = node[3];
            if m == T::zero() {
                *node = [T::zero(); 4];
                continue;
            }
            // Divided, since 1/m of the least masses is infinite.
            for a in 0..D {
                node[a] /= m;
            }
            if let Some(old) = before.get_mut(n) {
                *old = *node;
                let f = &layer.impulse[b * size + n];
                for a in 0..D {
                    node[a] += f[a] / m;
                }
            }
            for a in 0..D {
                node[a] += kick[a];
            }
        }
        collide(domain, layer, b, nodes, colliders, t + dt);
    };
    if layer.keeps_before {
        let pairs = nodes.par_chunks_mut(size).zip(before.par_chunks_mut(size));
        pairs
            .enumerate()
            .for_each(|(b, (nodes, before))| solve(b, nodes, before));
    } else {
        let blocks = nodes.par_chunks_mut(size).enumerate();
        blocks.for_each(|(b, nodes)| solve(b, nodes, &mut []));
    }
    layer.nodes = nodes;
    layer.before = before;
}

/// Holds the nodes of one block that lie in colliders to their contact laws.
fn collide<T: Real, const D: usize>(
    domain: &Domain<D>,
    layer: &Layer<T, D>,
    block: usize,
    nodes: &mut [[T; 4]],
    colliders: &[Collider<D>],
    t: f64,
) {
    // Nodes on the surface count as inside.
    let skin = 1e-6 * domain.dx;
    let half = Vector::splat(0.5 * (BLOCK - 1) as f64 * domain.dx);
    let centre = layer.place(domain, block, 0) + half;
    let reach = half.norm() + skin;
    if colliders
        .iter()
        .all(|c| c.obstacle.distance(&centre, t) > reach * c.obstacle.slope())
    {
        return;
    }
    for (n, node) in nodes.iter_mut().enumerate() {
        if node[3] != T::zero() {
            let x = layer.place(domain, block, n);
            let v = Vector::from_fn(|a| node[a].wide());
            let v = constrain_velocity(colliders, &x, t, &v, skin);
            for a in 0..D {
                node[a] = T::of(v[a]);
            }
        }
    }
}
