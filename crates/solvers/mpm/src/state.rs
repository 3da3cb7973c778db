//! The exact state, out and in.

use rayon::prelude::*;
use thixo_core::{Error, PointSet, Result, Snapshot};
use thixo_grid::{ALIGN, Layout, Range};
use thixo_math::{Matrix, Real, Vector};

use crate::Mpm;
use crate::particles::{One, Particles};

/// What of a snapshot is not taken but made anew.
#[derive(Clone, Copy, PartialEq)]
enum Anew {
    /// Nothing, and nothing may be missing: the same run goes on.
    Never,
    /// Nothing but what another transfer needs: a branch of the same law.
    Nothing,
    /// What belongs to the law: a branch into another one.
    Law,
}

impl Anew {
    fn is_branch(self) -> bool {
        self != Self::Never
    }
}

impl<T: Real, const D: usize> Mpm<T, D> {
    pub(crate) fn write(&self, to: &mut Snapshot) {
        let p = &self.particles;
        let (slots, kind) = (p.each(&self.layout), p.kind());
        fn each<X: Send>(slots: &[u32], f: impl Fn(usize) -> X + Send + Sync) -> Vec<X> {
            slots.par_iter().map(|i| f(*i as usize)).collect()
        }
        to.put("cell", &p.cells(&self.layout));
        to.put("offset", &each(&slots, |i| p.f(i)));
        to.put("v", &each(&slots, |i| p.v(i)));
        to.put("C", &each(&slots, |i| p.C(i)));
        let gradients = if kind.gradient { &slots[..] } else { &[] };
        to.put("L", &each(gradients, |i| p.L(i)));
        to.put("mass", &each(&slots, |i| p.m(i)));
        to.put("rest_volume", &each(&slots, |i| p.V0(i)));
        to.put("id", &each(&slots, |i| p.id[i]));
        to.put("law", self.matter.law().as_bytes());
        match kind.shapeless {
            true => to.put("F", &each(&slots, |i| p.shape(i).0[(0, 0)])),
            false => to.put("F", &each(&slots, |i| p.shape(i).0)),
        }
        let numbers = |i: &u32| p.shape(*i as usize).1.into_iter().take(kind.numbers);
        let state: Vec<T> = slots.iter().flat_map(numbers).collect();
        to.put("state", &state);
        to.put("setting", &self.setting());
        // Order and layout belong to the state: they fix the order of sums until the next sort.
        // A layout that a stray particle has left is made anew by the sort that is then due.
        let ranges = if self.strayed {
            &[]
        } else {
            self.layout.ranges.as_slice()
        };
        // By the number of particles before: which slots stay empty is no part of the state.
        let starts: Vec<u64> = ranges
            .iter()
            .scan(0, |n, r| Some(std::mem::replace(n, *n + r.len() as u64)))
            .collect();
        to.put("blocks", &column(ranges, |r| r.block));
        to.put("lowest", &column(ranges, |r| r.cells[0]));
        to.put("highest", &column(ranges, |r| r.cells[1]));
        to.put("starts", &starts);
        let strayed = u64::from(self.strayed);
        to.put("counters", &[self.next_id, self.removed, strayed]);
        to.put("exchanged", &[self.emitted, self.drained]);
    }

    /// What the numbers mean: positions are counted in cells from an anchor.
    fn setting(&self) -> Vec<u64> {
        let periods = (0..D).map(|a| self.domain.period_cells(a).unwrap_or(0) as u64);
        [self.dx.to_bits(), self.options.kernel as u64]
            .into_iter()
            .chain(periods)
            .collect()
    }

    /// Takes the matter of another scene. That of another law starts anew where it is: it has the
    /// volume that it showed, the density of its new material, and no stress.
    pub(crate) fn take_over(&mut self, from: &Snapshot, shown: &PointSet) -> Result<()> {
        let same = self.is_of_law(from)?;
        self.columns(from, if same { Anew::Nothing } else { Anew::Law })?;
        let p = &mut self.particles;
        if !same && shown.volume.len() != p.len() {
            return Err(self.mismatch("it does not show all its particles"));
        }
        let was = match p.is_empty() {
            true => 0.0,
            false => p.m(0).wide() / p.V0(0).wide(),
        };
        let (density, changed) = (self.density, (was / self.density - 1.0).abs() > 1e-4);
        let weigh = density > 0.0 && (changed || !same);
        p.reweigh(&self.layout, |k, m, V0| {
            let V0 = if same {
                V0
            } else {
                T::of(shown.volume[k].into())
            };
            let m = if weigh { T::of(V0.wide() * density) } else { m };
            (m, V0)
        });
        Ok(())
    }

    pub(crate) fn read(&mut self, from: &Snapshot) -> Result<()> {
        self.columns(from, Anew::Never)
    }

