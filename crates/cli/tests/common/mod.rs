//! What the tests of the command share.

use std::path::Path;
use std::process::{Command, Output};

/// A scene of some seconds, in which everything happens that a restart could miss: plastic flow, a
/// moving obstacle, matter that comes in and goes out, a probe.
pub const SCENE: &str = r#"
title = "Snow falls on a plate that moves"
dimension = 2
resolution = "2 cm"
fps = 40
frames = 12
[materials.snow]
law = "snow"
density = "400 kg/m^3"
hardening_limit = 3
[materials.grit]
law = "sand"
density = "1600 kg/m^3"
youngs_modulus = "500 kPa"
poissons_ratio = 0.3
friction_angle = "30 deg"
[[bodies]]
material = "snow"
shape = { sphere = { center = [0, "40 cm"], radius = "20 cm" } }
velocity = ["1 m/s", "-4 m/s"]
[[emitters]]
material = "grit"
shape = { box = { size = ["10 cm", "6 cm"], center = ["-40 cm", "30 cm"] } }
velocity = ["2 m/s", "-1 m/s"]
[[drains]]
shape = { box = { from = ["30 cm", "-1 m"], to = ["2 m", "1 m"] } }
[[colliders]]
shape = { half_space = { normal = [0, 1] } }
contact = { friction = 0.5 }
motion = { path = { translate = [0, "0.05*sin(20*t)"] } }
[[probes]]
name = "middle"
shape = { sphere = { center = [0, 0.1], radius = 0.2 } }
"#;

/// The command, to be given arguments.
pub fn command(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_thixo"));
    command.current_dir(folder);
    command
}

/// Runs the command to its end.
pub fn thixo(folder: &Path, args: &[&str]) -> Output {
    command(folder).args(args).output().unwrap()
}

/// Bytes as text.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The last line of a command that must succeed, as JSON.
pub fn json(out: &Output) -> serde_json::Value {
    assert!(out.status.success(), "{}", text(&out.stderr));
    serde_json::from_str(text(&out.stdout).lines().last().unwrap()).unwrap()
}
