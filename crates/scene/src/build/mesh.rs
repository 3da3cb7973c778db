//! Bodies of cells and cloth: one system of free ones, one of those that go through the grid.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use thixo_math::{Real, Vector};
use thixo_mesh::{BodyId, Cloth, Mesh, Options, Sheet, Way};
use thixo_shape::{Bounds, Collider, Motion, SolidMesh};

use super::bodies::buried;
use super::collider::motion_of;
use super::fraction;
use super::kind::{Kind, Part, kind, part, set_name};
use super::launch::Launch;
use super::material::make_cells;
use crate::error::{Checked, Problem};
use crate::scene::Scene;
use crate::shapes::refused;
use crate::spec::material::color as color_of;
use crate::spec::{self, Body, Shape, Solid, Spanned, shape};
use crate::units::{AREA_DENSITY, LENGTH, NUMBER, TENSION};

/// The systems' names, which no set of particles can have.
const FREE: &str = "free meshes";
const GRID: &str = "meshes through the grid";
/// Cloth without a colour of its own.
const LINEN: [f32; 3] = [0.86, 0.82, 0.74];
/// Most masses of a cloth along a side.
const MOST: f64 = 4000.0;
/// A held part may be so much off at the start, as a share of an edge.
const SLACK: f64 = 1e-6;

impl Scene {
    /// The meshes of the scene: at most one system of each kind.
    pub(super) fn meshes<T: Real, const D: usize>(
        &self,
        options: &thixo_mpm::Options,
        cell: f64,
        colliders: &[Collider<D>],
    ) -> Checked<Vec<Mesh<T, D>>> {
        let mut made = Vec::new();
        for (which, name) in [(Part::Free, FREE), (Part::Grid, GRID)] {
            let mut mesh = Mesh::new(name, self.mesh_options(which, options)?);
            for body in &self.spec.bodies {
                if part(body.get_ref()) == which {
                    self.add_body(&mut mesh, body, cell, colliders)?;
                }
            }
            if !mesh.is_empty() {
                made.push(mesh);
            }
        }
        Ok(made)
    }

    fn mesh_options(&self, which: Part, o: &thixo_mpm::Options) -> Checked<Options> {
        let mut options = Options {
            damping: o.damping,
            safety: o.safety,
            ..Options::default()
        };
        if let Some(tolerance) = &self.spec.numerics.tolerance {
            options.accuracy.tolerance = fraction("tolerance", tolerance)?;
        }
        match which {
            Part::Grid => {
                options.way = Way::Grid {
                    kernel: o.kernel,
                    scheme: o.scheme,
                    cfl: o.cfl,
                }
            }
            _ => options.mutual = self.mutual()?,
        }
        Ok(options)
    }

    fn add_body<T: Real, const D: usize>(
        &self,
        mesh: &mut Mesh<T, D>,
        typed: &Spanned<Body>,
        cell: f64,
        colliders: &[Collider<D>],
    ) -> Checked<()> {
        let (body, at) = (typed.get_ref(), typed.span());
        let set = set_name(body, at.clone()).into_inner();
        let name = (1..)
            .map(|k| {
                if k == 1 {
                    set.clone()
                } else {
                    format!("{set} {k}")
                }
            })
            .find(|name| !mesh.has(name))
            .unwrap_or_default();
        let refuse = |e| Problem::new(at.clone(), e);
        let first = mesh.len();
        let (id, material, color) = match kind(body, at.clone())? {
            Kind::Particles(..) => return Ok(()),
            Kind::Cloth(cloth) => {
                let (sheet, of) = sheet::<D>(cloth, cell)?;
                let id = mesh.add_sheet(&name, &sheet, &of).map_err(refuse)?;
                let color = cloth.get_ref().color.as_ref();
                (id, "cloth".into(), color.map_or(Ok(LINEN), color_of)?)
            }
            Kind::Cut(material, shape, solid) => {
                let cells = self.cut::<D>(shape, solid, cell)?;
                self.add_cells(mesh, &name, &cells, material, &at)?
            }
            Kind::File(material, file, solid) => {
                let cells = self.cells_of::<D>(file, solid)?;
                self.add_cells(mesh, &name, &cells, material, &at)?
            }
        };
        mesh.show_as(id, set, material, color).map_err(refuse)?;
        let points = mesh.positions()[first..].to_vec();
        if let Some(lost) = buried(&points, colliders) {
            let what = format!("this body is inside collider `{lost}`");
            return Err(Problem::new(at, what).help("move one of them"));
        }
        let middle = Bounds::of(points.iter().copied()).map_or(Vector::zero(), |b| b.center());
        let launch = Launch::read(body, at.clone(), middle)?;
        let h = 1e-3 * cell;
        let starts: Vec<_> = points
            .iter()
            .map(|x| launch.at(x, h))
            .collect::<Checked<_>>()?;
        mesh.place(id, |n, x| (*x, starts[n].0)).map_err(refuse)?;
        mesh.stir(id, |n| starts[n].1).map_err(refuse)?;
        for held in &body.held {
            self.hold(mesh, id, held, &points)?;
        }
        Ok(())
    }

