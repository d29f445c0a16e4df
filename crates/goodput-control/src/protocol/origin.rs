//! A result's origin, with the order, then the result, so that another coordinator can identify an orphan.

use goodput_model::ids::{RunId, TrialId};
use goodput_model::probe::Probe;
use goodput_model::trial::{HostBus, Medium};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrialContext {
    /// Random name that all ends of this attempt share.
    pub attempt: String,
    pub run: Option<RunId>,
    /// The coordinator, as shown to others that wait.
    pub by: String,
    /// By the coordinator's clock: RFC 3339, UTC.
    pub ordered: String,
    /// The connecting ends, in the order of `Order::client`.
    pub connecting: Vec<String>,
    pub listening: String,
    pub medium: Option<Medium>,
    /// A bus inside a host that the traffic crosses, where the user named one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bus: Option<HostBus>,
}

/// Origin of a result: the order without its secret.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ResultOrigin {
    pub about: TrialContext,
    /// While this coordinator is present, the result is not for others.
    pub presence: String,
    pub trial: TrialId,
    pub probe: Probe,
    pub client: u16,
}

/// Summary of an orphaned result's origin.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrphanedResultSummary {
    pub attempt: String,
    /// `None` when it was not to be stored.
    pub run: Option<RunId>,
    pub trial: TrialId,
    pub probe: String,
    pub by: String,
    /// By that coordinator's clock: RFC 3339, UTC.
    pub ordered: String,
}

impl ResultOrigin {
    pub fn orphaned_result_summary(&self) -> OrphanedResultSummary {
        OrphanedResultSummary {
            attempt: self.about.attempt.clone(),
            run: self.about.run,
            trial: self.trial,
            probe: self.probe.name().to_string(),
            by: self.about.by.clone(),
            ordered: self.about.ordered.clone(),
        }
    }
}
