//! Written data: incompressible, with a stamp in every 4 KiB that reveals misplaced, stale or corrupt blocks.
//! Buffers are filled from a ring of random bytes before the window; each write renews only the stamps. So no
//! two blocks are equal (nothing to deduplicate), at a cost of 16 bytes per block.
//!
//! A stamp, big-endian: workspace u32, generation u32, then 54 bits of block number in the file and 10 bits
//! of block number in the ring.

use crate::{Lane, clock};

pub(crate) const BLOCK: usize = 4096;
pub(crate) const STAMP: usize = 16;
const RING_BLOCKS: usize = 1024;
const CALIBRATION: usize = 64 << 20;

pub(crate) struct Data {
    workspace: u32,
    ring: Box<[u8]>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RequestedData {
    Exactly(u32),
    Any,
}

/// SplitMix64 (Steele, Lea and Flood 2014): every 64-bit value occurs once per period.
#[derive(Debug, Clone)]
pub(crate) struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    #[inline(always)]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Below `limit`; the bias is below `limit` / 2^64.
    #[inline(always)]
    pub fn below(&mut self, limit: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(limit)) >> 64) as u64
    }
}

impl Data {
    pub fn new(workspace: &str) -> Data {
        // FNV-1a: must only distinguish UUIDs.
        let hash = workspace
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3));
        let mut random = Random::new(hash);
        let words = (0..RING_BLOCKS * BLOCK / 8).flat_map(|_| random.next().to_le_bytes());
        Data { workspace: (hash ^ (hash >> 32)) as u32, ring: words.collect() }
    }

    pub fn fill(&self, buffer: &mut [u8], first: usize) {
        for (i, piece) in buffer.chunks_mut(BLOCK).enumerate() {
            let from = (first + i) % RING_BLOCKS * BLOCK;
            piece.copy_from_slice(&self.ring[from..from + piece.len()]);
        }
    }

    /// Stamps a buffer that was filled from block `first`, for a write at `offset`, a multiple of [`BLOCK`].
    #[inline]
    pub fn stamp(&self, buffer: &mut [u8], first: usize, offset: u64, generation: u32) {
        let head = (u64::from(self.workspace) << 32 | u64::from(generation)).to_be_bytes();
        for (number, piece) in (0..).zip(buffer.chunks_mut(BLOCK)) {
            let stamp = stamp(head, offset / BLOCK as u64 + number, (first + number as usize) % RING_BLOCKS);
            let len = piece.len().min(STAMP);
            piece[..len].copy_from_slice(&stamp[..len]);
        }
    }

    /// Counts wrong blocks in data read at `offset`, a multiple of [`BLOCK`].
    pub fn wrong(&self, piece: &[u8], offset: u64, wanted: RequestedData) -> u64 {
        let numbers = offset / BLOCK as u64..;
        piece
            .chunks(BLOCK)
            .zip(numbers)
            .filter(|(block, number)| !self.is_sound(block, *number, wanted))
            .count() as u64
    }

    /// The last block of a file may be short.
    fn is_sound(&self, block: &[u8], number: u64, wanted: RequestedData) -> bool {
        let mut found = [0; STAMP];
        let len = block.len().min(STAMP);
        found[..len].copy_from_slice(&block[..len]);
        let word = |from: usize| {
            u32::from_be_bytes([found[from], found[from + 1], found[from + 2], found[from + 3]])
        };
        let generation = match wanted {
            RequestedData::Exactly(generation) => generation,
            RequestedData::Any => word(4),
        };
        let body = (u64::from(word(8)) << 32 | u64::from(word(12))) as usize % RING_BLOCKS;
        let head = (u64::from(self.workspace) << 32 | u64::from(generation)).to_be_bytes();
        let expected = stamp(head, number, body);
        if len < STAMP {
            // Too short to contain the ring's block number.
            return block[..len.min(8)] == expected[..len.min(8)];
        }
        found == expected && block[STAMP..] == self.ring[body * BLOCK + STAMP..body * BLOCK + block.len()]
    }

    pub fn fill_lane(&self, lane: &mut dyn Lane, length: usize, depth: usize) {
        (0..depth).for_each(|slot| self.fill(&mut lane.buffer(slot)[..length], first(slot, length)));
    }

    #[inline(always)]
    pub fn stamp_slot(
        &self,
        lane: &mut dyn Lane,
        slot: usize,
        length: usize,
        used: usize,
        offset: u64,
        generation: u32,
    ) {
        self.stamp(&mut lane.buffer(slot)[..used], first(slot, length), offset, generation);
    }

    /// Measures the CPU time of stamping one buffer, in nanoseconds.
    pub fn stamping_ns(&self, lane: &mut dyn Lane, length: usize, depth: usize) -> f64 {
        let rounds = (CALIBRATION / (length.max(1) * depth.max(1))).max(1);
        let begun = clock::thread_cpu_ns();
        for round in 0..rounds {
            for slot in 0..depth {
                self.stamp_slot(lane, slot, length, length, (round * BLOCK) as u64, 0);
            }
        }
        (clock::thread_cpu_ns() - begun) as f64 / (rounds * depth.max(1)) as f64
    }
}

