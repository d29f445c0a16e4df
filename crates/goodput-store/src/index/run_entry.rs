//! Derives a run's index entry from its folder.

use super::run_card::{IndexedMetric, IndexedRunOutcome, RunIndexEntry};
use crate::format;
use crate::reader::{ReadError, read_run, read_run_without_series};
use crate::run_files;
use crate::tags;
use goodput_analysis::experiment::data_set::recorded_experiment;
use goodput_analysis::primary_metric::{self, HostPairMetric};
use goodput_analysis::result_document::document_from_trials;
use goodput_model::experiment::execution_record::ExperimentStep;
use goodput_model::metric::unit_of_metric;
use goodput_model::{Experiment, Message, Run, RunId, TrialOutcome};
use goodput_words::ErrorMessage;
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct RunIndexData {
    pub card: RunIndexEntry,
    /// µs since 1970; 0 if the head does not say.
    pub started_us: i64,
    pub words: String,
    /// Factor and level of every begun combination; empty without an experiment.
    pub factors: BTreeSet<(String, String)>,
    pub pairs: Vec<HostPairMetric>,
    /// Damage that does not hide the run: a chunk or the tags.
    pub trouble: Option<Message>,
}

/// Reads samples of finished runs, which some metrics need.
pub(super) fn extract_index_data(folder: &Path) -> Result<RunIndexData, ReadError> {
    let running = run_files::is_run_being_written(folder);
    let mut trouble = None;
    let run = if running {
        read_run_without_series(folder)?
    } else {
        // A damaged chunk removes the metric, not the run.
        read_run(folder).or_else(|e| {
            trouble = Some(e.message());
            read_run_without_series(folder)
        })?
    };
    let tags = tags::read_tags(folder).unwrap_or_else(|e| {
        trouble = Some(e.message());
        Vec::new()
    });
    Ok(of_run(&run, tags, bytes_without_tags(folder), running, trouble))
}

/// Tags change while the run stays the same.
fn bytes_without_tags(folder: &Path) -> u64 {
    let own = |f: &&run_files::RunFile| f.name != format::TAGS_FILE;
    run_files::list_run_files(folder).map_or(0, |files| files.iter().filter(own).map(|f| f.length).sum())
}

/// The entry of a run that [`extract_index_data`] could not read. Its name tells when it was started.
pub(super) fn invalid_run(id: RunId, folder: &Path) -> RunIndexData {
    let (seconds, nanos) = id.0.get_timestamp().map_or((0, 0), |t| t.to_unix());
    let started = i64::try_from(seconds).ok().and_then(|s| Timestamp::new(s, nanos as i32).ok());
    let started = started.unwrap_or(Timestamp::UNIX_EPOCH);
    let card = RunIndexEntry {
        id,
        started: started.to_string(),
        version: String::new(),
        command: Vec::new(),
        probes: Vec::new(),
        hosts: Vec::new(),
        labels: BTreeMap::new(),
        tags: tags::read_tags(folder).unwrap_or_default(),
        outcome: IndexedRunOutcome::Invalid,
        trials: 0,
        figure: None,
        experiment: None,
        bytes: bytes_without_tags(folder),
    };
    RunIndexData {
        words: words(&card, None),
        card,
        started_us: started.as_microsecond(),
        factors: BTreeSet::new(),
        pairs: Vec::new(),
        trouble: None,
    }
}

fn of_run(run: &Run, tags: Vec<String>, bytes: u64, running: bool, trouble: Option<Message>) -> RunIndexData {
    let experiment = recorded_experiment(run);
    let document = document_from_trials(Some(run.head.id), &run.trials);
    let figure = match experiment {
        // Many combinations have no common metric.
        Some(_) => None,
        None => primary_metric::primary_metric_of_run(&document).map(|c| IndexedMetric {
            name: c.name.into(),
            value: c.value,
            unit: unit_of_metric(c.name).into(),
        }),
    };
    let card = RunIndexEntry {
        id: run.head.id,
        started: run.head.started.clone(),
        version: run.head.version.clone(),
        command: run.head.command.clone(),
        probes: deduplicated(run.trials.iter().map(|t| t.probe.name())),
        hosts: deduplicated(run.trials.iter().flat_map(|t| &t.ends).map(|e| e.host.as_str())),
        labels: run.head.labels.clone(),
        tags,
        outcome: outcome(run, running),
        trials: run.trials.len() as u64,
        figure,
        experiment: experiment.map(|e| e.name.clone()),
        bytes,
    };
    let started = card.started.parse::<Timestamp>().map_or(0, Timestamp::as_microsecond);
    let words = words(&card, experiment);
    let pairs = primary_metric::host_pair_metrics(&document);
    RunIndexData { card, started_us: started, words, factors: factors(run), pairs, trouble }
}

/// Begun ones only: an interrupted experiment never used most of the planned levels.
fn factors(run: &Run) -> BTreeSet<(String, String)> {
    let begun = run.steps.iter().filter_map(|step| match step {
        ExperimentStep::CellStarted { cell, .. } => Some(&cell.levels),
        _ => None,
    });
    begun.flatten().map(|(factor, level)| (factor.clone(), level.clone())).collect()
}

fn outcome(run: &Run, running: bool) -> IndexedRunOutcome {
    let failed = |t: &goodput_model::Trial| matches!(t.outcome, TrialOutcome::Failed { .. });
    let whole = run.trials.iter().all(|t| t.outcome == TrialOutcome::Complete);
    if running {
        IndexedRunOutcome::Running
    } else if run.trials.iter().all(failed) && (run.finished || !run.trials.is_empty()) {
        IndexedRunOutcome::Failed
    } else if run.finished && whole {
        IndexedRunOutcome::Complete
    } else {
        IndexedRunOutcome::Partial
    }
}

/// Separates the tags from other words, since only they change. Never part of typed text.
const TAGS_FOLLOW: char = '\u{2}';

pub(super) fn append_tags_to_search_text(words: &str, tags: &[String]) -> String {
    let before = words.split(TAGS_FOLLOW).next().unwrap_or_default();
    format!("{before}{TAGS_FOLLOW}{}", tags.join("\n").to_lowercase())
}

fn words(card: &RunIndexEntry, experiment: Option<&Experiment>) -> String {
    let mut words = vec![card.id.to_string(), card.command.join(" ")];
    words.extend(card.probes.iter().chain(&card.hosts).cloned());
    words.extend(card.labels.iter().map(|(k, v)| format!("{k}={v}")));
    words.extend(experiment.into_iter().flat_map(|e| [e.name.clone(), e.title.clone()]));
    // PostgreSQL allows no zero bytes in texts.
    let words = words.join("\n").to_lowercase().replace(['\0', TAGS_FOLLOW], " ");
    append_tags_to_search_text(&words, &card.tags)
}

fn deduplicated<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    names.filter(|n| !n.is_empty() && seen.insert(*n)).map(str::to_string).collect()
}
