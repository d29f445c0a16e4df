//! Events of the live stream.

use crate::jobs::Job;
use goodput_model::event_line::{FlowProgress, HostCpuUse, LiveProgressLine};
use schemars::JsonSchema;
use serde::Serialize;

/// One event: its name, and what it carries.
// A job publishes a few per second at most.
#[allow(clippy::large_enum_variant)]
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "event", content = "data", rename_all = "lowercase")]
#[schemars(rename = "LiveEvent")]
pub enum LiveEvent {
    /// The stream stands: whatever was shown before may be old, and is to be asked for anew.
    Hello(ServerVersionEvent),
    /// A job changed.
    Job(Job),
    /// A glimpse of a trial under way, at most ten a second of each trial. It may be missing, and no result depends on it.
    Live(LiveSample),
    /// A trial is on disk.
    Recorded(TrialRecordedEvent),
    /// There are other runs than before, or other tags.
    Runs,
    /// Agents came or went.
    Hosts,
    /// A job asks for something to be done by hand, or its question is settled.
    Prompt {
        /// The job.
        job: String,
    },
}

/// Who tells.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Greeting")]
pub struct ServerVersionEvent {
    /// The program's version.
    pub version: String,
}

/// A trial that is on disk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Recorded")]
pub struct TrialRecordedEvent {
    /// The run.
    pub run: String,
    /// The trial's number in it.
    pub trial: u32,
}

/// A glimpse of a trial under way.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct LiveSample {
    /// The job that makes it; `null` for a run that somebody has begun at a terminal.
    pub job: Option<String>,
    /// The run that it will be part of; `null` when nothing is kept.
    pub run: Option<String>,
    /// Its number in the run.
    pub trial: u32,
    /// When it was told, by the server's clock: ns since 1970.
    pub at_ns: u64,
    /// Since the window opened, in ns; `null` before it.
    pub elapsed_ns: Option<u64>,
    /// Share of the trial done, 0 to 1; `null` where it is not known.
    pub done: Option<f64>,
    /// Operations completed since the window opened.
    pub operations: u64,
    /// Operations a second since the sample before; `null` for the first.
    pub operations_per_second: Option<f64>,
    /// What came in, each way by itself.
    pub flows: Vec<LiveFlow>,
    /// The hosts that take part, as far as they tell.
    pub hosts: Vec<LiveHost>,
}

/// Data on its way between two hosts.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct LiveFlow {
    /// Where it comes from.
    pub from: String,
    /// Where it is counted.
    pub to: String,
    /// User bytes counted there since the window opened.
    pub bytes: u64,
    /// The same in bit/s since the sample before; `null` for the first.
    pub goodput_bps: Option<f64>,
}

/// A host that takes part.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct LiveHost {
    /// Its name.
    pub name: String,
    /// Busy share of its CPUs over about the last second, 0 to 100; `null` where it does not tell.
    pub busy_percent: Option<f64>,
    /// True when another host of the trial runs on the same kernel: the figure is that of both together.
    pub shared: bool,
}

impl LiveSample {
    /// `job` is `None` for a run begun at a terminal.
    pub fn from_progress_line(job: Option<&str>, line: LiveProgressLine) -> LiveSample {
        let flow =
            |f: FlowProgress| LiveFlow { from: f.from, to: f.to, bytes: f.bytes, goodput_bps: f.goodput_bps };
        let host = |h: HostCpuUse| LiveHost { name: h.name, busy_percent: h.busy_percent, shared: h.shared };
        LiveSample {
            job: job.map(str::to_string),
            run: line.run.map(|run| run.to_string()),
            trial: line.trial.0,
            at_ns: line.at_ns,
            elapsed_ns: line.elapsed_ns,
            done: line.done,
            operations: line.operations,
            operations_per_second: line.operations_per_second,
            flows: line.flows.into_iter().map(flow).collect(),
            hosts: line.hosts.into_iter().map(host).collect(),
        }
    }
}
