//! Physical values as people write them: `"140 kPa"`, `"25 cm"`, `"14 Pa s"`, `"30 deg"`.

mod parse;
mod table;

pub(crate) use parse::dimension;
pub use parse::{UnitError, parse, split};
pub(crate) use table::PREFIXES;
pub use table::UNITS;

use std::fmt;

/// A physical dimension: powers of kilogram, metre, second and radian.
///
/// Radian counts as a dimension here, so that an angle cannot stand where a pure number is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dimension {
    /// Power of mass.
    pub mass: i8,
    /// Power of length.
    pub length: i8,
    /// Power of time.
    pub time: i8,
    /// Power of angle.
    pub angle: i8,
}

impl Dimension {
    /// By its powers of kilogram, metre, second and radian.
    pub const fn new(mass: i8, length: i8, time: i8, angle: i8) -> Self {
        Self {
            mass,
            length,
            time,
            angle,
        }
    }
    /// `self · other^power`, saturating: an absurd power stays absurd.
    pub(crate) fn times(self, o: Self, power: i8) -> Self {
        let sum = |a: i8, b: i8| a.saturating_add(b.saturating_mul(power));
        Self {
            mass: sum(self.mass, o.mass),
            length: sum(self.length, o.length),
            time: sum(self.time, o.time),
            angle: sum(self.angle, o.angle),
        }
    }
}

/// What a value in a scene file measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measure {
    /// In words, with its article.
    pub name: &'static str,
    /// Its dimension.
    pub dimension: Dimension,
    /// As one may write it.
    pub example: &'static str,
}

macro_rules! measures {
    ($($(#[$doc:meta])* $name:ident = $words:literal, $dim:expr, $example:literal;)*) => {
        $($(#[$doc])* pub const $name: Measure =
            Measure { name: $words, dimension: $dim, example: $example };)*
        /// All of them.
        pub(crate) const MEASURES: &[Measure] = &[$($name),*];
    };
}
measures! {
    /// A pure number.
    NUMBER = "a pure number", Dimension::new(0, 0, 0, 0), "0.3";
    /// Metre.
    LENGTH = "a length", Dimension::new(0, 1, 0, 0), "25 cm";
    /// Second.
    TIME = "a time", Dimension::new(0, 0, 1, 0), "0.5 s";
    /// Metre per second.
    SPEED = "a speed", Dimension::new(0, 1, -1, 0), "3 m/s";
    /// Metre per second squared.
    ACCELERATION = "an acceleration", Dimension::new(0, 1, -2, 0), "9.81 m/s^2";
    /// Kilogram per cubic metre.
    DENSITY = "a density", Dimension::new(1, -3, 0, 0), "400 kg/m^3";
    /// Pascal.
    PRESSURE = "a pressure", Dimension::new(1, -1, -2, 0), "140 kPa";
    /// Kilogram per square metre.
    AREA_DENSITY = "a mass per area", Dimension::new(1, -2, 0, 0), "0.3 kg/m^2";
    /// Newton per metre.
    TENSION = "a force per length", Dimension::new(1, 0, -2, 0), "200 N/m";
    /// Pascal second.
    VISCOSITY = "a viscosity", Dimension::new(1, -1, -1, 0), "14 Pa s";
    /// Radian.
    ANGLE = "an angle", Dimension::new(0, 0, 0, 1), "30 deg";
    /// Radian per second.
    TURNING = "an angular velocity", Dimension::new(0, 0, -1, 1), "90 deg/s";
    /// Per second.
    FREQUENCY = "a frequency", Dimension::new(0, 0, -1, 0), "24 Hz";
}

impl From<thixo_material::Unit> for Measure {
    fn from(unit: thixo_material::Unit) -> Self {
        use thixo_material::Unit;
        match unit {
            Unit::One => NUMBER,
            Unit::Pressure => PRESSURE,
            Unit::Viscosity => VISCOSITY,
            Unit::Angle => ANGLE,
            Unit::Density => DENSITY,
            Unit::Time => TIME,
            Unit::Speed => SPEED,
        }
    }
}

impl fmt::Display for Dimension {
    /// In base units, e.g. `kg m^-1 s^-2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = [
            ("kg", self.mass),
            ("m", self.length),
            ("s", self.time),
            ("rad", self.angle),
        ];
        let mut words = all.iter().filter(|(_, p)| *p != 0).peekable();
        if words.peek().is_none() {
            return f.write_str("a pure number");
        }
        for (i, (name, power)) in words.enumerate() {
            let space = if i > 0 { " " } else { "" };
            match power {
                1 => write!(f, "{space}{name}")?,
                p => write!(f, "{space}{name}^{p}")?,
            }
        }
        Ok(())
    }
}
