//! The plan of one trial.

use super::ViewerFlag;
use goodput_model::ids::{RunId, TrialId};
use goodput_model::probe::Probe;
use goodput_model::trial::{HostBus, Medium, TrialTimeouts};

#[derive(Debug, Clone, PartialEq)]
pub struct TrialPlan {
    pub trial: TrialId,
    pub probe: Probe,
    pub deadlines: TrialTimeouts,
    /// CPUs for measuring threads; `None` for no pinning.
    pub cpus: Option<Vec<u32>>,
    /// Run together with other shared trials.
    pub shared: bool,
    /// Publish live samples during the window.
    pub live: bool,
    /// Publish each end separately, with its CPU.
    pub watched: bool,
    /// With observers, each end is published separately, without its CPU.
    pub viewer_flag: ViewerFlag,
    pub medium: Option<Medium>,
    /// A bus inside a host that the traffic crosses, where the user named one.
    pub bus: Option<HostBus>,
    /// Who measures, as shown to others that wait.
    pub client: String,
    /// The run of the trial, to identify orphaned results.
    pub run: Option<RunId>,
}

impl TrialPlan {
    /// Default deadlines, exclusive, with live samples.
    pub fn new(trial: TrialId, probe: Probe) -> TrialPlan {
        TrialPlan {
            trial,
            probe,
            deadlines: TrialTimeouts::default(),
            cpus: None,
            shared: false,
            live: true,
            watched: false,
            viewer_flag: ViewerFlag::default(),
            medium: None,
            bus: None,
            client: format!("process {} on {}", std::process::id(), goodput_host::host_facts().hostname),
            run: None,
        }
    }
}
