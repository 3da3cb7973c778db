//! Byte planes: the first bytes of all elements, then the second bytes, and so on. Numbers of
//! similar size then have long runs of similar bytes, which pack several times better.

/// Regroups `bytes` of elements of `width`; an incomplete last element stays at the end.
pub(super) fn split(bytes: &[u8], width: usize) -> Vec<u8> {
    let n = bytes.len().checked_div(width).unwrap_or(0);
    if width < 2 || n < 2 {
        return bytes.to_vec();
    }
    let mut out = Vec::with_capacity(bytes.len());
    for plane in 0..width {
        out.extend(bytes[plane..n * width].iter().step_by(width));
    }
    out.extend_from_slice(&bytes[n * width..]);
    out
}

/// The inverse of [`split`], appended to `out`.
pub(super) fn join(planes: &[u8], width: usize, out: &mut Vec<u8>) {
    let n = planes.len().checked_div(width).unwrap_or(0);
    let start = out.len();
    out.extend_from_slice(planes);
    if width < 2 || n < 2 {
        return;
    }
    for (plane, bytes) in planes[..n * width].chunks_exact(n).enumerate() {
        let to = out[start + plane..start + n * width]
            .iter_mut()
            .step_by(width);
        for (to, &byte) in to.zip(bytes) {
            *to = byte;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn join_undoes_split() {
        for width in [0, 1, 2, 4, 7, 8, 24, 1000] {
            for length in [0, 1, 7, 8, 9, 64, 999, 1000, 2001] {
                let bytes: Vec<u8> = (0..length).map(|k| (k * 37 % 251) as u8).collect();
                let mut back = vec![9];
                join(&split(&bytes, width), width, &mut back);
                assert_eq!(back[1..], bytes, "width {width} length {length}");
            }
        }
        assert_eq!(split(&[1, 2, 3, 4, 5, 6, 7], 2), [1, 3, 5, 2, 4, 6, 7]);
    }
}
