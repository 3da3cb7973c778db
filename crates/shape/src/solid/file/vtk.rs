//! Legacy VTK files with an unstructured grid, as text; cells as before version 5 and since.

use super::words::Words;
use super::{Found, elements};
use crate::error::Result;

/// Reads a file.
pub(super) fn read(w: &mut Words) -> Result<Found> {
    w.demand("the head")?;
    if !w.remainder().starts_with("# vtk DataFile Version") {
        return Err(w.wrong("it does not start with `# vtk DataFile Version`; is it a VTK file?"));
    }
    kind(w)?;
    let mut found = Found::default();
    let mut cells: Option<Vec<Cell>> = None;
    let mut types: Option<Vec<u64>> = None;
    while w.advance() {
        match w.word().unwrap_or("").to_ascii_uppercase().as_str() {
            "POINTS" => points(w, &mut found)?,
            "CELLS" => cells = Some(self::cells(w)?),
            "CELL_TYPES" => types = Some(self::types(w)?),
            "POINT_DATA" | "CELL_DATA" => break, // values, not the mesh
            "DATASET" => return Err(w.wrong("it holds a second dataset; save them apart")),
            "FIELD" => {
                return Err(
                    w.wrong("a FIELD before the cells cannot be read; save the file without it")
                );
            }
            _ => {} // METADATA, of which only names and numbers follow
        }
    }
    let (Some(cells), Some(types)) = (cells, types) else {
        return Err(w.wrong("it has no CELLS or no CELL_TYPES; is it cut off? save it again"));
    };
    if cells.len() != types.len() {
        return Err(w.wrong(format!(
            "there are {} cells but {} types of cells; write the file again",
            cells.len(),
            types.len()
        )));
    }
    let there = found.points.len() as u64;
    for (cell, number) in cells.iter().zip(types) {
        let at = w.at(cell.line);
        match elements::vtk(number) {
            Some(kind) => found.add(at, kind, &cell.points, |n| {
                u32::try_from(n).ok().filter(|_| n < there)
            })?,
            None => found.skip(format!("VTK cell of type {number}")),
        }
    }
    Ok(found)
}

/// The title, ASCII, and what the file is about.
fn kind(w: &mut Words) -> Result<()> {
    // The title may be empty, or anything.
    let format = loop {
        w.demand("`ASCII`")?;
        match w.remainder().to_ascii_uppercase().as_str() {
            "ASCII" => break true,
            "BINARY" => break false,
            _ if w.line() > 3 => {
                return Err(w.wrong("`ASCII` should be here; is it a legacy VTK file?"));
            }
            _ => {}
        }
    };
    if !format {
        return Err(w.wrong("it is binary; save it as ASCII"));
    }
    w.demand("`DATASET UNSTRUCTURED_GRID`")?;
    let line = w.remainder().to_ascii_uppercase();
    let line: Vec<&str> = line.split_whitespace().collect();
    if line != ["DATASET", "UNSTRUCTURED_GRID"] {
        return Err(w.wrong(format!(
            "it is about `{}`; only an UNSTRUCTURED_GRID has cells with volume",
            line.join(" ")
        )));
    }
    Ok(())
}

fn points(w: &mut Words, found: &mut Found) -> Result<()> {
    let count: u64 = w.number("the number of points")?;
    let room = u64::from(u32::MAX);
    if count > room {
        return Err(w.wrong(format!("{count} points are more than can be numbered")));
    }
    w.word(); // their type
    for _ in 0..count {
        let mut x = [0.0; 3];
        for c in &mut x {
            *c = w.flowing("a coordinate")?;
            w.finite(*c)?;
        }
        found.points.push(x);
    }
    Ok(())
}

struct Cell {
    points: Vec<u64>,
    line: usize,
}

/// Before version 5: for every cell its number of points, and these. Since: all ends, then all points.
fn cells(w: &mut Words) -> Result<Vec<Cell>> {
    let count: u64 = w.number("the number of cells")?;
    let size: u64 = w.number("the size of the list of cells")?;
    let mut all = Vec::new();
    w.demand("a cell")?;
    if w.remainder().to_ascii_uppercase().starts_with("OFFSETS") {
        return apart(w, count, size);
    }
    let mut read = 0u64;
    for _ in 0..count {
        let n: u64 = w.flowing("how many points a cell has")?;
        let line = w.line();
        read = read.saturating_add(n).saturating_add(1);
        if read > size {
            return Err(w.wrong(format!(
                "the cells take more than the {size} numbers that the head of CELLS says"
            )));
        }
        let mut points = Vec::new();
        for _ in 0..n {
            points.push(w.flowing("the number of a point")?);
        }
        all.push(Cell { points, line });
    }
    Ok(all)
}

/// `count` ends, the first of them 0, and `size` points.
fn apart(w: &mut Words, count: u64, size: u64) -> Result<Vec<Cell>> {
    w.word();
    w.word(); // their type
    let mut ends: Vec<(u64, usize)> = Vec::new();
    for _ in 0..count {
        let end = w.flowing("an offset")?;
        ends.push((end, w.line()));
    }
    w.demand("`CONNECTIVITY`")?;
    if !w
        .remainder()
        .to_ascii_uppercase()
        .starts_with("CONNECTIVITY")
    {
        return Err(w.wrong("`CONNECTIVITY` should be here; write the file again"));
    }
    w.word();
    w.word();
    let mut points: Vec<u64> = Vec::new();
    for _ in 0..size {
        points.push(w.flowing("the number of a point")?);
    }
    let part = |pair: &[(u64, usize)]| {
        let (from, to) = (pair[0].0, pair[1].0);
        let range = usize::try_from(from).ok()?..usize::try_from(to).ok()?;
        let points = points.get(range)?.to_vec();
        let line = pair[1].1;
        Some(Cell { points, line })
    };
    ends.windows(2)
        .map(|pair| {
            let wrong = || {
                w.at(pair[1].1)
                    .wrong("offsets go down or beyond the list; write the file again")
            };
            part(pair).ok_or_else(wrong)
        })
        .collect()
}

fn types(w: &mut Words) -> Result<Vec<u64>> {
    let count: u64 = w.number("the number of types")?;
    let mut all = Vec::new();
    for _ in 0..count {
        all.push(w.flowing("the type of a cell")?);
    }
    Ok(all)
}
