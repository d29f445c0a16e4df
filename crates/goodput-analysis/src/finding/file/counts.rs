//! What was counted, compared and asked to be durable.

use super::{STAMPING_PERCENT, way, work};
use crate::finding::Hit;
use goodput_model::Trial;
use goodput_model::file::{FileWay, FileWork, Flush, OpClass, Verify};
use goodput_model::summary::Summary;

/// Surprises told in a finding.
const TOLD: usize = 3;

/// What was read back was not what had been written.
pub(in crate::finding) fn unverified(trial: &Trial, summary: &Summary) -> Vec<Hit> {
    let Some((settings, file)) = work(trial, summary) else { return Vec::new() };
    let hit = |v: goodput_model::file::Verified| {
        Hit::new(
            format!("{} blocks were not what had been written, in {} B that were compared", v.wrong, v.bytes),
            [
                format!("file.verified.wrong = {}", v.wrong),
                format!("verify = {}", if settings.verify == Verify::Full { "full" } else { "sample" }),
            ],
        )
    };
    file.verified.filter(|v| v.wrong > 0).map(hit).into_iter().collect()
}

/// Operations of a row times its block must be its bytes, and its latencies as many as its operations.
pub(in crate::finding) fn differs(trial: &Trial, summary: &Summary) -> Vec<Hit> {
    let Some((settings, file)) = work(trial, summary) else { return Vec::new() };
    let FileWork::Row { block, .. } = &settings.work else { return Vec::new() };
    let mut hits = Vec::new();
    // A flush at the end of the window is an operation, and moves no block.
    let blocks = file.classes.iter().filter(|c| matches!(c.class, OpClass::Read | OpClass::Write));
    let operations = blocks.fold(0u64, |sum, c| sum.saturating_add(c.count));
    let bytes = u128::from(operations) * u128::from(block.0);
    let counted = summary.bytes.unwrap_or(0);
    if bytes != u128::from(counted) {
        hits.push(Hit::new(
            format!("{operations} operations of {} B are {bytes} B, {counted} B were counted", block.0),
            [format!("bytes = {counted}")],
        ));
    }
    for class in &file.classes {
        if let Some(latency) = class.latency_ns.filter(|l| l.count != class.count) {
            hits.push(Hit::new(
                format!(
                    "{} operations ({}) were completed, {} latencies were counted",
                    class.count,
                    class.class.name(),
                    latency.count
                ),
                [format!("latency_ns.count = {}", latency.count)],
            ));
        }
    }
    hits
}

/// Operations that ended otherwise than expected.
pub(in crate::finding) fn unexpected(trial: &Trial, summary: &Summary) -> Vec<Hit> {
    let Some((_, file)) = work(trial, summary) else { return Vec::new() };
    let (unexpected, all) =
        (file.unexpected(), file.classes.iter().fold(0u64, |sum, c| sum.saturating_add(c.count)));
    if unexpected == 0 {
        return Vec::new();
    }
    let told: Vec<&str> = file.surprises.iter().take(TOLD).map(String::as_str).collect();
    let words = if told.is_empty() { String::new() } else { format!(", for example {}", told.join("; ")) };
    let evidence = file.classes.iter().filter(|c| c.unexpected > 0);
    let evidence = evidence.map(|c| format!("{} = {}", c.class.name(), c.unexpected));
    vec![Hit::new(format!("{unexpected} of {all} operations ended otherwise than expected{words}"), evidence)]
}

/// Making up the data cost more than a hundredth of a CPU.
pub(in crate::finding) fn stamping(trial: &Trial, summary: &Summary) -> Vec<Hit> {
    let Some((_, file)) = work(trial, summary) else { return Vec::new() };
    let hit = |percent: f64| {
        Hit::new(
            format!("making up the data cost {percent:.1} % of one CPU, which is in the client's figure"),
            [format!("file.stamping_percent = {percent:.2}")],
        )
    };
    file.stamping_percent.filter(|p| *p > STAMPING_PERCENT).map(hit).into_iter().collect()
}

/// Writes that nobody asked to be made durable.
pub(in crate::finding) fn not_durable(trial: &Trial, summary: &Summary) -> Vec<Hit> {
    let Some((settings, _)) = work(trial, summary) else { return Vec::new() };
    let hit = || {
        Hit::new(
            "what was written was never asked to be durable: how fast a disk takes it is not in this rate",
            ["flush = none".to_string()],
        )
    };
    let writes = way(&settings.work) == Some(FileWay::Write);
    (settings.flush == Flush::None && writes).then(hit).into_iter().collect()
}
