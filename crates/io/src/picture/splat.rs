//! Spheres into a depth buffer: bands of rows in parallel, each front to back.

use rayon::prelude::*;

use super::camera::Lens;
use super::vec::V;

/// A sphere in pixels.
#[derive(Clone, Copy)]
pub(super) struct Splat {
    pub x: f32,
    pub y: f32,
    pub z: f32,
    /// Radius in pixels and in metres.
    pub pixels: f32,
    pub radius: f32,
    pub index: u32,
}

/// Depth and what is seen there.
pub(super) struct Buffer {
    pub width: usize,
    pub height: usize,
    pub depth: Vec<f32>,
    pub index: Vec<u32>,
}

pub(super) const NOTHING: u32 = u32::MAX;
const ROWS: usize = 16;

/// Projects spheres; those behind the camera or outside the picture are dropped.
pub(super) fn project(
    lens: &Lens,
    width: usize,
    height: usize,
    points: &[[f64; 3]],
    radii: &[f32],
) -> Vec<Splat> {
    let one = |(k, (p, &radius)): (usize, (&[f64; 3], &f32))| {
        let v: V = lens.view(*p);
        if !(v[2] > 2.0 * radius && v[2].is_finite()) || radius <= 0.0 {
            return None;
        }
        let [x, y] = lens.project(v);
        let pixels = (radius * lens.scale(v[2])).max(0.75);
        let seen = x + pixels > 0.0
            && x - pixels < width as f32
            && y + pixels > 0.0
            && y - pixels < height as f32;
        seen.then_some(Splat {
            x,
            y,
            z: v[2],
            pixels,
            radius,
            index: k as u32,
        })
    };
    points
        .par_iter()
        .zip(radii)
        .enumerate()
        .filter_map(one)
        .collect()
}

/// Draws spheres; at equal depth the lower index wins, so threads and order do not matter.
pub(super) fn draw(width: usize, height: usize, splats: &[Splat]) -> Buffer {
    let mut depth = vec![f32::INFINITY; width * height];
    let mut index = vec![NOTHING; width * height];
    let bands = height.div_ceil(ROWS);
    let reach = |s: &Splat| {
        let lo = ((s.y - s.pixels) / ROWS as f32).max(0.0) as usize;
        let hi = ((s.y + s.pixels) / ROWS as f32).max(0.0) as usize;
        (lo.min(bands - 1), hi.min(bands - 1))
    };
    // Counting sort of splats into bands.
    let mut start = vec![0usize; bands + 1];
    for s in splats {
        let (lo, hi) = reach(s);
        (lo..=hi).for_each(|b| start[b + 1] += 1);
    }
    (0..bands).for_each(|b| start[b + 1] += start[b]);
    let mut next = start.clone();
    let mut list = vec![0u32; start[bands]];
    for (k, s) in splats.iter().enumerate() {
        let (lo, hi) = reach(s);
        for b in lo..=hi {
            list[next[b]] = k as u32;
            next[b] += 1;
        }
    }
    let chunks = depth
        .par_chunks_mut(ROWS * width)
        .zip(index.par_chunks_mut(ROWS * width));
    chunks.enumerate().for_each(|(b, (depth, index))| {
        let mut mine: Vec<u32> = list[start[b]..start[b + 1]].to_vec();
        // Nearest first: most of what is hidden fails the first comparison.
        mine.sort_unstable_by_key(|&k| (front(&splats[k as usize]).to_bits(), k));
        for k in mine {
            band(&splats[k as usize], b * ROWS, width, depth, index);
        }
    });
    Buffer {
        width,
        height,
        depth,
        index,
    }
}

fn front(s: &Splat) -> f32 {
    (s.z - s.radius).max(0.0)
}

fn band(s: &Splat, top: usize, width: usize, depth: &mut [f32], index: &mut [u32]) {
    let rows = depth.len() / width;
    let y0 = ((s.y - s.pixels - 0.5).ceil().max(top as f32)) as usize;
    let y1 = ((s.y + s.pixels + 0.5).floor().max(0.0) as usize).min(top + rows);
    let nearest = front(s);
    let inverse = 1.0 / s.pixels;
    for y in y0..y1 {
        let dy = (y as f32 + 0.5 - s.y) * inverse;
        let room = 1.0 - dy * dy;
        if room <= 0.0 {
            continue;
        }
        let half = room.sqrt() * s.pixels;
        let x0 = (s.x - half - 0.5).ceil().max(0.0) as usize;
        let x1 = ((s.x + half + 0.5).floor().max(0.0) as usize).min(width);
        if x0 >= x1 {
            continue;
        }
        let row = (y - top) * width;
        let cells = depth[row + x0..row + x1]
            .iter_mut()
            .zip(&mut index[row + x0..row + x1]);
        for (x, (d, i)) in (x0..x1).zip(cells) {
            if nearest > *d {
                continue;
            }
            let dx = (x as f32 + 0.5 - s.x) * inverse;
            let z = s.z - s.radius * (room - dx * dx).max(0.0).sqrt();
            if z < *d || (z == *d && s.index < *i) {
                *d = z;
                *i = s.index;
            }
        }
    }
}
