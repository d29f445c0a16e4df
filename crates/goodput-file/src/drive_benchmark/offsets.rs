//! Offsets of a row's operations. Pure: the order depends on the seed.

use super::Shape;
use crate::data::SplitMix64;
use goodput_model::file::FileAccessPattern;
use std::sync::atomic::{AtomicU64, Ordering};

pub(super) enum OffsetGenerator<'a> {
    /// Sequential over all threads, restarting at the end (DiskSpd's `-si`).
    Sequential {
        next: &'a AtomicU64,
        blocks: u64,
        block: u64,
    },
    Random {
        random: SplitMix64,
        blocks: u64,
        block: u64,
    },
}

impl<'a> OffsetGenerator<'a> {
    /// Threads and clients get different sequences from one seed.
    pub fn new(
        shape: &Shape,
        next: &'a AtomicU64,
        seed: u64,
        client: u16,
        thread: usize,
    ) -> OffsetGenerator<'a> {
        let (blocks, block) = (shape.blocks(), shape.block as u64);
        match shape.pattern {
            FileAccessPattern::Sequential => OffsetGenerator::Sequential { next, blocks, block },
            FileAccessPattern::Random => {
                let mut mixed = SplitMix64::new(seed ^ (u64::from(client) << 48) ^ ((thread as u64) << 32));
                OffsetGenerator::Random { random: SplitMix64::new(mixed.next_u64()), blocks, block }
            }
        }
    }

    #[inline(always)]
    pub fn next_offset(&mut self) -> u64 {
        match self {
            OffsetGenerator::Sequential { next, blocks, block } => {
                next.fetch_add(1, Ordering::Relaxed) % *blocks * *block
            }
            OffsetGenerator::Random { random, blocks, block } => random.next_u64_below(*blocks) * *block,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_model::Nanos;
    use goodput_model::file::FileDirection;

    fn shape(pattern: FileAccessPattern, blocks: u64) -> Shape {
        // A partial last block is never accessed.
        let (way, size, time) = (FileDirection::Read, blocks * 4096 + 4095, Nanos(1));
        Shape { way, pattern, block: 4096, queue: 1, threads: 2, size, time }
    }

    #[test]
    fn sequential_offsets_wrap_and_threads_share_them() {
        let (shape, next) = (shape(FileAccessPattern::Sequential, 5), AtomicU64::new(0));
        let [mut one, mut other] = [0, 1].map(|thread| OffsetGenerator::new(&shape, &next, 1, 0, thread));
        let taken = (0..6).flat_map(|_| [one.next_offset() / 4096, other.next_offset() / 4096]);
        assert!(taken.eq([0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1]));
    }

    #[test]
    fn random_offsets_are_uniform_and_come_from_the_seed() {
        let (shape, next) = (shape(FileAccessPattern::Random, 1000), AtomicU64::new(0));
        let take = |seed, client, thread| {
            let mut offsets = OffsetGenerator::new(&shape, &next, seed, client, thread);
            (0..100_000).map(|_| offsets.next_offset()).collect::<Vec<u64>>()
        };
        let taken = take(1, 0, 0);
        assert_eq!(taken, take(1, 0, 0));
        assert!(taken != take(2, 0, 0) && taken != take(1, 1, 0) && taken != take(1, 0, 1));
        let mut counts = vec![0u32; 1000];
        for offset in &taken {
            assert_eq!(offset % 4096, 0);
            counts[(offset / 4096) as usize] += 1;
        }
        let chi: f64 = counts.iter().map(|c| (f64::from(*c) - 100.0).powi(2) / 100.0).sum();
        // Chi-squared, 999 degrees of freedom: exceeded once in a thousand; the seed is fixed.
        assert!(chi < 1142.8, "{chi}");
    }
}
