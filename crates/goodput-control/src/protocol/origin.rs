//! What a result belongs to. It travels with the order and stays with the result, so that whoever finds the result
//! later, when the coordinator that ordered it is gone, can tell what it is.

use goodput_model::id::{RunId, TrialId};
use goodput_model::probe::Probe;
use goodput_model::trial::{HostBus, Medium};
use serde::{Deserialize, Serialize};

/// What a trial belongs to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct About {
    /// Random name that all ends of this attempt share.
    pub attempt: String,
    /// The run that it was to be recorded in.
    pub run: Option<RunId>,
    /// Who ordered it, as others waiting read it.
    pub by: String,
    /// When, by the coordinator's clock: RFC 3339, UTC.
    pub ordered: String,
    /// The connecting ends as the coordinator knows them, in the order of `Order::client`.
    pub connecting: Vec<String>,
    /// The listening end.
    pub listening: String,
    /// The medium between them, where one was known.
    pub medium: Option<Medium>,
    /// A bus inside a host that the traffic crosses, where one was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bus: Option<HostBus>,
}

/// What a result is part of: the order without its secret.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Origin {
    /// What the trial belongs to.
    pub about: About,
    /// The presence of the coordinator that ordered it: while that is there, the result is not for others.
    pub presence: String,
    /// The trial's name.
    pub trial: TrialId,
    /// What was measured.
    pub probe: Probe,
    /// `Order::client`.
    pub client: u16,
}

/// What a kept result was part of, in short.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Orphan {
    /// [`About::attempt`].
    pub attempt: String,
    /// [`About::run`].
    pub run: Option<RunId>,
    /// The trial's name within it.
    pub trial: TrialId,
    /// The probe's name.
    pub probe: String,
    /// [`About::by`].
    pub by: String,
    /// [`About::ordered`].
    pub ordered: String,
}

impl Origin {
    /// In short.
    pub fn orphan(&self) -> Orphan {
        Orphan {
            attempt: self.about.attempt.clone(),
            run: self.about.run,
            trial: self.trial,
            probe: self.probe.name().to_string(),
            by: self.about.by.clone(),
            ordered: self.about.ordered.clone(),
        }
    }
}
