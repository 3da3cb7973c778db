//! Obstacles: signed distances are sphere-traced, triangles rasterised.

use rayon::prelude::*;

use super::camera::{Bounds, Lens};
use super::vec::wide::{W, along, cross, dot, sub, unit};
use super::vec::{self, V};

/// The shape of an obstacle.
#[derive(Clone, Copy)]
pub enum Shape<'a> {
    /// A signed distance \[m\], negative inside.
    Distance(&'a (dyn Fn([f64; 3]) -> f64 + Sync)),
    /// Triangles \[m\].
    Triangles(&'a [[[f64; 3]; 3]]),
}

/// Something that is drawn besides particles.
#[derive(Clone, Copy)]
pub struct Obstacle<'a> {
    /// Its shape.
    pub shape: Shape<'a>,
    /// Its colour: sRGB, 0 to 1.
    pub color: [f32; 3],
    /// 1 hides what is behind it, 0 is invisible. Only opaque ones cast shadows.
    pub opacity: f32,
}

impl<'a> Obstacle<'a> {
    /// An opaque grey obstacle.
    pub fn new(shape: Shape<'a>) -> Self {
        Self {
            shape,
            color: [0.72, 0.73, 0.75],
            opacity: 1.0,
        }
    }
    pub(super) fn opaque(&self) -> bool {
        self.opacity > 0.99
    }
}

/// What a ray meets first.
#[derive(Clone, Copy)]
pub(super) struct Hit {
    pub z: f32,
    normal: [i8; 3],
    pub which: u8,
}

impl Hit {
    pub const MISS: Self = Self {
        z: f32::INFINITY,
        normal: [0; 3],
        which: u8::MAX,
    };
    /// The normal in view space.
    pub fn normal(&self) -> V {
        vec::unit(self.normal.map(f32::from))
    }
}

/// All that is the same for every ray.
pub(super) struct Scene<'a> {
    pub lens: Lens,
    pub bounds: Bounds,
    pub obstacles: &'a [Obstacle<'a>],
    /// Leave out what is not opaque.
    pub opaque_only: bool,
}

impl Scene<'_> {
    /// The nearest obstacle at every pixel. Distances are traced once per 2×2 pixels, and for each
    /// pixel only where neighbours disagree. `width` and `height` are even.
    pub fn trace(&self, width: usize, height: usize) -> Vec<Hit> {
        let mut hits = vec![Hit::MISS; width * height];
        let half = width / 2;
        let mut coarse = vec![Hit::MISS; half * (height / 2)];
        coarse
            .par_chunks_mut(half)
            .enumerate()
            .for_each(|(y, row)| {
                for (x, hit) in row.iter_mut().enumerate() {
                    *hit = self.ray((2 * x) as f32 + 1.0, (2 * y) as f32 + 1.0);
                }
            });
        hits.par_chunks_mut(2 * width)
            .enumerate()
            .for_each(|(y, rows)| {
                for x in 0..half {
                    let here = coarse[y * half + x];
                    let around = [
                        (x.saturating_sub(1), y),
                        (x + 1, y),
                        (x, y.saturating_sub(1)),
                        (x, y + 1),
                    ];
                    let edge = around.iter().any(|&(i, j)| {
                        let other = coarse[j.min(height / 2 - 1) * half + i.min(half - 1)];
                        let turn: i32 = (0..3)
                            .map(|a| i32::from(here.normal[a]) * i32::from(other.normal[a]))
                            .sum();
                        here.which != other.which || (here.which != u8::MAX && turn < 15_300) // cos 0.95
                    });
                    for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                        let at = dy * width + 2 * x + dx;
                        rows[at] = if edge {
                            self.ray((2 * x + dx) as f32 + 0.5, (2 * y + dy) as f32 + 0.5)
                        } else {
                            here
                        };
                    }
                }
            });
        self.triangles(width, &mut hits);
        hits
    }

    fn shown(&self) -> impl Iterator<Item = (u8, &Obstacle<'_>)> {
        let all = self.obstacles.iter().enumerate().take(255);
        all.map(|(k, o)| (k as u8, o))
            .filter(|(_, o)| !self.opaque_only || o.opaque())
    }

    fn ray(&self, x: f32, y: f32) -> Hit {
        let (origin, direction) = self.lens.ray(x, y);
        let mut best = Hit::MISS;
        let Some((near, far)) = clip(&self.bounds, origin, direction) else {
            return best;
        };
        for (which, o) in self.shown() {
            let Shape::Distance(phi) = o.shape else {
                continue;
            };
            let end = far.min(f64::from(best.z));
            let Some(t) = self.march(phi, origin, direction, near, end) else {
                continue;
            };
            let p = along(origin, direction, t);
            let e = 1e-4 * self.bounds.diagonal();
            let slope = |a: usize| {
                let mut step = [0.0; 3];
                step[a] = e;
                phi(along(p, step, 1.0)) - phi(along(p, step, -1.0))
            };
            let n = unit([slope(0), slope(1), slope(2)]);
            best = Hit {
                z: t as f32,
                normal: pack(self.lens.direction(n)),
                which,
            };
        }
        best
    }

    /// Sphere tracing between two depths.
    fn march(
        &self,
        phi: &dyn Fn(W) -> f64,
        origin: W,
        direction: W,
        near: f64,
        far: f64,
    ) -> Option<f64> {
        let speed = 1.0 / dot(direction, direction).sqrt();
        let mut t = near;
        for _ in 0..200 {
            let d = phi(along(origin, direction, t));
            let pixel = 1.0 / f64::from(self.lens.scale(t.max(1e-9) as f32));
            if d < 0.25 * pixel {
                return Some(t);
            }
            t += d * speed;
            if t.is_nan() || t >= far {
                return None; // also when φ is not a number
            }
        }
        None
    }

    fn triangles(&self, width: usize, hits: &mut [Hit]) {
        let mut list = Vec::new();
        for (which, o) in self.shown() {
            let Shape::Triangles(all) = o.shape else {
                continue;
            };
            list.extend(all.iter().filter_map(|t| Face::new(&self.lens, t, which)));
        }
        if list.is_empty() {
            return;
        }
        hits.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
            let py = y as f32 + 0.5;
            for f in list.iter().filter(|f| f.rows[0] <= py && py <= f.rows[1]) {
                f.draw(&self.lens, py, row);
            }
        });
    }
}

