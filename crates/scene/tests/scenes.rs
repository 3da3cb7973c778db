//! What a scene says arrives in the world.

use std::path::Path;

use thixo_core::PointSet;
use thixo_grid::Exec;
use thixo_scene::{Scene, registry::SCENES};

fn sets(text: &str) -> Vec<PointSet> {
    let scene = Scene::parse(text, "a.toml", "a", Path::new("")).unwrap();
    let world = scene.build::<f64, 2>(Exec::new(1).unwrap()).unwrap();
    let mut all = Vec::<PointSet>::new();
    world.observe(&mut all).unwrap();
    all
}

const JELLY: &str = "dimension = 2\nresolution = 0.1\n[materials.jelly]\nlaw = \"neo-hookean\"\n\
                     density = 1000\nyoungs_modulus = \"1 kPa\"\npoissons_ratio = 0.3\ncolor = \"#ff8000\"\n";

#[test]
fn all_built_in_scenes_build() {
    for (name, _) in SCENES {
        let scene = Scene::load(name).unwrap();
        assert_eq!(scene.name, *name);
        assert!(!scene.title.is_empty(), "{name} has no title");
        assert_eq!(scene.dimension, 3);
        let world = scene
            .build::<f32, 3>(Exec::new(1).unwrap())
            .unwrap_or_else(|e| panic!("{e}"));
        let n = world.totals().particles;
        // Vertices of meshes tell more than particles, and cost more.
        let mut bodies = scene.spec.bodies.iter().map(|b| b.get_ref());
        let meshes = bodies.any(|b| b.mesh.is_some() || b.cloth.is_some());
        let least = if meshes { 2_000 } else { 10_000 };
        assert!(
            n < 200_000 && (n > least || !scene.spec.emitters.is_empty()),
            "{name}: {n} particles"
        );
        assert!(world.totals().mass > 0.0 || n == 0);
    }
}

#[test]
fn units_shapes_velocity_and_spin_arrive() {
    let text = format!(
        "{JELLY}[[bodies]]\nmaterial = \"jelly\"\nvelocity = [\"2 m/s\", \"3*x\"]\nspin = \"90 deg/s\"\npivot = [0, 0]\n\
         shape = {{ difference = [{{ box = {{ size = [2, 2] }} }}, {{ sphere = {{ radius = \"50 cm\" }} }}], translate = [1, \"100 cm\"] }}\n"
    );
    let all = sets(&text);
    assert_eq!(all.len(), 1);
    let set = &all[0];
    assert_eq!(
        (set.name.as_str(), set.material.as_str()),
        ("jelly", "jelly")
    );
    assert_eq!(set.color, [1.0, 128.0 / 255.0, 0.0]);
    let area: f32 = set.volume.iter().sum();
    assert!(
        (area - (4.0 - std::f32::consts::FRAC_PI_4)).abs() < 0.03,
        "{area}"
    );
    let mass: f32 = set.mass.iter().sum();
    assert!((mass / area - 1000.0).abs() < 0.1);
    let w = std::f64::consts::FRAC_PI_2;
    for (x, v) in set.position.iter().zip(&set.velocity) {
        let r = ((x[0] - 1.0).powi(2) + (x[1] - 1.0).powi(2)).sqrt();
        assert!(r >= 0.5 && x[0] >= 0.0 && x[0] <= 2.0 && x[1] >= 0.0 && x[1] <= 2.0);
        let expected = [2.0 - w * x[1], 3.0 * x[0] + w * x[0]];
        assert!((f64::from(v[0]) - expected[0]).abs() < 1e-5, "{x:?} {v:?}");
        assert!((f64::from(v[1]) - expected[1]).abs() < 1e-5, "{x:?} {v:?}");
    }
}

