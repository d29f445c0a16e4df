//! Compares the content of a file with what was written, outside the measured window.

use crate::data::{DataGenerator, ExpectedGenerationNumber, SplitMix64};
use crate::{FileError, FileOpenOptions, IoQueue, IoRequest, RelPath, Share};
use goodput_model::file::{DATA_BLOCK_BYTES, MAX_SAMPLED_BLOCKS, VerificationCounts, VerifyMode};
use std::time::Duration;

/// Read size of a full comparison.
const PIECE: usize = 1 << 20;
const DEPTH: usize = 4;
const PATIENCE: Duration = Duration::from_secs(30);

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct BitSet(Vec<u64>);

impl BitSet {
    pub fn new(bits: u64) -> BitSet {
        BitSet(vec![0; bits.div_ceil(64) as usize])
    }

    #[inline(always)]
    pub fn set(&mut self, bit: u64) {
        if let Some(word) = self.0.get_mut((bit / 64) as usize) {
            *word |= 1 << (bit % 64);
        }
    }

    pub fn get(&self, bit: u64) -> bool {
        self.0.get((bit / 64) as usize).is_some_and(|word| word & (1 << (bit % 64)) != 0)
    }

    pub fn union_with(&mut self, other: &BitSet) {
        self.0.iter_mut().zip(&other.0).for_each(|(own, other)| *own |= other);
    }

    fn all_set(&self) -> Vec<u64> {
        (0..self.0.len() as u64 * 64).filter(|bit| self.get(*bit)).collect()
    }
}

pub(crate) enum ExpectedContent<'a> {
    Everywhere(ExpectedGenerationNumber),
    /// This generation where a row wrote, older ones elsewhere.
    Written {
        bits: &'a BitSet,
        block: u64,
        generation: u32,
    },
}

impl ExpectedContent<'_> {
    fn at(&self, offset: u64) -> ExpectedGenerationNumber {
        match self {
            ExpectedContent::Everywhere(wanted) => *wanted,
            ExpectedContent::Written { bits, block, generation } if bits.get(offset / block) => {
                ExpectedGenerationNumber::Exactly(*generation)
            }
            ExpectedContent::Written { .. } => ExpectedGenerationNumber::Any,
        }
    }
}

pub(crate) struct ContentComparison<'a> {
    pub data: &'a DataGenerator,
    pub size: u64,
    pub verify: VerifyMode,
    pub seed: u64,
    pub expected: ExpectedContent<'a>,
}

impl ContentComparison<'_> {
    fn pieces(&self) -> Vec<(u64, usize)> {
        match self.verify {
            VerifyMode::Off => Vec::new(),
            VerifyMode::Full => {
                (0..self.size.div_ceil(PIECE as u64)).map(|n| (n * PIECE as u64, PIECE)).collect()
            }
            VerifyMode::Sample => self.sample(),
        }
    }

    /// Random blocks, one in each equal part of the written range.
    fn sample(&self) -> Vec<(u64, usize)> {
        let mut random = SplitMix64::new(self.seed);
        let (all, unit) = match &self.expected {
            ExpectedContent::Written { bits, block, .. } => (bits.all_set(), *block),
            ExpectedContent::Everywhere(_) => (Vec::new(), DATA_BLOCK_BYTES as u64),
        };
        let (count, unit) = match all.len() as u64 {
            0 => (self.size.div_ceil(DATA_BLOCK_BYTES as u64), DATA_BLOCK_BYTES as u64),
            count => (count, unit),
        };
        let parts = count.min(MAX_SAMPLED_BLOCKS as u64);
        let mut pick = |part: u64| {
            let (from, to) = (part * count / parts, (part + 1) * count / parts);
            let place = from + random.next_u64_below((to - from).max(1));
            let bit = all.get(place as usize).copied().unwrap_or(place);
            (
                bit * unit
                    + random.next_u64_below((unit / DATA_BLOCK_BYTES as u64).max(1))
                        * DATA_BLOCK_BYTES as u64,
                DATA_BLOCK_BYTES,
            )
        };
        (0..parts).map(&mut pick).filter(|(offset, _)| *offset < self.size).collect()
    }
}

