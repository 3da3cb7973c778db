//! Bodies, emitters, drains and forces: one set of particles per name.

use std::ops::Range;

use thixo_grid::Domain;
use thixo_math::{Real, Vector};
use thixo_mpm::{Mpm, Options, Seed};
use thixo_shape::{Collider, Drain, Method, Shape, Stream, fill, volume};

use super::Start;
use super::force::force;
use super::kind::{Kind, Part as Takes, kind, part};
use super::launch::Launch;
use super::material::{Made, make};
use crate::error::{Checked, Problem};
use crate::scene::Scene;
use crate::shapes::refused;
use crate::spec::{self, Body, Emitter, Material, Scalar, Spanned};
use crate::units::{Dimension, Measure, NUMBER, SPEED, TIME};

/// A set of particles in the making.
struct Part<T, const D: usize> {
    name: String,
    material: String,
    density: f64,
    system: Mpm<T, D>,
}

/// How shapes are filled.
struct Filling {
    method: Method,
    per_cell: usize,
    seed: u64,
}

impl Scene {
    /// The particles of every name, in the order in which names appear.
    pub(super) fn parts<T: Real, const D: usize>(
        &self,
        domain: &Domain<D>,
        options: Options,
        colliders: &[Collider<D>],
        start: Start,
    ) -> Checked<Vec<Mpm<T, D>>> {
        let spec = &self.spec;
        let filling = self.filling::<D>()?;
        for (name, material) in &spec.materials {
            make::<T, D>(name, material)?; // checked even if nothing is made of it
        }
        let mut parts: Vec<Part<T, D>> = Vec::new();
        for (i, body) in spec.bodies.iter().enumerate() {
            let b = body.get_ref();
            let Kind::Particles(material, shape) = kind(b, body.span())? else {
                continue;
            };
            let part = self.part(&mut parts, &b.name, material, domain, options)?;
            if start == Start::Empty {
                continue;
            }
            let seed = filling
                .seed
                .wrapping_add((i as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15));
            let filling = Filling { seed, ..filling };
            let seeds = self.seeds(body, shape, domain, &filling, part.density)?;
            let places: Vec<Vector<f64, D>> = seeds.iter().map(|s| s.x).collect();
            if let Some(lost) = buried(&places, colliders) {
                let what = format!("this body is inside collider `{lost}`");
                return Err(Problem::new(shape.span.clone(), what).help("move one of them"));
            }
            let span = shape.span.clone();
            part.system.add(seeds).map_err(|e| Problem::new(span, e))?;
        }
        for (i, emitter) in spec.emitters.iter().enumerate() {
            let e = emitter.get_ref();
            let part = self.part(&mut parts, &e.name, &e.material, domain, options)?;
            let seed = filling
                .seed
                .wrapping_add(0x5851_F42D_4C95_7F2D)
                .wrapping_add(i as u64);
            let stream = self.stream(e, domain.dx, filling.per_cell, seed)?;
            part.system.add_inflow(stream, part.density);
        }
        if parts.is_empty() && spec.bodies.is_empty() {
            return Err(Problem::new(
                0..0,
                "this scene is empty: it has neither bodies nor emitters",
            )
            .help("add a [[bodies]] table with a material and a shape"));
        }
        self.drains_and_forces(&mut parts)?;
        Ok(parts.into_iter().map(|p| p.system).collect())
    }

    fn filling<const D: usize>(&self) -> Checked<Filling> {
        let spec = &self.spec;
        let per_cell = self.per_cell::<D>()?;
        let seed = spec
            .numerics
            .seed
            .as_ref()
            .map_or(Ok(0), |s| s.count("seed", 0, 1 << 53))?;
        let method = spec.numerics.sampling.as_ref();
        let method = method.map_or(Method::Jittered, |c| c.get_ref().0);
        Ok(Filling {
            method,
            per_cell,
            seed,
        })
    }

    /// Particles in a full cell.
    pub(crate) fn per_cell<const D: usize>(&self) -> Checked<usize> {
        match &self.spec.numerics.particles_per_cell {
            None => Ok(1 << D),
            Some(n) => Ok(n.count("particles_per_cell", 1, 1000)? as usize),
        }
    }

