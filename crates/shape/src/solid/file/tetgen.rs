//! TetGen's and Triangle's pairs of files: points in `.node`, cells in `.ele`.

use std::path::Path;

use super::words::Words;
use super::{Found, elements};
use crate::error::Result;

/// Reads both files, given one of them.
pub(super) fn read(path: &Path) -> Result<Found> {
    let open = |ending: &str| -> Result<Words> {
        // The other file has the ending in the same letters.
        let given = path.extension().and_then(|e| e.to_str()).unwrap_or("");
        let loud = given.chars().all(|c| c.is_ascii_uppercase());
        let ending = if loud {
            ending.to_ascii_uppercase()
        } else {
            ending.to_string()
        };
        Ok(Words::open(&path.with_extension(ending))?.with_comments('#'))
    };
    let mut found = Found::default();
    let first = nodes(&mut open("node")?, &mut found)?;
    cells(&mut open("ele")?, &mut found, first)?;
    Ok(found)
}

/// Points, numbered in a row from 0 or 1; returns the first number.
fn nodes(w: &mut Words, found: &mut Found) -> Result<u64> {
    w.demand("the number of points")?;
    let count: u64 = w.number("the number of points")?;
    let dimension: usize = w.number("the dimension")?;
    if !(2..=3).contains(&dimension) {
        return Err(w.wrong(format!("the dimension is {dimension}, not 2 or 3")));
    }
    let attributes: u64 = w.number("the number of attributes")?;
    let marked: u64 = w.number("0 or 1 for marks of the boundary")?;
    if count == 0 {
        return Err(w.wrong(
            "it says that it has no points; TetGen keeps them in another .node file, name that one",
        ));
    }
    let mut first = 0;
    for k in 0..count {
        w.demand("a point")?;
        let name: u64 = w.number("the number of a point")?;
        if k == 0 {
            first = name;
        }
        if first > 1 || name != first + k {
            return Err(w.wrong(format!(
                "point {name} should be {}: points are numbered in a row from 0 or 1",
                first.min(1) + k
            )));
        }
        let mut x = [0.0; 3];
        for c in &mut x[..dimension] {
            *c = w.coordinate()?;
        }
        for _ in 0..attributes {
            let _: f64 = w.number("an attribute")?;
        }
        if marked > 0 {
            let _: i64 = w.number("a mark of the boundary")?;
        }
        found.points.push(x);
    }
    Ok(first)
}

/// Cells: four corners or, of second order, ten points; in the plane three or six.
fn cells(w: &mut Words, found: &mut Found, first: u64) -> Result<()> {
    w.demand("the number of cells")?;
    let count: u64 = w.number("the number of cells")?;
    let corners: usize = w.number("the number of points of a cell")?;
    // A file that is cut off within its last number would else not be told from a whole one.
    let attributes: u64 = w.number("the number of attributes")?;
    let kind = match corners {
        3 | 6 => elements::TRIANGLE,
        4 | 10 => elements::TETRAHEDRON,
        n => {
            return Err(w.wrong(format!(
                "cells have {n} points; those that can be read have 4 or 10, in the plane 3 or 6"
            )));
        }
    };
    let there = found.points.len() as u64;
    let mut names = vec![0; corners];
    for _ in 0..count {
        w.demand("a cell")?;
        let _: u64 = w.number("the number of a cell")?;
        for name in &mut names {
            *name = w.number("the number of a point")?;
        }
        for _ in 0..attributes {
            let _: f64 = w.number("an attribute")?;
        }
        found.add(w.here(), kind, &names, |n| {
            let k = n.checked_sub(first).filter(|k| *k < there)?;
            u32::try_from(k).ok()
        })?;
    }
    Ok(())
}
