//! Pictures of particles, without a graphics card: shaded spheres (discs in two dimensions) with
//! soft shadows and ambient occlusion, obstacles, a ground, a legend. The same pixels for any
//! number of threads.
//!
//! In order: project, draw into a depth buffer of 2×2 samples per pixel, trace obstacles, find how
//! much of sun and sky arrives, shade every sample, average in linear light, write on it.

mod camera;
mod color;
mod image;
mod light;
mod overlay;
mod shade;
mod solid;
mod splat;
mod text;
mod vec;

use rayon::prelude::*;
use thixo_core::PointSet;

pub use camera::{Bounds, Camera, Projection};
pub use color::Coloring;
pub use image::Image;
pub use solid::{Obstacle, Shape};

use camera::Lens;
use image::{Canvas, linear};
use light::{Shadow, Surface};
use shade::Lamp;
use solid::{Hit, Scene};
use splat::{Buffer, NOTHING, Splat};
use vec::wide::{along, dot as dot_wide};
use vec::{V, add, mix, scale, unit};

/// How to look at a run.
#[derive(Clone)]
pub struct View<'a> {
    /// Pixels across.
    pub width: usize,
    /// Pixels down.
    pub height: usize,
    /// What the picture must show: the bounds of the whole run, so that nothing jumps.
    pub bounds: Bounds,
    /// The camera; fitted to `bounds` if none is given. Not used in two dimensions.
    pub camera: Option<Camera>,
    /// The direction opposite to gravity.
    pub up: [f64; 3],
    /// A ground at this height along `up` \[m\].
    pub ground: Option<f64>,
    /// Obstacles.
    pub obstacles: Vec<Obstacle<'a>>,
    /// What colours tell.
    pub coloring: Coloring,
    /// A line at the lower left.
    pub caption: String,
    /// Scales the radii of particles; 1 is a ball of a particle's volume.
    pub radius: f32,
}

impl View<'_> {
    /// A view of 1280×720 pixels on `bounds`, up being y.
    pub fn new(bounds: Bounds) -> Self {
        Self {
            width: 1280,
            height: 720,
            bounds: bounds.or_unit(),
            camera: None,
            up: [0.0, 1.0, 0.0],
            ground: None,
            obstacles: Vec::new(),
            coloring: Coloring::Material,
            caption: String::new(),
            radius: 1.0,
        }
    }
    /// The usual caption: time and number of particles.
    pub fn caption(time: f64, sets: &[PointSet]) -> String {
        let n: usize = sets.iter().map(|s| s.position.len()).sum();
        let digits = n.to_string();
        let mut grouped = String::new();
        for (k, c) in digits.chars().enumerate() {
            if k > 0 && (digits.len() - k).is_multiple_of(3) {
                grouped.push(' ');
            }
            grouped.push(c);
        }
        format!("t = {time:.3} s    {grouped} particles")
    }
}

/// Draws point sets. A set's dimension decides: if all are two-dimensional, so is the picture.
pub fn render(sets: &[PointSet], view: &View) -> Image {
    let flat = !sets.is_empty() && sets.iter().all(|s| s.dimension == 2);
    let (width, height) = (view.width.clamp(16, 16384), view.height.clamp(16, 16384));
    let range = view.coloring.range(sets);
    let balls = Balls::new(sets, view, range);
    let bounds = view.bounds.or_unit();
    let lens = if flat {
        flat_lens(view, &bounds)
    } else {
        deep_lens(view, &bounds, width, height)
    };

    let fine = lens.finer(2.0);
    let splats = splat::project(&fine, 2 * width, 2 * height, &balls.position, &balls.radius);
    let seen = splat::draw(2 * width, 2 * height, &splats);
    let frame = Frame {
        flat,
        lens,
        fine,
        bounds,
        view,
        balls: &balls,
    };
    let mut canvas = frame.paint(&seen, &splats);

    if flat {
        frame.flat_obstacles(&mut canvas);
        overlay::axes(&mut canvas, &lens, &bounds);
    }
    if let Some(title) = view.coloring.title() {
        overlay::legend(&mut canvas, &title, range);
    }
    overlay::caption(&mut canvas, &view.caption);
    canvas.finish()
}

/// All particles as balls.
struct Balls {
    position: Vec<[f64; 3]>,
    radius: Vec<f32>,
    color: Vec<V>,
}

