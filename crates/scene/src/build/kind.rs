//! What a body is: particles, a mesh of cells, or cloth.

use std::ops::Range;

use thixo_grid::KernelKind;
use thixo_numerics::integrate::Integrator;

use crate::error::{Checked, Problem};
use crate::scene::{Scene, plain};
use crate::spec::{Body, Cloth, Shape, Solid, Spanned};

/// What a body is, with the keys that it must have.
pub(super) enum Kind<'a> {
    /// Particles of a material in a shape.
    Particles(&'a Spanned<String>, &'a Shape),
    /// Cells of a material in a shape.
    Cut(&'a Spanned<String>, &'a Shape, &'a Solid),
    /// Cells of a material from a file.
    File(&'a Spanned<String>, &'a Spanned<String>, &'a Solid),
    /// Cloth.
    Cloth(&'a Spanned<Cloth>),
}

/// How a body takes part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Part {
    Particles,
    Free,
    Grid,
}

impl Part {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Particles => "particles",
            Self::Free => "a free mesh",
            Self::Grid => "a mesh that goes through the grid",
        }
    }
}

/// What the body is that stands at `at`.
pub(super) fn kind(body: &Body, at: Range<usize>) -> Checked<Kind<'_>> {
    let wrong = |span: Range<usize>, what: &str, help: &str| -> Checked<Kind<'_>> {
        Err(Problem::new(span, what).help(help))
    };
    if let Some(cloth) = &body.cloth {
        if let Some(m) = &body.material {
            let help =
                "cloth has its density, stiffness and colour in its own table: remove `material`";
            return wrong(m.span(), "cloth with a material", help);
        }
        if let Some(s) = &body.shape {
            let help = "cloth says where it is by `from` and `sides`: remove one of them";
            return wrong(s.span.clone(), "both a shape and cloth", help);
        }
        if let Some(m) = &body.mesh {
            return wrong(m.span(), "both a mesh and cloth", "remove one of them");
        }
        return Ok(Kind::Cloth(cloth));
    }
    if body.mesh.is_none() {
        if let Some(t) = &body.through_grid {
            let help =
                "add mesh = {} to make it a mesh, or remove `through_grid`: particles always do";
            return wrong(
                t.span(),
                "only meshes choose whether to go through the grid",
                help,
            );
        }
        if let Some(h) = body.held.first() {
            let help = "add mesh = {} to make it a mesh, or remove `held`";
            return wrong(h.span(), "only parts of meshes and cloth can be held", help);
        }
    }
    let Some(material) = &body.material else {
        let help = "add material = \"NAME\", a material of the scene or a preset";
        return wrong(at, "a body has no material", help);
    };
    let file = body.mesh.as_ref().and_then(|m| m.get_ref().file.as_ref());
    match (&body.shape, &body.mesh, file) {
        (Some(shape), None, _) => Ok(Kind::Particles(material, shape)),
        (Some(_), Some(_), Some(f)) => {
            let help = "a file has its own cells: remove `shape` or `file`";
            wrong(f.span(), "both a shape and a mesh file", help)
        }
        (None, Some(mesh), Some(f)) => match &mesh.get_ref().edge {
            Some(edge) => {
                let help = "remove `edge`: a file has its own cells";
                wrong(edge.span.clone(), "both an edge and a mesh file", help)
            }
            None => Ok(Kind::File(material, f, mesh.get_ref())),
        },
        (Some(shape), Some(mesh), None) => {
            let m = mesh.get_ref();
            let moved = [&m.rotate, &m.translate].into_iter().flatten().next();
            let moved = moved.map(|n| n.span.clone());
            match moved.or(m.scale.as_ref().map(|s| s.span.clone())) {
                Some(span) => {
                    let help = "write `rotate` and `translate` into `shape`; `scale` is for files";
                    wrong(span, "a mesh without a file is where its shape is", help)
                }
                None => Ok(Kind::Cut(material, shape, m)),
            }
        }
        (None, Some(mesh), None) => {
            let help = "add shape = { sphere = { radius = \"10 cm\" } } or the like, or mesh = { file = \"x.msh\" }";
            wrong(mesh.span(), "a mesh of nothing", help)
        }
        (None, None, _) => {
            let help = "add shape = { sphere = { radius = \"10 cm\" } } or the like";
            wrong(at, "a body has no shape", help)
        }
    }
}

/// How a body takes part.
pub(super) fn part(body: &Body) -> Part {
    let through = body.through_grid.as_ref().is_some_and(|t| *t.get_ref());
    match (body.mesh.is_some() || body.cloth.is_some(), through) {
        (false, _) => Part::Particles,
        (true, false) => Part::Free,
        (true, true) => Part::Grid,
    }
}

/// A name of a set of matter, and what uses it.
struct Use {
    name: Spanned<String>,
    part: Part,
    material: Option<String>,
}

