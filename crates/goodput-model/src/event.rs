//! Everything that can happen during a run; one line each in `events.jsonl`.

use crate::experiment::execution_record::ExperimentStep;
use crate::ids::TrialId;
use crate::probe::Probe;
use crate::series::SeriesRef;
use crate::trial::{EndpointRole, Trial};
use crate::units::Nanos;
use serde::{Deserialize, Serialize};

// At most a few a second are in flight, so a large variant costs nothing.
#[allow(clippy::large_enum_variant)]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    Waiting {
        host: String,
        /// Trials in the queue before this one, 1 or more.
        place: u32,
        holder: String,
        /// `None` when the agent does not say.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        held_for: Option<Nanos>,
        /// Until the agent's present trial should end by its settings; `None` where they do not say.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        left: Option<Nanos>,
    },
    TrialStarted {
        trial: TrialId,
        probe: Probe,
    },
    /// Live preview of a trial; may be dropped, never the source of a result.
    Live(LiveProgress),
    /// The same with each end by itself, for viewers; never in a log.
    LiveEnds {
        whole: LiveProgress,
        ends: Vec<EndpointLiveProgress>,
    },
    /// In the log its series are references; in memory they are complete.
    TrialFinished {
        trial: Box<Trial>,
        /// References to each end's series by host role, in the order of `ends` and `series`.
        series: Vec<Vec<SeriesRef>>,
    },
    Experiment {
        step: ExperimentStep,
    },
    RunFinished,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct LiveProgress {
    pub trial: TrialId,
    /// Share done, 0 to 1; `None` when unknown.
    pub done: Option<f64>,
    /// `None` before the window opens.
    pub elapsed_ns: Option<u64>,
    /// Counted at the receiver since the window opened.
    pub bytes: u64,
    /// Since the window opened.
    pub operations: u64,
    /// Busy share of the host's CPUs over about the last second; `None` where not requested, and in a sum.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub busy_percent: Option<f64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EndpointLiveProgress {
    pub role: EndpointRole,
    pub host: String,
    pub counts: bool,
    /// True when another end runs on the same kernel, so that the CPU use is that of both.
    pub shared: bool,
    pub live: Option<LiveProgress>,
}
