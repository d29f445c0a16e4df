//! A file run in the terminal: limits of copies, tables, and merged findings.

use super::copies::copies_table;
use super::mix::{classes_table, mix_table, split_table};
use super::rows::{latency_table, marks_table, round_trip_table};
use super::verdict::resources_table;
use crate::escape::plain;
use crate::probe::load::run::together;
use crate::table::Table;
use crate::text::block::Parts;
use crate::wording::limit;
use goodput_model::summary::{FileRun, Summary};
use goodput_model::{Arg, Finding, Message, Probe};
use goodput_words::message;

pub(crate) fn run(out: &mut Parts, run: &FileRun, trials: &[&Summary]) {
    for (sentence, try_next) in sentences(run, trials) {
        out.text(&format!("{}\n", plain(&sentence)));
        if !try_next.is_empty() {
            out.text(&format!("  try: {}\n", plain(&try_next)));
        }
    }
    for table in tables(run, trials) {
        out.table(table);
    }
    let told = merged(run, trials);
    if !told.is_empty() {
        out.findings(told);
    }
}

pub(crate) fn sentences(run: &FileRun, trials: &[&Summary]) -> Vec<(String, String)> {
    let mut out: Vec<(String, String)> =
        run.verdicts.iter().map(|v| (super::verdict(v), v.try_next.clone())).collect();
    let others = super::whole_run(run).into_iter().skip(run.verdicts.len());
    out.extend(others.map(|sentence| (sentence, String::new())));
    let mut limits: Vec<u64> = Vec::new();
    for summary in trials {
        if let Some(bps) = summary.limit.goodput_bps.filter(|bps| !limits.contains(bps)) {
            limits.push(bps);
            out.push((limit(summary), String::new()));
        }
    }
    out
}

pub(crate) fn tables(run: &FileRun, trials: &[&Summary]) -> Vec<Table> {
    let mut all = vec![
        copies_table(&run.copies),
        resources_table(&run.verdicts),
        marks_table(&run.rows),
        latency_table(&run.rows),
        round_trip_table(&run.round_trips),
    ];
    for curve in &run.mixes {
        all.push(mix_table(curve));
        let last = curve.points.last().and_then(|p| p.trials.first());
        let trial = trials.iter().find(|s| Some(&s.trial) == last).and_then(|s| s.file());
        all.extend(trial.map(|found| {
            let table = classes_table(found);
            let players = curve.points.last().map_or(0, |p| p.players);
            Table {
                title: format!(
                    "{} of {} at {}, {}",
                    table.title,
                    curve.load,
                    curve.place,
                    super::players(players)
                ),
                ..table
            }
        }));
    }
    all.push(split_table(&run.splits));
    all.into_iter().filter(|t| !t.rows.is_empty()).collect()
}

pub(crate) fn merged(run: &FileRun, trials: &[&Summary]) -> Vec<Finding> {
    let mut rules: Vec<(Finding, Vec<(String, Message)>)> = Vec::new();
    let of_files = trials.iter().filter_map(|s| match &s.probe {
        Probe::File(settings) => Some((*s, super::trial(settings))),
        _ => None,
    });
    for (summary, name) in of_files {
        let at = goodput_analysis::file::place::of(summary).unwrap_or_default();
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
        together(first, &places, kinds(trials), at_trials)
    });
    run.findings.iter().cloned().chain(told).collect()
}

fn at_trials(names: Arg, count: usize, all: Arg, finding: Message) -> Message {
    message!(finding_at_trials { count, all, names, finding })
}

fn kinds(trials: &[&Summary]) -> usize {
    let mut names: Vec<String> = trials
        .iter()
        .filter_map(|s| match &s.probe {
            Probe::File(f) => Some(format!("{} {:?}", super::trial(f), f.place)),
            _ => None,
        })
        .collect();
    names.sort();
    names.dedup();
    names.len()
}
