//! A host as a person types it: `HOST`, `HOST:PORT`, `[IPv6]:PORT`.

use crate::agent::CONTROL_PORT;
use std::fmt;
use std::net::Ipv6Addr;
use std::str::FromStr;

/// Where an agent waits for orders, not yet resolved.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct HostAddress {
    /// Name or address, without brackets.
    pub host: String,
    /// Control port.
    pub port: u16,
}

/// What was typed is no host.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{typed:?} is not a host: {why}")]
pub struct AddressError {
    /// What was typed.
    pub typed: String,
    /// What is wrong with it.
    pub why: &'static str,
}

impl AddressError {
    /// What would be accepted.
    pub fn hint(&self) -> &'static str {
        "type a name or an address, for example nas, 10.0.0.2, nas:5303 or [fe80::1%eth0]:5303"
    }
}

impl FromStr for HostAddress {
    type Err = AddressError;

    fn from_str(typed: &str) -> Result<HostAddress, AddressError> {
        let wrong = |why| AddressError { typed: typed.to_string(), why };
        let text = typed.trim();
        let bare = text.split('%').next().unwrap_or("");
        let (host, port) = if let Some(rest) = text.strip_prefix('[') {
            let (host, port) = rest.split_once(']').ok_or_else(|| wrong("the bracket is not closed"))?;
            match port.strip_prefix(':') {
                Some(port) => (host, Some(port)),
                None if port.is_empty() => (host, None),
                None => return Err(wrong("after the bracket comes a colon and the port")),
            }
        } else if bare.parse::<Ipv6Addr>().is_ok() {
            (text, None)
        } else {
            match text.split_once(':') {
                Some((_, port)) if port.contains(':') => return Err(wrong("it has too many colons")),
                Some((host, port)) => (host, Some(port)),
                None => (text, None),
            }
        };
        if host.is_empty() {
            return Err(wrong("the name is missing"));
        }
        if host.chars().any(|c| c.is_whitespace() || c.is_control() || matches!(c, '/' | '[' | ']')) {
            return Err(wrong("it has characters that no host name has"));
        }
        let port = match port {
            None => CONTROL_PORT,
            Some(port) => match port.parse() {
                Ok(0) | Err(_) => return Err(wrong("the port is not a number from 1 to 65535")),
                Ok(port) => port,
            },
        };
        Ok(HostAddress { host: host.to_string(), port })
    }
}

impl fmt::Display for HostAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.port, self.host.contains(':')) {
            (CONTROL_PORT, _) => f.write_str(&self.host),
            (port, true) => write!(f, "[{}]:{port}", self.host),
            (port, false) => write!(f, "{}:{port}", self.host),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_as_people_type_them() {
        let is = |typed: &str, host: &str, port| {
            assert_eq!(typed.parse(), Ok(HostAddress { host: host.into(), port }), "{typed}");
        };
        is("nas", "nas", 5303);
        is("10.0.0.2:80", "10.0.0.2", 80);
        is("::1", "::1", 5303);
        is("[::1]:99", "::1", 99);
        is("[fe80::1%eth0]", "fe80::1%eth0", 5303);
        is("fe80::1%eth0", "fe80::1%eth0", 5303);
    }

    #[test]
    fn what_is_no_host_is_refused() {
        for bad in ["", ":", ":80", "a:", "a:0", "a:70000", "a:b:c", "[::1", "[::1]80", "a b", "http://a"] {
            assert!(bad.parse::<HostAddress>().is_err(), "{bad}");
        }
    }
}
