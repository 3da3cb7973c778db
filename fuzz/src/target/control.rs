//! The negative control: a target that fails in every way that must be noticed.

use std::time::Duration;

use super::{Depth, Target};
use crate::rng::Rng;

/// Fails when its input says so.
pub struct Control;

/// What it does at which case: the input is the case's number below this.
const WAYS: [&str; 8] = [
    "nothing", "panic", "nothing", "slow", "memory", "stack", "hang", "wrong",
];

impl Target for Control {
    fn input(&self, rng: &mut Rng) -> Vec<u8> {
        rng.word(&WAYS).into()
    }
    fn take(&mut self, input: &[u8]) -> Result<Depth, String> {
        match input {
            b"panic" => panic!("the control panics"),
            b"slow" => std::thread::sleep(Duration::from_millis(1200)),
            b"memory" => {
                let many = vec![1u8; (1 << 30) + input.len()];
                return Ok(if many[input.len()] == 1 {
                    Depth::Used
                } else {
                    Depth::Read
                });
            }
            b"stack" => {
                return Ok(if deep(0) > 1 << 40 {
                    Depth::Used
                } else {
                    Depth::Read
                });
            }
            b"hang" => loop {
                std::thread::sleep(Duration::from_secs(1));
            },
            b"wrong" => return Err("the control is wrong".into()),
            _ => {}
        }
        Ok(Depth::Used)
    }
    fn ending(&self) -> &'static str {
        "txt"
    }
}

/// Deeper than any stack.
fn deep(n: u64) -> u64 {
    let here = std::hint::black_box([n; 64]);
    if n > 1 << 40 {
        return here[3];
    }
    deep(n + 1) + here[5]
}
