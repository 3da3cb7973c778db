//! What a law says about itself: its parameters with units, ranges, defaults and meaning.
//! Scene files, lists and error messages are made from it.

use thiserror::Error;

/// The physical dimension of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A pure number.
    One,
    /// Pascal.
    Pressure,
    /// Pascal second.
    Viscosity,
    /// Radian inside; scene files may say degrees.
    Angle,
    /// Kilogram per cubic metre.
    Density,
    /// Second.
    Time,
    /// Metre per second.
    Speed,
}

/// One parameter of a law.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// Key in a scene file.
    pub name: &'static str,
    /// Its dimension.
    pub unit: Unit,
    /// Value when the scene says nothing; `None` makes it obligatory.
    pub default: Option<f64>,
    /// Smallest value allowed.
    pub min: f64,
    /// Smallest value is itself excluded.
    pub min_open: bool,
    /// Largest value allowed.
    pub max: f64,
    /// Largest value is itself excluded.
    pub max_open: bool,
    /// One sentence for the reader.
    pub doc: &'static str,
}

/// A law's card.
#[derive(Debug)]
pub struct Info {
    /// Name in scene files.
    pub name: &'static str,
    /// One sentence for the reader.
    pub doc: &'static str,
    /// Where it comes from, e.g. `[Jiang15] §3.1.3`.
    pub source: &'static str,
    /// The parameters.
    pub params: &'static [Param],
}

/// A parameter that cannot be used.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum ParamError {
    /// An obligatory one is missing.
    #[error("`{law}` needs `{name}`: {doc}")]
    Missing {
        /// Law.
        law: &'static str,
        /// Parameter.
        name: &'static str,
        /// What it means.
        doc: &'static str,
    },
    /// Not a parameter of this law.
    #[error("`{law}` has no parameter `{name}`{}", nearest.map(|n| format!("; did you mean `{n}`?")).unwrap_or_default())]
    Unknown {
        /// Law.
        law: &'static str,
        /// As typed.
        name: String,
        /// The nearest right key.
        nearest: Option<&'static str>,
    },
    /// Outside its range.
    #[error("`{name}` = {value} is out of range: it must be {range}")]
    Range {
        /// Parameter.
        name: &'static str,
        /// As given.
        value: f64,
        /// The range in words.
        range: String,
    },
}

impl ParamError {
    /// The key that the error is about.
    pub fn key(&self) -> &str {
        match self {
            Self::Missing { name, .. } | Self::Range { name, .. } => name,
            Self::Unknown { name, .. } => name,
        }
    }
}

/// The parameters of one law: complete, in SI units and in range.
#[derive(Clone, Debug)]
pub struct Values {
    info: &'static Info,
    values: Vec<f64>,
}

impl Values {
    /// Fills in defaults and checks every value against the law's card.
    pub fn new<'a>(
        info: &'static Info,
        given: impl IntoIterator<Item = (&'a str, f64)>,
    ) -> Result<Self, ParamError> {
        let mut values: Vec<Option<f64>> = info.params.iter().map(|p| p.default).collect();
        for (key, x) in given {
            let Some(i) = info.params.iter().position(|p| p.name == key) else {
                let nearest = nearest(key, info.params.iter().map(|p| p.name));
                return Err(ParamError::Unknown {
                    law: info.name,
                    name: key.into(),
                    nearest,
                });
            };
            values[i] = Some(info.params[i].check(x)?);
        }
        let values = info.params.iter().zip(values).map(|(p, x)| {
            x.ok_or(ParamError::Missing {
                law: info.name,
                name: p.name,
                doc: p.doc,
            })
        });
        Ok(Self {
            info,
            values: values.collect::<Result<_, _>>()?,
        })
    }
    /// The value of a parameter on the card.
    ///
    /// # Panics
    /// If the law asks for a parameter that its own card does not list.
    pub fn get(&self, name: &str) -> f64 {
        let i = self.info.params.iter().position(|p| p.name == name);
        self.values[i.unwrap_or_else(|| panic!("{}: no parameter {name}", self.info.name))]
    }
}

impl Param {
    /// The value, if it is allowed.
    pub fn check(&self, x: f64) -> Result<f64, ParamError> {
        let low = if self.min_open {
            x > self.min
        } else {
            x >= self.min
        };
        let high = if self.max_open {
            x < self.max
        } else {
            x <= self.max
        };
        if low && high && !x.is_nan() {
            return Ok(x);
        }
        Err(ParamError::Range {
            name: self.name,
            value: x,
            range: self.range(),
        })
    }
    /// The allowed range in words.
    pub fn range(&self) -> String {
        let low = if self.min == f64::NEG_INFINITY {
            String::new()
        } else {
            format!(
                "{} {}",
                if self.min_open { "above" } else { "at least" },
                self.min
            )
        };
        let high = if self.max == f64::INFINITY {
            String::new()
        } else {
            format!(
                "{} {}",
                if self.max_open { "below" } else { "at most" },
                self.max
            )
        };
        match (low.is_empty(), high.is_empty()) {
            (false, false) => format!("{low} and {high}"),
            _ => format!("{low}{high}"),
        }
    }
}

/// The candidate nearest to what was typed, if it is near enough to be meant.
pub fn nearest<'a>(typed: &str, all: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let best = all.map(|c| (edit_distance(typed, c), c)).min()?;
    (best.0 <= 1 + typed.len() / 3).then_some(best.1)
}

fn edit_distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for j in 0..b.len() {
            let cost = diagonal + usize::from(x != b[j]);
            diagonal = row[j + 1];
            row[j + 1] = cost.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
