//! A router: forwards messages between agents and coordinators that cannot reach each other.

use crate::ControlError;
use crate::address::{AGENT_ROUTER_PORT, AgentRouterAddress};
use crate::credentials::Credentials;
use crate::identity::LocalRole;
use crate::message_bus::ZenohBus;
use std::net::{IpAddr, SocketAddr};

pub use crate::message_bus::MAX_SESSIONS;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentRouterSettings {
    /// Listening address; `None` for all, or loopback only without a key.
    pub address: Option<IpAddr>,
    pub port: u16,
    /// Routers of other sites; reconnects automatically.
    pub connect: Vec<AgentRouterAddress>,
}

impl Default for AgentRouterSettings {
    fn default() -> AgentRouterSettings {
        AgentRouterSettings { address: None, port: AGENT_ROUTER_PORT, connect: Vec::new() }
    }
}

pub struct AgentRouter {
    _bus: ZenohBus,
    at: SocketAddr,
    secured: bool,
    others: Vec<AgentRouterAddress>,
}

impl AgentRouter {
    /// Opens the port. Without a key on loopback only: whoever reaches a router reaches all its agents. Else
    /// fails with [`ControlError::KeyNeeded`].
    pub fn start(
        settings: &AgentRouterSettings,
        credentials: Option<&Credentials>,
    ) -> Result<AgentRouter, ControlError> {
        let address = Credentials::listening_address(credentials, settings.address)?;
        let identity = credentials.map(|c| c.load_identity(LocalRole::Agent, "router")).transpose()?;
        let at = SocketAddr::new(address, settings.port);
        let bus = ZenohBus::run_router(at, &settings.connect, identity.as_ref())?;
        Ok(AgentRouter { _bus: bus, at, secured: identity.is_some(), others: settings.connect.clone() })
    }

    pub fn startup_message(&self) -> String {
        let whom = match self.secured {
            true => "for those whom its key or certificates let in",
            false => "without a lab key, so for this machine only",
        };
        let others = match self.others.as_slice() {
            [] => String::new(),
            others => {
                let names: Vec<String> = others.iter().map(ToString::to_string).collect();
                format!("; connects to {}", names.join(", "))
            }
        };
        format!("router on {}, {whom}{others}", self.at)
    }
}
