//! An experiment's progress on stderr: a bar on a terminal, else one line per cell, nothing with `--json`.

use crate::screen::ProgressOutput;
use crate::{events, language};
use goodput_control::experiment::{LevelChange, RunnerEvent};
use goodput_experiment::ExecutionProgress;
use goodput_model::event_line::{CellProgressLine, EventLine};
use goodput_model::experiment::execution_record::{CellExecution, CellOutcome, ExperimentStep};
use goodput_model::{Experiment, Message, MessageArg, Nanos, RunId};
use goodput_words::message;
use goodput_words::message_argument::quantity_arg;

pub struct RunProgress {
    place: ProgressOutput,
    factors: Vec<String>,
}

impl RunProgress {
    pub fn new(json: bool, events: bool, experiment: &Experiment) -> RunProgress {
        let place = ProgressOutput::from_options(json, events, 1, "[{bar:30}] {msg}");
        let factors = experiment.factors.iter().map(|f| f.name.clone()).collect();
        RunProgress { place, factors }
    }

    pub fn show_run_started(&self, run: RunId) {
        if let ProgressOutput::Events = self.place {
            events::write_event_line(&EventLine::Started { run: Some(run), trials: None });
        }
    }

    pub fn print_message(&self, message: impl Into<Message>) {
        self.place.print_message(message);
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
            RunnerEvent::Setting(changes) => {
                self.message(&message!(progress_setting { levels: wanted(changes) }))
            }
            RunnerEvent::Restoring => self.message(&message!(progress_putting_back)),
            RunnerEvent::Began(cell, _) => {
                let line = cell_place(progress, &expected, cell_title(cell, &self.factors));
                match &self.place {
                    ProgressOutput::Lines => language::print_message(line),
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
                    let (number, title) = (cell.number.to_string(), cell_title(cell, &self.factors));
                    self.print_message(message!(progress_cell_why { number, title, why }));
                }
            }
        }
    }

    fn message(&self, message: &Message) {
        match &self.place {
            ProgressOutput::Bar(bar) => bar.set_message(language::format_message(message)),
            ProgressOutput::Events => events::write_message_event(message),
            ProgressOutput::Lines | ProgressOutput::Nowhere => {}
        }
    }

    fn restored(&self, step: &ExperimentStep) {
        match step {
            ExperimentStep::Restored { factor, obtained } if obtained.is_empty() => {
                self.message(&message!(progress_is_put_back { factor }))
            }
            ExperimentStep::Restored { factor, obtained } => {
                self.message(&message!(progress_is_put_back_to { factor, values: obtained.clone() }));
            }
            ExperimentStep::NotRestored { factor, cause } => {
                self.print_message(message!(progress_could_not_be_put_back { factor, cause }))
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

fn wanted(changes: &[LevelChange<'_>]) -> Vec<String> {
    changes.iter().map(|change| format!("{} {}", change.factor.name, change.level.name)).collect()
}

fn cell_title(cell: &CellExecution, factors: &[String]) -> MessageArg {
    let level = |factor: &String| Some(format!("{factor} {}", cell.levels.get(factor)?));
    let words: Vec<String> =
        std::iter::once(cell.probe.clone()).chain(factors.iter().filter_map(level)).collect();
    let title = words.join(", ");
    if cell.block == 0 { message!(progress_cell_warm_up { title }).into() } else { title.into() }
}

fn cell_failure_reason(outcome: &CellOutcome) -> Option<Message> {
    match outcome {
        CellOutcome::Done => None,
        CellOutcome::Failed { cause } => Some(message!(part_cell_failed { cause })),
        CellOutcome::TimedOut => Some(message!(part_cell_timed_out)),
        CellOutcome::NotSet { cause } => Some(message!(part_cell_not_measured { cause })),
    }
}

fn cell_place(
    progress: &ExecutionProgress<'_>,
    expected: impl Fn(&CellExecution) -> Option<Nanos>,
    title: MessageArg,
) -> Message {
    let counts = progress.execution_counts();
    let ended = counts.done + counts.failed + counts.timed_out + counts.not_set;
    let left = progress.remaining_work(expected);
    let number = (ended + 1).to_string();
    let (least, most) = ((ended + left.cells_least).to_string(), (ended + left.cells_most).to_string());
    match (least == most, time_left(left.time_least, left.time_most)) {
        (true, None) => message!(progress_cell { number, all: least, title }),
        (true, Some(time)) => message!(progress_cell_left { number, all: least, time, title }),
        (false, None) => message!(progress_cell_range { number, least, most, title }),
        (false, Some(time)) => message!(progress_cell_range_left { number, least, most, time, title }),
    }
}

fn time_left(least: Option<Nanos>, most: Option<Nanos>) -> Option<MessageArg> {
    let least = least?;
    let coarse = |time: Nanos| quantity_arg(time.0 as f64, "ns", format_coarse_duration(time));
    match most.filter(|most| format_coarse_duration(*most) != format_coarse_duration(least)) {
        Some(most) => Some(message!(clause_span { low: coarse(least), high: coarse(most) }).into()),
        None => Some(coarse(least)),
    }
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
    use goodput_words::typed_message::arg_english_text;
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
        assert_eq!(arg_english_text(&cell_title(&cell, &factors)), "tcp, b x, a 1");
        cell.block = 0;
        assert_eq!(arg_english_text(&cell_title(&cell, &factors)), "tcp, b x, a 1 (does not count)");
    }
}
