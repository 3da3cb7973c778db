//! The ground: a plane with a faint grid that fades into the backdrop.

use super::camera::Lens;
use super::paint::Frame;
use super::vec::wide::dot as dot_wide;
use super::vec::{self, V, mix, unit};
use super::{overlay, shade, solid};

/// The ground as a plane of view space, with the directions of its grid.
pub(super) struct Ground {
    pub normal: V,
    offset: f32,
    across: [[f64; 3]; 2],
    step: f64,
}

impl Ground {
    fn depth(&self, lens: &Lens, x: f32, y: f32) -> Option<f32> {
        solid::plane_depth(lens, x, y, self.normal, self.offset)
    }
}

/// The depth of the ground at a pixel; infinite where there is none.
pub(super) fn ground_depth(ground: &Option<Ground>, lens: &Lens, x: usize, y: usize) -> f32 {
    let z = ground
        .as_ref()
        .and_then(|g| g.depth(lens, x as f32 + 0.5, y as f32 + 0.5));
    z.map_or(f32::INFINITY, |z| z * 1.0001)
}

impl Frame<'_> {
    pub fn ground(&self) -> Option<Ground> {
        let height = self.view.ground.filter(|h| !self.flat && h.is_finite())?;
        let up = vec::wide::unit(self.view.up);
        let offset = height - dot_wide(self.lens.eye, up);
        let normal = self.lens.direction(up);
        let (step, _) = overlay::nice_step(self.bounds.diagonal(), 8.0);
        let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let across: Vec<[f64; 3]> = axes
            .into_iter()
            .filter(|&a| dot_wide(a, up).abs() < 0.9)
            .collect();
        (offset < 0.0 && across.len() == 2).then(|| Ground {
            normal,
            offset: offset as f32,
            across: [across[0], across[1]],
            step,
        })
    }

    /// Ground or backdrop.
    pub fn behind(&self, x: usize, y: usize, ground: Option<&Ground>, light: [f32; 2]) -> V {
        if self.flat {
            return [1.0; 3];
        }
        let back = shade::backdrop(y as f32 / (self.lens.center[1] * 2.0));
        let (px, py) = (x as f32 + 0.5, y as f32 + 0.5);
        let Some((g, z)) = ground.and_then(|g| Some((g, g.depth(&self.lens, px, py)?))) else {
            return back;
        };
        let v = self.lens.unproject(px, py, z);
        let p = self.lens.world(v);
        let away = vec::wide::sub(p, self.bounds.center());
        let far = dot_wide(away, away).sqrt() / self.bounds.diagonal();
        let fade = (1.0 - (far as f32 - 0.5) / 1.1).clamp(0.0, 1.0);
        let fade = fade * fade * (3.0 - 2.0 * fade);
        let slant = -vec::dot(g.normal, unit(v));
        let pixel = f64::from(1.0 / self.lens.scale(z)) / f64::from(slant.max(0.02)).sqrt();
        let line = g.across.iter().map(|&a| {
            let s = dot_wide(p, a) / g.step;
            let d = (s - s.round()).abs() * g.step / pixel;
            (1.1 - d).clamp(0.0, 1.0) as f32
        });
        let line = line.fold(0.0, f32::max) * fade * 0.16;
        // Darker than the backdrop, so that white matter stands out.
        let floor = mix(vec::scale(back, 0.72), [0.35, 0.37, 0.40], line);
        mix(back, shade::dim(floor, light), fade.max(0.25 * fade))
    }
}
