//! A step of a free mesh: the Lagrangian update. [Jiang15] §A.2, §A.3, §A.5

use thixo_core::{Error, Result, Step};
use thixo_math::{Real, Vector};
use thixo_numerics::integrate::backward_euler_by;
use thixo_numerics::minimise::{Effort, Minimiser, minimise, plain_newton};
use thixo_numerics::{Dynamics, Point};
use thixo_shape::{Collider, Contact, resolve};

use crate::hold::Holds;
use crate::lagrangian::Elastic;
use crate::mutual::Collisions;
use crate::penalty::Penalty;
use crate::potential::Look;
use crate::{Mesh, Newton, Script, Way};

/// The first D numbers of a point.
fn point<T: Real, const D: usize>(v: &Vector<T, D>) -> Point<T> {
    std::array::from_fn(|a| if a < D { v[a] } else { T::zero() })
}

impl<T: Real, const D: usize> Mesh<T, D> {
    /// Velocities that scripts give in this step, by vertex.
    pub(crate) fn scripted(&self, t: f64, dt: f64) -> Result<Vec<(usize, Vector<f64, D>)>> {
        let mut all = Vec::new();
        for (vertices, script) in &self.scripts {
            for i in vertices {
                let v = match script {
                    Script::Pinned => Vector::zero(),
                    Script::Path(path) => {
                        let to = path(t + dt, &self.bodies.rest[*i]);
                        (to - self.now.x[*i]) * (1.0 / dt)
                    }
                };
                if !v.finite() {
                    let what = "leads nowhere".to_string();
                    return Err(self.fault_of_vertex(*i, "path", what).into());
                }
                all.push((*i, v));
            }
        }
        Ok(all)
    }
    /// Makes the stiffness that damps ready, if there is damping.
    pub(crate) fn lag(&mut self, dt: f64) {
        if self.options.damping > 0.0 {
            let look = Look {
                x: &self.now.x,
                before: &self.now.x,
                dt,
            };
            std::mem::swap(&mut self.answers.blocks, &mut self.lagged);
            let shape = &self.now.shape;
            self.bodies
                .linearise(look, shape, (true, 1.0), &mut self.answers);
            std::mem::swap(&mut self.answers.blocks, &mut self.lagged);
        }
    }

    /// The next state of a free mesh.
    pub(crate) fn update(&mut self, s: &Step<'_, D>) -> Result<()> {
        let fixed = self.scripted(s.t, s.dt)?;
        let exact: Vec<&Collider<D>> = s
            .colliders
            .iter()
            .filter(|c| c.obstacle.is_exact())
            .collect();
        if exact.len() > 64 {
            let what = format!("`{}` meets more than 64 obstacles", self.name);
            return Err(Error::Invalid(what));
        }
        self.lag(s.dt);
        let x0 = std::mem::take(&mut self.now.x);
        let mut holds = Holds::new(&x0, &exact, (s.t, s.dt), fixed, self.bodies.edge);
        let others: Vec<&Collider<D>> = s
            .colliders
            .iter()
            .filter(|c| !c.obstacle.is_exact())
            .collect();
        let outcome = if s.implicit {
            self.solve(s, &x0, &mut holds, &others)
        } else {
            self.kick(s, &x0, &mut holds)
        };
        self.land(s, &x0, &holds);
        drop(holds);
        self.rub(s, &x0, &others);
        self.now.x = x0;
        self.effort = outcome;
        self.sound(true)?;
        self.flow(s)
    }
    /// Plastic flow of the next state, after the step: it is explicit.
    pub(crate) fn flow(&mut self, s: &Step<'_, D>) -> Result<()> {
        let look = Look {
            x: &self.next.x,
            before: &self.now.x,
            dt: s.dt,
        };
        self.next.shape.resize(self.now.shape.len(), Vec::new());
        let bad = self
            .bodies
            .flow(look, &self.now.shape, &mut self.next.shape);
        match bad {
            Some((body, n)) => Err(self.fault_of_element(body, n).into()),
            None => Ok(()),
        }
    }