/// A projected triangle.
struct Face {
    corners: [[f32; 2]; 3],
    rows: [f32; 2],
    normal: V,
    offset: f32,
    which: u8,
}

impl Face {
    fn new(lens: &Lens, t: &[W; 3], which: u8) -> Option<Self> {
        let n = cross(sub(t[1], t[0]), sub(t[2], t[0]));
        let v = t.map(|p| lens.view(p));
        if dot(n, n) <= 0.0 || v.iter().any(|v| v[2].is_nan() || v[2] <= 1e-6) {
            return None;
        }
        let normal = lens.direction(unit(n));
        let corners = v.map(|v| lens.project(v));
        let ys = corners.map(|c| c[1]);
        let rows = [ys[0].min(ys[1]).min(ys[2]), ys[0].max(ys[1]).max(ys[2])];
        Some(Self {
            corners,
            rows,
            normal,
            offset: vec::dot(normal, v[0]),
            which,
        })
    }

    fn draw(&self, lens: &Lens, y: f32, row: &mut [Hit]) {
        let (mut lo, mut hi) = (f32::INFINITY, f32::NEG_INFINITY);
        for k in 0..3 {
            let (a, b) = (self.corners[k], self.corners[(k + 1) % 3]);
            if (a[1] <= y) != (b[1] <= y) {
                let x = a[0] + (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]);
                lo = lo.min(x);
                hi = hi.max(x);
            }
        }
        let first = (lo - 0.5).ceil().max(0.0) as usize;
        let last = ((hi + 0.5).floor().max(0.0) as usize).min(row.len());
        for (x, hit) in row.iter_mut().enumerate().take(last).skip(first) {
            let Some(z) = plane_depth(lens, x as f32 + 0.5, y, self.normal, self.offset) else {
                continue;
            };
            if z < hit.z {
                let facing = if vec::dot(self.normal, lens.unproject(x as f32, y, z)) > 0.0 {
                    -1.0
                } else {
                    1.0
                };
                *hit = Hit {
                    z,
                    normal: pack(vec::scale(self.normal, facing)),
                    which: self.which,
                };
            }
        }
    }
}

/// The depth at which a pixel's ray meets the plane normal · x = offset of view space.
pub(super) fn plane_depth(lens: &Lens, x: f32, y: f32, normal: V, offset: f32) -> Option<f32> {
    let a = (x - lens.center[0]) / lens.focal;
    let b = (lens.center[1] - y) / lens.focal;
    let side = normal[0] * a + normal[1] * b;
    let z = if lens.perspective {
        offset / (side + normal[2])
    } else {
        (offset - side) / normal[2]
    };
    (z > 0.0 && z.is_finite()).then_some(z)
}

fn pack(n: V) -> [i8; 3] {
    n.map(|c| (c * 127.0).round() as i8)
}

fn clip(b: &Bounds, origin: W, direction: W) -> Option<(f64, f64)> {
    let (mut near, mut far) = (1e-6, f64::INFINITY);
    for a in 0..3 {
        if direction[a].abs() < 1e-12 {
            if origin[a] < b.min[a] || origin[a] > b.max[a] {
                return None;
            }
            continue;
        }
        let s = (b.min[a] - origin[a]) / direction[a];
        let t = (b.max[a] - origin[a]) / direction[a];
        near = f64::max(near, s.min(t));
        far = far.min(s.max(t));
    }
    (near < far).then_some((near, far))
}
