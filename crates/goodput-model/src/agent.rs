//! An agent as the coordinator sees it: who it is and what it does, or why it cannot be reached.

use crate::host::HostFacts;
use crate::message::{self, Message};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::net::SocketAddr;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum AgentState {
    #[default]
    Idle,
    /// Reserved by a coordinator.
    Busy {
        client: String,
        /// In milliseconds, by the agent's clock.
        since_ms: u64,
        /// Until the present trial should end by its settings; `None` where they do not say.
        left_ms: Option<u64>,
        waiting: u32,
    },
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct DiscoveredAgent {
    /// Random name since its start; two agents never share it.
    pub id: String,
    /// `None` when the agent could not be reached.
    pub name: Option<String>,
    /// Where it listens for coordinators, or the router through which it is reached.
    pub address: String,
    pub version: Option<String>,
    pub protocol: Option<u16>,
    pub labels: BTreeMap<String, String>,
    pub groups: Vec<String>,
    pub facts: Option<HostFacts>,
    pub data_addresses: Vec<SocketAddr>,
    pub state: Option<AgentState>,
    pub trouble: Option<AgentError>,
}

impl DiscoveredAgent {
    /// Its name, or its address while the name is unknown.
    pub fn display_name(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.address)
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AgentError {
    #[serde(with = "message::english")]
    pub error: Message,
    #[serde(default, with = "message::english_option")]
    pub cause: Option<Message>,
    #[serde(default, with = "message::english_option")]
    pub hint: Option<Message>,
}
