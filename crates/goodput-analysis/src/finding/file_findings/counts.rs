//! Rules about counts, verification and durability of file work.

use super::{MAX_BLOCK_STAMPING_TIME_PERCENT, way, work};
use crate::finding::Hit;
use goodput_model::Trial;
use goodput_model::file::{FileDirection, FileOpClass, FileWorkload, FlushMode, VerifyMode};
use goodput_model::summary::TrialSummary;
use goodput_words::message;
use goodput_words::message_argument::{exact_bytes_arg, percent_arg};

const MAX_NAMED_FILES: usize = 3;

pub(in crate::finding) fn check_unverified_data(trial: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    let Some((settings, file)) = work(trial, summary) else { return Vec::new() };
    let hit = |v: goodput_model::file::VerificationCounts| {
        Hit::new(
            message!(rule_file_data_differs_text { wrong: v.wrong, bytes: exact_bytes_arg(v.bytes) }),
            [
                format!("file.verified.wrong = {}", v.wrong),
                format!("verify = {}", if settings.verify == VerifyMode::Full { "full" } else { "sample" }),
            ],
        )
    };
    file.verified.filter(|v| v.wrong > 0).map(hit).into_iter().collect()
}

/// Operations of a row times its block must be its bytes, and its latencies as many as its operations.
pub(in crate::finding) fn check_operation_counts(trial: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    let Some((settings, file)) = work(trial, summary) else { return Vec::new() };
    let FileWorkload::Row { block, .. } = &settings.work else { return Vec::new() };
    let mut hits = Vec::new();
    // A flush at the end of the window is an operation, and moves no block.
    let blocks = file.classes.iter().filter(|c| matches!(c.class, FileOpClass::Read | FileOpClass::Write));
    let operations = blocks.fold(0u64, |sum, c| sum.saturating_add(c.count));
    let sum = i128::from(operations).saturating_mul(i128::from(block.0));
    let counted = summary.bytes.unwrap_or(0);
    if sum != i128::from(counted) {
        hits.push(Hit::new(
            message!(rule_file_counts_differ_text {
                operations,
                block: exact_bytes_arg(block.0),
                bytes: exact_bytes_arg(sum),
                counted: exact_bytes_arg(counted),
            }),
            [format!("bytes = {counted}")],
        ));
    }
    for class in &file.classes {
        if let Some(latency) = class.latency_ns.filter(|l| l.count != class.count) {
            hits.push(Hit::new(
                message!(rule_file_counts_differ_text_2 {
                    operations: class.count,
                    class: class.class.name(),
                    latencies: latency.count,
                }),
                [format!("latency_ns.count = {}", latency.count)],
            ));
        }
    }
    hits
}

pub(in crate::finding) fn check_unexpected_operation_results(
    trial: &Trial,
    summary: &TrialSummary,
) -> Vec<Hit> {
    let Some((_, file)) = work(trial, summary) else { return Vec::new() };
    let (unexpected, all) = (
        file.unexpected_status_count(),
        file.classes.iter().fold(0u64, |sum, c| sum.saturating_add(c.count)),
    );
    if unexpected == 0 {
        return Vec::new();
    }
    let told: Vec<&str> = file.surprises.iter().take(MAX_NAMED_FILES).map(String::as_str).collect();
    let count = unexpected;
    let text = if told.is_empty() {
        message!(rule_unexpected_operations_text { count, all })
    } else {
        message!(rule_unexpected_operations_text_2 { count, all, example: told.join("; ") })
    };
    let evidence = file.classes.iter().filter(|c| c.unexpected > 0);
    let evidence = evidence.map(|c| format!("{} = {}", c.class.name(), c.unexpected));
    vec![Hit::new(text, evidence)]
}

pub(in crate::finding) fn check_block_stamping_time(trial: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    let Some((_, file)) = work(trial, summary) else { return Vec::new() };
    let hit = |share: f64| {
        Hit::new(
            message!(rule_stamping_cost_text { percent: percent_arg(share) }),
            [format!("file.stamping_percent = {share:.2}")],
        )
    };
    file.stamping_percent.filter(|p| *p > MAX_BLOCK_STAMPING_TIME_PERCENT).map(hit).into_iter().collect()
}

pub(in crate::finding) fn check_unflushed_writes(trial: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    let Some((settings, _)) = work(trial, summary) else { return Vec::new() };
    let hit = || Hit::new(message!(rule_not_durable_text), ["flush = none".to_string()]);
    let writes = way(&settings.work) == Some(FileDirection::Write);
    (settings.flush == FlushMode::None && writes).then(hit).into_iter().collect()
}
