//! A seeded pseudorandom generator: SplitMix64 (Steele, Lea, Flood 2014). Implemented here because a
//! library's default generator may change, and stored seeds must give the same numbers.

/// Not for secrets.
#[derive(Debug, Clone)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    pub fn new(seed: u64) -> SplitMix64 {
        SplitMix64(seed)
    }

    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// 0 for a bound of 0. The bias is below `bound` / 2^64.
    pub fn next_below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next_u64()) * bound as u128) >> 64) as usize
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.next_below(last + 1);
            items.swap(last, other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_published_sequence() {
        // Rosetta Code, "Pseudo-random numbers/Splitmix64", seed 1234567.
        let mut random = SplitMix64::new(1_234_567);
        assert_eq!(random.next_u64(), 6_457_827_717_110_365_317);
        assert_eq!(random.next_u64(), 3_203_168_211_198_807_973);
        assert_eq!(random.next_u64(), 9_817_491_932_198_370_423);
    }

    #[test]
    fn below_reaches_everything_below_and_a_shuffle_keeps_every_item() {
        let mut random = SplitMix64::new(7);
        let mut seen = [0u32; 6];
        for _ in 0..6_000 {
            seen[random.next_below(6)] += 1;
        }
        assert!(seen.iter().all(|n| (850..1150).contains(n)), "{seen:?}");
        assert_eq!(random.next_below(0), 0);
        let mut items: Vec<u32> = (0..100).collect();
        SplitMix64::new(1).shuffle(&mut items);
        assert_ne!(items, (0..100).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<_>>());
    }
}
