//! A file run in the terminal: limits of copies, tables, and merged findings.

use super::benchmark_tables::{drive_benchmark_table, latency_table, round_trip_table};
use super::copy_tables::copies_table;
use super::limit_verdict::limiting_resource_table;
use super::mix_tables::{mix_results_table, operation_classes_table, time_breakdown_table};
use crate::escape::escape_for_terminal;
use crate::probe::load::run_section::combine_findings_of_load_points;
use crate::table::Table;
use crate::text::block::TextBlocks;
use crate::wording::format_limit;
use goodput_model::summary::{FileRun, TrialSummary};
use goodput_model::{Arg, Finding, Message, Probe};
use goodput_words::message;

pub(crate) fn append_run_text(out: &mut TextBlocks, run: &FileRun, trials: &[&TrialSummary]) {
    for (sentence, try_next) in summary_sentences(run, trials) {
        out.add_text(&format!("{}\n", escape_for_terminal(&sentence)));
        if !try_next.is_empty() {
            out.add_text(&format!("  try: {}\n", escape_for_terminal(&try_next)));
        }
    }
    for table in run_tables(run, trials) {
        out.add_table(table);
    }
    let told = merge_findings(run, trials);
    if !told.is_empty() {
        out.add_findings(told);
    }
}

pub(crate) fn summary_sentences(run: &FileRun, trials: &[&TrialSummary]) -> Vec<(String, String)> {
    let mut out: Vec<(String, String)> =
        run.verdicts.iter().map(|v| (super::format_limiting_resource(v), v.try_next.clone())).collect();
    let others = super::format_run_summary(run).into_iter().skip(run.verdicts.len());
    out.extend(others.map(|sentence| (sentence, String::new())));
    let mut limits: Vec<u64> = Vec::new();
    for summary in trials {
        if let Some(bps) = summary.limit.goodput_bps.filter(|bps| !limits.contains(bps)) {
            limits.push(bps);
            out.push((format_limit(summary), String::new()));
        }
    }
    out
}

pub(crate) fn run_tables(run: &FileRun, trials: &[&TrialSummary]) -> Vec<Table> {
    let mut all = vec![
        copies_table(&run.copies),
        limiting_resource_table(&run.verdicts),
        drive_benchmark_table(&run.rows),
        latency_table(&run.rows),
        round_trip_table(&run.round_trips),
    ];
    for curve in &run.mixes {
        all.push(mix_results_table(curve));
        let last = curve.points.last().and_then(|p| p.trials.first());
        let trial = trials.iter().find(|s| Some(&s.trial) == last).and_then(|s| s.file_summary());
        all.extend(trial.map(|found| {
            let table = operation_classes_table(found);
            let players = curve.points.last().map_or(0, |p| p.players);
            Table {
                title: format!(
                    "{} of {} at {}, {}",
                    table.title,
                    curve.load,
                    curve.place,
                    super::format_player_count(players)
                ),
                ..table
            }
        }));
    }
    all.push(time_breakdown_table(&run.splits));
    all.into_iter().filter(|t| !t.rows.is_empty()).collect()
}

pub(crate) fn merge_findings(run: &FileRun, trials: &[&TrialSummary]) -> Vec<Finding> {
    let mut rules: Vec<(Finding, Vec<(String, Message)>)> = Vec::new();
    let of_files = trials.iter().filter_map(|s| match &s.probe {
        Probe::File(settings) => Some((*s, super::trial_name(settings))),
        _ => None,
    });
    for (summary, name) in of_files {
        let at = goodput_analysis::file::location::summary_location(summary).unwrap_or_default();
        for finding in &summary.findings {
            let place = (format!("{name} at {at}"), finding.text.clone());
            match rules.iter_mut().find(|(first, _)| first.id == finding.id) {
                Some((_, places)) => places.push(place),
                None => rules.push((finding.clone(), vec![place])),
            }
        }
    }
    let told = rules.into_iter().map(|(first, mut places)| {
        // Groups repeats of one measurement, which count as one kind.
        places.sort_by(|(a, one), (b, other)| (a, one.as_str()).cmp(&(b, other.as_str())));
        combine_findings_of_load_points(first, &places, kinds(trials), at_trials)
    });
    run.findings.iter().cloned().chain(told).collect()
}

fn at_trials(names: Arg, count: usize, all: Arg, finding: Message) -> Message {
    message!(finding_at_trials { count, all, names, finding })
}

fn kinds(trials: &[&TrialSummary]) -> usize {
    let mut names: Vec<String> = trials
        .iter()
        .filter_map(|s| match &s.probe {
            Probe::File(f) => Some(format!("{} {:?}", super::trial_name(f), f.place)),
            _ => None,
        })
        .collect();
    names.sort();
    names.dedup();
    names.len()
}