fn first(slot: usize, length: usize) -> usize {
    slot * length.div_ceil(BLOCK)
}

#[inline(always)]
fn stamp(head: [u8; 8], number: u64, body: usize) -> [u8; STAMP] {
    let mut stamp = [0; STAMP];
    stamp[..8].copy_from_slice(&head);
    stamp[8..].copy_from_slice(&(number << 10 | body as u64).to_be_bytes());
    stamp
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(data: &Data, len: usize, first: usize, offset: u64, generation: u32) -> Vec<u8> {
        let mut buffer = vec![0; len];
        data.fill(&mut buffer, first);
        data.stamp(&mut buffer, first, offset, generation);
        buffer
    }

    #[test]
    fn what_was_written_is_recognised_and_nothing_else() {
        let data = Data::new(".goodput-a");
        let offset = 7 * BLOCK as u64;
        let sound = written(&data, 3 * BLOCK + 100, 1023, offset, 9);
        assert_eq!(data.wrong(&sound, offset, RequestedData::Exactly(9)), 0);
        assert_eq!(data.wrong(&sound, offset, RequestedData::Any), 0);
        assert_eq!(data.wrong(&sound, offset, RequestedData::Exactly(8)), 4, "an older write");
        assert_eq!(data.wrong(&sound, offset + BLOCK as u64, RequestedData::Any), 4, "another place");
        assert_eq!(Data::new(".goodput-b").wrong(&sound, offset, RequestedData::Any), 4, "another workspace");
        assert_eq!(data.wrong(&vec![0; 2 * BLOCK], offset, RequestedData::Any), 2, "a hole");
    }

    #[test]
    fn every_flipped_byte_is_found() {
        let data = Data::new(".goodput-a");
        let sound = written(&data, BLOCK, 5, 0, 1);
        for at in 0..BLOCK {
            let mut broken = sound.clone();
            broken[at] ^= 0x10;
            assert_eq!(data.wrong(&broken, 0, RequestedData::Exactly(1)), 1, "byte {at}");
        }
        for short in [1, 7, 15, 16, 17, 4095] {
            let mut block = sound[..short].to_vec();
            assert_eq!(data.wrong(&block, 0, RequestedData::Exactly(1)), 0, "{short} bytes");
            block[0] ^= 1;
            assert_eq!(data.wrong(&block, 0, RequestedData::Exactly(1)), 1, "{short} bytes");
        }
    }

    #[test]
    fn no_two_blocks_are_alike_and_none_can_be_compressed() {
        let data = Data::new(".goodput-a");
        let piece = written(&data, 8 << 20, 0, 0, 1);
        let blocks: std::collections::HashSet<&[u8]> = piece.chunks(BLOCK).collect();
        assert_eq!(blocks.len(), (8 << 20) / BLOCK);
        let mut counts = [0u32; 256];
        data.ring.iter().for_each(|b| counts[usize::from(*b)] += 1);
        let mean = data.ring.len() as f64 / 256.0;
        let chi: f64 = counts.iter().map(|c| (f64::from(*c) - mean).powi(2) / mean).sum();
        // Chi-squared, 255 degrees of freedom: exceeded once in a thousand; the seed is fixed.
        assert!(chi < 330.5, "{chi}");
    }

    #[test]
    fn random_numbers_are_those_of_the_paper() {
        // First values for seed 1234567, from Vigna's reference implementation.
        let mut random = Random::new(1_234_567);
        assert_eq!(random.next(), 6_457_827_717_110_365_317);
        assert_eq!(random.next(), 3_203_168_211_198_807_973);
        assert!((0..1000).all(|_| random.below(3) < 3));
    }
}
