//! Space: the spacing of the grid, and axes that close on themselves.

use thiserror::Error;
use thixo_math::{Real, Vector};

use crate::block::{BLOCK, Coord, REACH};

/// A domain that cannot be.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum DomainError {
    /// The spacing is not a positive number.
    #[error("grid spacing must be a positive length, not {0} m")]
    Spacing(f64),
    /// A period that is not a whole number of blocks.
    #[error(
        "the period of axis {axis} is {cells} cells; it must be a positive multiple of 4 cells: \
         choose a cell size that divides it so"
    )]
    Period {
        /// Axis number.
        axis: usize,
        /// Period in cells.
        cells: f64,
    },
}

/// The grid's spacing and its periodic axes. There is no box: coordinates are signed integers and
/// only what is occupied exists.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Domain<const D: usize> {
    /// Spacing of nodes \[m\].
    pub dx: f64,
    /// Period of each axis in blocks; 0 for an open axis.
    period: [i32; D],
}

impl<const D: usize> Domain<D> {
    /// An open domain.
    pub fn new(dx: f64) -> Result<Self, DomainError> {
        if dx > 0.0 && dx.is_finite() {
            Ok(Self { dx, period: [0; D] })
        } else {
            Err(DomainError::Spacing(dx))
        }
    }
    /// Closes an axis: 0 and `length` \[m\] become the same place. Matter is seen in between; obstacles
    /// and drains act where they lie in between, and are not repeated.
    pub fn periodic(mut self, axis: usize, length: f64) -> Result<Self, DomainError> {
        let cells = length / self.dx;
        let blocks = (cells / BLOCK as f64).round();
        if !(blocks >= 1.0 && blocks < REACH as f64)
            || (blocks * BLOCK as f64 - cells).abs() > 1e-6 * cells
        {
            return Err(DomainError::Period { axis, cells });
        }
        self.period[axis] = blocks as i32;
        Ok(self)
    }
    /// Period of an axis in cells, if it has one.
    pub fn period_cells(&self, axis: usize) -> Option<i32> {
        (self.period[axis] > 0).then(|| self.period[axis] * BLOCK)
    }
    /// Period of an axis in blocks, if it has one.
    pub(crate) fn period_blocks(&self, axis: usize) -> Option<i32> {
        (self.period[axis] > 0).then_some(self.period[axis])
    }
    /// The block itself, or its twin inside the period.
    #[inline]
    pub fn wrap(&self, mut b: Coord<D>) -> Coord<D> {
        for (c, &n) in b.iter_mut().zip(&self.period) {
            if n > 0 {
                *c = c.rem_euclid(n);
            }
        }
        b
    }
    /// Brings a cell into the period.
    #[inline]
    pub fn wrap_cell(&self, cell: &mut [i32; D]) {
        for (c, &n) in cell.iter_mut().zip(&self.period) {
            if n > 0 {
                *c = c.rem_euclid(n * BLOCK);
            }
        }
    }
    /// Whether a cell can be addressed.
    #[inline]
    pub fn contains(&self, cell: &[i32; D]) -> bool {
        let end = (REACH - 2) * BLOCK;
        cell.iter().all(|&c| c > -end && c < end)
    }
    /// Whether every cell within a block of this block can be addressed.
    pub fn contains_around(&self, b: &Coord<D>) -> bool {
        let end = REACH - 4;
        b.iter().all(|&c| c > -end && c < end)
    }
    /// Splits a place \[m\] into an integer cell and a fraction in \[0, 1), or `None` if it is not
    /// finite or too far to be addressed.
    pub fn locate<T: Real>(&self, x: &Vector<f64, D>) -> Option<([i32; D], Vector<T, D>)> {
        let mut cell = [0; D];
        let mut f = Vector::zero();
        for a in 0..D {
            let s = x[a] / self.dx;
            if !s.is_finite() || s.abs() > 1e9 {
                return None;
            }
            let c = s.floor();
            cell[a] = c as i32;
            f[a] = T::of(s - c);
        }
        self.contains(&cell).then_some((cell, f))
    }
    /// The place \[m\] of a cell and a fraction; the cell is taken into the period first.
    #[inline]
    pub fn place<T: Real>(&self, cell: &[i32; D], f: &Vector<T, D>) -> Vector<f64, D> {
        let mut cell = *cell;
        self.wrap_cell(&mut cell);
        Vector::from_fn(|a| (cell[a] as f64 + f[a].wide()) * self.dx)
    }
    /// Whether a block touches the seam of a periodic axis.
    pub fn at_seam(&self, b: &Coord<D>) -> bool {
        (0..D).any(|a| self.period[a] > 0 && (b[a] <= 0 || b[a] + 1 >= self.period[a]))
    }
}
