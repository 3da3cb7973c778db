//! A step through the grid: f_i = Σ w f_p, and in implicit steps Φ(x_p + dt Σ w v_i). [Course16] (206), [Jiang15] (3.1)

use thixo_core::{Error, Result, Step};
use thixo_grid::{Domain, Kernel, KernelKind, Layer, Layout, Node};
use thixo_math::{Matrix, Real, Vector};
use thixo_numerics::{Dynamics, Point};
use thixo_shape::{is_clear, resolve};

use crate::lagrangian::Elastic;
use crate::through::{Taken, Through};
use crate::{Mesh, Way};

/// How deep in an obstacle a vertex may be, in cells.
const SKIN: f64 = 1e-3;

impl<T: Real, const D: usize> Mesh<T, D> {
    /// Lays the vertices out on the grid.
    pub(crate) fn lay_out(&mut self, domain: &Domain<D>) {
        let Way::Grid { kernel, .. } = self.options.way else {
            return;
        };
        self.astray = match self.through.sort(domain, kernel, &self.now.x) {
            Ok(layout) => {
                self.layout = layout;
                None
            }
            Err(vertex) => Some(vertex),
        };
    }
    /// Whether every vertex has a place on the grid.
    pub(crate) fn all_there(&self) -> Result<()> {
        let Way::Grid { kernel, cfl, .. } = self.options.way else {
            return Ok(());
        };
        if kernel == KernelKind::Linear || cfl.is_nan() || cfl <= 0.0 {
            let what = format!(
                "`{}`: vertices go through the grid with the quadratic or the cubic kernel, and by a share of a cell",
                self.name
            );
            return Err(Error::Invalid(what));
        }
        match self.astray {
            Some(i) => {
                let what = "is farther than the grid can address".to_string();
                Err(self.fault_of_vertex(i, "position", what).into())
            }
            None => Ok(()),
        }
    }
    /// Mass and momentum to the layer, and in an explicit step the impulse of the forces.
    pub(crate) fn give_to_grid<K: Kernel>(
        &mut self,
        s: &Step<'_, D>,
        layer: &mut Layer<T, D>,
    ) -> Result<()> {
        let Way::Grid { scheme, .. } = self.options.way else {
            return Ok(());
        };
        self.through.refresh::<K>(s.domain, layer, &self.layout);
        self.lag(s.dt);
        let mut given = vec![None; self.len()];
        for (i, v) in self.scripted(s.t, s.dt)? {
            given[i] = Some(v);
        }
        let mut pull = Vec::new();
        if !s.implicit {
            let x0 = std::mem::take(&mut self.now.x);
            pull = self.pull(&x0, s.dt);
            self.now.x = x0;
        }
        self.given = given;
        let (v, C, mass, given) = (&self.now.v, &self.now.C, &self.bodies.mass, &self.given);
        let dx = T::of(s.domain.dx);
        let momentum = |i: usize| {
            let m = mass[i];
            // A scripted vertex comes with the velocity that it will have.
            let (v, C) = match &given[i] {
                Some(v) => (Vector::of(v), Matrix::zero()),
                None => (v[i], scheme.affine(&C[i])),
            };
            let mut q = [m; 4];
            (0..3).for_each(|a| q[a] = if a < D { m * v[a] } else { T::zero() });
            (q, C * (m * dx))
        };
        let impulse = |i: usize| -> Node<T> {
            match given[i] {
                None if !pull.is_empty() => pull[i].map(|x| -x),
                _ => [T::zero(); 4],
            }
        };
        let through = &self.through;
        if layer.keeps_before {
            through.give::<K>(&self.layout, &mut layer.nodes, &momentum);
            let alone = |i: usize| (impulse(i), Matrix::zero());
            through.give::<K>(&self.layout, &mut layer.impulse, &alone);
        } else {
            let both = |i: usize| {
                let ((mut q, a), f) = (momentum(i), impulse(i));
                (0..D).for_each(|k| q[k] += f[k]);
                (q, a)
            };
            through.give::<K>(&self.layout, &mut layer.nodes, &both);
        }
        Ok(())
    }
    /// The potential of the present state in this step, after its scatter.
    pub(crate) fn potential<K: Kernel>(&mut self, s: &Step<'_, D>) -> GridPotential<'_, T, K, D> {
        GridPotential {
            elastic: Elastic {
                bodies: &self.bodies,
                shape: &self.now.shape,
                x0: &self.now.x,
                dt: s.dt,
                damping: (self.options.damping > 0.0)
                    .then_some((self.options.damping, self.lagged.as_slice())),
                x: &mut self.trial,
                answers: &mut self.answers,
            },
            through: &self.through,
            layout: &self.layout,
            given: &self.given,
            dx: s.domain.dx,
            kernel: Default::default(),
        }
    }
    /// The next state from the layer's velocities.
    pub(crate) fn take_from_grid<K: Kernel>(
        &mut self,
        s: &Step<'_, D>,
        layer: &Layer<T, D>,
    ) -> Result<()> {
        let Way::Grid { scheme, .. } = self.options.way else {
            return Ok(());
        };
        let dx = s.domain.dx;
        let taken = self.through.take::<K>(&self.layout, &layer.nodes, dx);
        let before: Vec<Taken<T, D>> = match scheme.needs_before() {
            true => self.through.take::<K>(&self.layout, &layer.before, dx),
            false => Vec::new(),
        };
        let flip = T::of(scheme.flip);
        self.next.x.clear();
        self.next.v.clear();
        self.next.C.clear();
        for (i, t) in taken.iter().enumerate() {
            let x0 = self.now.x[i];
            if let Some(v) = &self.given[i] {
                self.next.x.push(x0 + *v * s.dt);
                self.next.v.push(Vector::of(v));
                self.next.C.push(Matrix::zero());
                continue;
            }
            let (mut v, mut C) = (t.v, t.C);
            if let Some(old) = before.get(i) {
                v += (self.now.v[i] - old.v) * flip;
                if scheme.keeps_affine() {
                    C += (self.now.C[i] - old.C) * flip;
                }
            }
            // Every scheme moves with the grid's velocity, as the potential has it.
            let way = t.v.wide() * s.dt;
            let mut x1 = x0 + way;
            let clear = is_clear(s.colliders, &x0, 0.0, way.norm(), (s.t, s.dt), SKIN * dx);
            if !clear && x1.finite() {
                let mut wide = v.wide();
                if resolve(s.colliders, &x0, s.t, &mut x1, &mut wide, s.dt, SKIN * dx).hits > 0 {
                    v = Vector::of(&wide);
                }
            }
            self.next.x.push(x1);
            self.next.v.push(v);
            self.next.C.push(C);
        }
        self.sound(true)?;
        self.flow(s)
    }
}

/// The potential of a mesh as a function of the grid's velocities. What moves a vertex is W, what its force gives to
/// the nodes is Wᵀ: the slope of the energy is exact.
pub(crate) struct GridPotential<'a, T, K, const D: usize> {
    elastic: Elastic<'a, T, D>,
    through: &'a Through<T, D>,
    layout: &'a Layout<D>,
    /// Velocities of scripted vertices.
    given: &'a [Option<Vector<f64, D>>],
    dx: f64,
    kernel: std::marker::PhantomData<K>,
}

