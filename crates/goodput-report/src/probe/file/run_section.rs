//! A file run in the terminal: limits of copies, tables, and merged findings.

use super::benchmark_tables::{disk_benchmark_table, latency_table, round_trip_table};
use super::copy_tables::copies_table;
use super::limit_verdict::limiting_resource_table;
use super::mix_tables::{operation_classes_table, time_breakdown_table, workload_mix_results_table};
use crate::grouping::group_by_key;
use crate::probe::load::run_section::{combine_findings_of_load_points, findings_by_rule};
use crate::table::Table;
use crate::text::text_block::TextBlockList;
use crate::wording::goodput_limit_sentence;
use goodput_analysis::file_results::location::{location_text, summary_location};
use goodput_model::summary::{FileRunSummary, TrialSummary};
use goodput_model::{Finding, Message, Probe};
use goodput_words::message;
use std::collections::BTreeSet;

pub(crate) fn append_run_text(out: &mut TextBlockList, run: &FileRunSummary, trials: &[&TrialSummary]) {
    for (sentence, try_next) in summary_sentences(run, trials) {
        out.add_message(&sentence);
        if !try_next.is_empty() {
            out.add_text("  ");
            out.add_message(&message!(report_file_try { advice: try_next }));
        }
    }
    for table in file_run_tables(run, trials) {
        out.add_table(table);
    }
    out.add_findings(merge_findings(run, trials));
}

/// Each with its advice, which may be empty.
pub(crate) fn summary_sentences(run: &FileRunSummary, trials: &[&TrialSummary]) -> Vec<(Message, Message)> {
    let verdicts = run.verdicts.iter().map(|v| (super::limit_sentence(v), v.try_next.clone()));
    let mixes = run.mixes.iter().map(super::saturation_sentence);
    let round_trips = run.round_trips.iter().map(super::round_trip_sentence);
    let splits = run.splits.iter().map(super::time_breakdown_sentence);
    let by_limit = group_by_key(trials.iter().filter_map(|s| Some((s.limit.goodput_bps?, s))));
    let limits = by_limit.iter().map(|(_, same)| goodput_limit_sentence(same[0]));
    let others = mixes.chain(round_trips).chain(splits).chain(limits);
    verdicts.chain(others.map(|sentence| (sentence, Message::default()))).collect()
}

pub(crate) fn file_run_tables(run: &FileRunSummary, trials: &[&TrialSummary]) -> Vec<Table> {
    let mut all = vec![
        copies_table(&run.copies),
        limiting_resource_table(&run.verdicts),
        disk_benchmark_table(&run.rows),
        latency_table(&run.rows),
        round_trip_table(&run.round_trips),
    ];
    for curve in &run.mixes {
        all.push(workload_mix_results_table(curve));
        let last = curve.points.last().and_then(|p| p.trials.first());
        let trial = trials.iter().find(|s| Some(&s.trial) == last).and_then(|s| s.file_summary());
        let players = super::simulated_clients(curve.points.last().map_or(0, |p| p.players));
        let (load, place) = (&curve.load, location_text(&curve.place));
        let title = message!(report_operations_of_at { load, place, players }).into();
        all.extend(trial.map(operation_classes_table).map(|table| Table { title, ..table }));
    }
    all.push(time_breakdown_table(&run.splits));
    all.into_iter().filter(|t| !t.rows.is_empty()).collect()
}

pub(crate) fn merge_findings(run: &FileRunSummary, trials: &[&TrialSummary]) -> Vec<Finding> {
    let places = trials.iter().flat_map(|summary| {
        let Probe::File(settings) = &summary.probe else { return Vec::new() };
        let at = summary_location(summary).unwrap_or_default();
        let place = format!("{} at {at}", super::trial_name(settings));
        summary.findings.iter().map(|finding| (place.clone(), finding.clone())).collect()
    });
    let told = findings_by_rule(places).into_iter().map(|(first, mut places)| {
        // Groups repeats of one measurement, which count as one kind.
        places.sort_by(|(a, one), (b, other)| (a, one.as_str()).cmp(&(b, other.as_str())));
        combine_findings_of_load_points(first, &places, kinds(trials), |names, count, all, finding| {
            message!(finding_at_trials { count, all, names, finding })
        })
    });
    run.findings.iter().cloned().chain(told).collect()
}

fn kinds(trials: &[&TrialSummary]) -> usize {
    let name = |s: &&TrialSummary| match &s.probe {
        Probe::File(f) => Some(format!("{} {:?}", super::trial_name(f), f.place)),
        _ => None,
    };
    trials.iter().filter_map(name).collect::<BTreeSet<_>>().len()
}
