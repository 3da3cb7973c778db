//! Values as typed: a number or a text, and where it stands. What they mean is asked for later, so
//! that every mistake is reported at its own place.

use std::fmt;
use std::ops::Range;

use serde::de::{Deserialize, Deserializer, SeqAccess, Visitor};

use super::Spanned;
use crate::error::{Checked, Problem};
use crate::units::{self, Measure};

/// A number or a text with a unit, as typed.
#[derive(Clone, Debug, PartialEq)]
pub enum Typed {
    /// A bare number: SI.
    Number(f64),
    /// A text.
    Text(String),
}

/// A scalar as typed, and where.
#[derive(Clone, Debug)]
pub struct Scalar {
    /// As typed.
    pub typed: Typed,
    /// Where.
    pub span: Range<usize>,
}

/// One scalar or a list of them.
#[derive(Clone, Debug)]
pub struct Numbers {
    /// The elements; one for a bare scalar.
    pub items: Vec<Scalar>,
    /// Whether it was typed as a list.
    pub list: bool,
    /// Where.
    pub span: Range<usize>,
}

impl Scalar {
    /// The value in SI units, of the dimension that is needed and finite.
    pub fn value(&self, measure: Measure) -> Checked<f64> {
        let parsed = match &self.typed {
            Typed::Number(x) if x.is_finite() => Ok(*x),
            Typed::Number(x) => Err(units::UnitError::NotFinite(x.to_string())),
            Typed::Text(text) => units::parse(text, measure),
        };
        parsed.map_err(|e| {
            Problem::new(self.span.clone(), e).help(format!(
                "write {} such as \"{}\"",
                measure.name, measure.example
            ))
        })
    }
    /// The same, and above zero.
    pub fn positive(&self, what: &str, measure: Measure) -> Checked<f64> {
        let x = self.value(measure)?;
        if x > 0.0 {
            return Ok(x);
        }
        Err(Problem::new(
            self.span.clone(),
            format!("{what} is {x}: it must be above 0"),
        )
        .help(format!(
            "write {} such as \"{}\"",
            measure.name, measure.example
        )))
    }
    /// A whole number in a closed range.
    pub fn count(&self, what: &str, low: u64, high: u64) -> Checked<u64> {
        let x = self.value(units::NUMBER)?;
        if x.fract() == 0.0 && x >= low as f64 && x <= high as f64 {
            return Ok(x as u64);
        }
        Err(Problem::new(self.span.clone(), format!("{what} is {x}"))
            .help(format!("write a whole number from {low} to {high}")))
    }
    /// The same, and in a closed range.
    pub fn within(&self, what: &str, measure: Measure, low: f64, high: f64) -> Checked<f64> {
        let x = self.value(measure)?;
        if (low..=high).contains(&x) {
            return Ok(x);
        }
        let range = if high.is_finite() {
            format!("from {low} to {high}")
        } else {
            format!("at least {low}")
        };
        Err(Problem::new(
            self.span.clone(),
            format!("{what} is {x}: it must be {range}"),
        )
        .help(format!(
            "write {} such as \"{}\"",
            measure.name, measure.example
        )))
    }
}

