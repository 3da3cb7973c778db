//! Pictures behave.

use super::vec::wide::dot as dot_wide;
use super::*;
use crate::sample;

fn ball(n: usize) -> PointSet {
    let h = 2.0 / n as f64;
    let at = |k: usize| [k % n, k / n % n, k / n / n].map(|i| (i as f64 + 0.5) * h - 1.0);
    let points = (0..n * n * n).map(at).filter(|&x| dot_wide(x, x) < 1.0);
    sample::from_positions("ball", 3, h, points.collect())
}

fn small(sets: &[PointSet]) -> View<'static> {
    View {
        width: 160,
        height: 90,
        caption: View::caption(0.5, sets),
        ..View::new(Bounds::of(sets))
    }
}

#[test]
fn same_pixels_for_any_number_of_threads() {
    let sets = [ball(16)];
    let phi = |x: [f64; 3]| dot_wide(x, x).sqrt() - 0.5 - x[0];
    let mut view = small(&sets);
    view.ground = Some(-1.1);
    view.obstacles = vec![Obstacle::new(Shape::Distance(&phi))];
    view.coloring = Coloring::Speed(None);
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| render(&sets, &view))
    };
    let one = run(1);
    assert_eq!(one, run(2));
    assert_eq!(one, run(5));
}

#[test]
fn a_ball_is_seen_in_the_middle_in_its_colour() {
    let mut set = ball(16);
    set.color = [0.9, 0.1, 0.1];
    let image = render(&[set.clone()], &small(&[set]));
    let at = |x: usize, y: usize| &image.rgb[3 * (y * 160 + x)..][..3];
    let (middle, corner) = (at(80, 45), at(3, 3));
    assert!(middle[0] > 2 * middle[1], "{middle:?}");
    assert!(corner.iter().all(|&c| c > 200), "{corner:?}");
}

#[test]
fn nearer_triangle_hides_particles() {
    let set = ball(12);
    let view = small(std::slice::from_ref(&set));
    let wall = [[[-9.0, -9.0, 1.2], [9.0, -9.0, 1.2], [0.0, 18.0, 1.2]]];
    let mut view = View {
        obstacles: vec![Obstacle::new(Shape::Triangles(&wall))],
        ..view
    };
    view.camera = Some(Camera {
        eye: [0.0, 0.0, 6.0],
        target: [0.0; 3],
        up: [0.0, 1.0, 0.0],
        projection: Projection::Perspective(40.0),
    });
    let image = render(&[set], &view);
    let p = &image.rgb[3 * (45 * 160 + 80)..][..3];
    assert!(p[0].abs_diff(p[2]) < 30, "grey wall, got {p:?}");
}

#[test]
fn hostile_sets_do_not_panic() {
    let mut set = ball(6);
    set.position[0] = [f64::NAN; 3];
    set.position[1] = [f64::INFINITY, 0.0, 0.0];
    set.position[2] = [1e300; 3];
    set.volume[3] = f32::NAN;
    set.volume[4] = f32::INFINITY;
    set.velocity[5] = [f32::NAN; 3];
    for d in [2, 3] {
        set.dimension = d;
        for n in [set.position.len(), 1, 0] {
            set.position.truncate(n);
            for coloring in [Coloring::Speed(None), Coloring::Scalar("none".into(), None)] {
                let sets = [set.clone()];
                render(
                    &sets,
                    &View {
                        coloring,
                        ground: Some(0.0),
                        ..small(&sets)
                    },
                );
            }
        }
        set = PointSet {
            dimension: 3,
            ..ball(6)
        };
    }
    render(
        &[],
        &View {
            width: 0,
            height: 0,
            ..View::new(Bounds::default())
        },
    );
}
