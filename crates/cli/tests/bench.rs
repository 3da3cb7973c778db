//! `thixo bench` as a user and a script type it. Rates depend on the machine: only what must hold anywhere.

#[allow(dead_code)] // the scene of other tests
mod common;

use common::{json, text, thixo};
use serde_json::Value;

/// The works that a script may ask for.
const WORKS: [&str; 30] = [
    "jelly",
    "nh",
    "snow",
    "sand",
    "water",
    "2d-jelly",
    "2d-nh",
    "2d-snow",
    "2d-sand",
    "2d-water",
    "f64-jelly",
    "f64-nh",
    "f64-snow",
    "f64-sand",
    "f64-water",
    "cubic-jelly",
    "cubic-nh",
    "cubic-snow",
    "cubic-sand",
    "cubic-water",
    "10m-jelly",
    "10m-nh",
    "10m-snow",
    "10m-sand",
    "10m-water",
    "far-jelly",
    "inverted-jelly",
    "strained-jelly",
    "scene-snowball",
    "scene-mix",
];
const KEYS: [&str; 10] = [
    "bytes_per_particle",
    "first_substep",
    "mean_height",
    "mps",
    "ns_per_particle",
    "particles",
    "phases",
    "simd",
    "threads",
    "work",
];

/// The rows of a short measurement.
fn bench(args: &[&str]) -> Vec<Value> {
    let dir = tempfile::tempdir().unwrap();
    let short = ["--particles", "4000", "--steps", "2", "--json"];
    let out = thixo(dir.path(), &[&["bench"][..], args, &short].concat());
    json(&out).as_array().unwrap().clone()
}

fn keys(row: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> = row
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    keys.sort();
    keys
}

#[test]
fn every_work_runs_and_says_what_scripts_read() {
    let rows = bench(&[&WORKS[..], &["--repeat", "1"]].concat());
    let names: Vec<&str> = rows.iter().map(|r| r["work"].as_str().unwrap()).collect();
    assert_eq!(names, WORKS);
    for row in &rows {
        let name = row["work"].as_str().unwrap();
        let number = |key: &str| row[key].as_f64().unwrap();
        let (rate, each) = (number("mps"), number("ns_per_particle"));
        assert!((rate * each / 1e3 - 1.0).abs() < 1e-9, "{row}");
        assert!(number("first_substep") > 0.0 && number("mean_height") > 0.0);
        assert!(number("threads") >= 1.0);
        let particles = number("particles");
        if name.starts_with("scene-") {
            assert!(number("share_of_bare") > 0.0, "{row}");
            assert_eq!(keys(row).iter().filter(|k| !KEYS.contains(k)).count(), 1);
            assert!((2000.0..8000.0).contains(&particles), "{row}");
        } else {
            assert_eq!(keys(row), KEYS);
            assert_eq!(particles, 4000.0);
        }
        let phases = row["phases"].as_object().unwrap();
        assert_eq!(
            keys(&row["phases"]),
            ["gather", "grid", "scatter", "sort", "stress"]
        );
        // Waking threads takes time, too, more of it on a busy machine.
        let seconds = |phase: &str| phases[phase].as_f64().unwrap();
        let sum: f64 = phases.keys().map(|p| seconds(p)).sum();
        assert!(sum <= each * particles * 1e-9, "{row}");
        for phase in ["stress", "scatter", "grid", "gather"] {
            assert!(seconds(phase) > 0.0, "{row}");
        }
    }
}

#[test]
fn without_names_it_is_the_common_work() {
    let rows = bench(&["--threads", "1", "--repeat", "3"]);
    let names: Vec<&str> = rows.iter().map(|r| r["work"].as_str().unwrap()).collect();
    assert_eq!(names, WORKS[..5]);
    // 11 substeps of free fall from the middle of the cube, whose places are uniform random.
    let side = 500f64.cbrt() / 128.0;
    let t = 11e-4;
    let middle = 4.0 / 128.0 + 0.5 * side - t - 0.5 * 9.8 * t * t;
    for row in &rows {
        assert_eq!(row["threads"], 1);
        let height = row["mean_height"].as_f64().unwrap();
        assert!((height - middle).abs() < 1e-3, "{height} {middle}");
        if cfg!(target_os = "linux") {
            let bytes = row["bytes_per_particle"].as_f64().unwrap();
            assert!((80.0..20_000.0).contains(&bytes), "{row}");
        }
    }
}

#[test]
fn an_unknown_work_is_one_error() {
    let dir = tempfile::tempdir().unwrap();
    let out = thixo(dir.path(), &["bench", "jely"]);
    assert_eq!(out.status.code(), Some(2));
    let said = text(&out.stderr);
    assert!(
        said.contains("invalid value 'jely'") && said.contains("'jelly'"),
        "{said}"
    );
    assert_eq!(said.matches("error").count(), 1, "{said}");
    assert!(out.stdout.is_empty());
    let lines = thixo(
        dir.path(),
        &["bench", "jelly", "--particles", "1000", "--steps", "1"],
    );
    assert!(
        text(&lines.stdout).starts_with("jelly "),
        "{}",
        text(&lines.stdout)
    );
}
