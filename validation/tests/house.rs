//! The house: a crate uses only crates above it, and no room depends on a room.

use std::path::{Path, PathBuf};

/// From the ground up. A crate may use only crates before it.
const FLOORS: &[&str] = &[
    "thixo-math",
    "thixo-shape",
    "thixo-material",
    "thixo-grid",
    "thixo-numerics",
    "thixo-core",
    "room",
    "thixo-io",
    "thixo-scene",
    "thixo",
    "thixo-validation",
    "thixo-cli",
    "thixo-fuzz",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Crates of solvers, by package name.
fn rooms() -> Vec<String> {
    let solvers = std::fs::read_dir(root().join("crates/solvers")).unwrap();
    solvers
        .map(|e| format!("thixo-{}", e.unwrap().file_name().to_string_lossy()))
        .collect()
}

fn floor(package: &str, rooms: &[String]) -> usize {
    let name = if rooms.iter().any(|r| r == package) {
        "room"
    } else {
        package
    };
    FLOORS
        .iter()
        .position(|f| *f == name)
        .unwrap_or_else(|| panic!("{package}: which floor?"))
}

/// The package's name and the crates of this house that it uses outside of tests.
fn manifest(text: &str) -> (String, Vec<String>) {
    let mut section = "";
    let (mut name, mut uses) = (String::new(), Vec::new());
    for line in text.lines() {
        let key = line.split(['=', '.', ' ']).next().unwrap_or_default();
        if line.starts_with('[') {
            section = line;
        } else if section == "[package]" && key == "name" {
            name = line.split('"').nth(1).unwrap_or_default().into();
        } else if section == "[dependencies]" && (key == "thixo" || key.starts_with("thixo-")) {
            uses.push(key.into());
        }
    }
    (name, uses)
}

/// What a manifest uses that it may not.
fn offences(text: &str, rooms: &[String]) -> Vec<String> {
    let (name, uses) = manifest(text);
    let own = floor(&name, rooms);
    let bad = uses.into_iter().filter(|u| floor(u, rooms) >= own);
    bad.map(|u| format!("{name} uses {u}")).collect()
}

#[test]
fn no_crate_uses_one_below_and_no_room_a_room() {
    let rooms = rooms();
    let crates = ["crates", "crates/solvers", "."].iter().flat_map(|d| {
        std::fs::read_dir(root().join(d))
            .unwrap()
            .map(|e| e.unwrap().path().join("Cargo.toml"))
    });
    let mut seen = 0;
    for path in crates.filter(|p| p.exists()) {
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(offences(&text, &rooms), Vec::<String>::new());
        seen += 1;
    }
    assert!(seen >= FLOORS.len(), "only {seen} crates were found");
}

#[test]
fn a_room_that_names_another_is_found() {
    let rooms = vec!["thixo-mpm".to_string(), "thixo-liquid".to_string()];
    let text = "[package]\nname = \"thixo-liquid\"\n[dependencies]\nthixo-mpm.workspace = true\n";
    assert_eq!(offences(text, &rooms), ["thixo-liquid uses thixo-mpm"]);
    let text = "[package]\nname = \"thixo-math\"\n[dependencies]\nthixo-grid.workspace = true\n";
    assert_eq!(offences(text, &rooms).len(), 1);
}
