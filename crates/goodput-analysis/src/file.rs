//! The combined result of a file run: copies and rows over their repeats, mixes over their players, the split
//! of a load into disk, network and protocol, and what limits the copies. Methods and thresholds:
//! `docs/methods/file.md`.

pub mod cause;
mod copies;
mod mix;
mod observe;
pub mod place;
mod round_trip;
mod rows;
mod split;
mod spread;

use crate::finding::advice;
use goodput_model::file::FileWork;
use goodput_model::summary::{FileRun, FileSummary, Summary};
use goodput_model::{File, Finding, Message, Outcome, Probe, Severity};
use goodput_words::message;

#[derive(Clone, Copy)]
struct Measured<'a> {
    summary: &'a Summary,
    settings: &'a File,
    file: &'a FileSummary,
}

/// Trials of other probes, preparation and interrupted trials are skipped; `None` when none is left.
/// Deterministic.
pub fn of_run(summaries: &[&Summary]) -> Option<FileRun> {
    let trials: Vec<Measured<'_>> = summaries.iter().filter_map(|s| measured(s)).collect();
    if trials.is_empty() {
        return None;
    }
    let copies = copies::groups(&trials);
    let rows = rows::rows(&trials);
    let curves = mix::curves(&trials);
    Some(FileRun {
        verdicts: observe::verdicts(&copies),
        copies: copies.iter().map(copies::Group::copy).collect(),
        round_trips: round_trip::models(&rows),
        rows: rows.into_iter().map(|r| r.row).collect(),
        splits: split::splits(&curves),
        mixes: curves.into_iter().map(|c| c.curve).collect(),
        findings: broken(summaries),
    })
}

fn measured(summary: &Summary) -> Option<Measured<'_>> {
    match &summary.probe {
        Probe::File(settings) if settings.measures() && summary.outcome == Outcome::Complete => {
            Some(Measured { summary, settings, file: summary.file()? })
        }
        _ => None,
    }
}

fn broken(summaries: &[&Summary]) -> Vec<Finding> {
    let cause = |s: &&Summary| match (&s.probe, &s.outcome) {
        (Probe::File(f), Outcome::Partial { cause } | Outcome::Failed { cause }) if f.measures() => {
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
        evidence: all.iter().map(|(trial, cause)| format!("trial {trial}: {cause}")).collect(),
        try_next: advice("file-trials-left-out"),
    }]
}

/// The settings without what differs between the trials of one measurement.
fn alike(settings: &File) -> File {
    File { seed: 0, workspace: String::new(), ..settings.clone() }
}

/// In the order of the first trial of each group.
fn grouped<'a>(
    trials: &[Measured<'a>],
    wanted: impl Fn(&FileWork) -> bool,
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
