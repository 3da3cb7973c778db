//! Pictures of synthetic data, to look at: `cargo run --release --example gallery -- FOLDER`.

use std::path::PathBuf;
use std::time::Instant;

use thixo_core::PointSet;
use thixo_io::picture::{Bounds, Coloring, Obstacle, Shape, Surface, View, render};
use thixo_io::sample::{Mesh, from_positions, noise, sphere, torus};

fn grid(n: [usize; 3], h: f64, jitter: f64) -> impl Iterator<Item = [f64; 3]> {
    (0..n[0] * n[1] * n[2]).map(move |k| {
        let i = [k % n[0], k / n[0] % n[1], k / n[0] / n[1]];
        std::array::from_fn(|a| {
            (i[a] as f64 + 0.5 + jitter * (noise((3 * k + a) as u64) - 0.5)) * h
        })
    })
}

fn ball() -> PointSet {
    let h = 1.0 / 57.6;
    let inside = |x: &[f64; 3]| x.iter().map(|c| (c - 0.5) * (c - 0.5)).sum::<f64>() < 0.25;
    let points: Vec<_> = grid([58; 3], h, 0.6).filter(inside).collect();
    let mut set = from_positions("ball", 3, h, points);
    set.color = [0.25, 0.55, 0.85];
    set
}

fn pile() -> PointSet {
    let h = 0.016;
    let slope = |x: &[f64; 3]| {
        let r = (x[0] - 1.0).hypot(x[2] - 1.0);
        x[1] < 0.62 * (0.95 - r) + 0.015 * (9.0 * x[0]).sin() * (7.0 * x[2]).cos()
    };
    let points = grid([125, 40, 125], h, 0.9).filter(slope).collect();
    let mut set = from_positions("sand", 3, h, points);
    set.color = [0.86, 0.68, 0.42];
    let height: Vec<f32> = set.position.iter().map(|x| x[1] as f32).collect();
    set.scalars = vec![("height".into(), height)];
    set
}

/// A ball of sand at the bottom of the tank.
fn sunken() -> PointSet {
    let h = 0.02;
    let inside = |x: &[f64; 3]| (x[0] - 1.3).hypot(x[1]).hypot(x[2] - 0.6) < 0.3;
    let mut set = from_positions(
        "sand",
        3,
        h,
        grid([100, 20, 50], h, 0.9).filter(inside).collect(),
    );
    set.color = [0.86, 0.68, 0.42];
    set
}

fn dam() -> PointSet {
    let h = 0.008;
    let wet = |x: &[f64; 3]| x[1] < 0.75 * (-2.2 * x[0]).exp() + 0.05 * (1.0 - x[0] / 2.0);
    let mut set = from_positions(
        "water",
        2,
        h,
        grid([245, 110, 1], h, 0.5).filter(wet).collect(),
    );
    set.velocity
        .iter_mut()
        .zip(&set.position)
        .for_each(|(v, x)| {
            *v = [(2.0 * x[0]) as f32, (-x[1] * 2.0) as f32, 0.0];
        });
    set.color = [0.22, 0.5, 0.85];
    set
}

/// A tank of water with waves: a closed box whose lid is wavy.
fn tank(n: usize, time: f32) -> Mesh {
    let height = |x: f32, z: f32| {
        0.5 + 0.05 * (7.0 * x - time).sin() + 0.03 * (9.0 * z + 4.0 * x + 2.0 * time).cos()
    };
    let (mut positions, mut normals, mut triangles) = (Vec::new(), Vec::new(), Vec::new());
    let mut side = |at: &dyn Fn(f32, f32) -> [f32; 3], out: &dyn Fn([f32; 3]) -> [f32; 3]| {
        let first = positions.len() as u32;
        for k in 0..(n + 1) * (n + 1) {
            let [u, v] = [k % (n + 1), k / (n + 1)].map(|i| i as f32 / n as f32);
            positions.push(at(u, v));
            normals.push(out(at(u, v)));
        }
        for k in (0..n * n).map(|k| first + (k / n * (n + 1) + k % n) as u32) {
            let m = n as u32 + 1;
            triangles.extend([[k, k + 1, k + m + 1], [k, k + m + 1, k + m]]);
        }
    };
    let slope = |x: f32, z: f32| {
        let e = 1e-3;
        let dx = (height(x + e, z) - height(x - e, z)) / (2.0 * e);
        let dz = (height(x, z + e) - height(x, z - e)) / (2.0 * e);
        [-dx, 1.0, -dz]
    };
    side(&|u, v| [2.0 * v, height(2.0 * v, u), u], &|x| {
        slope(x[0], x[2])
    });
    side(&|u, v| [2.0 * u, 0.0, v], &|_| [0.0, -1.0, 0.0]);
    side(&|u, v| [2.0 * u, height(2.0 * u, 1.0) * v, 1.0], &|_| {
        [0.0, 0.0, 1.0]
    });
    side(&|u, v| [2.0 * v, height(2.0 * v, 0.0) * u, 0.0], &|_| {
        [0.0, 0.0, -1.0]
    });
    side(&|u, v| [2.0, height(2.0, v) * u, v], &|_| [1.0, 0.0, 0.0]);
    side(&|u, v| [0.0, height(0.0, u) * v, u], &|_| [-1.0, 0.0, 0.0]);
    (positions, normals, triangles)
}

