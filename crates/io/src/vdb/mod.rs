//! OpenVDB: the points as a volume, for renderers.
//!
//! A `.vdb` file holds three grids on the nodes of the simulation's grid:
//!
//! | grid | type | what |
//! |---|---|---|
//! | `density` | float, fog volume | fill fraction, 0 to 1: what volume shaders expect |
//! | `mass_density` | float, fog volume | mass per volume \[kg/m³\]; its integral is the mass of the points |
//! | `velocity` | vec3s, contravariant relative | mean velocity by mass \[m/s\], for motion blur |
//!
//! The centre of voxel `(i, j, k)` is at `(i, j, k)·cell` in metres, with the axes of the scene (y is
//! up). Blender takes `velocity` for motion blur; the unit of the volume's velocity must be set to
//! seconds there. It moves only what has a velocity where it is seen, so that a fast body is smeared
//! out no farther than the voxels that its points reach. A set of two dimensions is a slab, one voxel
//! thick, at k = 0.
//!
//! Facts of the layout are those of OpenVDB's file format 224, held against OpenVDB itself by
//! `tests/vdb.py`.

mod file;
mod raster;
mod tree;

use std::io::Write;

use thixo_core::PointSet;

use crate::{Error, Result};
use file::{Encoded, Value, grid_head, header, metadata};
use raster::{Leaf, rasterise};

/// A grid of the file and how to find its values.
struct Grid {
    name: &'static str,
    tree: &'static str,
    class: &'static str,
    vector: Option<&'static str>,
    /// Bytes of one voxel.
    size: usize,
    /// Little-endian values of the active voxels of a leaf.
    values: fn(&Leaf) -> Vec<u8>,
}

const GRIDS: &[Grid] = &[
    Grid {
        name: "density",
        tree: "Tree_float_5_4_3",
        class: "fog volume",
        vector: None,
        size: 4,
        values: |leaf| bytes(&leaf.fill),
    },
    Grid {
        name: "mass_density",
        tree: "Tree_float_5_4_3",
        class: "fog volume",
        vector: None,
        size: 4,
        values: |leaf| bytes(&leaf.mass_density),
    },
    Grid {
        name: "velocity",
        tree: "Tree_vec3s_5_4_3",
        class: "unknown",
        vector: Some("contravariant relative"),
        size: 12,
        values: |leaf| bytes(leaf.velocity.as_flattened()),
    },
];

fn bytes(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

/// Writes a point set at a time \[s\] as an OpenVDB file. The same set gives the same bytes.
///
/// Cost follows the occupied leaves of 8³ voxels, not the extent. Points that have no voxel (a
/// position that is not finite, or farther than 2³⁰ cells from the origin) and cells of less than
/// 20 µm, which OpenVDB does not take, are errors.
pub fn write(w: &mut dyn Write, set: &PointSet, time: f64) -> Result<()> {
    let leaves = rasterise(set)?;
    let meta = metadata(&[
        (
            "creator",
            Value::Text(concat!("thixo ", env!("CARGO_PKG_VERSION"))),
        ),
        ("material", Value::Text(&set.material)),
        ("name", Value::Text(&set.name)),
        ("time", Value::Double(time)),
    ]);
    let grids: Vec<Encoded> = GRIDS
        .iter()
        .map(|grid| Encoded {
            name: grid.name,
            tree: grid.tree,
            head: grid_head(grid, &leaves, set.cell),
            topology: tree::topology(&leaves, grid.size),
            buffers: tree::buffers(&leaves, grid.values),
        })
        .collect();
    let mut end = 0;
    let mut put = |bytes: &[u8]| -> Result<u64> {
        w.write_all(bytes)
            .map_err(|e| Error::write("vdb".as_ref(), e))?;
        end += bytes.len() as u64;
        Ok(end)
    };
    put(&header(&meta, &grids))?;
    put(&meta)?;
    let mut at = put(&(grids.len() as i32).to_le_bytes())?;
    for grid in &grids {
        put(&grid.descriptor(at))?;
        put(&grid.head)?;
        at = put(&grid.topology)?;
        for part in &grid.buffers {
            at = put(part)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
