//! An entry of a list of agents: what it reported, how to reach it, or why it cannot be asked.

use super::format_address;
use crate::ControlError;
use crate::address::{AgentRoute, HostAddress};
use crate::protocol::{HelloResponse, PresenceKey, protocol_version_from_agent_id};
use goodput_model::agent::{AgentError, DiscoveredAgent};
use goodput_words::ErrorMessage;
use std::net::SocketAddr;

#[derive(Debug, Clone, PartialEq)]
pub struct ListedAgent {
    pub agent: DiscoveredAgent,
    /// `None` when it has not told its name.
    pub at: Option<HostAddress>,
}

impl ListedAgent {
    pub(super) fn from_hello(hello: HelloResponse, way: AgentRoute) -> ListedAgent {
        let at = HostAddress { way, ..HostAddress::new(hello.name.clone(), crate::CONTROL_PORT) };
        let port = hello.data_port;
        let data = |port| hello.addresses.iter().map(|ip| SocketAddr::new(*ip, port)).collect();
        let agent = DiscoveredAgent {
            id: hello.agent,
            name: Some(hello.name),
            address: format_address(&at),
            version: Some(hello.version),
            protocol: Some(hello.protocol),
            labels: hello.labels,
            groups: hello.groups,
            facts: Some(hello.facts),
            data_addresses: port.map(data).unwrap_or_default(),
            state: Some(hello.state),
            trouble: None,
        };
        ListedAgent { agent, at: Some(at) }
    }

    pub(super) fn from_failed_hello(id: &str, address: &str, why: &ControlError) -> ListedAgent {
        let (mut version, mut protocol) = (None, protocol_version_from_agent_id(id));
        if let ControlError::Version { theirs, their_version, .. } = why {
            (version, protocol) = (Some(their_version.clone()), Some(*theirs));
        }
        let agent = DiscoveredAgent {
            id: id.to_string(),
            address: address.to_string(),
            version,
            protocol,
            trouble: Some(trouble(why)),
            ..DiscoveredAgent::default()
        };
        ListedAgent { agent, at: None }
    }

    pub(super) fn from_presence(present: &PresenceKey, way: AgentRoute, why: &ControlError) -> ListedAgent {
        let at = HostAddress { way, ..HostAddress::new(present.name.clone(), crate::CONTROL_PORT) };
        let heard = ListedAgent::from_failed_hello(&present.id, &format_address(&at), why);
        let agent = DiscoveredAgent {
            name: Some(present.name.clone()),
            version: Some(present.version.clone()),
            protocol: Some(present.protocol),
            ..heard.agent
        };
        ListedAgent { agent, at: Some(at) }
    }

    pub(super) fn sort_key(&self) -> (bool, &str, &str) {
        (self.agent.name.is_none(), self.agent.display_name(), &self.agent.id)
    }

    /// Name and address, where several are listed.
    pub(super) fn name_and_address(&self) -> String {
        format!("{} ({}, {})", self.agent.display_name(), self.agent.address, self.agent.id)
    }
}

fn trouble(e: &ControlError) -> AgentError {
    AgentError { error: e.message(), cause: e.cause(), hint: e.hint() }
}
