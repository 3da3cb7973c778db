//! Colours of particles.

use thixo_core::PointSet;

use super::image::linear;
use super::legend;
use super::vec::V;

/// What the colour of a particle tells. A range is from and to; where none is given it is the
/// picture's own, with round ends, so a film wants one.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Coloring {
    /// The material ([`PointSet::color`]).
    #[default]
    Material,
    /// The speed \[m/s\]; its own range begins at rest.
    Speed(Option<[f32; 2]>),
    /// Mass over current volume \[kg/m³\].
    Density(Option<[f32; 2]>),
    /// A scalar column; sets without the column keep their material's colour.
    Scalar(String, Option<[f32; 2]>),
}

impl Coloring {
    /// By name: `material`, `speed`, `density` or a scalar column such as `pressure`.
    pub fn named(name: &str, range: Option<[f32; 2]>) -> Self {
        match name {
            "material" => Self::Material,
            "speed" => Self::Speed(range),
            "density" => Self::Density(range),
            column => Self::Scalar(column.into(), range),
        }
    }

    /// The legend's title and unit.
    pub(super) fn title(&self) -> Option<(String, &'static str)> {
        match self {
            Self::Material => None,
            Self::Speed(_) => Some(("speed".into(), "m/s")),
            Self::Density(_) => Some(("density".into(), "kg/m³")),
            Self::Scalar(name, _) => Some((name.replace('_', " "), legend::unit_of(name))),
        }
    }

    fn value(&self, set: &PointSet, p: usize) -> Option<f32> {
        match self {
            Self::Material => None,
            Self::Speed(_) => {
                let v = set.velocity.get(p)?;
                Some(v.iter().map(|c| c * c).sum::<f32>().sqrt())
            }
            Self::Density(_) => Some(set.mass.get(p)? / set.volume.get(p)?),
            Self::Scalar(name, _) => {
                let column = set.scalars.iter().find(|(n, _)| n == name)?;
                column.1.get(p).copied()
            }
        }
    }

    /// The values of a set's points; none if it has no such column.
    pub(super) fn values(&self, set: &PointSet) -> Vec<f32> {
        let all = (0..set.position.len()).map(|p| self.value(set, p));
        all.collect::<Option<Vec<f32>>>().unwrap_or_default()
    }

    /// The range of the colour map for these sets: the one given, or one with round ends that holds
    /// the data. Join those of several frames for a film.
    pub fn range(&self, sets: &[PointSet]) -> [f32; 2] {
        let given = match self {
            Self::Material => None,
            Self::Speed(range) | Self::Density(range) | Self::Scalar(_, range) => *range,
        };
        if let Some([a, b]) = given.filter(|r| r.iter().all(|e| e.is_finite())) {
            return widened([a.min(b), a.max(b)]);
        }
        let all = sets
            .iter()
            .flat_map(|s| (0..s.position.len()).map(move |p| (s, p)));
        let finite = all
            .filter_map(|(s, p)| self.value(s, p))
            .filter(|v| v.is_finite());
        let [mut lo, hi] = finite.fold([f32::INFINITY, f32::NEG_INFINITY], |[lo, hi], v| {
            [lo.min(v), hi.max(v)]
        });
        if lo > hi {
            return [0.0, 1.0];
        }
        if matches!(self, Self::Speed(_)) {
            lo = 0.0;
        }
        legend::rounded(widened([lo, hi]))
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

/// A range that has some width.
fn widened([lo, hi]: [f32; 2]) -> [f32; 2] {
    let least = 1e-5 * lo.abs().max(hi.abs());
    if hi - lo > least {
        return [lo, hi];
    }
    let half = if lo == 0.0 { 0.5 } else { 0.1 * lo.abs() };
    [lo - half, hi + half]
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
    fn ranges_are_round_or_as_given() {
        let sets = [crate::sample::block(3, 3)]; // plastic volume 1 to 1.026, density 1000
        let scalar = |range| Coloring::Scalar("plastic_volume".into(), range).range(&sets);
        assert_eq!(scalar(None), [1.0, 1.03]);
        assert_eq!(scalar(Some([2.0, 5.5])), [2.0, 5.5]);
        assert_eq!(scalar(Some([5.5, 2.0])), [2.0, 5.5]);
        assert_eq!(scalar(Some([f32::NAN, 2.0])), scalar(None));
        let [lo, hi] = Coloring::Density(None).range(&sets);
        assert!(lo < 1000.0 && hi > 1000.0 && hi - lo < 500.0, "{lo} {hi}");
        let of = |name| Coloring::named(name, None).value(&sets[0], 5);
        assert!((of("density").unwrap() - 1000.0).abs() < 0.1);
        assert_eq!(of("plastic_volume"), Some(1.005));
        assert_eq!((of("material"), of("none")), (None, None));
        assert_eq!(Coloring::Speed(None).range(&sets)[0], 0.0);
    }

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
