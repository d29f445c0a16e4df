//! Rows of a drive mark with equal settings put together.

use super::spread::{self, Better};
use super::{Measured, grouped, place};
use goodput_model::file::FileWork;
use goodput_model::summary::FileRow;

/// A row with the trials that it is of.
pub(super) struct Row<'a> {
    pub row: FileRow,
    pub trials: Vec<Measured<'a>>,
}

/// All rows, in the order in which they were first measured.
pub(super) fn rows<'a>(trials: &[Measured<'a>]) -> Vec<Row<'a>> {
    let found = grouped(trials, |work| matches!(work, FileWork::Row { .. }));
    found.into_iter().filter_map(|(settings, trials)| row(&settings.work, trials)).collect()
}

fn row<'a>(work: &FileWork, trials: Vec<Measured<'a>>) -> Option<Row<'a>> {
    let FileWork::Row { name, way, pattern, block, queue, threads, .. } = work else { return None };
    let first = trials.first()?;
    let latency = |of: fn(&goodput_model::summary::LatencySummary) -> u64| {
        spread::of_all(&trials, Better::Less, |t| t.summary.latency_ns.map(|l| of(&l) as f64))
    };
    let row = FileRow {
        name: name.clone(),
        place: place::of(first.summary).unwrap_or_default(),
        way: *way,
        pattern: *pattern,
        block_bytes: block.0,
        queue: *queue,
        threads: *threads,
        trials: trials.iter().map(|t| t.summary.trial).collect(),
        rate_bps: spread::of_all(&trials, Better::More, |t| t.summary.goodput_bps.map(|b| b as f64))?,
        iops: spread::of_all(&trials, Better::More, |t| Some(t.file.operations_per_second))?,
        latency_p50_ns: latency(|l| l.p50),
        latency_p99_ns: latency(|l| l.p99),
        latency_mean_ns: latency(|l| l.mean),
    };
    Some(Row { row, trials })
}
