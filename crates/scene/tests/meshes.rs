//! Meshes of a scene file meet each other and themselves as it says.

use std::path::Path;

use thixo_core::PointSet;
use thixo_grid::Exec;
use thixo_scene::{Scene, SceneError};

const JELLY: &str = "dimension = 2\nresolution = 0.05\n[materials.jelly]\nlaw = \"fixed-corotated\"\n\
                     density = 1000\nyoungs_modulus = \"50 kPa\"\npoissons_ratio = 0.3\n";
const BOXES: &str = "gravity = [0, 0]\n[[bodies]]\nname = \"left\"\nmaterial = \"jelly\"\nmesh = {}\nvelocity = [0.5, 1]\n\
                     shape = { box = { from = [-0.25, 0], to = [-0.02, 0.2] } }\n\
                     [[bodies]]\nname = \"right\"\nmaterial = \"jelly\"\nmesh = {}\nvelocity = [-0.5, 0]\n\
                     shape = { box = { from = [0.02, 0], to = [0.25, 0.4] } }\n";
/// Two arms that come together.
const FORK: &str = "gravity = [0, 0]\n[[bodies]]\nname = \"fork\"\nmaterial = \"jelly\"\nmesh = {}\nvelocity = [\"-16*x*y\", 0]\n\
                    shape = { difference = [{ box = { from = [-0.3, 0], to = [0.3, 0.6] } }, { box = { from = [-0.1, 0.15], to = [0.1, 0.7] } }] }\n";
const CLOTH: &str = "[[bodies]]\nname = \"NAME\"\ncloth = { from = [0, 1], sides = [[1, 0]], density = 0.3, stretch = 100, shear = 10 }\n";

/// The tables that a scene starts with, then what is typed at the top, then bodies.
fn scene(top: &str, bodies: &str) -> String {
    // Bodies may start with a line of the top.
    let (line, bodies) = bodies.split_once("[[").unwrap();
    format!("{line}{top}\n{JELLY}[[{bodies}")
}

fn end(text: &str, t: f64) -> Vec<PointSet> {
    let scene = Scene::parse(text, "a.toml", "a", Path::new("")).unwrap();
    let world = scene.build::<f64, 2>(Exec::new(1).unwrap());
    let mut world = world.unwrap_or_else(|e| panic!("{e}"));
    world.advance(t).unwrap();
    let mut all = Vec::<PointSet>::new();
    world.observe(&mut all).unwrap();
    all
}

fn middle(set: &PointSet) -> f64 {
    set.position.iter().map(|x| x[0]).sum::<f64>() / set.position.len() as f64
}

#[test]
fn free_bodies_do_not_pass_through_each_other_unless_they_are_told_to() {
    for numerics in [
        "",
        "numerics.integrator = \"implicit\"\nnumerics.max_step = \"10 ms\"\n",
    ] {
        let after = |contact: &str| end(&scene(&format!("{numerics}{contact}"), BOXES), 0.2);
        let [met, slid, rubbed, through] = [
            "",
            "meshes.contact = \"separating\"",
            "meshes.contact = { friction = 0.5 }",
            "meshes.contact = \"none\"",
        ]
        .map(after);
        assert_eq!(met, slid);
        // Each is 23 cm wide.
        let apart = |sets: &[PointSet]| middle(&sets[1]) - middle(&sets[0]);
        assert!(apart(&met) > 0.21, "{}", apart(&met));
        assert!(apart(&through) < 0.1, "{}", apart(&through));
        // The left box takes the right one along.
        let rises = |sets: &[PointSet]| {
            let v = sets[1].velocity.iter().map(|v| f64::from(v[1]));
            v.sum::<f64>() / sets[1].velocity.len() as f64
        };
        assert!(rises(&met).abs() < 0.04, "{}", rises(&met));
        let taken = rises(&rubbed) - rises(&met);
        assert!(taken > 0.04, "{taken}");
    }
}

