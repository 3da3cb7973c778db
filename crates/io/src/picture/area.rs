//! Sets with faces in two dimensions: closed lines are areas with an outline, open ones are threads.

use std::collections::HashMap;

use rayon::prelude::*;
use thixo_core::PointSet;

use super::body::has_faces;
use super::color::mapped;
use super::image::{Canvas, linear};
use super::overlay::unit;
use super::paint::Frame;
use super::shade;
use super::vec::{V, mix, scale};

/// Lines of samples to a pixel.
const LINES: usize = 4;

/// Lines in pixels, and the colour of every point of the set.
struct Area {
    /// From and to.
    segments: Vec<[[f32; 2]; 2]>,
    /// Numbers of their ends.
    ends: Vec<[usize; 2]>,
    color: Vec<V>,
    closed: bool,
}

impl Frame<'_> {
    /// Draws all sets of lines over a picture.
    pub fn areas(&self, canvas: &mut Canvas, sets: &[PointSet]) {
        let thick = 1.3 * unit(canvas.height);
        for set in sets.iter().filter(|s| has_faces(s)) {
            let area = self.area(set);
            if area.closed {
                let near = Near::new(self, set);
                let paint = |x: f32, y: f32| self.even(near.color([x, y]));
                area.fill(canvas, &paint);
            }
            let dark = if area.closed { 0.45 } else { 1.0 };
            let thick = if area.closed {
                0.5 * thick
            } else {
                1.5 * thick
            };
            for (s, e) in area.segments.iter().zip(&area.ends) {
                let ends = e.map(|k| scale(self.even(area.color[k]), dark));
                stroke(canvas, *s, thick, ends);
            }
        }
    }

    fn area(&self, set: &PointSet) -> Area {
        let place = |k: usize| {
            let [x, y, _] = set.position[k];
            self.lens.project(self.lens.view([x, y, 0.0]))
        };
        let n = set.position.len();
        let whole = |f: &[u32; 3]| {
            let ends = [f[0] as usize, f[1] as usize];
            let sound = |k: usize| k < n && place(k).iter().all(|c| c.is_finite());
            ends.iter().all(|&k| sound(k)).then_some(ends)
        };
        let ends: Vec<[usize; 2]> = set.faces.iter().filter_map(whole).collect();
        let mut balance = vec![0i32; n];
        for [a, b] in &ends {
            balance[*a] += 1;
            balance[*b] -= 1;
        }
        Area {
            segments: ends.iter().map(|e| e.map(place)).collect(),
            ends,
            color: self.view.coloring.colors(set, self.range),
            closed: balance.iter().all(|b| *b == 0),
        }
    }

    /// The colour of an even area that looks at the eye.
    fn even(&self, albedo: V) -> V {
        let eye = [0.0, 0.0, -1.0];
        let lit = shade::matte(&self.lamp().0, albedo, eye, eye, [1.0, 1.0]);
        mix(albedo, lit, 0.6)
    }
}

impl Area {
    /// Paints what the lines go round.
    fn fill(&self, canvas: &mut Canvas, paint: &(dyn Fn(f32, f32) -> V + Sync)) {
        let width = canvas.width;
        let rows = canvas.pixels.par_chunks_mut(width).enumerate();
        rows.for_each(|(y, row)| {
            let mut cover = vec![0.0f32; width];
            for line in 0..LINES {
                let py = y as f32 + (line as f32 + 0.5) / LINES as f32;
                for [from, to] in self.spans(py) {
                    let first = from.max(0.0) as usize;
                    let last = (to.max(0.0).ceil() as usize).min(width);
                    for (x, c) in cover.iter_mut().enumerate().take(last).skip(first) {
                        let inside = to.min(x as f32 + 1.0) - from.max(x as f32);
                        *c += inside.max(0.0) / LINES as f32;
                    }
                }
            }
            for (x, (out, c)) in row.iter_mut().zip(cover).enumerate() {
                if c > 0.0 {
                    let color = paint(x as f32 + 0.5, y as f32 + 0.5);
                    *out = mix(*out, color, c.min(1.0));
                }
            }
        });
    }

    /// The parts of a row that are inside: where lines go round an uneven number of times or more.
    fn spans(&self, y: f32) -> Vec<[f32; 2]> {
        let crossing = |s: &[[f32; 2]; 2]| {
            let [a, b] = *s;
            ((a[1] <= y) != (b[1] <= y)).then(|| {
                let x = a[0] + (b[0] - a[0]) * (y - a[1]) / (b[1] - a[1]);
                (x, if a[1] < b[1] { 1 } else { -1 })
            })
        };
        let mut all: Vec<(f32, i32)> = self.segments.iter().filter_map(crossing).collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let (mut turns, mut from, mut spans) = (0, 0.0, Vec::new());
        for (x, turn) in all {
            if turns == 0 {
                from = x;
            }
            turns += turn;
            if turns == 0 {
                spans.push([from, x]);
            }
        }
        spans
    }
}

