//! Every sample of every pixel gets its colour.

use rayon::prelude::*;

use super::camera::{Bounds, Lens};
use super::ground::ground_depth;
use super::image::{Canvas, linear};
use super::light::{self, Shadow, Visible};
use super::shade::{self, Lamp};
use super::solid::{Hit, Scene, Shape};
use super::splat::{Buffer, NOTHING, Splat};
use super::surface::Skin;
use super::vec::wide::{along, dot as dot_wide};
use super::vec::{self, V, add, mix, scale, unit};
use super::{Balls, View};

/// Everything that shading needs to know.
pub(super) struct Frame<'a> {
    pub flat: bool,
    pub lens: Lens,
    pub fine: Lens,
    pub bounds: Bounds,
    /// The same with the matter that has left it, as far as that is near.
    pub filled: Bounds,
    pub view: &'a View<'a>,
    pub balls: &'a Balls,
    /// The range of the colour map.
    pub range: [f32; 2],
}

impl Frame<'_> {
    pub fn paint(&self, seen: &Buffer, splats: &[Splat]) -> Canvas {
        let (width, height) = (seen.width / 2, seen.height / 2);
        let view = self.view;
        let mut place = vec![0u32; self.balls.position.len()];
        splats
            .iter()
            .enumerate()
            .for_each(|(k, s)| place[s.index as usize] = k as u32);
        let normal = |at: usize| {
            let s = &splats[place[seen.index[at] as usize] as usize];
            let x = ((at % seen.width) as f32 + 0.5 - s.x) / s.pixels;
            let y = ((at / seen.width) as f32 + 0.5 - s.y) / s.pixels;
            [x, -y, -(1.0 - x * x - y * y).max(0.0).sqrt()]
        };
        let hits = if self.flat || view.obstacles.is_empty() {
            Vec::new()
        } else {
            let bounds = self.filled.grown(0.25 * self.bounds.diagonal());
            let scene = Scene {
                lens: self.fine,
                bounds,
                obstacles: &view.obstacles,
                opaque_only: false,
            };
            scene.trace(seen.width, seen.height)
        };
        let hit = |at: usize| hits.get(at).copied().unwrap_or(Hit::MISS);

        let opaque = view.surfaces.iter().filter(|s| s.opaque()).collect();
        let skin = Skin::new(&self.fine, opaque, &view.coloring, self.range);
        let faces = (!skin.is_empty()).then(|| skin.draw(seen.width, seen.height));
        let face = |at: usize| {
            let of = |f: &Buffer| (f.index[at], f.depth[at]);
            faces.as_ref().map_or((NOTHING, f32::INFINITY), of)
        };
        let look = |k: u32, at: usize| {
            let (x, y) = (at % seen.width, at / seen.width);
            skin.look(k, x as f32 + 0.5, y as f32 + 0.5)
        };

        // Light, once per pixel, at the nearest of its samples.
        let ground = self.ground();
        let mut visible = Visible::new(width, height);
        let rows = visible
            .depth
            .par_chunks_mut(width)
            .zip(visible.normal.par_chunks_mut(width));
        rows.enumerate().for_each(|(y, (depth, normals))| {
            for x in 0..width {
                let samples = samples(x, y, seen.width);
                let near = nearest(samples, |at| seen.depth[at]);
                let mut matter = seen.index[near] != NOTHING;
                if matter {
                    (depth[x], normals[x]) = (seen.depth[near], normal(near));
                }
                let near = nearest(samples, |at| face(at).1);
                let (k, z) = face(near);
                if z < depth[x] {
                    (depth[x], normals[x], matter) = (z, look(k, near).normal, true);
                }
                let h = hit(samples[0]);
                if h.z < depth[x] && view.obstacles[h.which as usize].opaque() {
                    (depth[x], normals[x]) = (h.z, h.normal());
                }
                let floor = ground_depth(&ground, &self.lens, x, y);
                if floor < depth[x] && !matter {
                    (depth[x], normals[x]) =
                        (floor, ground.as_ref().map_or([0.0; 3], |g| g.normal));
                }
            }
        });
        let (lamp, toward) = self.lamp();
        let shadows = self.shadows(toward, width);
        let reach = self.reach();
        let light = light::arriving(&visible, &self.lens, reach, &shadows);

        let mut canvas = Canvas::new(width, height);
        canvas
            .pixels
            .par_chunks_mut(width)
            .enumerate()
            .for_each(|(y, row)| {
                for (x, out) in row.iter_mut().enumerate() {
                    let light = light[y * width + x];
                    let eye = self.toward_eye(x, y);
                    let floor = ground_depth(&ground, &self.lens, x, y);
                    let mut behind = None;
                    let mut sum = [0.0; 3];
                    for at in samples(x, y, seen.width) {
                        let (k, z) = face(at);
                        let mut color = if z < seen.depth[at] {
                            shade::skin(&lamp, &look(k, at), eye, light)
                        } else if seen.index[at] == NOTHING {
                            *behind.get_or_insert_with(|| self.behind(x, y, ground.as_ref(), light))
                        } else {
                            let albedo = self.balls.color[seen.index[at] as usize];
                            let lit = shade::matte(&lamp, albedo, normal(at), eye, light);
                            if self.flat {
                                mix(albedo, lit, 0.6)
                            } else {
                                lit
                            }
                        };
                        let h = hit(at);
                        if h.z < seen.depth[at].min(z).min(floor) {
                            let o = &view.obstacles[h.which as usize];
                            let albedo = o.color.map(|c| linear(c.clamp(0.0, 1.0)));
                            let over = shade::matte(&lamp, albedo, h.normal(), eye, light);
                            color = mix(color, over, o.opacity.clamp(0.0, 1.0));
                        }
                        sum = add(sum, color);
                    }
                    *out = scale(sum, 0.25);
                }
            });
        if view.surfaces.iter().any(|s| !s.opaque()) {
            // How far one sees through clear surfaces.
            let limit = |at: usize| {
                let (x, y) = (at % seen.width, at / seen.width);
                let h = hit(at);
                let solid = h.z < f32::INFINITY && view.obstacles[h.which as usize].opaque();
                let wall = if solid { h.z } else { f32::INFINITY };
                let matter = seen.depth[at].min(face(at).1);
                let floor = ground_depth(&ground, &self.fine, x, y);
                // What is matter is drawn in front of the ground, even below it.
                wall.min(if matter.is_finite() { matter } else { floor })
            };
            let limit: Vec<f32> = (0..seen.depth.len()).into_par_iter().map(limit).collect();
            self.clear(&mut canvas, &limit, &lamp, &shadows);
        }
        canvas
    }

    /// How far occlusion reaches.
    pub fn reach(&self) -> f32 {
        let largest = self.balls.radius.iter().copied().fold(0.0, f32::max);
        (0.035 * self.bounds.diagonal() as f32).max(2.5 * largest)
    }

    /// The sun's shadows: of what is opaque, and a lighter one of what is clear.
    fn shadows(&self, toward: [f64; 3], width: usize) -> Vec<Shadow> {
        if self.flat {
            return Vec::new();
        }
        let size = (width * 4 / 5).clamp(256, 2048) & !1;
        let (solid, clear): (Vec<_>, Vec<_>) = self.view.surfaces.iter().partition(|s| s.opaque());
        let (balls, obstacles) = (self.balls, &self.view.obstacles);
        let mut all = vec![Shadow::new(
            &self.filled,
            toward,
            size,
            &balls.position,
            &balls.radius,
            obstacles,
            solid,
        )];
        if !clear.is_empty() {
            let sum: f32 = clear.iter().map(|s| s.opacity.clamp(0.0, 1.0)).sum();
            let strength = 0.25 + 0.6 * sum / clear.len() as f32;
            let mut shadow = Shadow::new(&self.filled, toward, size, &[], &[], &[], clear);
            shadow.strength = strength;
            all.push(shadow);
        }
        all
    }

    pub fn toward_eye(&self, x: usize, y: usize) -> V {
        if self.lens.perspective {
            unit(scale(self.lens.unproject(x as f32, y as f32, 1.0), -1.0))
        } else {
            [0.0, 0.0, -1.0]
        }
    }

    /// The sun stands behind the camera's left shoulder.
    pub fn lamp(&self) -> (Lamp, [f64; 3]) {
        let [right, up_seen, forward] = self.lens.axes;
        let up = if self.flat {
            up_seen
        } else {
            vec::wide::unit(self.view.up)
        };
        let level = vec::wide::unit(along(forward, up, -dot_wide(forward, up)));
        let (side, back) = if self.flat { (0.45, 1.1) } else { (0.62, 0.42) };
        let toward = along(
            along(up, right, -side),
            if self.flat { forward } else { level },
            -back,
        );
        let toward = vec::wide::unit(toward);
        (
            Lamp {
                sun: self.lens.direction(toward),
                up: self.lens.direction(up),
            },
            toward,
        )
    }

    /// In two dimensions obstacles are see-through areas with an outline.
    pub fn flat_obstacles(&self, canvas: &mut Canvas) {
        let (width, pixel) = (canvas.width, 1.0 / f64::from(self.lens.focal));
        let inside = |p: [f64; 3]| {
            (0..2).all(|a| p[a] >= self.bounds.min[a] - pixel && p[a] <= self.bounds.max[a] + pixel)
        };
        for o in &self.view.obstacles {
            let Shape::Distance(phi) = o.shape else {
                continue;
            };
            let color = o.color.map(|c| linear(c.clamp(0.0, 1.0)));
            let dark = scale(color, 0.35);
            canvas
                .pixels
                .par_chunks_mut(width)
                .enumerate()
                .for_each(|(y, row)| {
                    for (x, out) in row.iter_mut().enumerate() {
                        let (mut p, _) = self.lens.ray(x as f32 + 0.5, y as f32 + 0.5);
                        p[2] = 0.0;
                        let d = if inside(p) {
                            (phi(p) / pixel) as f32
                        } else {
                            f32::INFINITY
                        };
                        let area = (0.5 - d).clamp(0.0, 1.0);
                        let edge = (1.4 - d.abs()).clamp(0.0, 1.0);
                        if area + edge > 0.0 {
                            *out = mix(*out, color, 0.6 * o.opacity.clamp(0.0, 1.0) * area);
                            *out = mix(*out, dark, 0.8 * edge);
                        }
                    }
                });
        }
    }
}

/// The sample of least depth.
pub(super) fn nearest(samples: [usize; 4], depth: impl Fn(usize) -> f32) -> usize {
    let less = |a: usize, b: usize| if depth(b) < depth(a) { b } else { a };
    let [a, b, c, d] = samples;
    less(less(a, b), less(c, d))
}

/// The four samples of a pixel.
pub(super) fn samples(x: usize, y: usize, width: usize) -> [usize; 4] {
    let at = 2 * y * width + 2 * x;
    [at, at + 1, at + width, at + width + 1]
}
