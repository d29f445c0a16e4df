//! An entry of a list of agents: what it reported, how to reach it, or why it cannot be asked.

use super::shown;
use crate::ControlError;
use crate::address::{HostAddress, Route};
use crate::protocol::{Hello, Present, agent_protocol};
use goodput_model::agent::{FoundAgent, Trouble};
use std::net::SocketAddr;

#[derive(Debug, Clone, PartialEq)]
pub struct ListedAgent {
    pub agent: FoundAgent,
    /// `None` when it has not told its name.
    pub at: Option<HostAddress>,
}

impl ListedAgent {
    pub(super) fn known(hello: Hello, way: Route) -> ListedAgent {
        let at = HostAddress { way, ..HostAddress::new(hello.name.clone(), crate::CONTROL_PORT) };
        let port = hello.data_port;
        let data = |port| hello.addresses.iter().map(|ip| SocketAddr::new(*ip, port)).collect();
        let agent = FoundAgent {
            id: hello.agent,
            name: Some(hello.name),
            address: shown(&at),
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

    pub(super) fn heard(id: &str, address: &str, why: &ControlError) -> ListedAgent {
        let (mut version, mut protocol) = (None, agent_protocol(id));
        if let ControlError::Version { theirs, their_version, .. } = why {
            (version, protocol) = (Some(their_version.clone()), Some(*theirs));
        }
        let agent = FoundAgent {
            id: id.to_string(),
            address: address.to_string(),
            version,
            protocol,
            trouble: Some(trouble(why)),
            ..FoundAgent::default()
        };
        ListedAgent { agent, at: None }
    }

    pub(super) fn present(present: &Present, way: Route, why: &ControlError) -> ListedAgent {
        let at = HostAddress { way, ..HostAddress::new(present.name.clone(), crate::CONTROL_PORT) };
        let heard = ListedAgent::heard(&present.id, &shown(&at), why);
        let agent = FoundAgent {
            name: Some(present.name.clone()),
            version: Some(present.version.clone()),
            protocol: Some(present.protocol),
            ..heard.agent
        };
        ListedAgent { agent, at: Some(at) }
    }

    pub(super) fn order(&self) -> (bool, &str, &str) {
        (self.agent.name.is_none(), self.agent.called(), &self.agent.id)
    }

    /// Name and address, where several are listed.
    pub(super) fn described(&self) -> String {
        format!("{} ({}, {})", self.agent.called(), self.agent.address, self.agent.id)
    }
}

fn trouble(e: &ControlError) -> Trouble {
    Trouble { error: e.to_string(), cause: e.cause(), hint: e.hint() }
}
