//! An experiment's progress on stderr: a bar on a terminal, else one line per cell, nothing with `--json`.

use crate::screen::ProgressOutput;
use crate::{events, language};
use goodput_control::experiment::{LevelChange, RunnerEvent};
use goodput_experiment::ExecutionProgress;
use goodput_model::event_line::{CellProgressLine, EventLine};
use goodput_model::experiment::execution_record::{CellExecution, CellOutcome, ExperimentStep};
use goodput_model::experiment::{Factor, FactorLevel};
use goodput_model::{Experiment, Nanos, RunId};

pub struct RunProgress {
    place: ProgressOutput,
    factors: Vec<String>,
    title: String,
}

impl RunProgress {
    pub fn new(json: bool, events: bool, experiment: &Experiment) -> RunProgress {
        let place = ProgressOutput::from_options(json, events, 1, "[{bar:30}] {msg}");
        let factors = experiment.factors.iter().map(|f| f.name.clone()).collect();
        RunProgress { place, factors, title: String::new() }
    }

    pub fn show_run_started(&self, run: RunId) {
        if let ProgressOutput::Events = self.place {
            events::write_event_line(&EventLine::Started { run: Some(run), trials: None });
        }
    }

    pub fn print_message(&self, sentence: &str) {
        self.place.print_message(sentence);
    }

    pub fn close(&self) {
        self.place.finish();
    }

    /// `expected` is a cell's duration by its settings.
    pub fn report_progress(
        &mut self,
        news: RunnerEvent<'_>,
        progress: &ExecutionProgress<'_>,
        expected: impl Fn(&CellExecution) -> Option<Nanos>,
    ) {
        match news {
            RunnerEvent::Recovered(step) | RunnerEvent::Restored(step) => self.restored(step),
            RunnerEvent::Setting(changes) => self.message(&format!("setting {}", wanted(changes))),
            RunnerEvent::Restoring => self.message("restoring the previous settings"),
            RunnerEvent::Began(cell, _) => {
                self.title = cell_title(cell, &self.factors);
                let line = format!("{}: {}", place(progress, &expected), self.title);
                match &self.place {
                    ProgressOutput::Lines => language::print_message(&line),
                    ProgressOutput::Events => cell_line(cell, None, progress, &expected),
                    _ => self.message(&line),
                }
            }
            RunnerEvent::Ended(cell, outcome) => {
                if let ProgressOutput::Bar(bar) = &self.place {
                    let counts = progress.execution_counts();
                    let ended = counts.done + counts.failed + counts.timed_out + counts.not_set;
                    bar.set_length(u64::from(ended + progress.remaining_work(&expected).cells_least));
                    bar.set_position(u64::from(ended));
                }
                if let ProgressOutput::Events = self.place {
                    cell_line(cell, Some(outcome), progress, &expected);
                }
                if let Some(why) = cell_failure_reason(outcome) {
                    self.print_message(&format!(
                        "cell {}, {}: {why}",
                        cell.number,
                        cell_title(cell, &self.factors)
                    ));
                }
            }
        }
    }

    fn message(&self, text: &str) {
        match &self.place {
            ProgressOutput::Bar(bar) => bar.set_message(language::translate_text(text)),
            ProgressOutput::Events => events::write_message_event(text),
            ProgressOutput::Lines | ProgressOutput::Nowhere => {}
        }
    }

    fn restored(&self, step: &ExperimentStep) {
        match step {
            ExperimentStep::Restored { factor, obtained } if obtained.is_empty() => {
                self.message(&format!("{factor} is restored"))
            }
            ExperimentStep::Restored { factor, obtained } => {
                self.message(&format!("{factor} is restored: {}", obtained.join(", ")));
            }
            ExperimentStep::NotRestored { factor, cause } => {
                self.print_message(&format!("{factor} could not be restored: {cause}"))
            }
            _ => {}
        }
    }
}

