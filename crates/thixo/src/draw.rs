//! From how a scene wants to be seen to a view.

use thixo_core::PointSet;
use thixo_io::picture::{Bounds, Coloring, Obstacle, Shape, Surface, View};
use thixo_io::surface::Mesh;

use crate::any::Distance;

/// Colliders beyond this number are not drawn.
const MOST_DRAWN: usize = 200;
/// Colliders that have no colour of their own: sRGB.
const GREY: [f32; 3] = [0.72, 0.73, 0.75];

/// How a picture is taken; what is not said follows from the scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// Width and height \[pixels\].
    pub size: [usize; 2],
    /// What colours tell: `material`, `speed`, `density`, `pressure`, `stress` or a state of a law.
    pub color: Option<String>,
    /// The values at the ends of the colour map; the picture's own if it says nothing.
    pub range: Option<[f32; 2]>,
    /// Turn of the camera about the vertical, and its height above the horizon \[degrees\].
    pub around: Option<f64>,
    /// See `around`.
    pub above: Option<f64>,
    /// Draws the surfaces of bodies instead of their particles (in three dimensions).
    pub surface: bool,
}

impl Look {
    /// As the scene says.
    pub fn new(width: usize, height: usize) -> Self {
        Self {
            size: [width, height],
            color: None,
            range: None,
            around: None,
            above: None,
            surface: false,
        }
    }
    /// What colours tell.
    pub(crate) fn coloring(&self, scene: &thixo_scene::View) -> Coloring {
        let name = self.color.as_deref().unwrap_or(&scene.color);
        Coloring::named(name, self.range)
    }
}

/// The view of a scene with its colliders as they are now.
pub(crate) fn view<'a>(
    scene: &thixo_scene::View,
    look: &Look,
    distances: &'a [Distance<'a>],
    time: f64,
    sets: &[PointSet],
) -> View<'a> {
    let bounds = Bounds {
        min: scene.low,
        max: scene.high,
    };
    let [width, height] = look.size;
    let mut view = View {
        width,
        height,
        angles: [
            look.around.unwrap_or(scene.around),
            look.above.unwrap_or(scene.above),
        ],
        up: scene.up,
        coloring: look.coloring(scene),
        caption: View::caption(time, sets),
        ..View::new(bounds)
    };
    let flat = sets.iter().any(|s| s.dimension == 2);
    for (distance, drawn) in distances.iter().zip(&scene.colliders) {
        let plain = !flat && view.ground.is_none() && drawn.color.is_none() && drawn.opacity == 1.0;
        let ground = level(distance, &bounds, scene.up).filter(|_| plain);
        if ground.is_some() {
            view.ground = ground;
        } else if drawn.opacity > 0.0 && view.obstacles.len() < MOST_DRAWN {
            view.obstacles.push(Obstacle {
                shape: Shape::Distance(&**distance),
                color: drawn.color.unwrap_or(GREY),
                opacity: drawn.opacity,
            });
        }
    }
    view
}

/// The vertices of a surface as pictures take them.
pub(crate) struct Vertices {
    position: Vec<[f32; 3]>,
    speed: Vec<f32>,
}

impl Vertices {
    pub fn of(mesh: &Mesh) -> Self {
        let speed = |v: &[f32; 3]| v.iter().map(|c| c * c).sum::<f32>().sqrt();
        Self {
            position: mesh.position.iter().map(|x| x.map(|c| c as f32)).collect(),
            speed: mesh.velocity.iter().map(speed).collect(),
        }
    }
    /// The surface of a set; liquids shine and are clear.
    pub fn surface<'a>(&'a self, mesh: &'a Mesh, liquid: bool) -> Surface<'a> {
        Surface {
            name: &mesh.name,
            values: &self.speed,
            color: mesh.color,
            gloss: if liquid { 0.9 } else { 0.1 },
            opacity: if liquid { 0.7 } else { 1.0 },
            ..Surface::new(&self.position, &mesh.normal, &mesh.triangle)
        }
    }
}

/// The height of a ground that is level and has no end, as far as one can see.
fn level(distance: &Distance, bounds: &Bounds, up: [f64; 3]) -> Option<f64> {
    let middle = bounds.center();
    let far = 100.0 * bounds.diagonal();
    let height = |x: [f64; 3]| (0..3).map(|a| up[a] * x[a]).sum::<f64>() - distance(x);
    let here = height(middle);
    let all = (0..27).all(|n| {
        let side = |a: u32| f64::from(n / 3i32.pow(a) % 3 - 1);
        let x = [0, 1, 2].map(|a| middle[a] + far * side(a as u32));
        (height(x) - here).abs() < 1e-9 * far
    });
    (all && here.is_finite()).then_some(here)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_endless_level_plane_is_a_ground() {
        let bounds = Bounds {
            min: [-1.0; 3],
            max: [1.0, 2.0, 1.0],
        };
        let plane = |n: [f64; 3], h: f64| -> Distance<'static> {
            Box::new(move |x| n[0] * x[0] + n[1] * x[1] + n[2] * x[2] - h)
        };
        let up = [0.0, 1.0, 0.0];
        let h = level(&plane(up, 0.3), &bounds, up).unwrap();
        assert!((h - 0.3).abs() < 1e-9, "{h}");
        assert_eq!(level(&plane([0.0, -1.0, 0.0], 0.3), &bounds, up), None);
        assert_eq!(level(&plane([0.6, 0.8, 0.0], 0.3), &bounds, up), None);
        let slab: Distance = Box::new(|x| x[1].abs() - 0.5);
        assert_eq!(level(&slab, &bounds, up), None);
        let table: Distance = Box::new(|x| x[1].max(x[0].abs() - 5.0));
        assert_eq!(level(&table, &bounds, up), None);
    }
}