/// The name of the set that a body at `at` belongs to.
pub(super) fn set_name(body: &Body, at: Range<usize>) -> Spanned<String> {
    let named = body.name.as_ref().or(body.material.as_ref()).cloned();
    named.unwrap_or_else(|| Spanned::new(at, "cloth".into()))
}

impl Scene {
    /// Refuses names that no file can have, and one name for matter of several kinds or materials.
    pub(super) fn distinct(&self) -> Checked<()> {
        let text = |m: &Spanned<String>| m.get_ref().clone();
        let bodies = self.spec.bodies.iter().map(|b| {
            let (body, at) = (b.get_ref(), b.span());
            Use {
                name: set_name(body, at),
                part: part(body),
                material: body.material.as_ref().map(text),
            }
        });
        let emitters = self.spec.emitters.iter().map(|e| {
            let e = e.get_ref();
            Use {
                name: e.name.clone().unwrap_or_else(|| e.material.clone()),
                part: Part::Particles,
                material: Some(text(&e.material)),
            }
        });
        let uses: Vec<Use> = bodies.chain(emitters).collect();
        for (i, u) in uses.iter().enumerate() {
            let word = u.name.get_ref();
            if !plain(word) {
                let what = format!("`{word}` cannot name a file");
                return Err(Problem::new(u.name.span(), what).help(
                    "use letters, digits, `-`, `_` and `.`, and start with a letter or digit",
                ));
            }
            let Some(o) = uses[..i].iter().find(|o| o.name == u.name) else {
                continue;
            };
            let (by, help) = if o.material != u.material {
                let by = o.material.as_ref().map(|m| format!("matter of `{m}`"));
                let help = "choose another name: one name has one material";
                (by.unwrap_or_else(|| "cloth".into()), help)
            } else if o.part != u.part {
                let help = "choose another name by `name`: one name has one kind of matter";
                (o.part.words().into(), help)
            } else {
                continue;
            };
            let what = format!("the name `{word}` is taken by {by}");
            return Err(Problem::new(u.name.span(), what).help(help));
        }
        Ok(())
    }
    /// Refuses keys of `numerics` that nothing in the scene heeds, and meshes where they cannot be.
    pub(super) fn heeded(&self) -> Checked<()> {
        let (spec, n) = (&self.spec, &self.spec.numerics);
        let has = |p: Part| spec.bodies.iter().any(|b| part(b.get_ref()) == p);
        let particles = has(Part::Particles) || !spec.emitters.is_empty();
        let (free, grid) = (has(Part::Free), has(Part::Grid));
        if !free && !grid {
            return Ok(());
        }
        if let Some(axis) = spec.periodic.keys().next() {
            return Err(
                Problem::new(axis.span(), "a periodic axis and a mesh").help(
                    "meshes do not cross the seam: remove `periodic`, or make bodies of particles",
                ),
            );
        }
        let of_particles = [
            (
                "particles_per_cell",
                n.particles_per_cell.as_ref().map(|k| k.span.clone()),
            ),
            ("sampling", n.sampling.as_ref().map(Spanned::span)),
            ("seed", n.seed.as_ref().map(|k| k.span.clone())),
            ("force", n.force.as_ref().map(Spanned::span)),
            ("plasticity", n.plasticity.as_ref().map(Spanned::span)),
        ];
        let of_grid = [
            ("kernel", n.kernel.as_ref().map(Spanned::span)),
            ("transfer", n.transfer.as_ref().map(Spanned::span)),
            ("cfl", n.cfl.as_ref().map(|k| k.span.clone())),
        ];
        let unheeded = |keys: &[(&str, Option<Range<usize>>)], what: &str| {
            let found = keys.iter().find_map(|(key, at)| Some((key, at.clone()?)));
            found.map_or(Ok(()), |(key, at)| {
                Err(
                    Problem::new(at, format!("`{key}` is for {what}, and there is none"))
                        .help("remove it"),
                )
            })
        };
        if !particles {
            unheeded(&of_particles, "matter of particles")?;
            if !grid {
                unheeded(&of_grid, "matter on the grid")?;
            }
        }
        if let Some(k) = n
            .kernel
            .as_ref()
            .filter(|k| grid && k.get_ref().0 == KernelKind::Linear)
        {
            return Err(Problem::new(
                k.span(),
                "meshes do not go through the grid with the linear kernel",
            )
            .help("write kernel = \"quadratic\" or \"cubic\""));
        }
        let halfway = n
            .integrator
            .as_ref()
            .filter(|i| free && matches!(i.get_ref().0, Integrator::SemiImplicit { .. }));
        if let Some(i) = halfway {
            return Err(
                Problem::new(i.span(), "free meshes have no semi-implicit step").help(
                    "write integrator = \"implicit\", or through_grid = true in their bodies",
                ),
            );
        }
        Ok(())
    }
}
