//! The units that may be written, one line each.

use super::Dimension;

/// A unit: how it is written, its size in SI units, its dimension, whether it takes prefixes.
#[derive(Clone, Copy, Debug)]
pub struct Unit {
    /// As written.
    pub name: &'static str,
    /// One of it in SI units.
    pub size: f64,
    /// What it measures.
    pub dimension: Dimension,
    /// Whether `k`, `M`, `m` … may stand before it.
    pub prefixes: bool,
}

const fn unit(name: &'static str, size: f64, powers: [i8; 4], prefixes: bool) -> Unit {
    let [mass, length, time, angle] = powers;
    Unit {
        name,
        size,
        dimension: Dimension::new(mass, length, time, angle),
        prefixes,
    }
}

/// Every unit.
pub const UNITS: &[Unit] = &[
    unit("m", 1.0, [0, 1, 0, 0], true),
    unit("g", 1e-3, [1, 0, 0, 0], true),
    unit("s", 1.0, [0, 0, 1, 0], true),
    unit("N", 1.0, [1, 1, -2, 0], true),
    unit("Pa", 1.0, [1, -1, -2, 0], true),
    unit("J", 1.0, [1, 2, -2, 0], true),
    unit("W", 1.0, [1, 2, -3, 0], true),
    unit("Hz", 1.0, [0, 0, -1, 0], true),
    unit("L", 1e-3, [0, 3, 0, 0], true),
    unit("l", 1e-3, [0, 3, 0, 0], true),
    unit("bar", 1e5, [1, -1, -2, 0], true),
    unit("t", 1e3, [1, 0, 0, 0], false),
    unit("in", 0.0254, [0, 1, 0, 0], false),
    unit("ft", 0.3048, [0, 1, 0, 0], false),
    unit("min", 60.0, [0, 0, 1, 0], false),
    unit("h", 3600.0, [0, 0, 1, 0], false),
    unit("rad", 1.0, [0, 0, 0, 1], true),
    unit("deg", std::f64::consts::PI / 180.0, [0, 0, 0, 1], false),
    unit("°", std::f64::consts::PI / 180.0, [0, 0, 0, 1], false),
    unit("rev", std::f64::consts::TAU, [0, 0, 0, 1], false),
    unit("rpm", std::f64::consts::TAU / 60.0, [0, 0, -1, 1], false),
    unit("%", 0.01, [0, 0, 0, 0], false),
];

/// Decimal prefixes.
pub(crate) const PREFIXES: &[(&str, f64)] = &[
    ("G", 1e9),
    ("M", 1e6),
    ("k", 1e3),
    ("h", 1e2),
    ("d", 1e-1),
    ("c", 1e-2),
    ("m", 1e-3),
    ("u", 1e-6),
    ("µ", 1e-6),
    ("μ", 1e-6),
    ("n", 1e-9),
];

/// Size and dimension of a unit with or without a prefix.
pub(super) fn find(name: &str) -> Option<(f64, Dimension)> {
    if let Some(u) = UNITS.iter().find(|u| u.name == name) {
        return Some((u.size, u.dimension));
    }
    PREFIXES.iter().find_map(|(prefix, factor)| {
        let rest = name.strip_prefix(prefix)?;
        let u = UNITS.iter().find(|u| u.prefixes && u.name == rest)?;
        Some((factor * u.size, u.dimension))
    })
}
