//! Solids of simplices with any law, and cloth of springs: [Jiang15] §3.1.1, §3.3, appendix A; [Course16] §12.2.
//!
//! One [`Mesh`] holds any number of bodies. A free mesh is stepped by itself, explicitly or by the minimiser of
//! [Jiang15] §A.3, and meets obstacles as constraints. One that goes [through the grid](Way::Grid) lends its vertices to
//! the medium as material points, where it meets other matter and itself.
#![allow(non_snake_case)]

mod advance;
mod body;
mod grid;
mod hold;
mod instance;
mod lagrangian;
pub mod lattice;
mod matter;
mod mutual;
#[cfg(test)]
mod mutual_tests;
mod nearest;
mod observe;
mod penalty;
mod potential;
#[cfg(test)]
mod rest_tests;
mod rows;
mod sheet;
mod springs;
mod state;
mod step;
mod survey;
#[cfg(test)]
mod tests;
mod through;
mod tree;

use std::sync::Arc;

use thixo_core::{Error, Result};
use thixo_grid::transfer::Scheme;
use thixo_grid::{KernelKind, Layout};
use thixo_math::{Matrix, Real, Vector};
use thixo_numerics::integrate::{Accuracy, Workspace};
use thixo_numerics::minimise::Effort;

use body::Bodies;
pub use instance::named_matter;
pub use matter::{Group, Line, MakeMatter, Matter, Square, WIDTH, matter};
pub use mutual::Mutual;
use mutual::Trees;
use potential::Answers;
pub use sheet::{Cloth, Sheet};
pub use springs::Spring;
use state::State;
use through::Through;

/// How a mesh meets the world.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Way {
    /// By itself: it sees obstacles and its own bodies, and no other matter.
    #[default]
    Free,
    /// As material points of the common grid. [Course16] §12.2
    Grid {
        /// Interpolation kernel.
        kernel: KernelKind,
        /// Transfer scheme.
        scheme: Scheme,
        /// Largest way of a vertex in one step, in cells.
        cfl: f64,
    },
}

/// How the equations of an implicit step are solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Newton {
    /// As a minimisation, which cannot be thrown off. [Jiang15] §A.3
    #[default]
    Minimise,
    /// Newton's method as it is usually written, for comparison: it may fail.
    Plain,
}

/// The numerical choices of a mesh; the defaults are good.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// How it meets the world.
    pub way: Way,
    /// Rayleigh damping: the time by which stiffness damps \[s\].
    pub damping: f64,
    /// How exactly a free mesh solves implicit steps.
    pub accuracy: Accuracy,
    /// How it solves them.
    pub newton: Newton,
    /// How bodies of a free mesh meet each other; through the grid they do so in any case.
    pub mutual: Option<Mutual>,
    /// Share of the stability bound that explicit steps use.
    pub safety: f64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            way: Way::Free,
            damping: 0.0,
            accuracy: Accuracy {
                tolerance: 1e-3,
                iterations: 500,
                products: 2000,
                ..Accuracy::default()
            },
            newton: Newton::Minimise,
            mutual: None,
            safety: 0.9,
        }
    }
}

/// A body of a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BodyId(usize);

/// Where a scripted vertex is at a time \[s\], from its place at rest \[m\].
pub type Path<const D: usize> = Arc<dyn Fn(f64, &Vector<f64, D>) -> Vector<f64, D> + Send + Sync>;

/// Told E \[J\] and the share of its slope in what counts as one, before every iteration of an implicit step.
pub type Watch = Box<dyn FnMut(f64, f64) + Send + Sync>;

/// What moves a vertex whatever acts on it.
enum Script<const D: usize> {
    Pinned,
    Path(Path<D>),
}

/// Bodies of simplices and springs.
pub struct Mesh<T, const D: usize> {
    name: String,
    material: String,
    color: [f32; 3],
    options: Options,
    bodies: Bodies<T, D>,
    scripts: Vec<(Vec<usize>, Script<D>)>,
    now: State<T, D>,
    // Scratch, made anew from the state.
    next: State<T, D>,
    /// Whether vertices or elements have come since the lists were made.
    unsealed: bool,
    layout: Layout<D>,
    through: Through<T, D>,
    /// A vertex that the grid cannot address.
    astray: Option<usize>,
    /// Velocities of scripted vertices in this step.
    given: Vec<Option<Vector<f64, D>>>,
    trees: Trees<D>,
    /// k of each vertex in the potential of collisions \[J/m³\].
    firmness: Vec<f64>,
    answers: Answers<T, D>,
    lagged: Vec<Matrix<T, D>>,
    trial: Vec<Vector<f64, D>>,
    work: Workspace<T, D>,
    effort: Effort,
    /// The largest stable explicit step of the present state, if it is known.
    stable: Option<f64>,
    watch: Option<Watch>,
}