    /// The material of that name, and where it is named.
    pub(super) fn material(
        &self,
        name: &Spanned<String>,
    ) -> Checked<(&Spanned<String>, &Material)> {
        let materials = &self.spec.materials;
        let found = materials.iter().find(|(n, _)| *n == name);
        found.ok_or_else(|| {
            let known = materials.keys().map(|k| k.get_ref().as_str());
            Problem::unknown(name.span(), "material", name.get_ref(), known)
        })
    }
    /// The set that a body or emitter belongs to, made if it is the first of its name.
    fn part<'a, T: Real, const D: usize>(
        &self,
        parts: &'a mut Vec<Part<T, D>>,
        name: &Option<Spanned<String>>,
        material: &Spanned<String>,
        domain: &Domain<D>,
        options: Options,
    ) -> Checked<&'a mut Part<T, D>> {
        let word = name.as_ref().unwrap_or(material).get_ref();
        let (typed_name, typed) = self.material(material)?;
        if let Some(i) = parts.iter().position(|p| p.name == *word) {
            return Ok(&mut parts[i]);
        }
        let Made {
            density,
            color,
            matter,
        } = make::<T, D>(typed_name, typed)?;
        let system = Mpm::new(word.clone(), domain, matter, options)
            .described(material.get_ref().clone(), color)
            .of_density(density);
        parts.push(Part {
            name: word.clone(),
            material: material.get_ref().clone(),
            density,
            system,
        });
        let last = parts.len() - 1;
        Ok(&mut parts[last])
    }

    /// The particles of a body.
    fn seeds<const D: usize>(
        &self,
        body: &Spanned<Body>,
        typed: &spec::Shape,
        domain: &Domain<D>,
        filling: &Filling,
        density: f64,
    ) -> Checked<Vec<Seed<D>>> {
        let shape = typed.make::<D>(&self.files)?;
        let middle = shape.bounds().map_or(Vector::zero(), |b| b.center());
        let launch = Launch::read(body.get_ref(), body.span(), middle)?;
        let Filling {
            method,
            per_cell,
            seed,
        } = *filling;
        affordable(&*shape, domain.dx, per_cell).map_err(|n| {
            let what = format!("this body would need {n:.1e} particles, more than {MOST:.0e}");
            Problem::new(typed.span.clone(), what).help("use a coarser `resolution`")
        })?;
        let samples =
            fill(&*shape, method, domain.dx, per_cell, seed).map_err(refused(&typed.span))?;
        let h = 1e-3 * domain.dx;
        let seeds = samples.into_iter().map(|s| {
            let mut seed = Seed::new(s.x, s.volume, density);
            (seed.v, seed.C) = launch.at(&s.x, h)?;
            Ok(seed)
        });
        seeds.collect()
    }

    pub(super) fn stream<const D: usize>(
        &self,
        e: &Emitter,
        dx: f64,
        per_cell: usize,
        seed: u64,
    ) -> Checked<Stream<D>> {
        let shape = e.shape.make::<D>(&self.files)?;
        let [start, stop] = span(&e.start, &e.stop)?;
        let made = match &e.rate {
            None => Stream::new(
                shape,
                e.velocity.vector(SPEED)?,
                dx,
                per_cell,
                seed,
                start,
                stop,
            ),
            Some(rate) => {
                let along = e.velocity.vector(NUMBER)?;
                let rate = rate.positive("rate", flow(D))?;
                Stream::with_rate(shape, along, rate, dx, per_cell, seed, start, stop)
            }
        };
        made.map_err(refused(&e.shape.span))
    }

    fn drains_and_forces<T: Real, const D: usize>(&self, parts: &mut [Part<T, D>]) -> Checked<()> {
        for drain in &self.spec.drains {
            let d = drain.get_ref();
            let shape = d.shape.make::<D>(&self.files)?;
            let [start, stop] = span(&d.start, &d.stop)?;
            self.of_particles("drains", &d.material, &drain.span())?;
            for part in meant(parts, &d.material)? {
                let shape = shape.clone();
                part.system.add_drain(Drain { shape, start, stop });
            }
        }
        for typed in &self.spec.forces {
            let f = typed.get_ref();
            let field = force::<D>(f, typed.span())?;
            self.of_particles("forces", &f.material, &typed.span())?;
            for part in meant(parts, &f.material)? {
                part.system.add_force(field.clone());
            }
        }
        Ok(())
    }

    /// Refuses what acts on particles alone where it could be meant for a mesh, too.
    fn of_particles(
        &self,
        what: &str,
        material: &Option<Spanned<String>>,
        at: &Range<usize>,
    ) -> Checked<()> {
        let meshes = self.spec.bodies.iter().map(Spanned::get_ref);
        let mut meshes = meshes.filter(|b| part(b) != Takes::Particles);
        match material {
            None if meshes.next().is_some() => {
                let what = format!("{what} act on particles, and this scene has meshes");
                Err(Problem::new(at.clone(), what)
                    .help("say which particles by material = \"NAME\", or remove it"))
            }
            Some(m) if meshes.any(|b| b.material.as_ref() == Some(m)) => {
                let what = format!("{what} act on particles, and `{}` is a mesh", m.get_ref());
                Err(Problem::new(m.span(), what)
                    .help("give the mesh a material of its own, or remove it"))
            }
            _ => Ok(()),
        }
    }
}

