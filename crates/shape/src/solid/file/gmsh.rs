//! Gmsh's `.msh`, version 2.2 as text; version 4.1 is in the file beside.

use std::collections::HashMap;

use super::words::Words;
use super::{Found, elements, gmsh4};
use crate::error::Result;

/// Reads a file of either version.
pub(super) fn read(w: &mut Words) -> Result<Found> {
    w.demand("`$MeshFormat`")?;
    if w.remainder() != "$MeshFormat" {
        return Err(w.wrong("it does not start with `$MeshFormat`; is it a Gmsh file?"));
    }
    w.demand("the version")?;
    let version: f64 = w.number("a version")?;
    let binary: u8 = w.number("0 for text or 1 for binary")?;
    if binary != 0 {
        return Err(w.wrong("it is binary; save it as text (`gmsh -save -bin 0`)"));
    }
    let new = if version == 4.1 {
        true
    } else if (2.0..3.0).contains(&version) {
        false
    } else {
        return Err(w.wrong(format!(
            "it is of version {version}; save it as 4.1 or 2.2 (`gmsh -save -format msh41`)"
        )));
    };
    let mut found = Found::default();
    let mut known = HashMap::new();
    let (mut nodes, mut cells) = (false, false);
    while w.advance() {
        match w.remainder() {
            "$Nodes" => {
                nodes = true;
                match new {
                    true => gmsh4::nodes(w, &mut found, &mut known)?,
                    false => self::nodes(w, &mut found, &mut known)?,
                }
                end(w, "$EndNodes")?;
            }
            "$Elements" if !nodes => {
                return Err(w.wrong("elements come before the nodes; save the file again"));
            }
            "$Elements" => {
                cells = true;
                match new {
                    true => gmsh4::elements(w, &mut found, &known)?,
                    false => self::elements(w, &mut found, &known)?,
                }
                end(w, "$EndElements")?;
            }
            section if section.starts_with('$') => skip(w)?,
            _ => {} // the rest of the head
        }
    }
    match (nodes, cells) {
        (true, true) => Ok(found),
        (false, _) => Err(w.wrong("it has no `$Nodes`; is it cut off? save it again")),
        _ => Err(w.wrong("it has no `$Elements`; mesh the model and save it again")),
    }
}

/// A section that does not matter here, to its end.
fn skip(w: &mut Words) -> Result<()> {
    let name = w.remainder().to_string();
    let last = name.replacen('$', "$End", 1);
    if name.starts_with("$End") {
        return Ok(());
    }
    loop {
        w.demand(&format!("`{last}`"))?;
        if w.remainder() == last {
            return Ok(());
        }
    }
}

fn end(w: &mut Words, word: &str) -> Result<()> {
    w.demand(&format!("`{word}`"))?;
    if w.remainder() == word {
        return Ok(());
    }
    Err(w.wrong(format!(
        "`{word}` should be here; is the number of entries at the head of the section right?"
    )))
}

/// Takes a node with its number.
pub(super) fn node(
    w: &Words,
    found: &mut Found,
    known: &mut HashMap<u64, u32>,
    name: u64,
    x: [f64; 3],
) -> Result<()> {
    let fresh = u32::try_from(found.points.len())
        .map_err(|_| w.wrong("it has more nodes than can be numbered; use a coarser mesh"))?;
    if known.insert(name, fresh).is_some() {
        return Err(w.wrong(format!("node {name} is there twice; number nodes anew")));
    }
    found.points.push(x);
    Ok(())
}

fn nodes(w: &mut Words, found: &mut Found, known: &mut HashMap<u64, u32>) -> Result<()> {
    w.demand("the number of nodes")?;
    let count: u64 = w.number("the number of nodes")?;
    for _ in 0..count {
        w.demand("a node")?;
        let name = w.number("the number of a node")?;
        let x = [w.coordinate()?, w.coordinate()?, w.coordinate()?];
        node(w, found, known, name, x)?;
    }
    Ok(())
}

fn elements(w: &mut Words, found: &mut Found, known: &HashMap<u64, u32>) -> Result<()> {
    w.demand("the number of elements")?;
    let count: u64 = w.number("the number of elements")?;
    for _ in 0..count {
        w.demand("an element")?;
        let _: u64 = w.number("the number of an element")?;
        let number = w.number("the type of an element")?;
        let tags: u64 = w.number("the number of tags")?;
        for _ in 0..tags {
            let _: i64 = w.number("a tag")?;
        }
        element(w, found, known, number)?;
    }
    Ok(())
}

/// The nodes of an element: the rest of the line.
pub(super) fn element(
    w: &mut Words,
    found: &mut Found,
    known: &HashMap<u64, u32>,
    number: u64,
) -> Result<()> {
    let mut nodes: Vec<u64> = Vec::new();
    while !w.remainder().is_empty() {
        nodes.push(w.number("the number of a node")?);
    }
    match elements::gmsh(number) {
        Some(kind) => found.add(w.here(), kind, &nodes, |n| known.get(&n).copied()),
        None => {
            found.skip(format!("Gmsh element of type {number}"));
            Ok(())
        }
    }
}
