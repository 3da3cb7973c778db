//! Nodes and elements of Gmsh's `.msh`, version 4.1: in blocks, one for each part of the model.

use std::collections::HashMap;

use super::Found;
use super::gmsh::{element, node};
use super::words::Words;
use crate::error::Result;

/// The head of a section: how many blocks there are. Totals and ranges of numbers follow from them.
fn blocks(w: &mut Words, what: &str) -> Result<(u64, u64)> {
    w.demand(&format!("the number of blocks of {what}"))?;
    let blocks = w.number("the number of blocks")?;
    let total = w.number(&format!("the number of {what}"))?;
    Ok((blocks, total))
}

/// The head of a block: dimension and number of the part of the model, a third number, how many.
fn block(w: &mut Words, third: &str) -> Result<(u64, u64)> {
    w.demand("the head of a block")?;
    let _: u64 = w.number("a dimension")?;
    let _: i64 = w.number("the number of a part")?;
    let third = w.number(third)?;
    let count = w.number("how many there are in the block")?;
    Ok((third, count))
}

fn told(w: &Words, what: &str, said: u64, there: usize) -> Result<()> {
    if said == there as u64 {
        return Ok(());
    }
    Err(w.wrong(format!(
        "there are {there} {what}, but the head of the section says {said}; write the file again"
    )))
}

/// Nodes: in each block first all numbers, then all places.
pub(super) fn nodes(w: &mut Words, found: &mut Found, known: &mut HashMap<u64, u32>) -> Result<()> {
    let (count, total) = blocks(w, "nodes")?;
    let mut names: Vec<u64> = Vec::new();
    for _ in 0..count {
        // Where a node is on a curve or surface may follow its place; it does not matter here.
        let (_parametric, inside) = block(w, "0 or 1")?;
        names.clear();
        for _ in 0..inside {
            w.demand("the number of a node")?;
            names.push(w.number("the number of a node")?);
        }
        for &name in &names {
            w.demand("a node")?;
            let x = [w.coordinate()?, w.coordinate()?, w.coordinate()?];
            node(w, found, known, name, x)?;
        }
    }
    told(w, "nodes", total, found.points.len())
}

/// Elements: all of a block are of one type.
pub(super) fn elements(w: &mut Words, found: &mut Found, known: &HashMap<u64, u32>) -> Result<()> {
    let (count, total) = blocks(w, "elements")?;
    let mut there = 0;
    for _ in 0..count {
        let (number, inside) = block(w, "the type of elements")?;
        for _ in 0..inside {
            w.demand("an element")?;
            let _: u64 = w.number("the number of an element")?;
            element(w, found, known, number)?;
            there += 1;
        }
    }
    told(w, "elements", total, there)
}
