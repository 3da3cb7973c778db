//! Files for `tests/readers.py`, with what readers must find in them:
//! `cargo run --example reader_sample -- FOLDER`.

use std::path::PathBuf;

use serde_json::json;
use thixo_core::Observer;
use thixo_io::frames::FrameWriter;
use thixo_io::picture::{Bounds, View, render};
use thixo_io::sample;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("which folder?")?);
    let mut cube = sample::block(12, 3);
    cube.name = "cube <&> \"1\"".into();
    cube.position
        .iter_mut()
        .enumerate()
        .for_each(|(k, x)| x[0] += 1e-9 * k as f64);
    let mut square = sample::block(9, 2);
    square.name = "square".into();
    square.id.iter_mut().for_each(|i| *i += 5_000_000_000);
    let mut empty = sample::block(0, 3);
    empty.name = "empty".into();
    let sets = [cube, square, empty];
    let view = View {
        width: 320,
        height: 180,
        ..View::new(Bounds::of(&sets))
    };
    let mut writer = FrameWriter::new(&folder, "sample", &["ply", "ply32", "vtk"])?;
    thixo_io::atomic::folder(&folder.join("pictures"))?;
    for (k, time) in [(0, 0.0), (1, 0.1 + 0.2)] {
        let mut frame = writer.frame(k, time);
        for set in &sets {
            frame.points(set)?;
        }
        frame.finish()?;
        let picture = folder.join(format!("pictures/frame_{k:04}.png"));
        render(&sets, &view).write_png(&picture)?;
    }
    let expected = sets
        .iter()
        .zip(["cube______1_", "square", "empty"])
        .map(|(s, stem)| {
            let scalars: serde_json::Map<_, _> = s
                .scalars
                .iter()
                .map(|(n, v)| (n.clone(), json!(v)))
                .collect();
            json!({"stem": stem, "name": s.name, "material": s.material, "id": s.id,
            "position": s.position, "velocity": s.velocity, "mass": s.mass, "volume": s.volume,
            "scalars": scalars})
        });
    let expected = json!({"times": [0.0, 0.1 + 0.2], "sets": expected.collect::<Vec<_>>()});
    std::fs::write(folder.join("expected.json"), expected.to_string())?;
    Ok(())
}
