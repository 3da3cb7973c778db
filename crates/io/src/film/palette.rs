//! The colours of a GIF: 255 that fit a picture best, by cuts at the mean along the widest spread,
//! then a few rounds of Lloyd's.

/// Bits per channel of a bin.
const BITS: u32 = 6;
const BINS: usize = 1 << (3 * BITS);
/// How much the eye cares about red, green and blue.
const CARE: [f32; 3] = [3.0, 4.0, 2.0];
const ROUNDS: usize = 3;

/// Colours with what they weigh.
pub(super) struct Tally {
    colors: Vec<([f32; 3], f32)>,
}

fn bin(color: [u8; 3]) -> usize {
    color
        .iter()
        .fold(0, |b, &c| b << BITS | usize::from(c >> (8 - BITS)))
}

impl Tally {
    /// Counts colours. A colour weighs the root of its count: broad backdrops do not take
    /// everything.
    pub fn new(colors: impl Iterator<Item = [u8; 3]>) -> Self {
        let mut bins = vec![([0u64; 3], 0u64); BINS];
        for color in colors {
            let (sum, count) = &mut bins[bin(color)];
            *count += 1;
            sum.iter_mut()
                .zip(color)
                .for_each(|(s, c)| *s += u64::from(c));
        }
        let full = bins.into_iter().filter(|(_, count)| *count > 0);
        let mean = |(sum, count): ([u64; 3], u64)| {
            let n = count as f32;
            (sum.map(|s| s as f32 / n), n.sqrt() * n.sqrt().sqrt())
        };
        Self {
            colors: full.map(mean).collect(),
        }
    }

    /// The root mean square distance to the nearest colours of a palette.
    pub fn error(&self, palette: &Palette) -> f32 {
        let (mut sum, mut weight) = (0.0f64, 0.0f64);
        for (c, w) in &self.colors {
            let (_, d) = palette.search(*c);
            sum += f64::from(d * w);
            weight += f64::from(*w);
        }
        if weight > 0.0 {
            ((sum / weight) as f32).sqrt()
        } else {
            0.0
        }
    }
}

fn distance(a: [f32; 3], b: [f32; 3]) -> f32 {
    (0..3)
        .map(|k| CARE[k] * (a[k] - b[k]) * (a[k] - b[k]))
        .sum()
}

/// A part of the colours.
struct Part {
    range: std::ops::Range<usize>,
    axis: usize,
    mean: [f32; 3],
    /// Spread along the axis times weight: what a cut may gain.
    gain: f32,
}

impl Part {
    fn new(colors: &[([f32; 3], f32)], range: std::ops::Range<usize>) -> Self {
        let (mut weight, mut sum, mut square) = (0.0f64, [0.0f64; 3], [0.0f64; 3]);
        for (c, w) in &colors[range.clone()] {
            let w = f64::from(*w);
            weight += w;
            for k in 0..3 {
                sum[k] += w * f64::from(c[k]);
                square[k] += w * f64::from(c[k]) * f64::from(c[k]);
            }
        }
        let mean = sum.map(|s| s / weight.max(1e-9));
        let spread = |k: usize| f64::from(CARE[k]) * (square[k] - weight * mean[k] * mean[k]);
        let axis = (1..3).fold(0, |a, k| if spread(k) > spread(a) { k } else { a });
        let gain = if range.len() > 1 { spread(axis) } else { 0.0 };
        Self {
            range,
            axis,
            mean: mean.map(|m| m as f32),
            gain: gain as f32,
        }
    }
}

/// At most 255 colours; index 255 is left for what is transparent.
pub(super) struct Palette {
    pub colors: Vec<[u8; 3]>,
    /// Levels between neighbours: how strong a dither hides the steps.
    pub step: f32,
    /// The nearest colour of each bin, once it was asked for.
    cache: Vec<u16>,
}

