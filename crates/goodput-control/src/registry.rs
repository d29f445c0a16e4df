//! Lists and selects agents on this network or at a router. On a network a coordinator scouts by multicast
//! for about a second and identifies each answer over mutual TLS. At a router all present agents are asked at
//! once. Ambiguous names are errors.

mod agent_changes;
mod lan;
mod listed_agent;
mod select;
mod via_router;

pub use agent_changes::AgentChange;
pub use listed_agent::ListedAgent;

pub(crate) use via_router::{connect_to_router, find_agent_id};

use crate::ControlError;
use crate::address::{AgentRoute, AgentRouterAddress, CONTROL_PORT, HostAddress};
pub use crate::error::{NoSuchAgent, SearchPlace};
use crate::identity::Identity;
use crate::preflight;
use goodput_model::trial::TrialTimeouts;
use goodput_probe::CancelFlag;
use std::net::SocketAddr;
use std::sync::Arc;

/// Where and with which identity to look for agents.
pub struct AgentRegistry {
    identity: Option<Arc<Identity>>,
    router: Option<AgentRouterAddress>,
    deadlines: TrialTimeouts,
}

impl AgentRegistry {
    /// Uses a router if one is named, else this network.
    pub fn new(
        identity: Option<Arc<Identity>>,
        router: Option<AgentRouterAddress>,
        deadlines: TrialTimeouts,
    ) -> AgentRegistry {
        AgentRegistry { identity, router, deadlines }
    }

    /// All agents by name, in about a second on a network. One that cannot be asked is listed with its error.
    pub fn list_agents(&self) -> Result<Vec<ListedAgent>, ControlError> {
        let identity = self.identity.as_deref();
        let mut listed = match &self.router {
            Some(router) => {
                let bus = connect_to_router(router, identity, &self.deadlines)?;
                via_router::list_agents(&bus, router, identity)?
            }
            None => lan::discover_lan_agents(identity, &self.deadlines)?,
        };
        listed.sort_by(|a, b| a.sort_key().cmp(&b.sort_key()));
        Ok(listed)
    }

    /// Resolves a bare name. With a router: only the agent of this name there. Otherwise the host that the
    /// resolver knows, else the agent of this name on the network.
    pub fn resolve_name(&self, name: &str) -> Result<HostAddress, ControlError> {
        if let Some(router) = &self.router {
            let bus = connect_to_router(router, self.identity.as_deref(), &self.deadlines)?;
            find_agent_id(&bus, router, name, &self.deadlines)?;
            return Ok(via_router::agent_address(router, name));
        }
        let host = HostAddress::new(name, CONTROL_PORT);
        match preflight::resolve_host(&host, self.deadlines.resolve.to_duration()) {
            Ok(_) => Ok(host),
            Err(e) => select::find_agent_by_name(&self.list_agents()?, name, self.place(), e.cause()),
        }
    }

    /// A group's members by name. Fails for an empty group, an unusable member, and two hosts with one name.
    pub fn group_members(&self, group: &str) -> Result<Vec<(String, HostAddress)>, ControlError> {
        let found = select::find_group_members(&self.list_agents()?, group, self.place())?;
        select::deduplicate_hosts(found)
    }

    /// Reports agents and their changes until cancelled.
    pub fn watch_agents(
        &self,
        tell: &mut dyn FnMut(AgentChange),
        cancel: &CancelFlag,
    ) -> Result<(), ControlError> {
        let identity = self.identity.clone();
        match &self.router {
            Some(router) => {
                agent_changes::watch_agents_via_router(router, identity, &self.deadlines, tell, cancel)
            }
            None => agent_changes::watch_lan_agents(identity, &self.deadlines, tell, cancel),
        }
    }

    /// The local agent without a key, which a watch does not find. `None` with a key or a router.
    pub fn find_local_agent(&self) -> Option<ListedAgent> {
        let alone = self.identity.is_none() && self.router.is_none();
        if alone { lan::find_local_agent(&self.deadlines) } else { None }
    }

    fn place(&self) -> SearchPlace {
        self.router.clone().map_or(SearchPlace::Network, SearchPlace::Router)
    }
}

fn format_socket_address(addr: SocketAddr) -> String {
    HostAddress::new(addr.ip().to_string(), addr.port()).to_string()
}

pub(crate) fn format_address(host: &HostAddress) -> String {
    match &host.way {
        AgentRoute::Resolver => host.to_string(),
        AgentRoute::At(addr) => format_socket_address(*addr),
        AgentRoute::Router(router) => format!("through {router}"),
    }
}
