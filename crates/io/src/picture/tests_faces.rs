//! Pictures of sets with faces.

use super::*;
use crate::sample;

fn view(sets: &[PointSet]) -> View<'static> {
    View {
        width: 200,
        height: 120,
        angles: [0.0, 10.0],
        ..View::new(Bounds::of(sets))
    }
}

fn pixel(image: &Image, x: usize, y: usize) -> [u8; 3] {
    let at = 3 * (y * image.width + x);
    [image.rgb[at], image.rgb[at + 1], image.rgb[at + 2]]
}

/// How many pixels are redder than blue.
fn red(image: &Image) -> usize {
    let red = |p: &&[u8]| i32::from(p[0]) > i32::from(p[2]) + 40;
    image.rgb.chunks(3).filter(red).count()
}

fn red_skin() -> PointSet {
    let mut set = sample::skin(8);
    set.color = [0.9, 0.2, 0.1];
    set
}

#[test]
fn a_set_with_faces_is_a_surface_and_no_grains() {
    let sets = [red_skin()];
    let image = render(&sets, &view(&sets));
    // The same as the surface given by hand, but for the edges, which are sharp.
    let mut grains = sets.clone();
    grains[0].faces.clear();
    let other = render(&grains, &view(&sets));
    assert_ne!(image, other);
    // The front of the cube is even; that of grains is not.
    let spread = |image: &Image| {
        let all = (95..105).flat_map(|x| (60..70).map(move |y| (x, y)));
        let all: Vec<u8> = all.map(|(x, y)| pixel(image, x, y)[0]).collect();
        all.iter().max().unwrap() - all.iter().min().unwrap()
    };
    assert!(spread(&image) <= 3, "{}", spread(&image));
    assert!(spread(&other) > 20, "{}", spread(&other));
    // Same pixels for any number of threads.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build();
    assert_eq!(image, pool.unwrap().install(|| render(&sets, &view(&sets))));
}

#[test]
fn both_sides_are_seen() {
    let mut set = red_skin();
    let image = |set: &PointSet| render(std::slice::from_ref(set), &view(&[red_skin()]));
    let out = red(&image(&set));
    set.faces.iter_mut().for_each(|f| f.swap(0, 1));
    let turned = red(&image(&set));
    assert!(out > 1000 && out.abs_diff(turned) < 20, "{out} {turned}");
    set.faces.truncate(1);
    assert!(
        red(&image(&set)) < out / 10,
        "one triangle is not the whole"
    );
}

/// A million metres away 32 bits tell sixteenths of a metre.
#[test]
fn far_from_the_origin_it_looks_the_same() {
    let near = [red_skin()];
    let mut far = near.clone();
    far[0].position.iter_mut().for_each(|x| x[0] += 1e6);
    let (a, b) = (render(&near, &view(&near)), render(&far, &view(&far)));
    let other = |(p, q): (&[u8], &[u8])| p.iter().zip(q).any(|(p, q)| p.abs_diff(*q) > 8);
    let count = a
        .rgb
        .chunks(3)
        .zip(b.rgb.chunks(3))
        .filter(|p| other(*p))
        .count();
    assert!(count < a.rgb.len() / 3 / 200, "{count} pixels differ");
}

#[test]
fn colours_are_those_of_particles() {
    let mut set = red_skin();
    let height = set.position.iter().map(|x| x[1] as f32).collect();
    set.scalars = vec![("height".into(), height)];
    let sets = [set];
    let of = |name: &str| {
        let coloring = Coloring::named(name, None);
        render(
            &sets,
            &View {
                coloring,
                ..view(&sets)
            },
        )
    };
    let image = of("height");
    let greenness = |y: usize| {
        let [r, g, b] = pixel(&image, 90, y).map(f32::from);
        2.0 * g - r - b
    };
    // Violet below, green and yellow above.
    assert!(greenness(35) > greenness(60) && greenness(60) > greenness(90));
    assert!(
        red(&of("none")) > 1000,
        "without the column the material's colour"
    );
}

#[test]
fn a_ring_is_filled_and_its_hole_is_not() {
    let mut set = sample::ring(40);
    set.color = [0.9, 0.2, 0.1];
    let sets = [set];
    let lens = |x: f64, y: f64, view: &View| {
        let lens = flat_lens(view, &view.bounds.or_unit(), 0.0);
        let [x, y] = lens.project(lens.view([x, y, 0.0]));
        (x as usize, y as usize)
    };
    let view = view(&sets);
    let image = render(&sets, &view);
    let is_red = |image: &Image, x: f64, y: f64| {
        let (x, y) = lens(x, y, &view);
        let p = pixel(image, x, y);
        p[0] > p[2].saturating_add(40)
    };
    for (x, y, want) in [
        (0.3, 0.5, true),
        (0.0, 0.8, true),
        (-0.3, 0.5, true),
        (0.0, 0.5, false),
        (0.38, 0.85, false),
    ] {
        assert_eq!(is_red(&image, x, y), want, "{x} {y}");
    }
    // Open lines are threads: nothing is filled.
    let mut open = sets.clone();
    open[0].faces.remove(3);
    let open = render(&open, &view);
    assert!(!is_red(&open, 0.3, 0.5) && red(&open) > 50);
    // Values between points: speed grows with the distance from the origin here.
    let speed = View {
        coloring: Coloring::Speed(None),
        ..view.clone()
    };
    let image = render(&sets, &speed);
    let lens = deep(&speed, &sets);
    let at = |x: f64, y: f64| {
        let [x, y] = lens.project(lens.view([x, y, 0.0]));
        let [r, g, b] = pixel(&image, x as usize, y as usize).map(f32::from);
        g - 0.5 * (r + b)
    };
    assert!(
        at(0.0, 0.82) > at(0.0, 0.18) + 20.0,
        "{} {}",
        at(0.0, 0.82),
        at(0.0, 0.18)
    );
}

/// The lens beside the legend.
fn deep(view: &View, sets: &[PointSet]) -> Lens {
    let range = view.coloring.range(sets);
    let legend = Legend::new(sets, view, range);
    let beside = legend.width(view.height).min(0.4 * view.width as f32);
    flat_lens(view, &view.bounds.or_unit(), beside)
}

#[test]
fn hostile_faces_do_no_harm() {
    for mut set in [red_skin(), sample::ring(9)] {
        let n = set.position.len();
        set.faces
            .extend([[0, 1, 999_999], [0, 0, 0], [u32::MAX; 3]]);
        set.position[n / 2] = [f64::NAN, f64::INFINITY, 1e300];
        for coloring in [Coloring::Material, Coloring::Speed(None)] {
            let sets = [set.clone()];
            let view = View {
                coloring,
                ground: Some(0.0),
                ..view(&sets)
            };
            render(&sets, &view);
        }
    }
}
