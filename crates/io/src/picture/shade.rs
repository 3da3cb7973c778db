//! Light and colour at a point.

use super::surface::Look;
use super::vec::{V, add, dot, mix, scale, sub, unit};

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
        shoulder(deep * (SUN[c] * facing + ambient[c]) + sheen + rim * SKY[c])
    })
}

/// Bends what is brighter than the picture can show, so that white matter keeps its shading.
fn shoulder(c: f32) -> f32 {
    const KNEE: f32 = 0.5;
    let over = c - KNEE;
    if over > 0.0 {
        KNEE + over / (1.0 + over)
    } else {
        c
    }
}

/// What a wet surface mirrors besides the sun: the part of the light, and that light.
pub(super) fn mirrored(l: &Lamp, n: V, eye: V, sky: f32) -> (f32, V) {
    let facing = dot(n, eye).clamp(0.0, 1.0);
    let part = 0.03 + 0.97 * (1.0 - facing).powi(5); // Schlick, refractive index 1.4
    let away = sub(scale(n, 2.0 * facing), eye);
    let height = dot(away, l.up);
    let above = (height * 4.0 + 0.5).clamp(0.0, 1.0);
    let heaven = mix(
        [0.92, 0.93, 0.94],
        [0.42, 0.55, 0.74],
        height.clamp(0.0, 1.0),
    );
    // A soft window around the sun, as in a studio.
    let window = ((dot(away, l.sun) - 0.82) / 0.08).clamp(0.0, 1.0);
    let light = mix(
        [0.6, 0.6, 0.6],
        add(heaven, scale([1.0; 3], 0.9 * window)),
        above,
    );
    (part, scale(light, 0.3 + 0.7 * sky))
}

/// The sun in a wet surface.
pub(super) fn glint(l: &Lamp, n: V, eye: V, sun: f32, gloss: f32) -> f32 {
    let half = unit(add(l.sun, eye));
    let sharp = 20.0 + 500.0 * gloss * gloss;
    sun * gloss * (0.25 + 1.1 * gloss) * dot(n, half).max(0.0).powf(sharp)
}

/// An opaque surface, from matte to wet.
pub(super) fn skin(l: &Lamp, look: &Look, eye: V, [sun, sky]: [f32; 2]) -> V {
    let body = matte(l, look.albedo, look.normal, eye, [sun, sky]);
    if look.gloss <= 0.0 {
        return body;
    }
    let (part, light) = mirrored(l, look.normal, eye, sky);
    let spark = glint(l, look.normal, eye, sun, look.gloss);
    add(mix(body, light, part * look.gloss), [spark; 3])
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