    /// Reads all columns.
    fn columns(&mut self, from: &Snapshot, anew: Anew) -> Result<()> {
        if from.get::<u64>("setting")? != self.setting() {
            return Err(self.mismatch("it was saved with another resolution, kernel or period, which cannot change in the middle of a run"));
        }
        let kind = self.particles.kind();
        let cells: Vec<[i32; D]> = from.get("cell")?;
        let f: Vec<Vector<T, D>> = from.get("offset")?;
        let v: Vec<Vector<T, D>> = from.get("v")?;
        let C: Vec<Matrix<T, D>> = from.get("C")?;
        let mut L: Vec<Matrix<T, D>> = from.get("L")?;
        if anew.is_branch() && (L.is_empty() || !kind.gradient) {
            // The scheme that goes on keeps ∇v apart, the one before did not: it was C. Or it is of no use.
            L = if kind.gradient { C.clone() } else { Vec::new() };
        }
        let (m, V0): (Vec<T>, Vec<T>) = (from.get("mass")?, from.get("rest_volume")?);
        let id: Vec<u64> = from.get("id")?;
        let n = id.len();
        let (F, state): (Vec<Matrix<T, D>>, Vec<T>) = if anew == Anew::Law {
            let start = self.matter.start();
            let numbers = start.iter().copied().cycle().take(n * start.len());
            (vec![Matrix::identity(); n], numbers.collect())
        } else {
            if !self.is_of_law(from)? {
                let what = format!("it is not matter of the law `{}`", self.matter.law());
                return Err(Error::Snapshot(what));
            }
            let scalar = |x: T| Matrix::scalar(x);
            let F = match kind.shapeless {
                true => from.get("F")?.into_iter().map(scalar).collect(),
                false => from.get("F")?,
            };
            (F, from.get("state")?)
        };
        if state.len() != n * kind.numbers {
            let what = "columns `F` and `state` differ in length";
            return Err(Error::Snapshot(what.into()));
        }
        let lengths = [f.len(), v.len(), C.len(), F.len(), m.len(), V0.len()];
        let gradients = if kind.gradient { n } else { 0 };
        if cells.len() != n || lengths.iter().any(|&l| l != n) || L.len() != gradients {
            return Err(self.mismatch("columns differ in length"));
        }
        if !cells.par_iter().all(|c| self.domain.contains(c)) {
            return Err(self.mismatch("a particle is farther than the grid can address"));
        }
        // Matter of no mass or volume, with which a step would go on, is refused. What is not finite the
        // next step finds and names.
        for (column, values) in [("mass", &m), ("rest_volume", &V0)] {
            if values.par_iter().any(|x| x.finite() && *x <= T::zero()) {
                return Err(self.mismatch(&format!("`{column}` must be above 0")));
            }
        }
        let mut particles = Particles::new(kind);
        for i in 0..n {
            let number = |k: usize| state[i * kind.numbers + k];
            let one = One {
                f: f[i],
                v: v[i],
                C: C[i],
                L: L.get(i).copied().unwrap_or(C[i]),
                F: F[i],
                a: std::array::from_fn(|k| {
                    if k < kind.numbers {
                        number(k)
                    } else {
                        T::zero()
                    }
                }),
                m: m[i],
                V0: V0[i],
                id: id[i],
            };
            particles.append(cells[i], &one);
        }
        let blocks: Vec<[i32; D]> = from.get("blocks")?;
        let boxes = [from.get::<[i32; D]>("lowest")?, from.get("highest")?];
        let starts: Vec<u64> = from.get("starts")?;
        if [&blocks, &boxes[0], &boxes[1]].map(Vec::len) != [starts.len(); 3] {
            return Err(self.mismatch("the columns of the layout differ in length"));
        }
        let strayed;
        [self.next_id, self.removed, strayed] = numbers(from, "counters")?;
        self.strayed = strayed != 0;
        [self.emitted, self.drained] = numbers(from, "exchanged")?;
        let there = self.removed.checked_add(n as u64);
        // Room for as many to come as anyone could wait for.
        let few = self.next_id < 1 << 63;
        if !few || there != Some(self.next_id) || id.iter().any(|i| *i >= self.next_id) {
            return Err(self.mismatch("its particles do not add up"));
        }
        if !(self.emitted.is_finite() && self.drained.is_finite()) {
            return Err(self.mismatch("the masses that came and went are not finite"));
        }
        let mut ranges = Vec::with_capacity(blocks.len());
        if !self.strayed {
            let ends = starts.iter().skip(1).copied().chain([n as u64]);
            let mut slot = 0;
            for (i, (&start, end)) in starts.iter().zip(ends).enumerate() {
                if start >= end || end > n as u64 {
                    return Err(self.mismatch("the layout is out of order"));
                }
                let r = Range {
                    block: blocks[i],
                    start: slot,
                    end: slot + (end - start) as usize,
                    cells: [boxes[0][i], boxes[1][i]],
                };
                let own = &cells[start as usize..end as usize];
                let whole = self.domain.wrap(r.block) == r.block && r.is_sound();
                if !whole || !own.iter().all(|c| r.holds(c)) {
                    return Err(self.mismatch("the layout does not hold the particles"));
                }
                slot = r.end.next_multiple_of(ALIGN);
                ranges.push(r);
            }
            let whole = starts.first().map_or(n == 0, |s| *s == 0);
            if !whole {
                return Err(self.mismatch("the layout does not hold the particles"));
            }
        }
        let layout = Layout::new(ranges, self.options.kernel);
        if !self.strayed {
            particles.settle(&layout, &mut self.next);
        }
        self.layout = layout;
        self.particles = particles;
        self.limits = None;
        self.unchecked = true;
        Ok(())
    }

    /// Whether a snapshot is of this law.
    fn is_of_law(&self, from: &Snapshot) -> Result<bool> {
        Ok(from.get::<u8>("law")? == self.matter.law().as_bytes())
    }

    fn mismatch(&self, what: &str) -> Error {
        Error::Snapshot(format!("`{}`: {what}", self.name))
    }
}

fn column<const D: usize>(ranges: &[Range<D>], f: fn(&Range<D>) -> [i32; D]) -> Vec<[i32; D]> {
    ranges.iter().map(f).collect()
}

fn numbers<P: bytemuck::Pod, const N: usize>(from: &Snapshot, name: &str) -> Result<[P; N]> {
    <[P; N]>::try_from(from.get::<P>(name)?)
        .map_err(|_| Error::Snapshot(format!("column `{name}` must have {N} values")))
}
