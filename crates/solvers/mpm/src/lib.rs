//! The Material Point Method, explicit: [Course16] §8–10, [Jiang15] ch. 2, 5.
//!
//! One [`Mpm`] is a set of particles of one law. Several of them, of different laws, meet in the
//! same layer of the medium. The step is in `step.rs`; each of its verbs has a file of its own.
#![allow(non_snake_case)]

mod advance;
mod backward;
mod collide;
mod curvature;
mod exchange;
mod gather;
mod implicit;
mod instance;
mod lines;
mod matter;
mod observe;
mod particles;
mod scatter;
mod settle;
mod state;
mod step;
mod survey;
mod tried;

use std::sync::Arc;

use thixo_core::{Error, Result};
use thixo_grid::transfer::Scheme;
use thixo_grid::{Domain, KernelKind, Layout, Link, Node, Rooms};
use thixo_math::{Matrix, Real, Vector};
use thixo_shape::{Drain, Stream};

use implicit::{Tried, tangent_count};
pub use instance::named_matter;
use lines::Lines;
pub use lines::{Chunks, ChunksMut, Gradient, Line, Motion, Square, Vectors};
use matter::MakeMatter;
pub use matter::{Block, Deformed, Matter, Stiffness, matter};
use particles::{Kind, Moved, One, Particles};
use survey::Limits;

/// How internal forces reach the nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Force {
    /// Moving least squares: ∇w is replaced by w D⁻¹ (x_i − x_p), which joins the affine transfer.
    #[default]
    LeastSquares,
    /// The classical form with ∇w. [Course16] (189)
    Gradient,
}

/// The numerical choices of one set of particles; the defaults are good.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// Interpolation kernel.
    pub kernel: KernelKind,
    /// Transfer scheme.
    pub scheme: Scheme,
    /// Force form.
    pub force: Force,
    /// Largest way of a particle in one step, in cells.
    pub cfl: f64,
    /// Share of the stability bound that is used.
    pub safety: f64,
    /// Rayleigh damping of implicit steps: the time by which stiffness damps \[s\].
    pub damping: f64,
    /// Whether matter yields within an implicit solve, or after it, as in [Jiang15] §A.6.1.
    pub flow_within: bool,
}

impl Default for Options {
    fn default() -> Self {
        let (kernel, scheme, force) = Default::default();
        Self {
            kernel,
            scheme,
            force,
            cfl: 0.5,
            safety: 0.9,
            damping: 0.0,
            flow_within: true,
        }
    }
}

/// A particle to be: where, how fast, how much of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seed<const D: usize> {
    /// Position \[m\].
    pub x: Vector<f64, D>,
    /// Velocity \[m/s\].
    pub v: Vector<f64, D>,
    /// Velocity gradient around it \[1/s\].
    pub C: Matrix<f64, D>,
    /// Deformation gradient.
    pub F: Matrix<f64, D>,
    /// Rest volume \[m³\] (in two dimensions \[m²\]).
    pub volume: f64,
    /// Mass \[kg\] (in two dimensions \[kg/m\]).
    pub mass: f64,
}

impl<const D: usize> Seed<D> {
    /// Undeformed matter at rest.
    pub fn new(x: Vector<f64, D>, volume: f64, density: f64) -> Self {
        let (v, C, F) = (Vector::zero(), Matrix::zero(), Matrix::identity());
        Self {
            x,
            v,
            C,
            F,
            volume,
            mass: volume * density,
        }
    }
    /// The same, moving.
    pub fn moving(self, v: Vector<f64, D>) -> Self {
        Self { v, ..self }
    }
}

/// Where and when a body force is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Place<const D: usize> {
    /// The particle's lasting number.
    pub id: u64,
    /// Its position \[m\].
    pub x: Vector<f64, D>,
    /// Its velocity \[m/s\].
    pub v: Vector<f64, D>,
    /// Time \[s\].
    pub t: f64,
    /// How long it acts \[s\].
    pub dt: f64,
}

/// Acceleration \[m/s²\] as a function of place and time.
pub type BodyForce<const D: usize> = Arc<dyn Fn(&Place<D>) -> Vector<f64, D> + Send + Sync>;

/// An inflow of matter of this density.
struct Inflow<const D: usize> {
    stream: Stream<D>,
    density: f64,
}

