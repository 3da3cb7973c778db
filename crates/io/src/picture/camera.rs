//! Where the picture is taken from.

use thixo_core::PointSet;

use super::vec::V;
use super::vec::wide::{W, along, cross, dot, sub, unit};

/// A box in space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Lower corner \[m\].
    pub min: [f64; 3],
    /// Upper corner \[m\].
    pub max: [f64; 3],
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            min: [f64::INFINITY; 3],
            max: [f64::NEG_INFINITY; 3],
        }
    }
}

impl Bounds {
    /// The bounds of all (finite) points of some sets.
    pub fn of(sets: &[PointSet]) -> Self {
        let mut b = Self::default();
        sets.iter()
            .flat_map(|s| &s.position)
            .for_each(|&x| b.include(x));
        b
    }
    /// Grows to hold a point; one that is not finite is ignored.
    pub fn include(&mut self, x: [f64; 3]) {
        if x.iter().all(|c| c.is_finite()) {
            for (a, &x) in x.iter().enumerate() {
                self.min[a] = self.min[a].min(x);
                self.max[a] = self.max[a].max(x);
            }
        }
    }
    /// Grows to hold other bounds.
    pub fn join(&mut self, other: &Self) {
        self.include(other.min);
        self.include(other.max);
    }
    /// The bounds, or a unit box where nothing was included.
    pub(super) fn or_unit(self) -> Self {
        let sane = (0..3).all(|a| {
            self.min[a].is_finite() && self.max[a].is_finite() && self.min[a] <= self.max[a]
        });
        if sane {
            self
        } else {
            Self {
                min: [0.0; 3],
                max: [1.0; 3],
            }
        }
    }
    /// The middle.
    pub fn center(&self) -> [f64; 3] {
        std::array::from_fn(|a| 0.5 * (self.min[a] + self.max[a]))
    }
    /// From corner to corner.
    pub fn diagonal(&self) -> f64 {
        let d = sub(self.max, self.min);
        dot(d, d).sqrt().max(1e-9)
    }
    pub(super) fn grown(&self, by: f64) -> Self {
        Self {
            min: self.min.map(|x| x - by),
            max: self.max.map(|x| x + by),
        }
    }
    pub(super) fn corners(&self) -> [W; 8] {
        std::array::from_fn(|k| {
            std::array::from_fn(|a| {
                if k >> a & 1 == 0 {
                    self.min[a]
                } else {
                    self.max[a]
                }
            })
        })
    }
}

/// How space is projected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Projection {
    /// Nearer is larger; the vertical opening angle \[degrees\].
    Perspective(f64),
    /// Parallel rays; the height of what is seen \[m\].
    Parallel(f64),
}

/// A camera.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Where it stands \[m\].
    pub eye: [f64; 3],
    /// What it looks at \[m\].
    pub target: [f64; 3],
    /// The direction that is up in the picture.
    pub up: [f64; 3],
    /// The projection.
    pub projection: Projection,
}

/// The part of the picture that a fitted box fills; the rest is a margin.
const FILL: f64 = 0.9;

impl Camera {
    /// A camera that sees all of `bounds` from a direction given by two angles \[degrees\]: around
    /// `up`, and above the horizon. `aspect` is width over height.
    pub fn fit(bounds: &Bounds, up: [f64; 3], around: f64, above: f64, aspect: f64) -> Self {
        let b = bounds.or_unit();
        let up = unit(up);
        let side = if up[2].abs() > 0.9 {
            [0.0, -1.0, 0.0]
        } else {
            [0.0, 0.0, 1.0]
        };
        let side = unit(along(side, up, -dot(side, up)));
        let other = cross(up, side);
        let (s, c) = around.to_radians().sin_cos();
        let level = along(side.map(|x| x * c), other, s);
        let (s, c) = above.to_radians().sin_cos();
        let back = along(level.map(|x| x * c), up, s);

        let angle = 32.0;
        let tan_y = f64::tan(0.5 * f64::to_radians(angle)) * FILL;
        let tan_x = tan_y * aspect;
        let mut target = b.center();
        let mut eye = target;
        for _ in 0..4 {
            let frame = frame(along(target, back, 1.0), target, up);
            let distance = b.corners().iter().fold(0.0f64, |d, &p| {
                let q = sub(p, target);
                let depth = dot(q, frame[2]);
                d.max(dot(q, frame[0]).abs() / tan_x - depth)
                    .max(dot(q, frame[1]).abs() / tan_y - depth)
            });
            eye = along(target, back, distance.max(1e-6));
            // Centre what is seen, not the box.
            for a in [0, 1] {
                let ends = b
                    .corners()
                    .map(|p| dot(sub(p, eye), frame[a]) / dot(sub(p, eye), frame[2]));
                let lo = ends.iter().copied().fold(f64::INFINITY, f64::min);
                let hi = ends.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                target = along(target, frame[a], 0.5 * (lo + hi) * distance);
            }
            eye = along(target, back, distance.max(1e-6));
        }
        Self {
            eye,
            target,
            up,
            projection: Projection::Perspective(angle),
        }
    }
}

