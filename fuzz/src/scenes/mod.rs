//! Random scenes that are valid: every law and preset, shapes, obstacles and their motions, streams,
//! forces and numerical choices.

mod matter;
mod obstacle;
mod shape;

use std::fmt::Write as _;
use std::path::Path;

use thixo::{Simulation, Threads};
use thixo_scene::Scene;

use crate::rng::Rng;
use shape::vector;

/// What a random scene shall be like; what is `None` is drawn.
#[derive(Clone, Debug, Default)]
pub struct Wish {
    /// 2 or 3.
    pub dimension: Option<usize>,
    /// `f32` or `f64`.
    pub precision: Option<&'static str>,
    /// The law of every material.
    pub law: Option<&'static str>,
    /// About how many particles there are at most.
    pub particles: f64,
    /// With the multilinear kernel too, whose nodes of almost no mass have no stable step.
    pub linear: bool,
    /// One body, nothing else but the ground.
    pub plain: bool,
}

impl Wish {
    /// For runs of a second or so.
    pub fn run() -> Self {
        Self {
            particles: 2000.0,
            ..Self::default()
        }
    }
    /// For single steps.
    pub fn small() -> Self {
        Self {
            particles: 300.0,
            linear: true,
            ..Self::default()
        }
    }
    /// For states of a few kilobytes.
    pub fn tiny() -> Self {
        Self {
            particles: 40.0,
            plain: true,
            ..Self::default()
        }
    }
}

/// A random scene.
#[derive(Clone, Debug)]
pub struct Made {
    /// Its text.
    pub text: String,
    /// How often one was drawn that the scene reader refused, as when a body is inside a collider.
    pub redrawn: u32,
}

/// What all parts of a scene share.
pub(crate) struct Frame {
    /// Dimension.
    pub d: usize,
    /// Size of a cell \[m\].
    pub dx: f64,
    /// Size of a body \[m\].
    pub size: f64,
    /// Width of the place in which things are \[m\].
    pub width: f64,
}

/// A random scene that can be read, measured and built and is small enough. It is drawn anew until it is.
pub fn random(rng: &mut Rng, wish: &Wish) -> Made {
    let mut cells = wish.particles.powf(0.5).min(16.0);
    let mut redrawn = 0;
    loop {
        let text = draw(rng, wish, cells);
        let scene = Scene::parse(&text, "random", "random", Path::new(""));
        let measured = scene.and_then(|s| Ok((s.expected_particles()?, s)));
        match measured {
            Ok((n, scene)) if n <= wish.particles => {
                if Simulation::new(scene, Threads::Exactly(1)).is_ok() {
                    return Made { text, redrawn };
                }
            }
            // Coarser, but not so coarse that shapes are smaller than a cell.
            Ok(_) => cells = (0.85 * cells).max(2.5),
            Err(_) => {}
        }
        redrawn += 1;
        if redrawn > 200 {
            return Made { text, redrawn };
        }
    }
}

fn draw(rng: &mut Rng, wish: &Wish, cells: f64) -> String {
    let d = wish.dimension.unwrap_or(2 + rng.below(2));
    let most = if d == 2 { cells } else { cells.min(6.0) };
    let size = rng.scale(0.1, 2.0);
    let dx = size / rng.between(0.6 * most, most).max(2.5);
    // A period is a whole number of blocks of 4 cells.
    let dx = format!("{dx:.3e}").parse().unwrap_or(dx);
    let blocks = (4.0 * size / (4.0 * dx)).ceil().max(2.0);
    let frame = Frame {
        d,
        dx,
        size,
        width: blocks * 4.0 * dx,
    };
    let mut text = format!("dimension = {d}\nresolution = {dx}\n");
    top(&mut text, &frame, rng, wish);
    let count = match (wish.plain, d) {
        (true, _) => 1,
        (_, 2) => 1 + rng.below(3),
        _ => 1 + rng.below(2),
    };
    let names: Vec<String> = (0..count).map(|i| format!("m{i}")).collect();
    for name in &names {
        text += &matter::material(name, rng, wish.law);
    }
    for (i, name) in names.iter().enumerate() {
        body(&mut text, &frame, rng, name, i);
    }
    text += &obstacle::ground(&frame, rng);
    if !wish.plain {
        extras(&mut text, &frame, rng, &names);
    }
    text
}

fn top(text: &mut String, f: &Frame, rng: &mut Rng, wish: &Wish) {
    let fps = rng.scale(20.0, 100.0);
    let _ = writeln!(text, "frames = {}\nfps = {fps:.1}", 15 + rng.below(30));
    if rng.chance(0.2) {
        let g: Vec<f64> = (0..f.d).map(|_| rng.between(-12.0, 12.0)).collect();
        let _ = writeln!(text, "gravity = {}", vector(&g));
    }
    if !wish.plain && rng.chance(0.15) {
        let _ = writeln!(text, "periodic = {{ x = {} }}", f.width);
    }
    let precision = wish.precision.unwrap_or(rng.word(&["f32", "f64"]));
    let _ = writeln!(text, "[numerics]\nprecision = \"{precision}\"");
    let _ = writeln!(text, "seed = {}", rng.below(1000));
    let linear = rng.chance(0.15) && wish.linear;
    if linear {
        *text += "kernel = \"linear\"\n";
    } else if rng.chance(0.3) {
        *text += "kernel = \"cubic\"\n";
    }
    if linear || rng.chance(0.2) {
        *text += "force = \"gradient\"\n";
    }
    if rng.chance(0.5) {
        let share = rng.between(0.0, 1.0);
        let transfer = match rng.below(8) {
            0 => "\"rpic\"".to_string(),
            1 => "\"pic\"".into(),
            2 => "\"flip\"".into(),
            3 => format!("{{ flip = {share:.3} }}"),
            4 => format!("{{ apic = {share:.3} }}"),
            5 => format!("{{ apic_rpic = {share:.3} }}"),
            6 => format!("{{ apic_flip = {share:.3} }}"),
            _ => "\"apic\"".into(),
        };
        let _ = writeln!(text, "transfer = {transfer}");
    }
    if rng.chance(0.3) {
        let _ = writeln!(text, "sampling = \"{}\"", rng.word(&["poisson", "regular"]));
    }
    if rng.chance(0.2) {
        let _ = writeln!(text, "cfl = {:.2}", rng.between(0.1, 1.0));
    }
    if rng.chance(0.2) {
        let _ = writeln!(text, "particles_per_cell = {}", 1 + rng.below(9));
    }
}

