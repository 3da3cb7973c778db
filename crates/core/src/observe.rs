//! What a system shows of itself: points with named columns. Files, pictures, statistics and tests
//! are all observers; none of them reaches into a solver.

use std::ops::Add;

use thixo_math::Vector;

use crate::Result;

/// A set of points at one instant, free of the precision and dimension it was computed in
/// (in two dimensions the third component is zero).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PointSet {
    /// Name of the body in the scene.
    pub name: String,
    /// Name of its material.
    pub material: String,
    /// 2 or 3.
    pub dimension: usize,
    /// Lasting number of each point.
    pub id: Vec<u64>,
    /// Positions \[m\].
    pub position: Vec<[f64; 3]>,
    /// Velocities \[m/s\].
    pub velocity: Vec<[f32; 3]>,
    /// Masses \[kg\].
    pub mass: Vec<f32>,
    /// Current volumes \[m³\] (in two dimensions \[m²\], per metre of depth).
    pub volume: Vec<f32>,
    /// Further columns by name, e.g. `plastic_volume`.
    pub scalars: Vec<(String, Vec<f32>)>,
    /// Spacing of the grid that carries it \[m\].
    pub cell: f64,
    /// Mean distance between neighbours at rest \[m\]; 0 if unknown.
    pub spacing: f64,
    /// Colour hint for pictures: sRGB, 0 to 1.
    pub color: [f32; 3],
    /// Triangles of point numbers, outward; in two dimensions segments, the last number repeated.
    pub faces: Vec<[u32; 3]>,
}

/// The sums of a system's state: what the ledger shows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Totals {
    /// Number of particles.
    pub particles: u64,
    /// Mass \[kg\].
    pub mass: f64,
    /// Linear momentum \[kg m/s\].
    pub momentum: [f64; 3],
    /// Angular momentum about the origin \[kg m²/s\], the affine part included ([Jiang15] (5.5), (5.11)).
    pub angular: [f64; 3],
    /// Kinetic energy \[J\], the affine part included.
    pub kinetic: f64,
    /// Elastic energy \[J\].
    pub elastic: f64,
    /// Potential energy in the uniform gravity \[J\], zero at the origin.
    pub potential: f64,
    /// Current volume \[m³\].
    pub volume: f64,
    /// Largest particle speed \[m/s\].
    pub fastest: f64,
    /// Particles that were ever there.
    pub added: u64,
    /// Particles that drains took.
    pub removed: u64,
    /// Mass let in by emitters so far \[kg\].
    pub emitted: f64,
    /// Mass taken out by drains so far \[kg\].
    pub drained: f64,
}

impl Totals {
    /// Particles that are neither there nor taken by a drain: none, or the engine is wrong.
    pub fn lost(&self) -> u64 {
        self.added.abs_diff(self.removed + self.particles)
    }
}

impl Add for Totals {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        let sum = |a: [f64; 3], b: [f64; 3]| std::array::from_fn(|i| a[i] + b[i]);
        Self {
            particles: self.particles + o.particles,
            mass: self.mass + o.mass,
            momentum: sum(self.momentum, o.momentum),
            angular: sum(self.angular, o.angular),
            kinetic: self.kinetic + o.kinetic,
            elastic: self.elastic + o.elastic,
            potential: self.potential + o.potential,
            volume: self.volume + o.volume,
            fastest: self.fastest.max(o.fastest),
            added: self.added + o.added,
            removed: self.removed + o.removed,
            emitted: self.emitted + o.emitted,
            drained: self.drained + o.drained,
        }
    }
}

/// Receives what systems show.
pub trait Observer {
    /// A set of points.
    fn points(&mut self, set: &PointSet) -> Result<()>;
}

/// All that is shown.
impl Observer for Vec<PointSet> {
    fn points(&mut self, set: &PointSet) -> Result<()> {
        self.push(set.clone());
        Ok(())
    }
}

/// A number in single precision, as files and pictures want it: beyond its range the largest there is.
/// Matter that is crushed to no volume has no stress that could be told, and shows none.
pub fn shown(x: f64) -> f32 {
    match x.is_nan() {
        true => 0.0,
        false => (x as f32).clamp(f32::MIN, f32::MAX),
    }
}

/// A vector in three dimensions; what it does not have is zero.
pub fn three<const D: usize>(v: &Vector<f64, D>) -> [f64; 3] {
    std::array::from_fn(|a| if a < D { v[a] } else { 0.0 })
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn shown_numbers_are_finite() {
        let all = [1.5, -1e300, f64::INFINITY, f64::NAN, 1e-300].map(shown);
        assert_eq!(all, [1.5, f32::MIN, f32::MAX, 0.0, 0.0]);
    }
}
