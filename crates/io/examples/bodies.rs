//! Pictures of bodies that have faces, to look at: `cargo run --release --example bodies -- FOLDER`.

use std::path::PathBuf;
use std::sync::Arc;

use thixo_core::PointSet;
use thixo_io::picture::{Bounds, Coloring, Obstacle, Shape, View, render};
use thixo_io::sample::from_positions;
use thixo_math::Vector;
use thixo_shape::{self as shape, Difference, SheetMesh, SolidMesh};

type Done<T = ()> = Result<T, Box<dyn std::error::Error>>;

fn three<const D: usize>(x: &Vector<f64, D>) -> [f64; 3] {
    std::array::from_fn(|a| if a < D { x[a] } else { 0.0 })
}

fn body<const D: usize>(name: &str, mesh: &SolidMesh<D>, edge: f64, color: [f32; 3]) -> PointSet {
    let points = mesh.points().iter().map(three).collect();
    let mut set = from_positions(name, D, edge, points);
    set.material = name.into();
    set.color = color;
    set.faces = mesh.boundary();
    set
}

/// A torus, a box with a bite and a ball on the ground.
fn solids() -> Done<Vec<PointSet>> {
    let torus = shape::Torus::new(Vector([-0.55, 0.16, 0.2]), Vector::axis(1), 0.34, 0.16)?;
    let ball = shape::Sphere::new(Vector([0.55, 0.25, 0.45]), 0.25)?;
    let cube = shape::Cuboid::new(Vector([0.4, 0.3, -0.45]), Vector::splat(0.3))?;
    let bite = shape::Sphere::new(Vector([0.2, 0.62, -0.2]), 0.33)?;
    let cube = Difference::<3>::new(Arc::new(cube), Arc::new(bite));
    let edge = 0.06;
    Ok(vec![
        body(
            "jelly",
            &SolidMesh::fill(&torus, edge)?,
            edge,
            [0.85, 0.3, 0.35],
        ),
        body(
            "rubber",
            &SolidMesh::fill(&cube, 0.05)?,
            0.05,
            [0.3, 0.55, 0.8],
        ),
        body(
            "foam",
            &SolidMesh::fill(&ball, edge)?,
            edge,
            [0.9, 0.75, 0.35],
        ),
    ])
}

/// A block of a lattice, bent and twisted, as finite elements would leave it.
fn twisted() -> Done<PointSet> {
    let b = shape::Bounds {
        low: Vector([-0.2, 0.0, -0.2]),
        high: Vector([0.2, 1.2, 0.2]),
    };
    let mesh = SolidMesh::lattice(&b, [8, 24, 8])?;
    let mut set = body("beam", &mesh, 0.05, [0.55, 0.75, 0.5]);
    for x in &mut set.position {
        let (s, c) = (1.6 * x[1]).sin_cos();
        *x = [
            c * x[0] - s * x[2] + 0.25 * x[1] * x[1],
            x[1],
            s * x[0] + c * x[2],
        ];
    }
    Ok(set)
}

/// A cloth that lies over a ball.
fn cloth() -> Done<PointSet> {
    let sides = [Vector([0.0, 0.0, 1.8]), Vector([1.8, 0.0, 0.0])];
    let mesh = SheetMesh::patch(Vector([-0.9, 0.0, -0.9]), sides, [90, 90])?;
    let mut set = from_positions("cloth", 3, 0.02, mesh.points().iter().map(three).collect());
    set.color = [0.75, 0.35, 0.55];
    for x in &mut set.position {
        let r = x[0].hypot(x[2]);
        let fold = 0.06 * (8.0 * x[2].atan2(x[0])).cos() * (r - 0.4).max(0.0);
        let top = if r < 0.36 {
            (0.27 - r * r).max(0.0).sqrt()
        } else {
            0.375 - 0.95 * (r - 0.36)
        };
        let pull = 1.0 - 0.45 * (r - 0.36).max(0.0);
        *x = [x[0] * pull, 0.55 + top + fold, x[2] * pull];
    }
    set.faces = mesh.cells().to_vec();
    Ok(set)
}

/// A disk and a bent bar as areas, a thread that hangs.
fn flat() -> Done<Vec<PointSet>> {
    let disk = shape::Sphere::new(Vector([0.0, 0.5]), 0.4)?;
    let hole = shape::Sphere::new(Vector([0.1, 0.55]), 0.15)?;
    let ring = Difference::<2>::new(Arc::new(disk), Arc::new(hole));
    let edge = 0.05;
    let ring = body(
        "ring",
        &SolidMesh::fill(&ring, edge)?,
        edge,
        [0.85, 0.4, 0.35],
    );
    let b = shape::Bounds {
        low: Vector([0.6, 0.1]),
        high: Vector([1.6, 0.3]),
    };
    let mut bar = body(
        "bar",
        &SolidMesh::lattice(&b, [25, 5])?,
        0.04,
        [0.35, 0.55, 0.8],
    );
    bar.position
        .iter_mut()
        .for_each(|x| x[1] += 0.5 * (x[0] - 0.6) * (x[0] - 0.6));
    let line = SheetMesh::line(Vector([-0.3, 1.1]), Vector([1.7, 1.1]), 60)?;
    let mut thread = from_positions("thread", 2, 0.03, line.points().iter().map(three).collect());
    thread.color = [0.2, 0.5, 0.3];
    thread
        .position
        .iter_mut()
        .for_each(|x| x[1] += 0.25 * (x[0] - 0.7) * (x[0] - 0.7) - 0.2);
    thread.faces = line.cells().to_vec();
    Ok(vec![ring, bar, thread])
}

fn main() -> Done {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("which folder?")?);
    thixo_io::atomic::folder(&folder)?;
    let save = |name: &str, sets: &[PointSet], view: &View| -> Done {
        let caption = View::caption(0.25, sets);
        let view = View {
            caption,
            ..view.clone()
        };
        Ok(render(sets, &view).write_png(&folder.join(format!("{name}.png")))?)
    };
    let on_ground = |sets: &[PointSet]| View {
        ground: Some(0.0),
        ..View::new(Bounds::of(sets))
    };
    let sets = solids()?;
    save("solids", &sets, &on_ground(&sets))?;
    let speed = View {
        coloring: Coloring::Speed(None),
        ..on_ground(&sets)
    };
    save("solids-speed", &sets, &speed)?;
    let sets = [twisted()?];
    save("beam", &sets, &on_ground(&sets))?;
    let sets = [cloth()?];
    let ball = |x: [f64; 3]| x[0].hypot(x[1] - 0.53).hypot(x[2]) - 0.5;
    let mut view = on_ground(&sets);
    view.obstacles.push(Obstacle::new(Shape::Distance(&ball)));
    save("cloth", &sets, &view)?;
    view.angles = [40.0, -12.0];
    view.ground = None;
    save("cloth-below", &sets, &view)?;
    let sets = flat()?;
    save("flat", &sets, &View::new(Bounds::of(&sets)))?;
    let speed = View {
        coloring: Coloring::Speed(None),
        ..View::new(Bounds::of(&sets))
    };
    save("flat-speed", &sets, &speed)
}
