//! Changes of bytes that know nothing of the format.

use crate::rng::Rng;

/// Inputs do not grow beyond this \[bytes\].
pub const LONGEST: usize = 64 << 10;

/// Numbers that go wrong where numbers can.
pub const NASTY: &[&str] = &[
    "0",
    "-0",
    "-0.0",
    "1",
    "-1",
    "0.5",
    "2",
    "3",
    "1e308",
    "-1e308",
    "1e-308",
    "5e-324",
    "1e39",
    "-1e39",
    "1e-46",
    "1e30",
    "1e-30",
    "1e12",
    "1e6",
    "nan",
    "-nan",
    "inf",
    "-inf",
    "99999999999",
    "-99999999999",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551616",
    "2147483647",
    "2147483648",
    "4294967296",
    "65536",
    "1e400",
    "0x7fffffff",
    "1_000",
    "0.1e",
    "1e-5",
    "0.49999999",
    "1000",
];

/// A number of random changes, one most often.
pub fn count(rng: &mut Rng) -> usize {
    let mut n = 1;
    while n < 12 && rng.chance(0.45) {
        n += 1;
    }
    n
}

/// One random change of some bytes; `others` lend pieces of themselves.
pub fn bytes(input: &mut Vec<u8>, others: &[Vec<u8>], rng: &mut Rng) {
    let n = input.len();
    let at = rng.below(n);
    let long = 1 + rng.below(16.min(n.max(1)));
    match rng.below(11) {
        0 => flip(input, rng),
        1 => {
            if let Some(b) = input.get_mut(at) {
                *b = rng.next() as u8;
            }
        }
        2 => {
            let edge = [0u8, 1, 0x7F, 0x80, 0xFF, b' ', b'\n', b'"'];
            if let (Some(b), Some(e)) = (input.get_mut(at), rng.pick(&edge)) {
                *b = *e;
            }
        }
        3 => input.insert(rng.below(n + 1), rng.next() as u8),
        4 => {
            input.drain(at..(at + long).min(n));
        }
        5 => input.truncate(at),
        6 => {
            // A piece of itself, elsewhere.
            let piece: Vec<u8> = input[at..(at + long * 8).min(n)].to_vec();
            let to = rng.below(n + 1);
            input.splice(to..to, piece);
        }
        7 => {
            // A piece of another, in place or in between.
            if let Some(other) = rng.pick(others) {
                let from = rng.below(other.len());
                let piece = other[from..(from + long * 8).min(other.len())].to_vec();
                let to = rng.below(n + 1);
                let end = if rng.chance(0.5) {
                    to
                } else {
                    (to + piece.len()).min(n)
                };
                input.splice(to..end, piece);
            }
        }
        8 => {
            // The start of this, the end of another.
            if let Some(other) = rng.pick(others) {
                input.truncate(at);
                input.extend(&other[rng.below(other.len())..]);
            }
        }
        9 => number(input, rng),
        _ => word(input, rng),
    }
    input.truncate(LONGEST);
}

/// Flips one bit.
pub fn flip(input: &mut [u8], rng: &mut Rng) {
    let at = rng.below(input.len());
    if let Some(b) = input.get_mut(at) {
        *b ^= 1 << rng.below(8);
    }
}

/// A little-endian word of 2, 4 or 8 bytes becomes one at an edge of its range, or of its floats.
pub fn word(input: &mut [u8], rng: &mut Rng) {
    let width = [2, 4, 8][rng.below(3)];
    let edges: [u64; 12] = [
        0,
        1,
        u64::MAX,
        0x7FFF_FFFF_FFFF_FFFF,
        0x8000_0000_8000_0000,
        0x7FF0_0000_0000_0000,
        0x7FF8_0000_0000_0001,
        0x7FEF_FFFF_FFFF_FFFF,
        0x7F80_0000_7F80_0000,
        0x7F7F_FFFF_7F7F_FFFF,
        0xFFC0_0001_FFC0_0001,
        rng.next() >> rng.below(64),
    ];
    let value = edges[rng.below(edges.len())].to_le_bytes();
    if input.len() >= width {
        let at = rng.below(input.len() - width + 1);
        let from = if rng.chance(0.5) { 0 } else { 8 - width };
        input[at..at + width].copy_from_slice(&value[from..from + width]);
    }
}

/// A number in a text becomes another one.
pub fn number(input: &mut Vec<u8>, rng: &mut Rng) {
    let digit = |b: &u8| b.is_ascii_digit();
    let part = |b: &u8| b.is_ascii_digit() || b".-+eE_".contains(b);
    let start = rng.below(input.len());
    let found = (start..input.len())
        .chain(0..start)
        .find(|&i| digit(&input[i]));
    let Some(found) = found else {
        return;
    };
    let before = input[..found].iter().rev().take_while(|b| part(b)).count();
    let after = input[found..].iter().take_while(|b| part(b)).count();
    let new = match rng.below(4) {
        0 => format!("{}", rng.between(-2.0, 2.0)),
        1 => format!("{:e}", rng.scale(1e-12, 1e12)),
        _ => rng.word(NASTY).to_string(),
    };
    input.splice(found - before..found + after, new.into_bytes());
}