    /// Velocities by backward Euler, into `work.u`.
    fn solve(
        &mut self,
        s: &Step<'_, D>,
        x0: &[Vector<f64, D>],
        holds: &mut Holds<'_, D>,
        others: &[&Collider<D>],
    ) -> Effort {
        let kick = *s.gravity * s.dt;
        let now: Vec<Point<T>> = self.now.v.iter().map(point).collect();
        let aim: Vec<Point<T>> = self
            .now
            .v
            .iter()
            .map(|v| point(&(*v + Vector::of(&kick))))
            .collect();
        let elastic = Elastic {
            bodies: &self.bodies,
            shape: &self.now.shape,
            x0,
            dt: s.dt,
            damping: (self.options.damping > 0.0)
                .then_some((self.options.damping, self.lagged.as_slice())),
            x: &mut self.trial,
            answers: &mut self.answers,
        };
        let mut forces: Vec<Box<dyn Dynamics<T, D> + '_>> = vec![Box::new(elastic)];
        let (edge, vertices) = (self.bodies.edge, (x0, self.firmness.as_slice()));
        if !others.is_empty() {
            forces.push(Box::new(Penalty::new(others, vertices, (s.t, s.dt), edge)));
        }
        if let Some(how) = self.options.mutual {
            let (bodies, trees) = (&self.bodies, &mut self.trees);
            forces.push(Box::new(Collisions::new(
                bodies, trees, how, vertices, s.dt,
            )));
        }
        // A share of an edge of way in the step is what nobody sees: √(Σ m) h/dt. Less than a millionth of it is noise.
        let mass: f64 = self.bodies.mass.iter().map(|m| m.wide()).sum();
        let most = mass.sqrt() * self.bodies.edge / s.dt;
        let (newton, watch) = (self.options.newton, &mut self.watch);
        backward_euler_by(
            &self.bodies.mass,
            [&now, &aim],
            &mut forces,
            holds,
            (&self.options.accuracy, edge / s.dt, [1e-6 * most, most]),
            &mut self.work,
            |problem, u, space, how| match newton {
                Newton::Minimise => {
                    // Tangled elements are many and far from convex: directions that heed them lead far.
                    let how = Minimiser { upright: 4, ..*how };
                    minimise(problem, u, space, &how, |e, size| {
                        if let Some(watch) = watch {
                            watch(e, size);
                        }
                    })
                }
                Newton::Plain => plain_newton(problem, u, space, how.tolerance, how.iterations),
            },
        )
    }
    /// Velocities by the present forces, into `work.u`.
    fn kick(&mut self, s: &Step<'_, D>, x0: &[Vector<f64, D>], holds: &mut Holds<'_, D>) -> Effort {
        use thixo_numerics::Constraints;
        let pull = self.pull(x0, s.dt);
        let kick = Vector::<T, D>::of(&(*s.gravity * s.dt));
        let (v, mass) = (&self.now.v, &self.bodies.mass);
        let free = |i: usize| {
            let mut u = point(&(v[i] + kick));
            for a in 0..D {
                u[a] -= pull[i][a] / mass[i];
            }
            u
        };
        let aim: Vec<Point<T>> = (0..v.len()).map(free).collect();
        let mut u = aim.clone();
        let mut g = vec![[T::zero(); 4]; u.len()];
        holds.project(&mut u, &mut g);
        // What the surfaces took is what they are pressed with.
        for (((g, u), aim), m) in g.iter_mut().zip(&u).zip(&aim).zip(mass) {
            for a in 0..D {
                g[a] = *m * (u[a] - aim[a]);
            }
        }
        holds.register(&u, &mut g, 0.0);
        self.work.u = u;
        Effort::default()
    }
    /// dt ∂Φ/∂x of the present state, damping included.
    pub(crate) fn pull(&mut self, x0: &[Vector<f64, D>], dt: f64) -> Vec<Point<T>> {
        let v: Vec<Point<T>> = self.now.v.iter().map(point).collect();
        let mut to = vec![[T::zero(); 4]; v.len()];
        let look = Look {
            x: x0,
            before: x0,
            dt,
        };
        self.bodies
            .respond(look, &self.now.shape, &mut self.answers);
        self.bodies
            .add_slopes(x0, &self.answers, T::of(dt), &mut to);
        if self.options.damping > 0.0 {
            let mut drag = vec![[T::zero(); 4]; v.len()];
            self.bodies.rows.add_product(&self.lagged, &v, &mut drag);
            let scale = self.options.damping * dt;
            thixo_numerics::points::add_scaled(&mut to, scale, &drag);
        }
        if let (Some(how), Way::Free) = (self.options.mutual, self.options.way) {
            let still = vec![[T::zero(); 4]; v.len()];
            let vertices = (x0, self.firmness.as_slice());
            let (bodies, trees) = (&self.bodies, &mut self.trees);
            let mut all = Collisions::new(bodies, trees, how, vertices, dt);
            all.refresh(&still);
            all.gradient(&still, &mut to);
        }
        to
    }
    /// What comes after the velocities: in an explicit step the other obstacles, and friction, which changes velocities
    /// alone.
    fn rub(&mut self, s: &Step<'_, D>, x0: &[Vector<f64, D>], others: &[&Collider<D>]) {
        let vertices = (x0, self.firmness.as_slice());
        if !others.is_empty() && s.implicit {
            let all = Penalty::new(others, vertices, (s.t, s.dt), self.bodies.edge);
            all.rub(&self.next.x, &mut self.next.v, &self.bodies.mass);
        } else if !others.is_empty() {
            let skin = 1e-3 * self.bodies.edge;
            let both = self.next.x.iter_mut().zip(&mut self.next.v);
            for ((x1, v), x0) in both.zip(x0) {
                let mut wide = v.wide();
                let met = x1.finite()
                    && resolve(s.colliders, x0, s.t, x1, &mut wide, s.dt, skin).hits > 0;
                if met {
                    *v = Vector::of(&wide);
                }
            }
        }
        if let Some(how) = self.options.mutual {
            let (bodies, trees) = (&self.bodies, &mut self.trees);
            let mut all = Collisions::new(bodies, trees, how, vertices, s.dt);
            all.rub(&self.work.u, &mut self.next.v);
        }
    }
    /// Places from the velocities that were found, out of all obstacles, and friction, which changes velocities alone.
    fn land(&mut self, s: &Step<'_, D>, x0: &[Vector<f64, D>], holds: &Holds<'_, D>) {
        let u = &self.work.u;
        let velocity = |i: usize| Vector::<T, D>::from_fn(|a| u[i][a]);
        self.next.v.clear();
        self.next.v.extend((0..u.len()).map(velocity));
        let place = |i: usize| {
            let way = self.next.v[i].wide() * s.dt;
            holds.clear(i, &(x0[i] + way))
        };
        let places: Vec<Vector<f64, D>> = (0..u.len()).map(place).collect();
        self.next.x = places;
        self.next.C.resize(u.len(), thixo_math::Matrix::zero());
        for h in &holds.held {
            let (i, m) = (h.vertex, self.bodies.mass[h.vertex].wide());
            let mut v = self.next.v[i].wide();
            for (surface, press) in h.press.iter().flatten() {
                let touch = holds.surface(*surface, &self.next.x[i]);
                let rel = v - touch.velocity;
                let along = rel - touch.normal * rel.dot(&touch.normal);
                let slide = along.norm();
                let most = match touch.contact {
                    Contact::Sticky => f64::INFINITY,
                    Contact::Slip => 0.0,
                    Contact::Separating { friction } => friction * press / m,
                };
                // Friction takes what slides at most: it does not turn it round.
                if slide > 0.0 && most > 0.0 {
                    v -= along * (most / slide).min(1.0);
                }
            }
            self.next.v[i] = Vector::of(&v);
        }
    }
}