    fn add_cells<T: Real, const D: usize>(
        &self,
        mesh: &mut Mesh<T, D>,
        name: &str,
        cells: &SolidMesh<D>,
        material: &Spanned<String>,
        at: &Range<usize>,
    ) -> Checked<(BodyId, String, [f32; 3])> {
        let (typed_name, typed) = self.material(material)?;
        let made = make_cells::<T, D>(typed_name, typed)?;
        let corners = (0..cells.cells().len()).map(|k| cells.corners(k));
        let id = mesh
            .add_solid(name, cells.points(), corners, made.matter, made.density)
            .map_err(|e| Problem::new(at.clone(), e))?;
        Ok((id, material.get_ref().clone(), made.color))
    }

    /// Cells of a shape.
    fn cut<const D: usize>(
        &self,
        shape: &Shape,
        solid: &Solid,
        cell: f64,
    ) -> Checked<SolidMesh<D>> {
        let edge = match &solid.edge {
            None => cell,
            Some(edge) => edge.positive("edge", LENGTH)?,
        };
        let at = solid.edge.as_ref().map_or(&shape.span, |e| &e.span);
        let Some((bounds, pose)) = shape.block::<D>(&self.files)? else {
            let shape = shape.make::<D>(&self.files)?;
            return SolidMesh::fill(&*shape, edge).map_err(refused(at));
        };
        let counts = bounds.size().0.map(|side| (side / edge).round().max(1.0));
        let block = SolidMesh::lattice(&bounds, counts.map(|n| n as usize)).map_err(refused(at))?;
        let points = block.points().iter().map(|x| pose.apply(x)).collect();
        SolidMesh::new(points, block.cells().to_vec()).map_err(refused(at))
    }

    /// Cells of a file.
    fn cells_of<const D: usize>(
        &self,
        file: &Spanned<String>,
        solid: &Solid,
    ) -> Checked<SolidMesh<D>> {
        let name = Path::new(file.get_ref());
        let other = match name.extension().and_then(|e| e.to_str()) {
            Some("node") => Some(name.with_extension("ele")),
            Some("ele") => Some(name.with_extension("node")),
            _ => None,
        };
        let path = self.files.path(file.get_ref());
        let missing = |path: &Path| {
            let what = format!("there is no mesh file {}", path.display());
            Problem::new(file.span(), what).help("files are looked for in the scene's own folder")
        };
        if !path.is_file() {
            return Err(missing(&path));
        }
        if let Some(other) = other {
            let path = self.files.path(&other.to_string_lossy()); // a run keeps both
            if !path.is_file() {
                return Err(missing(&path));
            }
        }
        let cells = SolidMesh::<D>::load(&path).map_err(refused(&file.span()))?;
        let scale = match &solid.scale {
            None => 1.0,
            Some(s) => s.positive("scale", NUMBER)?,
        };
        let pose = shape::pose::<D>(&solid.translate, &solid.rotate)?;
        let points = cells.points().iter().map(|x| pose.apply(&(*x * scale)));
        SolidMesh::new(points.collect(), cells.cells().to_vec()).map_err(refused(&file.span()))
    }

    /// Holds the vertices of a body that are in a shape.
    fn hold<T: Real, const D: usize>(
        &self,
        mesh: &mut Mesh<T, D>,
        id: BodyId,
        typed: &Spanned<spec::Held>,
        points: &[Vector<f64, D>],
    ) -> Checked<()> {
        let held = typed.get_ref();
        let shape = held.shape.make::<D>(&self.files)?;
        let size = Bounds::of(points.iter().copied()).map_or(0.0, |b| b.size().max_abs());
        let slack = SLACK * size;
        let inside: Vec<usize> = (0..points.len())
            .filter(|n| shape.distance(&points[*n]) <= slack)
            .collect();
        if inside.is_empty() {
            let what = "no vertex of this body is in here";
            return Err(Problem::new(held.shape.span.clone(), what)
                .help("move the shape, make it larger, or remove it"));
        }
        let refuse = |e| Problem::new(typed.span(), e);
        let Some(motion) = &held.motion else {
            return mesh.pin(id, inside).map_err(refuse);
        };
        let end = self.frame_time(self.frames);
        let motion: Motion<D> = motion_of(motion, end, &typed.span())?;
        motion.check().map_err(refused(&typed.span()))?;
        let start = motion.pose(0.0);
        let off = inside
            .iter()
            .map(|n| (start.apply(&points[*n]) - points[*n]).norm());
        if off.fold(0.0, f64::max) > slack {
            let what = "this motion does not start where the body is";
            return Err(Problem::new(typed.span(), what)
                .help("let it be at rest at t = 0: translate and rotate by nothing there"));
        }
        let path = move |t: f64, x: &Vector<f64, D>| motion.pose(t).apply(x);
        mesh.script(id, inside, Arc::new(path)).map_err(refuse)
    }

