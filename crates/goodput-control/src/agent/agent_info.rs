//! An agent's identity for discovery: name, labels, groups, addresses and state.

use super::{AgentInner, AgentSettings};
use crate::ControlError;
use crate::preflight;
use crate::protocol::{
    PROTOCOL_VERSION, PresenceKey, ReachabilityRequest, ReachabilityResponse, agent_state_zenoh_key,
    new_agent_id,
};
use goodput_model::agent::AgentState;
use goodput_words::ErrorMessage;
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::thread;
use std::time::{Duration, Instant};

/// How long a starting agent waits for its network.
const NETWORK: Duration = Duration::from_secs(3);
const LONGEST_REACH: Duration = Duration::from_secs(10);

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentInfo {
    /// Random; new at each start.
    pub id: String,
    pub name: String,
    pub labels: BTreeMap<String, String>,
    pub groups: Vec<String>,
    pub hidden: bool,
    /// Where it accepts data connections; `None` for every address of the host.
    fixed: Option<Vec<IpAddr>>,
}

impl AgentInfo {
    pub fn with_name(name: &str) -> Result<AgentInfo, ControlError> {
        Ok(AgentInfo {
            id: new_agent_id()?,
            name: name.to_string(),
            labels: BTreeMap::new(),
            groups: Vec::new(),
            hidden: false,
            fixed: None,
        })
    }

    pub(crate) fn from_settings(
        settings: &AgentSettings,
        listens: IpAddr,
    ) -> Result<AgentInfo, ControlError> {
        let given = &settings.data_addresses;
        let fixed = match (given.is_empty(), listens.is_unspecified()) {
            (false, _) => Some(given.clone()),
            (true, false) => Some(vec![listens]),
            (true, true) => None,
        };
        Ok(AgentInfo {
            labels: settings.labels.clone(),
            groups: settings.groups.clone(),
            hidden: settings.hidden,
            fixed,
            ..AgentInfo::with_name(&settings.name)?
        })
    }

    /// Addresses for data connections, IPv4 first; empty when the system does not list them.
    pub fn data_addresses(&self) -> Vec<IpAddr> {
        if let Some(fixed) = &self.fixed {
            return fixed.clone();
        }
        let mut own: Vec<IpAddr> =
            goodput_host::local_addresses().map(|own| own.iter().map(|a| a.ip).collect()).unwrap_or_default();
        own.sort_by_key(IpAddr::is_ipv6);
        own
    }
}

impl AgentInner {
    pub(super) fn presence_key(&self) -> PresenceKey {
        PresenceKey {
            id: self.card.id.clone(),
            name: self.card.name.clone(),
            protocol: PROTOCOL_VERSION,
            version: self.facts.version.clone(),
        }
    }

    /// Publishes the state. Errors are ignored: an agent works without watchers.
    pub(super) fn publish_state(&self, state: &AgentState) {
        if let Ok(text) = serde_json::to_vec(state) {
            self.bus.publish(&agent_state_zenoh_key(&self.card.id), &text);
        }
    }

    /// Returns the first data port of another agent that accepts a connection from this host.
    pub(super) fn find_reachable_address(&self, question: &ReachabilityRequest) -> ReachabilityResponse {
        let until = Instant::now() + question.deadline.to_duration().min(LONGEST_REACH);
        let mut tried = Vec::new();
        for (at, address) in question.addresses.iter().enumerate() {
            // Equal shares of the remaining time: an address that drops packets costs only its share.
            let left =
                until.saturating_duration_since(Instant::now()) / (question.addresses.len() - at) as u32;
            match preflight::connect_to_first_reachable(&[*address], left) {
                Ok((address, _)) => return ReachabilityResponse { address: Some(address), tried },
                Err(e) => tried.push(e.message()),
            }
        }
        ReachabilityResponse { address: None, tried }
    }
}

/// Waits until some interface is up: Zenoh lists the interfaces only once, when it opens its port.
pub(super) fn wait_for_network() {
    let until = Instant::now() + NETWORK;
    while Instant::now() < until && goodput_host::local_addresses().is_ok_and(|own| own.is_empty()) {
        thread::sleep(NETWORK / 100);
    }
}

#[derive(Default)]
pub(super) struct LastPublishedState(Option<String>);

impl LastPublishedState {
    /// The state, if it differs from the one last published.
    pub fn update(&mut self, state: AgentState) -> Option<AgentState> {
        let client = match &state {
            AgentState::Idle => None,
            AgentState::Busy { client, .. } => Some(client.clone()),
        };
        let news = client != self.0;
        self.0 = client;
        news.then_some(state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_goes_where_it_was_told_else_where_the_agent_listens() {
        let given: IpAddr = "192.0.2.1".parse().unwrap();
        let own: IpAddr = "10.0.0.2".parse().unwrap();
        let default = AgentSettings::default();
        assert_eq!(AgentInfo::from_settings(&default, own).unwrap().data_addresses(), [own]);
        let settings = AgentSettings { data_addresses: vec![given], ..default };
        for listening in [own, "::".parse().unwrap()] {
            assert_eq!(AgentInfo::from_settings(&settings, listening).unwrap().data_addresses(), [given]);
        }
    }

    #[test]
    fn only_a_change_of_hands_is_news() {
        let busy = |client: &str, since_ms| {
            let client = client.into();
            AgentState::Busy { client, since_ms, left_ms: None, waiting: 0 }
        };
        let mut told = LastPublishedState::default();
        assert_eq!(told.update(AgentState::Idle), None);
        assert_eq!(told.update(busy("a", 0)), Some(busy("a", 0)));
        assert_eq!(told.update(busy("a", 5)), None);
        assert_eq!(told.update(busy("b", 0)), Some(busy("b", 0)));
        assert_eq!(told.update(AgentState::Idle), Some(AgentState::Idle));
    }
}
