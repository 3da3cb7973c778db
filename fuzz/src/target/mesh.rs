//! Bytes as a mesh: OBJ and STL, and the solid that is made of it.

use std::fs;
use std::path::{Path, PathBuf};

use thixo::math::Vector;
use thixo_shape::{Shape, read_mesh};

use super::scene::told;
use super::{Depth, Target};
use crate::rng::Rng;
use crate::{corpus, mutate};

/// Mutated mesh files of one kind.
pub struct Mesh {
    ending: &'static str,
    file: PathBuf,
    corpus: Vec<Vec<u8>>,
}

impl Mesh {
    /// `ending` is `obj` or `stl`; the reader gets a file in `folder`.
    pub fn new(folder: &Path, ending: &'static str) -> Self {
        Self {
            ending,
            file: folder.join(format!("fuzz.{ending}")),
            corpus: corpus::meshes(ending),
        }
    }
}

impl Target for Mesh {
    fn input(&self, rng: &mut Rng) -> Vec<u8> {
        let mut input = rng.pick(&self.corpus).cloned().unwrap_or_default();
        for _ in 0..mutate::count(rng) {
            if rng.chance(0.3) {
                mutate::number(&mut input, rng);
            } else if self.ending == "obj" && rng.chance(0.3) {
                let text = String::from_utf8_lossy(&input).into_owned();
                input = lines(&text, rng).into_bytes();
            } else {
                mutate::bytes(&mut input, &self.corpus, rng);
            }
        }
        input
    }
    fn take(&mut self, input: &[u8]) -> Result<Depth, String> {
        fs::write(&self.file, input).map_err(|e| e.to_string())?;
        let data = match read_mesh(&self.file) {
            Ok(data) => data,
            Err(e) => return told(&e).map(|()| Depth::Refused),
        };
        let solid = match thixo_shape::Mesh::new("fuzz", &data) {
            Ok(solid) => solid,
            Err(e) => return told(&e).map(|()| Depth::Read),
        };
        let Some(bounds) = solid.bounds() else {
            return Err("a mesh without bounds".into());
        };
        let mut places = vec![bounds.center(), Vector::zero(), bounds.low, bounds.high];
        places.extend(data.vertices.iter().take(8).copied());
        places.extend(data.vertices.iter().take(8).map(|v| *v * 1.25));
        for x in places {
            let (d, n) = (solid.distance(&x), solid.normal(&x));
            let far = x.max_abs() > 1e100 || bounds.size().max_abs() > 1e100;
            if !far && !(d.is_finite() && n.finite()) {
                return Err(format!("distance {d}, normal {:?} at {:?}", n.0, x.0));
            }
        }
        Ok(Depth::Used)
    }
    fn ending(&self) -> &'static str {
        self.ending
    }
}

/// One change of the lines of an OBJ file.
fn lines(text: &str, rng: &mut Rng) -> String {
    let mut lines: Vec<String> = text.lines().map(String::from).collect();
    let n = lines.len();
    let (at, to) = (rng.below(n), rng.below(n + 1));
    let index = |rng: &mut Rng| rng.below(24) as i64 - 8;
    let line = match rng.below(8) {
        0 if n > 0 => {
            lines.remove(at);
            return lines.join("\n");
        }
        1 if n > 0 => lines[at].clone(),
        2 => format!("f {} {} {}", index(rng), index(rng), index(rng)),
        3 => format!(
            "f {}/{}/{} {}//1 {} {}",
            index(rng),
            index(rng),
            index(rng),
            index(rng),
            index(rng),
            index(rng)
        ),
        4 => format!(
            "v {} {} {}",
            rng.word(mutate::NASTY),
            rng.word(mutate::NASTY),
            rng.word(mutate::NASTY)
        ),
        5 => rng
            .word(&[
                "o a",
                "g b",
                "usemtl c",
                "mtllib d.mtl",
                "s 1",
                "vt 0 0",
                "vn 0 0 1",
                "l 1 2",
                "p 1",
                "f 1 2",
                "f",
                "v 1 2 3 4 5 6 7",
            ])
            .to_string(),
        6 => "f".to_string() + &" 1".repeat(1 + rng.below(300)),
        _ => "#".repeat(rng.below(2000)),
    };
    lines.insert(to, line);
    lines.join("\n") + "\n"
}
