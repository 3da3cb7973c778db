//! Bytes as a checkpoint: damaged ones, and ones whole in form but wrong in what they say, whose
//! checksums are right.

use std::path::Path;

use thixo::Simulation;
use thixo::core::{Column, Snapshot};
use thixo_io::checkpoint::{self, Meta};

use super::scene::{sound, told};
use super::{Depth, Target};
use crate::rng::Rng;
use crate::{corpus, mutate};

/// Mutated checkpoints.
pub struct Checkpoint {
    runs: Vec<Simulation>,
    corpus: Vec<Vec<u8>>,
    states: Vec<(Snapshot, Meta)>,
    sealed: bool,
}

impl Checkpoint {
    /// With `sealed`, columns are changed and packed anew; else the bytes of the file.
    pub fn new(sealed: bool) -> Result<Self, String> {
        let runs = corpus::runs()?;
        let (mut corpus, mut states) = (Vec::new(), Vec::new());
        for (i, run) in runs.iter().enumerate() {
            let meta = Meta {
                scene: i.to_string(),
                step: run.steps(),
                time: run.time(),
                user: [("frame".to_string(), run.frame().to_string())].into(),
            };
            let snapshot = run.snapshot();
            corpus.push(reseal(&snapshot, &meta)?);
            states.push((snapshot, meta));
        }
        Ok(Self {
            runs,
            corpus,
            states,
            sealed,
        })
    }
}

/// The bytes of a checkpoint, checksums and all.
pub fn reseal(snapshot: &Snapshot, meta: &Meta) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    checkpoint::write_to(&mut bytes, snapshot, meta).map_err(|e| e.to_string())?;
    Ok(bytes)
}

impl Target for Checkpoint {
    fn input(&self, rng: &mut Rng) -> Vec<u8> {
        if self.sealed {
            let Some((snapshot, meta)) = rng.pick(&self.states).cloned() else {
                return Vec::new();
            };
            let mut columns = snapshot.columns;
            for _ in 0..mutate::count(rng) {
                spoil(&mut columns, &self.states, rng);
            }
            return reseal(&Snapshot::from_columns(columns), &meta).unwrap_or_default();
        }
        let mut input = rng.pick(&self.corpus).cloned().unwrap_or_default();
        for _ in 0..mutate::count(rng) {
            mutate::bytes(&mut input, &self.corpus, rng);
        }
        input
    }
    fn take(&mut self, input: &[u8]) -> Result<Depth, String> {
        let name = Path::new("fuzz.thixo");
        let read = checkpoint::read_from(input, input.len() as u64, name);
        let (snapshot, meta) = match read {
            Ok(read) => read,
            Err(e) => return told(&e).map(|()| Depth::Refused),
        };
        let which = meta.scene.parse().ok().filter(|i| *i < self.runs.len());
        let Some(run) = which.and_then(|i: usize| self.runs.get_mut(i)) else {
            return Ok(Depth::Read);
        };
        let before = run.state_hash();
        if let Err(e) = run.restore(&snapshot) {
            if run.state_hash() != before {
                return Err(format!("a state that was refused has left traces: {e}"));
            }
            return told(&e).map(|()| Depth::Read);
        }
        if run.totals().lost() > 0 {
            return Err("a state in which particles are lost was accepted".into());
        }
        match run.step() {
            Ok(_) => sound(run).map(|()| Depth::Used),
            Err(e) => told(&e).map(|()| Depth::Built),
        }
    }
    fn ending(&self) -> &'static str {
        "thixo"
    }
}

/// One change of the columns of a state.
fn spoil(columns: &mut Vec<Column>, others: &[(Snapshot, Meta)], rng: &mut Rng) {
    let n = columns.len();
    let (at, to) = (rng.below(n), rng.below(n));
    if n == 0 {
        return;
    }
    let width = columns[at].width.max(1) as usize;
    let elements = columns[at].bytes.len() / width;
    match rng.below(14) {
        0 => {
            columns.remove(at);
        }
        1 => columns.swap(at, to),
        2 => {
            let bytes = columns[to].bytes.clone();
            columns[at].bytes = bytes;
        }
        3 => columns[at].width = [0, 1, 2, 4, 8, 12, 16, 36, 72, u32::MAX][rng.below(10)],
        4 => {
            let element = rng.below(elements);
            let bytes = &mut columns[at].bytes;
            let end = ((element + 1) * width).min(bytes.len());
            bytes.drain((element * width).min(end)..end);
        }
        5 => {
            let element = rng.below(elements);
            let bytes = &mut columns[at].bytes;
            let end = ((element + 1) * width).min(bytes.len());
            let copy = bytes[(element * width).min(end)..end].to_vec();
            bytes.extend(copy);
        }
        6 => {
            let cut = rng.below(columns[at].bytes.len());
            columns[at].bytes.truncate(cut);
        }
        7 => {
            if let Some(Some(other)) = rng.pick(others).map(|(s, _)| rng_column(s, &columns[at])) {
                columns[at] = other;
            }
        }
        8 => columns[at].name.push('x'),
        9 | 10 => {
            for _ in 0..mutate::count(rng) {
                mutate::flip(&mut columns[at].bytes, rng);
            }
        }
        // A whole number or a float of its own width becomes one at an edge.
        _ => {
            let size = if width % 8 == 0 { 8 } else { 4.min(width) };
            let places = columns[at].bytes.len() / size;
            let place = rng.below(places) * size;
            if let Some(word) = columns[at].bytes.get_mut(place..place + size) {
                edge(word, rng);
            }
        }
    }
}

/// The column of the same name in another state.
fn rng_column(from: &Snapshot, like: &Column) -> Option<Column> {
    let last = |c: &Column| c.name.rsplit('/').next().map(String::from);
    let found = from.columns.iter().find(|c| last(c) == last(like))?;
    Some(Column {
        name: like.name.clone(),
        ..found.clone()
    })
}

/// Puts a value at an edge into 4 or 8 bytes.
fn edge(word: &mut [u8], rng: &mut Rng) {
    let float = match rng.below(10) {
        0 => f64::NAN,
        1 => f64::INFINITY,
        2 => 0.0,
        3 => -1.0,
        4 => 1e300,
        5 => 1e30,
        6 => 1e-30,
        7 => -1e-3,
        8 => rng.between(-2.0, 2.0),
        _ => rng.scale(1e-9, 1e9),
    };
    let whole = match rng.below(8) {
        0 => i64::MAX,
        1 => i64::MIN,
        2 => i64::from(i32::MAX),
        3 => i64::from(i32::MIN),
        4 => -1,
        5 => 0,
        6 => 1 << 29,
        _ => rng.below(200) as i64 - 100,
    };
    let bytes: Vec<u8> = match (word.len(), rng.chance(0.5)) {
        (8, true) => float.to_le_bytes().to_vec(),
        (8, false) => whole.to_le_bytes().to_vec(),
        (_, true) => (float as f32).to_le_bytes().to_vec(),
        (_, false) => (whole as i32).to_le_bytes().to_vec(),
    };
    let n = word.len().min(bytes.len());
    word[..n].copy_from_slice(&bytes[..n]);
}
