//! Surfaces: triangle meshes with a normal at every corner, into a depth buffer.

use rayon::prelude::*;

use super::camera::Lens;
use super::image::linear;
use super::splat::{Buffer, NOTHING};
use super::vec::{V, add, cross, dot, scale, sub, unit};
use super::{Coloring, color};

/// A skin of triangles that is drawn besides particles. Triangles with a corner that does not exist
/// or is not finite are left out.
#[derive(Clone, Copy, Debug)]
pub struct Surface<'a> {
    /// Its name in the legend; none if empty.
    pub name: &'a str,
    /// Where corners are counted from \[m\]: near them, so that 32 bits tell them apart.
    pub origin: [f64; 3],
    /// Corners \[m\].
    pub positions: &'a [[f32; 3]],
    /// The normal at each corner; faces look flat where there is none.
    pub normals: &'a [[f32; 3]],
    /// Corners of each triangle, all round the same way.
    pub triangles: &'a [[u32; 3]],
    /// A value at each corner, shown by the colour map unless the view colours by material; `color`
    /// is taken where there is none.
    pub values: &'a [f32],
    /// Its colour: sRGB, 0 to 1.
    pub color: [f32; 3],
    /// 0 is matte like snow and sand, 1 is wet: highlights, and a rim that mirrors the sky.
    pub gloss: f32,
    /// 1 hides what is behind it. Less lets light through: this is the part that a layer swallows
    /// which is a tenth of the view's bounds deep; thinner layers are clearer. Best with a closed
    /// skin, which tells how deep it is.
    pub opacity: f32,
}

impl<'a> Surface<'a> {
    /// A matte grey surface.
    pub fn new(
        positions: &'a [[f32; 3]],
        normals: &'a [[f32; 3]],
        triangles: &'a [[u32; 3]],
    ) -> Self {
        Self {
            name: "",
            origin: [0.0; 3],
            positions,
            normals,
            triangles,
            values: &[],
            color: [0.72, 0.73, 0.75],
            gloss: 0.0,
            opacity: 1.0,
        }
    }
    /// Where a corner is \[m\].
    pub(super) fn place(&self, corner: &[f32; 3]) -> [f64; 3] {
        std::array::from_fn(|a| self.origin[a] + f64::from(corner[a]))
    }
    pub(super) fn opaque(&self) -> bool {
        self.opacity > 0.99
    }
}

/// A projected triangle: pixels across and down, and what is even in the picture: 1/z, or z for
/// parallel rays.
#[derive(Clone, Copy)]
struct Face {
    corners: [V; 3],
    which: u32,
    triangle: u32,
}

/// What a point of a surface looks like.
pub(super) struct Look {
    /// In view space, towards the eye.
    pub normal: V,
    /// Linear light.
    pub albedo: V,
    pub gloss: f32,
    pub opacity: f32,
}

/// Surfaces as they are seen through a lens.
pub(super) struct Skin<'a> {
    surfaces: Vec<&'a Surface<'a>>,
    faces: Vec<Face>,
    lens: Lens,
    /// The range of the colour map, if values are shown.
    range: Option<[f32; 2]>,
}

/// How deep matter is behind each sample: the sum over its skin, and how many of its sides are
/// missing (0 if closed).
pub(super) struct Depth {
    pub sum: Vec<f32>,
    pub open: Vec<i8>,
}

const ROWS: usize = 16;

