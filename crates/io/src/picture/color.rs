//! Colours of particles.

use thixo_core::PointSet;

use super::image::linear;
use super::vec::V;

/// What the colour of a particle tells.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Coloring {
    /// The material ([`PointSet::color`]).
    #[default]
    Material,
    /// The speed \[m/s\], from and to; the data's own range if none is given.
    Speed(Option<[f32; 2]>),
    /// A scalar column, from and to; sets without the column keep their material's colour.
    Scalar(String, Option<[f32; 2]>),
}

impl Coloring {
    /// The legend's title.
    pub(super) fn title(&self) -> Option<String> {
        match self {
            Self::Material => None,
            Self::Speed(_) => Some("speed [m/s]".into()),
            Self::Scalar(name, _) => Some(name.replace('_', " ")),
        }
    }

    fn value(&self, set: &PointSet, p: usize) -> Option<f32> {
        match self {
            Self::Material => None,
            Self::Speed(_) => {
                let v = set.velocity.get(p)?;
                Some(v.iter().map(|c| c * c).sum::<f32>().sqrt())
            }
            Self::Scalar(name, _) => {
                let column = set.scalars.iter().find(|(n, _)| n == name)?;
                column.1.get(p).copied()
            }
        }
    }

    /// The range of the colour map.
    pub(super) fn range(&self, sets: &[PointSet]) -> [f32; 2] {
        let (Self::Speed(Some(given)) | Self::Scalar(_, Some(given))) = self else {
            let all = sets
                .iter()
                .flat_map(|s| (0..s.position.len()).map(move |p| (s, p)));
            let finite = all
                .filter_map(|(s, p)| self.value(s, p))
                .filter(|v| v.is_finite());
            let ends = finite.fold([f32::INFINITY, f32::NEG_INFINITY], |[lo, hi], v| {
                [lo.min(v), hi.max(v)]
            });
            return if ends[0] < ends[1] {
                ends
            } else if ends[0] == ends[1] {
                [ends[0] - 0.5, ends[0] + 0.5]
            } else {
                [0.0, 1.0]
            };
        };
        *given
    }

    /// The colours of a set's points, linear light.
    pub(super) fn colors(&self, set: &PointSet, [lo, hi]: [f32; 2]) -> Vec<V> {
        let plain = set.color.map(|c| linear(c.clamp(0.0, 1.0)));
        let color = |p| match self.value(set, p) {
            Some(v) => mapped(v, [lo, hi]),
            None => plain,
        };
        (0..set.position.len()).map(color).collect()
    }
}

/// The colour of a value, linear light; what is not a number gets a colour outside the map.
pub(super) fn mapped(v: f32, [lo, hi]: [f32; 2]) -> V {
    if v.is_finite() {
        viridis((v - lo) / (hi - lo))
    } else {
        [0.8, 0.0, 0.4]
    }
}

/// A perceptually even map from dark violet over green to yellow, linear light: our least-squares
/// polynomials through matplotlib's viridis (public domain), largest error 0.017.
pub(super) fn viridis(t: f32) -> V {
    const C: [[f32; 7]; 3] = [
        [0.2745, 0.1077, -0.3272, -4.5999, 6.2037, 4.7518, -5.4321],
        [0.0058, 1.3965, 0.2148, -5.7582, 14.154, -13.7494, 4.6416],
        [0.3327, 1.3868, 0.092, -19.2918, 56.6563, -65.321, 26.2721],
    ];
    let t = if t.is_finite() {
        t.clamp(0.0, 1.0)
    } else {
        0.0
    };
    C.map(|c| linear(c.iter().rev().fold(0.0, |s, c| s * t + c).clamp(0.0, 1.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn map_brightens_evenly() {
        let light = |t| {
            let [r, g, b] = viridis(t);
            (0.2126 * r + 0.7152 * g + 0.0722 * b).cbrt() // about CIE lightness
        };
        let steps: Vec<f32> = (0..20)
            .map(|k| light((k + 1) as f32 / 20.0) - light(k as f32 / 20.0))
            .collect();
        assert!(steps.iter().all(|&s| s > 0.01 && s < 0.08), "{steps:?}");
        assert_eq!(viridis(f32::NAN), viridis(0.0));
    }
}
