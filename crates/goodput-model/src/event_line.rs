//! The line protocol of `--events`: a measuring command writes one JSON object a line to standard output and
//! reads answers from standard input. Samples stay in the store, by run and trial. Lines and members may be
//! added; readers must ignore unknown ones. Texts are English; `…_message` has what a text was made of.

use crate::Message;
use crate::experiment::FactorLevels;
use crate::experiment::execution_record::CellOutcome;
use crate::ids::{RunId, TrialId};
use crate::units::Nanos;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum EventLine {
    /// The run exists: everything measured from now on is stored in it.
    Started {
        run: Option<RunId>,
        /// `None` where not known in advance.
        trials: Option<u32>,
    },
    Waiting {
        host: String,
        /// Trials in the queue before this one, 1 or more.
        place: u32,
        holder: String,
    },
    TrialStarted {
        trial: TrialId,
        probe: String,
        /// For example "trial 2 of 5: stream".
        #[serde(flatten, with = "crate::message::title")]
        title: Message,
        /// Warm-up and window; `None` where not known in advance.
        planned: Option<Nanos>,
        /// False for what is no part of the result: preparation, warm-up, cleanup.
        counts: bool,
    },
    /// Live preview; never the source of a result, at most ten a second.
    Live(LiveProgressLine),
    TrialFinished {
        /// `None` when nothing is saved.
        run: Option<RunId>,
        trial: TrialId,
        /// `wait_for_completion`, `partial` or `failed`.
        outcome: String,
        #[serde(flatten, with = "crate::message::optional_cause")]
        cause: Option<Message>,
    },
    /// An execution of an experiment begins or has ended.
    Cell(CellProgressLine),
    /// Manual step: the command waits for an [`ManualStepAnswer`].
    Ask(ManualStepQuestion),
    Answered {
        id: String,
    },
    Said {
        #[serde(flatten, with = "crate::message::text")]
        text: Message,
    },
    Finished {
        run: Option<RunId>,
        exit: u8,
        /// Why the exit code is not 0, where the run itself does not tell.
        failure: Option<FailureLine>,
    },
    #[serde(other)]
    Unknown,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LiveProgressLine {
    pub run: Option<RunId>,
    pub trial: TrialId,
    /// Clock of this host: ns since 1970.
    pub at_ns: u64,
    /// `None` before the window opens.
    pub elapsed_ns: Option<u64>,
    /// 0 to 1; `None` when unknown.
    pub done: Option<f64>,
    pub operations: u64,
    /// Since the line before; `None` for the first.
    pub operations_per_second: Option<f64>,
    /// Each direction by itself.
    pub flows: Vec<FlowProgress>,
    pub hosts: Vec<HostCpuUse>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FlowProgress {
    pub from: String,
    /// Where it is counted.
    pub to: String,
    /// Since the window opened.
    pub bytes: u64,
    /// Since the line before; `None` for the first.
    pub goodput_bps: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HostCpuUse {
    pub name: String,
    /// Over about the last second, 0 to 100; `None` where not reported.
    pub busy_percent: Option<f64>,
    /// True when another host of the trial runs on the same kernel: the value is that of both.
    pub shared: bool,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CellProgressLine {
    /// Number in the plan, counted from 1.
    pub number: u32,
    /// Repeat, 0 for a warm-up.
    pub block: u32,
    pub levels: FactorLevels,
    pub probe: String,
    pub outcome: Option<CellOutcome>,
    pub done: u32,
    /// Executions in total with the fewest repeats allowed.
    pub of_least: u32,
    /// Executions in total with the most repeats allowed.
    pub of_most: u32,
    /// Least remaining time; `None` where unknown.
    pub left: Option<Nanos>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManualStepQuestion {
    /// Named in the answer; unique within the command.
    pub id: String,
    pub factor: String,
    pub level: String,
    pub text: String,
    /// What is checked afterwards, one sentence a fact; empty where only the operator knows.
    pub must_show: Vec<String>,
    /// What was found instead after an earlier answer.
    pub wrong: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FailureLine {
    #[serde(flatten, with = "crate::message::error")]
    pub error: Message,
    #[serde(flatten, with = "crate::message::optional_cause")]
    pub cause: Option<Message>,
    #[serde(flatten, with = "crate::message::optional_hint")]
    pub hint: Option<Message>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManualStepAnswer {
    /// The question's name ([`Question::id`]).
    pub prompt: String,
    /// [`ManualStepAnswer::DONE`] or [`ManualStepAnswer::SKIP`].
    pub answer: String,
}

impl ManualStepAnswer {
    /// The step is done; the facts are checked in any case.
    pub const DONE: &str = "done";
    /// The step will not be done: the cell has no result.
    pub const SKIP: &str = "skip";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_reads_as_documented_and_a_newer_one_is_passed_over() {
        let (outcome, cause) = ("partial".into(), Some("the far end went away".into()));
        let line = EventLine::TrialFinished { run: None, trial: TrialId(3), outcome, cause };
        let text = serde_json::to_string(&line).unwrap();
        let expected = r#"{"event":"trial_finished","run":null,"trial":3,"outcome":"partial","cause":"the far end went away"}"#;
        assert_eq!(text, expected);
        assert_eq!(serde_json::from_str::<EventLine>(&text).unwrap(), line);
        let line = r#"{"event":"weather","temperature":21}"#;
        assert_eq!(serde_json::from_str::<EventLine>(line).unwrap(), EventLine::Unknown);
    }
}