/// A set of particles of one law.
pub struct Mpm<T, const D: usize> {
    name: String,
    material: String,
    color: [f32; 3],
    /// Of its material at rest \[kg/m³\]; 0 if it was not told.
    density: f64,
    options: Options,
    dx: f64,
    domain: Domain<D>,
    inflows: Vec<Inflow<D>>,
    drains: Vec<Drain<D>>,
    forces: Vec<BodyForce<D>>,
    // The state: particles in the order of the layout, their matter, and what came and went.
    particles: Particles<T, D>,
    matter: Box<dyn Matter<T, D>>,
    layout: Layout<D>,
    /// Whether a sort is due: a particle has strayed too far since the last one, or many have come.
    strayed: bool,
    next_id: u64,
    emitted: f64,
    drained: f64,
    removed: u64,
    // Scratch, made anew from the state.
    next: Moved<T, D>,
    /// V⁰ τ of each particle, if there are limits.
    tau: Lines<T>,
    /// What limits the step of the present state, if it is known.
    limits: Option<Limits<T>>,
    next_limits: Option<Limits<T>>,
    /// Whether numbers have come from outside that no step has looked at.
    unchecked: bool,
    /// What the particles of one block give, and their accelerations.
    pushed: Rooms<(Vec<Node<T>>, Vec<Vector<T, D>>)>,
    /// The grid after the step and before it, around one block.
    around: Rooms<[Vec<Node<T>>; 2]>,
    link: Link<D>,
    next_strayed: bool,
    /// V⁰ ∂²ψ/∂H² of each particle, within an implicit solve.
    tangents: Lines<T>,
    /// The same at the start of the step, for damping.
    lagged: Lines<T>,
    /// What laws keep of the last iterate of such a solve.
    lags: Lines<T>,
    /// Room for the particles of one block within it, alone and with a tile to give.
    tried: Rooms<Tried<T, D>>,
    answers: Rooms<(Vec<Node<T>>, Tried<T, D>)>,
}

impl<T: Real, const D: usize> Mpm<T, D> {
    /// A set without particles.
    pub fn new(
        name: impl Into<String>,
        domain: &Domain<D>,
        matter: Box<dyn Matter<T, D>>,
        options: Options,
    ) -> Self {
        let stores_gradient = options.force == Force::Gradient
            || options.kernel == KernelKind::Linear
            || options.scheme.keeps_affine();
        let kind = Kind {
            gradient: stores_gradient,
            shapeless: matter.shapeless(),
            numbers: matter.start().len(),
        };
        Self {
            name: name.into(),
            material: String::new(),
            color: [0.7, 0.7, 0.7],
            density: 0.0,
            options,
            dx: domain.dx,
            domain: *domain,
            inflows: Vec::new(),
            drains: Vec::new(),
            forces: Vec::new(),
            particles: Particles::new(kind),
            matter,
            layout: Layout::default(),
            strayed: true,
            next_id: 0,
            emitted: 0.0,
            drained: 0.0,
            removed: 0,
            next: Moved::new(kind),
            tau: Lines::new(lines::symmetric(D)),
            limits: None,
            next_limits: None,
            unchecked: true,
            pushed: Rooms::default(),
            around: Rooms::default(),
            link: Link::default(),
            next_strayed: false,
            tangents: Lines::new(tangent_count(D)),
            lagged: Lines::new(tangent_count(D)),
            lags: Lines::new(tried::LAGS),
            tried: Rooms::default(),
            answers: Rooms::default(),
        }
    }
    /// Says what it is made of, for output.
    pub fn described(mut self, material: impl Into<String>, color: [f32; 3]) -> Self {
        self.material = material.into();
        self.color = color;
        self
    }
    /// Says how dense its material is at rest \[kg/m³\], for matter that it takes over.
    pub fn of_density(mut self, density: f64) -> Self {
        self.density = density;
        self
    }
    /// Adds particles.
    pub fn add(&mut self, seeds: impl IntoIterator<Item = Seed<D>>) -> Result<()> {
        self.particles.loosen(&self.layout);
        self.strayed = true;
        self.limits = None;
        self.unchecked = true;
        let start = self.matter.start();
        for seed in seeds {
            let (cell, one) = self.sprout(&seed, &start)?;
            self.particles.append(cell, &one);
        }
        self.countable()
    }
    /// A particle of the next number.
    fn sprout(&mut self, seed: &Seed<D>, start: &[T]) -> Result<([i32; D], One<T, D>)> {
        let (id, kernel) = (self.next_id, self.options.kernel);
        let new = self
            .particles
            .sprout(&self.domain, kernel, id, seed, start)
            .map_err(|why| Error::Invalid(format!("`{}`: particle {id}: {why}", self.name)))?;
        self.next_id += 1;
        Ok(new)
    }
    /// Whether there are no more particles than can be numbered.
    fn countable(&self) -> Result<()> {
        if self.len() > u32::MAX as usize / 2 {
            let what = format!("`{}` has too many particles", self.name);
            return Err(Error::Invalid(what));
        }
        Ok(())
    }
    /// Lets matter of this density \[kg/m³\] in.
    pub fn add_inflow(&mut self, stream: Stream<D>, density: f64) {
        self.inflows.push(Inflow { stream, density });
    }
    /// Takes matter out.
    pub fn add_drain(&mut self, drain: Drain<D>) {
        self.drains.push(drain);
    }
    /// Adds an acceleration field.
    pub fn add_force(&mut self, force: BodyForce<D>) {
        self.forces.push(force);
    }
    /// Number of particles.
    pub fn len(&self) -> usize {
        self.particles.len()
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// dx² D_p⁻¹ of the kernel; for the multilinear kernel 1, whose moments are kept as they are.
    fn d_inv(&self) -> f64 {
        match self.options.kernel {
            KernelKind::Linear => 1.0,
            KernelKind::Quadratic => 4.0,
            KernelKind::Cubic => 3.0,
        }
    }
}
