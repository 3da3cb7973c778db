//! A short run finds nothing; the control is found out in every way.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use thixo_fuzz::play::{Play, play};
use thixo_fuzz::rng::Rng;
use thixo_fuzz::scenes::{Wish, random};
use thixo_fuzz::supervise::{Order, Report, run};
use thixo_fuzz::target;

fn order(cases: u64, only: Option<&str>, folder: &Path) -> Order {
    Order {
        cases,
        seed: 11,
        only: only.map(String::from),
        seconds: 8.0,
        patience: 15.0,
        jobs: 1,
        folder: folder.join("findings"),
        program: env!("CARGO_BIN_EXE_thixo-fuzz").into(),
    }
}

#[test]
fn a_short_run_finds_nothing_and_gets_deep() {
    let folder = tempfile::tempdir().unwrap();
    let report = run(&order(3000, None, folder.path())).unwrap();
    assert!(report.findings.is_empty(), "{}", report.text(folder.path()));
    assert!(report.cases() > 200, "{}", report.text(folder.path()));
    for name in ["scene", "state", "obj", "stl"] {
        let depths = report.counts[name].depths;
        assert!(depths[0] > 0 || name == "state", "{name}: {depths:?}");
        assert!(depths[3] > 0, "{name}: {depths:?}");
    }
}

/// The seed whose first eight cases are the eight ways of the control.
fn every_way(folder: &Path) -> u64 {
    let control = target::make("control", folder).unwrap();
    let all = |seed: &u64| {
        let inputs = (0..8).map(|case| control.input(&mut Rng::new(*seed, case)));
        let mut inputs: Vec<Vec<u8>> = inputs.collect();
        inputs.sort();
        inputs.dedup();
        inputs.len() == 7 && inputs.iter().any(|i| i == b"wrong")
    };
    (0..).find(all).unwrap()
}

#[test]
fn the_control_is_found_out() {
    let folder = tempfile::tempdir().unwrap();
    let mut order = order(8, Some("control"), folder.path());
    order.seed = every_way(folder.path());
    order.seconds = 100.0;
    order.patience = 2.0;
    let report: Report = run(&order).unwrap();
    let mut kinds: Vec<&str> = report.findings.iter().map(|f| f.kind.as_str()).collect();
    kinds.sort();
    let all = ["hang", "memory", "panic", "slow", "stack", "wrong"];
    kinds.dedup();
    assert_eq!(kinds, all, "{}", report.text(folder.path()));
    for f in &report.findings {
        let name = thixo_fuzz::supervise::file(f, order.seed, "txt");
        let saved = std::fs::read_to_string(order.folder.join(name)).unwrap();
        assert_eq!(saved, f.kind);
    }
    // The command says so too.
    let mut command = Command::new(&order.program);
    command.args(["--target", "control", "--cases", "8", "--patience", "2"]);
    command.args(["--seed", &order.seed.to_string(), "--findings"]);
    let said = command.arg(&order.folder).output().unwrap();
    assert_eq!(said.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&said.stdout).contains("FINDING panic"));
}

#[test]
fn a_few_random_scenes_run_soundly() {
    for i in 0..8 {
        let wish = Wish {
            linear: false,
            ..Wish::small()
        };
        let made = random(&mut Rng::new(1, i), &wish);
        let how = Play {
            patience: Duration::from_secs(1),
            threads: i == 1,
            halves: i == 2,
        };
        let played = play(&made.text, &how);
        assert!(
            played.findings.is_empty(),
            "{i}: {:?}\n{}",
            played.findings,
            made.text
        );
        assert!(played.steps > 0);
    }
}

/// What cannot go well is told.
#[test]
fn a_scene_that_cannot_run_is_a_finding() {
    let how = Play {
        patience: Duration::from_secs(1),
        threads: false,
        halves: false,
    };
    let text = "dimension = 2\nresolution = 0.1\n[materials.a]\nlaw = \"snow\"\ndensity = 400\n\
                [[bodies]]\nmaterial = \"a\"\nshape = { box = { from = [0, -0.5], to = [1, 0.5] } }\n\
                [[colliders]]\ncontact = \"sticky\"\nshape = { half_space = { normal = [0, 1], point = [0, 9] } }\n";
    let played = play(text, &how);
    assert_eq!(played.findings[0].0, "refused", "{played:?}");
}