/// Right, up and forward.
fn frame(eye: W, target: W, up: W) -> [W; 3] {
    let forward = unit(sub(target, eye));
    let mut right = cross(forward, up);
    if dot(right, right) < 1e-12 {
        right = cross(
            forward,
            if forward[0].abs() < 0.9 {
                [1.0, 0.0, 0.0]
            } else {
                [0.0, 0.0, 1.0]
            },
        );
    }
    let right = unit(right);
    [right, cross(right, forward), forward]
}

/// A camera with its pixels: the projection as arithmetic. View space is right, up, forward.
#[derive(Clone, Copy)]
pub(super) struct Lens {
    pub eye: W,
    pub axes: [W; 3],
    pub center: [f32; 2],
    /// Pixels per metre (parallel), or per unit of slope (perspective).
    pub focal: f32,
    pub perspective: bool,
}

impl Lens {
    pub fn new(camera: &Camera, width: usize, height: usize) -> Self {
        let (focal, perspective) = match camera.projection {
            Projection::Perspective(angle) => {
                let half = (0.5 * angle.clamp(1.0, 170.0)).to_radians();
                (0.5 * height as f64 / half.tan(), true)
            }
            Projection::Parallel(span) => (height as f64 / span.max(1e-12), false),
        };
        Self {
            eye: camera.eye,
            axes: frame(camera.eye, camera.target, camera.up),
            center: [0.5 * width as f32, 0.5 * height as f32],
            focal: focal as f32,
            perspective,
        }
    }
    /// The same lens with `k` times as many pixels each way.
    pub fn finer(&self, k: f32) -> Self {
        Self {
            center: self.center.map(|c| c * k),
            focal: self.focal * k,
            ..*self
        }
    }
    pub fn view(&self, p: W) -> V {
        let q = sub(p, self.eye);
        self.axes.map(|a| dot(q, a) as f32)
    }
    pub fn direction(&self, d: W) -> V {
        self.axes.map(|a| dot(d, a) as f32)
    }
    pub fn world(&self, v: V) -> W {
        let [r, u, f] = self.axes;
        along(
            along(along(self.eye, r, v[0].into()), u, v[1].into()),
            f,
            v[2].into(),
        )
    }
    /// Pixels per metre at depth `z`.
    pub fn scale(&self, z: f32) -> f32 {
        if self.perspective {
            self.focal / z
        } else {
            self.focal
        }
    }
    pub fn project(&self, v: V) -> [f32; 2] {
        let s = self.scale(v[2]);
        [self.center[0] + s * v[0], self.center[1] - s * v[1]]
    }
    pub fn unproject(&self, x: f32, y: f32, z: f32) -> V {
        let s = if self.perspective { z } else { 1.0 } / self.focal;
        [(x - self.center[0]) * s, (self.center[1] - y) * s, z]
    }
    /// The ray through a pixel, its points at depth z being origin + z · direction.
    pub fn ray(&self, x: f32, y: f32) -> (W, W) {
        let a = f64::from((x - self.center[0]) / self.focal);
        let b = f64::from((self.center[1] - y) / self.focal);
        let [r, u, f] = self.axes;
        if self.perspective {
            (self.eye, along(along(f, r, a), u, b))
        } else {
            (along(along(self.eye, r, a), u, b), f)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fitted_box_fills_the_picture_to_the_margin() {
        let boxes = [
            ([0.0; 3], [1.0; 3]),
            ([-5.0, 0.0, 2.0], [9.0, 0.5, 4.0]),
            ([100.0, -3.0, 0.0], [100.5, 6.0, 0.2]),
        ];
        for (min, max) in boxes {
            let b = Bounds { min, max };
            for (around, above, aspect) in [(28.0, 19.0, 16.0 / 9.0), (-70.0, 60.0, 0.8)] {
                let camera = Camera::fit(&b, [0.0, 1.0, 0.0], around, above, aspect);
                let (width, height) = ((1000.0 * aspect) as usize, 1000);
                let lens = Lens::new(&camera, width, height);
                let (mut low, mut high) = ([f32::MAX; 2], [f32::MIN; 2]);
                for p in b.corners() {
                    let at = lens.project(lens.view(p));
                    let size = [width as f32, height as f32];
                    for a in 0..2 {
                        let part = 2.0 * at[a] / size[a] - 1.0;
                        (low[a], high[a]) = (low[a].min(part), high[a].max(part));
                    }
                }
                let fill = (0..2).map(|a| high[a].max(-low[a])).fold(0.0, f32::max);
                assert!((fill - FILL as f32).abs() < 0.02, "{fill} {b:?} {around}");
                let aside = (0..2).map(|a| (high[a] + low[a]).abs()).fold(0.0, f32::max);
                assert!(aside < 0.03, "{aside} {b:?} {around}");
            }
        }
    }
}
