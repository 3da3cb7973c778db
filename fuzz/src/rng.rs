//! Random numbers that are the same everywhere: a case is its seed and its number, nothing else.

/// A small generator (splitmix64).
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// The generator of one case.
    pub fn new(seed: u64, case: u64) -> Self {
        let mut rng = Self(seed ^ 0x6A09_E667_F3BC_C908);
        rng.0 ^= rng.next().wrapping_add(case);
        rng.next();
        rng
    }
    /// 64 random bits.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
    /// A whole number below `n`; 0 if `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }
    /// Evenly from `low` to `high`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
    /// From `low` to `high`, evenly in the exponent.
    pub fn scale(&mut self, low: f64, high: f64) -> f64 {
        self.between(low.ln(), high.ln()).exp()
    }
    /// True with this probability.
    pub fn chance(&mut self, p: f64) -> bool {
        self.between(0.0, 1.0) < p
    }
    /// One of several; the first if there is no choice.
    pub fn pick<'a, X>(&mut self, all: &'a [X]) -> Option<&'a X> {
        all.get(self.below(all.len()))
    }
    /// One of several words.
    pub fn word(&mut self, all: &[&'static str]) -> &'static str {
        self.pick(all).copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_in_range_and_differ_between_cases() {
        let (mut a, mut b) = (Rng::new(1, 2), Rng::new(1, 3));
        assert_ne!(a.next(), b.next());
        assert_eq!(Rng::new(7, 9).next(), Rng::new(7, 9).next());
        let mut seen = [0; 5];
        for _ in 0..1000 {
            seen[a.below(5)] += 1;
            assert!((2.0..3.0).contains(&a.between(2.0, 3.0)));
            assert!((1e-3..1e3).contains(&a.scale(1e-3, 1e3)));
        }
        assert!(seen.iter().all(|n| *n > 150), "{seen:?}");
        assert_eq!(a.below(0), 0);
    }
}
