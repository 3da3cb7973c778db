//! A worker: runs cases one after the other and says before and after each which one it is.
//!
//! Lines to the supervisor: `> CASE` before a case, `< CASE DEPTH MICROSECONDS BYTES` after it,
//! `! CASE panic MESSAGE` and `! CASE wrong MESSAGE` for findings that the worker survives.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::panic::{self, AssertUnwindSafe};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use crate::rng::Rng;
use crate::target::{Target, make, schedule};

/// The memory that a case may use \[bytes\].
pub const MEMORY: usize = 1 << 30;

/// The cases of one worker: every `stride`-th from `first` on, up to `end`.
#[derive(Clone, Debug)]
pub struct Share {
    /// Seed of the whole run.
    pub seed: u64,
    /// The only target, if not all.
    pub only: Option<String>,
    /// First case.
    pub first: u64,
    /// One past the last case.
    pub end: u64,
    /// Distance between cases.
    pub stride: u64,
}

/// The input of a case, and the name of its target.
pub fn input(share: &Share, case: u64, targets: &Targets) -> Option<(&'static str, Vec<u8>)> {
    let names = schedule(share.only.as_deref());
    let name = *names.get((case % names.len().max(1) as u64) as usize)?;
    let target = targets.get(name)?;
    Some((name, target.input(&mut Rng::new(share.seed, case))))
}

/// Targets by name.
pub type Targets = BTreeMap<&'static str, Box<dyn Target>>;

/// All targets of a run; `folder` is theirs.
pub fn targets(only: Option<&str>, folder: &std::path::Path) -> Result<Targets, String> {
    let mut all = Targets::new();
    for name in schedule(only) {
        if !all.contains_key(name) {
            all.insert(name, make(name, folder)?);
        }
    }
    Ok(all)
}

/// Runs the cases of a share. `peak` tells the most memory that was ever in use.
pub fn work(share: &Share, peak: fn() -> usize) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let mut targets = targets(share.only.as_deref(), folder.path())?;
    let said = Arc::new(Mutex::new(String::new()));
    let heard = said.clone();
    panic::set_hook(Box::new(move |info| {
        if let Ok(mut said) = heard.lock() {
            *said = info.to_string().replace('\n', " ");
        }
    }));
    let mut out = io::stdout();
    let mut tell = |line: String| writeln!(out, "{line}").map_err(|e| e.to_string());
    let mut case = share.first;
    while case < share.end {
        let Some((name, bytes)) = input(share, case, &targets) else {
            return Err("there is no such target".into());
        };
        tell(format!("> {case}"))?;
        let begun = Instant::now();
        let target = targets.get_mut(name).ok_or("there is no such target")?;
        let outcome = panic::catch_unwind(AssertUnwindSafe(|| target.take(&bytes)));
        let time = begun.elapsed().as_micros();
        let depth = match outcome {
            Ok(Ok(depth)) => depth as usize,
            Ok(Err(what)) => {
                tell(format!("! {case} wrong {}", what.replace('\n', " ")))?;
                0
            }
            Err(_) => {
                let what = said.lock().map(|s| s.clone()).unwrap_or_default();
                tell(format!("! {case} panic {what}"))?;
                // What it left behind is not to be trusted.
                targets.insert(name, make(name, folder.path())?);
                0
            }
        };
        tell(format!("< {case} {depth} {time} {}", peak()))?;
        case += share.stride;
    }
    Ok(())
}
