//! File work: caches, verification, properties of the place. `crate::file::cause` finds what limits a copy.

mod caches;
mod counts;
mod storage;

pub(super) use caches::{
    check_faster_than_wire, check_files_in_cache, check_read_from_cache, check_server_cache_unknown,
    check_server_cache_warm, check_write_accepted_by_cache,
};
pub(super) use counts::{
    check_block_stamping_time, check_operation_counts, check_unexpected_operation_results,
    check_unflushed_writes, check_unverified_data,
};
pub(super) use storage::{
    check_compressing_file_system, check_memory_file_system, check_not_direct_io,
    check_smb_encryption_enabled, check_smb_signing_enabled,
};

use goodput_model::file::FileDirection;
use goodput_model::file::FileWorkload;
use goodput_model::summary::{FileSummary, TrialSummary};
use goodput_model::{File, MessageArg, Probe, Trial};
use goodput_words::message_argument::fixed_decimals_arg;

pub const MAX_BLOCK_STAMPING_TIME_PERCENT: f64 = 1.0;
/// With more of the file in a cache a read is not cold. A page or two may return by itself.
pub const MAX_CACHE_RESIDENT_PERCENT: f64 = 1.0;

fn work<'a>(trial: &'a Trial, summary: &'a TrialSummary) -> Option<(&'a File, &'a FileSummary)> {
    match &trial.probe {
        Probe::File(settings) => Some((settings, summary.file_summary()?)),
        _ => None,
    }
}

fn way(work: &FileWorkload) -> Option<FileDirection> {
    match work {
        FileWorkload::Copy { way, .. } | FileWorkload::Row { way, .. } => Some(*way),
        FileWorkload::Prepare { .. } | FileWorkload::Mix { .. } | FileWorkload::Remove => None,
    }
}

/// Decimal: `115.2 MB/s`.
fn megabytes(bps: u64) -> MessageArg {
    fixed_decimals_arg(bps as f64 / 8e6, 1, "MB/s")
}
