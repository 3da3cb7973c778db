//! Where something is measured.

use std::collections::BTreeSet;

use thixo_math::Vector;

use crate::error::{Checked, Problem};
use crate::scene::{Scene, plain};

/// A region in which matter is measured.
pub struct Probe {
    /// Name of its file.
    pub name: String,
    /// Which material; all if it says nothing.
    pub material: Option<String>,
    /// Whether a place \[m\] is in the region.
    pub holds: Box<dyn Fn(&[f64; 3]) -> bool + Send + Sync>,
}

impl Scene {
    pub(super) fn probed<const D: usize>(&self) -> Checked<Vec<Probe>> {
        let mut names = BTreeSet::new();
        let mut made = Vec::new();
        for typed in &self.spec.probes {
            let p = typed.get_ref();
            let name = p.name.get_ref();
            if !plain(name) {
                return Err(
                    Problem::new(p.name.span(), format!("`{name}` cannot name a file")).help(
                        "use letters, digits, `-`, `_` and `.`, and start with a letter or digit",
                    ),
                );
            }
            if !names.insert(name.clone()) {
                let what = format!("two probes are called `{name}`");
                return Err(Problem::new(p.name.span(), what).help("choose another name"));
            }
            if let Some(m) = &p.material {
                let mut known = self.spec.materials.keys().map(|k| k.get_ref().as_str());
                if !known.clone().any(|k| k == m.get_ref()) {
                    let word = m.get_ref();
                    return Err(Problem::unknown(m.span(), "material", word, &mut known));
                }
            }
            let shape = p.shape.make::<D>(&self.files)?;
            made.push(Probe {
                name: name.clone(),
                material: p.material.as_ref().map(|m| m.get_ref().clone()),
                holds: Box::new(move |x| shape.distance(&Vector::from_fn(|a| x[a])) < 0.0),
            });
        }
        Ok(made)
    }
}
