//! OpenVDB files for `tests/vdb.py`, with what readers must find in them:
//! `cargo run --example vdb_sample -- FOLDER`.

use std::path::PathBuf;
use std::time::Instant;

use serde_json::json;
use thixo_core::PointSet;
use thixo_io::sample::{from_positions, noise};
use thixo_io::{atomic, vdb};

/// `n` points at random in a box of `size` around `centre` \[m\], with random masses, volumes and
/// velocities.
fn cloud(
    name: &str,
    dimension: usize,
    h: f64,
    n: u64,
    centre: [f64; 3],
    size: [f64; 3],
) -> PointSet {
    let random = |k: u64, column: u64| noise(10 * k + column);
    let x = |k| std::array::from_fn(|a| centre[a] + size[a] * (random(k, a as u64) - 0.5));
    let mut set = from_positions(name, dimension, h, (0..n).map(x).collect());
    for k in 0..n {
        let p = k as usize;
        set.mass[p] *= 0.5 + random(k, 3) as f32;
        set.volume[p] *= 0.5 + random(k, 4) as f32;
        for a in 0..dimension {
            set.velocity[p][a] += 8.0 * (random(k, 5 + a as u64) - 0.5) as f32;
        }
    }
    set
}

/// A full block of about 100 000 points that turns: one of the size that people write.
fn large() -> PointSet {
    let n = 46;
    let at = |k: usize| {
        let jitter = |a: u64| 0.5 * (noise(3 * k as u64 + a) - 0.5);
        let i = [k % n, k / n % n, k / n / n];
        std::array::from_fn(|a| (i[a] as f64 + 0.5 + jitter(a as u64)) * 0.01)
    };
    from_positions("large", 3, 0.01, (0..n * n * n).map(at).collect())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("which folder?")?);
    atomic::folder(&folder)?;
    // Around the origin (all signs of the root), full in places; the cell is no power of two.
    let mut cube = cloud("cube ü \"1\"", 3, 0.05, 3000, [0.0; 3], [1.1, 1.3, 0.9]);
    cube.volume.iter_mut().for_each(|v| *v *= 3.0);
    cube.volume[5] = -1e-4; // inverted: it fills nothing
    let square = cloud("square", 2, 0.1, 200, [0.3, -0.2, 0.0], [1.7; 3]);
    let far = cloud("far", 3, 0.125, 50, [250_000.0, -250_000.0, 1e6], [3.0; 3]);
    // Across a boundary of the root's children, at voxel 4096.
    let seam = cloud("seam", 3, 0.5, 60, [4096.0, -4096.0, 0.0], [5.0; 3]);
    let one = from_positions("one", 3, 0.125, vec![[0.06, 0.11, -0.07]]);
    let mut rest = from_positions("rest", 3, 0.125, vec![[0.125; 3], [0.25; 3]]);
    rest.mass.fill(0.0);
    let empty = from_positions("empty", 3, 0.125, vec![]);
    let mut small = cloud("small", 3, 1e-5, 40, [0.0; 3], [2e-4; 3]);
    small.material = "bacteria".into();
    // What motion blur is looked at with: a block that moves along x.
    let lattice = |k: usize| [k % 12, k / 12 % 12, k / 144].map(|i| (i as f64 - 5.5) * 0.05);
    let mut wind = from_positions("wind", 3, 0.05, (0..12 * 12 * 12).map(lattice).collect());
    wind.velocity.fill([12.0, 0.0, 0.0]);
    let mut expected = Vec::new();
    let sets = [cube, square, far, seam, one, rest, empty, small, wind];
    for (k, set) in sets.iter().enumerate() {
        let (file, time) = (format!("sample_{k}.vdb"), 0.1 + 0.2 * k as f64);
        atomic::write(&folder.join(&file), |w| vdb::write(w, set, time))?;
        expected.push(
            json!({"file": file, "time": time, "name": set.name, "material": set.material,
            "dimension": set.dimension, "cell": set.cell, "position": set.position,
            "velocity": set.velocity, "mass": set.mass, "volume": set.volume}),
        );
    }
    std::fs::write(
        folder.join("expected.json"),
        json!({ "sets": expected }).to_string(),
    )?;
    let set = large();
    let start = Instant::now();
    let mut bytes = Vec::new();
    vdb::write(&mut bytes, &set, 0.0)?;
    println!(
        "{} points: {} bytes in {:.3} s",
        set.position.len(),
        bytes.len(),
        start.elapsed().as_secs_f64()
    );
    std::fs::write(folder.join("large.vdb"), bytes)?;
    Ok(())
}
