//! What a measuring command says of itself while it runs, for a program that has started it (`--events`): one JSON
//! object a line on standard output, and answers, one a line, on standard input.
//!
//! It is made from the one stream of [`crate::Event`]s, and lighter than it: a trial's samples stay in the store, where
//! whoever reads a line finds them by run and trial. Lines and fields may be added; a reader passes over what it does not
//! know.

use crate::experiment::Levels;
use crate::experiment::record::CellOutcome;
use crate::id::{RunId, TrialId};
use crate::units::Nanos;
use serde::{Deserialize, Serialize};

/// One line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum EventLine {
    /// The command has its place: what it measures from now on is kept in this run.
    Started {
        /// The run; `None` when nothing is kept.
        run: Option<RunId>,
        /// Trials in all, where that is known beforehand.
        trials: Option<u32>,
    },
    /// Waiting for an agent that is busy with another trial.
    Waiting {
        /// The agent's host.
        host: String,
        /// Trials before ours, 1 or more.
        place: u32,
        /// Who holds it.
        holder: String,
    },
    /// A trial begins.
    TrialStarted {
        /// Its name within the run.
        trial: TrialId,
        /// The probe's name.
        probe: String,
        /// What it is, in a few words: "trial 2 of 5: stream".
        title: String,
        /// Warm-up and window, where they are known beforehand.
        planned: Option<Nanos>,
        /// False for what is no part of the run: making ready, warming up, removing.
        counts: bool,
    },
    /// A glimpse of the trial under way; never the source of a result, and at most ten a second.
    Live(LiveLine),
    /// A trial ended, and is on disk where a run is kept.
    TrialFinished {
        /// The run; `None` when nothing is kept.
        run: Option<RunId>,
        /// The trial.
        trial: TrialId,
        /// `complete`, `partial` or `failed`.
        outcome: String,
        /// Why it is not whole.
        cause: Option<String>,
    },
    /// An execution of an experiment begins, or has ended.
    Cell(CellLine),
    /// Somebody must put a level in place by hand; the command waits for an [`AnswerLine`].
    Ask(Question),
    /// The question is settled.
    Answered {
        /// Which.
        id: String,
    },
    /// A sentence for whoever watches.
    Said {
        /// The sentence.
        text: String,
    },
    /// The last line.
    Finished {
        /// The run; `None` when none was kept.
        run: Option<RunId>,
        /// The exit code that the command is about to end with.
        exit: u8,
        /// Why it is not 0, where there is more to say than the run itself says.
        failure: Option<FailureLine>,
    },
    /// A line of a newer version.
    #[serde(other)]
    Unknown,
}

/// A glimpse of the trial under way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LiveLine {
    /// The run; `None` when nothing is kept.
    pub run: Option<RunId>,
    /// The trial.
    pub trial: TrialId,
    /// When it was told, by the clock of this host: ns since 1970.
    pub at_ns: u64,
    /// Since the window opened; `None` before it.
    pub elapsed_ns: Option<u64>,
    /// Share of the trial done, 0 to 1; `None` when unknown.
    pub done: Option<f64>,
    /// Operations completed since the window opened, by all ends whose count is the result.
    pub operations: u64,
    /// Operations a second since the line before; `None` for the first.
    pub operations_per_second: Option<f64>,
    /// What came in, each way by itself.
    pub flows: Vec<FlowLine>,
    /// The hosts that take part, as far as they tell.
    pub hosts: Vec<HostLine>,
}

/// Data on its way between two hosts of a trial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FlowLine {
    /// Where it comes from.
    pub from: String,
    /// Where it is counted.
    pub to: String,
    /// User bytes counted there since the window opened.
    pub bytes: u64,
    /// The same a second, in bit/s, since the line before; `None` for the first.
    pub goodput_bps: Option<f64>,
}

/// A host of a trial.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HostLine {
    /// Its name, as the user knows it.
    pub name: String,
    /// Busy share of its CPUs over about the last second, 0 to 100; `None` where it does not tell.
    pub busy_percent: Option<f64>,
    /// True when another host of the trial runs on the same kernel: the figure is that of both together.
    pub shared: bool,
}

/// An execution of an experiment.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CellLine {
    /// Its number in the plan, counted from 1.
    pub number: u32,
    /// The repeat, 0 for a warm-up.
    pub block: u32,
    /// The combination of levels.
    pub levels: Levels,
    /// The probe line's name.
    pub probe: String,
    /// How it ended; `None` when it begins.
    pub outcome: Option<CellOutcome>,
    /// Executions that have ended.
    pub done: u32,
    /// Executions in all, if the repeats are as few as they can be.
    pub of_least: u32,
    /// Executions in all, if all repeats are made.
    pub of_most: u32,
    /// How long the least of what is left takes; `None` where nothing is known of it.
    pub left: Option<Nanos>,
}

/// What somebody is asked to do by hand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// Its name within the command; an answer names it.
    pub id: String,
    /// The factor.
    pub factor: String,
    /// The level that it is to have.
    pub level: String,
    /// What is to be done.
    pub text: String,
    /// What will be looked at afterwards, one sentence a fact; none where only the operator knows.
    pub must_show: Vec<String>,
    /// What was found instead after an earlier answer.
    pub wrong: Option<String>,
}

/// Why a command did not end well.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailureLine {
    /// What could not be done.
    pub error: String,
    /// Why.
    pub cause: Option<String>,
    /// What to type or do.
    pub hint: Option<String>,
}

/// One line on standard input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AnswerLine {
    /// The question's name ([`Question::id`]).
    pub prompt: String,
    /// [`AnswerLine::DONE`] or [`AnswerLine::SKIP`].
    pub answer: String,
}

impl AnswerLine {
    /// It is done; the facts are looked at in any case.
    pub const DONE: &str = "done";
    /// It is not going to be done: the cell has no result.
    pub const SKIP: &str = "skip";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_reads_as_documented() {
        let line = EventLine::TrialFinished {
            run: None,
            trial: TrialId(3),
            outcome: "partial".into(),
            cause: Some("the far end went away".into()),
        };
        let text = serde_json::to_string(&line).unwrap();
        let expected = r#"{"event":"trial_finished","run":null,"trial":3,"outcome":"partial","cause":"the far end went away"}"#;
        assert_eq!(text, expected);
        assert_eq!(serde_json::from_str::<EventLine>(&text).unwrap(), line);
    }

    #[test]
    fn a_glimpse_has_its_fields_beside_its_name() {
        let live = LiveLine {
            run: None,
            trial: TrialId(1),
            at_ns: 5,
            elapsed_ns: Some(4),
            done: None,
            operations: 0,
            operations_per_second: None,
            flows: vec![FlowLine { from: "a".into(), to: "b".into(), bytes: 9, goodput_bps: None }],
            hosts: vec![HostLine { name: "a".into(), busy_percent: Some(12.5), shared: false }],
        };
        let value = serde_json::to_value(EventLine::Live(live)).unwrap();
        assert_eq!((&value["event"], &value["flows"][0]["bytes"]), (&"live".into(), &9.into()));
    }

    #[test]
    fn what_a_newer_version_says_is_passed_over() {
        let line = r#"{"event":"weather","temperature":21}"#;
        assert_eq!(serde_json::from_str::<EventLine>(line).unwrap(), EventLine::Unknown);
    }
}
