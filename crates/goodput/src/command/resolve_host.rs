//! Resolves a HOST argument: an address is used as it is; with a router a name is an agent's; without one the
//! system's resolver decides, then agents of the network. Two agents of one name are an error.

use crate::args::host_name::HostName;
use crate::args::measure_options::Options;
use crate::failure::{self, Failure};
use crate::lab_exec::LabContext;
use goodput_control::identity::LocalRole;
use goodput_control::{Credentials, HostAddress, Registry, Route, Session};
use goodput_lab::LabHost;
use std::sync::Arc;

/// `port` is a control port typed separately: then only the resolver is used.
pub fn host(
    option: &str,
    name: &HostName,
    port: Option<u16>,
    registry: &Registry,
) -> Result<HostAddress, Failure> {
    match (name, port) {
        (HostName::Address(address), None) => Ok(address.clone()),
        (HostName::Address(address), Some(port)) => Ok(HostAddress { port, ..address.clone() }),
        (HostName::Name(name), Some(port)) => Ok(HostAddress::new(name.clone(), port)),
        (HostName::Name(name), None) => {
            registry.find(name).map_err(|e| failure::control(&format!("{option} {name}"), &e))
        }
        (HostName::Lab(host), _) => Err(Failure::usage(format!("{option} {host} is not to be had here"))
            .because("the lab's place is unknown inside the lab")
            .try_this("start goodput outside of the lab")),
    }
}

/// The same where lab hosts are allowed, for the program inside the lab.
pub fn within(
    option: &str,
    name: &HostName,
    port: Option<u16>,
    place: Option<&LabContext>,
    registry: &Registry,
) -> Result<HostAddress, Failure> {
    let (HostName::Lab(lab), Some(place)) = (name, place) else {
        return host(option, name, port, registry);
    };
    let mut found = place.address(&lab.host).ok_or_else(|| not_reached(lab, Some(place)))?;
    found.port = port.unwrap_or(found.port);
    Ok(found)
}

pub fn not_reached(host: &LabHost, place: Option<&LabContext>) -> Failure {
    let from = place.map_or("this machine", |place| place.from.as_str());
    Failure::usage(format!("{from} does not reach {host}"))
        .because("they are on no link together, and no host between them forwards")
        .try_this("put them on one link of the topology")
}

pub fn registry(options: &Options, shown: Option<&Credentials>) -> Result<Registry, Failure> {
    let identity = shown.map(|s| s.identity(LocalRole::Coordinator, "coordinator")).transpose();
    let identity = identity.map_err(|e| failure::control("cannot look for hosts", &e.into()))?.map(Arc::new);
    Ok(Registry::new(identity, options.router.clone(), options.deadlines()))
}

/// A note to the user about the host, once its agent has answered.
pub fn note(typed: &HostName, host: &HostAddress, session: &Session) -> Option<String> {
    let agent = session.hosts().0?;
    led(typed, host, &agent.name, &session.data_address()?.ip().to_string())
}

/// Reports a name that no resolver knows, or an agent with another name than the resolved one.
fn led(typed: &HostName, host: &HostAddress, agent: &str, at: &str) -> Option<String> {
    let HostName::Name(name) = typed else { return None };
    let first = |name: &str| name.split('.').next().unwrap_or("").to_ascii_lowercase();
    match &host.way {
        Route::At(addr) => Some(format!("{name} is the agent at {}, found on this network", addr.ip())),
        Route::Resolver if first(name) != first(agent) => {
            Some(format!("{name} is {at}; the agent there goes by the name {agent}"))
        }
        Route::Resolver | Route::Router(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_model::trial::Deadlines;

    #[test]
    fn an_address_needs_nobody_to_be_asked() {
        let registry = Registry::new(None, None, Deadlines::default());
        let address = HostName::parse("HOST", "10.0.0.2").unwrap();
        assert_eq!(host("HOST", &address, None, &registry).unwrap(), HostAddress::new("10.0.0.2", 5303));
        assert_eq!(host("HOST", &address, Some(1), &registry).unwrap(), HostAddress::new("10.0.0.2", 1));
        let name = HostName::parse("HOST", "nas").unwrap();
        assert_eq!(host("HOST", &name, Some(1), &registry).unwrap(), HostAddress::new("nas", 1));
        let lab = HostName::parse("--from", "lab:b").unwrap();
        assert!(host("--from", &lab, None, &registry).unwrap_err().error.contains("--from lab:b"));
    }

    #[test]
    fn a_name_that_led_elsewhere_is_told() {
        let nas = HostName::Name("nas".into());
        let resolved = HostAddress::new("nas", 5303);
        assert_eq!(led(&nas, &resolved, "NAS.local", "10.0.0.2"), None);
        let told = led(&nas, &resolved, "storage1", "10.0.0.2").unwrap();
        assert_eq!(told, "nas is 10.0.0.2; the agent there goes by the name storage1");
        let found = HostAddress { way: Route::At(([10, 0, 0, 9], 5303).into()), ..resolved.clone() };
        assert!(led(&nas, &found, "nas", "10.0.0.9").unwrap().contains("10.0.0.9"));
        assert_eq!(led(&HostName::Address(resolved.clone()), &resolved, "storage1", "10.0.0.2"), None);
    }
}
