//! The combined result of a file run: copies and rows over their repeats, mixes over their players, the split
//! of a load into disk, network and protocol, and what limits the copies. Methods and thresholds:
//! `docs/methods/file.md`.

mod copies;
pub mod limiting_resource;
pub mod location;
mod mix;
mod observe;
mod round_trip;
mod rows;
mod split;
mod spread;

use crate::finding::advice_for_finding;
use goodput_model::file::FileWorkload;
use goodput_model::summary::{FileRunSummary, FileSummary, TrialSummary};
use goodput_model::{File, Finding, Message, Probe, Severity, TrialOutcome};
use goodput_words::message;

#[derive(Clone, Copy)]
struct Measured<'a> {
    summary: &'a TrialSummary,
    settings: &'a File,
    file: &'a FileSummary,
}

/// Trials of other probes and of diagnoses, preparation and interrupted trials are skipped; `None` when none is left.
/// Deterministic.
pub fn summarize_file_run(summaries: &[&TrialSummary]) -> Option<FileRunSummary> {
    let trials: Vec<Measured<'_>> = summaries.iter().filter_map(|s| measured(s)).collect();
    if trials.is_empty() {
        return None;
    }
    let copies = copies::group_copies(&trials);
    let rows = rows::group_trials_by_benchmark(&trials);
    let curves = mix::build_workload_mix_curves(&trials);
    Some(FileRunSummary {
        verdicts: observe::limiting_resource_verdicts(&copies),
        copies: copies.iter().map(copies::CopyGroup::summarize_copy).collect(),
        round_trips: round_trip::fit_round_trip_models(&rows),
        rows: rows.into_iter().map(|r| r.row).collect(),
        splits: split::operation_time_breakdowns(&curves),
        mixes: curves.into_iter().map(|c| c.curve).collect(),
        findings: broken(summaries),
    })
}

fn measured(summary: &TrialSummary) -> Option<Measured<'_>> {
    match &summary.probe {
        Probe::File(settings)
            if settings.is_measured_workload()
                && settings.intervention.is_none()
                && summary.outcome == TrialOutcome::Complete =>
        {
            Some(Measured { summary, settings, file: summary.file_summary()? })
        }
        _ => None,
    }
}

fn broken(summaries: &[&TrialSummary]) -> Vec<Finding> {
    let cause = |s: &&TrialSummary| match (&s.probe, &s.outcome) {
        (Probe::File(f), TrialOutcome::Partial { cause } | TrialOutcome::Failed { cause })
            if f.is_measured_workload() =>
        {
            Some((s.trial, cause.trim_end_matches('.').to_string()))
        }
        _ => None,
    };
    let all: Vec<_> = summaries.iter().filter_map(cause).collect();
    let Some((_, first)) = all.first() else { return Vec::new() };
    vec![Finding {
        id: "file-trials-left-out".to_string(),
        severity: Severity::Warning,
        text: message!(rule_file_trials_left_out_text {
            count: all.len(),
            cause: Message::from(first.as_str())
        }),
        evidence: all.iter().map(|(trial, cause)| format!("trial {trial}: {cause}").into()).collect(),
        try_next: advice_for_finding("file-trials-left-out"),
    }]
}

/// The settings without what differs between the trials of one measurement.
fn alike(settings: &File) -> File {
    File { seed: 0, workspace: String::new(), ..settings.clone() }
}

/// In the order of the first trial of each group.
fn grouped<'a>(
    trials: &[Measured<'a>],
    wanted: impl Fn(&FileWorkload) -> bool,
) -> Vec<(File, Vec<Measured<'a>>)> {
    let mut groups: Vec<(File, Vec<Measured<'a>>)> = Vec::new();
    for trial in trials.iter().filter(|t| wanted(&t.settings.work)) {
        let settings = alike(trial.settings);
        match groups.iter_mut().find(|(known, _)| *known == settings) {
            Some((_, group)) => group.push(*trial),
            None => groups.push((settings, vec![*trial])),
        }
    }
    groups
}