#[test]
fn names_make_sets_and_the_seed_decides() {
    let bodies = "[[bodies]]\nmaterial = \"jelly\"\nshape = { sphere = { radius = 1 } }\n\
                  [[bodies]]\nname = \"second\"\nmaterial = \"jelly\"\nshape = { sphere = { radius = 1, center = [3, 0] } }\n\
                  [[bodies]]\nmaterial = \"jelly\"\nshape = { sphere = { radius = 1, center = [6, 0] } }\n";
    let text = format!("{JELLY}{bodies}");
    let all = sets(&text);
    let names: Vec<_> = all.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names, ["jelly", "second"]);
    assert!(all[0].id.len() > all[1].id.len());
    assert_eq!(sets(&text), all, "the same text gives the same particles");
    let other = sets(&text.replace("dimension = 2", "dimension = 2\nnumerics.seed = 1"));
    assert_ne!(other[0].position, all[0].position);
    let regular = sets(&text.replace(
        "dimension = 2",
        "dimension = 2\nnumerics.sampling = \"regular\"",
    ));
    assert_ne!(regular[0].position, all[0].position);
    let finer = sets(&text.replace(
        "dimension = 2",
        "dimension = 2\nnumerics.particles_per_cell = 9",
    ));
    assert!(finer[0].id.len() > 2 * all[0].id.len());
}

/// Every numerical key changes the outcome of a run.
#[test]
fn every_key_has_an_effect() {
    let base = format!(
        "frames = 2\nfps = 10\n{JELLY}[[bodies]]\nmaterial = \"jelly\"\nvelocity = [1, -2]\nspin = 1\nshape = {{ box = {{ size = [0.6, 0.6], center = [0.5, 0.5] }} }}\n\
         [[colliders]]\nshape = {{ half_space = {{ normal = [0, 1] }} }}\ncontact = {{ friction = 0.3 }}\n"
    );
    let hash = |text: &str| {
        let scene = Scene::parse(text, "a.toml", "a", Path::new("")).unwrap();
        let mut world = scene
            .build::<f64, 2>(Exec::new(1).unwrap())
            .unwrap_or_else(|e| panic!("{e}"));
        world.advance(0.2).unwrap();
        world.state_hash()
    };
    let before = hash(&base);
    assert_eq!(hash(&base), before);
    let top = |line: &str| format!("{line}\n{base}");
    let end = |lines: &str| format!("{base}{lines}\n");
    let variants = [
        top("gravity = [0, -1]"),
        top("periodic = { x = \"80 cm\" }"),
        top("numerics.sampling = \"poisson\""),
        end("[numerics]\nkernel = \"cubic\""),
        end("[numerics]\nkernel = \"linear\""),
        end("[numerics]\ntransfer = \"flip\""),
        end("[numerics]\ntransfer = \"rpic\""),
        end("[numerics]\ntransfer = \"pic\""),
        end("[numerics]\ntransfer = { flip = 0.95 }"),
        end("[numerics]\ntransfer = { apic = 0.9 }"),
        end("[numerics]\ntransfer = { apic_rpic = 0.5 }"),
        end("[numerics]\ntransfer = { apic_flip = 0.9 }"),
        end("[numerics]\nforce = \"gradient\""),
        end("[numerics]\ncfl = 0.01"),
        end("[numerics]\nsafety = 0.05"),
        end("[numerics]\nmax_step = \"1 ms\""),
        top("numerics.seed = 7"),
        top("numerics.particles_per_cell = 9"),
        end("[[forces]]\nacceleration = [\"sin(t) + x\", 0]"),
        end("[[forces]]\nacceleration = [\"sin(t) + x\", 0]\nstart = \"50 ms\""),
        end("[[forces]]\nacceleration = [\"sin(t) + x\", 0]\nstop = \"50 ms\""),
        end("[[forces]]\nwind = { velocity = [\"3 m/s\", \"y*t\"], response = \"0.2 s\" }"),
        end("[[forces]]\nwind = { velocity = [\"3 m/s\", \"y*t\"], response = \"0.4 s\" }"),
        end("[[forces]]\npoint = { at = [2, 0.5], acceleration = \"3 m/s^2\", radius = \"20 cm\" }"),
        end("[[forces]]\npoint = { at = [2, 0.5], acceleration = \"3 m/s^2\", radius = \"30 cm\" }"),
        end("[[drains]]\nshape = { box = { from = [0, 0], to = [0.6, 0.3] } }"),
        end("[[drains]]\nshape = { box = { from = [0, 0], to = [0.6, 0.3] } }\nstart = \"0.1 s\""),
        end("[[drains]]\nshape = { box = { from = [0, 0], to = [0.6, 0.3] } }\nstop = \"50 ms\""),
        end("[[emitters]]\nmaterial = \"jelly\"\nshape = { box = { size = [0.2, 0.2], center = [2, 2] } }\nvelocity = [0, \"-3 m/s\"]"),
        end("[[emitters]]\nmaterial = \"jelly\"\nshape = { box = { size = [0.2, 0.2], center = [2, 2] } }\nvelocity = [0, -1]\nrate = \"0.1 m^2/s\"\nstart = \"50 ms\"\nstop = \"0.15 s\""),
        base.replace("{ friction = 0.3 }", "\"slip\""),
        base.replace("{ friction = 0.3 }", "\"sticky\""),
        base.replace("contact =", "motion = { velocity = [1, 0] }\ncontact ="),
        base.replace("contact =", "motion = { spin = \"1 rad/s\", pivot = [0.5, 0] }\ncontact ="),
        base.replace("contact =", "motion = { keys = [{ time = 0 }, { time = 1, translate = [0, 0.5], rotate = \"20 deg\" }] }\ncontact ="),
        base.replace("contact =", "motion = { path = { translate = [\"0.1*sin(9*t)\", \"2 cm\"] } }\ncontact ="),
        base.replace("contact =", "motion = { pivot = [0.5, 0], path = { rotate = \"0.4*t\" } }\ncontact ="),
    ];
    let mut seen = vec![before];
    for text in variants {
        let h = hash(&text);
        assert!(!seen.contains(&h), "no effect:\n{text}");
        seen.push(h);
    }
}

