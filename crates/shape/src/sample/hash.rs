//! Random numbers that are a function of where they are used.

/// The finaliser of SplitMix64: a bijection in which every bit of the input stirs every bit.
fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A hash of a seed and some whole numbers.
pub(crate) fn hash(seed: u64, key: &[i64]) -> u64 {
    const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
    key.iter().fold(mix(seed.wrapping_add(GOLDEN)), |h, &k| {
        mix(h.wrapping_mul(3).wrapping_add(GOLDEN) ^ mix((k as u64).wrapping_add(GOLDEN)))
    })
}

/// The top 53 bits as a number in [0, 1).
pub(crate) fn unit(h: u64) -> f64 {
    (h >> 11) as f64 / (1u64 << 53) as f64
}

/// A sequence of them.
pub(crate) struct Sequence {
    seed: u64,
    count: i64,
}

impl Sequence {
    pub(crate) fn new(seed: u64) -> Self {
        Self { seed, count: 0 }
    }
    /// The next hash.
    pub(crate) fn bits(&mut self) -> u64 {
        self.count += 1;
        hash(self.seed, &[self.count])
    }
    /// The next number in [0, 1).
    pub(crate) fn next(&mut self) -> f64 {
        unit(self.bits())
    }
}

#[cfg(test)]
mod tests {
    use super::{Sequence, hash, unit};

    #[test]
    fn even_and_uncorrelated() {
        let n = 100_000;
        let x: Vec<f64> = (0..n).map(|i| unit(hash(7, &[i, -i, 3]))).collect();
        let mean = x.iter().sum::<f64>() / n as f64;
        let next = x.windows(2).map(|w| (w[0] - 0.5) * (w[1] - 0.5));
        let correlation = 12.0 * next.sum::<f64>() / n as f64;
        assert!((mean - 0.5).abs() < 0.005, "{mean}");
        assert!(correlation.abs() < 0.02, "{correlation}");
    }

    #[test]
    fn order_of_keys_matters() {
        assert_ne!(hash(1, &[2, 3]), hash(1, &[3, 2]));
        assert_ne!(hash(1, &[2]), hash(2, &[1]));
        let mut s = Sequence::new(5);
        assert_ne!(s.next(), s.next());
    }
}
