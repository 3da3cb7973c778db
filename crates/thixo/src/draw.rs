//! From how a scene wants to be seen to a view.

use thixo_core::PointSet;
use thixo_io::picture::{Bounds, Camera, Coloring, Obstacle, Shape, View};

use crate::any::Distance;

/// Colliders beyond this number are not drawn.
const MOST_DRAWN: usize = 200;
/// Colliders that have no colour of their own: sRGB.
const GREY: [f32; 3] = [0.72, 0.73, 0.75];

/// The view of a scene with its colliders as they are now.
pub(crate) fn view<'a>(
    scene: &thixo_scene::View,
    distances: &'a [Distance<'a>],
    time: f64,
    sets: &[PointSet],
    [width, height]: [usize; 2],
) -> View<'a> {
    let bounds = Bounds {
        min: scene.low,
        max: scene.high,
    };
    let aspect = width as f64 / height.max(1) as f64;
    let mut view = View {
        width,
        height,
        camera: Some(Camera::fit(
            &bounds,
            scene.up,
            scene.around,
            scene.above,
            aspect,
        )),
        up: scene.up,
        coloring: match scene.color.as_str() {
            "material" => Coloring::Material,
            "speed" => Coloring::Speed(None),
            column => Coloring::Scalar(column.into(), None),
        },
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