#[test]
fn height_fields_shells_and_pictures() {
    let text = format!(
        "{JELLY}[[bodies]]\nmaterial = \"jelly\"\nshape = {{ intersection = [\n\
           {{ height_field = {{ from = [-2, 0], to = [2, 0], spacing = 0.1, height = \"1 + 0.1*x\" }} }},\n\
           {{ box = {{ from = [-1, 0], to = [1, 3] }} }} ] }}\n\
         [[bodies]]\nname = \"ring\"\nmaterial = \"jelly\"\nshape = {{ shell = {{ of = {{ sphere = {{ radius = 1, center = [5, 5] }} }}, thickness = 0.3 }} }}\n\
         [picture]\nfrom = [0, 0]\nto = [1, 2]\ncolor = \"speed\"\n"
    );
    let all = sets(&text);
    let area = |i: usize| all[i].volume.iter().sum::<f32>();
    assert!((area(0) - 2.0).abs() < 0.05, "{}", area(0));
    assert!(
        (area(1) - std::f32::consts::PI * (1.0 - 0.49)).abs() < 0.1,
        "{}",
        area(1)
    );
    let view = Scene::parse(&text, "a.toml", "a", Path::new(""))
        .unwrap()
        .view::<2>()
        .unwrap();
    assert_eq!((view.low, view.high), ([0.0; 3], [1.0, 2.0, 0.0]));
    assert_eq!((view.up, view.color.as_str()), ([0.0, 1.0, 0.0], "speed"));
    let text = JELLY.replace("dimension = 2", "dimension = 3")
        + "[[bodies]]\nmaterial = \"jelly\"\nshape = { sphere = { radius = 1 } }\n\
           [picture]\naround = \"10 deg\"\ncolor = \"pressure\"\n";
    let scene = Scene::parse(&text, "a.toml", "a", Path::new("")).unwrap();
    let view = scene.view::<3>().unwrap();
    assert!((view.around - 10.0).abs() < 1e-12);
    assert_eq!(view.color, "pressure");
}

