//! What a result belongs to. It travels with the order and stays with the result, so that whoever finds the result
//! later, when the coordinator that ordered it is gone, can tell what it is.

use goodput_model::id::{RunId, TrialId};
use goodput_model::probe::Probe;
use goodput_model::trial::{HostBus, Medium};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct About {
    /// Random name that all ends of this attempt share.
    pub attempt: String,
    pub run: Option<RunId>,
    /// Who ordered it, as others waiting read it.
    pub by: String,
    /// When, by the coordinator's clock: RFC 3339, UTC.
    pub ordered: String,
    /// The connecting ends as the coordinator knows them, in the order of `Order::client`.
    pub connecting: Vec<String>,
    pub listening: String,
    pub medium: Option<Medium>,
    /// A bus inside a host that the traffic crosses, where one was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bus: Option<HostBus>,
}

/// What a result is part of: the order without its secret.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Origin {
    pub about: About,
    /// The presence of the coordinator that ordered it: while that is there, the result is not for others.
    pub presence: String,
    pub trial: TrialId,
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
    pub trial: TrialId,
    pub probe: String,
    /// [`About::by`].
    pub by: String,
    /// [`About::ordered`].
    pub ordered: String,
}

impl Origin {
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
