//! How much light arrives: a shadow map for the sun, screen-space occlusion for the sky.

use std::f32::consts::TAU;

use rayon::prelude::*;

use super::Coloring;
use super::camera::{Bounds, Camera, Lens, Projection};
use super::solid::{Obstacle, Scene};
use super::splat;
use super::surface::{Skin, Surface};
use super::vec::wide::{W, along};
use super::vec::{V, add, dot, scale, sub};

/// Samples of one pattern; the average over neighbours has sixteen times as many.
const TAPS: usize = 8;

/// Depths seen from the sun.
pub(super) struct Shadow {
    lens: Lens,
    size: usize,
    depth: Vec<f32>,
    blur: f32,
    bias: f32,
    /// The part of the sun that it takes away.
    pub strength: f32,
}

impl Shadow {
    pub fn new(
        bounds: &Bounds,
        toward: W,
        size: usize,
        points: &[[f64; 3]],
        radii: &[f32],
        obstacles: &[Obstacle],
        surfaces: Vec<&Surface>,
    ) -> Self {
        let reach = bounds.diagonal();
        let target = bounds.center();
        let up = if toward[1].abs() > 0.99 {
            [0.0, 0.0, 1.0]
        } else {
            [0.0, 1.0, 0.0]
        };
        let projection = Projection::Parallel(1.04 * reach);
        let eye = along(target, toward, 2.0 * reach);
        let lens = Lens::new(
            &Camera {
                eye,
                target,
                up,
                projection,
            },
            size,
            size,
        );
        let splats = splat::project(&lens, size, size, points, radii);
        let mut depth = splat::draw(size, size, &splats).depth;
        if !surfaces.is_empty() {
            let skin = Skin::new(&lens, surfaces, &Coloring::Material, [0.0, 1.0]);
            let seen = skin.draw(size, size).depth;
            depth.iter_mut().zip(seen).for_each(|(d, z)| *d = d.min(z));
        }
        if obstacles.iter().any(Obstacle::opaque) {
            let bounds = bounds.grown(0.25 * reach);
            let scene = Scene {
                lens,
                bounds,
                obstacles,
                opaque_only: true,
            };
            let hits = scene.trace(size, size);
            depth
                .iter_mut()
                .zip(hits)
                .for_each(|(d, h)| *d = d.min(h.z));
        }
        let largest = radii.iter().copied().fold(0.0, f32::max);
        let texel = 1.0 / lens.focal;
        Self {
            lens,
            size,
            depth,
            blur: 0.03 * size as f32,
            bias: 2.0 * texel + 0.6 * largest,
            strength: 1.0,
        }
    }

    /// The lit part of a soft sun at a point in space, for one of 16 sample patterns: the farther
    /// what stands in the way, the softer its edge.
    fn lit(&self, p: W, pattern: &Turn) -> f32 {
        let v = self.lens.view(p);
        let [x, y] = self.lens.project(v);
        let limit = (self.size - 1) as f32;
        let gap = |k: usize, r: f32| {
            let (s, c) = pattern.tap(k);
            let (x, y) = (x + r * c, y + r * s);
            let inside = x >= 0.0 && y >= 0.0 && x <= limit && y <= limit;
            let z = if inside {
                self.depth[y as usize * self.size + x as usize]
            } else {
                f32::INFINITY
            };
            v[2] - self.bias - z
        };
        let (mut count, mut sum) = (0.0f32, 0.0);
        for k in 0..6 {
            let g = gap(k + 4, self.blur * (k as f32 + 0.5) / 6.0);
            if g > 0.0 {
                count += 1.0;
                sum += g;
            }
        }
        if count == 0.0 {
            return 1.0;
        }
        let soft = (0.12 * self.lens.focal * sum / count).clamp(1.5, self.blur);
        let free =
            (0..TAPS).filter(|&k| gap(k, soft * ((k as f32 + 0.5) / TAPS as f32).sqrt()) <= 0.0);
        free.count() as f32 / TAPS as f32
    }
}

/// Points on a spiral, turned by a pattern's angle.
struct Turn {
    sin: f32,
    cos: f32,
    /// The pattern, 0 to 1.
    part: f32,
}

const fn spiral() -> [(f32, f32); 16] {
    // (sin, cos) by repeated rotation through the golden angle
    let (s1, c1) = (0.675_490_3_f32, -0.737_368_9_f32);
    let mut all = [(0.0, 1.0); 16];
    let mut k = 1;
    while k < 16 {
        let (s, c) = all[k - 1];
        all[k] = (s * c1 + c * s1, c * c1 - s * s1);
        k += 1;
    }
    all
}
const SPIRAL: [(f32, f32); 16] = spiral();

