//! Clear surfaces: water, honey. What is behind them is already painted; it is seen shifted by
//! refraction, filtered by the depth of the matter, with the sky and the sun mirrored on top.

use rayon::prelude::*;

use super::image::Canvas;
use super::light::{self, Shadow, Visible};
use super::paint::{Frame, nearest, samples};
use super::shade::{self, Lamp};
use super::splat::{Buffer, NOTHING};
use super::surface::{Depth, Skin};
use super::vec::{V, add, mix, scale};

/// 1 − 1/n of water: how far a ray is bent.
const BEND: f32 = 0.25;

/// One clear surface as it is seen.
struct Layer<'a> {
    skin: Skin<'a>,
    seen: Buffer,
    depth: Depth,
}

impl Frame<'_> {
    /// Paints clear surfaces over a picture of everything else, whose depths are `limit` (2×2
    /// samples per pixel).
    pub fn clear(&self, canvas: &mut Canvas, limit: &[f32], lamp: &Lamp, shadows: &[Shadow]) {
        let (width, height) = (canvas.width, canvas.height);
        let (w2, h2) = (2 * width, 2 * height);
        let layer = |s| {
            let skin = Skin::new(&self.fine, vec![s], &self.view.coloring, self.range);
            let seen = skin.draw(w2, h2);
            let depth = skin.depth(w2, h2, limit);
            Layer { skin, seen, depth }
        };
        let clear = self.view.surfaces.iter().filter(|s| !s.opaque());
        let layers: Vec<Layer> = clear.map(layer).collect();
        let point = |at: usize| ((at % w2) as f32 + 0.5, (at / w2) as f32 + 0.5);

        let mut visible = Visible::new(width, height);
        let rows = visible
            .depth
            .par_chunks_mut(width)
            .zip(visible.normal.par_chunks_mut(width));
        rows.enumerate().for_each(|(y, (depth, normals))| {
            for x in 0..width {
                for l in &layers {
                    let near = nearest(samples(x, y, w2), |at| l.seen.depth[at]);
                    let z = l.seen.depth[near];
                    if z < depth[x] && z < limit[near] {
                        let (px, py) = point(near);
                        let normal = l.skin.look(l.seen.index[near], px, py).normal;
                        (depth[x], normals[x]) = (z, normal);
                    }
                }
            }
        });
        // Clear matter does not shade itself.
        let solid = &shadows[..shadows.len().min(1)];
        let light = light::arriving(&visible, &self.lens, self.reach(), solid);

        let reference = 0.1 * self.bounds.diagonal() as f32;
        let behind = canvas.pixels.clone();
        let painted = Painted {
            width,
            height,
            pixels: &behind,
            limit,
        };
        let rows = canvas.pixels.par_chunks_mut(width).enumerate();
        rows.for_each(|(y, row)| {
            let mut hits: Vec<(f32, &Layer)> = Vec::new();
            for (x, out) in row.iter_mut().enumerate() {
                let eye = self.toward_eye(x, y);
                let mut sum = [0.0; 3];
                for at in samples(x, y, w2) {
                    hits.clear();
                    let seen = layers.iter().map(|l| (l.seen.depth[at], l));
                    hits.extend(seen.filter(|h| h.0 < limit[at]));
                    // Far ones first; a stable sort, so that equal depths keep their order.
                    hits.sort_by(|a, b| b.0.total_cmp(&a.0));
                    let mut color = *out;
                    for (k, (z, l)) in hits.iter().enumerate() {
                        if l.seen.index[at] == NOTHING {
                            continue;
                        }
                        let (px, py) = point(at);
                        let look = l.skin.look(l.seen.index[at], px, py);
                        let thickness = |at: usize| match l.depth.open[at] {
                            0 => l.depth.sum[at].abs(),
                            _ => reference,
                        };
                        let mut deep = thickness(at);
                        if k == 0 {
                            // Never farther than for the reference, or outlines are seen twice.
                            let far = BEND * deep.min(reference) * self.lens.scale(*z);
                            let n = look.normal;
                            let there;
                            (color, there) = painted.seen(x, y, [-far * n[0], far * n[1]], *z);
                            // Fog belongs to what is seen through it.
                            if l.seen.index[there] != NOTHING {
                                deep = thickness(there);
                            }
                        }
                        let light = light[y * width + x];
                        let body = shade::matte(lamp, look.albedo, look.normal, eye, light);
                        let through = (1.0 - look.opacity).powf(deep / reference);
                        let filter: V = look.albedo.map(|c| c + (1.0 - c) * through);
                        color = std::array::from_fn(|c| {
                            color[c] * filter[c] * through + body[c] * (1.0 - through)
                        });
                        let (part, sky) = shade::mirrored(lamp, look.normal, eye, light[1]);
                        let spark = shade::glint(lamp, look.normal, eye, light[0], look.gloss);
                        color = add(mix(color, sky, part * look.gloss), [spark; 3]);
                    }
                    sum = add(sum, color);
                }
                *out = scale(sum, 0.25);
            }
        });
    }
}

/// What was painted before, and how far away it is.
struct Painted<'a> {
    width: usize,
    height: usize,
    pixels: &'a [V],
    limit: &'a [f32],
}

impl Painted<'_> {
    /// The picture at a shifted place, or where one is if what is there stands before `z`; and the
    /// sample that it was taken at.
    fn seen(&self, x: usize, y: usize, shift: [f32; 2], z: f32) -> (V, usize) {
        let sample = |i: usize, j: usize| 4 * self.width * j + 2 * i;
        let clamp = |c: f32, n: usize| c.clamp(0.0, (n - 1) as f32);
        let (u, v) = (
            clamp(x as f32 + shift[0], self.width),
            clamp(y as f32 + shift[1], self.height),
        );
        let (i, j) = (u as usize, v as usize);
        let (s, t) = (u - i as f32, v - j as f32);
        let (right, below) = ((i + 1).min(self.width - 1), (j + 1).min(self.height - 1));
        let corners = [(i, j), (right, j), (i, below), (right, below)];
        let in_front = |&(i, j): &(usize, usize)| self.limit[sample(i, j)] < z;
        if corners.iter().any(in_front) {
            return (self.pixels[y * self.width + x], sample(x, y));
        }
        let [a, b, c, d] = corners.map(|(i, j)| self.pixels[j * self.width + i]);
        (mix(mix(a, b, s), mix(c, d, s), t), sample(i, j))
    }
}
