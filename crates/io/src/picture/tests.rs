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

/// A picture of a mesh over the ground; the camera looks straight ahead.
fn shot(surfaces: Vec<Surface>, sets: &[PointSet]) -> Image {
    let mut bounds = Bounds::default();
    bounds.include([-1.0, -1.0, -1.0]);
    bounds.include([1.0; 3]);
    let view = View {
        width: 160,
        height: 120,
        angles: [0.0, 20.0],
        ground: Some(-1.0),
        surfaces,
        ..View::new(bounds)
    };
    render(sets, &view)
}

fn mean(image: &Image, x: std::ops::Range<usize>, y: std::ops::Range<usize>) -> [f32; 3] {
    let n = (x.len() * y.len()) as f32;
    let mut sum = [0.0; 3];
    for (x, y) in x.flat_map(|x| y.clone().map(move |y| (x, y))) {
        let p = &image.rgb[3 * (y * image.width + x)..][..3];
        (0..3).for_each(|c| sum[c] += f32::from(p[c]) / n);
    }
    sum
}

#[test]
fn a_surface_hides_particles_unless_it_is_clear() {
    let mut set = ball(12);
    set.position
        .iter_mut()
        .for_each(|x| *x = x.map(|c| 0.5 * c));
    set.spacing *= 0.5;
    set.volume.iter_mut().for_each(|v| *v *= 0.125);
    set.color = [0.9, 0.1, 0.1];
    let (positions, normals, triangles) = sample::sphere([0.0; 3], 0.8, 64);
    let skin = |opacity| Surface {
        color: [0.2, 0.4, 0.9],
        opacity,
        ..Surface::new(&positions, &normals, &triangles)
    };
    let redness = |image: Image| {
        let [r, _, b] = mean(&image, 76..84, 56..64);
        r - b
    };
    let sets = [set];
    let solid = redness(shot(vec![skin(1.0)], &sets));
    let foggy = redness(shot(vec![skin(0.9)], &sets));
    let clear = redness(shot(vec![skin(0.1)], &sets));
    assert!(solid < -30.0, "blue: {solid}");
    assert!(clear > 50.0, "red shines through: {clear}");
    assert!(solid < foggy && foggy < clear, "{solid} {foggy} {clear}");
}

#[test]
fn a_surface_casts_its_shadow_and_gloss_shines() {
    let (positions, normals, triangles) = sample::sphere([0.0, -0.2, 0.0], 0.6, 64);
    let skin = |gloss, opacity| Surface {
        color: [0.3; 3],
        gloss,
        opacity,
        ..Surface::new(&positions, &normals, &triangles)
    };
    let none = shot(vec![], &[]);
    let solid = shot(vec![skin(0.0, 1.0)], &[]);
    let clear = shot(vec![skin(0.0, 0.2)], &[]);
    // The sun is at the left: the darkest spot of the ground at the right of the sphere.
    let shade = |image: &Image| {
        let spots = (100..150).flat_map(|x| (60..105).map(move |y| (x, y)));
        let darker = |(x, y): (usize, usize)| {
            mean(&none, x..x + 2, y..y + 2)[1] - mean(image, x..x + 2, y..y + 2)[1]
        };
        spots.map(darker).fold(0.0, f32::max)
    };
    assert!(shade(&solid) > 30.0, "{}", shade(&solid));
    assert!(shade(&clear) < 0.8 * shade(&solid), "{}", shade(&clear));
    let brightest = |image: &Image| image.rgb[..3 * 160 * 60].iter().copied().max();
    let lit = |image: Image| {
        let rows = (30..60).flat_map(|y| (60..90).map(move |x| 3 * (y * 160 + x)));
        rows.map(|at| image.rgb[at]).max()
    };
    assert!(lit(shot(vec![skin(1.0, 1.0)], &[])) > lit(solid.clone()).map(|c| c + 40));
    assert!(
        brightest(&none) < Some(250),
        "control: nothing shines by itself"
    );
}

#[test]
fn surfaces_are_the_same_for_any_number_of_threads() {
    let (positions, normals, triangles) = sample::torus([0.0; 3], 0.7, 0.25, 48);
    let values: Vec<f32> = positions.iter().map(|x| x[0]).collect();
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let skin = |opacity| Surface {
            gloss: 0.8,
            opacity,
            values: &values,
            ..Surface::new(&positions, &normals, &triangles)
        };
        let pool = pool.build().unwrap();
        pool.install(|| shot(vec![skin(1.0), skin(0.5), skin(0.3)], &[ball(8)]))
    };
    let one = run(1);
    assert_eq!(one, run(2));
    assert_eq!(one, run(5));
}

#[test]
fn values_of_a_surface_are_shown_by_the_map() {
    let (positions, normals, triangles) = sample::sphere([0.0; 3], 0.8, 64);
    let values: Vec<f32> = positions.iter().map(|x| x[0]).collect();
    let mut bounds = Bounds::default();
    bounds.include([-1.0; 3]);
    bounds.include([1.0; 3]);
    let skin = Surface {
        values: &values,
        ..Surface::new(&positions, &normals, &triangles)
    };
    let view = |coloring| View {
        width: 240,
        height: 120,
        camera: Some(Camera {
            eye: [0.0, 0.0, 5.0],
            target: [0.0; 3],
            up: [0.0, 1.0, 0.0],
            projection: Projection::Parallel(2.4),
        }),
        surfaces: vec![skin],
        coloring,
        ..View::new(bounds)
    };
    let range = Some([-0.5, 0.5]);
    let image = render(&[], &view(Coloring::Scalar("x".into(), range)));
    let yellow = |image: &Image, x: usize| {
        let [r, _, b] = mean(image, x..x + 4, 58..62);
        r - b
    };
    let ends = [100, 140].map(|x| yellow(&image, x - 2));
    assert!(ends[0] < -20.0 && ends[1] > 50.0, "{ends:?}");
    let plain = render(&[], &view(Coloring::Material));
    assert!(yellow(&plain, 138).abs() < 20.0, "control: grey");
}

#[test]
fn hostile_surfaces_do_not_panic() {
    let positions = [
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [f32::NAN; 3],
    ];
    let triangles = [[0, 1, 2], [0, 1, 3], [0, 1, 99], [0, 0, 0], [0, 1, 1]];
    for opacity in [1.0, 0.5, f32::NAN, -1.0] {
        for normals in [&[][..], &[[f32::NAN; 3]; 4][..], &[[0.0; 3]; 4][..]] {
            let skin = Surface {
                opacity,
                gloss: f32::INFINITY,
                ..Surface::new(&positions, normals, &triangles)
            };
            shot(vec![skin, Surface::new(&[], &[], &triangles)], &[]);
        }
    }
}
