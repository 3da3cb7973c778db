//! What is written on a picture: caption, legend, axes.

use super::camera::{Bounds, Lens};
use super::color::viridis;
use super::image::Canvas;
use super::text::{self, Anchor};
use super::vec::V;

const INK: V = [0.035, 0.04, 0.05];
const FAINT: V = [0.42, 0.43, 0.45];

/// The size of a unit: 1 at 720 rows.
pub(super) fn unit(height: usize) -> f32 {
    (height as f32 / 720.0).max(0.5)
}

/// A caption at the lower left.
pub(super) fn caption(canvas: &mut Canvas, caption: &str) {
    let u = unit(canvas.height);
    let at = [22.0 * u, canvas.height as f32 - 20.0 * u];
    text::draw(canvas, caption, at, 12.0 * u, INK, Anchor::Left);
}

/// A bar with the colour map at the right.
pub(super) fn legend(canvas: &mut Canvas, title: &str, [lo, hi]: [f32; 2]) {
    let u = unit(canvas.height);
    let (right, top) = (canvas.width as f32 - 24.0 * u, 64.0 * u);
    let (wide, high) = (14.0 * u, 220.0 * u);
    let left = right - wide;
    text::draw(
        canvas,
        title,
        [right, top - 16.0 * u],
        11.0 * u,
        INK,
        Anchor::Right,
    );
    let slices = high.ceil() as usize;
    for k in 0..slices {
        let (a, b) = (k as f32 / slices as f32, (k + 1) as f32 / slices as f32);
        let color = viridis(1.0 - 0.5 * (a + b));
        canvas.rectangle([left, top + a * high], [right, top + b * high], color, 1.0);
    }
    let (step, digits) = nice_step(f64::from(hi - lo), 5.0);
    for value in ticks(f64::from(lo), f64::from(hi), step) {
        let y = top + high * (1.0 - ((value as f32 - lo) / (hi - lo)));
        canvas.rectangle([left - 5.0 * u, y - 0.5 * u], [left, y + 0.5 * u], INK, 0.8);
        let at = [left - 9.0 * u, y + 4.5 * u];
        text::draw(
            canvas,
            &number(value, digits),
            at,
            9.0 * u,
            INK,
            Anchor::Right,
        );
    }
}

/// The rectangle of a two-dimensional plot: pixels left, top, right, bottom.
pub(super) fn plot_area(width: usize, height: usize, legend: bool, caption: bool) -> [f32; 4] {
    let u = unit(height);
    let right = if legend { 130.0 } else { 30.0 };
    let bottom = if caption { 84.0 } else { 58.0 };
    [
        70.0 * u,
        26.0 * u,
        width as f32 - right * u,
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

fn ticks(lo: f64, hi: f64, step: f64) -> Vec<f64> {
    let slack = 1e-6 * step;
    let first = ((lo - slack) / step).ceil();
    let count = (((hi + slack) / step).floor() - first).clamp(-1.0, 50.0) + 1.0;
    (0..count as usize)
        .map(|k| (first + k as f64) * step)
        .collect()
}

fn number(value: f64, digits: usize) -> String {
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
