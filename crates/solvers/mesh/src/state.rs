//! The exact state, out and in.

use thixo_core::{Error, Result, Snapshot};
use thixo_math::{Matrix, Real, Vector};

use crate::matter::{Line, WIDTH};
use crate::{Mesh, Way};

/// What a step changes.
#[derive(Clone, Debug)]
pub(crate) struct State<T, const D: usize> {
    /// Places \[m\].
    pub x: Vec<Vector<f64, D>>,
    /// Velocities \[m/s\].
    pub v: Vec<Vector<T, D>>,
    /// Affine velocities \[1/s\], of vertices that go through the grid.
    pub C: Vec<Matrix<T, D>>,
    /// B and state of the elements of each body, chunk by chunk.
    pub shape: Vec<Vec<Line<T>>>,
}

impl<T, const D: usize> Default for State<T, D> {
    fn default() -> Self {
        Self {
            x: Vec::new(),
            v: Vec::new(),
            C: Vec::new(),
            shape: Vec::new(),
        }
    }
}

impl<T: Real, const D: usize> Mesh<T, D> {
    pub(crate) fn write(&self, to: &mut Snapshot) {
        let s = &self.now;
        to.put("x", &s.x);
        to.put("v", &s.v);
        if matches!(self.options.way, Way::Grid { .. }) {
            to.put("C", &s.C);
        }
        for (b, body) in self.bodies.list.iter().enumerate() {
            to.within(&format!("body{b}"), |to| {
                to.put("name", body.name.as_bytes());
                if let Some(matter) = &body.matter {
                    to.put("law", matter.law().as_bytes());
                    // One element after the other: how they stand in memory is no part of the state.
                    let lines = s.shape[b].chunks(body.lines);
                    let all = lines.flat_map(|chunk| {
                        (0..WIDTH).flat_map(move |l| chunk.iter().map(move |line| line[l]))
                    });
                    let all: Vec<T> = all.take(body.cells * body.lines).collect();
                    to.put("shape", &all);
                }
            });
        }
    }

    /// Reads all columns; `law` says whether what belongs to the law is taken, too.
    fn columns(&mut self, from: &Snapshot, law: bool) -> Result<()> {
        let wrong = |what: String| Error::Snapshot(format!("`{}`: {what}", self.name));
        let n = self.now.x.len();
        let mut next = self.now.clone();
        next.x = from.get("x")?;
        next.v = from.get("v")?;
        if matches!(self.options.way, Way::Grid { .. }) {
            next.C = match from.get("C") {
                // A mesh that was free had none.
                Err(_) if !law => vec![Matrix::zero(); n],
                other => other?,
            };
        }
        if next.x.len() != n || next.v.len() != n || next.C.len() != n {
            let what = format!("it has {} vertices, here are {n}", next.x.len());
            return Err(wrong(what));
        }
        if next.x.iter().any(|x| !x.finite()) || next.v.iter().any(|v| !v.finite()) {
            return Err(wrong("a vertex is nowhere".into()));
        }
        for (b, body) in self.bodies.list.iter().enumerate() {
            let view = from.view(&format!("body{b}"));
            let name: Vec<u8> = view.get("name")?;
            if name != body.name.as_bytes() {
                return Err(wrong(format!("body {b} is not `{}`", body.name)));
            }
            let Some(matter) = &body.matter else { continue };
            if view.get::<u8>("law")? != matter.law().as_bytes() {
                if law {
                    let what = format!("`{}` is not of the law {}", body.name, matter.law());
                    return Err(wrong(what));
                }
                continue;
            }
            let all: Vec<T> = view.get("shape")?;
            if all.len() != body.cells * body.lines {
                return Err(wrong(format!("`{}` has other elements", body.name)));
            }
            if all.iter().any(|x| !x.finite()) {
                return Err(wrong(format!(
                    "an element of `{}` is not finite",
                    body.name
                )));
            }
            for (k, line) in next.shape[b].iter_mut().enumerate() {
                let (chunk, n) = (k / body.lines, k % body.lines);
                for (l, x) in line.iter_mut().enumerate() {
                    let cell = (chunk * WIDTH + l).min(body.cells - 1);
                    *x = all[cell * body.lines + n];
                }
            }
        }
        self.now = next;
        self.stable = None;
        Ok(())
    }
    pub(crate) fn read(&mut self, from: &Snapshot) -> Result<()> {
        self.columns(from, true)
    }
    /// Takes the motion of the same bodies of another scene; matter of another law is as it was at rest here.
    pub(crate) fn take_over(&mut self, from: &Snapshot) -> Result<()> {
        self.columns(from, false)
    }
}
