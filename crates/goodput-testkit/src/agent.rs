//! Agents on loopback in the test's own process.

use crate::find_free_port;
use goodput_control::agent::Policy;
use goodput_control::{Agent, AgentSettings, Credentials, HostAddress};
use std::net::Ipv4Addr;

pub fn start_agent(name: &str) -> (Agent, HostAddress) {
    start_configured_agent(name, None, Policy::default())
}

pub fn start_configured_agent(
    name: &str,
    credentials: Option<&Credentials>,
    policy: Policy,
) -> (Agent, HostAddress) {
    let settings = AgentSettings {
        name: name.into(),
        address: Some(Ipv4Addr::LOCALHOST.into()),
        control_port: find_free_port(),
        data_port: 0,
        ..AgentSettings::default()
    };
    (Agent::listen(&settings, credentials, policy).unwrap(), loopback_address(settings.control_port))
}

pub fn loopback_address(port: u16) -> HostAddress {
    HostAddress::new("127.0.0.1", port)
}
