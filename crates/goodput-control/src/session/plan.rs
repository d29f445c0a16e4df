//! The plan of one trial.

use super::ViewerFlag;
use crate::ControlError;
use goodput_model::ids::{RunId, TrialId, TrialToken};
use goodput_model::probe::Probe;
use goodput_model::trial::{HostBus, Medium, TrialPurpose, TrialSpec, TrialTimeouts};

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
    /// Recorded with the trial.
    pub purpose: Option<TrialPurpose>,
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
            purpose: None,
        }
    }

    /// The order with a new token, for the first client.
    pub(super) fn to_trial_spec(&self, live: bool) -> Result<TrialSpec, ControlError> {
        Ok(TrialSpec {
            trial: self.trial,
            probe: self.probe.clone(),
            token: TrialToken(crate::random()?),
            deadlines: self.deadlines,
            cpus: self.cpus.clone(),
            live,
            client: 0,
        })
    }
}
