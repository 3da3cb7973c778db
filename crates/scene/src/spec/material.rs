//! `[materials.NAME]`: a preset or a law, a density, a colour, and the law's own parameters.

use std::fmt;
use std::ops::Range;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};

use super::{Numbers, Scalar, Spanned, Typed};
use crate::error::{Checked, Problem};

/// A material as typed. Which keys there may be depends on the law.
#[derive(Clone, Debug, Default)]
pub struct Material {
    entries: Vec<(Spanned<String>, Numbers)>,
}

impl Material {
    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&Numbers> {
        self.entries
            .iter()
            .find(|(k, _)| k.get_ref() == key)
            .map(|(_, v)| v)
    }
    /// All keys and values in the order of the file.
    pub fn entries(&self) -> impl Iterator<Item = (&Spanned<String>, &Numbers)> {
        self.entries.iter().map(|(k, v)| (k, v))
    }
    /// The same, told to stand at another place: where the scene names it.
    pub(crate) fn at(&self, span: &Range<usize>) -> Self {
        let moved = |(key, value): &(Spanned<String>, Numbers)| {
            let scalar = |item: &Scalar| Scalar {
                typed: item.typed.clone(),
                span: span.clone(),
            };
            let value = Numbers {
                items: value.items.iter().map(scalar).collect(),
                list: value.list,
                span: span.clone(),
            };
            (Spanned::new(span.clone(), key.get_ref().clone()), value)
        };
        Self {
            entries: self.entries.iter().map(moved).collect(),
        }
    }
    /// This, with what `over` says put over it; the key that named the preset goes.
    pub(crate) fn under(&self, over: &Self) -> Self {
        let own = over.entries.iter().filter(|(k, _)| k.get_ref() != "preset");
        let mut entries: Vec<_> = own.cloned().collect();
        let rest = self.entries.iter();
        entries.extend(
            rest.filter(|(k, _)| over.get(k.get_ref()).is_none())
                .cloned(),
        );
        Self { entries }
    }
    /// The value of a key that must be a text.
    pub fn text(&self, key: &str, example: &str) -> Checked<Option<&str>> {
        let Some(value) = self.get(key) else {
            return Ok(None);
        };
        match value.items.as_slice() {
            [item] if !value.list => match &item.typed {
                Typed::Text(text) => Ok(Some(text)),
                Typed::Number(x) => Err(Problem::new(
                    value.span.clone(),
                    format!("`{key}` is the number {x}"),
                )
                .help(format!("write a name such as \"{example}\""))),
            },
            _ => Err(
                Problem::new(value.span.clone(), format!("`{key}` is a list"))
                    .help(format!("write a name such as \"{example}\"")),
            ),
        }
    }
}

impl<'de> Deserialize<'de> for Material {
    fn deserialize<R: Deserializer<'de>>(d: R) -> Result<Self, R::Error> {
        struct V;
        impl<'de> Visitor<'de> for V {
            type Value = Material;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a table with `preset`, or `law`, `density` and the law's parameters")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Material, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Material { entries })
            }
        }
        d.deserialize_map(V)
    }
}

/// A colour: `"#rrggbb"`, or red, green and blue from 0 to 1.
pub(crate) fn color(value: &Numbers) -> Checked<[f32; 3]> {
    let wrong = || {
        Problem::new(value.span.clone(), "this is not a colour")
            .help("write \"#4f88c6\", or [red, green, blue] from 0 to 1")
    };
    if let (false, [item]) = (value.list, value.items.as_slice()) {
        let Typed::Text(text) = &item.typed else {
            return Err(wrong());
        };
        let hex = text
            .strip_prefix('#')
            .filter(|h| h.len() == 6 && h.is_ascii())
            .ok_or_else(wrong)?;
        let mut rgb = [0.0; 3];
        for (c, out) in rgb.iter_mut().enumerate() {
            let byte = u8::from_str_radix(&hex[2 * c..2 * c + 2], 16).map_err(|_| wrong())?;
            *out = f32::from(byte) / 255.0;
        }
        return Ok(rgb);
    }
    let [r, g, b] = value.items.as_slice() else {
        return Err(wrong());
    };
    let part = |s: &super::Scalar| match s.typed {
        Typed::Number(x) if (0.0..=1.0).contains(&x) => Ok(x as f32),
        _ => Err(wrong()),
    };
    Ok([part(r)?, part(g)?, part(b)?])
}
