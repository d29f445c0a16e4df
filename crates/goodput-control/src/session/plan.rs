//! One trial as it is to be made.

use super::Onlookers;
use goodput_model::id::{RunId, TrialId};
use goodput_model::probe::Probe;
use goodput_model::trial::{Deadlines, HostBus, Medium};

#[derive(Debug, Clone, PartialEq)]
pub struct TrialPlan {
    /// The trial's name within the run.
    pub trial: TrialId,
    pub probe: Probe,
    pub deadlines: Deadlines,
    /// CPUs that measuring threads are pinned to; `None` pins nothing.
    pub cpus: Option<Vec<u32>>,
    /// Run together with others who say so too, instead of waiting in turn.
    pub shared: bool,
    /// Tell live samples during the window.
    pub live: bool,
    /// Tell each end by itself as well, with its CPU: somebody watches.
    pub watched: bool,
    /// Whether somebody looks on meanwhile: then each end is told by itself, without its CPU.
    pub onlookers: Onlookers,
    pub medium: Option<Medium>,
    /// A bus inside a host that the traffic crosses, where one is named.
    pub bus: Option<HostBus>,
    /// Who is measuring, as others waiting will read it.
    pub client: String,
    /// The run that the trial is recorded in, so that parts of it that are found later can be told whose they are.
    pub run: Option<RunId>,
}

impl TrialPlan {
    /// A plan with the usual deadlines, exclusive, with live samples.
    pub fn new(trial: TrialId, probe: Probe) -> TrialPlan {
        TrialPlan {
            trial,
            probe,
            deadlines: Deadlines::default(),
            cpus: None,
            shared: false,
            live: true,
            watched: false,
            onlookers: Onlookers::default(),
            medium: None,
            bus: None,
            client: format!("process {} on {}", std::process::id(), goodput_host::facts().hostname),
            run: None,
        }
    }
}