fn body(text: &mut String, f: &Frame, rng: &mut Rng, material: &str, i: usize) {
    // Bodies stand beside one another, so that no two fill the same place.
    let mut at = vec![
        (i as f64 + 0.5) * 1.25 * f.size,
        f.size * rng.between(0.55, 1.2),
    ];
    at.resize(f.d, 0.5 * f.size);
    let shape = shape::body(f, rng, &at);
    let _ = writeln!(
        text,
        "[[bodies]]\nmaterial = \"{material}\"\nshape = {shape}"
    );
    if rng.chance(0.6) {
        let speed = rng.scale(0.1, 20.0);
        let mut v: Vec<f64> = (0..f.d).map(|_| rng.between(-1.0, 1.0)).collect();
        v.iter_mut().for_each(|c| *c *= speed / (f.d as f64).sqrt());
        if rng.chance(0.2) {
            let rate = speed / f.size;
            let zero = if f.d == 3 { ", 0" } else { "" };
            let _ = writeln!(
                text,
                "velocity = [\"{rate:.3}*(y - {:.3})\", \"{:.3} m/s\"{zero}]",
                at[1], v[1]
            );
        } else {
            let _ = writeln!(text, "velocity = {}", vector(&v));
        }
    }
    if rng.chance(0.2) {
        let w = rng.between(-10.0, 10.0);
        let spin = if f.d == 2 {
            format!("{w:.3}")
        } else {
            format!("[0, {w:.3}, 1]")
        };
        let _ = writeln!(text, "spin = {spin}");
    }
}

fn extras(text: &mut String, f: &Frame, rng: &mut Rng, names: &[String]) {
    for _ in 0..rng.below(3) {
        *text += &obstacle::obstacle(f, rng);
    }
    let name = rng.pick(names).cloned().unwrap_or_default();
    let place = |rng: &mut Rng, low: f64, high: f64| {
        let mut at = vec![
            rng.between(0.2, 0.8) * f.width,
            rng.between(low, high) * f.size,
        ];
        at.resize(f.d, 0.5 * f.size);
        at
    };
    if rng.chance(0.25) {
        let at = place(rng, 2.2, 3.0);
        let wide = 0.4 * f.size;
        let speed = rng.scale(0.3, 10.0);
        let mut v = vec![rng.between(-0.5, 0.5) * speed, -speed];
        v.resize(f.d, 0.0);
        let sides = vector(&vec![wide; f.d]);
        let _ = writeln!(
            text,
            "[[emitters]]\nname = \"jet\"\nmaterial = \"{name}\"\n\
             shape = {{ box = {{ size = {sides} }}, translate = {} }}\nvelocity = {}\nstop = {:.4}",
            vector(&at),
            vector(&v),
            rng.between(0.2, 1.0) * f.size / speed
        );
    }
    if rng.chance(0.25) {
        let at = place(rng, 0.0, 0.3);
        let _ = writeln!(
            text,
            "[[drains]]\nshape = {{ sphere = {{ center = {}, radius = {} }} }}",
            vector(&at),
            0.5 * f.size
        );
    }
    if rng.chance(0.3) {
        let at = place(rng, 0.5, 1.5);
        let mut zero = vec!["0"; f.d - 1];
        let force = match rng.below(3) {
            0 => {
                zero.insert(0, "\"2*sin(9*t) + x\"");
                format!("acceleration = [{}]", zero.join(", "))
            }
            1 => {
                zero.insert(0, "\"5 m/s\"");
                format!(
                    "wind = {{ velocity = [{}], response = \"0.1 s\" }}",
                    zero.join(", ")
                )
            }
            _ => format!(
                "point = {{ at = {}, acceleration = {:.2}, radius = {:.3} }}",
                vector(&at),
                rng.between(-20.0, 20.0),
                0.3 * f.size
            ),
        };
        let _ = writeln!(text, "[[forces]]\n{force}");
        if rng.chance(0.3) {
            let _ = writeln!(text, "material = \"{name}\"\nstart = 0.01");
        }
    }
    if rng.chance(0.2) {
        let at = place(rng, 0.0, 1.0);
        let radius = f.size;
        let _ = writeln!(
            text,
            "[[probes]]\nname = \"gauge\"\nshape = {{ sphere = {{ center = {}, radius = {radius} }} }}",
            vector(&at)
        );
    }
}
