//! The laws by name: one line per law.

use thixo_math::Real;

use crate::{Info, Law, ParamError, Values};

/// Makes something of a law that is known only by name, e.g. a solver's particles of that law.
pub trait Build<T: Real, const D: usize> {
    /// What is made.
    type Out;
    /// Makes it.
    fn build<L: Law<T, D>>(self, law: L) -> Self::Out;
}

/// A law by name: its card, and how to make something of it.
pub struct Entry<B, O> {
    /// The card.
    pub info: &'static Info,
    make: fn(B, &Values) -> Result<O, ParamError>,
}

impl<B, O> Entry<B, O> {
    /// Makes the law with these values and hands it to the builder.
    pub fn make(&self, builder: B, values: &Values) -> Result<O, ParamError> {
        (self.make)(builder, values)
    }
}

fn line<T: Real, const D: usize, L: Law<T, D>, B: Build<T, D>>() -> Entry<B, B::Out> {
    Entry {
        info: L::INFO,
        make: |b, values| Ok(b.build(L::new(values)?)),
    }
}

/// Every law of the engine.
pub fn laws<T: Real, const D: usize, B: Build<T, D>>() -> Vec<Entry<B, B::Out>> {
    vec![
        line::<T, D, crate::elastic::FixedCorotated<T>, B>(),
        line::<T, D, crate::elastic::NeoHookean<T>, B>(),
        line::<T, D, crate::elastic::Hencky<T>, B>(),
        line::<T, D, crate::flow::Snow<T>, B>(),
        line::<T, D, crate::flow::Sand<T>, B>(),
        line::<T, D, crate::flow::ClampSand<T>, B>(),
        line::<T, D, crate::eos::Liquid<T>, B>(),
        line::<T, D, crate::flow::VonMises<T>, B>(),
        line::<T, D, crate::flow::OldroydB<T>, B>(),
        line::<T, D, crate::flow::Viscoplastic<T>, B>(),
    ]
}

/// The law of that name.
pub fn law<T: Real, const D: usize, B: Build<T, D>>(name: &str) -> Option<Entry<B, B::Out>> {
    laws::<T, D, B>().into_iter().find(|e| e.info.name == name)
}

/// The cards of all laws.
pub fn cards() -> Vec<&'static Info> {
    /// Builds nothing: only the cards are wanted.
    struct Card;
    impl Build<f64, 3> for Card {
        type Out = ();
        fn build<L: Law<f64, 3>>(self, _: L) {}
    }
    let all = laws::<f64, 3, Card>().into_iter();
    all.map(|e| e.info).collect()
}

/// The card of the law of that name.
pub fn card(name: &str) -> Option<&'static Info> {
    cards().into_iter().find(|c| c.name == name)
}
