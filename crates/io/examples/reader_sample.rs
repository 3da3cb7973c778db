//! Files for `tests/readers.py`, with what readers must find in them:
//! `cargo run --example reader_sample -- FOLDER`.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use thixo_core::PointSet;
use thixo_io::export::{self, Run};
use thixo_io::frames::FrameWriter;
use thixo_io::picture::{Bounds, View, render};
use thixo_io::sample;
use thixo_io::surface::{Mesh, Surfacing, surface};

type Done<T = ()> = Result<T, Box<dyn std::error::Error>>;

const FPS: f64 = 12.5;

fn main() -> Done {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("which folder?")?);
    thixo_io::atomic::folder(&folder.join("pictures"))?;
    let frames = [(0, 0.0), (1, 0.1 + 0.2)];
    let run = Run {
        folder: folder.clone(),
        scene: "sample".into(),
        fps: FPS,
        resume: None,
    };
    let names: Vec<_> = export::point_formats().iter().map(|f| f.0).collect();
    let mut points = export::points(&names, &run)?;
    let names: Vec<_> = export::surface_formats().iter().map(|f| f.0).collect();
    let mut surfaces = export::surfaces(&names, &run, Surfacing::default())?;
    // One stage per frame besides the stage of the run.
    let single = folder.join("single");
    let mut stages = FrameWriter::new(&single, "sample", &["usd"])?;
    let mut mesh_stages = FrameWriter::surfaces(&single, "sample", &["usd"])?;
    let mut expected = Vec::new();
    for (k, time) in frames {
        let sets = sets(k);
        points.frame(k as u64, time, &sets)?;
        let solid: Vec<PointSet> = sets.iter().filter(|s| s.dimension == 3).cloned().collect();
        surfaces.frame(k as u64, time, &solid)?;
        let meshes = solid
            .iter()
            .map(|s| surface(s, &Surfacing::default()))
            .collect::<Result<Vec<_>, _>>()?;
        let mut stage = stages.frame(k, time);
        sets.iter().try_for_each(|s| stage.add(&s.name, s))?;
        stage.finish()?;
        let mut stage = mesh_stages.frame(k, time);
        meshes.iter().try_for_each(|m| stage.add(&m.name, m))?;
        stage.finish()?;
        picture(&folder, k, &sets)?;
        expected.push(json!({
            "time": time,
            "sets": sets.iter().map(points_json).collect::<Vec<_>>(),
            "meshes": meshes.iter().map(mesh_json).collect::<Vec<_>>(),
        }));
    }
    points.finish()?;
    surfaces.finish()?;
    let expected = json!({"fps": FPS, "frames": expected});
    std::fs::write(folder.join("expected.json"), expected.to_string())?;
    Ok(())
}

/// A frame: the first set grows, one is empty, two have faces.
fn sets(frame: usize) -> [PointSet; 5] {
    let mut cube = sample::block(9 + 3 * frame, 3);
    cube.name = "cube <&> \"1\"".into();
    for (k, x) in cube.position.iter_mut().enumerate() {
        x[0] += 1e-9 * k as f64;
        cube.volume[k] *= 1.0 + 0.001 * (k % 100) as f32;
    }
    cube.scalars[1].1[0] = -0.0;
    let mut square = sample::block(9, 2);
    square.name = "square".into();
    square.id.iter_mut().for_each(|i| *i += 5_000_000_000);
    let mut empty = sample::block(0, 3);
    empty.name = "empty".into();
    let mut skin = sample::skin(4 + frame);
    for (k, x) in skin.position.iter_mut().enumerate() {
        x[1] += 1e-3 * sample::noise(k as u64);
    }
    let fine = (0..skin.position.len()).map(|k| 0.1 + k as f32).collect();
    skin.scalars = vec![("stretch".into(), fine)];
    let ring = sample::ring(60 + frame);
    [cube, square, empty, skin, ring]
}

fn picture(folder: &Path, frame: usize, sets: &[PointSet]) -> Done {
    let view = View {
        width: 320,
        height: 180,
        ..View::new(Bounds::of(sets))
    };
    let path = folder.join(format!("pictures/frame_{frame:04}.png"));
    Ok(render(sets, &view).write_png(&path)?)
}

/// The name that files have, and by chance also the prims.
fn stem(name: &str) -> &str {
    if name.starts_with("cube") {
        "cube______1_"
    } else {
        name
    }
}

fn points_json(s: &PointSet) -> Value {
    let scalars: serde_json::Map<_, _> = s
        .scalars
        .iter()
        .map(|(n, v)| (n.clone(), json!(v)))
        .collect();
    json!({"stem": stem(&s.name), "name": s.name, "material": s.material, "id": s.id,
        "dimension": s.dimension, "cell": s.cell, "spacing": s.spacing, "color": s.color,
        "position": s.position, "velocity": s.velocity, "mass": s.mass, "volume": s.volume,
        "scalars": scalars, "faces": s.faces})
}

fn mesh_json(m: &Mesh) -> Value {
    json!({"stem": stem(&m.name), "name": m.name, "material": m.material, "color": m.color,
        "position": m.position, "normal": m.normal, "velocity": m.velocity,
        "triangle": m.triangle, "volume": m.volume()})
}
