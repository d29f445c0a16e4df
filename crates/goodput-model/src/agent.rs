//! An agent as a fleet sees it: who it is and what it is doing, or why it cannot be asked.

use crate::host::HostFacts;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::net::SocketAddr;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum AgentState {
    #[default]
    Idle,
    /// Has given itself to a coordinator.
    Busy {
        /// Who, in the coordinator's words.
        client: String,
        /// For how long already, in milliseconds, by the agent's clock.
        since_ms: u64,
        /// Until the present trial should be over by its settings, where they say.
        left_ms: Option<u64>,
        waiting: u32,
    },
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct FoundAgent {
    /// Its random name since its start; two agents never share it.
    pub id: String,
    /// The name it goes by; `None` when it could not be asked.
    pub name: Option<String>,
    /// Where it waits for orders, or through which router it is reached.
    pub address: String,
    pub version: Option<String>,
    pub protocol: Option<u16>,
    pub labels: BTreeMap<String, String>,
    pub groups: Vec<String>,
    pub facts: Option<HostFacts>,
    pub data_addresses: Vec<SocketAddr>,
    /// What it is doing; `None` when it could not be asked.
    pub state: Option<AgentState>,
    /// Why no order can be given to it from here; `None` when one can.
    pub trouble: Option<Trouble>,
}

impl FoundAgent {
    /// What a person calls it: its name, or its address when it has not said one.
    pub fn called(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.address)
    }
}

/// Why something cannot be done, for a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trouble {
    pub error: String,
    pub cause: Option<String>,
    pub hint: Option<String>,
}