/// A line with round ends, `thick` to each side, from one colour to another.
fn stroke(canvas: &mut Canvas, [a, b]: [[f32; 2]; 2], thick: f32, ends: [V; 2]) {
    let far = thick + 1.0;
    let range = |lo: f32, hi: f32, n: usize| {
        let from = (lo - far).max(0.0) as i64;
        from..((hi + far).ceil().clamp(0.0, n as f32) as i64)
    };
    let along = [b[0] - a[0], b[1] - a[1]];
    let length2 = along[0] * along[0] + along[1] * along[1];
    for y in range(a[1].min(b[1]), a[1].max(b[1]), canvas.height) {
        for x in range(a[0].min(b[0]), a[0].max(b[0]), canvas.width) {
            let p = [x as f32 + 0.5 - a[0], y as f32 + 0.5 - a[1]];
            let t = (p[0] * along[0] + p[1] * along[1]) / length2.max(1e-12);
            let t = t.clamp(0.0, 1.0);
            let off = (p[0] - t * along[0]).hypot(p[1] - t * along[1]);
            canvas.blend(x, y, mix(ends[0], ends[1], t), thick + 0.5 - off);
        }
    }
}

/// Colours between the points of a set: the mean of those near, the nearer the more.
struct Near<'a> {
    plain: V,
    /// A value and a place in pixels.
    points: Vec<(f32, [f32; 2])>,
    boxes: HashMap<[i32; 2], Vec<u32>>,
    side: f32,
    range: &'a [f32; 2],
}

impl<'a> Near<'a> {
    fn new(frame: &'a Frame, set: &PointSet) -> Self {
        let values = frame.view.coloring.values(set);
        let place = |x: &[f64; 3]| frame.lens.project(frame.lens.view([x[0], x[1], 0.0]));
        let points = values.iter().copied().zip(set.position.iter().map(place));
        let points: Vec<_> = points
            .filter(|p| p.1.iter().all(|c| c.is_finite()))
            .collect();
        let side = (frame.lens.focal * rest(set)).max(1.0);
        let mut boxes: HashMap<[i32; 2], Vec<u32>> = HashMap::new();
        for (k, (_, p)) in points.iter().enumerate() {
            let key = p.map(|c| (c / side).floor() as i32);
            boxes.entry(key).or_default().push(k as u32);
        }
        Self {
            plain: set.color.map(|c| linear(c.clamp(0.0, 1.0))),
            points,
            boxes,
            side,
            range: &frame.range,
        }
    }

    fn color(&self, p: [f32; 2]) -> V {
        if self.points.is_empty() {
            return self.plain;
        }
        let middle = p.map(|c| (c / self.side).floor() as i32);
        // Farther out only where matter is stretched so far that nothing is near.
        for reach in [1, 2, 4, 8] {
            let radius = reach as f32 * self.side;
            let (mut sum, mut weight) = (0.0, 0.0);
            for i in -reach..=reach {
                for j in -reach..=reach {
                    let key = [middle[0] + i, middle[1] + j];
                    for &k in self.boxes.get(&key).into_iter().flatten() {
                        let (value, x) = self.points[k as usize];
                        let d = (x[0] - p[0]).hypot(x[1] - p[1]) / radius;
                        if d < 1.0 {
                            let w = (1.0 - d) * (1.0 - d) / (d * d + 1e-3);
                            sum += w * value;
                            weight += w;
                        }
                    }
                }
            }
            if weight > 0.0 {
                return mapped(sum / weight, *self.range);
            }
        }
        self.plain
    }
}

/// How far points may be apart \[m\]: twice their spacing at rest or, if that is not known, twice what
/// an even spread over their box would have.
fn rest(set: &PointSet) -> f32 {
    if set.spacing > 0.0 {
        return 2.0 * set.spacing as f32;
    }
    let end = |a: usize, pick: fn(f64, f64) -> f64, from: f64| {
        set.position.iter().map(|x| x[a]).fold(from, pick)
    };
    let side = |a| end(a, f64::max, f64::MIN) - end(a, f64::min, f64::MAX);
    2.0 * (side(0) * side(1) / set.position.len().max(1) as f64)
        .abs()
        .sqrt() as f32
}
