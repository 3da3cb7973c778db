//! Bad scenes: each gives one error with file, line, the offending key and a remedy.

use std::path::Path;

use thixo_grid::Exec;
use thixo_scene::{Scene, SceneError};

const GOOD: &str = include_str!("good.toml");

fn outcome(text: &str, folder: &Path) -> Result<(), SceneError> {
    let scene = Scene::parse(text, "a.toml", "a", folder)?;
    let exec = Exec::new(1).unwrap();
    match scene.dimension {
        2 => scene.build::<f32, 2>(exec).map(|_| ()),
        _ => scene.build::<f32, 3>(exec).map(|_| ()),
    }
}

/// The error of the good scene with one text put in the place of another.
fn changed(from: &str, to: &str) -> String {
    assert!(GOOD.contains(from), "{from}");
    let text = GOOD.replacen(from, to, 1);
    match outcome(&text, Path::new("")) {
        Ok(()) => panic!("`{to}` was accepted"),
        Err(e) => e.to_string(),
    }
}

#[test]
fn the_good_scene_is_good() {
    outcome(GOOD, Path::new("")).unwrap();
}

#[test]
fn every_mistake_has_its_message() {
    let mut wrong = String::new();
    for (from, to, message) in [
        // Keys
        (
            "gravity",
            "gravty",
            "a.toml:3:1: unknown key `gravty`; did you mean `gravity`?",
        ),
        (
            "velocity =",
            "speed =",
            "a.toml:14:1: unknown key `speed`; there are: name, material, shape, mesh, cloth, through_grid, held, velocity, spin, pivot",
        ),
        (
            "law = \"snow\"",
            "presett = \"wet-snow\"",
            "a.toml:7:1: unknown key `presett`; did you mean `preset`?",
        ),
        (
            "youngs_modulus",
            "young_modulus",
            "a.toml:9:1: unknown parameter `young_modulus` of `snow`; did you mean `youngs_modulus`?",
        ),
        (
            "sphere",
            "sphre",
            "a.toml:13:11: unknown shape `sphre`; did you mean `sphere`?",
        ),
        (
            "radius",
            "radus",
            "a.toml:13:39: unknown key `radus`; did you mean `radius`?",
        ),
        (
            "resolution = \"10 cm\"\n",
            "",
            "a.toml:1:1: `resolution` is missing; add a line `resolution = …` here",
        ),
        (
            "density = \"400 kg/m^3\"\n",
            "",
            "a.toml:6:12: material `snow` has no `density`; add density = \"400 kg/m^3\"",
        ),
        (
            "law = \"snow\"\n",
            "",
            "a.toml:6:12: material `snow` has no `law`; add law = \"snow\"",
        ),
        (
            ", radius = \"40 cm\"",
            "",
            "a.toml:13:20: `radius` is missing; add a line `radius = …` here",
        ),
        (
            "contact = { friction = 0.4 }\n",
            "",
            "a.toml:15:1: `contact` is missing; add a line `contact = …` here",
        ),
        (
            "frames = 2",
            "fps = 2",
            "a.toml:5:1: this key is given twice; remove one of them, or choose another name",
        ),
        // Types
        (
            "\"10 cm\"",
            "true",
            "a.toml:2:14: boolean `true` does not fit here; write a number (SI) or a text with a unit, such as \"25 cm\"",
        ),
        (
            "frames = 2",
            "frames = 2.5",
            "a.toml:4:10: frames is 2.5; write a whole number from 1 to 1000000",
        ),
        (
            "frames = 2",
            "frames = -2",
            "a.toml:4:10: frames is -2; write a whole number from 1 to 1000000",
        ),
        (
            "dimension = 2",
            "dimension = 4",
            "a.toml:1:13: a scene of 4 dimensions; write dimension = 2 or dimension = 3",
        ),
        (
            "law = \"snow\"",
            "law = 3",
            "a.toml:7:7: `law` is the number 3; write a name such as \"snow\"",
        ),
        (
            "0.2\n",
            "[0.2]\n",
            "a.toml:10:18: `poissons_ratio` is a list; write a single value",
        ),
        (
            "[0, -9.81]",
            "[0, -9.81, 0]",
            "a.toml:3:11: a vector of 3 numbers in a scene of 2 dimensions; write a list of 2, such as [0, 1.5]",
        ),
        (
            "[0, -9.81]",
            "-9.81",
            "a.toml:3:11: a single number in a scene of 2 dimensions; write a list of 2, such as [0, 1.5]",
        ),
        // Values
        (
            "\"10 cm\"",
            "\"10 kg\"",
            "a.toml:2:14: `10 kg` is not a length: it measures kg; write a length such as \"25 cm\"",
        ),
        (
            "\"10 cm\"",
            "\"10 cms\"",
            "a.toml:2:14: unknown unit `cms`, did you mean `cm`?; write a length such as \"25 cm\"",
        ),
        (
            "\"10 cm\"",
            "\"-10 cm\"",
            "a.toml:2:14: resolution is -0.1: it must be above 0; write a length such as \"25 cm\"",
        ),
        (
            "\"10 cm\"",
            "nan",
            "a.toml:2:14: `NaN` is not a finite number; write a length such as \"25 cm\"",
        ),
        (
            "-9.81",
            "inf",
            "a.toml:3:15: `inf` is not a finite number; write an acceleration such as \"9.81 m/s^2\"",
        ),
        (
            "\"400 kg/m^3\"",
            "-400",
            "a.toml:8:11: density is -400: it must be above 0; write a density such as \"400 kg/m^3\"",
        ),
        (
            "0.2\n",
            "0.5\n",
            "a.toml:10:18: `poissons_ratio` is 0.5: it must be above -1 and below 0.5; Sideways shrinking per stretch of a bar that is pulled; 0.5 is incompressible.",
        ),
        (
            "\"40 cm\"",
            "0",
            "a.toml:13:48: radius is 0: it must be above 0; write a length such as \"25 cm\"",
        ),
        (
            "0.4 }",
            "-0.4 }",
            "a.toml:18:24: friction is -0.4: it must be at least 0; write a pure number such as \"0.3\"",
        ),
        // Names
        (
            "law = \"snow\"",
            "law = \"snwo\"",
            "a.toml:7:7: unknown law `snwo`; did you mean `snow`?",
        ),
        (
            "material = \"snow\"",
            "material = \"ice\"",
            "a.toml:12:12: unknown material `ice`; there are: snow",
        ),
        (
            "{ friction = 0.4 }",
            "\"stiky\"",
            "a.toml:18:11: unknown choice `stiky`; did you mean `sticky`?",
        ),
        (
            "dimension = 2",
            "name = \"../x\"\ndimension = 2",
            "a.toml:1:8: `../x` cannot name a folder; use letters, digits, `-`, `_` and `.`, and start with a letter or digit",
        ),
        // Formulas
        (
            "\"x - y\"",
            "\"x - q\"",
            "a.toml:14:22: cannot read the formula `x - q`: unknown name `q`; there are x, y; write a speed such as \"3 m/s\", or a formula of x, y in SI units",
        ),
        ("\"x - y\"", "\"1/0*x\"", "a.toml:14:12: the velocity at"),
        // Geometry
        (
            "{ sphere",
            "{ torus = { radius = 1, tube = 0.1 }, sphere",
            "a.toml:13:9: two shapes are named here; name one, such as",
        ),
        (
            "sphere = { center = [0, 1], radius = \"40 cm\" }",
            "torus = { radius = 1, tube = 0.1 }",
            "a.toml:13:11: this shape exists in 3 dimensions only, the scene has 2; choose another shape, or change `dimension`",
        ),
        (
            "[0, 1], radius",
            "[0, -3], radius",
            "a.toml:13:9: this body is inside collider `ground`; move one of them",
        ),
        (
            "[materials.snow]",
            "periodic = { x = 4 }\n[[colliders]]\ncontact = \"slip\"\n\
             shape = { half_space = { point = [3.7, 0], normal = [-1, 0] } }\n[materials.snow]",
            "a.toml:7:1: collider `collider 1` ends at the seam of a periodic axis; what goes out",
        ),
        (
            "\"40 cm\"",
            "\"1 mm\"",
            "a.toml:13:9: the filling of this shape is empty; no point fits into it",
        ),
        (
            "sphere = { center = [0, 1], radius = \"40 cm\" }",
            "half_space = { normal = [0, 1] }",
            "a.toml:13:9: the filling of this shape has no end; intersect the shape with a box",
        ),
        (
            "sphere = { center = [0, 1], radius = \"40 cm\" }",
            "mesh = { file = \"no.obj\" }",
            "a.toml:13:11: this shape exists in 3 dimensions only",
        ),
        (
            "\"10 cm\"",
            "\"1 um\"",
            "a.toml:13:9: this body would need 2.0e12 particles, more than 3e8; use a coarser `resolution`",
        ),
        // Keys that would have no effect
        (
            "frames = 2",
            "picture = { color = \"presure\" }",
            "a.toml:4:21: unknown colouring `presure`; did you mean `pressure`?",
        ),
        (
            "frames = 2",
            "picture = { color = \"grain\" }",
            "a.toml:4:21: unknown colouring `grain`; there are: material, speed, density, pressure, stress, plastic_volume_ratio",
        ),
        (
            "frames = 2",
            "picture = { around = \"20 deg\" }",
            "a.toml:4:22: the camera of a scene of 2 dimensions does not turn; remove `around` and `above`",
        ),
        (
            "frames = 2",
            "picture = { above = 0.3 }",
            "a.toml:4:21: the camera of a scene of 2 dimensions does not turn; remove `around` and `above`",
        ),
        (
            "contact",
            "motion = { pivot = [1, 0], keys = [{ time = 0 }, { time = 1, translate = [1, 0] }] }\ncontact",
            "a.toml:18:20: a pivot, but no key turns about it; add `rotate` to a key, or remove `pivot`",
        ),
        (
            "contact",
            "motion = { keys = [{ time = 0 }, { time = 1, rotate = \"270 deg\" }] }\ncontact",
            "a.toml:18:55: a turn of half a circle or more since the key before; add a key in between",
        ),
        (
            "frames = 2",
            "numerics = { kernel = \"linear\", force = \"least-squares\" }",
            "a.toml:4:41: the linear kernel has no least-squares force; the multilinear kernel has only the gradient force",
        ),
        (
            "half_space = { normal = [0, 1] }",
            "height_field = { from = [-2, 0], to = [2, 0], spacing = 0.3, height = \"0\" }",
            "a.toml:17:67: a spacing of 0.3 does not divide the way from `from` to `to`; the nearest that does is spacing = 0.3076923076923077",
        ),
        (
            "half_space = { normal = [0, 1] }",
            "height_field = { from = [-2, 0], to = [2, 1], spacing = 0.5, height = \"0\" }",
            "a.toml:17:53: the corners of a height field have no height of their own; write 0 here",
        ),
        // Text that is no TOML
        ("gravity = [", "gravity = [[", "a.toml:4:1:"),
    ] {
        let found = changed(from, to);
        if !found.starts_with(message) {
            wrong += &format!("`{from}` → `{to}`:\n  found {found}\n  for   {message}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn names_are_unique() {
    let twice = format!(
        "{GOOD}[[colliders]]\nname = \"ground\"\nshape = {{ half_space = {{ normal = [0, 1] }} }}\ncontact = \"slip\"\n"
    );
    let e = outcome(&twice, Path::new("")).unwrap_err().to_string();
    assert_eq!(
        e,
        "a.toml:20:8: two colliders are called `ground`; choose another name"
    );
    let taken = format!(
        "{GOOD}[materials.ice]\nlaw = \"snow\"\ndensity = 900\n[[bodies]]\nname = \"snow\"\nmaterial = \"ice\"\nshape = {{ sphere = {{ center = [3, 3], radius = 1 }} }}\n"
    );
    let e = outcome(&taken, Path::new("")).unwrap_err().to_string();
    assert_eq!(
        e,
        "a.toml:23:8: the name `snow` is taken by matter of `snow`; choose another name: one name has one material"
    );
    let tables = GOOD.replace("[[bodies]]", "[materials.snow]\nlaw = \"sand\"\n[[bodies]]");
    let e = outcome(&tables, Path::new("")).unwrap_err().to_string();
    assert!(e.starts_with("a.toml:11:"), "{e}");
}

#[test]
fn an_empty_scene_is_refused() {
    let e = outcome("resolution = 0.1\n", Path::new(""))
        .unwrap_err()
        .to_string();
    assert_eq!(
        e,
        "a.toml:1:1: this scene is empty: it has neither bodies nor emitters; add a [[bodies]] table with a material and a shape"
    );
    assert!(
        outcome("", Path::new(""))
            .unwrap_err()
            .to_string()
            .contains("`resolution` is missing")
    );
}

/// Cut and mangled texts must give an error, never a panic.
#[test]
fn mangled_scenes_do_not_panic() {
    for cut in 0..GOOD.len() {
        let _ = outcome(&GOOD[..cut], Path::new(""));
    }
    for (i, c) in GOOD.char_indices().step_by(3) {
        for other in ["\"", "[", "{", "=", "9", "é", "-", "."] {
            let text = format!("{}{other}{}", &GOOD[..i], &GOOD[i + c.len_utf8()..]);
            // A digit may turn a size into one that fills the memory; only reading is tried then.
            if other == "9" {
                let _ = Scene::parse(&text, "a.toml", "a", Path::new(""));
            } else {
                let _ = outcome(&text, Path::new(""));
            }
        }
    }
}
