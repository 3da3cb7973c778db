//! What is written on a picture: caption, legend, axes.

use super::camera::{Bounds, Lens};
use super::image::Canvas;
use super::text::{self, Anchor};
use super::vec::V;

pub(super) const INK: V = [0.035, 0.04, 0.05];
const FAINT: V = [0.42, 0.43, 0.45];

/// The size of a unit: 1 at 720 rows, not much less on small pictures.
pub(super) fn unit(height: usize) -> f32 {
    (height as f32 / 720.0).max(0.7)
}

/// A caption at the lower left.
pub(super) fn caption(canvas: &mut Canvas, caption: &str) {
    let u = unit(canvas.height);
    let at = [22.0 * u, canvas.height as f32 - 20.0 * u];
    text::draw(canvas, caption, at, 12.0 * u, INK, Anchor::Left);
}

/// The rectangle of a two-dimensional plot: pixels left, top, right, bottom.
pub(super) fn plot_area(width: usize, height: usize, legend: f32, caption: bool) -> [f32; 4] {
    let u = unit(height);
    let right = legend.max(30.0 * u);
    let bottom = if caption { 84.0 } else { 58.0 };
    [
        70.0 * u,
        26.0 * u,
        width as f32 - right,
        height as f32 - bottom * u,
    ]
}

/// Axes in metres around the bounds of a two-dimensional picture.
pub(super) fn axes(canvas: &mut Canvas, lens: &Lens, b: &Bounds) {
    let u = unit(canvas.height);
    let corner = |p: [f64; 3]| lens.project(lens.view(p));
    let ([x0, y1], [x1, y0]) = (corner(b.min), corner(b.max));
    let line = 0.5 * u;
    for (a, c) in [
        ([x0, y0], [x1, y0]),
        ([x0, y1], [x1, y1]),
        ([x0, y0], [x0, y1]),
        ([x1, y0], [x1, y1]),
    ] {
        canvas.rectangle(
            [a[0] - line, a[1] - line],
            [c[0] + line, c[1] + line],
            FAINT,
            1.0,
        );
    }
    let size = 10.0 * u;
    for axis in [0, 1] {
        let pixels = if axis == 0 { x1 - x0 } else { y1 - y0 };
        let span = b.max[axis] - b.min[axis];
        let (step, digits) = nice_step(span, f64::from(pixels / (90.0 * u)).max(2.0));
        let all = ticks(b.min[axis], b.max[axis], step);
        let last = all.len().saturating_sub(1);
        for (k, value) in all.into_iter().enumerate() {
            let part = ((value - b.min[axis]) / span) as f32;
            let unit_name = if k == last { " m" } else { "" };
            let label = number(value, digits) + unit_name;
            if axis == 0 {
                let x = x0 + part * (x1 - x0);
                canvas.rectangle([x - line, y1], [x + line, y1 + 6.0 * u], FAINT, 1.0);
                text::draw(
                    canvas,
                    &label,
                    [x, y1 + 22.0 * u],
                    size,
                    INK,
                    Anchor::Middle,
                );
            } else {
                let y = y1 - part * (y1 - y0);
                canvas.rectangle([x0 - 6.0 * u, y - line], [x0, y + line], FAINT, 1.0);
                text::draw(
                    canvas,
                    &label,
                    [x0 - 11.0 * u, y + 0.5 * size],
                    size,
                    INK,
                    Anchor::Right,
                );
            }
        }
    }
}

/// A step of 1, 2 or 5 times a power of ten that divides `span` into about `parts`, and the
/// decimals that it needs.
pub(super) fn nice_step(span: f64, parts: f64) -> (f64, usize) {
    let rough = span / parts;
    if !(rough > 1e-30 && rough < 1e30) {
        return (1.0, 0);
    }
    let power = rough.log10().floor();
    let base = 10f64.powf(power);
    let step = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .find(|s| s * base >= 0.999 * rough)
        .unwrap_or(10.0);
    let power = if step == 10.0 { power + 1.0 } else { power };
    (step * base, (-power).max(0.0) as usize)
}

pub(super) fn ticks(lo: f64, hi: f64, step: f64) -> Vec<f64> {
    let slack = 1e-6 * step;
    let first = ((lo - slack) / step).ceil();
    let count = (((hi + slack) / step).floor() - first).clamp(-1.0, 50.0) + 1.0;
    (0..count as usize)
        .map(|k| (first + k as f64) * step)
        .collect()
}

pub(super) fn number(value: f64, digits: usize) -> String {
    let value = if value == 0.0 { 0.0 } else { value }; // no −0
    if digits > 5 || value.abs() >= 1e6 {
        format!("{value:.1e}")
    } else {
        format!("{value:.digits$}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        assert_eq!(nice_step(1.0, 5.0), (0.2, 1));
        assert_eq!(nice_step(7.0, 5.0), (2.0, 0));
        assert_eq!(nice_step(0.04, 5.0), (0.01, 2));
        assert_eq!(nice_step(f64::NAN, 5.0).0, 1.0);
        assert_eq!(ticks(0.0, 0.4, 0.1).len(), 5);
        assert!(ticks(1.0, 0.0, 0.1).is_empty());
    }
}