#[test]
fn a_body_meets_itself_if_it_is_told_to() {
    // The least way from the inner side of the left arm to that of the right one at the same height.
    let least = |own: &str| {
        let top =
            format!("numerics.integrator = \"implicit\"\nnumerics.max_step = \"5 ms\"\n{own}");
        let text = scene(&top, FORK);
        let start = end(&text, 1e-9);
        let side = |x: f64| {
            let places = start[0].position.iter().enumerate();
            let side = places.filter(move |(_, p)| (p[0] - x).abs() < 1e-6 && p[1] > 0.14);
            side.map(|(i, _)| i).collect::<Vec<usize>>()
        };
        let (left, right) = (side(-0.1), side(0.1));
        assert!(left.len() > 5 && right.len() > 5);
        let at = |t: f64| {
            let now = end(&text, t);
            let place = |i: &usize| now[0].position[*i];
            let mut line: Vec<[f64; 3]> = right.iter().map(place).collect();
            line.sort_by(|a, b| a[1].total_cmp(&b[1]));
            let gap = |p: [f64; 3]| {
                let both = line
                    .windows(2)
                    .find(|w| (w[0][1]..=w[1][1]).contains(&p[1]))?;
                let share = (p[1] - both[0][1]) / (both[1][1] - both[0][1]);
                Some(both[0][0] + share * (both[1][0] - both[0][0]) - p[0])
            };
            let gaps = left.iter().map(place).filter_map(gap);
            gaps.fold(f64::INFINITY, f64::min)
        };
        [0.04, 0.06, 0.08, 0.1]
            .map(at)
            .into_iter()
            .fold(f64::INFINITY, f64::min)
    };
    let (through, kept) = (least(""), least("meshes.self_contact = true"));
    assert!(
        through < -0.05,
        "the arms do not reach each other: {through}"
    );
    // A fraction of an edge, which is 5 cm.
    assert!(kept > -0.01, "{kept} {through}");
    assert_eq!(least("meshes.self_contact = false"), through);
}

fn refused(text: &str) -> String {
    let scene: Result<_, SceneError> = Scene::parse(text, "a.toml", "a", Path::new(""));
    let built = scene.and_then(|s| s.build::<f64, 2>(Exec::new(1).unwrap()).map(|_| ()));
    match built {
        Ok(()) => panic!("accepted:\n{text}"),
        Err(e) => e.to_string(),
    }
}

#[test]
fn keys_that_nothing_would_heed_are_refused() {
    let particles = BOXES.replace("mesh = {}\n", "");
    let grid = BOXES.replace("mesh = {}\n", "mesh = {}\nthrough_grid = true\n");
    let cloths = CLOTH.replace("NAME", "a") + &CLOTH.replace("NAME", "b");
    let mixed = FORK.to_string() + CLOTH;
    let own = "meshes.self_contact = true";
    let rough = "meshes.contact = { friction = 0.5 }";
    for (top, bodies, message) in [
        (
            rough,
            particles.as_str(),
            "`contact` is for free meshes, and there is none",
        ),
        (
            own,
            &particles,
            "`self_contact` is for free meshes, and there is none",
        ),
        (
            rough,
            &grid,
            "`contact` is for free meshes, and there is none; remove it: particles",
        ),
        (
            own,
            &cloths,
            "`self_contact` is for solids, and all free meshes are cloth",
        ),
        (
            rough,
            &cloths,
            "cloth does not meet cloth; remove it, or write through_grid = true",
        ),
        (
            rough,
            FORK,
            "there is one free mesh, and no other for it to meet; remove it, or write self_contact = true",
        ),
        (
            "meshes = { contact = \"none\", self_contact = true }",
            BOXES,
            "a body that meets itself, but no contact",
        ),
        (
            "meshes = { contact = \"sticky\" }",
            BOXES,
            "unknown choice `sticky`; there are: separating, none",
        ),
        (
            "meshes.contact = { friction = -1 }",
            BOXES,
            "friction is -1: it must be at least 0",
        ),
        (
            "meshes.contac = \"none\"",
            BOXES,
            "unknown key `contac`; did you mean `contact`?",
        ),
    ] {
        let found = refused(&scene(top, bodies));
        let (place, said) = found.split_at(found.find(": ").unwrap_or(0));
        assert!(place.starts_with("a.toml:"), "{found}");
        assert!(said[2..].starts_with(message), "{top}: {found}");
    }
    // What is heeded is accepted.
    for (top, bodies) in [
        (own, FORK),
        (rough, mixed.as_str()),
        (
            "meshes = { contact = { friction = 0.1 }, self_contact = true }",
            FORK,
        ),
        (
            "meshes = { contact = \"none\", self_contact = false }",
            BOXES,
        ),
        ("meshes = {}", particles.as_str()),
    ] {
        end(&scene(top, bodies), 1e-4);
    }
}