impl<T: Real, K: Kernel, const D: usize> GridPotential<'_, T, K, D> {
    /// Velocities of the vertices; those of scripted ones are their own, or 0.
    fn down(&self, v: &[Point<T>], own: bool) -> Vec<Point<T>> {
        let taken = self.through.take::<K>(self.layout, v, self.dx);
        let each = taken.iter().zip(self.given);
        let of = |(t, given): (&Taken<T, D>, &Option<Vector<f64, D>>)| {
            let mut p = [T::zero(); 4];
            for a in 0..D {
                p[a] = match given {
                    None => t.v[a],
                    Some(v) if own => T::of(v[a]),
                    Some(_) => T::zero(),
                };
            }
            p
        };
        each.map(of).collect()
    }
    /// Forces of vertices to the nodes.
    fn up(&self, f: &[Point<T>], to: &mut [Point<T>]) {
        let give = |i: usize| {
            let f = match self.given[i] {
                None => f[i],
                Some(_) => [T::zero(); 4],
            };
            (f, Matrix::zero())
        };
        self.through.give::<K>(self.layout, to, &give);
    }
    /// The weights of a vertex along each axis, and its first node.
    fn stencil(&self, i: usize) -> ([i32; D], [[T; 4]; D]) {
        let (anchor, f) = &self.through.anchors[i];
        (
            anchor.map(|c| c + K::LOW),
            std::array::from_fn(|a| K::weights(f[a])),
        )
    }
    /// Some entries of Σ_pq w_ip K_pq w_iq of the nodes around the vertices of a range.
    fn fill_diagonal(&self, range: usize, three: &[(usize, usize); 3], tile: &mut [Node<T>]) {
        let rows = &self.elastic.bodies.rows;
        let blocks = &self.elastic.answers.blocks;
        let width = K::WIDTH;
        for (p, start) in self.through.members::<K>(&self.layout.ranges[range]) {
            if self.given[p].is_some() {
                continue;
            }
            let (from, w) = self.stencil(p);
            let row = rows.of_blocks(p);
            let mut around = Vec::with_capacity(row.len());
            for (q, block) in rows.columns[row.clone()].iter().zip(&blocks[row]) {
                if self.given[*q as usize].is_none() {
                    around.push((self.stencil(*q as usize), block));
                }
            }
            for n in 0..width.pow(D as u32) {
                let o: [usize; D] =
                    std::array::from_fn(|a| n / width.pow((D - 1 - a) as u32) % width);
                let own = (0..D).fold(T::one(), |w0, a| w0 * w[a][o[a]]);
                let mut sum = Matrix::<T, D>::zero();
                for ((first, u), block) in &around {
                    let weight = (0..D).try_fold(own, |w0, a| {
                        let k = from[a] + o[a] as i32 - first[a];
                        usize::try_from(k)
                            .ok()
                            .filter(|k| *k < width)
                            .map(|k| w0 * u[a][k])
                    });
                    if let Some(weight) = weight {
                        sum += **block * weight;
                    }
                }
                let node = start + (0..D).fold(0, |n, a| n * K::TILE + o[a]);
                let half = T::of(0.5);
                for (k, (i, j)) in three.iter().enumerate() {
                    tile[node][k] += (sum[(*i, *j)] + sum[(*j, *i)]) * half;
                }
            }
        }
    }
}