impl Balls {
    fn new(sets: &[PointSet], view: &View, range: [f32; 2]) -> Self {
        let (mut position, mut radius, mut color) = (Vec::new(), Vec::new(), Vec::new());
        for set in sets {
            position.extend_from_slice(&set.position);
            let cell = set.cell as f32;
            let round = if set.dimension == 2 { 0.72 } else { 0.62 }; // discs close the gaps
            let of = |p: usize| {
                let volume = set.volume.get(p).copied().unwrap_or(0.0);
                let side = if set.dimension == 2 {
                    volume.sqrt()
                } else {
                    volume.cbrt()
                };
                let side = if side.is_finite() && side > 0.0 {
                    side
                } else {
                    0.5 * cell
                };
                view.radius
                    * round
                    * if cell > 0.0 {
                        side.min(1.5 * cell)
                    } else {
                        side
                    }
            };
            radius.extend((0..set.position.len()).map(of));
            color.extend(view.coloring.colors(set, range));
        }
        Self {
            position,
            radius,
            color,
        }
    }
}

fn flat_lens(view: &View, b: &Bounds) -> Lens {
    let legend = view.coloring.title().is_some();
    let [x0, y0, x1, y1] =
        overlay::plot_area(view.width, view.height, legend, !view.caption.is_empty());
    let (w, h) = (
        (b.max[0] - b.min[0]).max(1e-9),
        (b.max[1] - b.min[1]).max(1e-9),
    );
    let focal = (f64::from(x1 - x0) / w).min(f64::from(y1 - y0) / h) as f32;
    let c = b.center();
    let distance = 2.0 * b.diagonal();
    Lens {
        eye: [c[0], c[1], c[2] + distance],
        axes: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1.0]],
        center: [0.5 * (x0 + x1), 0.5 * (y0 + y1)],
        focal,
        perspective: false,
    }
}

fn deep_lens(view: &View, b: &Bounds, width: usize, height: usize) -> Lens {
    let aspect = width as f64 / height as f64;
    let camera = view
        .camera
        .unwrap_or_else(|| Camera::fit(b, view.up, 28.0, 19.0, aspect));
    Lens::new(&camera, width, height)
}

/// Everything that shading needs to know.
struct Frame<'a> {
    flat: bool,
    lens: Lens,
    fine: Lens,
    bounds: Bounds,
    view: &'a View<'a>,
    balls: &'a Balls,
}

