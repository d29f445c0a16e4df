//! Drive mark profiles: the rows of CrystalDiskMark versions. Data only; the command creates the trials.
//!
//! Sources: CrystalDiskMark's source from version 6 on and 2.2, with its DiskSpd options; for 3.x the run
//! length and sizes by reputation. Differences (`docs/methods/file.md`): reads end with the window, rows are
//! not mixed, and the command determines their order (`--order`).

use goodput_model::file::{FileAccessPattern, FileDirection, FileWorkload, FlushMode};
use goodput_model::{Bytes, Nanos};

const KIB: u64 = 1 << 10;
const MIB: u64 = 1 << 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BenchmarkWorkload {
    pub name: &'static str,
    pub pattern: FileAccessPattern,
    pub block: Bytes,
    pub queue: u16,
    pub threads: u16,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BenchmarkProfile {
    pub name: &'static str,
    pub title: &'static str,
    pub rows: &'static [BenchmarkWorkload],
    pub time: Nanos,
    /// Uncounted runs of each row and direction.
    pub uncounted: u16,
    pub flush: FlushMode,
    pub size: Bytes,
}

pub const DEFAULT_PROFILE: &str = "cdm8";

const fn row(
    name: &'static str,
    pattern: FileAccessPattern,
    block: u64,
    queue: u16,
    threads: u16,
) -> BenchmarkWorkload {
    BenchmarkWorkload { name, pattern, block: Bytes(block), queue, threads }
}

const SEQ: FileAccessPattern = FileAccessPattern::Sequential;
const RND: FileAccessPattern = FileAccessPattern::Random;

const DISKSPD: BenchmarkProfile = BenchmarkProfile {
    name: "",
    title: "",
    rows: &[],
    time: Nanos(5 * Nanos::SECOND.0),
    uncounted: 1,
    flush: FlushMode::None,
    size: Bytes(1024 * MIB),
};

pub const PROFILES: [BenchmarkProfile; 6] = [
    BenchmarkProfile {
        name: "cdm3",
        title: "CrystalDiskMark 3",
        rows: &[
            row("Seq", SEQ, MIB, 1, 1),
            row("512K", RND, 512 * KIB, 1, 1),
            row("4K", RND, 4 * KIB, 1, 1),
            row("4K QD32", RND, 4 * KIB, 32, 1),
        ],
        flush: FlushMode::Within,
        size: Bytes(1000 * MIB),
        ..DISKSPD
    },
    BenchmarkProfile {
        name: "cdm5",
        title: "CrystalDiskMark 4 and 5",
        rows: &[
            row("Seq Q32T1", SEQ, 128 * KIB, 32, 1),
            row("4K Q32T1", RND, 4 * KIB, 32, 1),
            row("Seq", SEQ, MIB, 1, 1),
            row("4K", RND, 4 * KIB, 1, 1),
        ],
        ..DISKSPD
    },
    BenchmarkProfile {
        name: "cdm6",
        title: "CrystalDiskMark 6",
        rows: &[
            row("Seq Q32T1", SEQ, 128 * KIB, 32, 1),
            row("4K Q8T8", RND, 4 * KIB, 8, 8),
            row("4K Q32T1", RND, 4 * KIB, 32, 1),
            row("4K Q1T1", RND, 4 * KIB, 1, 1),
        ],
        ..DISKSPD
    },
    BenchmarkProfile {
        name: "cdm7",
        title: "CrystalDiskMark 7",
        rows: &[
            row("SEQ1M Q8T1", SEQ, MIB, 8, 1),
            row("SEQ1M Q1T1", SEQ, MIB, 1, 1),
            row("RND4K Q32T16", RND, 4 * KIB, 32, 16),
            row("RND4K Q1T1", RND, 4 * KIB, 1, 1),
        ],
        ..DISKSPD
    },
    BenchmarkProfile {
        name: "cdm8",
        title: "CrystalDiskMark 8 and 9, default",
        rows: &[
            row("SEQ1M Q8T1", SEQ, MIB, 8, 1),
            row("SEQ1M Q1T1", SEQ, MIB, 1, 1),
            row("RND4K Q32T1", RND, 4 * KIB, 32, 1),
            row("RND4K Q1T1", RND, 4 * KIB, 1, 1),
        ],
        ..DISKSPD
    },
    BenchmarkProfile {
        name: "cdm8-nvme",
        title: "CrystalDiskMark 8 and 9, NVMe",
        rows: &[
            row("SEQ1M Q8T1", SEQ, MIB, 8, 1),
            row("SEQ128K Q32T1", SEQ, 128 * KIB, 32, 1),
            row("RND4K Q32T16", RND, 4 * KIB, 32, 16),
            row("RND4K Q1T1", RND, 4 * KIB, 1, 1),
        ],
        ..DISKSPD
    },
];

pub fn find_profile(name: &str) -> Option<&'static BenchmarkProfile> {
    PROFILES.iter().find(|p| p.name == name)
}

impl BenchmarkProfile {
    /// When data is flushed; reads write nothing.
    pub fn flush_mode(&self, way: FileDirection) -> FlushMode {
        match way {
            FileDirection::Read => FlushMode::None,
            FileDirection::Write => self.flush,
        }
    }

    pub fn build_file_workload(
        &self,
        row: &BenchmarkWorkload,
        way: FileDirection,
        size: Bytes,
    ) -> FileWorkload {
        FileWorkload::Row {
            name: row.name.to_string(),
            way,
            pattern: row.pattern,
            block: row.block,
            queue: row.queue,
            threads: row.threads,
            size,
            time: self.time,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_rows_can_be_run() {
        assert!(find_profile(DEFAULT_PROFILE).is_some());
        for (place, one) in PROFILES.iter().enumerate() {
            assert!(PROFILES[..place].iter().all(|p| p.name != one.name));
            assert_eq!((one.rows.len(), one.uncounted), (4, 1));
            for row in one.rows {
                assert!(row.queue > 0 && row.threads > 0 && row.block.0 % 4096 == 0, "{}", row.name);
                assert_eq!(one.size.0 % row.block.0, 0, "{}", row.name);
            }
        }
    }
}
