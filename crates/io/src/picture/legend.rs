//! What colours mean, at the right of a picture: a bar with numbers, or names.

use super::View;
use super::color::viridis;
use super::image::{Canvas, linear};
use super::overlay::{INK, nice_step, number, ticks, unit};
use super::text::{self, Anchor};
use super::vec::V;
use thixo_core::PointSet;

const TITLE: f32 = 11.0;
const LABEL: f32 = 10.0;
/// Names beyond this number are not listed.
const MOST: usize = 16;

/// A legend.
pub(super) enum Legend {
    /// One material needs none.
    None,
    /// The colour map: title, range, and what the numbers are divided by.
    Bar(String, [f32; 2], f64),
    /// Materials and their colours.
    Names(Vec<(String, V)>),
}

impl Legend {
    pub fn new(sets: &[PointSet], view: &View, range: [f32; 2]) -> Self {
        if let Some((name, unit)) = view.coloring.title() {
            let (title, by) = scaled(&name, unit, range);
            return Self::Bar(title, range, by);
        }
        let of_set = |s: &PointSet| {
            let name = if s.material.is_empty() {
                &s.name
            } else {
                &s.material
            };
            (name.clone(), s.color)
        };
        let sets = sets.iter().filter(|s| !s.position.is_empty()).map(of_set);
        let skins = view.surfaces.iter().map(|s| (s.name.to_string(), s.color));
        let mut names: Vec<(String, [f32; 3])> = Vec::new();
        for entry in sets.chain(skins).filter(|e| !e.0.is_empty()) {
            if !names.contains(&entry) && names.len() < MOST {
                names.push(entry);
            }
        }
        if names.len() < 2 {
            return Self::None;
        }
        let paint = |(name, c): (String, [f32; 3])| (name, c.map(|c| linear(c.clamp(0.0, 1.0))));
        Self::Names(names.into_iter().map(paint).collect())
    }

    /// Pixels that it takes at the right of a picture of some height.
    pub fn width(&self, height: usize) -> f32 {
        let u = unit(height);
        let widest = |all: &mut dyn Iterator<Item = f32>| all.fold(0.0, f32::max);
        match self {
            Self::None => 0.0,
            Self::Bar(title, range, by) => {
                let labels = labels(*range, *by);
                let mut all = labels
                    .iter()
                    .map(|(_, l)| text::width(l, LABEL * u) + 24.0 * u);
                widest(&mut all).max(text::width(title, TITLE * u)) + 44.0 * u
            }
            Self::Names(names) => {
                let mut all = names
                    .iter()
                    .map(|(n, _)| text::width(n, LABEL * u) + 20.0 * u);
                widest(&mut all) + 44.0 * u
            }
        }
    }

    pub fn draw(&self, canvas: &mut Canvas) {
        let u = unit(canvas.height);
        let right = canvas.width as f32 - 24.0 * u;
        match self {
            Self::None => {}
            Self::Bar(title, [lo, hi], by) => {
                let at = [right, 48.0 * u];
                text::draw(canvas, title, at, TITLE * u, INK, Anchor::Right);
                // Whole pixels: halves would let the backdrop through.
                let (top, high) = ((64.0 * u).round(), (220.0 * u).round());
                let (left, right) = ((right - 14.0 * u).round(), right.round());
                for k in 0..high as usize {
                    let (a, y) = (k as f32, top + k as f32);
                    let color = viridis(1.0 - (a + 0.5) / high);
                    canvas.rectangle([left, y], [right, y + 1.0], color, 1.0);
                }
                for (value, label) in labels([*lo, *hi], *by) {
                    let y = top + high * (1.0 - (value as f32 - lo) / (hi - lo));
                    canvas.rectangle([left - 5.0 * u, y - 0.5 * u], [left, y + 0.5 * u], INK, 0.8);
                    let at = [left - 9.0 * u, y + 0.5 * LABEL * u];
                    text::draw(canvas, &label, at, LABEL * u, INK, Anchor::Right);
                }
            }
            Self::Names(names) => {
                let left = canvas.width as f32 - self.width(canvas.height) + 20.0 * u;
                for (k, (name, color)) in names.iter().enumerate() {
                    let y = (32.0 + 22.0 * k as f32) * u;
                    let (a, b) = ([left, y], [left + 12.0 * u, y + 12.0 * u]);
                    let rim = 0.8 * u;
                    let outer = ([a[0] - rim, a[1] - rim], [b[0] + rim, b[1] + rim]);
                    canvas.rectangle(outer.0, outer.1, INK, 0.5);
                    canvas.rectangle(a, b, *color, 1.0);
                    let at = [left + 20.0 * u, y + 11.0 * u];
                    text::draw(canvas, name, at, LABEL * u, INK, Anchor::Left);
                }
            }
        }
    }
}

/// Where numbers stand, and how they read.
fn labels([lo, hi]: [f32; 2], by: f64) -> Vec<(f64, String)> {
    let (lo, hi) = (f64::from(lo) / by, f64::from(hi) / by);
    let (step, digits) = nice_step(hi - lo, 5.0);
    let all = ticks(lo, hi, step).into_iter();
    all.map(|v| (v * by, number(v, digits))).collect()
}