impl Turn {
    fn new(part: f32) -> Self {
        let (sin, cos) = (part * TAU).sin_cos();
        Self { sin, cos, part }
    }
    fn tap(&self, k: usize) -> (f32, f32) {
        let (s, c) = SPIRAL[k];
        (s * self.cos + c * self.sin, c * self.cos - s * self.sin)
    }
}

/// One surface point per pixel, in view space.
pub(super) struct Visible {
    pub width: usize,
    pub height: usize,
    pub depth: Vec<f32>,
    pub normal: Vec<V>,
}

impl Visible {
    /// Nothing in sight.
    pub fn new(width: usize, height: usize) -> Self {
        Self {
            width,
            height,
            depth: vec![f32::INFINITY; width * height],
            normal: vec![[0.0, 0.0, -1.0]; width * height],
        }
    }
}

/// The parts of sun and sky that reach each pixel.
pub(super) fn arriving(s: &Visible, lens: &Lens, reach: f32, shadows: &[Shadow]) -> Vec<[f32; 2]> {
    let (width, height) = (s.width, s.height);
    let turns = PATTERN.map(Turn::new);
    let mut raw = vec![[1.0f32; 2]; width * height];
    raw.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
        for (x, out) in row.iter_mut().enumerate() {
            let at = y * width + x;
            if !s.depth[at].is_finite() {
                continue;
            }
            let p = lens.unproject(x as f32 + 0.5, y as f32 + 0.5, s.depth[at]);
            let pattern = &turns[(y & 3) * 4 + (x & 3)];
            let sun = shadows.iter().map(|m| {
                let lifted = add(p, scale(s.normal[at], m.bias));
                1.0 - m.strength * (1.0 - m.lit(lens.world(lifted), pattern))
            });
            let sun = sun.product();
            *out = [sun, open(s, lens, [x, y], p, reach, pattern)];
        }
    });
    smooth(s, &raw, reach)
}

/// The open part of the sky over a point: 1 − Σ max(0, cos θ) (1 − d²/R²) over nearby surface.
fn open(s: &Visible, lens: &Lens, at: [usize; 2], p: V, reach: f32, pattern: &Turn) -> f32 {
    let n = s.normal[at[1] * s.width + at[0]];
    let pixels = (reach * lens.scale(p[2])).clamp(3.0, 160.0);
    let mut hidden = 0.0;
    for k in 0..TAPS {
        let (sin, cos) = pattern.tap(k);
        let r = pixels * (k as f32 + 0.5 + pattern.part) / TAPS as f32;
        let (x, y) = (at[0] as f32 + r * cos, at[1] as f32 + r * sin);
        if x < 0.0 || y < 0.0 || x >= s.width as f32 || y >= s.height as f32 {
            continue;
        }
        let (x, y) = (x as usize, y as usize);
        let z = s.depth[y * s.width + x];
        if !z.is_finite() {
            continue;
        }
        let v = sub(lens.unproject(x as f32 + 0.5, y as f32 + 0.5, z), p);
        let d2 = dot(v, v).max(1e-20);
        let cos = dot(v, n) / d2.sqrt();
        hidden += (cos - 0.08).max(0.0) * (1.0 - d2 / (2.0 * reach * reach)).max(0.0);
    }
    (1.0 - 1.7 * hidden / TAPS as f32).clamp(0.0, 1.0)
}

/// Averages over 4×4 pixels of the same surface: each holds one of the 16 patterns.
fn smooth(s: &Visible, raw: &[[f32; 2]], reach: f32) -> Vec<[f32; 2]> {
    let (width, height) = (s.width, s.height);
    let mut out = vec![[1.0f32; 2]; width * height];
    out.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
        for (x, out) in row.iter_mut().enumerate() {
            let z = s.depth[y * width + x];
            if !z.is_finite() {
                continue;
            }
            let (mut sum, mut weight) = ([0.0; 2], 0.0);
            for j in y.saturating_sub(2)..(y + 2).min(height) {
                for i in x.saturating_sub(2)..(x + 2).min(width) {
                    let k = j * width + i;
                    let w = f32::from(u8::from((s.depth[k] - z).abs() < 0.3 * reach));
                    sum[0] += w * raw[k][0];
                    sum[1] += w * raw[k][1];
                    weight += w;
                }
            }
            if weight > 0.0 {
                *out = sum.map(|c| c / weight);
            }
        }
    });
    out
}

/// An ordered dither: neighbours take patterns far apart.
const PATTERN: [f32; 16] = {
    let order = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5];
    let mut p = [0.0; 16];
    let mut k = 0;
    while k < 16 {
        p[k] = order[k] as f32 / 16.0;
        k += 1;
    }
    p
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spiral_turns_by_the_golden_angle() {
        for (k, (s, c)) in SPIRAL.iter().enumerate() {
            let (sin, cos) = (k as f32 * 2.399_963).sin_cos();
            assert!((s - sin).abs() < 1e-4 && (c - cos).abs() < 1e-4, "{k}");
        }
    }
}