impl<T: Real, K: Kernel, const D: usize> Dynamics<T, D> for GridPotential<'_, T, K, D> {
    fn energy(&mut self, v: &[Point<T>]) -> f64 {
        let p = self.down(v, true);
        self.elastic.energy(&p)
    }
    fn gradient(&mut self, v: &[Point<T>], to: &mut [Point<T>]) -> f64 {
        let p = self.down(v, true);
        let mut g = vec![[T::zero(); 4]; p.len()];
        let e = self.elastic.gradient(&p, &mut g);
        self.up(&g, to);
        e
    }
    fn linearise(&mut self, v: &[Point<T>], definite: bool) {
        let p = self.down(v, true);
        self.elastic.linearise(&p, definite);
    }
    fn product(&self, x: &[Point<T>], to: &mut [Point<T>]) {
        let p = self.down(x, false);
        let mut f = vec![[T::zero(); 4]; p.len()];
        self.elastic.product(&p, &mut f);
        self.up(&f, to);
    }
    fn diagonal(&self, to: &mut [Matrix<T, D>]) {
        // A node has room for three numbers at a time.
        let entries: &[[(usize, usize); 3]] = match D {
            2 => &[[(0, 0), (1, 1), (0, 1)]],
            _ => &[[(0, 0), (1, 1), (2, 2)], [(0, 1), (0, 2), (1, 2)]],
        };
        for three in entries {
            let mut nodes = vec![[T::zero(); 4]; to.len()];
            let fill = |range: usize, tile: &mut [Node<T>]| self.fill_diagonal(range, three, tile);
            self.through.add_tiles::<K>(&mut nodes, &fill);
            for (block, node) in to.iter_mut().zip(&nodes) {
                for (x, (i, j)) in node.iter().zip(three) {
                    block[(*i, *j)] += *x;
                    if i != j {
                        block[(*j, *i)] += *x;
                    }
                }
            }
        }
    }
}