fn surface(mesh: &Mesh, color: [f32; 3], gloss: f32, opacity: f32) -> Surface<'_> {
    Surface {
        color,
        gloss,
        opacity,
        ..Surface::new(&mesh.0, &mesh.1, &mesh.2)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or("gallery".into()));
    thixo_io::atomic::folder(&folder)?;
    let shoot = |name: &str, sets: &[PointSet], view: View| -> Result<(), thixo_io::Error> {
        render(sets, &view); // warm
        let start = Instant::now();
        let view = View {
            caption: View::caption(0.5, sets),
            ..view
        };
        let image = render(sets, &view);
        let n: usize = sets.iter().map(|s| s.position.len()).sum();
        println!(
            "{name}: {n} particles, {:.0} ms",
            start.elapsed().as_secs_f64() * 1e3
        );
        image.write_png(&folder.join(name))
    };
    let mut bounds = Bounds::of(&[ball()]);
    bounds.include([-0.3, -0.02, -0.3]);
    bounds.include([1.3, 1.1, 1.3]);
    let sets = [ball()];
    shoot(
        "ball.png",
        &sets,
        View {
            ground: Some(0.0),
            ..View::new(bounds)
        },
    )?;
    let view = View {
        ground: Some(0.0),
        coloring: Coloring::Speed(None),
        ..View::new(bounds)
    };
    shoot("ball_speed.png", &sets, view)?;
    let sets = [pile()];
    let post = |x: [f64; 3]| {
        let r = (x[0] - 1.75).hypot(x[2] - 1.1) - 0.12;
        let y = x[1] - 0.5;
        r.max(y).min(0.0) + r.max(0.0).hypot(y.max(0.0))
    };
    let base = View {
        ground: Some(0.0),
        ..View::new(Bounds::of(&sets))
    };
    let obstacles = vec![Obstacle::new(Shape::Distance(&post))];
    shoot(
        "pile.png",
        &sets,
        View {
            obstacles: obstacles.clone(),
            ..base.clone()
        },
    )?;
    let coloring = Coloring::Scalar("height".into(), None);
    shoot(
        "pile_height.png",
        &sets,
        View {
            coloring,
            obstacles,
            ..base
        },
    )?;
    let ring = torus([0.0, 0.22, 0.0], 0.6, 0.22, 200);
    let ball = sphere([1.5, 0.4, 0.1], 0.4, 200);
    let snow = sphere([-1.4, 0.35, 0.3], 0.35, 200);
    let drop = sphere([0.75, 0.25, 0.95], 0.25, 200);
    let mut bounds = Bounds::default();
    bounds.include([-1.8, 0.0, -0.9]);
    bounds.include([1.9, 0.9, 1.2]);
    let surfaces = vec![
        surface(&ring, [0.90, 0.60, 0.12], 0.9, 0.8),
        surface(&ball, [0.25, 0.55, 0.80], 1.0, 0.35),
        surface(&snow, [0.95, 0.96, 0.98], 0.0, 1.0),
        surface(&drop, [0.75, 0.15, 0.12], 0.7, 1.0),
    ];
    let view = View {
        ground: Some(0.0),
        surfaces,
        ..View::new(bounds)
    };
    shoot("surfaces.png", &[], view)?;
    let water = tank(200, 0.0);
    let sets = [sunken()];
    let mut bounds = Bounds::default();
    bounds.include([0.0; 3]);
    bounds.include([2.0, 0.6, 1.0]);
    let view = View {
        ground: Some(0.0),
        surfaces: vec![surface(&water, [0.20, 0.50, 0.72], 1.0, 0.3)],
        ..View::new(bounds)
    };
    shoot("tank.png", &sets, view)?;
    let sets = [dam()];
    let bounds = Bounds {
        min: [0.0; 3],
        max: [2.0, 1.0, 0.0],
    };
    let bump = |x: [f64; 3]| (x[0] - 1.3).hypot(x[1]) - 0.2;
    let view = View {
        obstacles: vec![Obstacle::new(Shape::Distance(&bump))],
        ..View::new(bounds)
    };
    shoot("dam.png", &sets, view.clone())?;
    shoot(
        "dam_speed.png",
        &sets,
        View {
            coloring: Coloring::Speed(Some([0.0, 4.0])),
            ..view
        },
    )?;
    Ok(())
}
