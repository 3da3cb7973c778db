//! Runs that are stopped, killed, damaged, taken farther and branched off. Set THIXO_LONG=1 for 20 kills.

mod common;

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

use common::{SCENE, command, json, text, thixo};

/// A folder with the scene in it, and the outcome of an undisturbed run.
fn undisturbed() -> (tempfile::TempDir, serde_json::Value) {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("snow.toml"), SCENE).unwrap();
    let out = thixo(
        dir.path(),
        &RUN.iter()
            .copied()
            .chain(["--out", "whole"])
            .collect::<Vec<_>>(),
    );
    let summary = json(&out);
    (dir, summary)
}

const RUN: [&str; 6] = [
    "run",
    "snow.toml",
    "--json",
    "--threads",
    "2",
    "--no-pictures",
];

fn same_outcome(dir: &Path, summary: &serde_json::Value, whole: &serde_json::Value, out: &str) {
    for key in ["state_hash", "steps", "particles", "mass", "energy"] {
        assert_eq!(summary[key], whole[key], "{key}");
    }
    // The ledger but for the wall time, the probe, and every particle file are the same too.
    let table = |folder: &str| -> Vec<String> {
        let text = fs::read_to_string(dir.join(folder).join("ledger.csv")).unwrap();
        text.lines()
            .map(|l| l.rsplit_once(',').unwrap().0.to_string())
            .collect()
    };
    assert_eq!(table(out), table("whole"));
    let mut names: Vec<_> = fs::read_dir(dir.join("whole/particles"))
        .unwrap()
        .map(|e| e.unwrap().file_name())
        .collect();
    names.sort();
    assert!(names.len() > 40, "{names:?}");
    let files = names.iter().map(|n| Path::new("particles").join(n));
    for file in files.chain(["probes/middle.csv".into(), "scene.toml".into()]) {
        let read = |folder: &str| fs::read(dir.join(folder).join(&file)).unwrap();
        assert!(read(out) == read("whole"), "{}", file.display());
    }
}

#[test]
fn a_killed_run_goes_on_to_the_same_end() {
    let (dir, whole) = undisturbed();
    let long = std::env::var_os("THIXO_LONG").is_some();
    let kills = if long { 20 } else { 4 };
    let time = whole["wall_seconds"].as_f64().unwrap();
    let mut random = 0x1234_5678u64;
    let (mut hits, mut resumed) = (0, 0);
    for round in 0..kills {
        random = random
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        let share = (random >> 11) as f64 / (1u64 << 53) as f64;
        let out = format!("killed{round}");
        let mut child = command(dir.path())
            .args(RUN)
            .args(["--out", &out])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        sleep(Duration::from_secs_f64(time * share));
        child.kill().unwrap(); // SIGKILL
        hits += usize::from(!child.wait().unwrap().success());
        if !dir.path().join(&out).join("run.json").exists() {
            continue; // killed before the request was on disk
        }
        // The resumed run is killed once more.
        let mut child = command(dir.path())
            .args(["resume", &out])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        sleep(Duration::from_secs_f64(0.3 * time * (1.0 - share)));
        child.kill().unwrap();
        child.wait().unwrap();
        let summary = json(&thixo(
            dir.path(),
            &["resume", &out, "--json", "--threads", "1"],
        ));
        same_outcome(dir.path(), &summary, &whole, &out);
        resumed += 1;
    }
    assert!(
        hits >= kills / 2 && resumed >= kills / 2,
        "{hits} hits, {resumed} resumed"
    );
}

