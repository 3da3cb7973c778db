//! Light and colour at a point.

use super::vec::{V, add, dot, mix, scale, unit};

/// Directions in view space.
pub(super) struct Lamp {
    pub sun: V,
    pub up: V,
}

const SUN: V = [1.06, 1.02, 0.95];
const SKY: V = [0.60, 0.64, 0.70];
const BOUNCE: V = [0.36, 0.34, 0.32];

/// A matte surface with a faint sheen. `sun` and `sky` are the parts that arrive.
pub(super) fn matte(l: &Lamp, albedo: V, n: V, eye: V, [sun, sky]: [f32; 2]) -> V {
    let facing = ((dot(n, l.sun) + 0.1) / 1.1).max(0.0) * sun;
    let ambient = scale(mix(BOUNCE, SKY, 0.5 + 0.5 * dot(n, l.up)), sky);
    let half = unit(add(l.sun, eye));
    let sheen = 0.05 * sun * power_24(dot(n, half).max(0.0));
    // Light that bounced inside a crevice keeps the colour: shade towards a deeper hue, not grey.
    let rim = 0.10 * sky * (1.0 - dot(n, eye).clamp(0.0, 1.0)).powi(3);
    std::array::from_fn(|c| {
        let deep = albedo[c] * (0.55 + 0.45 * albedo[c] * (1.0 - sky) + 0.45 * sky);
        deep * (SUN[c] * facing + ambient[c]) + sheen + rim * SKY[c]
    })
}

fn power_24(x: f32) -> f32 {
    let x2 = x * x;
    let x8 = x2 * x2 * x2 * x2;
    x8 * x8 * x8
}

/// The backdrop behind everything, from the top (0) to the bottom (1) of the picture.
pub(super) fn backdrop(t: f32) -> V {
    mix([0.80, 0.83, 0.87], [0.90, 0.90, 0.895], (t * 1.6).min(1.0))
}

/// The ground where it is not lit fully.
pub(super) fn dim(color: V, [sun, sky]: [f32; 2]) -> V {
    let light = 0.22 + 0.46 * sun + 0.32 * sky;
    let cool = [0.985, 0.995, 1.02];
    let shade = (1.0 - light).clamp(0.0, 1.0);
    std::array::from_fn(|c| color[c] * light * (1.0 + (cool[c] - 1.0) * shade))
}
