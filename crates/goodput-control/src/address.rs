//! Parses addresses of hosts and routers: `HOST`, `HOST:PORT`, `[IPv6]:PORT`.

use goodput_words::{Message, error_messages, message};
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::str::FromStr;

/// TCP port where agents listen for orders.
pub const CONTROL_PORT: u16 = 5303;
/// Port where agents accept data connections (TCP and UDP).
pub const DATA_PORT: u16 = 5304;

/// Port where routers listen (TCP): Zenoh's default, so that its own router program needs no setting.
pub const AGENT_ROUTER_PORT: u16 = 7447;

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct HostAddress {
    /// Without brackets; for a way other than [`Route::Resolver`] the agent's own name.
    pub host: String,
    /// Control port; unused through a router.
    pub port: u16,
    pub way: AgentRoute,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum AgentRoute {
    /// At the address that was typed or that the resolver returns.
    Resolver,
    /// At an address where an agent of that name was found.
    At(SocketAddr),
    Router(AgentRouterAddress),
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct AgentRouterAddress {
    pub host: String,
    pub port: u16,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddressError {
    pub typed: String,
    pub why: &'static str,
    pub port: u16,
}

error_messages! {
    AddressError {
        AddressError { typed, why, .. } =>
            message!(error_not_a_host { typed: format!("{typed:?}"), why: Message::from(*why) }),
    }
}

impl AddressError {
    pub fn hint(&self) -> Message {
        message!(hint_name_or_address { port: self.port.to_string() })
    }
}

impl HostAddress {
    pub fn new(host: impl Into<String>, port: u16) -> HostAddress {
        HostAddress { host: host.into(), port, way: AgentRoute::Resolver }
    }

    /// True for a bare name: neither an address nor a name with a port.
    pub fn is_name_without_port(typed: &str) -> bool {
        let bare = typed.split('%').next().unwrap_or("");
        !typed.contains([':', '[', ']']) && bare.parse::<IpAddr>().is_err()
    }
}

impl FromStr for HostAddress {
    type Err = AddressError;

    fn from_str(typed: &str) -> Result<HostAddress, AddressError> {
        read(typed, CONTROL_PORT).map(|(host, port)| HostAddress::new(host, port))
    }
}

impl FromStr for AgentRouterAddress {
    type Err = AddressError;

    fn from_str(typed: &str) -> Result<AgentRouterAddress, AddressError> {
        read(typed, AGENT_ROUTER_PORT).map(|(host, port)| AgentRouterAddress { host, port })
    }
}

impl From<&AgentRouterAddress> for HostAddress {
    fn from(router: &AgentRouterAddress) -> HostAddress {
        HostAddress::new(router.host.clone(), router.port)
    }
}

fn read(typed: &str, usual: u16) -> Result<(String, u16), AddressError> {
    let wrong = |why| AddressError { typed: typed.to_string(), why, port: usual };
    let (host, port) = parse_host_and_port(typed.trim(), usual).map_err(wrong)?;
    Ok((host.to_string(), port))
}

/// The error is the reason.
pub(crate) fn parse_host_and_port(text: &str, usual: u16) -> Result<(&str, u16), &'static str> {
    let bare = text.split('%').next().unwrap_or("");
    let (host, port) = if let Some(rest) = text.strip_prefix('[') {
        let (host, port) = rest.split_once(']').ok_or("the bracket is not closed")?;
        match port.strip_prefix(':') {
            Some(port) => (host, Some(port)),
            None if port.is_empty() => (host, None),
            None => return Err("the bracket must be followed by a colon and the port"),
        }
    } else if bare.parse::<Ipv6Addr>().is_ok() {
        (text, None)
    } else {
        match text.split_once(':') {
            Some((_, port)) if port.contains(':') => return Err("the address has too many colons"),
            Some((host, port)) => (host, Some(port)),
            None => (text, None),
        }
    };
    if host.is_empty() {
        return Err("the host name is missing");
    }
    if host.chars().any(|c| c.is_whitespace() || c.is_control() || matches!(c, '/' | '[' | ']')) {
        return Err("the name contains characters that are not allowed in a host name");
    }
    let port = match port {
        None => usual,
        Some(port) => match port.parse() {
            Ok(0) | Err(_) => return Err("the port is not a number from 1 to 65535"),
            Ok(port) => port,
        },
    };
    Ok((host, port))
}

fn write(f: &mut fmt::Formatter<'_>, host: &str, port: u16, usual: u16) -> fmt::Result {
    match (port == usual, host.contains(':')) {
        (true, _) => f.write_str(host),
        (false, true) => write!(f, "[{host}]:{port}"),
        (false, false) => write!(f, "{host}:{port}"),
    }
}

impl fmt::Display for HostAddress {
    /// As the user would type it; a discovered host is shown by its name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.way {
            AgentRoute::Resolver => write(f, &self.host, self.port, CONTROL_PORT),
            AgentRoute::At(_) | AgentRoute::Router(_) => f.write_str(&self.host),
        }
    }
}

impl fmt::Display for AgentRouterAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(f, &self.host, self.port, AGENT_ROUTER_PORT)
    }
}

/// The wildcard address; IPv4 only on a host without IPv6.
pub(crate) fn wildcard_address() -> IpAddr {
    match TcpListener::bind((Ipv6Addr::UNSPECIFIED, 0)) {
        Ok(_) => Ipv6Addr::UNSPECIFIED.into(),
        Err(_) => Ipv4Addr::UNSPECIFIED.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_as_people_type_them_and_bare_names() {
        for (typed, host, port) in [
            ("nas", "nas", 5303),
            ("10.0.0.2:80", "10.0.0.2", 80),
            ("::1", "::1", 5303),
            ("[::1]:99", "::1", 99),
            ("[fe80::1%eth0]", "fe80::1%eth0", 5303),
            ("fe80::1%eth0", "fe80::1%eth0", 5303),
        ] {
            assert_eq!(typed.parse(), Ok(HostAddress::new(host, port)), "{typed}");
        }
        for bad in ["", ":", ":80", "a:", "a:0", "a:70000", "a:b:c", "[::1", "[::1]80", "a b", "http://a"] {
            assert!(bad.parse::<HostAddress>().is_err(), "{bad}");
        }

        assert!(["nas", "nas.local", "web-1"].iter().all(|name| HostAddress::is_name_without_port(name)));
        for address in ["10.0.0.2", "::1", "fe80::1%eth0", "nas:5303", "[::1]:99"] {
            assert!(!HostAddress::is_name_without_port(address), "{address}");
        }
    }

    #[test]
    fn a_router_has_a_port_of_its_own() {
        let router: AgentRouterAddress = "hub".parse().unwrap();
        assert_eq!((router.port, router.to_string()), (7447, "hub".to_string()));
        assert_eq!("[::1]:1".parse::<AgentRouterAddress>().unwrap().to_string(), "[::1]:1");
        let refused = "hub:x".parse::<AgentRouterAddress>().unwrap_err();
        assert!(refused.hint().contains("nas:7447"), "{}", refused.hint());
        let found = HostAddress { way: AgentRoute::Router(router), ..HostAddress::new("web1", 5303) };
        assert_eq!(found.to_string(), "web1");
    }
}
