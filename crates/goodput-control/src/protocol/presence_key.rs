//! Discovery of agents: random names, presence keys, and the way between two agents' data ports.

use super::PROTOCOL_VERSION;
use crate::ControlError;
use crate::message_bus::escape_key_chunk;
use goodput_model::units::Nanos;
use goodput_words::Message;
use serde::{Deserialize, Serialize};
use std::net::SocketAddr;

/// Prefix of agents' random names, which are also Zenoh ids: it separates them from other Zenoh programs.
pub const AGENT_ID_PREFIX: &str = "900d9a7e";

/// The mark, the protocol in four hexadecimal digits, and 80 random bits.
pub fn new_agent_id() -> Result<String, ControlError> {
    let random = data_encoding::HEXLOWER.encode(&crate::random::<10>()?);
    Ok(format!("{AGENT_ID_PREFIX}{PROTOCOL_VERSION:04x}{random}"))
}

/// `None` for other programs.
pub fn protocol_version_from_agent_id(id: &str) -> Option<u16> {
    let digits = id.strip_prefix(AGENT_ID_PREFIX)?.get(..4)?;
    u16::from_str_radix(digits, 16).ok()
}

/// An agent's presence key, for all protocol versions; it carries all that is needed before a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PresenceKey {
    pub id: String,
    pub name: String,
    pub protocol: u16,
    pub version: String,
}

impl PresenceKey {
    pub const ANY_AGENT_PATTERN: &'static str = "goodput/present/*/*/*/*";

    pub fn pattern_for_name(name: &str) -> String {
        format!("goodput/present/*/{}/*/*", escape_key_chunk(name))
    }

    pub fn pattern_for_id(id: &str) -> String {
        format!("goodput/present/{}/*/*/*", escape_key_chunk(id))
    }

    pub fn to_zenoh_key(&self) -> String {
        let PresenceKey { id, name, protocol, version } = self;
        format!(
            "goodput/present/{}/{}/{protocol}/{}",
            escape_key_chunk(id),
            escape_key_chunk(name),
            escape_key_chunk(version)
        )
    }

    /// `None` for other keys.
    pub fn parse(key: &str) -> Option<PresenceKey> {
        let mut chunks = key.strip_prefix("goodput/present/")?.split('/');
        let mut next = || chunks.next().map(str::to_string);
        let (id, name, protocol, version) = (next()?, next()?, next()?.parse().ok()?, next()?);
        chunks.next().is_none().then_some(PresenceKey { id, name, protocol, version })
    }
}

/// The key on which an agent publishes its state; `*` for all.
pub fn agent_state_zenoh_key(agent: &str) -> String {
    format!("goodput/{PROTOCOL_VERSION}/state/{agent}")
}

/// Asks the connecting end which of these data ports accepts a connection, when the listening end was reached
/// through a router. Connections are closed at once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReachabilityRequest {
    pub addresses: Vec<SocketAddr>,
    pub deadline: Nanos,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReachabilityResponse {
    /// The first that accepted.
    pub address: Option<SocketAddr>,
    pub tried: Vec<Message>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agents_name_and_presence_key_say_what_it_is() {
        let (one, other) = (new_agent_id().unwrap(), new_agent_id().unwrap());
        assert_ne!(one, other);
        assert_eq!((one.len(), protocol_version_from_agent_id(&one)), (32, Some(PROTOCOL_VERSION)));
        assert!(one.chars().all(|c| c.is_ascii_hexdigit() && !c.is_ascii_uppercase()));
        assert_eq!(protocol_version_from_agent_id("900d9a7e00ff"), Some(255));
        for stranger in ["", "900d9a7e", "900d9a7e00", "a1b2c3d4e5f60718", "900d9a7ezzzz"] {
            assert_eq!(protocol_version_from_agent_id(stranger), None, "{stranger}");
        }

        let (name, version) = ("web-1.lab".into(), "0.1.0".into());
        let present = PresenceKey { id: one, name, protocol: PROTOCOL_VERSION, version };
        assert_eq!(PresenceKey::parse(&present.to_zenoh_key()), Some(present));
        for other in ["", "goodput/present/a/b/c/d", "goodput/present/a/b/1", "goodput/present/a/b/1/c/d"] {
            assert_eq!(PresenceKey::parse(other), None, "{other}");
        }
    }
}
