//! Groups rows of a drive mark with equal settings.

use super::spread::{self, PreferredDirection};
use super::{Measured, grouped, location};
use goodput_model::file::FileWorkload;
use goodput_model::summary::FileBenchmarkResult;

pub(super) struct BenchmarkResultWithTrials<'a> {
    pub row: FileBenchmarkResult,
    pub trials: Vec<Measured<'a>>,
}

/// The rows of each version of CrystalDiskMark in its own order.
const ORDERS: [&[&str]; 6] = [
    &["SEQ1M Q8T1", "SEQ1M Q1T1", "RND4K Q32T1", "RND4K Q1T1"],
    &["Seq", "512K", "4K", "4K QD32"],
    &["SEQ1M Q8T1", "SEQ128K Q32T1", "RND4K Q32T16", "RND4K Q1T1"],
    &["SEQ1M Q8T1", "SEQ1M Q1T1", "RND4K Q32T16", "RND4K Q1T1"],
    &["Seq Q32T1", "4K Q8T8", "4K Q32T1", "4K Q1T1"],
    &["Seq Q32T1", "4K Q32T1", "Seq", "4K"],
];

/// In the order of the version that has them all, else in that of measurement.
pub(super) fn group_trials_by_benchmark<'a>(trials: &[Measured<'a>]) -> Vec<BenchmarkResultWithTrials<'a>> {
    let found = grouped(trials, |work| matches!(work, FileWorkload::Row { .. }));
    let mut rows: Vec<BenchmarkResultWithTrials<'a>> =
        found.into_iter().filter_map(|(settings, trials)| row(&settings.work, trials)).collect();
    let has_all = |order: &&&[&str]| rows.iter().all(|r| order.contains(&r.row.name.as_str()));
    if let Some(order) = ORDERS.iter().find(has_all) {
        rows.sort_by_key(|r| order.iter().position(|name| *name == r.row.name));
    }
    rows
}

fn row<'a>(work: &FileWorkload, trials: Vec<Measured<'a>>) -> Option<BenchmarkResultWithTrials<'a>> {
    let FileWorkload::Row { name, way, pattern, block, queue, threads, .. } = work else { return None };
    let first = trials.first()?;
    let latency = |of: fn(&goodput_model::summary::LatencySummary) -> u64| {
        spread::summarize_trial_values(&trials, PreferredDirection::Less, |t| {
            t.summary.latency_summary().map(|l| of(&l) as f64)
        })
    };
    let row = FileBenchmarkResult {
        name: name.clone(),
        place: location::summary_location(first.summary).unwrap_or_default(),
        way: *way,
        pattern: *pattern,
        block_bytes: block.0,
        queue: *queue,
        threads: *threads,
        trials: trials.iter().map(|t| t.summary.trial).collect(),
        rate_bps: spread::summarize_trial_values(&trials, PreferredDirection::More, |t| {
            t.summary.goodput_bps.map(|b| b as f64)
        })?,
        iops: spread::summarize_trial_values(&trials, PreferredDirection::More, |t| {
            Some(t.file.operations_per_second)
        })?,
        latency_p50_ns: latency(|l| l.p50),
        latency_p99_ns: latency(|l| l.p99),
        latency_mean_ns: latency(|l| l.mean),
    };
    Some(BenchmarkResultWithTrials { row, trials })
}
