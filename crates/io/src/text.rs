//! Numbers as text: the shortest digits that read back as the same bits.

use std::io::{self, Write};

/// Appends a number; `inf`, `-inf` and `nan` as Python, C and USD read them.
pub(crate) fn real<T: std::fmt::Debug + Into<f64> + Copy>(out: &mut Vec<u8>, x: T) {
    if x.into().is_nan() {
        out.extend(b"nan");
        return;
    }
    let start = out.len();
    let _ = write!(out, "{x:?}"); // into memory: cannot fail
    // As a whole number, zero would lose its sign where readers tell the kinds apart.
    if out[start..].ends_with(b".0") && &out[start..] != b"-0.0" {
        out.truncate(out.len() - 2);
    }
}

/// Appends `(a, b, c)`.
pub(crate) fn triple(out: &mut Vec<u8>, [a, b, c]: [f32; 3]) {
    out.push(b'(');
    real(out, a);
    out.extend(b", ");
    real(out, b);
    out.extend(b", ");
    real(out, c);
    out.push(b')');
}

/// Appends a whole number.
pub(crate) fn whole(out: &mut Vec<u8>, n: impl std::fmt::Display) {
    let _ = write!(out, "{n}"); // into memory: cannot fail
}

/// Writes many items, `between` them, a buffer at a time.
pub(crate) fn items<T>(
    w: &mut dyn Write,
    between: &[u8],
    items: impl IntoIterator<Item = T>,
    put: impl Fn(&mut Vec<u8>, T),
) -> io::Result<()> {
    let mut out = Vec::with_capacity(1 << 16);
    for (k, item) in items.into_iter().enumerate() {
        if k > 0 {
            out.extend(between);
        }
        put(&mut out, item);
        if out.len() > 60_000 {
            w.write_all(&out)?;
            out.clear();
        }
    }
    w.write_all(&out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_back_with_the_same_bits() {
        for k in 0..20_000u64 {
            let bits = (crate::sample::noise(k) * 2f64.powi(64)) as u64;
            for x in [f64::from_bits(bits), f64::from_bits(bits >> 32)] {
                let mut out = Vec::new();
                real(&mut out, x);
                let back: f64 = String::from_utf8(out).unwrap().parse().unwrap();
                assert!(back.to_bits() == x.to_bits() || x.is_nan());
            }
            let x = f32::from_bits((bits >> 32) as u32);
            let mut out = Vec::new();
            real(&mut out, x);
            let back: f32 = String::from_utf8(out).unwrap().parse().unwrap();
            assert!(back.to_bits() == x.to_bits() || x.is_nan());
        }
        let mut out = Vec::new();
        triple(&mut out, [1.0, -0.0, 1e-20]);
        real(&mut out, f64::NEG_INFINITY);
        real(&mut out, f32::NAN);
        assert_eq!(out, b"(1, -0.0, 1e-20)-infnan");
    }

    #[test]
    fn long_lists_are_whole() {
        let mut out = Vec::new();
        items(&mut out, b", ", 0..100_000, whole).unwrap();
        let text = String::from_utf8(out).unwrap();
        let back: Vec<usize> = text.split(", ").map(|s| s.parse().unwrap()).collect();
        assert!(back.into_iter().eq(0..100_000));
    }
}
