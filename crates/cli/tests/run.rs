//! The command as a user types it: outputs, exit codes, and that results do not depend on how much
//! is asked for or how many threads there are.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const SCENE: &str = r#"
title = "A small disc falls"
dimension = 2
resolution = "5 cm"
fps = 20
frames = 3
[materials.snow]
law = "snow"
density = "400 kg/m^3"
[[bodies]]
material = "snow"
shape = { sphere = { center = [0, "40 cm"], radius = "20 cm" } }
velocity = ["1 m/s", "-4 m/s"]
[[colliders]]
shape = { half_space = { normal = [0, 1] } }
contact = { friction = 0.5 }
motion = { velocity = [0, "10 cm/s"] }
"#;

fn thixo(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_thixo"))
        .current_dir(folder)
        .args(args)
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn last_line(out: &Output) -> serde_json::Value {
    let text = text(&out.stdout);
    assert!(out.status.success(), "{}", self::text(&out.stderr));
    serde_json::from_str(text.lines().last().unwrap()).unwrap()
}

#[test]
fn a_run_leaves_everything_and_says_where() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("disc.toml"), SCENE).unwrap();
    let out = thixo(dir.path(), &["run", "disc.toml"]);
    assert!(out.status.success(), "{}", text(&out.stderr));
    assert!(
        text(&out.stdout).contains("out/disc/particles"),
        "{}",
        text(&out.stdout)
    );
    assert!(
        text(&out.stderr).contains("frame 3/3"),
        "{}",
        text(&out.stderr)
    );
    let folder = dir.path().join("out/disc");
    for file in [
        "scene.toml",
        "run.json",
        "ledger.csv",
        "states/frame_0003.thixo",
        "summary.json",
        "particles/disc.pvd",
    ] {
        assert!(folder.join(file).is_file(), "{file}");
    }
    for k in 0..=3 {
        for file in [
            format!("particles/snow_{k:04}.ply"),
            format!("particles/snow_{k:04}.vtp"),
            format!("pictures/frame_{k:04}.png"),
        ] {
            assert!(
                fs::metadata(folder.join(&file)).unwrap().len() > 100,
                "{file}"
            );
        }
    }
    let summary: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(folder.join("summary.json")).unwrap()).unwrap();
    assert_eq!(summary["scene"], "disc");
    assert_eq!(summary["dimension"], 2);
    assert_eq!(summary["precision"], "f32");
    assert_eq!(summary["frames"], 3);
    assert_eq!(summary["sim_seconds"], 3.0 / 20.0);
    assert_eq!(summary["momentum"].as_array().unwrap().len(), 2);
    let e = &summary["energy"];
    let sum: f64 = ["kinetic", "elastic", "potential"]
        .iter()
        .map(|k| e[k].as_f64().unwrap())
        .sum();
    assert_eq!(e["total"].as_f64().unwrap(), sum);

    // A shorter run in the same folder leaves no old frame behind.
    let out = thixo(
        dir.path(),
        &["run", "disc.toml", "--frames", "1", "--no-pictures"],
    );
    assert!(out.status.success());
    assert!(!folder.join("particles/snow_0002.ply").exists());
    assert!(!folder.join("pictures/frame_0000.png").exists());
}

#[test]
fn steps_depend_neither_on_frames_nor_on_threads() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("disc.toml"), SCENE).unwrap();
    let run = |frames: &str, threads: &str, out: &str| {
        let args = [
            "run",
            "disc.toml",
            "--json",
            "--no-pictures",
            "--frames",
            frames,
            "--threads",
            threads,
            "--out",
            out,
        ];
        last_line(&thixo(dir.path(), &args))
    };
    let short = run("2", "1", "a");
    let long = run("3", "3", "b");
    assert!(long["steps"].as_u64() > short["steps"].as_u64());
    let ply = |out: &str| fs::read(dir.path().join(out).join("particles/snow_0002.ply")).unwrap();
    assert_eq!(ply("a"), ply("b"), "frame 2 is the same in both");
    let again = run("3", "1", "c");
    assert_eq!(again["state_hash"], long["state_hash"]);
    assert_eq!(run("0", "1", "d")["steps"], 0);
}

/// As in `thixo run … 2>&1 | head -1`.
#[test]
fn a_closed_standard_error_stops_nothing() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("disc.toml"), SCENE).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_thixo"))
        .current_dir(dir.path())
        .args(["run", "disc.toml", "--json", "--no-pictures"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stderr.take());
    assert!(child.wait().unwrap().success());
    assert!(dir.path().join("out/disc/summary.json").is_file());
}

#[test]
fn mistakes_have_exit_codes_and_leave_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let fails = |name: &str, scene: &str, args: &[&str], code: i32, words: &[&str]| {
        let file = format!("{name}.toml");
        fs::write(dir.path().join(&file), scene).unwrap();
        let out = thixo(dir.path(), &[&["run", &file], args].concat());
        let error = text(&out.stderr);
        assert_eq!(out.status.code(), Some(code), "{name}: {error}");
        assert!(words.iter().all(|w| error.contains(w)), "{name}: {error}");
        assert!(out.stdout.is_empty());
        assert!(
            !dir.path().join("out").join(name).exists(),
            "{name} left something"
        );
    };
    let key = SCENE.replace("density", "densty");
    fails(
        "key",
        &key,
        &[],
        2,
        &["key.toml:9:1", "densty", "did you mean", "density"],
    );
    fails(
        "negative",
        &SCENE.replace("\"400 kg/m^3\"", "-1"),
        &[],
        2,
        &["negative.toml:9:11", "above 0"],
    );
    fails(
        "empty",
        "resolution = 1\n",
        &[],
        2,
        &["empty.toml:1:1", "empty"],
    );
    let open = SCENE.replace("sphere = {", "mesh = { file = \"no.stl\" }, sphere = {");
    fails("two", &open, &[], 2, &["two shapes"]);
    fs::write(dir.path().join("file"), "").unwrap();
    fails(
        "unwritable",
        SCENE,
        &["--out", "file/x"],
        1,
        &["cannot write", "file"],
    );
    fails("usage", SCENE, &["--threads", "0"], 2, &["--threads"]);
    let out = thixo(dir.path(), &["run", "snowbal"]);
    assert_eq!(out.status.code(), Some(2));
    assert!(
        text(&out.stderr).contains("did you mean `snowball`"),
        "{}",
        text(&out.stderr)
    );
    assert_eq!(thixo(dir.path(), &["rum"]).status.code(), Some(2));
}

#[test]
fn list_names_scenes_and_laws() {
    let dir = tempfile::tempdir().unwrap();
    let plain = text(&thixo(dir.path(), &["list"]).stdout);
    for word in [
        "snowball",
        "mix",
        "neo-hookean",
        "friction_angle",
        "half_space",
        "Pa",
    ] {
        assert!(
            plain.to_lowercase().contains(&word.to_lowercase()),
            "{word}"
        );
    }
    let json = last_line(&thixo(dir.path(), &["list", "--json"]));
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes");
    let files = std::fs::read_dir(folder).unwrap().count();
    assert_eq!(json["scenes"].as_array().unwrap().len(), files);
    assert!(
        json["laws"]
            .as_array()
            .unwrap()
            .iter()
            .any(|l| l["name"] == "snow")
    );
}