impl<'a> Skin<'a> {
    pub fn new(
        lens: &Lens,
        surfaces: Vec<&'a Surface<'a>>,
        coloring: &Coloring,
        range: [f32; 2],
    ) -> Self {
        let mut faces = Vec::new();
        for (which, s) in surfaces.iter().enumerate() {
            let project = |p: &[f32; 3]| {
                let v = lens.view(s.place(p));
                if !(v[2] > 1e-6 && v[2].is_finite()) {
                    return [f32::NAN; 3];
                }
                let [x, y] = lens.project(v);
                [x, y, if lens.perspective { 1.0 / v[2] } else { v[2] }]
            };
            let corners: Vec<V> = s.positions.par_iter().map(project).collect();
            let face = |(k, t): (usize, &[u32; 3])| {
                let get = |i: usize| corners.get(t[i] as usize).copied();
                let corners = [get(0)?, get(1)?, get(2)?];
                let sane = corners.iter().flatten().all(|c| c.is_finite());
                sane.then_some(Face {
                    corners,
                    which: which as u32,
                    triangle: k as u32,
                })
            };
            faces.par_extend(s.triangles.par_iter().enumerate().filter_map(face));
        }
        Self {
            surfaces,
            faces,
            lens: *lens,
            range: coloring.title().is_some().then_some(range),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.faces.is_empty()
    }

    /// The nearest face at every pixel; at equal depth the first one.
    pub fn draw(&self, width: usize, height: usize) -> Buffer {
        let mut depth = vec![f32::INFINITY; width * height];
        let mut index = vec![NOTHING; width * height];
        let (start, list) = self.bands(width, height);
        let rows = depth
            .par_chunks_mut(ROWS * width)
            .zip(index.par_chunks_mut(ROWS * width));
        rows.enumerate().for_each(|(b, (depth, index))| {
            for &k in &list[start[b]..start[b + 1]] {
                self.scan(k, width, b * ROWS, depth.len() / width, |at, z, _| {
                    if z < depth[at] {
                        depth[at] = z;
                        index[at] = k;
                    }
                });
            }
        });
        Buffer {
            width,
            height,
            depth,
            index,
        }
    }

    /// How deep the matter inside the skin is, down to `limit`.
    pub fn depth(&self, width: usize, height: usize, limit: &[f32]) -> Depth {
        let mut sum = vec![0.0; width * height];
        let mut open = vec![0; width * height];
        let (start, list) = self.bands(width, height);
        let rows = sum
            .par_chunks_mut(ROWS * width)
            .zip(open.par_chunks_mut(ROWS * width))
            .zip(limit.par_chunks(ROWS * width));
        rows.enumerate().for_each(|(b, ((sum, open), limit))| {
            for &k in &list[start[b]..start[b + 1]] {
                self.scan(k, width, b * ROWS, sum.len() / width, |at, z, side| {
                    sum[at] += side * z.min(limit[at]);
                    open[at] += side as i8;
                });
            }
        });
        Depth { sum, open }
    }

    /// Counting sort of faces into bands of rows.
    fn bands(&self, width: usize, height: usize) -> (Vec<usize>, Vec<u32>) {
        let bands = height.div_ceil(ROWS);
        let reach = |f: &Face| {
            let [a, b, c] = f.corners;
            let (lo, hi) = (a[1].min(b[1]).min(c[1]), a[1].max(b[1]).max(c[1]));
            let (left, right) = (a[0].min(b[0]).min(c[0]), a[0].max(b[0]).max(c[0]));
            let out = hi < 0.0 || lo > height as f32 || right < 0.0 || left > width as f32;
            let band = |y: f32| ((y.max(0.0) / ROWS as f32) as usize).min(bands - 1);
            if out { 1..1 } else { band(lo)..band(hi) + 1 }
        };
        let mut start = vec![0usize; bands + 1];
        for f in &self.faces {
            reach(f).for_each(|b| start[b + 1] += 1);
        }
        (0..bands).for_each(|b| start[b + 1] += start[b]);
        let mut next = start.clone();
        let mut list = vec![0u32; start[bands]];
        for (k, f) in self.faces.iter().enumerate() {
            for b in reach(f) {
                list[next[b]] = k as u32;
                next[b] += 1;
            }
        }
        (start, list)
    }

    /// Calls `put(place in the band, depth, side)` for every pixel of a face in a band of rows.
    /// A pixel on an edge belongs to one of its two faces: both find the edge by the same sum.
    fn scan(
        &self,
        k: u32,
        width: usize,
        top: usize,
        rows: usize,
        mut put: impl FnMut(usize, f32, f32),
    ) {
        let Face { corners, .. } = self.faces[k as usize];
        let [a, b, c] = corners;
        let (u, v) = (sub(b, a), sub(c, a));
        let area = u[0] * v[1] - u[1] * v[0];
        if area == 0.0 {
            return;
        }
        let slope = [
            (u[2] * v[1] - u[1] * v[2]) / area,
            (u[0] * v[2] - u[2] * v[0]) / area,
        ];
        let ends = [
            a[2].min(b[2]).min(c[2]), // slivers must not leave the range of their corners
            a[2].max(b[2]).max(c[2]),
        ];
        let side = area.signum();
        let (lo, hi) = (a[1].min(b[1]).min(c[1]), a[1].max(b[1]).max(c[1]));
        let first = ((lo - 0.5).ceil().max(top as f32)) as usize;
        let last = ((hi + 0.5).floor().max(0.0) as usize).min(top + rows);
        for y in first..last {
            let py = y as f32 + 0.5;
            let (mut left, mut right) = (f32::INFINITY, f32::NEG_INFINITY);
            for (p, q) in [(a, b), (b, c), (c, a)] {
                if (p[1] <= py) != (q[1] <= py) {
                    let (p, q) = if p[1] <= q[1] { (p, q) } else { (q, p) };
                    let x = p[0] + (q[0] - p[0]) * ((py - p[1]) / (q[1] - p[1]));
                    left = left.min(x);
                    right = right.max(x);
                }
            }
            let from = (left - 0.5).ceil().max(0.0) as usize;
            let to = ((right - 0.5).ceil().max(0.0) as usize).min(width);
            let row = (y - top) * width;
            let even = a[2] + slope[1] * (py - a[1]);
            for x in from..to {
                let w = (even + slope[0] * (x as f32 + 0.5 - a[0])).clamp(ends[0], ends[1]);
                let z = if self.lens.perspective { 1.0 / w } else { w };
                put(row + x, z, side);
            }
        }
    }

    /// What face `k` looks like at a point of the picture.
    pub fn look(&self, k: u32, x: f32, y: f32) -> Look {
        let Face {
            corners,
            which,
            triangle,
        } = self.faces[k as usize];
        let s = self.surfaces[which as usize];
        let t = s.triangles[triangle as usize].map(|i| i as usize);
        let weight = self.weights(&corners, x, y);
        let place = t.map(|i| s.positions[i]);
        let flat = unit(cross(sub(place[1], place[0]), sub(place[2], place[0])));
        let flat = self.lens.direction(flat.map(f64::from));
        let toward = scale(self.lens.unproject(x, y, 1.0), -1.0);
        let toward = if self.lens.perspective {
            unit(toward)
        } else {
            [0.0, 0.0, -1.0]
        };
        let flat = scale(flat, dot(flat, toward).signum());
        let mut normal = flat;
        if let [Some(a), Some(b), Some(c)] = t.map(|i| s.normals.get(i)) {
            let sum = [a, b, c]
                .into_iter()
                .zip(weight)
                .fold([0.0; 3], |sum, (n, w)| add(sum, scale(*n, w)));
            let smooth = self.lens.direction(sum.map(f64::from));
            if dot(smooth, smooth) > 1e-12 && smooth.iter().all(|c| c.is_finite()) {
                let smooth = unit(smooth);
                normal = scale(smooth, if dot(smooth, flat) < 0.0 { -1.0 } else { 1.0 });
            }
        }
        // A smooth normal may look away near an outline; the surface does not.
        let away = dot(normal, toward);
        if away < 0.02 {
            normal = unit(add(normal, scale(toward, 0.02 - away)));
        }
        let value = match (self.range, t.map(|i| s.values.get(i))) {
            (Some(range), [Some(a), Some(b), Some(c)]) => Some(color::mapped(
                a * weight[0] + b * weight[1] + c * weight[2],
                range,
            )),
            _ => None,
        };
        Look {
            normal,
            albedo: value.unwrap_or(s.color.map(|c| linear(c.clamp(0.0, 1.0)))),
            gloss: s.gloss.clamp(0.0, 1.0),
            opacity: s.opacity.clamp(0.0, 1.0),
        }
    }

    /// The weights of a face's corners at a point of the picture, in space.
    fn weights(&self, [a, b, c]: &[V; 3], x: f32, y: f32) -> V {
        let p = [x, y, 0.0];
        let area =
            |a: &V, b: &V, c: &V| (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        let mut w = [area(&p, b, c), area(a, &p, c), area(a, b, &p)];
        if self.lens.perspective {
            w = [w[0] * a[2], w[1] * b[2], w[2] * c[2]];
        }
        let whole = w[0] + w[1] + w[2];
        if whole == 0.0 {
            return [1.0 / 3.0; 3];
        }
        w.map(|w| (w / whole).clamp(0.0, 1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::{Bounds, Camera};
    use crate::sample::sphere;

    fn skin<'a>(s: &'a Surface<'a>, lens: &Lens) -> Skin<'a> {
        Skin::new(lens, vec![s], &Coloring::Material, [0.0, 1.0])
    }
    fn lens() -> Lens {
        let mut b = Bounds::default();
        b.include([-1.0; 3]);
        b.include([1.0; 3]);
        Lens::new(&Camera::fit(&b, [0.0, 1.0, 0.0], 20.0, 10.0, 1.0), 128, 128)
    }

    #[test]
    fn a_sphere_has_its_depth_thickness_and_normals() {
        let (positions, normals, triangles) = sphere([0.1, 0.0, -0.1], 0.8, 96);
        let s = Surface::new(&positions, &normals, &triangles);
        let lens = lens();
        let skin = skin(&s, &lens);
        let seen = skin.draw(128, 128);
        let thick = skin.depth(128, 128, &vec![f32::INFINITY; 128 * 128]);
        let center = lens.view([0.1, 0.0, -0.1]);
        let mut hits = 0;
        for at in 0..128 * 128 {
            let (x, y) = ((at % 128) as f32 + 0.5, (at / 128) as f32 + 0.5);
            let ray = lens.unproject(x, y, 1.0);
            let (a, b) = (dot(ray, ray), dot(ray, center));
            let room = b * b - a * (dot(center, center) - 0.64);
            assert_eq!(thick.open[at], 0, "closed at {x} {y}");
            if room < 0.002 * b * b {
                continue; // outside, or a rim where the mesh and the sphere differ
            }
            hits += 1;
            let near = (b - room.sqrt()) / a;
            assert!((seen.depth[at] - near).abs() < 0.01, "{x} {y}");
            let deep = 2.0 * room.sqrt() / a;
            assert!((thick.sum[at].abs() - deep).abs() < 0.02, "{x} {y}");
            let out = unit(sub(scale(ray, near), center));
            let look = skin.look(seen.index[at], x, y);
            assert!(dot(out, look.normal) > 0.995, "{x} {y}");
        }
        assert!(hits > 3000, "{hits}");
    }

    #[test]
    fn a_hole_is_noticed() {
        let (positions, normals, mut triangles) = sphere([0.0; 3], 0.8, 32);
        triangles.retain(|t| t.iter().all(|&i| positions[i as usize][2] > 0.0)); // its front
        let s = Surface::new(&positions, &normals, &triangles);
        let lens = lens();
        let thick = skin(&s, &lens).depth(128, 128, &vec![f32::INFINITY; 128 * 128]);
        assert!(thick.open.iter().filter(|&&o| o != 0).count() > 1000);
    }
}
