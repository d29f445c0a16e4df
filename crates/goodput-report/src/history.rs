//! The history of a repeated line: the primary metric of each run, with change points by
//! [`goodput_analysis::experiment::change_point`].

use crate::experiment::metric_unit::{MetricUnit, metric_display_name, quantity_for_unit};
use crate::figure::{Axis, ChartPointLabel, Curve, CurveStyle, Figure};
use crate::number_format::{MISSING_VALUE, capitalize, format_optional_value};
use crate::page::{Block, Page, Section};
use crate::table::Align::{Left, Right};
use crate::table::cell::{optional_cell, signed_percent};
use crate::table::{Cell, ColumnDefinitions, Table};
use goodput_analysis::experiment::change_point::{ChangePointResult, DetectedChange};
use goodput_model::{Message, MessageArg, metric};
use goodput_words::message;
use goodput_words::message_argument::quantity_arg;
use jiff::Timestamp;

#[derive(Debug, Clone, PartialEq)]
pub struct HistoryRun {
    pub run: String,
    /// RFC 3339.
    pub started: String,
    /// In its base unit.
    pub value: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HistorySummary<'a> {
    pub name: &'a str,
    /// As in the document: `goodput_bps`.
    pub figure: &'a str,
    pub runs: &'a [HistoryRun],
    /// Changes among the runs with a value.
    pub found: &'a ChangePointResult,
    pub left_out: usize,
}

