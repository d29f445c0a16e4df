//! Rules about work on files: what was not the network or not the disk that was meant, what was not compared or came out
//! wrong, and what the place does besides. What limits a copy is no finding of one trial: `crate::file::cause`.

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
use goodput_words::quantity::fixed;

/// CPU time of making up the data above this share of one CPU, in per cent, is worth naming.
pub const STAMPING_PERCENT: f64 = 1.0;
/// More of a file than this in a cache, in per cent, is no cold read. A page or two may come back by itself.
pub const RESIDENT_PERCENT: f64 = 1.0;

fn work<'a>(trial: &'a Trial, summary: &'a Summary) -> Option<(&'a File, &'a FileSummary)> {
    match &trial.probe {
        Probe::File(settings) => Some((settings, summary.file()?)),
        _ => None,
    }
}

/// Which way a copy or a row goes; a mix goes both.
fn way(work: &FileWork) -> Option<FileWay> {
    match work {
        FileWork::Copy { way, .. } | FileWork::Row { way, .. } => Some(*way),
        FileWork::Prepare { .. } | FileWork::Mix { .. } | FileWork::Remove => None,
    }
}

/// `115.2 MB/s`, decimal.
fn megabytes(bps: u64) -> Arg {
    fixed(bps as f64 / 8e6, 1, "MB/s")
}