impl Numbers {
    /// The only element of what must not be a list.
    pub fn single(&self, what: &str) -> Checked<&Scalar> {
        match self.items.as_slice() {
            [item] if !self.list => Ok(item),
            _ => Err(
                Problem::new(self.span.clone(), format!("`{what}` is a list"))
                    .help("write a single value"),
            ),
        }
    }
    /// A vector of the scene's dimension.
    pub fn vector<const D: usize>(&self, measure: Measure) -> Checked<thixo_math::Vector<f64, D>> {
        self.counted(D)?;
        let mut v = thixo_math::Vector::zero();
        for (a, item) in self.items.iter().enumerate() {
            v[a] = item.value(measure)?;
        }
        Ok(v)
    }
    /// An axial vector as three numbers about x, y and z: in two dimensions one number, about z.
    pub fn axial<const D: usize>(&self, measure: Measure) -> Checked<[f64; 3]> {
        let about = |i: usize| self.items[i].value(measure);
        match (D, self.items.len()) {
            (2, 1) => Ok([0.0, 0.0, about(0)?]),
            (3, 3) => Ok([about(0)?, about(1)?, about(2)?]),
            (2, n) => Err(Problem::new(
                self.span.clone(),
                format!("{n} numbers where a scene of 2 dimensions needs one"),
            )
            .help(format!(
                "write {} such as \"{}\"",
                measure.name, measure.example
            ))),
            (_, n) => Err(Problem::new(
                self.span.clone(),
                format!("{n} numbers where a scene of 3 dimensions needs three: about x, y and z"),
            )
            .help(format!(
                "write a list such as [0, 0, \"{}\"]",
                measure.example
            ))),
        }
    }
    /// Refuses a list of another length than the scene's dimension.
    pub fn counted(&self, dimension: usize) -> Checked<()> {
        if self.list && self.items.len() == dimension {
            return Ok(());
        }
        let n = self.items.len();
        let found = if self.list {
            format!("a vector of {n} numbers")
        } else {
            "a single number".into()
        };
        let example: Vec<&str> = ["0", "1.5", "-2"].into_iter().take(dimension).collect();
        Err(Problem::new(
            self.span.clone(),
            format!("{found} in a scene of {dimension} dimensions"),
        )
        .help(format!(
            "write a list of {dimension}, such as [{}]",
            example.join(", ")
        )))
    }
}

impl<'de> Deserialize<'de> for Typed {
    fn deserialize<R: Deserializer<'de>>(d: R) -> Result<Self, R::Error> {
        struct V;
        impl Visitor<'_> for V {
            type Value = Typed;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number (SI) or a text with a unit, such as \"25 cm\"")
            }
            fn visit_f64<E>(self, x: f64) -> Result<Typed, E> {
                Ok(Typed::Number(x))
            }
            fn visit_i64<E>(self, x: i64) -> Result<Typed, E> {
                Ok(Typed::Number(x as f64))
            }
            fn visit_u64<E>(self, x: u64) -> Result<Typed, E> {
                Ok(Typed::Number(x as f64))
            }
            fn visit_str<E>(self, x: &str) -> Result<Typed, E> {
                Ok(Typed::Text(x.into()))
            }
        }
        d.deserialize_any(V)
    }
}

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<R: Deserializer<'de>>(d: R) -> Result<Self, R::Error> {
        let spanned = Spanned::<Typed>::deserialize(d)?;
        Ok(Self {
            span: spanned.span(),
            typed: spanned.into_inner(),
        })
    }
}

/// Either form of [`Numbers`], before its place is known.
struct Either(Vec<Scalar>, bool);

impl<'de> Deserialize<'de> for Either {
    fn deserialize<R: Deserializer<'de>>(d: R) -> Result<Self, R::Error> {
        struct V;
        impl<'de> Visitor<'de> for V {
            type Value = Either;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, a text with a unit such as \"25 cm\", or a list of these")
            }
            fn visit_f64<E>(self, x: f64) -> Result<Either, E> {
                Ok(single(Typed::Number(x)))
            }
            fn visit_i64<E>(self, x: i64) -> Result<Either, E> {
                Ok(single(Typed::Number(x as f64)))
            }
            fn visit_u64<E>(self, x: u64) -> Result<Either, E> {
                Ok(single(Typed::Number(x as f64)))
            }
            fn visit_str<E>(self, x: &str) -> Result<Either, E> {
                Ok(single(Typed::Text(x.into())))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Either, A::Error> {
                let mut items = Vec::new();
                while let Some(x) = seq.next_element()? {
                    items.push(x);
                }
                Ok(Either(items, true))
            }
        }
        d.deserialize_any(V)
    }
}

fn single(typed: Typed) -> Either {
    Either(vec![Scalar { typed, span: 0..0 }], false)
}

impl<'de> Deserialize<'de> for Numbers {
    fn deserialize<R: Deserializer<'de>>(d: R) -> Result<Self, R::Error> {
        let spanned = Spanned::<Either>::deserialize(d)?;
        let span = spanned.span();
        let Either(mut items, list) = spanned.into_inner();
        if !list {
            items.iter_mut().for_each(|i| i.span = span.clone());
        }
        Ok(Self { items, list, span })
    }
}
