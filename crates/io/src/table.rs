//! A point set as a table of named, equally long columns: what every particle format writes.

use thixo_core::PointSet;

use crate::frames::unique;
use crate::{Error, Result};

/// One column: its name and values.
pub(crate) struct Field<'a> {
    pub name: String,
    pub values: Values<'a>,
}

/// The values of a column.
pub(crate) enum Values<'a> {
    /// Lasting numbers.
    Id(&'a [u64]),
    /// Vectors.
    Vector(&'a [[f32; 3]]),
    /// Scalars.
    Scalar(&'a [f32]),
}

impl Values<'_> {
    fn len(&self) -> usize {
        match self {
            Values::Id(v) => v.len(),
            Values::Vector(v) => v.len(),
            Values::Scalar(v) => v.len(),
        }
    }
}

/// The columns of `set` besides the positions, checked to be as long as these. Columns without
/// values are left out (unless there are no points at all), names are made unique with `legal` telling which letters may stand in one.
pub(crate) fn fields<'a>(
    set: &'a PointSet,
    taken: &[&str],
    legal: impl Fn(char) -> bool,
) -> Result<Vec<Field<'a>>> {
    let field = |name: &str, values| Field {
        name: name.into(),
        values,
    };
    let mut all = vec![
        field("id", Values::Id(&set.id)),
        field("velocity", Values::Vector(&set.velocity)),
        field("mass", Values::Scalar(&set.mass)),
        field("volume", Values::Scalar(&set.volume)),
    ];
    all.extend(
        set.scalars
            .iter()
            .map(|(name, v)| field(name, Values::Scalar(v))),
    );
    let n = set.position.len();
    let mut used: Vec<String> = taken.iter().map(|s| s.to_string()).collect();
    for f in &mut all {
        if f.values.len() != n && f.values.len() != 0 {
            return Err(Error::Invalid(format!(
                "`{}`: column `{}` has {} values for {n} points",
                set.name,
                f.name,
                f.values.len()
            )));
        }
        let plain: String = f
            .name
            .chars()
            .map(|c| if legal(c) { c } else { '_' })
            .collect();
        let plain = if plain.is_empty() {
            "column".into()
        } else {
            plain
        };
        f.name = unique(plain, &used, '_');
        used.push(f.name.clone());
    }
    all.retain(|f| f.values.len() == n);
    Ok(all)
}

/// The faces of a set, checked to name points that are there; in two dimensions they are segments.
pub(crate) fn faces(set: &PointSet) -> Result<&[[u32; 3]]> {
    let n = set.position.len();
    let lost = |f: &[u32; 3]| f.iter().any(|&k| k as usize >= n);
    if let Some(at) = set.faces.iter().position(lost) {
        let far = set.faces[at].iter().max().copied().unwrap_or(0);
        return Err(Error::Invalid(format!(
            "`{}`: face {at} names point {far} of {n}",
            set.name
        )));
    }
    if n > i32::MAX as usize && !set.faces.is_empty() {
        return Err(Error::Invalid(format!(
            "`{}`: faces of more than two thousand million points; use fewer",
            set.name
        )));
    }
    Ok(&set.faces)
}

/// Little-endian bytes of many numbers, built in one buffer.
pub(crate) fn bytes_of<T: Copy, const N: usize>(
    values: impl IntoIterator<Item = T>,
    le: impl Fn(T) -> [u8; N],
) -> Vec<u8> {
    values.into_iter().flat_map(le).collect()
}
