//! The works by name.

/// A material of the common work and its law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stuff {
    pub name: &'static str,
    pub law: &'static str,
}

/// How a work differs from the common one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Variant {
    /// It does not.
    Plain,
    /// In a plane, 4 particles per cell.
    Flat,
    /// In double precision.
    Double,
    /// With the cubic kernel.
    Cubic,
    /// Ten times the particles at the same density.
    Large,
    /// A few grains are 100 cubes away.
    Far,
    /// 1 % of the particles start inside out.
    Inverted,
    /// Every particle starts with a random strain of about 20 %.
    Strained,
}

/// What a work is made of.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// The common work or a variant of it.
    Common { stuff: Stuff, variant: Variant },
    /// The text of a scene whose materials are called like those of the common work.
    Scene(&'static str),
}

/// A work.
#[derive(Clone, Copy, Debug)]
pub struct Work {
    pub name: &'static str,
    pub kind: Kind,
}

const JELLY: Stuff = stuff("jelly", "fixed-corotated");
const NH: Stuff = stuff("nh", "neo-hookean");
const SNOW: Stuff = stuff("snow", "snow");
const SAND: Stuff = stuff("sand", "sand");
const WATER: Stuff = stuff("water", "liquid");
/// The materials of the common work.
pub const STUFFS: [Stuff; 5] = [JELLY, NH, SNOW, SAND, WATER];

/// Every work; the first five are those of a bare `thixo bench`.
pub const WORKS: [Work; 30] = [
    common("jelly", JELLY, Variant::Plain),
    common("nh", NH, Variant::Plain),
    common("snow", SNOW, Variant::Plain),
    common("sand", SAND, Variant::Plain),
    common("water", WATER, Variant::Plain),
    common("2d-jelly", JELLY, Variant::Flat),
    common("2d-nh", NH, Variant::Flat),
    common("2d-snow", SNOW, Variant::Flat),
    common("2d-sand", SAND, Variant::Flat),
    common("2d-water", WATER, Variant::Flat),
    common("f64-jelly", JELLY, Variant::Double),
    common("f64-nh", NH, Variant::Double),
    common("f64-snow", SNOW, Variant::Double),
    common("f64-sand", SAND, Variant::Double),
    common("f64-water", WATER, Variant::Double),
    common("cubic-jelly", JELLY, Variant::Cubic),
    common("cubic-nh", NH, Variant::Cubic),
    common("cubic-snow", SNOW, Variant::Cubic),
    common("cubic-sand", SAND, Variant::Cubic),
    common("cubic-water", WATER, Variant::Cubic),
    common("10m-jelly", JELLY, Variant::Large),
    common("10m-nh", NH, Variant::Large),
    common("10m-snow", SNOW, Variant::Large),
    common("10m-sand", SAND, Variant::Large),
    common("10m-water", WATER, Variant::Large),
    common("far-jelly", JELLY, Variant::Far),
    common("inverted-jelly", JELLY, Variant::Inverted),
    common("strained-jelly", JELLY, Variant::Strained),
    scene("scene-snowball", include_str!("snowball.toml")),
    scene("scene-mix", include_str!("mix.toml")),
];

const fn stuff(name: &'static str, law: &'static str) -> Stuff {
    Stuff { name, law }
}

const fn common(name: &'static str, stuff: Stuff, variant: Variant) -> Work {
    let kind = Kind::Common { stuff, variant };
    Work { name, kind }
}

const fn scene(name: &'static str, text: &'static str) -> Work {
    let kind = Kind::Scene(text);
    Work { name, kind }
}
