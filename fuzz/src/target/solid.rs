//! Bytes as a solid mesh: Gmsh and VTK, as tetrahedra and as triangles.

use std::fs;
use std::path::{Path, PathBuf};

use thixo_shape::read_solid;

use super::scene::told;
use super::{Depth, Target};
use crate::rng::Rng;
use crate::{corpus, mutate};

/// Mutated solid mesh files of one kind.
pub struct Solid {
    ending: &'static str,
    file: PathBuf,
    corpus: Vec<Vec<u8>>,
}

impl Solid {
    /// `ending` is `msh` or `vtk`; the reader gets a file in `folder`.
    pub fn new(folder: &Path, ending: &'static str) -> Self {
        Self {
            ending,
            file: folder.join(format!("fuzz.{ending}")),
            corpus: corpus::solids(ending),
        }
    }
}

impl Target for Solid {
    fn input(&self, rng: &mut Rng) -> Vec<u8> {
        let mut input = rng.pick(&self.corpus).cloned().unwrap_or_default();
        for _ in 0..mutate::count(rng) {
            if rng.chance(0.6) {
                mutate::number(&mut input, rng);
            } else {
                mutate::bytes(&mut input, &self.corpus, rng);
            }
        }
        input
    }
    fn take(&mut self, input: &[u8]) -> Result<Depth, String> {
        fs::write(&self.file, input).map_err(|e| e.to_string())?;
        let flat = used::<2>(&self.file)?;
        let deep = used::<3>(&self.file)?;
        Ok(flat.max(deep))
    }
    fn ending(&self) -> &'static str {
        self.ending
    }
}

/// Reads a mesh and holds it to what a mesh promises.
fn used<const D: usize>(file: &Path) -> Result<Depth, String> {
    let mesh = match read_solid::<D>(file) {
        Ok(found) => found.mesh,
        Err(e) => return told(&e).map(|()| Depth::Refused),
    };
    let (n, count) = (mesh.points().len(), mesh.cells().len());
    if let Some(k) = (0..count).find(|&k| mesh.cell_volume(k) <= 0.0) {
        return Err(format!("cell {k} has volume {}", mesh.cell_volume(k)));
    }
    let faces = mesh.boundary();
    if faces.is_empty() || faces.iter().flatten().any(|i| *i as usize >= n) {
        return Err(format!("{} faces of {n} points", faces.len()));
    }
    let q = mesh.quality();
    if q.smallest_angle.is_nan() || q.radius_ratio.is_nan() {
        return Err(format!("{q:?}"));
    }
    Ok(Depth::Used)
}
