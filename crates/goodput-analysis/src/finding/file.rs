//! Rules about file work: caches, verification, and properties of the place. `crate::file::cause` finds what
//! limits a copy.

mod caches;
mod counts;
mod place;

pub(super) use caches::{
    accepted_by_cache, cached, faster_than_wire, from_cache, server_cache, server_cache_unknown,
};
pub(super) use counts::{differs, not_durable, stamping, unexpected, unverified};
pub(super) use place::{compresses, encrypted, in_memory, not_direct, signed};

use goodput_model::file::FileWay;
use goodput_model::file::FileWork;
use goodput_model::summary::{FileSummary, Summary};
use goodput_model::{Arg, File, Probe, Trial};
use goodput_words::message_argument::fixed;

pub const STAMPING_PERCENT: f64 = 1.0;
/// With more of the file in a cache a read is not cold. A page or two may return by itself.
pub const RESIDENT_PERCENT: f64 = 1.0;

fn work<'a>(trial: &'a Trial, summary: &'a Summary) -> Option<(&'a File, &'a FileSummary)> {
    match &trial.probe {
        Probe::File(settings) => Some((settings, summary.file()?)),
        _ => None,
    }
}

fn way(work: &FileWork) -> Option<FileWay> {
    match work {
        FileWork::Copy { way, .. } | FileWork::Row { way, .. } => Some(*way),
        FileWork::Prepare { .. } | FileWork::Mix { .. } | FileWork::Remove => None,
    }
}

/// Decimal: `115.2 MB/s`.
fn megabytes(bps: u64) -> Arg {
    fixed(bps as f64 / 8e6, 1, "MB/s")
}
