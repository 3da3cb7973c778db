//! Obstacles and their motion.

use std::collections::BTreeSet;
use std::f64::consts::PI;
use std::ops::Range;

use thixo_math::Vector;
use thixo_shape::{Collider, Contact, Deforming, Keys, Motion, Obstacle, Pose, Rigid, rotation_of};

use super::path;
use crate::error::{Checked, Problem};
use crate::scene::Scene;
use crate::shapes::{Files, read, refused};
use crate::spec::{self, Spanned, WordOr, shape::skew};
use crate::units::{ANGLE, LENGTH, NUMBER, SPEED, TIME, TURNING};

/// Places along each axis at which colliders are held against the seam of a period.
const SEAM: usize = 17;

impl Scene {
    /// The colliders in the order of the file.
    pub(super) fn colliders<const D: usize>(&self) -> Checked<Vec<Collider<D>>> {
        let mut names = BTreeSet::new();
        let mut made = Vec::new();
        for (i, typed) in self.spec.colliders.iter().enumerate() {
            let c = typed.get_ref();
            let name = c
                .name
                .as_ref()
                .map_or(format!("collider {}", i + 1), |n| n.get_ref().clone());
            if let (Some(n), false) = (&c.name, names.insert(name.clone())) {
                return Err(
                    Problem::new(n.span(), format!("two colliders are called `{name}`"))
                        .help("choose another name"),
                );
            }
            let obstacle = self.obstacle(typed)?;
            self.seamless(&*obstacle, &name, &typed.span())?;
            made.push(Collider {
                name,
                obstacle,
                contact: contact(c)?,
            });
        }
        Ok(made)
    }

    /// Refuses a collider that is solid on one side of the seam of a periodic axis and not on the other:
    /// what goes out there would come in inside it.
    fn seamless<const D: usize>(
        &self,
        obstacle: &dyn Obstacle<D>,
        name: &str,
        at: &Range<usize>,
    ) -> Checked<()> {
        if self.spec.periodic.is_empty() {
            return Ok(());
        }
        let domain = self.domain::<D>()?;
        let Some(all) = self.extent::<D>()? else {
            return Ok(());
        };
        let deep = 0.25 * domain.dx;
        let points = SEAM.pow(D as u32 - 1);
        for axis in 0..D {
            let Some(cells) = domain.period_cells(axis) else {
                continue;
            };
            let across = Vector::axis(axis) * (f64::from(cells) * domain.dx);
            for n in 0..points {
                let mut rest = n;
                let x = Vector::from_fn(|a| {
                    if a == axis {
                        return 0.0;
                    }
                    let part = (rest % SEAM) as f64 / (SEAM - 1) as f64;
                    rest /= SEAM;
                    all.low[a] + part * (all.high[a] - all.low[a])
                });
                let sides = [x, x + across].map(|x| obstacle.distance(&x, 0.0));
                let [low, high] = sides.map(|d| d < -deep);
                if low != high && (sides[0] - sides[1]).abs() > deep {
                    let what = format!("collider `{name}` ends at the seam of a periodic axis");
                    return Err(Problem::new(at.clone(), what).help(
                        "what goes out on one side would come in inside it: keep it away from the seam, \
                         or let it cross the whole period",
                    ));
                }
            }
        }
        Ok(())
    }

    fn obstacle<const D: usize>(
        &self,
        typed: &Spanned<spec::Collider>,
    ) -> Checked<Box<dyn Obstacle<D>>> {
        let c = typed.get_ref();
        match (&c.shape, &c.deform) {
            (Some(shape), None) => {
                let end = self.frame_time(self.frames);
                let motion = match &c.motion {
                    None => Motion::Fixed,
                    Some(m) => motion_of(m, end, &typed.span())?,
                };
                let shape_made = shape.make::<D>(&self.files)?;
                let rigid = Rigid::new(shape_made, motion).map_err(refused(&shape.span))?;
                Ok(Box::new(rigid))
            }
            (None, Some(keys)) => {
                if c.motion.is_some() {
                    return Err(
                        Problem::new(typed.span(), "a deforming collider with a motion").help(
                            "put the motion into the meshes, or use `shape` instead of `deform`",
                        ),
                    );
                }
                let cell = self.domain::<D>()?.dx;
                let deforming = deforming(keys, &self.files, cell, &typed.span())?;
                let any: Box<dyn std::any::Any> = Box::new(deforming);
                let other = |_| {
                    Problem::new(typed.span(), "meshes deform in 3 dimensions only")
                        .help("use `shape` instead of `deform`")
                };
                let same = any.downcast::<Deforming<D>>().map_err(other)?;
                Ok(same)
            }
            _ => Err(
                Problem::new(typed.span(), "a collider has either `shape` or `deform`")
                    .help("add shape = { half_space = { normal = [0, 1, 0] } } or the like"),
            ),
        }
    }
}

