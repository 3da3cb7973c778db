//! From what was typed to things: materials, bodies, colliders, a world.

mod bodies;
mod collider;
mod field;
mod force;
mod kind;
mod launch;
mod material;
mod meeting;
mod mesh;
mod path;
mod probe;
mod resolution;
mod view;

pub use probe::Probe;
pub use resolution::QUALITIES;

use thixo_core::World;
use thixo_grid::transfer::Scheme;
use thixo_grid::{Domain, Exec, KernelKind};
use thixo_math::{Real, Vector};
use thixo_mpm::{Force, Options};
use thixo_numerics::integrate::Integrator;

use crate::error::{Checked, Problem, SceneError};
use crate::scene::{Scene, View};
use crate::spec::{Scalar, Spec, WordOr};
use crate::units::{ACCELERATION, LENGTH, NUMBER, TIME};

/// Whether bodies are filled with particles.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Start {
    Filled,
    Empty,
}

impl Scene {
    /// The world that the scene describes, at time 0. `D` must be the scene's dimension.
    pub fn build<T: Real, const D: usize>(&self, exec: Exec) -> Result<World<T, D>, SceneError> {
        self.world(exec, Start::Filled)
            .map_err(|p| SceneError::place(&self.file, &self.text, p))
    }
    /// The world without what is there at the start, into which a saved state is to be put.
    pub fn build_empty<T: Real, const D: usize>(
        &self,
        exec: Exec,
    ) -> Result<World<T, D>, SceneError> {
        self.world(exec, Start::Empty)
            .map_err(|p| SceneError::place(&self.file, &self.text, p))
    }
    /// Where it is measured. `D` must be the scene's dimension.
    pub fn probes<const D: usize>(&self) -> Result<Vec<Probe>, SceneError> {
        self.probed::<D>()
            .map_err(|p| SceneError::place(&self.file, &self.text, p))
    }
    /// What pictures of it show. `D` must be the scene's dimension.
    pub fn view<const D: usize>(&self) -> Result<View, SceneError> {
        self.viewed::<D>()
            .map_err(|p| SceneError::place(&self.file, &self.text, p))
    }

    fn world<T: Real, const D: usize>(&self, exec: Exec, start: Start) -> Checked<World<T, D>> {
        if self.dimension != D {
            return Err(
                Problem::new(0..0, format!("a scene of {} dimensions", self.dimension))
                    .help(format!("it cannot be built in {D}")),
            );
        }
        let domain = self.domain::<D>()?;
        let options = options(&self.spec)?;
        let mut world = World::new(domain, exec);
        world.gravity = gravity(&self.spec)?;
        if let Some(cap) = &self.spec.numerics.max_step {
            world.limit_step(cap.positive("max_step", TIME)?);
        }
        world.integrator = integrator(&self.spec)?;
        if let Some(tolerance) = &self.spec.numerics.tolerance {
            world.accuracy.tolerance = fraction("tolerance", tolerance)?;
        }
        world.colliders = self.colliders()?;
        self.distinct()?;
        self.heeded()?;
        let parts = self.parts(&domain, options, &world.colliders, start)?;
        for part in parts {
            world.add(part).map_err(|e| Problem::new(0..0, e))?;
        }
        // Their vertices are there even if a saved state is to be put in: it says where they are, and no more.
        for mesh in self.meshes(&options, domain.dx, &world.colliders)? {
            world.add(mesh).map_err(|e| Problem::new(0..0, e))?;
        }
        // Checked even when no picture is made and nothing is measured.
        self.viewed::<D>()?;
        self.probed::<D>()?;
        Ok(world)
    }

    pub(crate) fn domain<const D: usize>(&self) -> Checked<Domain<D>> {
        let resolution = &self.spec.resolution;
        let dx = self.cell::<D>()?;
        let mut domain = Domain::new(dx).map_err(|e| Problem::new(resolution.span.clone(), e))?;
        for (axis, period) in &self.spec.periodic {
            let names = &["x", "y", "z"][..D];
            let Some(a) = names.iter().position(|n| n == axis.get_ref()) else {
                let known = names.iter().copied();
                return Err(Problem::unknown(axis.span(), "axis", axis.get_ref(), known));
            };
            let length = period.positive("period", LENGTH)?;
            domain = domain.periodic(a, length).map_err(|e| {
                let blocks = (length / dx / 4.0).round().max(1.0);
                Problem::new(period.span.clone(), e).help(format!(
                    "the nearest is resolution = {}",
                    length / (4.0 * blocks)
                ))
            })?;
        }
        Ok(domain)
    }
}

