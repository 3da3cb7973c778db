//! `number unit`, where a unit is a product of powers: `kg/m^3`, `Pa s`, `m/s²`, `N*s`.

use thiserror::Error;
use thixo_material::nearest;

use super::table::{UNITS, find};
use super::{Dimension, Measure};

/// A value that cannot be used.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum UnitError {
    /// It does not start with a number.
    #[error("`{0}` does not start with a number")]
    NotANumber(String),
    /// The number is infinite or NaN.
    #[error("`{0}` is not a finite number")]
    NotFinite(String),
    /// A unit that is not known.
    #[error("unknown unit `{name}`{}", near.as_ref().map(|n| format!(", did you mean `{n}`?")).unwrap_or_default())]
    Unknown {
        /// As written.
        name: String,
        /// The nearest known one.
        near: Option<String>,
    },
    /// A unit that is malformed.
    #[error("cannot read the unit `{0}`")]
    Malformed(String),
    /// A value of another dimension.
    #[error("`{text}` is not {what}: it measures {found}")]
    Dimension {
        /// As written.
        text: String,
        /// What is needed.
        what: &'static str,
        /// What was given.
        found: Dimension,
    },
}

/// The value in SI units of a text such as `140 kPa`; a bare number is SI.
pub fn parse(text: &str, measure: Measure) -> Result<f64, UnitError> {
    let (number, unit) = split(text);
    let bad = || UnitError::NotANumber(text.trim().into());
    let value: f64 = number.replace('_', "").parse().map_err(|_| bad())?;
    if unit.is_empty() {
        return finite(value, text);
    }
    let (size, dimension) = product(unit)?;
    if dimension != measure.dimension {
        return Err(UnitError::Dimension {
            text: text.trim().into(),
            what: measure.name,
            found: dimension,
        });
    }
    finite(value * size, text)
}

/// The dimension of a unit such as `m/s`, if it is one.
pub(crate) fn dimension(unit: &str) -> Option<Dimension> {
    let made = product(unit).ok().filter(|_| !unit.is_empty());
    made.map(|(_, dimension)| dimension)
}

fn finite(value: f64, text: &str) -> Result<f64, UnitError> {
    if value.is_finite() {
        Ok(value)
    } else {
        Err(UnitError::NotFinite(text.trim().into()))
    }
}

/// The number at the start of a text, and the unit after it.
pub fn split(text: &str) -> (&str, &str) {
    let text = text.trim();
    let b = text.as_bytes();
    let digits = |mut i: usize| {
        while b.get(i).is_some_and(|c| c.is_ascii_digit() || *c == b'_') {
            i += 1;
        }
        i
    };
    let sign = |i: usize| i + usize::from(matches!(b.get(i), Some(b'+' | b'-')));
    let mut end = digits(sign(0));
    if b.get(end) == Some(&b'.') {
        end = digits(end + 1);
    }
    if matches!(b.get(end), Some(b'e' | b'E')) {
        let start = sign(end + 1);
        let after = digits(start);
        if after > start {
            end = after;
        }
    }
    (&text[..end], text[end..].trim())
}

/// A product of units.
/// The unit that was probably meant: one without a plural's end, else the nearest name.
fn near(name: &str) -> Option<String> {
    let single = name.strip_suffix('s').filter(|n| find(n).is_some());
    let near = single.or_else(|| nearest(name, UNITS.iter().map(|u| u.name)));
    near.filter(|_| name.len() > 1).map(String::from)
}

fn product(text: &str) -> Result<(f64, Dimension), UnitError> {
    let malformed = || UnitError::Malformed(text.into());
    let (mut size, mut dimension) = (1.0, Dimension::new(0, 0, 0, 0));
    // `1/s` and `/s` are the same.
    let mut rest = text
        .strip_prefix('1')
        .filter(|r| r.trim_start().starts_with('/'))
        .unwrap_or(text);
    let mut first = true;
    while !rest.is_empty() {
        // Between two units: a slash divides by the next one, anything else multiplies.
        let after = rest.trim_start();
        let (next, sign) = match after.chars().next() {
            Some('/') => (&after[1..], -1),
            Some(c @ ('*' | '·')) if !first => (&after[c.len_utf8()..], 1),
            _ => (after, 1),
        };
        rest = next.trim_start();
        let length = rest.find(|c: char| !(c.is_alphabetic() || c == '°' || c == '%'));
        let (name, tail) = rest.split_at(length.unwrap_or(rest.len()));
        if name.is_empty() {
            return Err(malformed());
        }
        let (power, tail) = power(tail).ok_or_else(malformed)?;
        let (s, d) = find(name).ok_or_else(|| UnitError::Unknown {
            name: name.into(),
            near: near(name),
        })?;
        let power = power.checked_mul(sign).ok_or_else(malformed)?;
        size *= s.powi(power.into());
        dimension = dimension.times(d, power);
        first = false;
        rest = tail.trim_end();
    }
    Ok((size, dimension))
}

/// A power after a unit, `1` if there is none: `^3`, `3`, `²`, `^-1`.
fn power(text: &str) -> Option<(i8, &str)> {
    if let Some(c) = text.chars().next().filter(|c| "¹²³".contains(*c)) {
        let p = match c {
            '¹' => 1,
            '²' => 2,
            _ => 3,
        };
        return Some((p, &text[c.len_utf8()..]));
    }
    let (digits, raised) = match text.strip_prefix('^') {
        Some(rest) => (rest, true),
        None => (text, false),
    };
    let minus = usize::from(raised && digits.starts_with('-'));
    let end = digits[minus..].find(|c: char| !c.is_ascii_digit());
    let end = end.map_or(digits.len(), |e| e + minus);
    if end == minus {
        return if raised { None } else { Some((1, text)) };
    }
    let p: i8 = digits[..end].parse().ok()?;
    Some((p, &digits[end..]))
}