impl<T: Real, const D: usize> Mesh<T, D> {
    /// A mesh without bodies.
    pub fn new(name: impl Into<String>, options: Options) -> Self {
        Self {
            name: name.into(),
            material: String::new(),
            color: [0.7, 0.7, 0.7],
            options,
            bodies: Bodies::default(),
            scripts: Vec::new(),
            now: State::default(),
            next: State::default(),
            unsealed: true,
            layout: Layout::default(),
            through: Through::default(),
            astray: None,
            given: Vec::new(),
            trees: Trees::default(),
            firmness: Vec::new(),
            answers: Answers::default(),
            lagged: Vec::new(),
            trial: Vec::new(),
            work: Workspace::default(),
            effort: Effort::default(),
            stable: None,
            watch: None,
        }
    }
    /// Says what it is made of, for output.
    pub fn described(mut self, material: impl Into<String>, color: [f32; 3]) -> Self {
        self.material = material.into();
        self.color = color;
        self
    }
    /// Has every iteration of implicit steps told.
    pub fn watched(mut self, watch: Watch) -> Self {
        self.watch = Some(watch);
        self
    }
    /// Adds a solid at rest: its vertices, simplices of D + 1 of them in any order of corners, a law and a density
    /// \[kg/m³\].
    pub fn add_solid<C: AsRef<[u32]>>(
        &mut self,
        name: &str,
        points: &[Vector<f64, D>],
        simplices: impl IntoIterator<Item = C>,
        matter: Box<dyn Matter<T, D>>,
        density: f64,
    ) -> Result<BodyId> {
        let shape = self
            .bodies
            .add_solid(name, points, simplices, matter, density)?;
        Ok(self.joined(points, shape))
    }
    /// Adds cloth.
    pub fn add_sheet(&mut self, name: &str, sheet: &Sheet<D>, cloth: &Cloth) -> Result<BodyId> {
        let (mass, springs) = sheet.made_of(cloth)?;
        self.bodies
            .add_springs(name, &sheet.points, &mass, &springs, &sheet.faces)?;
        Ok(self.joined(&sheet.points, Vec::new()))
    }
    /// Adds masses \[kg\] joined by springs.
    pub fn add_springs(
        &mut self,
        name: &str,
        points: &[Vector<f64, D>],
        mass: &[f64],
        springs: &[Spring],
    ) -> Result<BodyId> {
        self.bodies.add_springs(name, points, mass, springs, &[])?;
        Ok(self.joined(points, Vec::new()))
    }
    fn joined(&mut self, points: &[Vector<f64, D>], shape: Vec<Line<T>>) -> BodyId {
        self.now.x.extend_from_slice(points);
        self.now.v.resize(self.now.x.len(), Vector::zero());
        self.now.C.resize(self.now.x.len(), Matrix::zero());
        self.now.shape.push(shape);
        self.unsealed = true;
        self.stable = None;
        BodyId(self.bodies.list.len() - 1)
    }
    /// Moves the vertices of a body: `f` takes the number of each and its place, and gives its new place \[m\] and
    /// velocity \[m/s\].
    pub fn place(
        &mut self,
        body: BodyId,
        mut f: impl FnMut(usize, &Vector<f64, D>) -> (Vector<f64, D>, Vector<f64, D>),
    ) -> Result<()> {
        let range = self.range(body)?;
        for (n, i) in range.enumerate() {
            let (x, v) = f(n, &self.now.x[i]);
            if !(x.finite() && v.finite()) {
                let what = format!("`{}`: vertex {n} is put nowhere", self.name);
                return Err(Error::Invalid(what));
            }
            (self.now.x[i], self.now.v[i]) = (x, Vector::of(&v));
        }
        self.stable = None;
        Ok(())
    }
    /// Gives the vertices of a body affine velocities \[1/s\] by their numbers, for transfers that keep them.
    pub fn stir(&mut self, body: BodyId, mut f: impl FnMut(usize) -> Matrix<f64, D>) -> Result<()> {
        for (n, i) in self.range(body)?.enumerate() {
            self.now.C[i] = Matrix::of(&f(n));
        }
        Ok(())
    }
    /// Whether there is a body of that name.
    pub fn has(&self, body: &str) -> bool {
        self.bodies.list.iter().any(|b| b.name == body)
    }
    /// Holds vertices of a body where they are.
    pub fn pin(&mut self, body: BodyId, vertices: impl IntoIterator<Item = usize>) -> Result<()> {
        self.add_script(body, vertices, Script::Pinned)
    }
    /// Moves vertices of a body along a path.
    pub fn script(
        &mut self,
        body: BodyId,
        vertices: impl IntoIterator<Item = usize>,
        path: Path<D>,
    ) -> Result<()> {
        self.add_script(body, vertices, Script::Path(path))
    }
    fn add_script(
        &mut self,
        body: BodyId,
        vertices: impl IntoIterator<Item = usize>,
        script: Script<D>,
    ) -> Result<()> {
        let range = self.range(body)?;
        let vertices: Vec<usize> = vertices.into_iter().map(|n| range.start + n).collect();
        if let Some(i) = vertices.iter().find(|i| **i >= range.end) {
            let what = format!("`{}`: there is no vertex {}", self.name, i - range.start);
            return Err(Error::Invalid(what));
        }
        self.scripts.push((vertices, script));
        Ok(())
    }
    /// Lets go of every vertex that was pinned or scripted.
    pub fn release(&mut self) {
        self.scripts.clear();
    }
    fn range(&self, body: BodyId) -> Result<std::ops::Range<usize>> {
        let found = self.bodies.list.get(body.0).map(|b| b.vertices.clone());
        found.ok_or_else(|| Error::Invalid(format!("`{}` has no such body", self.name)))
    }
    /// Number of vertices.
    pub fn len(&self) -> usize {
        self.now.x.len()
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Places of all vertices \[m\].
    pub fn positions(&self) -> &[Vector<f64, D>] {
        &self.now.x
    }
    /// Places of all vertices at rest \[m\].
    pub fn rest_positions(&self) -> &[Vector<f64, D>] {
        &self.bodies.rest
    }
    /// Velocities of all vertices \[m/s\].
    pub fn velocities(&self) -> &[Vector<T, D>] {
        &self.now.v
    }
    /// Masses of all vertices \[kg\].
    pub fn masses(&self) -> &[T] {
        &self.bodies.mass
    }
    /// What the last step took.
    pub fn last_effort(&self) -> Effort {
        self.effort
    }
}
