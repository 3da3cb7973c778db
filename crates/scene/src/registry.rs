//! Names and what they stand for, one line each.

use std::iter::Empty;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;
use serde::de::{MapAccess, value::MapDeserializer};

use crate::shapes::{self, Figure, Make};

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
    file!("scenes", "bucket"),
    file!("scenes", "water-block"),
    file!("scenes", "spinning-cubes"),
    file!("scenes", "mix"),
    file!("scenes", "sponge-twist"),
    file!("scenes", "sponge-shot"),
    file!("scenes", "shaving-foam"),
    file!("scenes", "toothpaste"),
    file!("scenes", "viennetta"),
    file!("scenes", "pie"),
    file!("scenes", "squeeze"),
    file!("scenes", "torus-hole"),
    file!("scenes", "struck-boxes"),
    file!("scenes", "tori-bowl"),
    file!("scenes", "yogurt-cloth"),
    file!("scenes", "spinning-cubes-mesh"),
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
    file!("presets", "sponge"),
    file!("presets", "shaving-foam"),
    file!("presets", "toothpaste"),
    file!("presets", "ice-cream"),
    file!("presets", "pie-cream"),
    file!("presets", "pie-crust"),
    file!("presets", "pie-crust-scored"),
    file!("presets", "frozen-yogurt"),
];

/// A kind of shape: its name, how its table is read, and what may be in it.
pub(crate) struct Kind<A, E> {
    name: &'static str,
    read: fn(&mut A) -> Result<Box<dyn Make>, E>,
    schema: fn(&mut SchemaGenerator) -> Schema,
}

fn line<'de, F, A>(name: &'static str) -> Kind<A, A::Error>
where
    F: Figure + Deserialize<'de> + JsonSchema,
    A: MapAccess<'de>,
{
    Kind {
        name,
        read: |map| Ok(Box::new(map.next_value::<F>()?)),
        schema: |g| g.subschema_for::<F>(),
    }
}

fn shapes<'de, A: MapAccess<'de>>() -> Vec<Kind<A, A::Error>> {
    vec![
        line::<shapes::Cuboid, A>("box"),
        line::<shapes::Sphere, A>("sphere"),
        line::<shapes::Capsule, A>("capsule"),
        line::<shapes::Cylinder, A>("cylinder"),
        line::<shapes::Torus, A>("torus"),
        line::<shapes::HalfSpace, A>("half_space"),
        line::<shapes::Polygon, A>("polygon"),
        line::<shapes::HeightField, A>("height_field"),
        line::<shapes::Mesh, A>("mesh"),
        line::<shapes::Union, A>("union"),
        line::<shapes::Intersection, A>("intersection"),
        line::<shapes::Difference, A>("difference"),
        line::<shapes::Shell, A>("shell"),
    ]
}

/// How the shape of that name is read.
pub(crate) fn shape<'de, A: MapAccess<'de>>(
    name: &str,
) -> Option<fn(&mut A) -> Result<Box<dyn Make>, A::Error>> {
    let mut all = shapes::<A>().into_iter();
    all.find(|kind| kind.name == name).map(|kind| kind.read)
}

/// Something to read from, where nothing is read.
type Nothing = MapDeserializer<'static, Empty<(&'static str, &'static str)>, toml::de::Error>;

/// The names of all shapes.
pub fn shape_names() -> Vec<&'static str> {
    let all = shapes::<Nothing>().into_iter();
    all.map(|kind| kind.name).collect()
}

/// The names of all shapes, and what may be in their tables.
pub(crate) fn shape_schemas(g: &mut SchemaGenerator) -> Vec<(&'static str, Schema)> {
    let all = shapes::<Nothing>().into_iter();
    all.map(|kind| (kind.name, (kind.schema)(g))).collect()
}