fn cell_line(
    cell: &CellExecution,
    outcome: Option<&CellOutcome>,
    progress: &ExecutionProgress<'_>,
    expected: impl Fn(&CellExecution) -> Option<Nanos>,
) {
    let counts = progress.execution_counts();
    let done = counts.done + counts.failed + counts.timed_out + counts.not_set;
    let left = progress.remaining_work(expected);
    events::write_event_line(&EventLine::Cell(CellProgressLine {
        number: cell.number,
        block: cell.block,
        levels: cell.levels.clone(),
        probe: cell.probe.clone(),
        outcome: outcome.cloned(),
        done,
        of_least: done + left.cells_least,
        of_most: done + left.cells_most,
        left: left.time_least,
    }));
}

fn wanted(changes: &[LevelChange<'_>]) -> String {
    let one = |change: &LevelChange<'_>| {
        let (Factor { name, .. }, FactorLevel { name: level, .. }) = (change.factor, change.level);
        format!("{name} {level}")
    };
    changes.iter().map(one).collect::<Vec<_>>().join(", ")
}

pub fn cell_title(cell: &CellExecution, factors: &[String]) -> String {
    let level = |factor: &String| Some(format!("{factor} {}", cell.levels.get(factor)?));
    let words: Vec<String> =
        std::iter::once(cell.probe.clone()).chain(factors.iter().filter_map(level)).collect();
    let warm_up = if cell.block == 0 { " (does not count)" } else { "" };
    format!("{}{warm_up}", words.join(", "))
}

pub fn cell_failure_reason(outcome: &CellOutcome) -> Option<String> {
    match outcome {
        CellOutcome::Done => None,
        CellOutcome::Failed { cause } => Some(format!("failed: {cause}")),
        CellOutcome::TimedOut => Some("did not finish within its time limit".to_string()),
        CellOutcome::NotSet { cause } => Some(format!("not measured: {cause}")),
    }
}

fn place(progress: &ExecutionProgress<'_>, expected: impl Fn(&CellExecution) -> Option<Nanos>) -> String {
    let counts = progress.execution_counts();
    let ended = counts.done + counts.failed + counts.timed_out + counts.not_set;
    let left = progress.remaining_work(expected);
    let (least, most) = (ended + left.cells_least, ended + left.cells_most);
    let of = if least == most { format!("{least}") } else { format!("{least} to {most}") };
    let time = match (left.time_least, left.time_most) {
        (Some(least), Some(most)) if format_coarse_duration(least) != format_coarse_duration(most) => {
            format!(", {} to {} left", format_coarse_duration(least), format_coarse_duration(most))
        }
        (Some(time), _) => format!(", {} left", format_coarse_duration(time)),
        (None, _) => String::new(),
    };
    format!("cell {} of {of}{time}", ended + 1)
}

/// A coarse duration: `45 s`, `12 min`, `3 h 20 min`.
pub fn format_coarse_duration(time: Nanos) -> String {
    let seconds = time.0.div_ceil(Nanos::SECOND.0);
    let minutes = seconds.div_ceil(60);
    match seconds {
        0..=90 => format!("{seconds} s"),
        91..=5_400 => format!("{minutes} min"),
        _ if minutes.is_multiple_of(60) => format!("{} h", minutes / 60),
        _ => format!("{} h {} min", minutes / 60, minutes % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn times_are_coarse() {
        let s = |seconds: u64| format_coarse_duration(Nanos(seconds * Nanos::SECOND.0));
        assert_eq!((s(1), s(90), s(91)), ("1 s".into(), "90 s".into(), "2 min".into()));
        assert_eq!((s(5_400), s(7_200), s(12_000)), ("90 min".into(), "2 h".into(), "3 h 20 min".into()));
    }

    #[test]
    fn a_cell_is_told_in_the_order_of_the_file() {
        let levels = BTreeMap::from([("a".to_string(), "1".to_string()), ("b".into(), "x".into())]);
        let mut cell = CellExecution { number: 1, block: 1, levels, probe: "tcp".into() };
        let factors = ["b".to_string(), "a".to_string()];
        assert_eq!(cell_title(&cell, &factors), "tcp, b x, a 1");
        cell.block = 0;
        assert_eq!(cell_title(&cell, &factors), "tcp, b x, a 1 (does not count)");
    }
}
