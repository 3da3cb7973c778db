//! The exact state, out and in.

use rayon::prelude::*;
use thixo_core::{Error, PointSet, Result, Snapshot};
use thixo_grid::{Layout, Range};
use thixo_math::{Matrix, Real};

use crate::Mpm;
use crate::columns::{columns, matrix_columns, matrix_rows, no_matrices, rows};

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
        to.put("cell", &p.cells(&self.layout));
        to.put("offset", &rows(&p.now.f, p.len()));
        to.put("v", &rows(&p.now.v, p.len()));
        to.put("C", &matrix_rows(&p.now.C, p.len()));
        to.put("L", &matrix_rows(&p.now.L, p.len()));
        to.put("mass", &p.m[..p.len()]);
        to.put("rest_volume", &p.V0[..p.len()]);
        to.put("id", &p.id);
        to.put("law", self.matter.law().as_bytes());
        match p.kind().shapeless {
            true => to.put("F", &p.now.F[0][0][..p.len()]),
            false => to.put("F", &matrix_rows(&p.now.F, p.len())),
        }
        let numbers = p.kind().numbers;
        let state = (0..p.len() * numbers).map(|n| p.now.a[n % numbers][n / numbers]);
        to.put("state", &state.collect::<Vec<T>>());
        to.put("setting", &self.setting());
        // Order and layout belong to the state: they fix the order of sums until the next sort.
        // A layout that a stray particle has left is made anew by the sort that is then due.
        let ranges = if self.strayed {
            &[]
        } else {
            self.layout.ranges.as_slice()
        };
        let starts: Vec<_> = ranges.iter().map(|r| r.start as u64).collect();
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
        if !same {
            if shown.volume.len() != p.len() {
                return Err(self.mismatch("it does not show all its particles"));
            }
            p.V0 = shown.volume.iter().map(|&V| T::of(V.into())).collect();
        }
        let known = p.V0.first().zip(p.m.first());
        let was = known.map_or(0.0, |(V, m)| m.wide() / V.wide());
        let (density, changed) = (self.density, (was / self.density - 1.0).abs() > 1e-4);
        if density > 0.0 && (changed || !same) {
            let mass = |V: &T| T::of(V.wide() * density);
            p.m = p.V0.iter().map(mass).collect();
        }
        p.fit();
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
        let cells: Vec<[i32; D]> = from.get("cell")?;
        let kind = self.particles.kind();
        let p = &mut self.particles;
        p.now.f = columns(&from.get("offset")?);
        p.now.v = columns(&from.get("v")?);
        let C: Vec<Matrix<T, D>> = from.get("C")?;
        p.now.C = matrix_columns(&C);
        let mut L: Vec<Matrix<T, D>> = from.get("L")?;
        if kind.gradient && L.is_empty() && anew.is_branch() {
            // The scheme that goes on keeps ∇v apart, the one before did not: it was C.
            L = C;
        }
        p.now.L = match kind.gradient || !anew.is_branch() {
            true => matrix_columns(&L),
            false => no_matrices(),
        };
        p.m = from.get("mass")?;
        p.V0 = from.get("rest_volume")?;
        p.id = from.get("id")?;
        let n = p.id.len();
        if anew == Anew::Law {
            let (one, zero, start) = (T::one(), T::zero(), self.matter.start());
            let diagonal = |a, b| vec![if a == b { one } else { zero }; n];
            p.now.F = std::array::from_fn(|a| std::array::from_fn(|b| diagonal(a, b)));
            p.now.a = std::array::from_fn(|k| start.get(k).map_or(Vec::new(), |x| vec![*x; n]));
        } else {
            if !self.is_of_law(from)? {
                let what = format!("it is not matter of the law `{}`", self.matter.law());
                return Err(Error::Snapshot(what));
            }
            let p = &mut self.particles;
            p.now.F = no_matrices();
            match kind.shapeless {
                true => p.now.F[0][0] = from.get("F")?,
                false => p.now.F = matrix_columns(&from.get("F")?),
            }
            let state: Vec<T> = from.get("state")?;
            if state.len() != n * kind.numbers {
                let what = "columns `F` and `state` differ in length";
                return Err(Error::Snapshot(what.into()));
            }
            let number = |k: usize| state.iter().skip(k).step_by(kind.numbers).copied();
            p.now.a = std::array::from_fn(|k| match k < kind.numbers {
                true => number(k).collect(),
                false => Vec::new(),
            });
        }
        let p = &mut self.particles;
        if kind.shapeless {
            for column in p.now.F.as_flattened_mut().iter_mut().skip(1) {
                *column = Vec::new();
            }
        }
        let gradients = if kind.gradient { n } else { 0 };
        let lengths = [
            cells.len(),
            p.now.f[0].len(),
            p.now.v[0].len(),
            p.now.C[0][0].len(),
            p.now.F[0][0].len(),
            p.m.len(),
            p.V0.len(),
        ];
        if lengths.iter().any(|&l| l != n) || p.now.L[0][0].len() != gradients {
            return Err(self.mismatch("columns differ in length"));
        }
        self.plausible()?;
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
        if there != Some(self.next_id) || self.particles.id.iter().any(|i| *i >= self.next_id) {
            return Err(self.mismatch("its particles do not add up"));
        }
        if !(self.emitted.is_finite() && self.drained.is_finite()) {
            return Err(self.mismatch("the masses that came and went are not finite"));
        }
        let mut ranges = Vec::with_capacity(blocks.len());
        if !self.strayed {
            let ends = starts.iter().skip(1).copied().chain([n as u64]);
            for (i, (&start, end)) in starts.iter().zip(ends).enumerate() {
                if start >= end || end > n as u64 {
                    return Err(self.mismatch("the layout is out of order"));
                }
                ranges.push(Range {
                    block: blocks[i],
                    start: start as usize,
                    end: end as usize,
                    cells: [boxes[0][i], boxes[1][i]],
                });
            }
            let whole = ranges.first().map_or(n == 0, |r| r.start == 0);
            let held = |r: &Range<D>| {
                let whole = self.domain.wrap(r.block) == r.block && r.is_sound();
                whole && cells[r.start..r.end].iter().all(|c| r.holds(c))
            };
            let ordered = blocks.windows(2).all(|b| b[0] < b[1]);
            if !whole || !ordered || !ranges.iter().all(held) {
                return Err(self.mismatch("the layout does not hold the particles"));
            }
        }
        self.layout = Layout::new(ranges, self.options.kernel);
        match self.strayed {
            true => self.particles.loosen(cells),
            false => self.particles.fasten(&self.layout, &cells),
        }
        self.bound = None;
        self.unchecked = true;
        Ok(())
    }

    /// Refuses matter of no mass or volume, with which a step would go on. What is not finite the
    /// next step finds and names.
    fn plausible(&self) -> Result<()> {
        let p = &self.particles;
        for (column, values) in [("mass", &p.m), ("rest_volume", &p.V0)] {
            let values = &values[..p.len()];
            if values.par_iter().any(|x| x.finite() && *x <= T::zero()) {
                return Err(self.mismatch(&format!("`{column}` must be above 0")));
            }
        }
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
