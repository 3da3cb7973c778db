//! Bodies, emitters, drains and forces: one set of particles per name.

use std::ops::Range;

use thixo_grid::Domain;
use thixo_math::{Matrix, Real, Vector};
use thixo_mpm::{Mpm, Options, Seed};
use thixo_shape::{Collider, Drain, Method, Shape, Stream, fill, volume};

use super::Start;
use super::field::Field;
use super::force::force;
use super::material::{Made, make};
use crate::error::{Checked, Problem};
use crate::scene::{Scene, plain};
use crate::shapes::refused;
use crate::spec::{Body, Emitter, Scalar, Spanned, shape::skew};
use crate::units::{Dimension, LENGTH, Measure, NUMBER, SPEED, TIME, TURNING};

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
            let part = self.part(&mut parts, &b.name, &b.material, domain, options)?;
            if start == Start::Empty {
                continue;
            }
            let seed = filling
                .seed
                .wrapping_add((i as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15));
            let seeds = self.seeds(
                b,
                body.span(),
                domain,
                &Filling { seed, ..filling },
                part.density,
            )?;
            if let Some(lost) = buried(&seeds, colliders) {
                return Err(Problem::new(
                    b.shape.span.clone(),
                    format!("this body is inside collider `{lost}`"),
                )
                .help("move one of them"));
            }
            let span = b.shape.span.clone();
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
        if parts.is_empty() {
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
        let method = spec.numerics.sampling.map_or(Method::Jittered, |c| c.0);
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

    /// The set that a body or emitter belongs to, made if it is the first of its name.
    fn part<'a, T: Real, const D: usize>(
        &self,
        parts: &'a mut Vec<Part<T, D>>,
        name: &Option<Spanned<String>>,
        material: &Spanned<String>,
        domain: &Domain<D>,
        options: Options,
    ) -> Checked<&'a mut Part<T, D>> {
        let key = name.as_ref().unwrap_or(material);
        let word = key.get_ref();
        let materials = &self.spec.materials;
        let Some((typed_name, typed)) = materials
            .iter()
            .find(|(n, _)| n.get_ref() == material.get_ref())
        else {
            let known = materials.keys().map(|k| k.get_ref().as_str());
            return Err(Problem::unknown(
                material.span(),
                "material",
                material.get_ref(),
                known,
            ));
        };
        if !plain(word) {
            return Err(
                Problem::new(key.span(), format!("`{word}` cannot name a file")).help(
                    "use letters, digits, `-`, `_` and `.`, and start with a letter or digit",
                ),
            );
        }
        if let Some(i) = parts.iter().position(|p| p.name == *word) {
            if parts[i].material != *material.get_ref() {
                let other = &parts[i].material;
                return Err(Problem::new(
                    key.span(),
                    format!("the name `{word}` is taken by matter of `{other}`"),
                )
                .help("choose another name: one name has one material"));
            }
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
        body: &Body,
        span: Range<usize>,
        domain: &Domain<D>,
        filling: &Filling,
        density: f64,
    ) -> Checked<Vec<Seed<D>>> {
        let shape = body.shape.make::<D>(&self.files)?;
        let velocity = match &body.velocity {
            None => None,
            Some(v) => Some(Field::<D>::read(v, SPEED, false)?),
        };
        let spin: Option<Matrix<f64, D>> = match &body.spin {
            None => None,
            Some(w) => Some(skew(w.axial::<D>(TURNING)?)),
        };
        let pivot = match (&body.pivot, &spin) {
            (Some(p), Some(_)) => p.vector(LENGTH)?,
            (Some(p), None) => {
                return Err(Problem::new(p.span.clone(), "a pivot without a spin")
                    .help("add `spin`, or remove `pivot`"));
            }
            _ => shape.bounds().map_or(Vector::zero(), |b| b.center()),
        };
        let Filling {
            method,
            per_cell,
            seed,
        } = *filling;
        affordable(&*shape, domain.dx, per_cell).map_err(|n| {
            let what = format!("this body would need {n:.1e} particles, more than {MOST:.0e}");
            Problem::new(body.shape.span.clone(), what).help("use a coarser `resolution`")
        })?;
        let samples =
            fill(&*shape, method, domain.dx, per_cell, seed).map_err(refused(&body.shape.span))?;
        let h = 1e-3 * domain.dx;
        let mut seeds = Vec::with_capacity(samples.len());
        for s in samples {
            let mut seed = Seed::new(s.x, s.volume, density);
            if let Some(v) = &velocity {
                seed.v = v.at(&s.x, 0.0);
                if !v.constant() {
                    seed.C = v.gradient(&s.x, h);
                }
            }
            if let Some(w) = &spin {
                seed.v += *w * (s.x - pivot);
                seed.C += *w;
            }
            if !(seed.v.finite() && seed.C.finite()) {
                let at = body.velocity.as_ref().map_or(span, |v| v.span.clone());
                return Err(
                    Problem::new(at, format!("the velocity at {:?} is not finite", s.x.0))
                        .help("change the formula so that it has a value in all of the body"),
                );
            }
            seeds.push(seed);
        }
        Ok(seeds)
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
            for part in meant(parts, &d.material)? {
                let shape = shape.clone();
                part.system.add_drain(Drain { shape, start, stop });
            }
        }
        for typed in &self.spec.forces {
            let f = typed.get_ref();
            let field = force::<D>(f, typed.span())?;
            for part in meant(parts, &f.material)? {
                part.system.add_force(field.clone());
            }
        }
        Ok(())
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

/// The collider that holds every particle of a body, if one does.
fn buried<'a, const D: usize>(seeds: &[Seed<D>], colliders: &'a [Collider<D>]) -> Option<&'a str> {
    let inside = |c: &&Collider<D>| seeds.iter().all(|s| c.obstacle.distance(&s.x, 0.0) < 0.0);
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
