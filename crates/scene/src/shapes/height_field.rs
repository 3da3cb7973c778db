//! Ground of a given height.

use std::ops::Range;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;
use thixo_math::Vector;
use thixo_shape::{self as shape, Shape};

use super::{Figure, Files, refused};
use crate::error::{Checked, Problem};
use crate::expression::Expression;
use crate::spec::{Numbers, Scalar, Spanned};
use crate::units::LENGTH;

/// Most nodes of a height field.
const LIMIT: f64 = 1e7;

/// Solid below y = height(x, z), level beyond its border: a formula, or a list with z running
/// fastest. Heights are above y = 0, which is the y of both corners; `spacing` divides the way
/// between them.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HeightField {
    /// One corner \[m\], with y = 0.
    from: Numbers,
    /// The opposite corner \[m\], with y = 0.
    to: Numbers,
    /// Distance of the nodes \[m\].
    spacing: Scalar,
    /// A formula of x and z (in two dimensions of x) in SI units.
    height: Option<Spanned<String>>,
    /// The heights of the nodes \[m\], with z running fastest.
    heights: Option<Numbers>,
}

impl Figure for HeightField {
    fn figure<const D: usize>(&self, _: &Files, span: &Range<usize>) -> Checked<Arc<dyn Shape<D>>> {
        let low: Vector<f64, D> = self.from.vector(LENGTH)?;
        let high: Vector<f64, D> = self.to.vector(LENGTH)?;
        let spacing = self.spacing.positive("spacing", LENGTH)?;
        let across: Vec<usize> = (0..D).filter(|&a| a != 1).collect();
        for corner in [&self.from, &self.to] {
            if let Some(y) = corner.items.get(1)
                && y.value(LENGTH)? != 0.0
            {
                return Err(Problem::new(
                    y.span.clone(),
                    "the corners of a height field have no height of their own",
                )
                .help("write 0 here: heights are above y = 0, and `translate` moves the whole"));
            }
        }
        let cells = |a: &usize| ((high[*a] - low[*a]) / spacing).round().max(0.0) + 1.0;
        let counts: Vec<f64> = across.iter().map(cells).collect();
        if counts.iter().any(|&n| n < 2.0) || counts.iter().product::<f64>() > LIMIT {
            return Err(Problem::new(
                span.clone(),
                "this height field has too few or too many nodes",
            )
            .help("`to` must be beyond `from`, with a `spacing` that divides the way between"));
        }
        let ways: Vec<f64> = across.iter().map(|&a| high[a] - low[a]).collect();
        if !divides(spacing, &ways) {
            let help = match dividing(&ways, spacing) {
                Some(s) => format!("the nearest that does is spacing = {s}"),
                None => "change `to`, so that one spacing divides both ways".into(),
            };
            return Err(Problem::new(
                self.spacing.span.clone(),
                format!("a spacing of {spacing} does not divide the way from `from` to `to`"),
            )
            .help(help));
        }
        let counts: Vec<usize> = counts.iter().map(|&n| n as usize).collect();
        let total: usize = counts.iter().product();
        let heights: Vec<f64> = match (&self.height, &self.heights) {
            (Some(text), None) => {
                let formula =
                    Expression::parse(text.get_ref(), if D == 2 { &["x"] } else { &["x", "z"] })
                        .map_err(|e| {
                            Problem::new(text.span(), e)
                                .help("write a formula such as \"0.1*sin(x)\"")
                        })?;
                let node = |i: usize| {
                    let mut x = low;
                    let last = counts[counts.len() - 1];
                    x[across[0]] += spacing * if D == 2 { i } else { i / last } as f64;
                    if let Some(&a) = across.get(1) {
                        x[a] += spacing * (i % last) as f64;
                    }
                    formula.at(&x.0, 0.0)
                };
                (0..total).map(node).collect()
            }
            (None, Some(list)) => list
                .items
                .iter()
                .map(|s| s.value(LENGTH))
                .collect::<Checked<_>>()?,
            _ => {
                return Err(
                    Problem::new(span.clone(), "this height field has no height, or two")
                        .help("give either `height`, a formula, or `heights`, a list"),
                );
            }
        };
        // Heights are absolute: above y = 0.
        let corner = Vector::from_fn(|a| if a == 1 { 0.0 } else { low[a] });
        let made = shape::HeightField::<D>::new(corner, spacing, &counts, 1, heights);
        Ok(Arc::new(made.map_err(refused(span))?))
    }
}

/// Whether every way is a whole number of spacings, up to what is lost in writing.
fn divides(spacing: f64, ways: &[f64]) -> bool {
    ways.iter().all(|way| {
        let n = way / spacing;
        n > 0.5 && (n - n.round()).abs() < 1e-4
    })
}

/// The nearest spacing that divides all ways, if there is one near.
fn dividing(ways: &[f64], spacing: f64) -> Option<f64> {
    let first = ways.first()?;
    let near = (first / spacing).round();
    let off = |s: &f64| (s - spacing).abs();
    (-1000..=1000)
        .map(|k| near + f64::from(k))
        .filter(|&n| n > 0.0)
        .map(|n| first / n)
        .filter(|&s| divides(s, ways))
        .min_by(|a, b| off(a).total_cmp(&off(b)))
}