/// Reads a file back and compares it. `None` where nothing is to be compared.
pub(crate) fn compare_file(
    share: &dyn Share,
    path: &RelPath,
    direct: bool,
    comparison: &ContentComparison<'_>,
) -> Result<Option<VerificationCounts>, FileError> {
    let pieces = comparison.pieces();
    let Some(longest) = pieces.iter().map(|p| p.1).max() else { return Ok(None) };
    let handle = share.open(path, FileOpenOptions { direct, ..FileOpenOptions::EXISTING_FILE })?;
    // Cached data does not prove what is stored. Not every place can drop it.
    let _ = share.drop_cache(handle);
    let read = share
        .open_io_queue(handle, longest, DEPTH)
        .and_then(|mut lane| read_back(lane.as_mut(), &pieces, comparison));
    let closed = share.close(handle);
    read.and_then(|verified| closed.map(|()| Some(verified)))
}

fn read_back(
    lane: &mut dyn IoQueue,
    pieces: &[(u64, usize)],
    comparison: &ContentComparison<'_>,
) -> Result<VerificationCounts, FileError> {
    let mut found = VerificationCounts::default();
    let mut at = [(0, 0); DEPTH];
    let mut todo = pieces.iter().copied();
    let mut under_way = 0;
    let mut submit = |lane: &mut dyn IoQueue, slot: usize, at: &mut [(u64, usize); DEPTH]| {
        let Some((offset, length)) = todo.next() else { return Ok(0) };
        at[slot] = (offset, length);
        lane.submit(IoRequest { slot, offset, length, write: false }).map(|()| 1)
    };
    for slot in 0..DEPTH {
        under_way += submit(lane, slot, &mut at)?;
    }
    while under_way > 0 {
        let done = lane.wait_for_completion(PATIENCE)?;
        under_way -= 1;
        let (offset, length) = at[done.slot];
        let whole = (comparison.size - offset).min(length as u64) as usize;
        let moved = done.moved?.min(whole);
        let read = &lane.buffer(done.slot)[..moved];
        for (block, from) in read.chunks(DATA_BLOCK_BYTES).zip((offset..).step_by(DATA_BLOCK_BYTES)) {
            found.wrong += comparison.data.count_wrong_blocks(block, from, comparison.expected.at(from));
        }
        // A short file lacks blocks.
        found.wrong += (whole.div_ceil(DATA_BLOCK_BYTES) - moved.div_ceil(DATA_BLOCK_BYTES)) as u64;
        found.bytes += whole as u64;
        under_way += submit(lane, done.slot, &mut at)?;
    }
    Ok(found)
}

/// Blocks kept during the window and compared after it.
pub(crate) struct BlockSamples {
    from: Vec<(u64, usize)>,
    bytes: Vec<u8>,
    most: usize,
}

impl BlockSamples {
    pub fn new(most: usize) -> BlockSamples {
        let mut bytes = vec![0xff; most * DATA_BLOCK_BYTES];
        bytes.clear();
        BlockSamples { from: Vec::with_capacity(most), bytes, most }
    }

    /// True when another is due after `done` of `all` operations, for an even spread.
    #[inline(always)]
    pub fn is_sample_due(&self, done: u64, all: u64) -> bool {
        self.from.len() < self.most && self.from.len() as u64 * all.max(1) <= done * self.most as u64
    }

    /// Keeps the first block of a read at `offset`.
    pub fn add_sample(&mut self, read: &[u8], offset: u64) {
        let block = &read[..read.len().min(DATA_BLOCK_BYTES)];
        if self.from.len() < self.most {
            self.from.push((offset, block.len()));
            self.bytes.extend_from_slice(block);
        }
    }

    pub fn compare_samples(&self, data: &DataGenerator) -> VerificationCounts {
        let mut found = VerificationCounts::default();
        let mut rest = self.bytes.as_slice();
        for (offset, length) in &self.from {
            let (block, after) = rest.split_at(*length);
            found.wrong += data.count_wrong_blocks(block, *offset, ExpectedGenerationNumber::Any);
            found.bytes += *length as u64;
            rest = after;
        }
        found
    }
}

