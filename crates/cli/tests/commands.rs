//! Every other command as a user types it.

mod common;

use std::fs;

use common::{SCENE, json, text, thixo};

#[test]
fn a_new_scene_is_right_and_explains_itself() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    assert!(thixo(here, &["new", "sub/my.toml"]).status.success());
    let again = thixo(here, &["new", "sub/my.toml"]);
    assert_eq!(again.status.code(), Some(2));
    assert!(text(&again.stderr).contains("--force"));
    let check = json(&thixo(here, &["check", "sub/my.toml", "--quick", "--json"]));
    assert!(check["particles"].as_f64().unwrap() > 1000.0);
    let out = thixo(
        here,
        &["check", "sub/my.toml", "--quick", "--set", "resolutoin=1"],
    );
    assert_eq!(out.status.code(), Some(2));
    assert!(
        text(&out.stderr).contains("did you mean `resolution`"),
        "{}",
        text(&out.stderr)
    );
}

#[test]
fn a_built_in_scene_becomes_a_file_and_doubts_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    let made = thixo(here, &["new", "own.toml", "--scene", "bucket"]);
    assert!(made.status.success(), "{}", text(&made.stderr));
    assert!(
        fs::read_to_string(here.join("own.toml"))
            .unwrap()
            .contains("wet-sand")
    );
    let out = thixo(here, &["new", "b.toml", "--scene", "buckt"]);
    assert_eq!(out.status.code(), Some(2));
    assert!(text(&out.stderr).contains("bucket"));

    let doubts = |changes: &[&str]| {
        let mut words = vec!["check", "ball.toml", "--json"];
        changes.iter().for_each(|c| words.extend(["--set", c]));
        json(&thixo(here, &words))["doubts"].clone()
    };
    let ball = "dimension = 2\nresolution = 0.02\nframes = 16\n[[bodies]]\nmaterial = \"jelly\"\n\
        shape = { sphere = { center = [0, 0.3], radius = 0.2 } }\n[[colliders]]\ncontact = \"slip\"\n\
        shape = { half_space = { point = [0, 0], normal = [0, 1] } }\n";
    fs::write(here.join("ball.toml"), ball).unwrap();
    assert_eq!(doubts(&[]).as_array().unwrap().len(), 0);
    let sunk = doubts(&["colliders.0.shape.half_space.point=[0, 0.15]"]).to_string();
    assert!(sunk.contains("start inside"), "{sunk}");
    let falls = doubts(&["colliders=[]"]).to_string();
    assert!(falls.contains("falls freely"), "{falls}");
    let coarse = doubts(&["resolution=0.1"]).to_string();
    assert!(coarse.contains("coarse"), "{coarse}");
}

#[test]
fn a_run_of_another_scene_is_not_replaced_unasked() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    fs::write(here.join("a.toml"), SCENE).unwrap();
    fs::write(here.join("b.toml"), SCENE).unwrap();
    let run = |words: &[&str]| {
        let common = [
            "--out",
            "o",
            "--frames",
            "1",
            "--no-pictures",
            "--formats",
            "none",
        ];
        thixo(here, &[&["run"][..], words, &common].concat())
    };
    assert!(run(&["a.toml"]).status.success());
    assert!(run(&["a.toml", "--set", "fps=30"]).status.success());
    let refused = run(&["b.toml"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(
        text(&refused.stderr).contains("--force"),
        "{}",
        text(&refused.stderr)
    );
    assert!(run(&["b.toml", "--force"]).status.success());
    let branch = ["resume", "o", "--from", "0", "--frames", "1"];
    assert!(thixo(here, &branch).status.success());
    let refused = thixo(here, &branch);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("--force"));
    assert!(
        thixo(here, &[&branch[..], &["--force"]].concat())
            .status
            .success()
    );
    let set = ["render", "o", "--set", "bodies.0.velocity=[1,0]"];
    let refused = thixo(here, &set);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("resume --from"));
    let none = thixo(here, &["resume", "nowhere"]);
    assert!(
        text(&none.stderr).contains("no such folder"),
        "{}",
        text(&none.stderr)
    );
}