impl Frame<'_> {
    fn paint(&self, seen: &Buffer, splats: &[Splat]) -> Canvas {
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
            let bounds = self.bounds.grown(0.25 * self.bounds.diagonal());
            let scene = Scene {
                lens: self.fine,
                bounds,
                obstacles: &view.obstacles,
                opaque_only: false,
            };
            scene.trace(seen.width, seen.height)
        };
        let hit = |at: usize| hits.get(at).copied().unwrap_or(Hit::MISS);

        // Light, once per pixel, at the nearest of its samples.
        let ground = self.ground();
        let mut surface = Surface {
            width,
            height,
            depth: vec![f32::INFINITY; width * height],
            normal: vec![[0.0, 0.0, -1.0]; width * height],
        };
        let rows = surface
            .depth
            .par_chunks_mut(width)
            .zip(surface.normal.par_chunks_mut(width));
        rows.enumerate().for_each(|(y, (depth, normals))| {
            for x in 0..width {
                let samples = samples(x, y, seen.width);
                let near = samples
                    .into_iter()
                    .min_by(|&a, &b| seen.depth[a].total_cmp(&seen.depth[b]));
                let near = near.unwrap_or(samples[0]);
                if seen.index[near] != NOTHING {
                    (depth[x], normals[x]) = (seen.depth[near], normal(near));
                }
                let h = hit(samples[0]);
                if h.z < depth[x] && view.obstacles[h.which as usize].opaque() {
                    (depth[x], normals[x]) = (h.z, h.normal());
                }
                let floor = ground_depth(&ground, &self.lens, x, y);
                if floor < depth[x] && seen.index[near] == NOTHING {
                    (depth[x], normals[x]) =
                        (floor, ground.as_ref().map_or([0.0; 3], |g| g.normal));
                }
            }
        });
        let (lamp, toward) = self.lamp();
        let shadow = (!self.flat).then(|| {
            let size = (width * 4 / 5).clamp(256, 2048) & !1;
            Shadow::new(
                &self.bounds,
                toward,
                size,
                &self.balls.position,
                &self.balls.radius,
                &view.obstacles,
            )
        });
        let largest = self.balls.radius.iter().copied().fold(0.0, f32::max);
        let reach = (0.035 * self.bounds.diagonal() as f32).max(2.5 * largest);
        let light = light::arriving(&surface, &self.lens, reach, shadow.as_ref());

        let mut canvas = Canvas::new(width, height);
        canvas
            .pixels
            .par_chunks_mut(width)
            .enumerate()
            .for_each(|(y, row)| {
                for (x, out) in row.iter_mut().enumerate() {
                    let light = light[y * width + x];
                    let mut behind = None;
                    let mut sum = [0.0; 3];
                    for at in samples(x, y, seen.width) {
                        let mut color = if seen.index[at] == NOTHING {
                            *behind.get_or_insert_with(|| self.behind(x, y, ground.as_ref(), light))
                        } else {
                            let albedo = self.balls.color[seen.index[at] as usize];
                            let lit = shade::matte(
                                &lamp,
                                albedo,
                                normal(at),
                                self.toward_eye(x, y),
                                light,
                            );
                            if self.flat {
                                mix(albedo, lit, 0.6)
                            } else {
                                lit
                            }
                        };
                        let h = hit(at);
                        if h.z < seen.depth[at] && h.z < ground_depth(&ground, &self.lens, x, y) {
                            let o = &view.obstacles[h.which as usize];
                            let albedo = o.color.map(|c| linear(c.clamp(0.0, 1.0)));
                            let over = shade::matte(
                                &lamp,
                                albedo,
                                h.normal(),
                                self.toward_eye(x, y),
                                light,
                            );
                            color = mix(color, over, o.opacity.clamp(0.0, 1.0));
                        }
                        sum = add(sum, color);
                    }
                    *out = scale(sum, 0.25);
                }
            });
        canvas
    }

    fn toward_eye(&self, x: usize, y: usize) -> V {
        if self.lens.perspective {
            unit(scale(self.lens.unproject(x as f32, y as f32, 1.0), -1.0))
        } else {
            [0.0, 0.0, -1.0]
        }
    }

    /// The sun stands behind the camera's left shoulder.
    fn lamp(&self) -> (Lamp, [f64; 3]) {
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

    fn ground(&self) -> Option<Ground> {
        let height = self.view.ground.filter(|h| !self.flat && h.is_finite())?;
        let up = vec::wide::unit(self.view.up);
        let offset = height - dot_wide(self.lens.eye, up);
        let normal = self.lens.direction(up);
        let (step, _) = overlay::nice_step(self.bounds.diagonal(), 8.0);
        let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let across: Vec<[f64; 3]> = axes
            .into_iter()
            .filter(|&a| dot_wide(a, up).abs() < 0.9)
            .collect();
        (offset < 0.0 && across.len() == 2).then(|| Ground {
            normal,
            offset: offset as f32,
            across: [across[0], across[1]],
            step,
        })
    }

    /// Ground or backdrop.
    fn behind(&self, x: usize, y: usize, ground: Option<&Ground>, light: [f32; 2]) -> V {
        if self.flat {
            return [1.0; 3];
        }
        let back = shade::backdrop(y as f32 / (self.lens.center[1] * 2.0));
        let (px, py) = (x as f32 + 0.5, y as f32 + 0.5);
        let Some((g, z)) = ground.and_then(|g| Some((g, g.depth(&self.lens, px, py)?))) else {
            return back;
        };
        let v = self.lens.unproject(px, py, z);
        let p = self.lens.world(v);
        let away = vec::wide::sub(p, self.bounds.center());
        let far = dot_wide(away, away).sqrt() / self.bounds.diagonal();
        let fade = (1.0 - (far as f32 - 0.5) / 1.1).clamp(0.0, 1.0);
        let fade = fade * fade * (3.0 - 2.0 * fade);
        let slant = -vec::dot(g.normal, unit(v));
        let pixel = f64::from(1.0 / self.lens.scale(z)) / f64::from(slant.max(0.02)).sqrt();
        let line = g.across.iter().map(|&a| {
            let s = dot_wide(p, a) / g.step;
            let d = (s - s.round()).abs() * g.step / pixel;
            (1.1 - d).clamp(0.0, 1.0) as f32
        });
        let line = line.fold(0.0, f32::max) * fade * 0.16;
        let floor = mix(back, [0.35, 0.37, 0.40], line);
        mix(back, shade::dim(floor, light), fade.max(0.25 * fade))
    }

    /// In two dimensions obstacles are see-through areas with an outline.
    fn flat_obstacles(&self, canvas: &mut Canvas) {
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

/// The ground as a plane of view space, with the directions of its grid.
struct Ground {
    normal: V,
    offset: f32,
    across: [[f64; 3]; 2],
    step: f64,
}

impl Ground {
    fn depth(&self, lens: &Lens, x: f32, y: f32) -> Option<f32> {
        solid::plane_depth(lens, x, y, self.normal, self.offset)
    }
}

fn ground_depth(ground: &Option<Ground>, lens: &Lens, x: usize, y: usize) -> f32 {
    let z = ground
        .as_ref()
        .and_then(|g| g.depth(lens, x as f32 + 0.5, y as f32 + 0.5));
    z.map_or(f32::INFINITY, |z| z * 1.0001)
}

/// The four samples of a pixel.
fn samples(x: usize, y: usize, width: usize) -> [usize; 4] {
    let at = 2 * y * width + 2 * x;
    [at, at + 1, at + width, at + width + 1]
}

#[cfg(test)]
mod tests;