/// A box mesh whose lid rises from 0.5 m to 0.8 m within 0.3 s lifts what lies on it; the same box
/// without the second key does not.
#[test]
fn a_mesh_that_deforms_lifts_what_lies_on_it() {
    let dir = tempfile::tempdir().unwrap();
    let corner = |i: usize, lid: f64| {
        let side = |bit: usize| if i & bit == 0 { -0.6 } else { 0.6 };
        let y = if i & 2 == 0 { 0.0 } else { lid };
        format!("v {} {y} {}\n", side(1), side(4))
    };
    let faces = "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
    for (file, lid) in [("low.obj", 0.5), ("high.obj", 0.8)] {
        let vertices: String = (0..8).map(|i| corner(i, lid)).collect();
        std::fs::write(dir.path().join(file), vertices + faces).unwrap();
    }
    let lowest = |last: &str| {
        let text = format!(
            "resolution = 0.1\n[materials.jelly]\nlaw = \"neo-hookean\"\n\
             density = 1000\nyoungs_modulus = \"20 kPa\"\npoissons_ratio = 0.3\n\
             [[bodies]]\nmaterial = \"jelly\"\nshape = {{ box = {{ from = [-0.2, 0.5, -0.2], to = [0.2, 0.8, 0.2] }} }}\n\
             [[colliders]]\nname = \"lid\"\ncontact = \"sticky\"\n\
             deform = [{{ time = 0, mesh = \"low.obj\" }}, {{ time = \"300 ms\", mesh = \"{last}\" }}]\n"
        );
        let scene = Scene::parse(&text, "a.toml", "a", dir.path()).unwrap();
        let world = scene.build::<f64, 3>(Exec::new(1).unwrap());
        let mut world = world.unwrap_or_else(|e| panic!("{e}"));
        world.advance(0.5).unwrap();
        let mut all = Vec::<PointSet>::new();
        world.observe(&mut all).unwrap();
        let heights = all[0].position.iter().map(|x| x[1]);
        heights.fold(f64::INFINITY, f64::min)
    };
    let (still, lifted) = (lowest("low.obj"), lowest("high.obj"));
    assert!((0.5..0.55).contains(&still), "{still}");
    assert!((0.8..0.85).contains(&lifted), "{lifted}");
}

/// With nothing there yet, the first step is still short: what comes out of the nozzle in it does not
/// get under the floor.
#[test]
fn an_emitter_alone_does_not_leap_through_the_floor() {
    let text = format!(
        "fps = 10\n{JELLY}[[emitters]]\nmaterial = \"jelly\"\nvelocity = [0, \"-3 m/s\"]\n\
         shape = {{ box = {{ size = [0.4, 0.1], center = [1, 0.2] }} }}\n\
         [[colliders]]\nshape = {{ half_space = {{ normal = [0, 1] }} }}\ncontact = {{ friction = 0.3 }}\n"
    );
    let scene = Scene::parse(&text, "a.toml", "a", Path::new("")).unwrap();
    let mut world = scene.build::<f64, 2>(Exec::new(1).unwrap()).unwrap();
    assert!(world.step(0.1).unwrap().dt < 0.03);
    world.advance(0.1).unwrap();
    let mut all = Vec::<PointSet>::new();
    world.observe(&mut all).unwrap();
    assert!(!all[0].position.is_empty());
    assert!(all[0].position.iter().all(|x| x[1] > -1e-3));
}

/// A ball that leaves a periodic box on the left meets the wall at its right end.
#[test]
fn a_wall_beyond_the_seam_is_met() {
    let text = format!(
        "gravity = [0, 0]\nperiodic = {{ x = 1.6 }}\n{JELLY}[[bodies]]\nmaterial = \"jelly\"\nvelocity = [-0.4, 0]\n\
         shape = {{ sphere = {{ radius = 0.2, center = [0.4, 0.5] }} }}\n\
         [[colliders]]\nshape = {{ box = {{ from = [1.4, -2], to = [1.5, 3] }} }}\ncontact = \"separating\"\n"
    );
    let scene = Scene::parse(&text, "a.toml", "a", Path::new("")).unwrap();
    let mut world = scene.build::<f64, 2>(Exec::new(1).unwrap()).unwrap();
    world.advance(2.0).unwrap();
    let mut all = Vec::<PointSet>::new();
    world.observe(&mut all).unwrap();
    let x = all[0].position.iter().map(|x| x[0]);
    assert!(x.clone().all(|x| (0.0..1.6).contains(&x)));
    assert!(
        x.clone().all(|x| !(0.9..1.4999).contains(&x)),
        "through the wall"
    );
    assert!(world.totals().momentum[0] > 0.0, "not thrown back");
}

