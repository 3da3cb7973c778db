//! Letters drawn with a round pen: no font file, sharp at any size.
//!
//! A glyph is a list of strokes on a grid of half a cap height per three units: x to the right, y
//! down from 0 (cap height) over 2 (x height) and 6 (baseline) to 8 (descender). A stroke is pairs
//! of digits; one that starts with `~` is a quadratic B-spline, closed if it ends where it began.

use super::image::Canvas;
use super::vec::V;

/// Where a text is anchored.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Anchor {
    Left,
    Middle,
    Right,
}

/// Width in pixels of a text whose capitals are `size` pixels high.
pub(super) fn width(text: &str, size: f32) -> f32 {
    let units: f32 = text.chars().map(advance).sum();
    (units - 2.0).max(0.0) * size / 6.0
}

/// Draws a text with its baseline at `at`.
pub(super) fn draw(
    canvas: &mut Canvas,
    text: &str,
    at: [f32; 2],
    size: f32,
    color: V,
    anchor: Anchor,
) {
    let unit = size / 6.0;
    let shift = match anchor {
        Anchor::Left => 0.0,
        Anchor::Middle => 0.5 * width(text, size),
        Anchor::Right => width(text, size),
    };
    let mut x = at[0] - shift;
    let y = at[1] - size;
    for c in text.chars() {
        for stroke in strokes(c).split(' ').filter(|s| !s.is_empty()) {
            let points: Vec<[f32; 2]> = path(stroke)
                .iter()
                .map(|p| [x + unit * p[0], y + unit * p[1]])
                .collect();
            pen(canvas, &points, (0.42 * unit).max(0.62), color);
        }
        x += unit * advance(c);
    }
}

fn advance(c: char) -> f32 {
    if c == ' ' {
        return 3.5;
    }
    let xs = strokes(c).split(' ').flat_map(path).map(|p| p[0]);
    xs.fold(0.0, f32::max) + 2.0
}

/// The polyline of a stroke.
fn path(stroke: &str) -> Vec<[f32; 2]> {
    let (smooth, digits) = match stroke.strip_prefix('~') {
        Some(rest) => (true, rest.as_bytes()),
        None => (false, stroke.as_bytes()),
    };
    let p: Vec<[f32; 2]> = digits
        .chunks_exact(2)
        .map(|d| [f32::from(d[0] - b'0'), f32::from(d[1] - b'0')])
        .collect();
    if !smooth || p.len() < 3 {
        return p;
    }
    let closed = p[0] == p[p.len() - 1];
    let n = if closed { p.len() - 1 } else { p.len() };
    let middle = |a: [f32; 2], b: [f32; 2]| [0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])];
    let corners: Vec<usize> = if closed {
        (0..n).collect()
    } else {
        (1..n - 1).collect()
    };
    let mut out = Vec::new();
    for &k in &corners {
        let (before, after) = (p[(k + n - 1) % n], p[(k + 1) % n]);
        let a = if !closed && k == 1 {
            before
        } else {
            middle(before, p[k])
        };
        let b = if !closed && k == n - 2 {
            after
        } else {
            middle(p[k], after)
        };
        for j in 0..=8 {
            let t = j as f32 / 8.0;
            let w = [(1.0 - t) * (1.0 - t), 2.0 * t * (1.0 - t), t * t];
            out.push(std::array::from_fn(|i| {
                w[0] * a[i] + w[1] * p[k][i] + w[2] * b[i]
            }));
        }
    }
    out
}

/// Draws a polyline with a round pen of radius `r`.
pub(super) fn pen(canvas: &mut Canvas, points: &[[f32; 2]], r: f32, color: V) {
    let ends = |a: usize| {
        let all = points.iter().map(|p| p[a]);
        let lo = all.clone().fold(f32::INFINITY, f32::min) - r - 1.0;
        (
            lo.floor() as i64,
            (all.fold(f32::NEG_INFINITY, f32::max) + r + 1.0).ceil() as i64,
        )
    };
    let ((x0, x1), (y0, y1)) = (ends(0), ends(1));
    for y in y0..y1 {
        for x in x0..x1 {
            let q = [x as f32 + 0.5, y as f32 + 0.5];
            let pairs = points
                .iter()
                .zip(points.iter().skip(1).chain(points.last()));
            let d = pairs
                .map(|(a, b)| distance(q, *a, *b))
                .fold(f32::INFINITY, f32::min);
            let cover = (r - d + 0.5).clamp(0.0, 1.0);
            if cover > 0.0 {
                canvas.blend(x, y, color, cover);
            }
        }
    }
}