impl HistorySummary<'_> {
    fn unit(&self) -> MetricUnit {
        MetricUnit::for_values(metric::unit_of_metric(self.figure), self.values().map(|(_, v)| v))
    }

    fn value(&self, value: f64) -> MessageArg {
        self.unit().quantity(value)
    }

    /// At the beginning of a sentence.
    fn figure_name(&self) -> Message {
        capitalize(&metric_display_name(self.figure)).into()
    }

    fn values(&self) -> impl Iterator<Item = (&HistoryRun, f64)> {
        self.runs.iter().filter_map(|r| Some((r, r.value.filter(|v| v.is_finite())?)))
    }

    fn changes(&self) -> &[DetectedChange] {
        match self.found {
            ChangePointResult::Searched { changes, .. } => changes,
            ChangePointResult::CannotTell { .. } => &[],
        }
    }

    /// `from 941.5 Mbit/s to 812.0 Mbit/s (-13.8 %)`.
    pub fn format_change(&self, change: &DetectedChange) -> Message {
        let (before, after) = (self.value(change.before.median), self.value(change.after.median));
        match change.ratio {
            Some(ratio) => {
                let change = signed_percent((ratio - 1.0) * 100.0);
                message!(part_from_to_figure_change { before, after, change })
            }
            None => message!(part_from_to_figure { before, after }),
        }
    }

    pub fn first_run_after_change(&self, change: &DetectedChange) -> Option<&HistoryRun> {
        self.values().nth(change.at).map(|(run, _)| run)
    }

    pub fn build_page(&self) -> Page {
        let mut blocks = vec![Block::lead_paragraph(self.lead())];
        blocks.extend(self.changes().iter().map(|c| Block::paragraph(self.sentence(c))));
        if let ChangePointResult::CannotTell { reason } = self.found {
            blocks.push(Block::note(message!(report_history_cannot_be_told { reason })));
        }
        if self.left_out > 0 {
            blocks.push(Block::note(message!(report_view_runs_not_shown { count: self.left_out })));
        }
        let mut sections = vec![Section { title: "History".into(), blocks }];
        if let Some(figure) = self.build_figure() {
            sections[0].blocks.push(Block::figure(figure));
        }
        if !self.runs.is_empty() {
            sections.push(Section { title: "Runs".into(), blocks: vec![Block::table(self.table())] });
        }
        let (title, names) = (message!(report_history_of_what { what: self.name }), vec![self.name.into()]);
        Page { title: title.into(), under: Vec::new(), sections, names }
    }

    fn lead(&self) -> Message {
        let Some((last, value)) = self.values().last() else {
            return match self.runs.len() {
                0 => message!(report_it_has_not_been_measured_yet),
                1 => message!(report_the_only_run_has_no_figure),
                count => message!(report_history_none_has_a_figure { count }),
            };
        };
        let runs = message!(part_view_runs { count: self.values().count() });
        let runs = match (self.found, self.changes().len()) {
            (ChangePointResult::CannotTell { .. }, _) => runs,
            (_, 0) => message!(part_history_no_change { runs }),
            (_, 1) => message!(part_history_one_change { runs }),
            (_, changes) => message!(part_history_changes { runs, changes }),
        };
        let (what, value, when) = (self.figure_name(), self.value(value), day(&last.started));
        message!(report_history_lead { what, value, when, runs })
    }

    fn sentence(&self, change: &DetectedChange) -> Message {
        message!(report_history_changed {
            how: self.format_change(change),
            when: format_optional_value(self.first_run_after_change(change), |run| day(&run.started)),
            before: change.before.count,
            after: change.after.count,
            p: quantity_arg(change.p, "", change.p.to_string()),
        })
    }

    pub fn build_figure(&self) -> Option<Figure> {
        let times: Vec<Option<f64>> = nanoseconds(self.runs);
        let points: Vec<(f64, f64)> = self
            .runs
            .iter()
            .zip(&times)
            .filter_map(|(run, at)| Some(((*at)?, run.value.filter(|v| v.is_finite())?)))
            .collect();
        let (low, high) =
            points.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), (_, v)| (l.min(*v), h.max(*v)));
        let last = times.iter().flatten().fold(0.0, |l: f64, at| l.max(*at));
        let first = self.runs.first()?;
        points.first()?;
        // A change of 5 % is visible; a spread of 0.05 % does not look like one.
        let room = ((high - low) * 0.2).max(high.abs() * 0.05);
        let bottom = if low >= 0.0 { (low - room).max(0.0) } else { low - room };
        let what = metric_display_name(self.figure);
        let label = message!(report_time_since { day: day(&first.started) });
        let (least, most) = (self.value(low), self.value(high));
        let mut figure = Figure::new(
            "history",
            message!(report_run_by_run { what: self.figure_name(), name: self.name }),
            message!(report_least_and_greatest { lead: self.lead(), least, most }),
            Axis::linear_range(label, crate::figure::Quantity::Time, 0.0, last.max(1e9)),
            Axis::linear_range(
                what,
                quantity_for_unit(metric::unit_of_metric(self.figure)),
                bottom,
                high + room,
            ),
            vec![Curve::new("individual runs", CurveStyle::Line, points.clone())],
        );
        if bottom > 0.0 {
            figure.notes.push("The vertical axis does not start at zero.".into());
        }
        self.stretches(&mut figure, &points);
        let nothing: Vec<(f64, f64)> = self
            .runs
            .iter()
            .zip(&times)
            .filter(|(run, _)| run.value.is_none())
            .filter_map(|(_, at)| Some(((*at)?, bottom)))
            .collect();
        if !nothing.is_empty() {
            figure.curves.push(Curve::new("runs without a value", CurveStyle::Crosses, nothing));
        }
        Some(figure)
    }

    fn stretches(&self, figure: &mut Figure, points: &[(f64, f64)]) {
        let changes = self.changes();
        let (Some(first), Some(end)) = (changes.first(), points.last()) else { return };
        let mut levels = Vec::new();
        let mut from = points.first().map_or(0.0, |p| p.0);
        let mut median = first.before.median;
        for change in changes {
            let Some(at) = points.get(change.at) else { continue };
            levels.extend([(from, median), (at.0, median)]);
            (from, median) = (at.0, change.after.median);
            let label = optional_cell(change.ratio, |r| signed_percent((r - 1.0) * 100.0)).to_string();
            figure.marks.push(ChartPointLabel { at: *at, label: label.into() });
        }
        levels.extend([(from, median), (end.0, median)]);
        figure.curves.push(Curve::new("median between change points", CurveStyle::Dashed, levels));
    }

    fn table(&self) -> Table {
        let unit = self.unit();
        let what = metric_display_name(self.figure);
        let changed = |run: &HistoryRun| {
            let found = self
                .changes()
                .iter()
                .find(|c| self.first_run_after_change(c).is_some_and(|first| first.run == run.run));
            found.map(|c| message!(part_changed_how { how: self.format_change(c) })).unwrap_or_default()
        };
        let columns: ColumnDefinitions<'_, &HistoryRun> = &[
            ("start time", Left, &|run| day(&run.started).into()),
            (&what, Right, &|run| {
                let value = run.value.map(|v| unit.format_with_unit(v));
                value.map_or_else(|| MISSING_VALUE.into(), Cell::from)
            }),
            ("", Left, &|run| changed(run).into()),
            ("run", Left, &|run| (&run.run).into()),
        ];
        let table = Table::from_items("Runs, newest first", self.runs.iter().rev(), columns);
        table.without_empty_columns()
    }
}

