//! Scenes and meshes that are missing or broken: an error that names the file.

use std::path::Path;

use thixo_grid::Exec;
use thixo_scene::{Scene, SceneError};

fn outcome(text: &str, folder: &Path) -> Result<(), SceneError> {
    let scene = Scene::parse(text, "a.toml", "a", folder)?;
    scene.build::<f32, 3>(Exec::new(1).unwrap()).map(|_| ())
}

#[test]
fn meshes_that_are_missing_or_open() {
    let dir = tempfile::tempdir().unwrap();
    let scene = |file: &str| {
        format!(
            "resolution = 0.1\n[materials.snow]\nlaw = \"snow\"\ndensity = 400\n[[bodies]]\nmaterial = \"snow\"\nshape = {{ mesh = {{ file = \"{file}\" }} }}\n"
        )
    };
    let e = outcome(&scene("no.obj"), dir.path())
        .unwrap_err()
        .to_string();
    assert!(e.starts_with("a.toml:7:27: there is no mesh file"), "{e}");
    assert!(
        e.ends_with("no.obj; files are looked for in the scene's own folder"),
        "{e}"
    );
    let tetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n";
    std::fs::write(dir.path().join("open.obj"), tetrahedron).unwrap();
    let e = outcome(&scene("open.obj"), dir.path())
        .unwrap_err()
        .to_string();
    assert!(
        e.starts_with("a.toml:7:27: mesh open.obj is open; 3 edges have one triangle; close it"),
        "{e}"
    );
    std::fs::write(
        dir.path().join("closed.obj"),
        format!("{tetrahedron}f 2 3 4\n"),
    )
    .unwrap();
    outcome(&scene("closed.obj"), dir.path()).unwrap();
    std::fs::write(dir.path().join("bad.obj"), "v 0 0\nf 1 2 9\n").unwrap();
    let e = outcome(&scene("bad.obj"), dir.path())
        .unwrap_err()
        .to_string();
    assert!(e.starts_with("a.toml:7:27: cannot read mesh"), "{e}");
}

#[test]
fn scenes_that_are_not_there() {
    let e = Scene::load("snowbal").unwrap_err().to_string();
    assert_eq!(
        e,
        "`snowbal` is neither a scene file nor a built-in scene; did you mean `snowball`?"
    );
    let e = Scene::load("no/such.toml").unwrap_err().to_string();
    assert!(e.starts_with("cannot read scene no/such.toml: "), "{e}");
    assert!(
        Scene::load("/")
            .unwrap_err()
            .to_string()
            .contains("it is not a file")
    );
}