fn distance(q: [f32; 2], a: [f32; 2], b: [f32; 2]) -> f32 {
    let (u, v) = ([b[0] - a[0], b[1] - a[1]], [q[0] - a[0], q[1] - a[1]]);
    let t = ((u[0] * v[0] + u[1] * v[1]) / (u[0] * u[0] + u[1] * u[1]).max(1e-12)).clamp(0.0, 1.0);
    (v[0] - t * u[0]).hypot(v[1] - t * u[1])
}

#[rustfmt::skip]
fn strokes(c: char) -> &'static str {
    match c {
        '0' => "~0040460600", '1' => "022026", '2' => "~0200404306 0646",
        '3' => "~0100404323 ~2343460605", '4' => "36300444", '5' => "400003 ~030242460605",
        '6' => "~300004 ~0242460602", '7' => "004016", '8' => "~0040430300 ~0343460603",
        '9' => "~0040440400 ~424616",
        'A' => "062046 1434", 'B' => "0006 ~00404303 ~03434606", 'C' => "~414000064645",
        'D' => "0006 ~00404606", 'E' => "40000646 0333", 'F' => "400006 0333",
        'G' => "~414000064643 4323", 'H' => "0006 4046 0343", 'I' => "0006", 'J' => "~30360605",
        'K' => "0006 4004 1346", 'L' => "000646", 'M' => "0600234046", 'N' => "06004640",
        'O' => "~0040460600", 'P' => "0006 ~00404303", 'Q' => "~0040460600 2446",
        'R' => "0006 ~00404303 2346", 'S' => "~4140000343460605", 'T' => "0040 2026",
        'U' => "0003 ~03064643 4340", 'V' => "002640", 'W' => "0016315660", 'X' => "0046 4006",
        'Y' => "002340 2326", 'Z' => "00400646",
        'a' => "~0242460602 4246", 'b' => "0006 ~0242460602", 'c' => "~434202064645",
        'd' => "4046 ~0242460602", 'e' => "0444 ~444202064645", 'f' => "~301012 1216 0232",
        'g' => "~0242460602 4246 ~46480807", 'h' => "0006 ~04023234 3436", 'i' => "0206 0000",
        'j' => "1216 ~161808 1010", 'k' => "0006 3204 1336", 'l' => "0006",
        'm' => "0206 ~04023234 3436 ~34326264 6466", 'n' => "0206 ~04023234 3436",
        'o' => "~0242460602", 'p' => "0208 ~0242460602", 'q' => "4248 ~0242460602",
        'r' => "0206 ~040232", 's' => "~3332020434360605", 't' => "1015 ~151636 0232",
        'u' => "0204 ~04063634 3236", 'v' => "022642", 'w' => "0216325662", 'x' => "0236 3206",
        'y' => "0226 4218", 'z' => "02320636", 'µ' => "0208 ~04063634 3236",
        '.' => "0606", ',' => "1607", ':' => "0303 0606", ';' => "1313 1607", '-' | '–' | '−' => "0333",
        '+' => "0343 2125", '=' => "0242 0444", '/' => "3007", '(' => "~20000727",
        ')' => "~00202707", '[' => "10000717", ']' => "00101707", '%' => "4006 ~0020220200 ~2444462624",
        '*' => "2024 0143 0341", '^' => "022042", '_' => "0747", '|' => "0007", '<' => "310335",
        '>' => "013305", '!' => "0004 0606", '?' => "~0100404324 2626", '\'' => "0001",
        '"' => "0001 2021", '#' => "1016 3036 0242 0444", '°' => "~0020220200",
        '²' => "~0100202103 0323", '³' => "~0100202111 ~1121230302", '·' => "0404", '×' => "0246 4206",
        '~' => "~04022644 42",
        ' ' => "",
        _ => "0040460600",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_printable_letter_has_strokes_on_the_grid() {
        for c in (33..127).map(char::from) {
            let points: Vec<_> = strokes(c).split(' ').flat_map(path).collect();
            assert!(!points.is_empty(), "{c}");
            assert!(points.iter().all(|p| p[0] <= 6.0 && p[1] <= 8.0), "{c}");
        }
    }
}