/// The sets of a material, or all.
fn meant<'a, T, const D: usize>(
    parts: &'a mut [Part<T, D>],
    material: &Option<Spanned<String>>,
) -> Checked<Vec<&'a mut Part<T, D>>> {
    let Some(m) = material else {
        return Ok(parts.iter_mut().collect());
    };
    if !parts.iter().any(|p| p.material == *m.get_ref()) {
        let known: Vec<String> = parts.iter().map(|p| p.material.clone()).collect();
        let known = known.iter().map(String::as_str);
        return Err(Problem::unknown(m.span(), "material", m.get_ref(), known));
    }
    Ok(parts
        .iter_mut()
        .filter(|p| p.material == *m.get_ref())
        .collect())
}

/// Most particles of one body.
const MOST: f64 = 3e8;

/// Refuses a body that would not fit in memory, with the number of particles it would need.
fn affordable<const D: usize>(shape: &dyn Shape<D>, dx: f64, per_cell: usize) -> Result<(), f64> {
    let Some(bounds) = shape.bounds() else {
        return Ok(());
    };
    let count = |volume: f64| volume / dx.powi(D as i32) * per_cell as f64;
    // The box is more than the shape; the shape itself is looked at only when that is too much.
    if count(bounds.size().product()) <= MOST {
        return Ok(());
    }
    let coarse = bounds.size().max_abs() / 64.0;
    let needed = volume(shape, coarse.max(dx)).map_or(f64::INFINITY, count);
    if needed <= MOST { Ok(()) } else { Err(needed) }
}

/// From when until when something is open \[s\].
pub(super) fn span(start: &Option<Scalar>, stop: &Option<Scalar>) -> Checked<[f64; 2]> {
    let end = f64::INFINITY;
    let read = |s: &Option<Scalar>, what, least, default| {
        s.as_ref()
            .map_or(Ok(default), |s| s.within(what, TIME, least, end))
    };
    let start = read(start, "start", 0.0, 0.0)?;
    Ok([start, read(stop, "stop", start, end)?])
}

/// The collider that holds every point of a body, if one does.
pub(super) fn buried<'a, const D: usize>(
    places: &[Vector<f64, D>],
    colliders: &'a [Collider<D>],
) -> Option<&'a str> {
    let inside = |c: &&Collider<D>| places.iter().all(|x| c.obstacle.distance(x, 0.0) < 0.0);
    colliders.iter().find(inside).map(|c| c.name.as_str())
}

/// Volume (area) per time.
fn flow(dimension: usize) -> Measure {
    match dimension {
        2 => Measure {
            name: "a rate of area",
            dimension: Dimension::new(0, 2, -1, 0),
            example: "0.1 m^2/s",
        },
        _ => Measure {
            name: "a rate of volume",
            dimension: Dimension::new(0, 3, -1, 0),
            example: "2 L/s",
        },
    }
}