fn gravity<const D: usize>(spec: &Spec) -> Checked<Vector<f64, D>> {
    match &spec.gravity {
        Some(g) => g.vector(ACCELERATION),
        None => Ok(Vector::axis(1) * -9.81),
    }
}

fn integrator(spec: &Spec) -> Checked<Integrator> {
    let n = &spec.numerics;
    let chosen = n.integrator.as_ref();
    let chosen = chosen.map_or(Integrator::Explicit, |i| i.get_ref().0);
    match (chosen, &n.beta) {
        (Integrator::SemiImplicit { .. }, Some(beta)) => Ok(Integrator::SemiImplicit {
            beta: beta.within("beta", NUMBER, 0.0, 1.0)?,
        }),
        (_, Some(beta)) => Err(Problem::new(
            beta.span.clone(),
            "only the semi-implicit step has a beta",
        )
        .help("write integrator = \"semi-implicit\" beside it, or leave it out")),
        (chosen, None) => Ok(chosen),
    }
}

fn options(spec: &Spec) -> Checked<Options> {
    let n = &spec.numerics;
    let mut o = Options::default();
    if integrator(spec)? != Integrator::Explicit {
        o.cfl = 0.6; // [Jiang15] §A.6.2
    }
    if let Some(k) = &n.kernel {
        o.kernel = k.get_ref().0;
    }
    if let Some(f) = &n.force {
        o.force = f.get_ref().0;
        if o.kernel == KernelKind::Linear && o.force == Force::LeastSquares {
            return Err(
                Problem::new(f.span(), "the linear kernel has no least-squares force").help(
                    "the multilinear kernel has only the gradient force: \
                     write force = \"gradient\", or choose another kernel",
                ),
            );
        }
    }
    if let Some(cfl) = &n.cfl {
        o.cfl = fraction("cfl", cfl)?;
    }
    if let Some(damping) = &n.damping {
        o.damping = damping.within("damping", TIME, 0.0, 1e6)?;
        if o.damping > 0.0 && matches!(integrator(spec)?, Integrator::Explicit | Integrator::Auto) {
            return Err(Problem::new(
                damping.span.clone(),
                "explicit steps have no Rayleigh damping",
            )
            .help("write integrator = \"implicit\" or \"semi-implicit\" beside it"));
        }
    }
    if let Some(word) = &n.plasticity {
        let chosen = integrator(spec)?;
        if !matches!(chosen, Integrator::Implicit | Integrator::Auto) {
            return Err(Problem::new(
                word.span(),
                "only implicit steps can choose when matter yields",
            )
            .help("write integrator = \"implicit\" or \"auto\" beside it, or leave it out"));
        }
        o.flow_within = word.get_ref().0 == crate::spec::Plasticity::Within;
    }
    if let Some(safety) = &n.safety {
        o.safety = fraction("safety", safety)?;
    }
    if let Some(t) = &n.transfer {
        let share = |s: &Scalar| s.within("this share", NUMBER, 0.0, 1.0);
        o.scheme = match t.get_ref() {
            WordOr::Word(scheme) => *scheme,
            WordOr::Table(b) => match (&b.flip, &b.apic, &b.apic_rpic, &b.apic_flip) {
                (Some(s), None, None, None) => Scheme::flip(share(s)?),
                (None, Some(s), None, None) => Scheme::apic_pic(share(s)?),
                (None, None, Some(s), None) => Scheme::apic_rpic(share(s)?),
                (None, None, None, Some(s)) => Scheme::apic_flip(share(s)?),
                _ => {
                    return Err(Problem::new(t.span(), "a blend has one share")
                        .help("write { flip = 0.95 }, { apic = 0.9 }, { apic_rpic = 0.5 } or { apic_flip = 0.9 }"));
                }
            },
        };
    }
    Ok(o)
}

/// Above 0 and at most 1.
fn fraction(what: &str, x: &Scalar) -> Checked<f64> {
    x.positive(what, NUMBER)?;
    x.within(what, NUMBER, 0.0, 1.0)
}
