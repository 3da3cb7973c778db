//! Names and what they stand for, one line each.

use serde::de::MapAccess;

use crate::shapes::{self, Make};

/// A name and the text of its file in a folder of the project.
macro_rules! file {
    ($folder:literal, $name:literal) => {
        (
            $name,
            include_str!(concat!("../../../", $folder, "/", $name, ".toml")),
        )
    };
}

/// The built-in scenes.
pub const SCENES: &[(&str, &str)] = &[
    file!("scenes", "snowball"),
    file!("scenes", "snowball-drop"),
    file!("scenes", "snowballs"),
    file!("scenes", "jelly-stack"),
    file!("scenes", "sand-column"),
    file!("scenes", "sand-torus"),
    file!("scenes", "sand-incline"),
    file!("scenes", "water-block"),
    file!("scenes", "spinning-cubes"),
    file!("scenes", "mix"),
];

/// The materials of the library.
pub const PRESETS: &[(&str, &str)] = &[
    file!("presets", "powder-snow"),
    file!("presets", "wet-snow"),
    file!("presets", "packed-snow"),
    file!("presets", "dry-sand"),
    file!("presets", "wet-sand"),
    file!("presets", "soil"),
    file!("presets", "clay"),
    file!("presets", "mud"),
    file!("presets", "jelly"),
    file!("presets", "rubber"),
    file!("presets", "metal"),
    file!("presets", "water"),
    file!("presets", "honey"),
];

/// Reads the table of one kind of shape.
type Read<A, E> = fn(&mut A) -> Result<Box<dyn Make>, E>;

fn shapes<'de, A: MapAccess<'de>>() -> Vec<(&'static str, Read<A, A::Error>)> {
    vec![
        ("box", |m| Ok(Box::new(m.next_value::<shapes::Cuboid>()?))),
        ("sphere", |m| {
            Ok(Box::new(m.next_value::<shapes::Sphere>()?))
        }),
        ("capsule", |m| {
            Ok(Box::new(m.next_value::<shapes::Capsule>()?))
        }),
        ("cylinder", |m| {
            Ok(Box::new(m.next_value::<shapes::Cylinder>()?))
        }),
        ("torus", |m| Ok(Box::new(m.next_value::<shapes::Torus>()?))),
        ("half_space", |m| {
            Ok(Box::new(m.next_value::<shapes::HalfSpace>()?))
        }),
        ("polygon", |m| {
            Ok(Box::new(m.next_value::<shapes::Polygon>()?))
        }),
        ("height_field", |m| {
            Ok(Box::new(m.next_value::<shapes::HeightField>()?))
        }),
        ("mesh", |m| Ok(Box::new(m.next_value::<shapes::Mesh>()?))),
        ("union", |m| Ok(Box::new(m.next_value::<shapes::Union>()?))),
        ("intersection", |m| {
            Ok(Box::new(m.next_value::<shapes::Intersection>()?))
        }),
        ("difference", |m| {
            Ok(Box::new(m.next_value::<shapes::Difference>()?))
        }),
        ("shell", |m| Ok(Box::new(m.next_value::<shapes::Shell>()?))),
    ]
}

/// How the shape of that name is read.
pub(crate) fn shape<'de, A: MapAccess<'de>>(name: &str) -> Option<Read<A, A::Error>> {
    shapes::<A>()
        .into_iter()
        .find(|(n, _)| *n == name)
        .map(|(_, read)| read)
}

/// The names of all shapes.
pub fn shape_names() -> Vec<&'static str> {
    type Any<'a> = toml::de::Error;
    type Map = serde::de::value::MapDeserializer<
        'static,
        std::iter::Empty<(&'static str, &'static str)>,
        Any<'static>,
    >;
    shapes::<Map>().into_iter().map(|(n, _)| n).collect()
}
