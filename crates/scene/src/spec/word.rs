//! Words of a fixed choice.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};

/// One of a few words; what it means is in a table of the type's own.
pub trait Word: Sized {
    /// What is chosen, for messages.
    const WHAT: &'static str;
    /// The words and their meanings.
    fn all() -> Vec<(&'static str, Self)>;
}

/// A word of a fixed choice, e.g. a kernel's name.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Choice<W>(pub W);

impl<'de, W: Word> Deserialize<'de> for Choice<W> {
    fn deserialize<R: Deserializer<'de>>(d: R) -> Result<Self, R::Error> {
        struct V<W>(PhantomData<W>);
        impl<W: Word> Visitor<'_> for V<W> {
            type Value = Choice<W>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&listed::<W>())
            }
            fn visit_str<E: Error>(self, x: &str) -> Result<Choice<W>, E> {
                find(x).map(Choice)
            }
        }
        d.deserialize_str(V(PhantomData))
    }
}

/// A word of a fixed choice, or a table that says more.
#[derive(Clone, Debug)]
pub enum WordOr<W, B> {
    /// A word.
    Word(W),
    /// A table.
    Table(B),
}

impl<'de, W: Word, B: Deserialize<'de>> Deserialize<'de> for WordOr<W, B> {
    fn deserialize<R: Deserializer<'de>>(d: R) -> Result<Self, R::Error> {
        struct V<W, B>(PhantomData<(W, B)>);
        impl<'de, W: Word, B: Deserialize<'de>> Visitor<'de> for V<W, B> {
            type Value = WordOr<W, B>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{} or a table", listed::<W>())
            }
            fn visit_str<E: Error>(self, x: &str) -> Result<Self::Value, E> {
                find(x).map(WordOr::Word)
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                B::deserialize(MapAccessDeserializer::new(map)).map(WordOr::Table)
            }
        }
        d.deserialize_any(V(PhantomData))
    }
}

fn find<W: Word, E: Error>(typed: &str) -> Result<W, E> {
    let all = W::all();
    let names: Vec<_> = all.iter().map(|(n, _)| format!("`{n}`")).collect();
    let found = all.into_iter().find(|(n, _)| *n == typed);
    found.map(|(_, w)| w).ok_or_else(|| {
        // In the form of serde's own message, so that it is explained alike.
        E::custom(format!(
            "unknown variant `{typed}`, expected one of {}",
            names.join(", ")
        ))
    })
}

fn listed<W: Word>() -> String {
    let words: Vec<_> = W::all().iter().map(|(n, _)| format!("\"{n}\"")).collect();
    words.join(" or ")
}