/// A path of formulas moves as the steady motion that it spells out.
#[test]
fn a_path_moves_as_its_formula_says() {
    let text = |motion: &str| {
        format!(
            "frames = 2\nfps = 10\nnumerics.max_step = \"0.5 ms\"\n{JELLY}[[bodies]]\nmaterial = \"jelly\"\nshape = {{ box = {{ size = [0.6, 0.6], center = [0.5, 0.3] }} }}\n\
             [[colliders]]\nshape = {{ half_space = {{ normal = [0, 1] }} }}\ncontact = \"sticky\"\nmotion = {motion}\n"
        )
    };
    let momentum = |motion: &str| {
        let scene = Scene::parse(&text(motion), "a.toml", "a", Path::new("")).unwrap();
        let mut world = scene.build::<f64, 2>(Exec::new(1).unwrap()).unwrap();
        world.advance(0.2).unwrap();
        world.totals().momentum
    };
    let steady = momentum("{ velocity = [0.5, 0.1], spin = 0.3, pivot = [0.5, 0] }");
    let path = momentum(
        "{ pivot = [0.5, 0], path = { translate = [\"0.5*t\", \"0.1*t\"], rotate = \"0.3*t\" } }",
    );
    let other = momentum("{ pivot = [0.5, 0], path = { translate = [\"0.5*t\", \"0.1*t\"] } }");
    for a in 0..2 {
        assert!(
            (steady[a] - path[a]).abs() < 1e-4 * steady[a].abs(),
            "{steady:?} {path:?}"
        );
    }
    assert!(
        (steady[1] - other[1]).abs() > 1e-3 * steady[1].abs(),
        "{steady:?} {other:?}"
    );
}

/// Wind takes matter along at the rate that it says, however long the step is.
#[test]
fn wind_has_its_response_time() {
    let text = format!(
        "frames = 2\nfps = 10\ngravity = [0, 0]\n{JELLY}[[bodies]]\nmaterial = \"jelly\"\nshape = {{ sphere = {{ radius = 0.5 }} }}\n\
         [[forces]]\nwind = {{ velocity = [\"3 m/s\", 0], response = \"0.1 s\" }}\n"
    );
    let scene = Scene::parse(&text, "a.toml", "a", Path::new("")).unwrap();
    let mut world = scene.build::<f64, 2>(Exec::new(1).unwrap()).unwrap();
    world.advance(0.2).unwrap();
    let t = world.totals();
    let exact = 3.0 * (1.0 - (-2.0f64).exp());
    assert!(
        (t.momentum[0] / t.mass - exact).abs() < 1e-3 * exact,
        "{}",
        t.momentum[0] / t.mass
    );
}

/// Every preset of the library is well-formed, and a material may change some of it.
#[test]
fn presets_are_materials() {
    for name in thixo_scene::Preset::names() {
        let preset =
            thixo_scene::Preset::find(name).unwrap_or_else(|| panic!("{name} does not parse"));
        for words in [&preset.title, &preset.text, &preset.source, &preset.check] {
            assert!(words.len() > 3, "{name}: {words}");
        }
        for (material, own) in [
            (name, ""),
            ("own", "[materials.own]\npreset = \"@\"\ndensity = 1234\n"),
        ] {
            let own = own.replace('@', name);
            let text = format!(
                "dimension = 2\nresolution = \"draft\"\n{own}[[bodies]]\nmaterial = \"{material}\"\nshape = {{ sphere = {{ radius = \"10 cm\" }} }}\n"
            );
            let scene = Scene::parse(&text, "a.toml", "a", Path::new("")).unwrap();
            let world = scene
                .build::<f32, 2>(Exec::new(1).unwrap())
                .unwrap_or_else(|e| panic!("{name}: {e}"));
            let t = world.totals();
            let count = t.particles as f64;
            assert!(
                (500.0..2000.0).contains(&count),
                "draft has {count} particles"
            );
            if material == "own" {
                assert!((t.mass / t.volume - 1234.0).abs() < 1.0);
            }
        }
    }
}