fn contact(c: &spec::Collider) -> Checked<Contact> {
    Ok(match &c.contact {
        WordOr::Word(contact) => *contact,
        WordOr::Table(f) => Contact::Separating {
            friction: f.friction.within("friction", NUMBER, 0.0, f64::INFINITY)?,
        },
    })
}

/// How a collider moves until `end` \[s\].
pub(super) fn motion_of<const D: usize>(
    m: &spec::Motion,
    end: f64,
    at: &Range<usize>,
) -> Checked<Motion<D>> {
    let vector =
        |v: &Option<spec::Numbers>, unit| v.as_ref().map_or(Ok(Vector::zero()), |v| v.vector(unit));
    let pivot: Vector<f64, D> = vector(&m.pivot, LENGTH)?;
    if let Some(path) = &m.path {
        let other = [
            m.velocity.is_some(),
            m.spin.is_some(),
            m.keys.is_some(),
            m.repeat.is_some(),
        ];
        if other.contains(&true) {
            return Err(Problem::new(at.clone(), "both `path` and another motion")
                .help("remove `path`, or `velocity`, `spin`, `keys` and `repeat`"));
        }
        return path::path(path, pivot, end, at);
    }
    let Some(keys) = &m.keys else {
        if let Some(repeat) = &m.repeat {
            return Err(Problem::new(repeat.span(), "`repeat` without `keys`").help("remove it"));
        }
        if let (Some(p), None) = (&m.pivot, &m.spin) {
            return Err(Problem::new(p.span.clone(), "a pivot without a spin")
                .help("add `spin`, or remove `pivot`"));
        }
        let spin = m
            .spin
            .as_ref()
            .map_or(Ok([0.0; 3]), |w| w.axial::<D>(TURNING))?;
        return Ok(Motion::Moving {
            velocity: vector(&m.velocity, SPEED)?,
            spin: skew(spin),
            pivot,
        });
    };
    if m.velocity.is_some() || m.spin.is_some() {
        return Err(Problem::new(keys.span(), "both `keys` and a steady motion")
            .help("remove `velocity` and `spin`, or `keys`"));
    }
    let turns = keys.get_ref().iter().any(|k| k.rotate.is_some());
    if let (Some(p), false) = (&m.pivot, turns) {
        return Err(
            Problem::new(p.span.clone(), "a pivot, but no key turns about it")
                .help("add `rotate` to a key, or remove `pivot`"),
        );
    }
    let (mut times, mut poses) = (Vec::new(), Vec::new());
    let mut last: Option<[f64; 3]> = None;
    for key in keys.get_ref() {
        times.push(key.time.value(TIME)?);
        let turn = key
            .rotate
            .as_ref()
            .map_or(Ok([0.0; 3]), |r| r.axial::<D>(ANGLE))?;
        // Between two keys the body turns the shorter way.
        let before = last.replace(turn).unwrap_or(turn);
        let angle = (0..3).map(|a| (turn[a] - before[a]).powi(2)).sum::<f64>();
        if let (Some(r), true) = (&key.rotate, angle.sqrt() >= PI) {
            return Err(Problem::new(
                r.span.clone(),
                "a turn of half a circle or more since the key before",
            )
            .help("add a key in between"));
        }
        let rotation = rotation_of(&skew(turn));
        let shift: Vector<f64, D> = vector(&key.translate, LENGTH)?;
        poses.push(Pose {
            rotation,
            translation: pivot - rotation * pivot + shift,
        });
    }
    let repeat = m.repeat.as_ref().is_some_and(|r| *r.get_ref());
    Ok(Motion::Keyframed(
        Keys::new(times, poses, repeat)
            .map_err(refused(&keys.span()))?
            .about(pivot),
    ))
}

fn deforming(
    keys: &[spec::DeformKey],
    files: &Files,
    cell: f64,
    span: &std::ops::Range<usize>,
) -> Checked<Deforming<3>> {
    let (mut times, mut vertices) = (Vec::new(), Vec::new());
    let mut triangles = Vec::new();
    for (i, key) in keys.iter().enumerate() {
        times.push(key.time.value(TIME)?);
        let data = read(files, &key.mesh)?;
        if i == 0 {
            triangles = data.triangles;
        } else if data.triangles != triangles {
            return Err(Problem::new(
                key.mesh.span(),
                "this mesh has other triangles than the first",
            )
            .help("all keys need the same triangles in the same order"));
        }
        vertices.push(data.vertices);
    }
    Deforming::from_meshes("deforming collider", &triangles, &times, &vertices, cell)
        .map_err(refused(span))
}
