//! Discovery of agents: random names, presence keys, and the way between two agents' data ports.

use super::PROTOCOL;
use crate::ControlError;
use crate::bus::chunk;
use goodput_model::units::Nanos;
use serde::{Deserialize, Serialize};
use std::net::SocketAddr;

/// Prefix of every agent's random name, which is also its Zenoh id; it separates agents from other Zenoh
/// programs.
pub const AGENT_MARK: &str = "900d9a7e";

/// The mark, the protocol in four hexadecimal digits, and 80 random bits.
pub fn agent_id() -> Result<String, ControlError> {
    let random = data_encoding::HEXLOWER.encode(&crate::random::<10>()?);
    Ok(format!("{AGENT_MARK}{PROTOCOL:04x}{random}"))
}

/// `None` for other programs.
pub fn agent_protocol(id: &str) -> Option<u16> {
    let digits = id.strip_prefix(AGENT_MARK)?.get(..4)?;
    u16::from_str_radix(digits, 16).ok()
}

/// An agent's presence key. Independent of the protocol version; it carries all that is needed before a
/// request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Present {
    pub id: String,
    pub name: String,
    pub protocol: u16,
    pub version: String,
}

impl Present {
    pub const ALL: &'static str = "goodput/present/*/*/*/*";

    pub fn named(name: &str) -> String {
        format!("goodput/present/*/{}/*/*", chunk(name))
    }

    pub fn of(id: &str) -> String {
        format!("goodput/present/{}/*/*/*", chunk(id))
    }

    pub fn key(&self) -> String {
        let Present { id, name, protocol, version } = self;
        format!("goodput/present/{}/{}/{protocol}/{}", chunk(id), chunk(name), chunk(version))
    }

    /// `None` for other keys.
    pub fn read(key: &str) -> Option<Present> {
        let mut chunks = key.strip_prefix("goodput/present/")?.split('/');
        let mut next = || chunks.next().map(str::to_string);
        let (id, name, protocol, version) = (next()?, next()?, next()?.parse().ok()?, next()?);
        chunks.next().is_none().then_some(Present { id, name, protocol, version })
    }
}

/// The key on which an agent publishes its state; `*` for all.
pub fn state_key(agent: &str) -> String {
    format!("goodput/{PROTOCOL}/state/{agent}")
}

/// Asks the connecting end which of these data ports accepts a connection, when the listening end was reached
/// through a router. Connections are closed at once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReachRequest {
    pub addresses: Vec<SocketAddr>,
    pub deadline: Nanos,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reached {
    /// The first that accepted.
    pub address: Option<SocketAddr>,
    pub tried: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agents_name_says_what_it_is() {
        let (one, other) = (agent_id().unwrap(), agent_id().unwrap());
        assert_ne!(one, other);
        assert_eq!((one.len(), agent_protocol(&one)), (32, Some(PROTOCOL)));
        assert!(one.chars().all(|c| c.is_ascii_hexdigit() && !c.is_ascii_uppercase()));
        assert_eq!(agent_protocol("900d9a7e00ff"), Some(255));
        for stranger in ["", "900d9a7e", "900d9a7e00", "a1b2c3d4e5f60718", "900d9a7ezzzz"] {
            assert_eq!(agent_protocol(stranger), None, "{stranger}");
        }
    }

    #[test]
    fn a_presence_key_reads_back() {
        let present = Present {
            id: agent_id().unwrap(),
            name: "web-1.lab".into(),
            protocol: PROTOCOL,
            version: "0.1.0".into(),
        };
        assert_eq!(Present::read(&present.key()), Some(present));
        for other in ["", "goodput/present/a/b/c/d", "goodput/present/a/b/1", "goodput/present/a/b/1/c/d"] {
            assert_eq!(Present::read(other), None, "{other}");
        }
    }
}
