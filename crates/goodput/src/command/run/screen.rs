//! Progress of an experiment on standard error: a bar on a terminal, one line per cell otherwise, nothing
//! with `--json`.

use crate::{events, language};
use goodput_control::experiment::{Change, RunnerEvent};
use goodput_experiment::Progress;
use goodput_model::event_line::{CellLine, EventLine};
use goodput_model::experiment::record::{Cell, CellOutcome, Step};
use goodput_model::experiment::{Factor, Level};
use goodput_model::{Experiment, Nanos, RunId};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;

enum ProgressOutput {
    Bar(ProgressBar),
    Lines,
    Events,
    Nowhere,
}

pub struct Show {
    place: ProgressOutput,
    factors: Vec<String>,
    title: String,
}

impl Show {
    pub fn new(json: bool, events: bool, experiment: &Experiment) -> Show {
        let place = if events {
            ProgressOutput::Events
        } else if std::io::stderr().is_terminal() {
            let bar = ProgressBar::with_draw_target(Some(1), ProgressDrawTarget::stderr_with_hz(10));
            if let Ok(style) = ProgressStyle::with_template("[{bar:30}] {msg}") {
                bar.set_style(style.progress_chars("=> "));
            }
            ProgressOutput::Bar(bar)
        } else if json {
            ProgressOutput::Nowhere
        } else {
            ProgressOutput::Lines
        };
        let factors = experiment.factors.iter().map(|f| f.name.clone()).collect();
        Show { place, factors, title: String::new() }
    }

    pub fn begun(&self, run: RunId) {
        if let ProgressOutput::Events = self.place {
            events::tell(&EventLine::Started { run: Some(run), trials: None });
        }
    }

    pub fn say(&self, sentence: &str) {
        match &self.place {
            ProgressOutput::Bar(bar) => bar.println(language::text(sentence)),
            ProgressOutput::Lines => language::print_message(sentence),
            ProgressOutput::Events => events::said(sentence),
            ProgressOutput::Nowhere => {}
        }
    }

    pub fn finish(&self) {
        if let ProgressOutput::Bar(bar) = &self.place {
            bar.finish_and_clear();
        }
    }

    /// `expected` is a cell's duration by its settings.
    pub fn news(
        &mut self,
        news: RunnerEvent<'_>,
        progress: &Progress<'_>,
        expected: impl Fn(&Cell) -> Option<Nanos>,
    ) {
        match news {
            RunnerEvent::Recovered(step) | RunnerEvent::Restored(step) => self.restored(step),
            RunnerEvent::Setting(changes) => self.message(&format!("setting {}", wanted(changes))),
            RunnerEvent::Restoring => self.message("putting back what was there"),
            RunnerEvent::Began(cell, _) => {
                self.title = title(cell, &self.factors);
                let line = format!("{}: {}", place(progress, &expected), self.title);
                match &self.place {
                    ProgressOutput::Lines => language::print_message(&line),
                    ProgressOutput::Events => cell_line(cell, None, progress, &expected),
                    _ => self.message(&line),
                }
            }
            RunnerEvent::Ended(cell, outcome) => {
                if let ProgressOutput::Bar(bar) = &self.place {
                    let counts = progress.counts();
                    let ended = counts.done + counts.failed + counts.timed_out + counts.not_set;
                    bar.set_length(u64::from(ended + progress.left(&expected).cells_least));
                    bar.set_position(u64::from(ended));
                }
                if let ProgressOutput::Events = self.place {
                    cell_line(cell, Some(outcome), progress, &expected);
                }
                if let Some(why) = why(outcome) {
                    self.say(&format!("cell {}, {}: {why}", cell.number, title(cell, &self.factors)));
                }
            }
        }
    }

    fn message(&self, text: &str) {
        match &self.place {
            ProgressOutput::Bar(bar) => bar.set_message(language::text(text)),
            ProgressOutput::Events => events::said(text),
            ProgressOutput::Lines | ProgressOutput::Nowhere => {}
        }
    }

