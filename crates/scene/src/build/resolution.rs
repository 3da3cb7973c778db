//! The size of a cell: as typed, or from a word that says how fine it shall be.

use thixo_math::Vector;
use thixo_shape::volume;

use super::bodies::span;
use super::kind::{Kind, kind};
use crate::error::{Checked, Problem};
use crate::scene::Scene;
use crate::spec::{Scalar, Typed};
use crate::units::LENGTH;

/// How fine a scene is in words, and about how many particles that means in two and three dimensions.
pub const QUALITIES: [(&str, [f64; 2]); 4] = [
    ("draft", [1e3, 1e4]),
    ("normal", [1e4, 1e5]),
    ("fine", [1e5, 1e6]),
    ("ultra", [1e6, 1e7]),
];

impl Scene {
    /// The size of a cell \[m\].
    pub(crate) fn cell<const D: usize>(&self) -> Checked<f64> {
        if let Some(dx) = self.cell.get() {
            return Ok(*dx);
        }
        let dx = self.derived::<D>()?;
        Ok(*self.cell.get_or_init(|| dx))
    }

    fn derived<const D: usize>(&self) -> Checked<f64> {
        let typed = &self.spec.resolution;
        let word = match &typed.typed {
            Typed::Text(word) if word.chars().all(char::is_alphabetic) => word.as_str(),
            _ => return typed.positive("resolution", LENGTH),
        };
        let Some((_, counts)) = QUALITIES.iter().find(|(name, _)| *name == word) else {
            let names = QUALITIES.iter().map(|q| q.0);
            return Err(unknown(typed, word, names));
        };
        let matter = self.amount::<D>()?;
        let per_cell = self.per_cell::<D>()? as f64;
        let dx = (matter * per_cell / counts[D - 2]).powf(1.0 / D as f64);
        if dx > 0.0 && dx.is_finite() {
            return Ok(two_digits(dx));
        }
        Err(Problem::new(
            typed.span.clone(),
            "there is no matter to measure a cell by",
        )
        .help("write a length such as \"2 cm\""))
    }

    /// The volume (area) of all that is as fine as the grid and is there at the start or comes in while the scene
    /// lasts; where nothing is, that of meshes that say how fine they are.
    pub(crate) fn amount<const D: usize>(&self) -> Checked<f64> {
        let sum = self.bodies_amount::<D>(false)? + self.streams_amount::<D>()?;
        if sum > 0.0 {
            return Ok(sum);
        }
        self.bodies_amount::<D>(true)
    }
    /// Of bodies, perhaps of those too that have a fineness of their own.
    fn bodies_amount<const D: usize>(&self, all: bool) -> Checked<f64> {
        let mut sum = 0.0;
        for body in &self.spec.bodies {
            let shape = match kind(body.get_ref(), body.span())? {
                Kind::Particles(_, shape) => shape,
                Kind::Cut(_, shape, solid) if all || solid.edge.is_none() => shape,
                _ => continue,
            };
            let shape = shape.make::<D>(&self.files)?;
            let Some(bounds) = shape.bounds() else {
                continue;
            };
            sum += volume(&*shape, coarse(&bounds.size())).unwrap_or(0.0);
        }
        Ok(sum)
    }
    /// Of streams while the scene lasts.
    fn streams_amount<const D: usize>(&self) -> Checked<f64> {
        let mut sum = 0.0;
        let end = self.frame_time(self.frames);
        for emitter in &self.spec.emitters {
            let e = emitter.get_ref();
            let shape = e.shape.make::<D>(&self.files)?;
            let Some(bounds) = shape.bounds() else {
                continue;
            };
            let [start, stop] = span(&e.start, &e.stop)?;
            let open = (stop.min(end) - start).max(0.0);
            let size = bounds.size();
            let fine = size.product().powf(1.0 / D as f64) / 32.0;
            let fine = fine.max(size.norm() / 1000.0);
            let stream = self.stream::<D>(e, fine, 1, 0)?;
            sum += stream.rate() * open;
        }
        Ok(sum)
    }
}

/// How far apart points stand that measure a box of this size: about a hundred thousand of them, and
/// no more than four times as many, however thin the box is.
fn coarse<const D: usize>(size: &Vector<f64, D>) -> f64 {
    let unit = size.max_abs().max(f64::MIN_POSITIVE);
    let sides = size.map(|s| s / unit); // what is squared or divided below neither vanishes nor overflows
    let mut h = (sides.product() / 1e5).powf(1.0 / D as f64).max(1e-12);
    let count = |h: f64| sides.0.iter().map(|s| s / h + 3.0).product::<f64>();
    while count(h) > 4e5 {
        h = 1.25 * h + 1e-9;
    }
    (h * unit).max(f64::MIN_POSITIVE)
}

fn unknown(typed: &Scalar, word: &str, names: impl Iterator<Item = &'static str>) -> Problem {
    let mut problem = Problem::unknown(typed.span.clone(), "resolution", word, names);
    let help = problem.help.take().unwrap_or_default();
    problem.help(format!("write a length such as \"2 cm\"; {help}"))
}

/// Rounded to two digits, so that it can be said and typed.
fn two_digits(x: f64) -> f64 {
    let unit = 10f64.powf(x.log10().floor() - 1.0);
    (x / unit).round() * unit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thin_boxes_are_measured_by_few_points() {
        let count = |size: Vector<f64, 3>| {
            let h = coarse(&size);
            size.0.iter().map(|s| s / h + 3.0).product::<f64>()
        };
        for size in [
            [1.0, 1.0, 1.0],
            [1e9, 0.1, 0.1],
            [0.3, 0.3, 1e-12],
            [1e300, 1e-300, 1.0],
        ] {
            let n = count(Vector(size));
            assert!((1e2..=4e5).contains(&n), "{size:?}: {n}");
        }
        for side in [0.0, 1e-323, 1e-300] {
            let n = count(Vector([side; 3]));
            assert!((1.0..=4e5).contains(&n), "{side}: {n}");
        }
        assert!((coarse(&Vector([1.0, 1.0])) - 1e-5f64.sqrt()).abs() < 1e-12);
    }
}
