//! What pictures show: bodies, nozzles, colliders, and the room between them.

use thixo_core::three;
use thixo_math::Vector;
use thixo_shape::{Bounds, Shape};

use super::collider::motion_of;
use super::gravity;
use super::kind::{Part, part};
use super::material::make;
use crate::error::{Checked, Problem};
use crate::scene::{Drawn, Scene, View};
use crate::spec::material::color;
use crate::units::{ANGLE, LENGTH, NUMBER};

/// Moments of a run at which moving colliders are looked at.
const MOMENTS: u32 = 48;

impl Scene {
    pub(super) fn viewed<const D: usize>(&self) -> Checked<View> {
        let p = &self.spec.picture;
        let bounds = match (&p.from, &p.to) {
            (Some(a), Some(b)) => Bounds::of([a.vector::<D>(LENGTH)?, b.vector(LENGTH)?]),
            (None, None) => self.extent::<D>()?,
            (Some(one), None) | (None, Some(one)) => {
                return Err(
                    Problem::new(one.span.clone(), "one corner does not make a box")
                        .help("give both `from` and `to`, or neither"),
                );
            }
        };
        let bounds = bounds.unwrap_or(Bounds {
            low: Vector::zero(),
            high: Vector::splat(1.0),
        });
        let down: Vector<f64, D> = gravity(&self.spec)?;
        let up = (-down).unit().unwrap_or_else(|| Vector::axis(1));
        let angle = |a: &Option<crate::spec::Scalar>, default: f64| {
            a.as_ref()
                .map_or(Ok(default), |a| a.value(ANGLE).map(f64::to_degrees))
        };
        if let (2, Some(a)) = (D, p.around.as_ref().or(p.above.as_ref())) {
            return Err(Problem::new(
                a.span.clone(),
                "the camera of a scene of 2 dimensions does not turn",
            )
            .help("remove `around` and `above`"));
        }
        let mut colliders = Vec::new();
        for c in &self.spec.colliders {
            let c = c.get_ref();
            colliders.push(Drawn {
                color: c.color.as_ref().map(color).transpose()?,
                opacity: c
                    .opacity
                    .as_ref()
                    .map_or(Ok(1.0), |o| o.within("opacity", NUMBER, 0.0, 1.0))?
                    as f32,
            });
        }
        Ok(View {
            low: three(&bounds.low),
            high: three(&bounds.high),
            up: three(&up),
            around: angle(&p.around, 28.0)?,
            above: angle(&p.above, 19.0)?,
            color: self.coloring::<D>()?,
            colliders,
        })
    }

    /// What colours tell: something that at least one set of particles has.
    fn coloring<const D: usize>(&self) -> Checked<String> {
        let spec = &self.spec;
        let Some(typed) = &spec.picture.color else {
            return Ok("material".into());
        };
        let mut known = vec!["material", "speed"];
        if spec.bodies.iter().any(|b| b.get_ref().cloth.is_none()) || !spec.emitters.is_empty() {
            known.extend(["density", "pressure", "stress"]);
        }
        if spec
            .bodies
            .iter()
            .any(|b| part(b.get_ref()) != Part::Particles)
        {
            known.push("body");
        }
        let bodies = spec
            .bodies
            .iter()
            .filter_map(|b| b.get_ref().material.as_ref());
        let emitters = spec.emitters.iter().map(|e| &e.get_ref().material);
        let used: Vec<&String> = bodies.chain(emitters).map(|m| m.get_ref()).collect();
        for (name, material) in &spec.materials {
            if used.contains(&name.get_ref()) {
                for &state in make::<f64, D>(name, material)?.matter.names() {
                    if !known.contains(&state) {
                        known.push(state);
                    }
                }
            }
        }
        let word = typed.get_ref();
        if known.contains(&word.as_str()) {
            return Ok(word.clone());
        }
        let span = typed.span();
        Err(Problem::unknown(span, "colouring", word, known.into_iter()))
    }

    /// The box around all that has an end, and the nearest places of what has none.
    pub(super) fn extent<const D: usize>(&self) -> Checked<Option<Bounds<D>>> {
        let spec = &self.spec;
        let join = |a: Option<Bounds<D>>, b: Option<Bounds<D>>| match (a, b) {
            (Some(a), Some(b)) => Some(a.union(&b)),
            (a, b) => a.or(b),
        };
        let mut matter = None;
        for body in &spec.bodies {
            matter = join(matter, self.bounds_of(body)?);
        }
        for emitter in &spec.emitters {
            let shape = emitter.get_ref().shape.make::<D>(&self.files)?;
            matter = join(matter, shape.bounds());
        }
        let Some(matter) = matter else {
            return Ok(None);
        };
        let mut all = Some(matter);
        let end = self.frame_time(self.frames);
        for c in &spec.colliders {
            let Some(shape) = &c.get_ref().shape else {
                continue;
            };
            let shape = shape.make::<D>(&self.files)?;
            if let (Some(bounds), Some(motion)) = (shape.bounds(), &c.get_ref().motion) {
                let motion = motion_of::<D>(motion, end, &c.span())?;
                for k in 0..=MOMENTS {
                    let pose = motion.pose(end * k as f64 / MOMENTS as f64);
                    let corners = corners(&bounds).map(|x| pose.apply(&x));
                    all = join(all, Bounds::of(corners));
                }
                continue;
            }
            let near = shape.bounds().or_else(|| {
                // What has no end counts where the matter's box is nearest to it.
                let feet = [matter.low, matter.high, matter.center()].map(|x| foot(&*shape, x));
                Bounds::of(feet)
            });
            all = join(all, near);
        }
        Ok(all)
    }
}

/// The corners of a box.
fn corners<const D: usize>(b: &Bounds<D>) -> impl Iterator<Item = Vector<f64, D>> {
    let (low, high) = (b.low, b.high);
    (0..1 << D).map(move |k| Vector::from_fn(|a| if k >> a & 1 == 0 { low[a] } else { high[a] }))
}

/// The nearest point of a surface.
fn foot<const D: usize>(shape: &dyn Shape<D>, x: Vector<f64, D>) -> Vector<f64, D> {
    (0..8).fold(x, |x, _| x - shape.normal(&x) * shape.distance(&x))
}