#[cfg(unix)]
#[test]
fn a_stopped_run_saves_and_says_how_to_go_on() {
    let (dir, whole) = undisturbed();
    for signal in ["-INT", "-TERM"] {
        let out = format!("stopped{signal}");
        let child = command(dir.path())
            .args(RUN)
            .args(["--out", &out])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let states = dir.path().join(&out).join("states/frame_0002.thixo");
        while !states.exists() {
            sleep(Duration::from_millis(5));
        }
        sleep(Duration::from_millis(15));
        let id = child.id().to_string();
        std::process::Command::new("kill")
            .args([signal, &id])
            .status()
            .unwrap();
        let ended = child.wait_with_output().unwrap();
        assert_eq!(ended.status.code(), Some(130), "{}", text(&ended.stderr));
        let said = text(&ended.stderr);
        assert!(said.contains(&format!("thixo resume {out}")), "{said}");
        let info = json(&thixo(dir.path(), &["info", &out, "--json"]));
        assert_eq!(info["complete"], false);
        let summary = json(&thixo(dir.path(), &["resume", &out, "--json"]));
        same_outcome(dir.path(), &summary, &whole, &out);
        assert!(!dir.path().join(&out).join("states/now.thixo").exists());
    }
}

#[test]
fn finished_unbegun_and_damaged_runs_go_on_as_they_should() {
    let (dir, whole) = undisturbed();
    let here = dir.path();
    // A finished run prints the same summary.
    assert_eq!(json(&thixo(here, &["resume", "whole", "--json"])), whole);
    // One without a frame starts anew.
    let copy = |to: &str| {
        let status = std::process::Command::new("cp")
            .args(["-r", "whole", to])
            .current_dir(here)
            .status();
        assert!(status.unwrap().success());
        fs::remove_file(here.join(to).join("summary.json")).unwrap();
    };
    copy("unbegun");
    fs::remove_dir_all(here.join("unbegun/states")).unwrap();
    let out = thixo(here, &["resume", "unbegun", "--json"]);
    assert!(text(&out.stderr).contains("starts anew"));
    same_outcome(here, &json(&out), &whole, "unbegun");
    // A damaged state is named and passed over.
    copy("damaged");
    for (frame, how) in [("0012", 0), ("0011", 1)] {
        let path = here.join(format!("damaged/states/frame_{frame}.thixo"));
        let mut bytes = fs::read(&path).unwrap();
        if how == 0 {
            bytes.truncate(bytes.len() / 2);
        } else {
            let middle = bytes.len() / 2;
            bytes[middle] ^= 4;
        }
        fs::write(&path, bytes).unwrap();
    }
    let out = thixo(here, &["resume", "damaged", "--json"]);
    let said = text(&out.stderr);
    assert!(
        said.contains("frame_0012.thixo") && said.contains("frame_0011.thixo"),
        "{said}"
    );
    assert!(said.contains("going on from frame 10"), "{said}");
    same_outcome(here, &json(&out), &whole, "damaged");
    // Farther than it was asked for first.
    copy("farther");
    let summary = json(&thixo(
        here,
        &["resume", "farther", "--frames", "14", "--json"],
    ));
    assert_eq!(summary["frames"], 14);
    let direct = [&RUN[..], &["--frames", "14", "--out", "direct"]].concat();
    assert_eq!(
        json(&thixo(here, &direct))["state_hash"],
        summary["state_hash"]
    );
    let out = thixo(here, &["resume", "farther", "--frames", "3"]);
    assert_eq!(out.status.code(), Some(2), "{}", text(&out.stderr));
}

#[test]
fn only_every_nth_state_is_kept_when_asked() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("snow.toml"), SCENE).unwrap();
    let args = ["--keep", "5", "--formats", "none", "--out", "few"];
    let out = thixo(dir.path(), &[&RUN[..], &args].concat());
    json(&out);
    let info = json(&thixo(dir.path(), &["info", "few", "--json"]));
    assert_eq!(info["states"], serde_json::json!([0, 5, 10, 12]));
    assert!(!dir.path().join("few/pictures").exists());
    assert!(!dir.path().join("few/particles").exists());
}

