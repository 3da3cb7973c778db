//! A value and where it stands in the text.

use std::cmp::Ordering;
use std::ops::Range;

use serde::{Deserialize, Deserializer};

/// A value and where it stands. [`toml::Spanned`] as a type of our own, so that it can have a schema.
#[derive(Clone, Debug)]
pub struct Spanned<T>(toml::Spanned<T>);

impl<T> Spanned<T> {
    /// A value that stands there.
    pub fn new(span: Range<usize>, value: T) -> Self {
        Self(toml::Spanned::new(span, value))
    }
    /// Where it stands.
    pub fn span(&self) -> Range<usize> {
        self.0.span()
    }
    /// The value.
    pub fn get_ref(&self) -> &T {
        self.0.get_ref()
    }
    /// The value alone.
    pub fn into_inner(self) -> T {
        self.0.into_inner()
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Spanned<T> {
    fn deserialize<R: Deserializer<'de>>(d: R) -> Result<Self, R::Error> {
        toml::Spanned::deserialize(d).map(Self)
    }
}

// Compared by value: the same name at two places is one key.
impl<T: PartialEq> PartialEq for Spanned<T> {
    fn eq(&self, o: &Self) -> bool {
        self.get_ref() == o.get_ref()
    }
}

impl<T: Eq> Eq for Spanned<T> {}

impl<T: PartialOrd> PartialOrd for Spanned<T> {
    fn partial_cmp(&self, o: &Self) -> Option<Ordering> {
        self.get_ref().partial_cmp(o.get_ref())
    }
}

impl<T: Ord> Ord for Spanned<T> {
    fn cmp(&self, o: &Self) -> Ordering {
        self.get_ref().cmp(o.get_ref())
    }
}
