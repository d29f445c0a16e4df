//! How agents are found and told apart: their random names, the keys under which they are present, and the way
//! of a data connection between two of them.

use super::PROTOCOL;
use crate::ControlError;
use crate::bus::chunk;
use goodput_model::units::Nanos;
use serde::{Deserialize, Serialize};
use std::net::SocketAddr;

/// The beginning of every agent's random name, which is also its name for the messaging engine: so an agent is
/// told from other programs that use the same engine, also by those who cannot ask it.
pub const AGENT_MARK: &str = "900d9a7e";

/// A new random name for an agent: the mark, its protocol in four hexadecimal digits, and 80 random bits.
///
/// # Errors
/// The system has no randomness to give.
pub fn agent_id() -> Result<String, ControlError> {
    let random = data_encoding::HEXLOWER.encode(&crate::random::<10>()?);
    Ok(format!("{AGENT_MARK}{PROTOCOL:04x}{random}"))
}

/// The protocol that the agent of this name speaks; `None` for whoever is no agent.
pub fn agent_protocol(id: &str) -> Option<u16> {
    let digits = id.strip_prefix(AGENT_MARK)?.get(..4)?;
    u16::from_str_radix(digits, 16).ok()
}

/// The key under which an agent is present. It carries no protocol in its beginning, so that agents of any
/// version are seen; and all that must be known before one is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Present {
    /// Random name of the agent.
    pub id: String,
    pub name: String,
    pub protocol: u16,
    pub version: String,
}

impl Present {
    /// Fits every agent.
    pub const ALL: &'static str = "goodput/present/*/*/*/*";

    pub fn named(name: &str) -> String {
        format!("goodput/present/*/{}/*/*", chunk(name))
    }

    /// Fits the agent with this random name.
    pub fn of(id: &str) -> String {
        format!("goodput/present/{}/*/*/*", chunk(id))
    }

    pub fn key(&self) -> String {
        let Present { id, name, protocol, version } = self;
        format!("goodput/present/{}/{}/{protocol}/{}", chunk(id), chunk(name), chunk(version))
    }

    /// Reads a key; `None` for what is no such key.
    pub fn read(key: &str) -> Option<Present> {
        let mut chunks = key.strip_prefix("goodput/present/")?.split('/');
        let mut next = || chunks.next().map(str::to_string);
        let (id, name, protocol, version) = (next()?, next()?, next()?.parse().ok()?, next()?);
        chunks.next().is_none().then_some(Present { id, name, protocol, version })
    }
}

/// The key on which an agent tells its state whenever that changes; `*` for all.
pub fn state_key(agent: &str) -> String {
    format!("goodput/{PROTOCOL}/state/{agent}")
}

/// Which of these data ports takes a connection from you? Asked of the connecting end when the listening end was
/// not reached by an address of its own. Each connection is closed again at once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AskReach {
    pub addresses: Vec<SocketAddr>,
    pub deadline: Nanos,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reached {
    /// The first that took a connection.
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