fn nanoseconds(runs: &[HistoryRun]) -> Vec<Option<f64>> {
    let times: Vec<Option<Timestamp>> = runs.iter().map(|r| r.started.parse().ok()).collect();
    let first = times.iter().flatten().min().copied();
    let since = |at: &Option<Timestamp>| Some((at.as_ref()?.as_nanosecond() - first?.as_nanosecond()) as f64);
    times.iter().map(since).collect()
}

/// To the minute: `2026-03-01 03:00 UTC`.
fn day(started: &str) -> String {
    match started.parse::<Timestamp>() {
        Ok(at) => at.strftime("%Y-%m-%d %H:%M UTC").to_string(),
        Err(_) => started.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_analysis::experiment::change_point::{ChangePointSearch, find_change_points};

    fn nights() -> Vec<HistoryRun> {
        (0..30)
            .map(|i| {
                let speed = if i < 20 { 941.0e6 } else { 846.0e6 };
                let value = (i != 5).then(|| speed + f64::from(i * 7 % 5) * 1e5);
                HistoryRun { run: format!("r{i}"), started: format!("2026-03-{:02}T03:00:05Z", i + 1), value }
            })
            .collect()
    }

    fn with_summary(
        figure: &str,
        runs: &[HistoryRun],
        left_out: usize,
        check: impl FnOnce(&HistorySummary<'_>),
    ) {
        let values: Vec<f64> = runs.iter().filter_map(|r| r.value).collect();
        let found = find_change_points(&values, &ChangePointSearch::with_defaults(1));
        check(&HistorySummary { name: "nightly", figure, runs, found: &found, left_out });
    }

    fn words(page: &Page) -> String {
        let texts = page.sections.iter().flat_map(|s| &s.blocks).map(|b| match b {
            Block::Lead { text } | Block::Text { text } | Block::Note { text } => text.as_str(),
            _ => "",
        });
        texts.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn a_change_is_said_with_its_night_and_both_levels() {
        with_summary("goodput_bps", &nights(), 3, |told| {
            let text = words(&told.build_page());
            for part in [
                "at 2026-03-30 03:00 UTC; 29 runs with one significant change.",
                "with the run of 2026-03-21 03:00 UTC: 19 runs before the change and 10 since",
                "-10.1 %",
                "3 more runs are not shown",
            ] {
                assert!(text.contains(part), "{part}: {text}");
            }
            let change = &told.changes()[0];
            assert_eq!(told.first_run_after_change(change).map(|r| r.run.as_str()), Some("r20"));
        });
    }

    #[test]
    fn the_figure_has_every_run_its_levels_and_what_failed() {
        with_summary("goodput_bps", &nights(), 0, |told| {
            let figure = told.build_figure().unwrap();
            let [runs, levels, failed] = &figure.curves[..] else { panic!("{:?}", figure.curves) };
            let day = 86_400e9;
            assert_eq!((runs.points.len(), runs.points[28].0), (29, 29.0 * day));
            let levels: Vec<f64> = levels.points.iter().map(|p| p.0 / day).collect();
            assert_eq!((levels.len(), levels[1], levels[2]), (4, 20.0, 20.0));
            assert_eq!(failed.points, [(5.0 * day, figure.y.range.0)]);
            assert_eq!(figure.marks.len(), 1);
            assert!(figure.y.range.0 > 0.0 && figure.notes[0].contains("does not start at zero"));
        });
    }

    #[test]
    fn few_runs_are_not_judged_and_without_values_there_is_a_sentence() {
        with_summary("latency_ns.p50", &nights()[..3], 0, |told| {
            let text = words(&told.build_page());
            assert!(text.contains("has changed: 3 runs are too few"), "{text}");
            assert_eq!(told.build_figure().unwrap().curves.len(), 1);
        });
        let run = HistoryRun { run: "a".into(), started: "never".into(), value: None };
        for (runs, sentence) in
            [(vec![], "No runs have been measured yet."), (vec![run], "The only run has no value.")]
        {
            with_summary("goodput_bps", &runs, 0, |told| {
                assert!(words(&told.build_page()).contains(sentence), "{sentence}");
                assert!(told.build_figure().is_none(), "{sentence}");
            });
        }
    }

    #[test]
    fn equal_values_draw_a_level_line() {
        let runs: Vec<HistoryRun> =
            nights().into_iter().map(|r| HistoryRun { value: Some(0.0), ..r }).collect();
        with_summary("lost.path", &runs, 0, |told| {
            let figure = told.build_figure().unwrap();
            assert!(figure.y.range.1 > figure.y.range.0);
            assert!(words(&told.build_page()).contains("significant change"));
        });
    }
}
