//! S2: elements come back from being turned inside out.

use thixo_core::Result;
use thixo_math::Vector;
use thixo_mesh::{Mesh, Options, lattice::lattice};

use super::{Alone, FRAME, rubber};
use crate::lab::random;
use crate::{Bench, Tag};

/// Inverted at the start and at the end, distance from rest at the end \[m\], and the largest rise of energy in a step
/// over the energy at the start.
type Found = [f64; 4];

fn recover(mesh: Mesh<f64, 3>, steps: u32) -> Result<Found> {
    let mut alone = Alone::new(mesh)?;
    let start = alone.inverted() as f64;
    let first = alone.energy();
    let (mut last, mut rise) = (first, 0.0);
    for _ in 0..steps {
        alone.step(FRAME, true)?;
        let now = alone.energy();
        rise = f64::max(rise, (now - last) / first);
        last = now;
    }
    Ok([start, alone.inverted() as f64, alone.off(), rise])
}

/// One tetrahedron, a corner of which is pushed through the opposite face: the smallest singular value is −1.
fn tetrahedron(corner: usize, steps: u32) -> Result<Found> {
    let points = [
        Vector([0.0, 0.0, 0.0]),
        Vector([1.0, 0.0, 0.0]),
        Vector([0.5, 0.75f64.sqrt(), 0.0]),
        Vector([0.5, 0.75f64.sqrt() / 3.0, (2.0f64 / 3.0).sqrt()]),
    ];
    let mut mesh = Mesh::<f64, 3>::new("mesh", Options::default());
    let body = mesh.add_solid("body", &points, [[0, 1, 2, 3]], rubber(1e6)?, 1000.0)?;
    let others: Vec<usize> = (0..4).filter(|i| *i != corner).collect();
    let [a, b, c] = [0, 1, 2].map(|k| points[others[k]]);
    let (u, v) = (b - a, c - a);
    let n = Vector([
        u[1] * v[2] - u[2] * v[1],
        u[2] * v[0] - u[0] * v[2],
        u[0] * v[1] - u[1] * v[0],
    ]);
    let n = n.unit().unwrap_or_else(|| Vector::axis(0));
    mesh.place(body, |i, x| {
        let through = if i == corner {
            // A hair off the mirror: there every way back is as good.
            *x - n * (2.0 * (*x - a).dot(&n)) + Vector([1e-3, 2e-3, -1e-3])
        } else {
            *x
        };
        (through, Vector::zero())
    })?;
    recover(mesh, steps)
}

/// A cube of 4³ cells with its vertices at random places.
fn cube(steps: u32) -> Result<Found> {
    let (points, cells) = lattice::<3>(Vector::zero(), [4; 3], 0.25);
    let mut mesh = Mesh::<f64, 3>::new("mesh", Options::default());
    let body = mesh.add_solid("body", &points, &cells, rubber(1e6)?, 1000.0)?;
    let mut random = random(2);
    mesh.place(body, |_, _| (Vector::from_fn(|_| random()), Vector::zero()))?;
    recover(mesh, steps)
}

/// S2: inversion.
pub fn s2(b: &mut Bench) -> Result<()> {
    let rows = |b: &mut Bench, name: &str, [_, end, off, rise]: Found| {
        b.at_most(&format!("{name}: inverted at the end"), end, 0.0, Tag::X);
        b.at_most(&format!("{name}: from rest [L]"), off, 1e-6, Tag::X);
        b.at_most(
            &format!("{name}: rise of energy in a step"),
            rise,
            1e-9,
            Tag::X,
        );
    };
    for corner in 0..4 {
        let found = tetrahedron(corner, 60)?;
        rows(b, &format!("corner {corner} pushed through"), found);
    }
    let found = cube(60)?;
    let cells = 6.0 * 64.0;
    b.between(
        "random cube: share inverted at the start",
        found[0] / cells,
        0.4,
        0.6,
        Tag::M,
    );
    rows(b, "random cube", found);
    let none = cube(0)?;
    b.at_most("control: without a step, inverted", none[1], 0.0, Tag::X);
    b.control();
    b.at_most(
        "control: without a step, from rest [L]",
        none[2],
        1e-6,
        Tag::X,
    );
    b.control();
    Ok(())
}