    fn restored(&self, step: &Step) {
        match step {
            Step::Restored { factor, obtained } if obtained.is_empty() => {
                self.message(&format!("{factor} is put back"))
            }
            Step::Restored { factor, obtained } => {
                self.message(&format!("{factor} is put back: {}", obtained.join(", ")));
            }
            Step::NotRestored { factor, cause } => {
                self.say(&format!("{factor} could not be put back: {cause}"))
            }
            _ => {}
        }
    }
}

fn cell_line(
    cell: &Cell,
    outcome: Option<&CellOutcome>,
    progress: &Progress<'_>,
    expected: impl Fn(&Cell) -> Option<Nanos>,
) {
    let counts = progress.counts();
    let done = counts.done + counts.failed + counts.timed_out + counts.not_set;
    let left = progress.left(expected);
    events::tell(&EventLine::Cell(CellLine {
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

fn wanted(changes: &[Change<'_>]) -> String {
    let one = |change: &Change<'_>| {
        let (Factor { name, .. }, Level { name: level, .. }) = (change.factor, change.level);
        format!("{name} {level}")
    };
    changes.iter().map(one).collect::<Vec<_>>().join(", ")
}

pub fn title(cell: &Cell, factors: &[String]) -> String {
    let level = |factor: &String| Some(format!("{factor} {}", cell.levels.get(factor)?));
    let words: Vec<String> =
        std::iter::once(cell.probe.clone()).chain(factors.iter().filter_map(level)).collect();
    let warm_up = if cell.block == 0 { " (does not count)" } else { "" };
    format!("{}{warm_up}", words.join(", "))
}

pub fn why(outcome: &CellOutcome) -> Option<String> {
    match outcome {
        CellOutcome::Done => None,
        CellOutcome::Failed { cause } => Some(format!("failed: {cause}")),
        CellOutcome::TimedOut => Some("did not end within its time limit".to_string()),
        CellOutcome::NotSet { cause } => Some(format!("not measured: {cause}")),
    }
}

fn place(progress: &Progress<'_>, expected: impl Fn(&Cell) -> Option<Nanos>) -> String {
    let counts = progress.counts();
    let ended = counts.done + counts.failed + counts.timed_out + counts.not_set;
    let left = progress.left(expected);
    let (least, most) = (ended + left.cells_least, ended + left.cells_most);
    let of = if least == most { format!("{least}") } else { format!("{least} to {most}") };
    let time = match (left.time_least, left.time_most) {
        (Some(least), Some(most)) if words(least) != words(most) => {
            format!(", {} to {} left", words(least), words(most))
        }
        (Some(time), _) => format!(", {} left", words(time)),
        (None, _) => String::new(),
    };
    format!("cell {} of {of}{time}", ended + 1)
}

/// A coarse duration: `45 s`, `12 min`, `3 h 20 min`.
pub fn words(time: Nanos) -> String {
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
        let s = |seconds: u64| words(Nanos(seconds * Nanos::SECOND.0));
        assert_eq!((s(1), s(90), s(91)), ("1 s".into(), "90 s".into(), "2 min".into()));
        assert_eq!((s(5_400), s(7_200), s(12_000)), ("90 min".into(), "2 h".into(), "3 h 20 min".into()));
    }

    #[test]
    fn a_cell_is_told_in_the_order_of_the_file() {
        let levels = BTreeMap::from([("a".to_string(), "1".to_string()), ("b".into(), "x".into())]);
        let mut cell = Cell { number: 1, block: 1, levels, probe: "tcp".into() };
        let factors = ["b".to_string(), "a".to_string()];
        assert_eq!(title(&cell, &factors), "tcp, b x, a 1");
        cell.block = 0;
        assert_eq!(title(&cell, &factors), "tcp, b x, a 1 (does not count)");
    }
}
