//! The history of a schedule: the primary metric of its runs, searched for changes.

use super::alert::{AlertMetricValue, ChangePoint};
use super::api_documents::{HistoryDocument, MetricHistoryChange, MetricHistoryValue};
use goodput_analysis::experiment::change_point::{
    ChangePointResult, ChangePointSearch, DetectedChange, find_change_points,
};
use goodput_model::metric;
use goodput_report::history::{HistoryRun, HistorySummary};
use goodput_report::number_format::{MISSING_VALUE, format_value_with_unit};

/// The search is quadratic; 200 runs take part of a second.
pub const MAX_HISTORY_RUNS: usize = 200;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunHistory {
    pub runs: Vec<PastRun>,
    pub older: u64,
}

#[derive(Debug, Clone, PartialEq)]
pub struct PastRun {
    pub run: String,
    pub started: String,
    pub figure: Option<AlertMetricValue>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct AnalyzedHistory {
    past: RunHistory,
    /// Metric name; empty if unknown.
    figure: String,
    runs: Vec<HistoryRun>,
    left_out: usize,
    found: ChangePointResult,
}

impl Default for AnalyzedHistory {
    fn default() -> AnalyzedHistory {
        AnalyzedHistory::analyze(RunHistory::default(), 0)
    }
}

impl AnalyzedHistory {
    /// A history has one metric, that of its last run: a line with another probe begins a new history.
    pub fn analyze(past: RunHistory, seed: u64) -> AnalyzedHistory {
        let last = past.runs.iter().rev().find_map(|r| r.figure.as_ref());
        let name = last.map_or(String::new(), |f| f.name.clone());
        let same = |r: &&PastRun| r.figure.as_ref().is_none_or(|f| f.name == name);
        let runs: Vec<HistoryRun> = past
            .runs
            .iter()
            .filter(same)
            .map(|r| HistoryRun {
                run: r.run.clone(),
                started: r.started.clone(),
                value: r.figure.as_ref().map(|f| f.value).filter(|v| v.is_finite()),
            })
            .collect();
        let values: Vec<f64> = runs.iter().filter_map(|r| r.value).collect();
        let found = find_change_points(&values, &ChangePointSearch::with_defaults(seed));
        let left_out = past.runs.len() - runs.len() + usize::try_from(past.older).unwrap_or(usize::MAX);
        AnalyzedHistory { figure: name, runs, left_out, found, past }
    }

    pub fn is_analysis_of(&self, past: &RunHistory) -> bool {
        self.past == *past
    }

    fn told<'a>(&'a self, name: &'a str) -> HistorySummary<'a> {
        HistorySummary {
            name,
            figure: &self.figure,
            runs: &self.runs,
            found: &self.found,
            left_out: self.left_out,
        }
    }

    fn changes(&self) -> &[DetectedChange] {
        match &self.found {
            ChangePointResult::Searched { changes, .. } => changes,
            ChangePointResult::CannotTell { .. } => &[],
        }
    }

    /// The runs with a value, and the changes among them: the input of rules.
    pub fn runs_and_changes(&self) -> (Vec<String>, Vec<ChangePoint>) {
        let told = self.told("");
        let runs = self.runs.iter().filter(|r| r.value.is_some()).map(|r| r.run.clone()).collect();
        let change = |c: &DetectedChange| ChangePoint { at: c.at, text: told.format_change(c) };
        (runs, self.changes().iter().map(change).collect())
    }

    pub fn to_document(&self, name: &str) -> HistoryDocument {
        let told = self.told(name);
        let unit = metric::unit_of_metric(&self.figure);
        let value = |run: &HistoryRun| MetricHistoryValue {
            run: run.run.clone(),
            started: run.started.clone(),
            value: run.value,
            text: run.value.map_or_else(|| MISSING_VALUE.to_string(), |v| format_value_with_unit(v, unit)),
        };
        let change = |change: &DetectedChange| {
            let first = told.first_run_after_change(change)?;
            Some(MetricHistoryChange {
                run: first.run.clone(),
                started: first.started.clone(),
                p: change.p,
                before: change.before.median,
                after: change.after.median,
                ratio: change.ratio,
                text: told.format_change(change).into(),
            })
        };
        HistoryDocument {
            id: name.to_string(),
            figure: Some(self.figure.clone()).filter(|f| !f.is_empty()),
            unit: unit.to_string(),
            values: self.runs.iter().map(value).collect(),
            changes: self.changes().iter().filter_map(change).collect(),
            cannot_tell: match &self.found {
                ChangePointResult::CannotTell { reason } => Some(reason.into()),
                ChangePointResult::Searched { .. } => None,
            },
            left_out: self.left_out as u64,
            page: told.build_page(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(i: usize, name: &str, value: Option<f64>) -> PastRun {
        let figure = value.map(|value| crate::tests::reading(name, value, metric::unit_of_metric(name)));
        let started = format!("2026-03-01T{:02}:{:02}:00Z", i / 60, i % 60);
        PastRun { run: format!("r{i}"), started, figure }
    }

    fn past() -> RunHistory {
        let value = |i: usize| (if i < 25 { 9.4e8 } else { 8.0e8 }) + (i * 7 % 5) as f64 * 1e5;
        RunHistory { runs: (0..40).map(|i| run(i, "goodput_bps", Some(value(i)))).collect(), older: 7 }
    }

    #[test]
    fn a_drop_is_found_at_its_run() {
        let document = AnalyzedHistory::analyze(past(), 1).to_document("nightly");
        assert_eq!((document.figure.as_deref(), document.unit.as_str()), (Some("goodput_bps"), "bit/s"));
        assert_eq!((document.values.len(), document.left_out, document.cannot_tell), (40, 7, None));
        let [change] = &document.changes[..] else { panic!("{:?}", document.changes) };
        assert_eq!(change.run, "r25");
        assert!(change.p <= 0.05 && change.ratio.is_some_and(|r| (0.84..0.86).contains(&r)));
        assert!(change.text.contains("Mbit/s"), "{}", change.text);
        assert_eq!(document.page.figures().count(), 1);
    }

    #[test]
    fn a_line_that_measures_something_else_begins_anew() {
        let mut past = past();
        past.runs.extend((40..44).map(|i| run(i, "latency_ns.p50", Some(1e5))));
        past.runs.push(run(44, "", None));
        let document = AnalyzedHistory::analyze(past, 1).to_document("n");
        assert_eq!((document.values.len(), document.left_out), (5, 47));
        assert!(document.cannot_tell.is_some_and(|why| why.contains("too few")));
        assert_eq!(document.values[4].text, MISSING_VALUE);
    }
}
