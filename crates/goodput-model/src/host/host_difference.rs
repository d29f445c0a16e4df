//! What differs between the hosts of two runs, fact by fact.

use crate::trial::EndpointRole;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct InventoryFactDifference {
    /// For example `interfaces.eth0.mtu`.
    pub name: String,
    pub first: Option<String>,
    pub second: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HostDifference {
    pub role: EndpointRole,
    /// `None` where no trial has a report of this end.
    pub first: Option<ComparedHost>,
    pub second: Option<ComparedHost>,
    /// In order of name; `None` where an inventory is missing.
    pub differences: Option<Vec<InventoryFactDifference>>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ComparedHost {
    pub host: String,
    /// Of the first inventory; `None` in runs of versions that recorded none.
    pub inventory_hash: Option<String>,
    pub changed_within_run: bool,
}