    /// The box around a body, if it has an end.
    pub(super) fn bounds_of<const D: usize>(
        &self,
        typed: &Spanned<Body>,
    ) -> Checked<Option<Bounds<D>>> {
        Ok(match kind(typed.get_ref(), typed.span())? {
            Kind::Particles(_, shape) | Kind::Cut(_, shape, _) => {
                shape.make::<D>(&self.files)?.bounds()
            }
            Kind::File(_, file, solid) => {
                let cells = self.cells_of::<D>(file, solid)?;
                Bounds::of(cells.points().iter().copied())
            }
            Kind::Cloth(cloth) => {
                let (from, sides) = corner::<D>(cloth)?;
                let far = sides.iter().fold(from, |x, s| x + *s);
                Bounds::of(
                    [from, far]
                        .into_iter()
                        .chain(sides.iter().map(|s| from + *s)),
                )
            }
        })
    }
}

/// The corner of a cloth and its sides: two, in the plane one.
fn corner<const D: usize>(
    typed: &Spanned<spec::Cloth>,
) -> Checked<(Vector<f64, D>, Vec<Vector<f64, D>>)> {
    let cloth = typed.get_ref();
    let from = cloth.from.vector(LENGTH)?;
    let sides = cloth.sides.get_ref();
    if sides.len() != D - 1 {
        let (n, needed) = (sides.len(), ["one vector", "two vectors"][D - 2]);
        let what = format!("cloth with {n} sides in a scene of {D} dimensions");
        let example = ["[[1, 0]]", "[[1, 0, 0], [0, 0, 1]]"][D - 2];
        return Err(Problem::new(cloth.sides.span(), what)
            .help(format!("write {needed}, such as {example}")));
    }
    let sides: Vec<Vector<f64, D>> = sides
        .iter()
        .map(|s| s.vector(LENGTH))
        .collect::<Checked<_>>()?;
    let lengths: f64 = sides.iter().map(|s| s.norm()).product();
    let across = sides
        .first()
        .zip(sides.last())
        .map_or(0.0, |(a, b)| a.dot(b));
    let area2 = if D == 2 {
        lengths * lengths
    } else {
        lengths * lengths - across * across
    };
    if area2.is_nan() || area2 <= 1e-12 * lengths * lengths {
        return Err(Problem::new(cloth.sides.span(), "this cloth has no area")
            .help("its sides must be longer than 0 and not parallel"));
    }
    Ok((from, sides))
}

/// The masses of a cloth and what it is made of.
fn sheet<const D: usize>(typed: &Spanned<spec::Cloth>, cell: f64) -> Checked<(Sheet<D>, Cloth)> {
    let cloth = typed.get_ref();
    let (from, sides) = corner::<D>(typed)?;
    let spacing = match &cloth.spacing {
        None => cell,
        Some(s) => s.positive("spacing", LENGTH)?,
    };
    let mut counts = [1.0, 0.0];
    for (n, side) in counts.iter_mut().zip(&sides) {
        *n = (side.norm() / spacing).round().max(1.0);
        if *n > MOST {
            let span = cloth
                .spacing
                .as_ref()
                .map_or(typed.span(), |s| s.span.clone());
            let what = format!("this cloth has {n:.0} masses along a side, more than {MOST}");
            return Err(Problem::new(span, what).help("use a larger `spacing`"));
        }
    }
    let [n, m] = counts;
    let other = sides.get(1).copied().unwrap_or(Vector::zero());
    let part = |k: usize, of: f64| if of > 0.0 { k as f64 / of } else { 0.0 };
    let place = |i: usize, j: usize| from + sides[0] * part(i, n) + other * part(j, m);
    let sheet = Sheet::grid(n as usize + 1, m as usize + 1, place);
    let sheet = sheet.map_err(|e| Problem::new(typed.span(), e))?;
    let tension = |what: &str, x: &spec::Scalar| x.within(what, TENSION, 0.0, f64::INFINITY);
    let of = Cloth {
        density: cloth.density.positive("density", AREA_DENSITY)?,
        stretch: cloth.stretch.positive("stretch", TENSION)?,
        shear: tension("shear", &cloth.shear)?,
        bend: cloth
            .bend
            .as_ref()
            .map_or(Ok(0.0), |b| tension("bend", b))?,
    };
    Ok((sheet, of))
}