#[test]
fn a_check_is_near_what_the_run_takes() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    fs::write(here.join("snow.toml"), SCENE).unwrap();
    let args = [
        "snow.toml",
        "--set",
        "resolution=\"1.5 cm\"",
        "--frames",
        "6",
        "--json",
    ];
    let check = json(&thixo(here, &[&["check"][..], &args].concat()));
    let run = json(&thixo(here, &[&["run"][..], &args].concat()));
    for (guess, truth, factor) in [
        (&check["most_particles"], &run["particles"], 1.25),
        (&check["steps"], &run["steps"], 2.0),
    ] {
        let (guess, truth) = (guess.as_f64().unwrap(), truth.as_f64().unwrap());
        let ratio = guess / truth;
        assert!(ratio < factor && ratio > 1.0 / factor, "{guess} {truth}");
    }
    let info = json(&thixo(here, &["info", "out/snow", "--json"]));
    let ratio = check["disk_bytes"].as_f64().unwrap() / info["bytes"].as_f64().unwrap();
    assert!((0.5..2.0).contains(&ratio), "disk {ratio}");
    // Which time it takes depends on what else the machine does: only that it says something.
    assert!(check["seconds"].as_f64().unwrap() > 0.0);
    let plain = text(&thixo(here, &["check", "snow.toml"]).stdout);
    assert!(
        plain.contains("costs most") && plain.contains("memory"),
        "{plain}"
    );
}

#[test]
fn pictures_films_files_and_curves_of_a_run() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    fs::write(here.join("snow.toml"), SCENE).unwrap();
    json(&thixo(
        here,
        &[
            "run",
            "snow.toml",
            "--json",
            "--frames",
            "4",
            "--no-pictures",
        ],
    ));
    let run = "out/snow";
    let ok = |args: &[&str]| {
        let out = thixo(here, args);
        assert!(out.status.success(), "{args:?}: {}", text(&out.stderr));
        text(&out.stdout)
    };
    let refused = |args: &[&str], words: &str| {
        let out = thixo(here, args);
        let said = text(&out.stderr);
        assert_eq!(out.status.code(), Some(2), "{args:?}: {said}");
        assert!(said.contains(words), "{args:?}: {said}");
    };
    ok(&[
        "render", run, "--size", "320x180", "--film", "gif,mp4", "--color", "speed",
    ]);
    for file in ["frame_0000.png", "frame_0004.png", "snow.gif", "snow.mp4"] {
        let size = fs::metadata(here.join(run).join("render").join(file))
            .unwrap()
            .len();
        assert!(size > 500, "{file}");
    }
    let picture =
        |frame: &str| fs::read(here.join(run).join(format!("render/frame_{frame}.png"))).unwrap();
    assert_ne!(picture("0000"), picture("0004"));
    ok(&[
        "render", run, "--size", "320x180", "--film", "none", "--frames", "2..3", "--out", "two",
    ]);
    assert_eq!(fs::read_dir(here.join("two")).unwrap().count(), 2);
    refused(
        &["render", run, "--color", "warmth"],
        "there are material, speed",
    );
    refused(&["render", run, "--surface"], "2 dimensions");
    refused(&["render", run, "--frames", "50.."], "frames from 0 to 4");

    ok(&[
        "export",
        run,
        "--format",
        "usd,vtk,csv,npz,vdb,ply",
        "--out",
        "files",
    ]);
    for file in [
        "snow.usda",
        "snow.pvd",
        "snow_0004.csv",
        "grit_0003.npz",
        "snow_0002.vdb",
        "snow_0001.ply",
    ] {
        assert!(here.join("files/particles").join(file).is_file(), "{file}");
    }
    refused(&["export", run, "--format", "doc"], "there are");

    ok(&["plot", run]);
    let svg = fs::read_to_string(here.join(run).join("plot.svg")).unwrap();
    assert!(
        svg.contains("<svg")
            && svg.contains("kinetic energy")
            && svg.matches("<polyline").count() >= 8
    );
    ok(&[
        "plot",
        "out/snow/probes/middle.csv",
        "--columns",
        "mass,velocity_x+velocity_y",
        "--out",
        "p.svg",
    ]);
    assert!(here.join("p.svg").is_file());
    refused(&["plot", run, "--columns", "warmth"], "there are frame");

    let ledger = fs::read_to_string(here.join(run).join("ledger.csv")).unwrap();
    let names: Vec<&str> = ledger.lines().next().unwrap().split(',').collect();
    let at = |name: &str| names.iter().position(|n| *n == name).unwrap();
    for line in ledger.lines().skip(1) {
        let row: Vec<f64> = line.split(',').map(|x| x.parse().unwrap()).collect();
        assert_eq!(row[at("lost_particles")], 0.0);
        let sum =
            row[at("kinetic_energy")] + row[at("elastic_energy")] + row[at("potential_energy")];
        assert_eq!(row[at("total_energy")], sum);
    }
    assert_eq!(ledger.lines().count(), 6);
}

#[test]
fn completions_know_the_commands() {
    let dir = tempfile::tempdir().unwrap();
    for shell in ["bash", "zsh", "fish"] {
        let out = text(&thixo(dir.path(), &["completions", shell]).stdout);
        for word in ["resume", "render", "--no-pictures"] {
            let word = if shell == "fish" {
                word.trim_start_matches("--")
            } else {
                word
            };
            assert!(out.contains(word), "{shell}: {word}");
        }
    }
}