impl Palette {
    /// The best colours for a tally.
    pub fn new(tally: &Tally) -> Self {
        let mut colors = tally.colors.clone();
        let mut parts = vec![Part::new(&colors, 0..colors.len())];
        while parts.len() < 255 {
            let best =
                (1..parts.len()).fold(0, |a, k| if parts[k].gain > parts[a].gain { k } else { a });
            let Part {
                range,
                axis,
                mean,
                gain,
            } = &parts[best];
            if *gain <= 0.0 {
                break;
            }
            let (range, axis, at) = (range.clone(), *axis, mean[*axis]);
            // A stable partition keeps the order of bins.
            colors[range.clone()].sort_by_key(|(c, _)| c[axis] > at);
            let low = colors[range.clone()].partition_point(|(c, _)| c[axis] <= at);
            let middle = range.start + low;
            if middle == range.start || middle == range.end {
                parts[best].gain = 0.0; // equal but for rounding
                continue;
            }
            parts[best] = Part::new(&colors, range.start..middle);
            parts.push(Part::new(&colors, middle..range.end));
        }
        let mut centers: Vec<[f32; 3]> = parts.iter().map(|p| p.mean).collect();
        for _ in 0..ROUNDS {
            let mut sums = vec![([0.0f64; 3], 0.0f64); centers.len()];
            for (c, w) in &tally.colors {
                let (sum, weight) = &mut sums[nearest(&centers, *c).0];
                (0..3).for_each(|k| sum[k] += f64::from(c[k] * w));
                *weight += f64::from(*w);
            }
            for (center, (sum, weight)) in centers.iter_mut().zip(sums) {
                if weight > 0.0 {
                    *center = sum.map(|s| (s / weight) as f32);
                }
            }
        }
        let mut colors: Vec<[u8; 3]> = centers
            .iter()
            .map(|c| c.map(|c| c.round().clamp(0.0, 255.0) as u8))
            .collect();
        colors.sort_unstable();
        colors.dedup();
        Self {
            step: step(&colors),
            colors,
            cache: vec![u16::MAX; BINS],
        }
    }

    fn search(&self, c: [f32; 3]) -> (usize, f32) {
        let wide = |c: &[u8; 3]| c.map(f32::from);
        let mut best = (0, f32::INFINITY);
        for (k, p) in self.colors.iter().enumerate() {
            let d = distance(c, wide(p));
            if d < best.1 {
                best = (k, d);
            }
        }
        best
    }

    /// The index of a colour near to `color`.
    pub fn index(&mut self, color: [u8; 3]) -> u8 {
        let bin = bin(color);
        if self.cache[bin] == u16::MAX {
            let half = (1 << (7 - BITS)) as f32 - 0.5;
            let middle = color.map(|c| f32::from(c >> (8 - BITS) << (8 - BITS)) + half);
            self.cache[bin] = self.search(middle).0 as u16;
        }
        self.cache[bin] as u8
    }
}

fn nearest(centers: &[[f32; 3]], c: [f32; 3]) -> (usize, f32) {
    centers
        .iter()
        .enumerate()
        .map(|(k, p)| (k, distance(c, *p)))
        .fold((0, f32::INFINITY), |a, b| if b.1 < a.1 { b } else { a })
}

/// The middle distance of a colour to its neighbour, per channel.
fn step(colors: &[[u8; 3]]) -> f32 {
    let of = |a: &[u8; 3]| {
        let others = colors.iter().filter(|b| *b != a);
        let far = |b: &[u8; 3]| {
            let d = (0..3).map(|k| (f32::from(a[k]) - f32::from(b[k])).powi(2));
            d.sum::<f32>()
        };
        others.map(far).fold(f32::INFINITY, f32::min)
    };
    let mut all: Vec<f32> = colors.iter().map(of).collect();
    all.sort_by(f32::total_cmp);
    let middle = all.get(all.len() / 2).copied().unwrap_or(0.0);
    if middle.is_finite() {
        (middle / 3.0).sqrt().clamp(0.0, 12.0)
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_colours_are_kept_and_many_are_near() {
        let three = [[10, 20, 30], [200, 100, 0], [255, 255, 255]];
        let palette = Palette::new(&Tally::new(three.into_iter().cycle().take(999)));
        assert_eq!(palette.colors, three);
        let cube =
            (0..32 * 32 * 32u32).map(|k| [k % 32, k / 32 % 32, k / 1024].map(|c| (c * 8) as u8));
        let tally = Tally::new(cube);
        let palette = Palette::new(&tally);
        assert_eq!(palette.colors.len(), 255);
        let error = tally.error(&palette);
        assert!(error < 45.0, "{error}");
        // Control: a palette of other colours is far away.
        let grey = Palette::new(&Tally::new((0..=255).map(|g| [g; 3])));
        assert!(tally.error(&grey) > 2.0 * error);
    }
}
