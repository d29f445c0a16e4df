//! What differs between the hosts of two runs, fact by fact.

use crate::trial::Role;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    /// Its name, `interfaces.eth0.mtu`.
    pub name: String,
    /// In the first record; `None` where that has no such fact.
    pub first: Option<String>,
    pub second: Option<String>,
}

/// One end of two runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostDifference {
    pub role: Role,
    /// The end in the first run; `None` where no trial has a report of it.
    pub first: Option<Side>,
    pub second: Option<Side>,
    /// What is not the same, in order of its name; `None` where a record is missing.
    pub differences: Option<Vec<Difference>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Side {
    /// The host's name as the coordinator knew it.
    pub host: String,
    /// Hash of its first inventory; `None` in runs of versions that recorded none.
    pub inventory_hash: Option<String>,
    /// True when a later trial of the run found another inventory.
    pub changed_within_run: bool,
}