#[test]
fn a_branch_goes_its_own_way() {
    let (dir, whole) = undisturbed();
    let here = dir.path();
    // Without a change it goes the same way.
    let same = json(&thixo(here, &["resume", "whole", "--from", "5", "--json"]));
    assert_eq!(same["state_hash"], whole["state_hash"]);
    assert_eq!(same["out"], "whole-from-5");
    // A value of the same law, gravity, another transfer, another force, and another law.
    let mut hashes = vec![whole["state_hash"].clone()];
    for (out, set) in [
        ("light", "materials.snow.density=200"),
        ("moon", "gravity=[0, \"-1.6 m/s^2\"]"),
        ("lively", "numerics.transfer={ apic_flip = 0.9 }"),
        ("classical", "numerics.force=\"gradient\""),
        (
            "honey",
            "materials.snow={ law = \"liquid\", density = 1400, bulk_modulus = \"200 kPa\", viscosity = \"10 Pa s\" }",
        ),
    ] {
        let args = [
            "resume", "whole", "--from", "5", "--set", set, "--out", out, "--json",
        ];
        let summary = json(&thixo(here, &args));
        assert_eq!(summary["lost_particles"], 0);
        assert!(
            !hashes.contains(&summary["state_hash"]),
            "{out} goes the same way"
        );
        hashes.push(summary["state_hash"].clone());
    }
    let mass = |folder: &str| -> Vec<f64> {
        let text = fs::read_to_string(here.join(folder).join("ledger.csv")).unwrap();
        let mut lines = text.lines();
        let at = lines
            .next()
            .unwrap()
            .split(',')
            .position(|n| n == "mass")
            .unwrap();
        lines
            .map(|l| l.split(',').nth(at).unwrap().parse().unwrap())
            .collect()
    };
    let (before, light) = (mass("whole"), mass("light"));
    // Half of the snow's mass is gone, none of the grit's: the disc has 0.04 π m² of snow.
    let snow = 400.0 * 0.04 * std::f64::consts::PI;
    assert!(
        (before[5] - light[0] - 0.5 * snow).abs() < 0.1 * snow,
        "{} {}",
        before[5],
        light[0]
    );
    // A branch whose first frame was lost begins again where it branched off.
    fs::remove_dir_all(here.join("moon/states")).unwrap();
    fs::remove_file(here.join("moon/summary.json")).unwrap();
    let again = json(&thixo(here, &["resume", "moon", "--json"]));
    assert_eq!(again["state_hash"], hashes[2]);
    // What cannot be is said.
    for (args, words) in [
        (
            vec!["resume", "whole", "--from", "77"],
            "no state of frame 77",
        ),
        (vec!["resume", "whole", "--set", "gravity=[0,0]"], "--from"),
        (
            vec![
                "resume",
                "whole",
                "--from",
                "5",
                "--set",
                "resolution=\"1 cm\"",
            ],
            "resolution",
        ),
        (
            vec!["resume", "whole", "--from", "5", "--out", "whole"],
            "folder of its own",
        ),
        (vec!["resume", "nowhere"], "nowhere"),
        (vec!["resume", "."], "not the folder of a run"),
    ] {
        let out = thixo(here, &args);
        let said = text(&out.stderr);
        assert!(
            !out.status.success() && said.contains(words),
            "{args:?}: {said}"
        );
        assert!(!said.contains("panicked"), "{said}");
    }
}

#[test]
fn a_folder_that_vanishes_stops_the_run_cleanly() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("snow.toml"), SCENE).unwrap();
    let child = command(dir.path())
        .args(RUN)
        .args(["--out", "gone", "--frames", "1000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let gone = dir.path().join("gone");
    while !gone.join("states/frame_0001.thixo").exists() {
        sleep(Duration::from_millis(5));
    }
    fs::rename(&gone, dir.path().join("moved")).unwrap();
    let ended = child.wait_with_output().unwrap();
    let said = text(&ended.stderr);
    assert_eq!(ended.status.code(), Some(1), "{said}");
    assert!(
        said.contains("cannot write") && said.contains("resume"),
        "{said}"
    );
    // What was finished is whole, where it is now.
    let info = json(&thixo(dir.path(), &["info", "moved", "--json"]));
    let last = info["states"]
        .as_array()
        .unwrap()
        .last()
        .unwrap()
        .as_u64()
        .unwrap();
    let state = format!("moved/states/frame_{last:04}.thixo");
    json(&thixo(dir.path(), &["info", &state, "--json"]));
}
