//! Everything that can happen while a run goes on; one line each in `events.jsonl`.

use crate::experiment::record::Step;
use crate::id::TrialId;
use crate::probe::Probe;
use crate::series::SeriesRef;
use crate::trial::{Role, Trial};
use crate::units::Nanos;
use serde::{Deserialize, Serialize};

/// One thing that happened. Screen, store and progress all listen to the same stream of them.
// Told a few times a second, and never many at once.
#[allow(clippy::large_enum_variant)]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// Waiting for an agent that is busy with another trial.
    Waiting {
        host: String,
        /// Trials before ours, 1 or more.
        place: u32,
        holder: String,
        /// For how long already; `None` when the agent does not say.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        held_for: Option<Nanos>,
        /// Until the holder's present trial should be over by its settings; `None` where they do not say.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        left: Option<Nanos>,
    },
    TrialStarted {
        trial: TrialId,
        probe: Probe,
    },
    /// A glimpse of a trial under way; may be dropped, never the source of a result.
    Live(Live),
    /// The same with each end by itself, where somebody watches; likewise never in a log.
    LiveEnds {
        /// All ends that count, together.
        whole: Live,
        ends: Vec<LiveEnd>,
    },
    /// A trial ended. In the log its series stand as references; in memory they are whole.
    TrialFinished {
        trial: Box<Trial>,
        /// Where each end's series lie: host role and reference, in the order of `ends` and `series`.
        series: Vec<Vec<SeriesRef>>,
    },
    /// Something happened in an experiment that is no trial.
    Experiment {
        step: Step,
    },
    /// The run ended in good order.
    RunFinished,
}

/// A glimpse of a trial under way.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Live {
    pub trial: TrialId,
    /// Done so far, 0 to 1; `None` when unknown.
    pub done: Option<f64>,
    /// Time since the window opened; `None` before it.
    pub elapsed_ns: Option<u64>,
    /// User bytes counted at the receiver since the window opened.
    pub bytes: u64,
    /// Operations counted since the window opened.
    pub operations: u64,
    /// Busy share of the host's CPUs over about the last second, 0 to 100; `None` where nobody asked, and in a sum.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub busy_percent: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LiveEnd {
    pub role: Role,
    pub host: String,
    /// True for an end whose count is the result.
    pub counts: bool,
    /// True when another end runs on the same kernel, and its CPU figure is that of both.
    pub shared: bool,
    /// Its last glimpse; `None` before the first.
    pub live: Option<Live>,
}
