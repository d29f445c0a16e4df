//! Resolves a HOST argument: an address is used as it is; with a router a name is an agent's; without one the
//! system's resolver decides, then agents of the network. Two agents of one name are an error.

use crate::args::host_name::HostName;
use crate::failure::{self, Failure};
use crate::lab_exec::LabContext;
use goodput_control::{AgentRegistry, AgentRoute, CONTROL_PORT, HostAddress, NamedHost, Session};
use goodput_lab::LabHostRef;
use goodput_model::Message;
use goodput_words::message;

/// `port` is a control port typed separately: then only the resolver is used. Hosts of a lab are reached by
/// the program inside the lab, whose place is `place`.
pub fn resolve_host_address(
    option: &str,
    name: &HostName,
    port: Option<u16>,
    place: Option<&LabContext>,
    registry: &AgentRegistry,
) -> Result<HostAddress, Failure> {
    match (name, port, place) {
        (HostName::Address(address), None, _) => Ok(address.clone()),
        (HostName::Address(address), Some(port), _) => Ok(HostAddress { port, ..address.clone() }),
        (HostName::Name(name), Some(port), _) => Ok(HostAddress::new(name.clone(), port)),
        (HostName::Name(name), None, _) => registry
            .resolve_name(name)
            .map_err(|e| failure::failure_from_control_error(format!("{option} {name}"), &e)),
        (HostName::Lab(host), _, Some(place)) => {
            let found = place.host_address(&host.host);
            let found = found.ok_or_else(|| lab_host_unreachable_failure(host, Some(place)))?;
            Ok(HostAddress { port: port.unwrap_or(found.port), ..found })
        }
        (HostName::Lab(host), _, None) => {
            let host = host.to_string();
            Err(Failure::usage_error(message!(error_not_to_be_had_here { option, host }))
                .with_cause("a program inside a lab cannot look up the addresses of lab hosts")
                .with_hint("start goodput outside of the lab"))
        }
    }
}

/// With the name by which the host is shown.
pub fn resolve_named_host(
    option: &str,
    name: &HostName,
    port: Option<u16>,
    place: Option<&LabContext>,
    registry: &AgentRegistry,
) -> Result<NamedHost, Failure> {
    Ok((format_host_name(name), resolve_host_address(option, name, port, place, registry)?))
}

pub fn format_host_name(host: &HostName) -> String {
    match host {
        HostName::Lab(host) => host.host.to_string(),
        HostName::Name(name) => name.clone(),
        HostName::Address(address) if address.port == CONTROL_PORT => address.host.clone(),
        HostName::Address(address) => address.to_string(),
    }
}

pub fn lab_host_unreachable_failure(host: &LabHostRef, place: Option<&LabContext>) -> Failure {
    let host = host.to_string();
    let error = match place {
        Some(place) => message!(error_does_not_reach { from: &place.from, host }),
        None => message!(error_this_machine_does_not_reach { host }),
    };
    Failure::usage_error(error)
        .with_cause("the hosts share no link, and no host between them forwards packets")
        .with_hint("connect both hosts to one link of the topology")
}

/// A note to the user about the host, once its agent has answered.
pub fn name_resolution_note(typed: &HostName, host: &HostAddress, session: &Session) -> Option<Message> {
    let agent = session.server_agent_hello_response()?;
    led(typed, host, &agent.name, &session.server_data_address()?.ip().to_string())
}

/// Reports a name that no resolver knows, or an agent with another name than the resolved one.
fn led(typed: &HostName, host: &HostAddress, agent: &str, at: &str) -> Option<Message> {
    let HostName::Name(name) = typed else { return None };
    let first = |name: &str| name.split('.').next().unwrap_or("").to_ascii_lowercase();
    match &host.way {
        AgentRoute::At(addr) => {
            Some(message!(progress_name_found_on_network { name, address: addr.ip().to_string() }))
        }
        AgentRoute::Resolver if first(name) != first(agent) => {
            Some(message!(progress_agent_has_another_name { name, address: at, agent }))
        }
        AgentRoute::Resolver | AgentRoute::Router(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_model::trial::TrialTimeouts;

    #[test]
    fn an_address_needs_nobody_to_be_asked() {
        let registry = AgentRegistry::new(None, None, TrialTimeouts::default());
        let address = HostName::parse("HOST", "10.0.0.2").unwrap();
        assert_eq!(
            resolve_host_address("HOST", &address, None, None, &registry).unwrap(),
            HostAddress::new("10.0.0.2", 5303)
        );
        assert_eq!(
            resolve_host_address("HOST", &address, Some(1), None, &registry).unwrap(),
            HostAddress::new("10.0.0.2", 1)
        );
        let name = HostName::parse("HOST", "nas").unwrap();
        assert_eq!(
            resolve_host_address("HOST", &name, Some(1), None, &registry).unwrap(),
            HostAddress::new("nas", 1)
        );
        let lab = HostName::parse("--from", "lab:b").unwrap();
        assert!(
            resolve_host_address("--from", &lab, None, None, &registry)
                .unwrap_err()
                .error
                .contains("--from lab:b")
        );
    }

    #[test]
    fn a_name_that_led_elsewhere_is_told() {
        let nas = HostName::Name("nas".into());
        let resolved = HostAddress::new("nas", 5303);
        assert_eq!(led(&nas, &resolved, "NAS.local", "10.0.0.2"), None);
        let told = led(&nas, &resolved, "storage1", "10.0.0.2").unwrap();
        assert_eq!(told, "nas is 10.0.0.2; the agent there goes by the name storage1");
        let found = HostAddress { way: AgentRoute::At(([10, 0, 0, 9], 5303).into()), ..resolved.clone() };
        assert!(led(&nas, &found, "nas", "10.0.0.9").unwrap().contains("10.0.0.9"));
        assert_eq!(led(&HostName::Address(resolved.clone()), &resolved, "storage1", "10.0.0.2"), None);
    }
}
