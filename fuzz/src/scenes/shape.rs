//! Random shapes.

use super::Frame;
use crate::rng::Rng;

/// A vector as TOML.
pub(crate) fn vector(v: &[f64]) -> String {
    let parts: Vec<String> = v.iter().map(|x| format!("{x:.5}")).collect();
    format!("[{}]", parts.join(", "))
}

/// A shape about the size of a body, at a place.
pub(crate) fn body(f: &Frame, rng: &mut Rng, at: &[f64]) -> String {
    let inner = simple(f, rng, 0.5 * f.size);
    let figure = match rng.below(8) {
        0 => format!("union = [{{ {inner} }}, {}]", moved(f, rng, 0.3)),
        1 => {
            let ball = format!("{{ sphere = {{ radius = {:.5} }} }}", 0.45 * f.size);
            format!("intersection = [{{ {inner} }}, {ball}]")
        }
        2 => format!("difference = [{{ {inner} }}, {}]", moved(f, rng, 0.2)),
        3 => {
            // Not thinner than two cells.
            let thick = (0.2 * f.size).max(2.0 * f.dx);
            format!("shell = {{ of = {{ {inner} }}, thickness = {thick:.5} }}")
        }
        _ => inner,
    };
    let turn = match (f.d, rng.chance(0.5)) {
        (_, false) => String::new(),
        (2, _) => format!(", rotate = {:.3}", rng.between(-3.0, 3.0)),
        _ => {
            let w: Vec<f64> = (0..3).map(|_| rng.between(-2.0, 2.0)).collect();
            format!(", rotate = {}", vector(&w))
        }
    };
    format!("{{ {figure}, translate = {}{turn} }}", vector(at))
}

/// A smaller shape somewhere near the middle.
fn moved(f: &Frame, rng: &mut Rng, share: f64) -> String {
    let inner = simple(f, rng, share * f.size);
    let at: Vec<f64> = (0..f.d).map(|_| rng.between(-0.3, 0.3) * f.size).collect();
    format!("{{ {inner}, translate = {} }}", vector(&at))
}

/// A shape of half-width `r` about the origin, without its braces.
pub(crate) fn simple(f: &Frame, rng: &mut Rng, r: f64) -> String {
    let mut part = |low: f64| r * rng.between(low, 1.0);
    let (a, b, c) = (part(0.5), part(0.5), part(0.5));
    match (f.d, rng.below(5)) {
        (_, 0) => format!("sphere = {{ radius = {a:.5} }}"),
        (2, 1) => format!("box = {{ size = {} }}", vector(&[2.0 * a, 2.0 * b])),
        (2, 2) => {
            let n = 3 + rng.below(5);
            let corners: Vec<String> = (0..n)
                .map(|i| {
                    let angle = std::f64::consts::TAU * i as f64 / n as f64;
                    let far = r * rng.between(0.5, 1.0);
                    vector(&[far * angle.cos(), far * angle.sin()])
                })
                .collect();
            format!("polygon = {{ corners = [{}] }}", corners.join(", "))
        }
        (2, 3) => {
            let (from, to) = ([-0.5 * a, -0.4 * b], [0.5 * a, 0.4 * b]);
            let (from, to) = (vector(&from), vector(&to));
            format!(
                "capsule = {{ from = {from}, to = {to}, radius = {:.5} }}",
                0.5 * c
            )
        }
        (2, _) => format!(
            "box = {{ from = {}, to = {} }}",
            vector(&[-a, -b]),
            vector(&[a, c])
        ),
        (_, 1) => format!(
            "box = {{ size = {} }}",
            vector(&[2.0 * a, 2.0 * b, 2.0 * c])
        ),
        (_, 2) => format!(
            "cylinder = {{ radius = {a:.5}, height = {:.5}, axis = [1, {b:.4}, 0] }}",
            2.0 * c
        ),
        (_, 3) => format!(
            "torus = {{ radius = {:.5}, tube = {:.5}, axis = [{a:.4}, 1, 0] }}",
            0.6 * r,
            0.4 * r
        ),
        _ => {
            let (from, to) = (
                vector(&[-0.5 * a, 0.0, -0.4 * b]),
                vector(&[0.5 * a, 0.0, 0.4 * b]),
            );
            format!(
                "capsule = {{ from = {from}, to = {to}, radius = {:.5} }}",
                0.6 * c
            )
        }
    }
}
