//! An agent as a fleet sees it: who it is and what it is doing, or why it cannot be asked.

use crate::host::HostFacts;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::net::SocketAddr;

/// What an agent is doing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum AgentState {
    /// Waits for orders.
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
        /// Others who wait for their turn.
        waiting: u32,
    },
}

/// One agent of a list.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct FoundAgent {
    /// Its random name since its start; two agents never share it.
    pub id: String,
    /// The name it goes by; `None` when it could not be asked.
    pub name: Option<String>,
    /// Where it waits for orders, or through which router it is reached.
    pub address: String,
    /// The program's version.
    pub version: Option<String>,
    /// The protocol it speaks.
    pub protocol: Option<u16>,
    /// Labels given to it.
    pub labels: BTreeMap<String, String>,
    /// Groups it belongs to.
    pub groups: Vec<String>,
    /// What its host is.
    pub facts: Option<HostFacts>,
    /// Where it takes data connections.
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
    /// What cannot be done.
    pub error: String,
    /// Why, if more is known.
    pub cause: Option<String>,
    /// What to type or to look at.
    pub hint: Option<String>,
}
