//! Φ(x) of all elements and springs, with its slope and curvature.

use rayon::prelude::*;
use thixo_math::{Matrix, Real, Vector};
use thixo_numerics::Point;

use crate::body::Bodies;
use crate::matter::{Group, Line, Square, WIDTH, tangent_count};

/// Chunks of elements that one thread takes at once.
const GRAIN: usize = 16;

/// Room for what follows from positions; never part of the state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answers<T, const D: usize> {
    /// ∂(V⁰ψ)/∂D_s of each element.
    responses: Vec<Matrix<T, D>>,
    /// Of each chunk \[J\].
    energies: Vec<f64>,
    /// ∂²(V⁰ψ)/∂D_s² of each element.
    tangents: Vec<T>,
    /// ∂²Φ/∂x² times a scale, row by row.
    pub blocks: Vec<Matrix<T, D>>,
}

/// A place to look at: positions, those at the start of the step, its length.
#[derive(Clone, Copy)]
pub(crate) struct Look<'a, const D: usize> {
    pub x: &'a [Vector<f64, D>],
    pub before: &'a [Vector<f64, D>],
    pub dt: f64,
}

/// The edges of a chunk of elements.
fn edges<T: Real, const D: usize>(corners: &[[u32; 4]], x: &[Vector<f64, D>]) -> Square<T, D> {
    let mut to = [[[T::zero(); WIDTH]; D]; D];
    for (l, c) in corners.iter().enumerate() {
        let x0 = x[c[0] as usize];
        for a in 0..D {
            let d = x[c[a + 1] as usize] - x0;
            for i in 0..D {
                to[i][a][l] = T::of(d[i]);
            }
        }
    }
    to
}

impl<T: Real, const D: usize> Bodies<T, D> {
    /// Lets `f` see all elements group by group, each with its own part of `to`, of which a chunk has `each` and a line
    /// `per_line`.
    fn in_groups<X: Send, Y: Send>(
        &self,
        look: Look<'_, D>,
        shape: &[Vec<Line<T>>],
        (to, each): (&mut [X], usize),
        more: &mut [Y],
        f: impl Fn(usize, Group<'_, T, D>, &mut [X], &mut [Y]) + Sync,
    ) {
        let (mut rest, mut others) = (to, more);
        let mut parts = Vec::new();
        for (b, body) in self.list.iter().enumerate() {
            let mut first = 0;
            while first < body.chunks.len() {
                let n = GRAIN.min(body.chunks.len() - first);
                let (mine, left) = rest.split_at_mut(n * each);
                let share = n.min(others.len());
                let (also, left_too) = others.split_at_mut(share);
                (rest, others) = (left, left_too);
                parts.push((b, first, n, mine, also));
                first += n;
            }
        }
        parts
            .into_par_iter()
            .with_min_len(4)
            .for_each(|(b, first, n, mine, also)| {
                let body = &self.list[b];
                let Some(matter) = &body.matter else { return };
                let chunks = body.chunks.start + first..body.chunks.start + first + n;
                let of =
                    |x: &[Vector<f64, D>], c: usize| edges(&self.corners[c * WIDTH..][..WIDTH], x);
                let now: Vec<Square<T, D>> = chunks.clone().map(|c| of(look.x, c)).collect();
                let before: Vec<Square<T, D>> = match matter.viscous() {
                    true => chunks.clone().map(|c| of(look.before, c)).collect(),
                    false => Vec::new(),
                };
                let group = Group {
                    edges: &now,
                    before: &before,
                    shape: &shape[b][first * body.lines..][..n * body.lines],
                    volume: &self.volume[chunks],
                    dt: T::of(look.dt),
                };
                f(b, group, mine, also);
            });
    }
    fn matter(&self, b: usize) -> &dyn crate::Matter<T, D> {
        match &self.list[b].matter {
            Some(m) => &**m,
            None => unreachable!("only bodies with elements have chunks"),
        }
    }
    /// Φ \[J\], and what its slope follows from.
    pub fn respond(
        &self,
        look: Look<'_, D>,
        shape: &[Vec<Line<T>>],
        to: &mut Answers<T, D>,
    ) -> f64 {
        let chunks = self.volume.len();
        to.responses.resize(chunks * WIDTH, Matrix::zero());
        to.energies.resize(chunks, 0.0);
        let responses = (&mut to.responses[..], WIDTH);
        self.in_groups(
            look,
            shape,
            responses,
            &mut to.energies,
            |b, g, to, energy| {
                self.matter(b).respond(g, to, energy);
            },
        );
        let springs = self.springs.par_chunks(1024);
        let springs: Vec<f64> = springs
            .map(|s| s.iter().map(|s| s.energy(look.x)).sum())
            .collect();
        to.energies.iter().sum::<f64>() + springs.iter().sum::<f64>()
    }
    /// Adds `scale` times ∂Φ/∂x of the last [`respond`](Self::respond).
    pub fn add_slopes(
        &self,
        x: &[Vector<f64, D>],
        answers: &Answers<T, D>,
        scale: T,
        to: &mut [Point<T>],
    ) {
        self.rows
            .add_slopes(&answers.responses, &self.springs, x, scale, to);
    }
    /// Makes `scale` times ∂²Φ/∂x² ready in the rows.
    pub fn linearise(
        &self,
        look: Look<'_, D>,
        shape: &[Vec<Line<T>>],
        (definite, scale): (bool, f64),
        to: &mut Answers<T, D>,
    ) {
        let each = WIDTH * tangent_count(D);
        to.tangents.resize(self.volume.len() * each, T::zero());
        let tangents = (&mut to.tangents[..], each);
        self.in_groups(
            look,
            shape,
            tangents,
            &mut [] as &mut [()],
            |b, g, to, _| {
                self.matter(b).tangent(g, definite, to);
            },
        );
        self.rows.assemble(
            &to.tangents,
            &self.springs,
            look.x,
            (definite, T::of(scale)),
            &mut to.blocks,
        );
    }
    /// Lets every element flow at these positions. The first that must not be is told: its body and its number there.
    pub fn flow(
        &self,
        look: Look<'_, D>,
        shape: &[Vec<Line<T>>],
        next: &mut [Vec<Line<T>>],
    ) -> Option<(usize, usize)> {
        for (b, body) in self.list.iter().enumerate() {
            let Some(matter) = &body.matter else { continue };
            next[b].resize(shape[b].len(), [T::zero(); WIDTH]);
            let each = GRAIN * body.lines;
            let work = |(part, to): (usize, &mut [Line<T>])| {
                let first = part * GRAIN;
                let n = to.len() / body.lines;
                let chunks = body.chunks.start + first..body.chunks.start + first + n;
                let edges = chunks
                    .clone()
                    .map(|c| edges(&self.corners[c * WIDTH..][..WIDTH], look.x));
                let group = Group {
                    edges: &edges.collect::<Vec<_>>(),
                    before: &[],
                    shape: &shape[b][first * body.lines..][..n * body.lines],
                    volume: &self.volume[chunks],
                    dt: T::of(look.dt),
                };
                matter.flow(group, to).map(|i| first * WIDTH + i)
            };
            let parts = next[b].par_chunks_mut(each).enumerate();
            let bad: Vec<Option<usize>> = parts.map(work).collect();
            if let Some(i) = bad.into_iter().flatten().next() {
                return Some((b, i));
            }
        }
        None
    }
}