pub(crate) fn add_verification_counts(
    one: Option<VerificationCounts>,
    other: Option<VerificationCounts>,
) -> Option<VerificationCounts> {
    match (one, other) {
        (Some(a), Some(b)) => Some(VerificationCounts { bytes: a.bytes + b.bytes, wrong: a.wrong + b.wrong }),
        (one, other) => one.or(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::FakeShare;

    const SIZE: usize = 3 * PIECE + 5 * DATA_BLOCK_BYTES + 100;

    fn prepared() -> (DataGenerator, FakeShare) {
        let (data, fake) = (DataGenerator::new(".goodput-a"), FakeShare::default());
        let mut content = vec![0; SIZE];
        data.fill_buffer(&mut content, 0);
        data.stamp_blocks(&mut content, 0, 0, 3);
        fake.insert_file("test", content);
        (data, fake)
    }

    fn change(fake: &FakeShare, change: impl FnOnce(&mut Vec<u8>)) {
        let mut content = fake.file_content("test").unwrap();
        change(&mut content);
        fake.insert_file("test", content);
    }

    fn comparison(data: &DataGenerator, verify: VerifyMode) -> ContentComparison<'_> {
        let expected = ExpectedContent::Everywhere(ExpectedGenerationNumber::Exactly(3));
        ContentComparison { data, size: SIZE as u64, verify, seed: 1, expected }
    }

    /// Bytes compared, and wrong blocks.
    fn run(fake: &FakeShare, comparison: &ContentComparison<'_>) -> Option<(u64, u64)> {
        let found = compare_file(fake, &RelPath::parse("test").unwrap(), true, comparison).unwrap();
        assert_eq!(fake.open_handle_count(), 0);
        found.map(|found| (found.bytes, found.wrong))
    }

    #[test]
    fn one_flipped_byte_is_found() {
        let (data, fake) = prepared();
        let full = || run(&fake, &comparison(&data, VerifyMode::Full)).unwrap();
        assert_eq!(full(), (SIZE as u64, 0));
        for at in [0, PIECE - 1, 2 * PIECE + 77, SIZE - 1] {
            fake.flip_bit("test", at);
            assert_eq!(full().1, 1, "byte {at}");
            fake.flip_bit("test", at);
        }
        change(&fake, |content| content.truncate(3 * PIECE));
        assert_eq!(full().1, 6, "missing blocks are wrong blocks");
    }

    #[test]
    fn a_sample_is_spread_over_the_file() {
        let (data, fake) = prepared();
        let comparison = comparison(&data, VerifyMode::Sample);
        let pieces = comparison.pieces();
        assert_eq!(pieces.len(), MAX_SAMPLED_BLOCKS);
        assert!(pieces.windows(2).all(|w| w[0].0 < w[1].0));
        assert!(pieces[0].0 < PIECE as u64 && pieces[MAX_SAMPLED_BLOCKS - 1].0 > 3 * PIECE as u64);
        assert_eq!(run(&fake, &comparison).unwrap().1, 0);
        change(&fake, |content| content.iter_mut().for_each(|b| *b ^= 1));
        assert_eq!(run(&fake, &comparison).unwrap().1, MAX_SAMPLED_BLOCKS as u64);
        assert_eq!(run(&fake, &ContentComparison { verify: VerifyMode::Off, ..comparison }), None);
    }

    #[test]
    fn where_a_row_wrote_only_its_own_generation_is_right() {
        let (data, fake) = prepared();
        let block = 4 * DATA_BLOCK_BYTES as u64;
        let [mut bits, mut both] = [(); 2].map(|()| BitSet::new(SIZE as u64 / block));
        bits.set(2);
        both.set(3);
        both.union_with(&bits);
        let written = |bits| ContentComparison {
            expected: ExpectedContent::Written { bits, block, generation: 4 },
            ..comparison(&data, VerifyMode::Full)
        };
        let wrong = |bits| run(&fake, &written(bits)).unwrap().1;
        assert_eq!(wrong(&bits), 4, "a write that was lost");
        change(&fake, |content| {
            let place = &mut content[2 * block as usize..3 * block as usize];
            data.fill_buffer(place, 9);
            data.stamp_blocks(place, 9, 2 * block, 4);
        });
        assert_eq!((wrong(&bits), wrong(&both)), (0, 4));
        let sample = ContentComparison { verify: VerifyMode::Sample, ..written(&bits) };
        assert!(sample.pieces().iter().all(|(offset, _)| offset / block == 2));
    }

    #[test]
    fn what_was_kept_is_compared() {
        let (data, fake) = prepared();
        let content = fake.file_content("test").unwrap();
        let mut kept = BlockSamples::new(4);
        for (n, read) in (0..100).zip(content.chunks(2 * DATA_BLOCK_BYTES)) {
            if kept.is_sample_due(n, 100) {
                kept.add_sample(read, n * 2 * DATA_BLOCK_BYTES as u64);
            }
        }
        let blocks = kept.from.iter().map(|f| f.0 / (2 * DATA_BLOCK_BYTES) as u64);
        assert!(blocks.eq([0, 25, 50, 75]));
        let all = VerificationCounts { bytes: 4 * DATA_BLOCK_BYTES as u64, wrong: 0 };
        assert_eq!(kept.compare_samples(&data), all);
        kept.bytes[2 * DATA_BLOCK_BYTES + 50] ^= 1;
        assert_eq!(kept.compare_samples(&data).wrong, 1);
    }
}