/// A title with its unit, and what values are divided by, so that numbers are short.
fn scaled(name: &str, unit: &str, [lo, hi]: [f32; 2]) -> (String, f64) {
    let largest = f64::from(lo.abs().max(hi.abs()));
    let power = largest.log10().floor();
    if !(largest > 0.0 && power.is_finite()) || (-2.0..4.0).contains(&power) {
        let title = if unit.is_empty() {
            name.into()
        } else {
            format!("{name} [{unit}]")
        };
        return (title, 1.0);
    }
    let third = (power / 3.0).floor().clamp(-3.0, 3.0) as i32;
    let by = 10f64.powi(3 * third);
    let prefix = ["n", "µ", "m", "", "k", "M", "G"][(third + 3) as usize];
    let title = match unit {
        "Pa" | "J" | "N" | "W" => format!("{name} [{prefix}{unit}]"),
        "" => format!("{name} [10^{}]", 3 * third),
        _ => format!("{name} [10^{} {unit}]", 3 * third),
    };
    (title, by)
}

/// A range with round ends that holds `[lo, hi]`.
pub(super) fn rounded([lo, hi]: [f32; 2]) -> [f32; 2] {
    let (lo, hi) = (f64::from(lo), f64::from(hi));
    let (step, _) = nice_step(hi - lo, 5.0);
    let slack = 1e-4 * step; // what is a hair above a tick is at the tick
    let low = ((lo + slack) / step).floor() * step;
    let high = ((hi - slack) / step).ceil() * step;
    [low as f32, high as f32]
}

/// The unit of a column, by its name.
pub(super) fn unit_of(column: &str) -> &'static str {
    const UNITS: &[(&str, &str)] = &[
        ("pressure", "Pa"),
        ("stress", "Pa"),
        ("modulus", "Pa"),
        ("viscosity", "Pa s"),
        ("energy", "J"),
        ("temperature", "K"),
        ("density", "kg/m³"),
        ("mass", "kg"),
        ("speed", "m/s"),
        ("rate", "1/s"),
        ("height", "m"),
        ("distance", "m"),
        ("radius", "m"),
    ];
    let last = column.rsplit('_').next().unwrap_or(column);
    let known = UNITS.iter().find(|(name, _)| *name == last);
    known.map_or("", |(_, unit)| unit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::Bounds;
    use crate::sample;

    #[test]
    fn numbers_are_short_and_ends_are_round() {
        assert_eq!(
            scaled("pressure", "Pa", [0.0, 2.5e6]),
            ("pressure [MPa]".into(), 1e6)
        );
        assert_eq!(
            scaled("speed", "m/s", [0.0, 4.0]),
            ("speed [m/s]".into(), 1.0)
        );
        assert_eq!(scaled("a", "", [0.0, 4e-5]), ("a [10^-6]".into(), 1e-6));
        assert_eq!(rounded([0.013, 0.58]), [0.0, 0.6]);
        assert_eq!(rounded([-3.0, 17.0]), [-5.0, 20.0]);
        assert_eq!(rounded([0.0, 4.0]), [0.0, 4.0]);
        let read: Vec<String> = labels([0.0, 2e6], 1e6).into_iter().map(|l| l.1).collect();
        assert_eq!(read, ["0.0", "0.5", "1.0", "1.5", "2.0"]);
        assert_eq!(unit_of("mean_pressure"), "Pa");
        assert_eq!(unit_of("plastic_volume"), "");
    }

    #[test]
    fn names_are_listed_when_there_are_several() {
        let mut sets = vec![sample::block(2, 3), sample::block(2, 3)];
        let view = View::new(Bounds::of(&sets));
        let legend = |sets: &[PointSet]| Legend::new(sets, &view, [0.0, 1.0]);
        assert!(matches!(legend(&sets), Legend::None), "twice the same");
        sets[1].material = "sand".into();
        let Legend::Names(names) = legend(&sets) else {
            panic!("two materials");
        };
        assert_eq!(names.len(), 2);
        sets[1].position.clear();
        assert!(
            matches!(legend(&sets), Legend::None),
            "nothing to see of it"
        );
    }

    #[test]
    fn the_bar_shows_the_colours_of_the_map() {
        for height in [361, 720, 1001] {
            let mut canvas = Canvas::new(640, height);
            canvas.pixels.fill([1.0; 3]);
            Legend::Bar("a".into(), [0.0, 1.0], 1.0).draw(&mut canvas);
            let u = unit(height);
            let x = (640.0 - 30.0 * u) as usize;
            let y = ((64.0 + 180.0) * u) as usize;
            let (found, want) = (canvas.pixels[y * 640 + x], viridis(40.0 / 220.0));
            let off = (0..3)
                .map(|c| (found[c] - want[c]).abs())
                .fold(0.0, f32::max);
            assert!(off < 0.02, "{height}: {found:?} {want:?}");
        }
    }
}
